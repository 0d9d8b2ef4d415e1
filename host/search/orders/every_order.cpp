#include "host/search/orders/every_order.hpp"

#include "host/search/places/zones.hpp"

#include <algorithm>
#include <map>

namespace tailback::search {
namespace {

/// Does every unit send every other the same, and itself what all send themselves?
bool units_are_alike(PlaceProblem const& problem) {
    std::uint32_t const together = problem.together, units = problem.ranks / together;
    if (!problem.zone.empty() || std::ranges::count(problem.stays, true) > 0) return false;
    for (PlacedLevel const& level : problem.levels) {
        std::map<std::tuple<bool, std::uint32_t, std::uint32_t, std::uint64_t>, std::uint64_t> of_kind;
        for (auto const& [source, destination, weight] : level.flows)
            ++of_kind[{source / together == destination / together, source % together, destination % together, weight}];
        for (auto const& [kind, flows] : of_kind)
            if (flows != (std::get<0>(kind) ? units : std::uint64_t{units} * (units - 1))) return false;
    }
    return true;
}

class Enumeration {
public:
    Enumeration(PlaceProblem const& problem, Order const& start, std::uint64_t most,
                std::function<bool(Order const&)> const& visit)
        : problem_(problem),
          start_(start),
          most_(most),
          visit_(visit),
          alike_(units_are_alike(problem)),
          taken_(problem.places() / problem.together) {}
    std::uint64_t run() {
        place(0);
        return is_over_ ? 0 : found_;
    }

private:
    /// Of the units from this rank on.
    void place(std::uint32_t rank) {
        constexpr std::uint64_t ends_that_are_dead = 50;  // of one order, at most
        if (rank == problem_.ranks) {
            is_over_ = ++found_ > most_ || (visit_ && !visit_(order_));
            return;
        }
        std::uint32_t const together = problem_.together;
        std::uint32_t const first = alike_ && rank > 0 ? order_.back() / together + 1 : 0;
        for (std::uint32_t unit = first; unit < taken_.size() && !is_over_; ++unit) {
            if (taken_[unit]) continue;
            is_over_ = ++tried_ > (most_ + 1) * ends_that_are_dead * problem_.places();
            for (std::uint32_t k = 0; k < together; ++k) order_.push_back(unit * together + k);
            taken_[unit] = true;
            if (is_allowed(problem_, order_, start_, rank)) place(rank + together);
            taken_[unit] = false;
            order_.resize(rank);
        }
    }

    PlaceProblem const& problem_;
    Order const& start_;
    std::uint64_t most_, found_ = 0, tried_ = 0;
    std::function<bool(Order const&)> const& visit_;
    bool alike_, is_over_ = false;
    std::vector<bool> taken_;  ///< by unit of places
    Order order_;
};

}  // namespace

std::uint64_t each_order(PlaceProblem const& problem, Order const& start, std::uint64_t most,
                         std::function<bool(Order const&)> const& visit) {
    std::uint64_t const count = Enumeration(problem, start, most, nullptr).run();
    if (count > 0) Enumeration(problem, start, most, visit).run();
    return count;
}

}  // namespace tailback::search
