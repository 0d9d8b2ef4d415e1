#include "kernels/cpu/level_rows.hpp"

#include "kernels/common/huge_buffer.hpp"
#include "kernels/cpu/fast/rows.hpp"
#include "kernels/cpu/fast/stages.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace tailback::kernels::stages {
namespace {

/// Rows of slots: the choice of make_rows, but for blocks.
template <class HostWord>
Rows<HostWord> make_slot_rows(Problem const& p) {
    Rows<HostWord> made;
    if (p.routes.exceed_cache) made = make_sum_rows<HostWord>(p);
    if (!made.finder) made = make_half_rows<HostWord>(p);
    if (!made.finder) made = make_table_rows<HostWord>(p);
    if (!made.finder) made = make_computed_rows<HostWord>(p);
    return made;
}

RowKind kind_of_rows(Problem const& p, RowLinks const& links) {
    std::uint32_t const bits = p.routes.form == RouteForm::rows16 ? 16 : 32;
    return {bits, static_cast<std::uint32_t>(8 * links.row_bytes() / bits)};
}

template <class HostWord>
class LevelRowsBy final : public LevelRows {
public:
    LevelRowsBy(Problem const& p, Rows<HostWord> const& rows, RowKind kind)
        : p_(p),
          finder_(rows.finder),
          row_bytes_(rows.links->row_bytes()),
          memory_(most_flows() * row_bytes_ * (splits() ? 4 : 1)),
          places_(most_flows()),
          split_(splits() ? most_flows() : 0) {
        links_ = rows.links, kind_ = kind, rows_ = memory_.data();
        if (splits()) long_rows_ = memory_.data() + 2 * most_flows() * row_bytes_;
    }
    MappingTally find(std::uint64_t mapping, std::uint32_t const* host_index, std::uint32_t const* const (&drawn)[2],
                      LevelView const& level) override {
        take_words(mapping, host_index, drawn);
        OddFlows odd{{places_.data()}, {split_.data()}};
        finder_->find({mapping,
                       p_.traffic.flows + level.first_flow,
                       &level,
                       host_index_.data(),
                       {drawn_[0].data(), drawn_[1].data()},
                       false},
                      memory_.data(), odd);
        flows_ = level.routes_to_keep, long_ones_ = odd.split.count;
        empty_ = odd.absent.count + long_ones_;
        if (long_ones_ > 0) take_long_rows();
        MappingTally fates{};
        fates.local = odd.absent.by_fate[0], fates.unreachable = odd.absent.by_fate[1];
        fates.loop = odd.absent.by_fate[2], fates.misdelivered = odd.absent.by_fate[3];
        fates.delivered = flows_ - odd.absent.count;
        return fates;
    }

private:
    std::size_t most_flows() const { return std::min(p_.traffic.max_kept, 0xFFFFu) + 8; }
    bool splits() const { return finder_->splits(); }
    /// Both rows of each go where those of long routes are, and an empty one stands in place of the first.
    void take_long_rows() {
        auto const row = [&](std::uint32_t place) { return memory_.data() + place * row_bytes_; };
        for (std::uint32_t i = 0; i < long_ones_; ++i) {
            std::byte* const both = row(static_cast<std::uint32_t>(2 * most_flows()) + 2 * i);
            std::memcpy(both, row(split_[i]), row_bytes_);
            std::memcpy(both + row_bytes_, row(flows_ + i), row_bytes_);
            with_row_kind([&]<class LinkWord, std::uint32_t width>() {
                auto const empty = SlotRow<LinkWord, width>::of(p_.routes.inner);
                std::memcpy(row(split_[i]), &empty, row_bytes_);
            });
        }
    }
    /// Once a mapping.
    void take_words(std::uint64_t mapping, std::uint32_t const* host_index, std::uint32_t const* const (&drawn)[2]) {
        if (std::exchange(of_mapping_, mapping) == mapping) return;
        auto const take = [](std::uint32_t const* from, std::uint32_t count, std::vector<HostWord>& to) {
            to.resize(count);
            for (std::uint32_t i = 0; i < count; ++i) to[i] = static_cast<HostWord>(from[i]);
        };
        take(host_index, p_.placement.ranks, host_index_);
        for (std::uint32_t k = 0; k < 2; ++k) take(drawn[k], p_.traffic.drawn_ranks[k], drawn_[k]);
    }

    Problem const& p_;
    std::shared_ptr<RowFinder<HostWord> const> finder_;
    std::size_t row_bytes_;
    HugeBuffer memory_;
    std::vector<std::uint32_t> places_, split_;  ///< of absent flows, and of long routes
    std::optional<std::uint64_t> of_mapping_;
    std::vector<HostWord> host_index_, drawn_[2];
};

template <class HostWord>
MakeLevelRows maker_by(Problem const& p) {
    Rows<HostWord> const rows = make_slot_rows<HostWord>(p);
    if (!rows.finder) return [] { return nullptr; };
    RowKind const kind = kind_of_rows(p, *rows.links);
    if (kind.width > LevelRows::most_slots) return [] { return nullptr; };
    return [&p, rows, kind] { return std::make_unique<LevelRowsBy<HostWord>>(p, rows, kind); };
}

}  // namespace

MakeLevelRows level_rows_maker(Problem const& problem) {
    SharingView const& sharing = problem.measures.sharing;
    if (!sharing.wanted || sharing.capacity != nullptr || problem.placement.nodes.node != nullptr)
        return [] { return nullptr; };
    return host_indices_are_wide(problem) ? maker_by<std::uint32_t>(problem) : maker_by<std::uint16_t>(problem);
}

}  // namespace tailback::kernels::stages
