// Rows of tables, and sums that stand for them.
#include "kernels/cpu/fast/prefetch.hpp"
#include "kernels/cpu/fast/rows.hpp"
#include "kernels/cpu/fast/slot_rows.hpp"

#include <type_traits>
#include <vector>

namespace tailback::stages {
namespace {

template <class Slot, std::uint32_t width>
struct TableView {
    using Row = SlotRow<Slot, width>;

    Row const* rows;
    std::uint32_t const* first_row;  ///< by seat; of a table, which has fewer than 2^32 rows
    std::uint32_t inner;
    Row offsets = Row::offsets(inner);

    Row const& place(std::uint32_t source, std::uint32_t destination) const {
        return rows[std::size_t{first_row[source]} + destination];
    }
    Row find(std::uint32_t source, std::uint32_t destination) const {
        Row row = place(source, destination);
        if constexpr (width > 2) row.spread(inner, offsets);
        return row;
    }
    void ask(std::uint32_t source, std::uint32_t destination) const {
        prefetch_to_second_cache(&place(source, destination));
    }
    std::uint32_t fate(Row const& row) const { return row.slot[0] > inner ? row.slot[0] - inner : 0; }
    Row empty() const { return Row::of(inner); }
};

template <class Seat, class Slot, std::uint32_t width>
class TableFinder final : public RowFinder<Seat> {
    using Row = SlotRow<Slot, width>;

public:
    explicit TableFinder(Problem const& p)
        : rows_(static_cast<Row const*>(p.rows)), inner_(p.inner), far_(p.far_routes), fails_(!p.all_delivered) {
        for (std::uint32_t seat = 0; seat < p.seats; ++seat) first_row_.push_back(p.group[seat] * p.seats);
    }
    void find(LevelSeats<Seat> const& level, void* rows, AbsentFlows& absent) const override {
        TableView<Slot, width> const view{rows_, first_row_.data(), inner_};
        if (fails_) find_rows<true, true>(view, level, rows, absent);
        else if (far_) find_rows<true, false>(view, level, rows, absent);
        else find_rows<false, false>(view, level, rows, absent);
    }

private:
    Row const* rows_;
    std::uint32_t inner_;
    bool far_, fails_;
    std::vector<std::uint32_t> first_row_;
};

/// All that a seat needs of a sum on one line. The parts are added word by word.
template <class Slot, std::uint32_t width>
struct SumView {
    using Row = SlotRow<Slot, width>;
    using Word = std::conditional_t<sizeof(Row) == 4, std::uint32_t, std::uint64_t>;
    static constexpr std::uint32_t words = sizeof(Row) / sizeof(Word);
    struct Part {
        Word word[words];
        std::uint32_t block, group;
    };

    Row const* rows;
    Part const *sources, *destinations;  ///< by seat
    std::uint32_t seats, inner;

    /// Without a branch: whether a pair is inside a block cannot be predicted.
    Row find(std::uint32_t source, std::uint32_t destination) const {
        Part const &from = sources[source], &to = destinations[destination];
        bool const inside = from.block == to.block;
        void const* const base =
            inside ? static_cast<void const*>(rows + (std::size_t{from.group} * seats + destination)) : to.word;
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

template <class Seat, class Slot, std::uint32_t width>
class SumFinder final : public RowFinder<Seat> {
    using View = SumView<Slot, width>;
    using Part = typename View::Part;

public:
    explicit SumFinder(Problem const& p) {
        SumsView const& sums = p.sums;
        auto const part = [](std::uint64_t const* words, std::uint32_t block, std::uint32_t group) {
            Part made{{}, block, group};
            for (std::uint32_t w = 0; w < View::words; ++w) made.word[w] = static_cast<typename View::Word>(words[w]);
            return made;
        };
        for (std::uint32_t seat = 0; seat < p.seats; ++seat) {
            std::uint32_t const group = p.group[seat];
            sources_.push_back(part(sums.source + std::size_t{group} * View::words, sums.block_of_group[group], group));
            destinations_.push_back(
                part(sums.destination + std::size_t{seat} * View::words, sums.block_of_seat[seat], group));
        }
        view_ = {static_cast<typename View::Row const*>(p.rows), sources_.data(), destinations_.data(), p.seats,
                 p.inner};
    }
    void find(LevelSeats<Seat> const& level, void* rows, AbsentFlows& absent) const override {
        find_rows<false, false>(view_, level, rows, absent);
    }

private:
    std::vector<Part> sources_, destinations_;
    View view_;
};

bool is_table(Problem const& p) { return p.form == RouteForm::rows16 || p.form == RouteForm::rows32; }

RowKind kind_of(Problem const& p) { return {p.form == RouteForm::rows16 ? 16u : 32u, p.row_width}; }

}  // namespace

template <class Seat>
Rows<Seat> make_table_rows(Problem const& p) {
    Rows<Seat> made;
    if (!is_table(p)) return made;
    made.links = make_slot_links(kind_of(p), p.inner);
    made.finder = with_kind(kind_of(p), [&]<class Slot, std::uint32_t width>() -> std::shared_ptr<RowFinder<Seat>> {
        return std::make_shared<TableFinder<Seat, Slot, width>>(p);
    });
    return made;
}

template <>
Rows<std::uint16_t> make_sum_rows(Problem const& p) {
    Rows<std::uint16_t> made;
    if (!is_table(p) || p.sums.source == nullptr || !p.all_delivered) return made;
    made.links = make_slot_links(kind_of(p), p.inner);
    made.finder =
        with_kind(kind_of(p), [&]<class Slot, std::uint32_t width>() -> std::shared_ptr<RowFinder<std::uint16_t>> {
            return std::make_shared<SumFinder<std::uint16_t, Slot, width>>(p);
        });
    return made;
}
template <>
Rows<std::uint32_t> make_sum_rows(Problem const&) {
    return {};
}

template Rows<std::uint16_t> make_table_rows(Problem const&);
template Rows<std::uint32_t> make_table_rows(Problem const&);

}  // namespace tailback::stages
