// The CPU executors: OpenMP over mappings, each by one thread, in stages or as the kernel's body has it.
#include "kernels/cpu_stages.hpp"
#include "kernels/cpu_team.hpp"
#include "kernels/cpu_threads.hpp"
#include "kernels/dispatch.hpp"
#include "kernels/evaluate.hpp"
#include "kernels/executor.hpp"
#include "kernels/huge_buffer.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <vector>

namespace tailback {
namespace {

static_assert(Team<CpuTeam>);

/// One thread's share of the totals.
struct Sums {
    explicit Sums(Problem const& p)
        : histogram(p.wants_histogram ? std::size_t(p.max_congestion) + 1 : 0), link_sums(p.wants_link_sums ? p.slots : 0) {}
    TotalsView view() { return {histogram.data(), link_sums.data()}; }
    std::vector<std::uint64_t> histogram, link_sums;
};

template <class Workers>
Totals add_up(Workers const& workers) {
    Totals all;
    for (auto const& w : workers) {
        all.histogram.resize(w->sums.histogram.size());
        all.link_sums.resize(w->sums.link_sums.size());
        for (std::size_t i = 0; i < all.histogram.size(); ++i) all.histogram[i] += w->sums.histogram[i];
        for (std::size_t i = 0; i < all.link_sums.size(); ++i) all.link_sums[i] += w->sums.link_sums[i];
    }
    return all;
}

/// A worker for each thread, made by that thread: so its memory lies near the core that will use it.
template <class Worker, class... Parts>
std::vector<std::unique_ptr<Worker>> make_workers(unsigned threads, Parts const&... parts) {
    std::vector<std::unique_ptr<Worker>> workers(threads);
    std::exception_ptr failed;
#pragma omp parallel num_threads(static_cast<int>(threads))
    {
        try {
            workers[std::size_t(this_thread())] = std::make_unique<Worker>(parts...);
        } catch (...) {
#pragma omp critical
            failed = std::current_exception();
        }
    }
    if (failed) std::rethrow_exception(failed);
    for (auto& worker : workers)  // the system may grant fewer threads
        if (!worker) worker = std::make_unique<Worker>(parts...);
    return workers;
}

/// Calls run(place of the first, part) for parts of `tallies` in parallel.
template <class Run>
void in_chunks(std::span<MappingTally> tallies, unsigned threads, Run&& run) {
    auto const count = static_cast<std::int64_t>(tallies.size());
    std::int64_t const chunk = std::clamp<std::int64_t>(count / (8 * std::int64_t(threads)), 1, 1024);
    std::int64_t const chunks = (count + chunk - 1) / chunk;
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast<int>(threads))
    for (std::int64_t c = 0; c < chunks; ++c) {
        std::int64_t const from = c * chunk, to = std::min(count, from + chunk);
        run(std::uint64_t(from), tallies.subspan(std::size_t(from), std::size_t(to - from)));
    }
}

/// One thread's memory: scratch and its share of the totals.
class Worker {
public:
    Worker(Problem const& p, std::size_t scratch_bytes) : sums(p), memory_(scratch_bytes) { std::memset(memory_.data(), 0, scratch_bytes); }
    std::byte* scratch() { return memory_.data(); }
    Sums sums;

private:
    HugeBuffer memory_;
};

template <class Routes, class Counter>
class CpuExecutor final : public Executor {
public:
    CpuExecutor(Problem const& p, Routes const& routes, unsigned threads) : problem_(p), routes_(routes) {
        Scratch<Counter, typename Routes::Kept> measure;
        std::size_t const bytes = measure.lay_out(problem_, nullptr, true);
        workers_ = make_workers<Worker>(threads, problem_, bytes);
    }

    void evaluate(std::uint64_t first, std::span<MappingTally> tallies) override {
        bool const plain = is_plain(problem_);
        in_chunks(tallies, threads(), [&](std::uint64_t from, std::span<MappingTally> part) {
            if (plain) run<true>(worker(), first + from, part);
            else run<false>(worker(), first + from, part);
        });
    }

    Totals totals() override { return add_up(workers_); }
    std::string device() const override { return "cpu"; }
    unsigned threads() const override { return static_cast<unsigned>(workers_.size()); }
    std::uint64_t good_batch() const override { return 256 * workers_.size(); }

private:
    Worker& worker() { return *workers_[std::size_t(this_thread())]; }

    template <bool plain>
    void run(Worker& w, std::uint64_t first, std::span<MappingTally> tallies) {
        Scratch<Counter, typename Routes::Kept> scratch;
        scratch.lay_out(problem_, w.scratch(), true);
        TotalsView const totals = w.sums.view();
        CpuTeam team;
        for (std::size_t i = 0; i < tallies.size(); ++i)
            tallies[i] = evaluate_mapping<plain>(team, problem_, routes_, first + i, scratch, totals);
    }

    Problem problem_;
    Routes routes_;
    std::vector<std::unique_ptr<Worker>> workers_;
};

/// Problems that is_staged() holds for and whose routes are rows, stage by stage.
template <class Finder, class Seat>
class StagedCpuExecutor final : public Executor {
    struct StagedWorker {
        StagedWorker(Problem const& p, Finder const& finder) : sums(p), mapping(p, finder) {}
        Sums sums;
        stages::Mapping<Finder, Seat> mapping;
    };

public:
    StagedCpuExecutor(Problem const& p, Finder const& finder, unsigned threads) : workers_(make_workers<StagedWorker>(threads, p, finder)) {}

    void evaluate(std::uint64_t first, std::span<MappingTally> tallies) override {
        in_chunks(tallies, unsigned(workers_.size()), [&](std::uint64_t from, std::span<MappingTally> part) {
            StagedWorker& w = *workers_[std::size_t(this_thread())];
            for (MappingTally& tally : part) tally = w.mapping.evaluate(first + from++, w.sums.view());
        });
    }

    Totals totals() override { return add_up(workers_); }
    std::string device() const override { return "cpu"; }
    unsigned threads() const override { return static_cast<unsigned>(workers_.size()); }
    std::uint64_t good_batch() const override { return 256 * workers_.size(); }

private:
    std::vector<std::unique_ptr<StagedWorker>> workers_;
};

}  // namespace

std::unique_ptr<Executor> make_cpu_executor(Problem const& problem, unsigned threads, CpuWay way) {
    threads = threads_to_use(threads);
    std::unique_ptr<Executor> executor;
    bool const staged = way == CpuWay::fastest && stages::with_stages(problem, [&]<class Finder, class Seat>(Finder const& finder) {
        executor = std::make_unique<StagedCpuExecutor<Finder, Seat>>(problem, finder, threads);
    });
    if (staged) return executor;
    with_routes(problem, [&]<class Routes>(Routes const& routes) {
        if (fits_narrow_counters(problem))
            executor = std::make_unique<CpuExecutor<Routes, std::uint16_t>>(problem, routes, threads);
        else
            executor = std::make_unique<CpuExecutor<Routes, std::uint32_t>>(problem, routes, threads);
    });
    return executor;
}

}  // namespace tailback
