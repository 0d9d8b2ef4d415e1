// The routes of a mapping's flows as lists of links, whatever form the problem's routes have: for evaluations that look
// at every link so often that finding routes is little beside it, and that are compiled once in place of once a form.
#pragma once

#include "kernels/cpu/fast/team.hpp"
#include "kernels/cpu/local_bottlenecks.hpp"
#include "kernels/evaluate/evaluate.hpp"
#include "kernels/executor.hpp"
#include "kernels/found_routes.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tailback::kernels {

/// Of a mapping whose ranks have their hosts: what flows and their ends are read from.
struct PlacedFlows {
    struct Counters {
        using Load = std::uint32_t;
    };
    std::uint32_t const* host_index_of_rank;
    std::uint32_t const* drawn[2];  ///< the pattern's random permutations

    template <class Scratch>
    explicit PlacedFlows(Scratch const& s) : host_index_of_rank(s.host_index_of_rank), drawn{s.drawn[0], s.drawn[1]} {}
    std::uint32_t const* permutation(std::uint32_t k) const { return drawn[k]; }
};

class FlowRouteFinder {
public:
    virtual ~FlowRouteFinder() = default;
    /// The routes of these levels of mapping m. They stay as they are until the next call.
    virtual RoutesOfFlows find(std::uint64_t m, PlacedFlows const& placed, std::span<LevelView const> levels) = 0;
    /// Whether flows of levels that are alike may have other routes in each.
    virtual bool goes_by_level() const { return false; }
    /// Gives LocalBottlenecks the flows of a level of the mapping that have a route, without keeping these.
    /// @param with_host_links their links are those of their hosts, too
    /// @return how many flows there are by fate, each of weight 1; nothing where this finder has to `find` first.
    ///         @throws Stopped
    virtual std::optional<MappingTally> list(std::uint64_t m, PlacedFlows const&, LevelView const&,
                                             bool with_host_links, LocalBottlenecks&) {
        static_cast<void>(m), static_cast<void>(with_host_links);
        return std::nullopt;
    }
};

/// The routes of flows, as a finder lists them.
class RouteLists {
public:
    /// Forgets those before. @param first LevelView::routes_before of the first of the levels
    void begin(std::span<LevelView const> levels) {
        first_ = levels.front().routes_before;
        if (words_.empty()) words_.resize(1024);
        words_[0] = 0;  // the route without links
        used_ = 1;
        first_word_.assign(std::size_t(levels.back().routes_before - first_ + levels.back().routes_to_keep), 0);
    }
    /// The route of a flow: add(slot) follows for each of its links, then `end_route`.
    void begin_route() { add(0), begun_ = used_; }
    void add(std::uint32_t slot) {
        if (used_ == words_.size()) words_.resize(2 * used_);
        words_[used_++] = slot;
    }
    /// @param place LevelView::routes_before + the flow's number @param fate 0, or 1..3 where there is no route
    void end_route(std::uint64_t place, std::uint64_t fate = 0) {
        words_[begun_ - 1] = static_cast<std::uint32_t>(used_ - begun_);
        first_word_[std::size_t(place - first_)] = fate == 0 ? begun_ - 1 : last_code + fate;
    }
    /// Of flows that none was begun for: without links.
    RoutesOfFlows routes() {
        of_flow_.resize(first_word_.size());
        for (std::size_t f = 0; f < of_flow_.size(); ++f)
            of_flow_[f] = first_word_[f] <= last_code ? words_.data() + first_word_[f]
                                                      : FoundRoutes::failed(first_word_[f] - last_code);
        return {of_flow_.data(), first_};
    }

private:
    /// Above it: fates 1..3.
    static constexpr std::uint64_t last_code = ~std::uint64_t{0} - 3;
    std::uint64_t first_ = 0;
    std::size_t begun_ = 0, used_ = 0;
    std::vector<std::uint32_t> words_;
    std::vector<std::uint64_t> first_word_;  ///< by flow: of its length; 0 for those without a link
    std::vector<std::uint32_t const*> of_flow_;
};

/// By the problem's routes. The problem must outlive the finders.
MakeFinder flow_route_finder(Problem const& problem);
/// Routes that somebody else finds before.
MakeFinder flow_route_finder(FoundRoutes const& routes);

}  // namespace tailback::kernels
