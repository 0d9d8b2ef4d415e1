// Routes by arithmetic whose rows are kept for the mapping: computed pair by pair, or, on trees of two or three levels,
// as sums: row (source, destination) = part of the source + part of the destination for every pair whose way leads over
// the top. Two tables of a few bytes a host take the place of the divisions that each pair would cost; pairs below the
// top are computed. What the parts are follows from TreeFormula term by term.
#include "kernels/cpu/fast/rows.hpp"
#include "kernels/cpu/fast/slot_rows.hpp"
#include "kernels/evaluate/regular_routes.hpp"

#include <memory>
#include <vector>

namespace tailback::kernels::stages {
namespace {

template <class Formula, std::uint32_t width>
struct WayView {
    using Row = SlotRow<std::uint32_t, width>;

    Formula way;
    std::uint32_t const* host;  ///< by seat
    std::uint32_t inner;
    Row offsets = Row::offsets(inner);

    Row find(std::uint32_t source, std::uint32_t destination) const {
        Row row;
        find_padded(way, host[source], host[destination], inner, row.slot);
        row.spread(inner, offsets);
        return row;
    }
    Row empty() const { return Row::of(inner); }
};

template <class HostWord, class Formula, std::uint32_t width>
class WayFinder final : public RowFinder<HostWord> {
public:
    explicit WayFinder(Problem const& p) : view_{Formula(p), p.routes.group, p.routes.inner} {}
    void find(LevelSeats<HostWord> const& level, void* rows, OddFlows& odd) const override {
        find_rows<false, false>(view_, level, rows, odd);
    }

private:
    WayView<Formula, width> view_;
};

struct TreeSumView {
    using Row = SlotRow<std::uint32_t, 4>;

    WayView<TreeFormula, 4> below_the_top;
    Row const *source, *destination;  ///< by seat
    std::uint32_t const* top;         ///< by seat: its subtree of the top switches

    Row find(std::uint32_t from, std::uint32_t to) const {
        if (top[from] == top[to]) return below_the_top.find(from, to);
        Row row;
        for (std::uint32_t k = 0; k < 4; ++k) row.slot[k] = source[from].slot[k] + destination[to].slot[k];
        return row;
    }
    Row empty() const { return below_the_top.empty(); }
};

/// Can this problem's rows be had as sums? Either source or destination alone must choose the way up.
bool is_tree_of_sums(Problem const& p) {
    return p.routes.form == RouteForm::tree &&
           (p.routes.formula.tree.height == 2 || p.routes.formula.tree.height == 3) &&
           p.routes.formula.tree.up_by_source + p.routes.formula.tree.up_by_destination == 1;
}

template <class HostWord>
class TreeSumFinder final : public RowFinder<HostWord> {
    using Row = TreeSumView::Row;

public:
    explicit TreeSumFinder(Problem const& p)
        : sources_(p.placement.study_hosts), destinations_(p.placement.study_hosts), top_(p.placement.study_hosts) {
        TreeView const& tree = p.routes.formula.tree;
        for (std::uint32_t host_index = 0; host_index < p.placement.study_hosts; ++host_index) {
            std::uint32_t const host = p.routes.group[host_index];
            Row &from = sources_[host_index], &to = destinations_[host_index];
            from = to = Row::of(0);
            if (tree.height == 2) to.slot[2] = to.slot[3] = p.routes.inner;
            std::uint32_t subtree = host;
            for (std::uint32_t level = 1; level < tree.height; ++level) {
                subtree = tree.children[level - 1].quotient(subtree);
                Divisor const twins = tree.twins[level], parents = tree.parents[level];
                std::uint32_t const round = twins.quotient(host), u = twins.remainder(host, round);
                std::uint32_t const chosen = u * parents.by + parents.remainder(round, parents.quotient(round));
                std::uint32_t const up = 2 * (level - 1), down = up + 1, base = subtree * twins.by * parents.by;
                from.slot[up] = tree.first_up[level] + base + tree.up_by_source * chosen;
                from.slot[down] = tree.up_by_source * chosen;
                to.slot[up] = tree.up_by_destination * chosen;
                to.slot[down] = tree.first_down[level] + base + tree.up_by_destination * chosen;
            }
            top_[host_index] = subtree;
        }
        view_ = std::make_unique<TreeSumView>(TreeSumView{
            {TreeFormula(p), p.routes.group, p.routes.inner}, sources_.data(), destinations_.data(), top_.data()});
    }
    void find(LevelSeats<HostWord> const& level, void* rows, OddFlows& odd) const override {
        find_rows<false, false>(*view_, level, rows, odd);
    }

private:
    std::vector<Row> sources_, destinations_;
    std::vector<std::uint32_t> top_;
    std::unique_ptr<TreeSumView const> view_;
};

}  // namespace

template <class HostWord>
Rows<HostWord> make_computed_rows(Problem const& p) {
    Rows<HostWord> made;
    auto const by = [&]<class Finder>(std::uint32_t width) {
        made.finder = std::make_shared<Finder>(p);
        made.links = make_slot_links({32, width}, p.routes.inner);
    };
    if (is_tree_of_sums(p)) by.template operator()<TreeSumFinder<HostWord>>(4);
    else if (p.routes.form == RouteForm::tree && p.routes.formula.tree.height <= 5)  // up to 2 (height - 1) links
        by.template operator()<WayFinder<HostWord, TreeFormula, 8>>(8);
    else if (p.routes.form == RouteForm::dragonfly) by.template operator()<WayFinder<HostWord, DragonflyFormula, 4>>(4);
    else if (p.routes.form == RouteForm::dragonfly_by_middle)
        by.template operator()<WayFinder<HostWord, DragonflyByMiddle, 8>>(8);
    else if (p.routes.form == RouteForm::hyperx && p.routes.formula.hyperx.dimensions <= 4)
        by.template operator()<WayFinder<HostWord, HyperxFormula, 4>>(4);
    else if (p.routes.form == RouteForm::hyperx && p.routes.formula.hyperx.dimensions <= 8)
        by.template operator()<WayFinder<HostWord, HyperxFormula, 8>>(8);
    return made;
}

template Rows<std::uint16_t> make_computed_rows(Problem const&);
template Rows<std::uint32_t> make_computed_rows(Problem const&);

}  // namespace tailback::kernels::stages
