// Mappings shared between threads: what the CPU's executors have in common.
#pragma once

#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/executor.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace tailback::kernels {

/// A worker for each thread, made by that thread: so its memory lies near the core that will use it.
template <class Worker, class... Parts>
std::vector<std::unique_ptr<Worker>> make_workers(unsigned threads, Parts const&... parts) {
    std::vector<std::unique_ptr<Worker>> workers(threads);
    FirstFailure failed;
#pragma omp parallel num_threads(static_cast <int>(threads))
    failed.hold([&] { workers[std::size_t(this_thread())] = std::make_unique<Worker>(parts...); });
    failed.rethrow();
    for (auto& worker : workers)  // the system may grant fewer threads
        if (!worker) worker = std::make_unique<Worker>(parts...);
    return workers;
}

/// Mappings shared between threads, each evaluated whole by one: a Worker, with `MappingTally evaluate(m)` and `sums`.
template <class Worker>
class CpuExecutor final : public Executor {
public:
    template <class... Parts>
    explicit CpuExecutor(unsigned threads, Parts const&... parts)
        : workers_(make_workers<PaddedWorker>(threads, parts...)) {}

    void evaluate(std::uint64_t first, std::span<MappingTally> tallies) override {
        in_chunks(tallies.size(), [&](PaddedWorker& place, std::uint64_t from, std::uint64_t to) {
            for (std::uint64_t i = from; i < to; ++i) tallies[std::size_t(i)] = place.worker.evaluate(first + i);
        });
    }
    void evaluate_and_reduce(std::uint64_t first, std::uint64_t count, WantedNumbers const& wanted) override {
        in_chunks(count, [&](PaddedWorker& place, std::uint64_t from, std::uint64_t to) {
            for (std::uint64_t i = from; i < to; ++i)
                place.reduction.add(wanted, first + i, place.worker.evaluate(first + i));  // the end may be 2^64
        });
    }
    Reduction take_reduction() override {
        // Neighbours first, so that many threads' parts are merged by many threads.
        auto const count = static_cast<std::int64_t>(workers_.size());
        FirstFailure failed;
        for (std::int64_t step = 1; step < count; step *= 2) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast <int>(threads()))
            for (std::int64_t i = 0; i < count - step; i += 2 * step)
                failed.hold([&] {
                    workers_[std::size_t(i)]->reduction.merge(
                        std::exchange(workers_[std::size_t(i + step)]->reduction, {}));
                });
        }
        failed.rethrow();
        return std::exchange(workers_[0]->reduction, {});
    }
    Totals totals() override {
        Totals all = workers_[0]->worker.sums;
        for (std::size_t i = 1; i < workers_.size(); ++i) all.add(workers_[i]->worker.sums);
        return all;
    }
    std::string device() const override { return "cpu"; }
    unsigned threads() const override { return static_cast<unsigned>(workers_.size()); }
    std::uint64_t good_batch() const override { return 256 * workers_.size(); }

private:
    /// One thread's memory, on lines of its own.
    struct alignas(128) PaddedWorker {
        template <class... Parts>
        explicit PaddedWorker(Parts const&... parts) : worker(parts...) {}
        Worker worker;
        Reduction reduction;
    };

    /// Calls run(place, from, to) for parts of 0 .. count in parallel.
    template <class Run>
    void in_chunks(std::uint64_t count, Run&& run) {
        std::uint64_t const chunk = std::clamp<std::uint64_t>(count / (8 * workers_.size()), 1, 1024);
        auto const chunks = static_cast<std::int64_t>((count + chunk - 1) / chunk);
        FirstFailure failed;
        StopWish const stop = StopWish::now();
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast <int>(threads()))
        for (std::int64_t c = 0; c < chunks; ++c) {
            std::uint64_t const from = std::uint64_t(c) * chunk;
            failed.hold([&] {
                StopWish::Scope const shared(stop);
                run(*workers_[std::size_t(this_thread())], from, std::min(count, from + chunk));
            });
        }
        failed.rethrow();
    }

    std::vector<std::unique_ptr<PaddedWorker>> workers_;
};

}  // namespace tailback::kernels
