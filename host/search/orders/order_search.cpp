#include "host/search/orders/order_search.hpp"

#include "host/search/orders/annealing.hpp"
#include "kernels/cpu/threads.hpp"

#include <mutex>

namespace tailback::search {

FoundOrder best_of_searches(
    std::size_t starts, OrderSearchOptions const& options,
    std::function<FoundOrder(std::size_t k, std::uint64_t moves, SearchClock const&)> const& search) {
    std::vector<FoundOrder> found(starts);
    kernels::NextOf next(starts);
    std::mutex telling;
    std::uint64_t done = 0;
    SearchClock const clock{kernels::StopWish::now(),
                            [&](std::uint64_t more) {
                                std::lock_guard const lock(telling);
                                done += more;
                                if (options.progress) options.progress(done);
                            },
                            options.enough};
    kernels::in_threads(std::min<unsigned>(kernels::threads_to_use(options.threads), static_cast<unsigned>(starts)),
                        [&] {
                            for (std::size_t k; next.take(k);)
                                found[k] = search(k, options.moves / starts + (k < options.moves % starts), clock);
                        });
    std::size_t best = 0;
    std::uint64_t moves = 0;
    bool stopped = false;
    for (std::size_t k = 0; k < starts; ++k) {
        moves += found[k].moves;
        stopped = stopped || found[k].stopped;
        if (found[k].cost < found[best].cost) best = k;
    }
    FoundOrder result = std::move(found[best]);
    result.moves = moves;
    result.stopped = stopped;
    return result;
}

}  // namespace tailback::search
