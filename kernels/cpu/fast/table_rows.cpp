// Rows of tables, and sums that stand for them.
#include "kernels/common/huge_buffer.hpp"
#include "kernels/cpu/fast/rows.hpp"
#include "kernels/cpu/fast/slot_rows.hpp"
#include "kernels/cpu/machine/prefetch.hpp"

#include <type_traits>
#include <utility>
#include <vector>

namespace tailback::kernels::stages {
namespace {

template <class LinkWord, std::uint32_t width>
struct TableView {
    using Row = SlotRow<LinkWord, width>;

    Row const* rows;
    Row const* wide_rows;            ///< two for each of `rows`, where routes may take two
    std::uint32_t const* first_row;  ///< by seat; of a table, which has fewer than 2^32 rows
    std::uint32_t inner;
    Row offsets = Row::offsets(inner);

    std::size_t place(std::uint32_t source, std::uint32_t destination) const {
        return std::size_t{first_row[source]} + destination;
    }
    Row find(std::uint32_t source, std::uint32_t destination) const {
        Row row = rows[place(source, destination)];
        if constexpr (width > 2) row.spread(inner, offsets);
        return row;
    }
    void find_both(std::uint32_t source, std::uint32_t destination, Row& first, Row& further) const {
        Row const* const both = wide_rows + 2 * place(source, destination);
        first = both[0];
        further = both[1];
    }
    void ask(std::uint32_t source, std::uint32_t destination) const {
        prefetch_to_second_cache(rows + place(source, destination));
    }
    std::uint32_t code(Row const& row) const { return row.slot[0] > inner ? row.slot[0] - inner : 0; }
    Row empty() const { return Row::of(inner); }
};

/// Routes are looked at in vain no longer than this takes: one in so many, and one in so many of these may be long.
constexpr std::size_t looked_at = 64, long_ones = 256;
/// Tables beyond are not copied.
constexpr std::size_t most_half_bytes = std::size_t{1} << 28;

/// The rows of a table that is twice as wide: where a route's links do not fit, in_two_rows stands in the first place.
template <class LinkWord, std::uint32_t width>
class HalfRows {
    using Row = SlotRow<LinkWord, width>;

public:
    explicit HalfRows(Problem const& p)
        : wide_(static_cast<Row const*>(p.routes.rows)),
          rows_(std::size_t{p.routes.groups} * p.placement.study_hosts),
          inner_(p.routes.inner) {}

    /// Are few of the routes long, as far as a glance tells?
    bool look_promising() const {
        std::size_t seen = 0, found = 0;
        for (std::size_t i = 0; i < rows_; i += looked_at, ++seen) found += is_long(i);
        return rows_ * sizeof(Row) <= most_half_bytes && found * (long_ones / 2) <= seen;
    }
    /// Null when more than `most` routes are long.
    std::shared_ptr<HugeBuffer const> make(std::size_t most) const {
        auto buffer = std::make_shared<HugeBuffer>(rows_ * sizeof(Row));
        Row* const to = reinterpret_cast<Row*>(buffer->data());
        Row in_two = Row::of(inner_);
        in_two.slot[0] = static_cast<LinkWord>(inner_ + in_two_rows);
        std::size_t found = 0;
        for (std::size_t i = 0; i < rows_ && found <= most; ++i) {
            bool const is = is_long(i);
            to[i] = is ? in_two : wide_[2 * i];
            found += is;
        }
        return found <= most ? std::move(buffer) : nullptr;
    }
    std::shared_ptr<HugeBuffer const> make_if_few() const {
        return look_promising() ? make(rows_ / long_ones) : nullptr;
    }
    std::shared_ptr<HugeBuffer const> make_anyway() const { return make(rows_); }

private:
    bool is_long(std::size_t place) const {
        return wide_[2 * place].slot[0] < inner_ && wide_[2 * place + 1].slot[0] != inner_;
    }

    Row const* wide_;
    std::size_t rows_;
    std::uint32_t inner_;
};

template <class HostWord, class LinkWord, std::uint32_t width>
class TableFinder final : public RowFinder<HostWord> {
    using Row = SlotRow<LinkWord, width>;

public:
    /// @param halves of the problem's rows, which are twice as wide; or null.
    explicit TableFinder(Problem const& p, std::shared_ptr<HugeBuffer const> halves = nullptr)
        : halves_(std::move(halves)),
          rows_(static_cast<Row const*>(halves_ ? halves_->data() : p.routes.rows)),
          wide_rows_(static_cast<Row const*>(p.routes.rows)),
          inner_(p.routes.inner),
          far_(p.routes.exceed_cache),
          fails_(!p.routes.all_delivered) {
        for (std::uint32_t host_index = 0; host_index < p.placement.study_hosts; ++host_index)
            first_row_.push_back(p.routes.group[host_index] * p.placement.study_hosts);
    }
    void find(LevelSeats<HostWord> const& level, void* rows, OddFlows& odd) const override {
        TableView<LinkWord, width> const view{rows_, wide_rows_, first_row_.data(), inner_};
        if (fails_ || halves_) find_rows<true, true>(view, level, rows, odd);
        else if (far_) find_rows<true, false>(view, level, rows, odd);
        else find_rows<false, false>(view, level, rows, odd);
    }
    bool splits() const override { return halves_ != nullptr; }

private:
    std::shared_ptr<HugeBuffer const> halves_;
    Row const *rows_, *wide_rows_;
    std::uint32_t inner_;
    bool far_, fails_;
    std::vector<std::uint32_t> first_row_;
};

/// All that a seat needs of a sum on one line. The parts are added word by word.
template <class LinkWord, std::uint32_t width>
struct SumView {
    using Row = SlotRow<LinkWord, width>;
    using Word = std::conditional_t<sizeof(Row) == 4, std::uint32_t, std::uint64_t>;
    static constexpr std::uint32_t words = sizeof(Row) / sizeof(Word);
    struct Part {
        Word word[words];
        std::uint32_t block, group;
    };

    Row const* rows;
    Part const *sources, *destinations;  ///< by seat
    std::uint32_t study_hosts, inner;

    /// Without a branch: whether a pair is inside a block cannot be predicted.
    Row find(std::uint32_t source, std::uint32_t destination) const {
        Part const &from = sources[source], &to = destinations[destination];
        bool const inside = from.block == to.block;
        void const* const base =
            inside ? static_cast<void const*>(rows + (std::size_t{from.group} * study_hosts + destination)) : to.word;
        Word const all = inside ? Word{0} : static_cast<Word>(~std::uint64_t{0});
        Word word[words];
        std::memcpy(word, base, sizeof word);
        for (std::uint32_t w = 0; w < words; ++w) word[w] += from.word[w] & all;
        Row row;
        std::memcpy(&row, word, sizeof row);
        return row;
    }
    Row empty() const { return Row::of(inner); }
};

template <class HostWord, class LinkWord, std::uint32_t width>
class SumFinder final : public RowFinder<HostWord> {
    using View = SumView<LinkWord, width>;
    using Part = typename View::Part;

public:
    explicit SumFinder(Problem const& p) {
        SumsView const& sums = p.routes.sums;
        auto const part = [](std::uint64_t const* words, std::uint32_t block, std::uint32_t group) {
            Part made{{}, block, group};
            for (std::uint32_t w = 0; w < View::words; ++w) made.word[w] = static_cast<typename View::Word>(words[w]);
            return made;
        };
        for (std::uint32_t host_index = 0; host_index < p.placement.study_hosts; ++host_index) {
            std::uint32_t const group = p.routes.group[host_index];
            sources_.push_back(part(sums.source + std::size_t{group} * View::words, sums.block_of_group[group], group));
            destinations_.push_back(part(sums.destination + std::size_t{host_index} * View::words,
                                         sums.block_of_host_index[host_index], group));
        }
        view_ = {static_cast<typename View::Row const*>(p.routes.rows), sources_.data(), destinations_.data(),
                 p.placement.study_hosts, p.routes.inner};
    }
    void find(LevelSeats<HostWord> const& level, void* rows, OddFlows& odd) const override {
        find_rows<false, false>(view_, level, rows, odd);
    }

private:
    std::vector<Part> sources_, destinations_;
    View view_;
};

bool is_table(Problem const& p) { return p.routes.form == RouteForm::rows16 || p.routes.form == RouteForm::rows32; }

RowKind kind_of(Problem const& p) { return {p.routes.form == RouteForm::rows16 ? 16u : 32u, p.routes.row_width}; }

}  // namespace

template <class HostWord>
Rows<HostWord> make_table_rows(Problem const& p) {
    Rows<HostWord> made;
    if (!is_table(p)) return made;
    made.links = make_slot_links(kind_of(p), p.routes.inner);
    made.finder =
        with_kind(kind_of(p), [&]<class LinkWord, std::uint32_t width>() -> std::shared_ptr<RowFinder<HostWord>> {
            return std::make_shared<TableFinder<HostWord, LinkWord, width>>(p);
        });
    return made;
}

template <class HostWord>
Rows<HostWord> make_half_rows(Problem const& p, bool anyway) {
    Rows<HostWord> made;
    if (!is_table(p)) return made;
    RowKind const half{kind_of(p).link_index_bits, p.routes.row_width / 2};
    if (half.width < (half.link_index_bits == 16 ? 2u : 4u)) return made;
    with_kind(half, [&]<class LinkWord, std::uint32_t width>() {
        HalfRows<LinkWord, width> const rows(p);
        std::shared_ptr<HugeBuffer const> halves = anyway ? rows.make_anyway() : rows.make_if_few();
        if (!halves) return;
        made.links = make_slot_links(half, p.routes.inner);
        made.finder = std::make_shared<TableFinder<HostWord, LinkWord, width>>(p, std::move(halves));
    });
    return made;
}

template <>
Rows<std::uint16_t> make_sum_rows(Problem const& p) {
    Rows<std::uint16_t> made;
    if (!is_table(p) || p.routes.sums.source == nullptr || !p.routes.all_delivered) return made;
    made.links = make_slot_links(kind_of(p), p.routes.inner);
    made.finder =
        with_kind(kind_of(p), [&]<class LinkWord, std::uint32_t width>() -> std::shared_ptr<RowFinder<std::uint16_t>> {
            return std::make_shared<SumFinder<std::uint16_t, LinkWord, width>>(p);
        });
    return made;
}
template <>
Rows<std::uint32_t> make_sum_rows(Problem const&) {
    return {};
}

template Rows<std::uint16_t> make_table_rows(Problem const&);
template Rows<std::uint32_t> make_table_rows(Problem const&);
template Rows<std::uint16_t> make_half_rows(Problem const&, bool);
template Rows<std::uint32_t> make_half_rows(Problem const&, bool);

}  // namespace tailback::kernels::stages
