#include "host/search/orders/order_search.hpp"

#include "host/search/orders/annealing.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "version.hpp"

#include <mutex>

namespace tailback::search {

SharedSearch::Identity identity_of(PlaceProblem const& problem, std::span<Order const> starts,
                                   OrderSearchOptions const& options, std::string const& goal) {
    base::Digest flows, network, orders;
    for (PlacedLevel const& level : problem.levels) {
        flows.add(level.times);
        for (PlacedFlow const& flow : level.flows)
            flows.add(std::uint64_t{flow.source} << 32 | flow.destination), flows.add(flow.weight);
    }
    for (std::uint32_t a = 0; a < problem.places(); ++a)
        for (std::uint32_t b = 0; b < problem.places(); ++b) {
            network.add(problem.ways.way(a, b).size());
            for (std::uint32_t const link : problem.ways.way(a, b)) network.add(link);
        }
    for (auto const* const numbers :
         {&problem.cost, &problem.node, &problem.leaf, &problem.rack, &problem.zone, &problem.field})
        for (std::uint32_t const number : *numbers) network.add(number);
    for (std::uint64_t const load : problem.background) network.add(load);
    for (bool const stays : problem.stays) orders.add(stays);
    for (Order const& order : starts)
        for (std::uint32_t const place : order) orders.add(place);
    return {{"version", version},
            {"search", "order of ranks by " + goal},
            {"ranks", std::to_string(problem.ranks)},
            {"places", std::to_string(problem.places())},
            {"kept together", std::to_string(problem.together)},
            {"kept within zones", std::to_string(problem.kept)},
            {"traffic", flows.text()},
            {"routes", network.text()},
            {"orders to begin with", orders.text()},
            {"moves", std::to_string(options.moves)},
            {"restarts", std::to_string(options.restarts)},
            {"seed", std::to_string(options.seed)}};
}

topologies::Draws draws_of(OrderSearchOptions const& options, std::uint32_t k) {
    return {options.seed, topologies::BuildStream::rank_order, k};
}

Order next_order(WordReader& words, PlaceProblem const& problem, Order const& start) {
    Order order = words.next_distinct(problem.ranks, problem.places());
    if (!is_allowed(problem, order, start)) throw UnfitWords("an order in it is none that swaps make");
    return order;
}

FoundOrder best_of_searches(std::size_t starts, OrderSearchOptions const& options, BeginSearch const& begin) {
    std::mutex telling;
    std::uint64_t done = 0;
    SearchClock const clock{kernels::StopWish::now(),
                            [&](std::uint64_t more) {
                                std::lock_guard const lock(telling);
                                done += more;
                                if (options.progress) options.progress(done);
                            },
                            options.enough};
    std::size_t const count = starts * options.restarts;
    std::vector<std::unique_ptr<OrderPart>> searches;
    std::vector<SearchPart*> parts;
    for (std::uint32_t k = 0; k < count; ++k) {
        searches.push_back(begin(k, k % starts, options.moves / count + (k < options.moves % count), clock));
        parts.push_back(searches.back().get());
    }
    PartsReport const report =
        run_parts(parts, options.shared, options.threads, kernels::threads_to_use(options.threads));
    FoundOrder best;
    std::uint64_t moves = 0;
    for (std::size_t k = 0; k < count; ++k) {
        FoundOrder found = searches[k]->take();
        moves += found.moves;
        if (k == 0 || found.cost < best.cost) best = std::move(found);
    }
    best.moves = moves;
    best.stopped = report.stopped;
    return best;
}

}  // namespace tailback::search
