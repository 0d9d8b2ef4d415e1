// The CPU executor: OpenMP over mappings, one team of one thread for each.
#include "kernels/cpu_team.hpp"
#include "kernels/cpu_threads.hpp"
#include "kernels/dispatch.hpp"
#include "kernels/evaluate.hpp"
#include "kernels/executor.hpp"
#include "kernels/huge_buffer.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace tailback {
namespace {

static_assert(Team<CpuTeam>);

/// One thread's memory: scratch and its share of the totals.
class Worker {
public:
    Worker(Problem const& p, std::size_t scratch_bytes)
        : histogram(p.wants_histogram ? std::size_t(p.max_congestion) + 1 : 0), link_sums(p.wants_link_sums ? p.slots : 0),
          memory_(scratch_bytes) {
        std::memset(memory_.data(), 0, scratch_bytes);
    }
    std::byte* scratch() { return memory_.data(); }

    std::vector<std::uint64_t> histogram, link_sums;

private:
    HugeBuffer memory_;
};

template <class Routes, class Counter>
class CpuExecutor final : public Executor {
public:
    CpuExecutor(Problem const& p, Routes const& routes, unsigned threads) : problem_(p), routes_(routes) {
        Scratch<Counter, typename Routes::Kept> measure;
        std::size_t const bytes = measure.lay_out(problem_, nullptr, true);
        for (unsigned t = 0; t < threads; ++t) workers_.push_back(std::make_unique<Worker>(problem_, bytes));
    }

    void evaluate(std::uint64_t first, std::span<MappingTally> tallies) override {
        auto const count = static_cast<std::int64_t>(tallies.size());
        std::int64_t const chunk = std::clamp<std::int64_t>(count / (8 * std::int64_t(workers_.size())), 1, 1024);
        std::int64_t const chunks = (count + chunk - 1) / chunk;
        int const threads = static_cast<int>(workers_.size());
        bool const plain = is_plain(problem_);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (std::int64_t c = 0; c < chunks; ++c) {
            std::int64_t const from = c * chunk, to = std::min(count, from + chunk);
            auto const part = tallies.subspan(std::size_t(from), std::size_t(to - from));
            if (plain) run<true>(worker(), first + std::uint64_t(from), part);
            else run<false>(worker(), first + std::uint64_t(from), part);
        }
    }

    Totals totals() override {
        Totals sums;
        for (auto const& w : workers_) {
            sums.histogram.resize(w->histogram.size());
            sums.link_sums.resize(w->link_sums.size());
            for (std::size_t i = 0; i < w->histogram.size(); ++i) sums.histogram[i] += w->histogram[i];
            for (std::size_t i = 0; i < w->link_sums.size(); ++i) sums.link_sums[i] += w->link_sums[i];
        }
        return sums;
    }
    std::string device() const override { return "cpu"; }
    unsigned threads() const override { return static_cast<unsigned>(workers_.size()); }
    std::uint64_t good_batch() const override { return 256 * workers_.size(); }

private:
    Worker& worker() { return *workers_[std::size_t(this_thread())]; }

    template <bool plain>
    void run(Worker& w, std::uint64_t first, std::span<MappingTally> tallies) {
        Scratch<Counter, typename Routes::Kept> scratch;
        scratch.lay_out(problem_, w.scratch(), true);
        TotalsView const totals{w.histogram.data(), w.link_sums.data()};
        CpuTeam team;
        for (std::size_t i = 0; i < tallies.size(); ++i)
            tallies[i] = evaluate_mapping<plain>(team, problem_, routes_, first + i, scratch, totals);
    }

    Problem problem_;
    Routes routes_;
    std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace

std::unique_ptr<Executor> make_cpu_executor(Problem const& problem, unsigned threads) {
    threads = threads_to_use(threads);
    std::unique_ptr<Executor> executor;
    with_routes(problem, [&]<class Routes>(Routes const& routes) {
        if (fits_narrow_counters(problem))
            executor = std::make_unique<CpuExecutor<Routes, std::uint16_t>>(problem, routes, threads);
        else
            executor = std::make_unique<CpuExecutor<Routes, std::uint32_t>>(problem, routes, threads);
    });
    return executor;
}

}  // namespace tailback
