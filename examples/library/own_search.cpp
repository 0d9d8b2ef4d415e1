// Orders of ranks that a program of its own makes, scored by the routes of a fabric, with Tailback as a library: here
// every two ranks are swapped once, and what is better is kept.
//   own_search ibnetdiscover.out opensm-lfts.dump PATTERN RANKS
#include "host/api/ranks/study_places.hpp"
#include "host/base/error.hpp"
#include "host/search/orders/find_order.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

using namespace tailback;

int main(int argc, char** argv) {
    if (argc != 5) return std::puts("usage: own_search NETWORK TABLES PATTERN RANKS"), 2;
    try {
        api::StudyRequest request;
        request.network = api::NetworkChoice(argv[1]);
        request.network.tables = argv[2];
        request.study.traffic.pattern = argv[3];
        request.study.placement.ranks = static_cast<std::uint32_t>(std::strtoul(argv[4], nullptr, 10));
        request.study.measures.metrics = {study::Metric::sum_max_cong};
        request.placement.order = study::read_rank_order("block");

        api::Listener const listener;
        auto const fabric = api::obtain_shared(api::fabric_request(request, listener.note), listener);
        api::StudyPlaces const places = api::find_places(request, {}, fabric, 0, listener);
        study::StudyPlan const& plan = *places.start;
        search::OrderJudge const judge(places.problem, search::OrderGoal::time);
        double const unit = plan.congestion_unit() / double(plan.denominator);

        search::Order order = places.order;  // by rank: its place
        std::uint64_t const first = judge(order);
        std::uint64_t least = first;
        for (std::size_t a = 0; a < order.size(); ++a)
            for (std::size_t b = a + 1; b < order.size(); ++b) {
                std::swap(order[a], order[b]);
                if (std::uint64_t const value = judge(order); value < least) least = value;
                else std::swap(order[a], order[b]);
            }
        std::printf("block %.6f, found %.6f, bound %.6f\n", double(first) * unit, double(least) * unit,
                    double(judge.bound()) * unit);
    } catch (base::InputError const& error) {
        return std::fprintf(stderr, "own_search: %s\n", error.what()), 2;
    }
}
