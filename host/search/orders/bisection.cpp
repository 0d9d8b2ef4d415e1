#include "host/search/orders/bisection.hpp"

#include <algorithm>
#include <numeric>

namespace tailback::search {
namespace {

class Bisection {
public:
    explicit Bisection(PlaceProblem const& problem) : together_(problem.together) {
        units_ = problem.ranks / together_;
        std::vector<PlacedFlow> flows = all_in_one(problem.levels).flows;
        for (PlacedFlow& flow : flows) flow.source /= together_, flow.destination /= together_;
        PlacedLevel level{std::move(flows), 1};
        first_.assign(units_ + 1, 0);
        std::vector<PlacedFlow> const merged = all_in_one({&level, 1}).flows;
        for (PlacedFlow const& flow : merged) ++first_[flow.source + 1], ++first_[flow.destination + 1];
        for (std::uint32_t u = 0; u < units_; ++u) first_[u + 1] += first_[u];
        other_.resize(first_.back());
        weight_.resize(first_.back());
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (PlacedFlow const& flow : merged)
            for (auto const& [from, to] : {std::pair(flow.source, flow.destination), {flow.destination, flow.source}}) {
                other_[next[from]] = to;
                weight_[next[from]++] = double(flow.weight);
            }
        side_.assign(units_, nowhere);
        gain_.assign(units_, 0);
        unit_.resize(units_);
        std::iota(unit_.begin(), unit_.end(), 0u);
    }
    std::vector<std::uint32_t> const& units_in_order() {
        divide(0, units_);
        return unit_;
    }

private:
    static constexpr std::uint8_t nowhere = 2;

    template <class Visit>
    void each_partner(std::uint32_t u, Visit const& visit) const {
        for (std::uint32_t i = first_[u]; i < first_[u + 1]; ++i)
            if (side_[other_[i]] != nowhere) visit(other_[i], weight_[i]);
    }
    /// unit_[begin .. end): the first half gets those that belong together.
    void divide(std::uint32_t begin, std::uint32_t end) {
        if (end - begin < 2) return;
        std::uint32_t const middle = begin + (end - begin + 1) / 2;
        for (std::uint32_t i = begin; i < end; ++i) side_[unit_[i]] = 1, gain_[unit_[i]] = 0;
        grow(begin, end, middle - begin);
        for (int pass = 0; pass < 8 && improve(begin, end); ++pass) {
        }
        std::stable_partition(unit_.begin() + begin, unit_.begin() + end,
                              [&](std::uint32_t u) { return side_[u] == 0; });
        for (std::uint32_t i = begin; i < end; ++i) side_[unit_[i]] = nowhere;
        divide(begin, middle);
        divide(middle, end);
    }
    /// The first unit, then always the one that has most to do with those that are there.
    void grow(std::uint32_t begin, std::uint32_t end, std::uint32_t count) {
        std::uint32_t next = unit_[begin];
        for (std::uint32_t taken = 0; taken < count; ++taken) {
            side_[next] = 0;
            each_partner(next, [&](std::uint32_t other, double weight) { gain_[other] += weight; });
            double most = -1;
            for (std::uint32_t i = begin; i < end; ++i)
                if (side_[unit_[i]] == 1 && gain_[unit_[i]] > most) most = gain_[unit_[i]], next = unit_[i];
        }
    }
    /// One pass: pairs are swapped, the best first, each unit once; what is worse at the end is taken back.
    bool improve(std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) {
            std::uint32_t const u = unit_[i];
            gain_[u] = 0;
            each_partner(u, [&](std::uint32_t other, double weight) {
                gain_[u] += side_[other] != side_[u] ? weight : -weight;
            });
        }
        std::vector<std::uint8_t> done(units_);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> swapped;
        double sum = 0, best = 0;
        std::size_t kept = 0;
        std::size_t const most_swaps = std::min<std::size_t>(64, (end - begin) / 2);
        while (swapped.size() < most_swaps) {
            std::uint32_t a = units_, b = units_;
            for (std::uint32_t i = begin; i < end; ++i) {
                std::uint32_t const u = unit_[i];
                if (done[u]) continue;
                std::uint32_t& mine = side_[u] == 0 ? a : b;
                if (mine == units_ || gain_[u] > gain_[mine]) mine = u;
            }
            if (a == units_ || b == units_) break;
            double between = 0;
            each_partner(a, [&](std::uint32_t other, double weight) { between += other == b ? weight : 0; });
            sum += gain_[a] + gain_[b] - 2 * between;
            done[a] = done[b] = 1;
            swap(a, b);
            swapped.emplace_back(a, b);
            if (sum > best * (1 + 1e-12)) best = sum, kept = swapped.size();
        }
        for (std::size_t i = swapped.size(); i-- > kept;) swap(swapped[i].first, swapped[i].second);
        return kept > 0;
    }
    void swap(std::uint32_t a, std::uint32_t b) {
        for (std::uint32_t const u : {a, b}) {
            std::uint8_t const was = side_[u];
            each_partner(u, [&](std::uint32_t other, double weight) {
                gain_[other] += side_[other] == was ? 2 * weight : -2 * weight;
            });
            side_[u] = 1 - was;
            gain_[u] = -gain_[u];
        }
    }

    std::uint32_t together_, units_;
    std::vector<std::uint32_t> first_, other_;
    std::vector<double> weight_, gain_;
    std::vector<std::uint8_t> side_;
    std::vector<std::uint32_t> unit_;
};

}  // namespace

Order bisected(PlaceProblem const& problem) {
    Bisection bisection(problem);
    Order order(problem.ranks);
    std::uint32_t place = 0;
    for (std::uint32_t const unit : bisection.units_in_order())
        for (std::uint32_t k = 0; k < problem.together; ++k) order[unit * problem.together + k] = place++;
    return order;
}

}  // namespace tailback::search
