// What:  a level in two loops, one that counts and one that reads back; shares of eight flows are divided at once.
// Why so: the flows are sorted by source (host/study/plan), so that the rows of a source's group stay in the first
//        cache, and a row is found anew at less expense than it would be kept. A division is the dearest step of a
//        flow; by vectors it costs as much as a look-up.
#include "kernels/cpu/fast/weighted_rows.hpp"

#include "kernels/common/huge_buffer.hpp"
#include "kernels/cpu/fast/team.hpp"
#include "kernels/cpu/machine/isa.hpp"
#include "kernels/cpu/machine/workers.hpp"
#include "kernels/cpu/machine/x86_vectors.hpp"
#include "kernels/evaluate/dispatch.hpp"
#include "kernels/evaluate/place_ranks.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tailback::kernels {
namespace {

/// Flows whose congestions are known, and wait for their shares.
constexpr std::uint32_t block = 512;

#ifdef TAILBACK_AVX512
/// weighted_share of eight flows at a time; `count` is a multiple of 8.
TAILBACK_AVX512 std::uint64_t sum_shares_avx512(double unit, std::uint64_t const* weights,
                                                std::uint64_t const* congestions, std::uint32_t count) {
    __m512d const units = _mm512_set1_pd(unit), half = _mm512_set1_pd(0.5);
    __m512i sum = _mm512_setzero_si512();
    for (std::uint32_t i = 0; i < count; i += 8) {
        __m512d const weight = _mm512_cvtepu64_pd(_mm512_loadu_si512(weights + i));
        __m512d const congestion = _mm512_cvtepu64_pd(_mm512_loadu_si512(congestions + i));
        __m512d const share = _mm512_div_pd(_mm512_mul_pd(weight, units), congestion);
        sum = _mm512_add_epi64(sum, _mm512_cvttpd_epu64(_mm512_add_pd(share, half)));
    }
    return static_cast<std::uint64_t>(_mm512_reduce_add_epi64(sum));
}

std::uint64_t sum_by_vectors(double unit, std::uint64_t const* weights, std::uint64_t const* congestions,
                             std::uint32_t count, std::uint32_t& done) {
    done = has_avx512() ? count / 8 * 8 : 0;
    return done == 0 ? 0 : sum_shares_avx512(unit, weights, congestions, done);
}
#else
std::uint64_t sum_by_vectors(double, std::uint64_t const*, std::uint64_t const*, std::uint32_t, std::uint32_t& done) {
    done = 0;
    return 0;
}
#endif

std::uint64_t sum_shares(double unit, std::uint64_t const* weights, std::uint64_t const* congestions,
                         std::uint32_t count) {
    std::uint32_t done;  // by vectors: the first ones
    std::uint64_t sum = sum_by_vectors(unit, weights, congestions, count, done);
    for (; done < count; ++done) sum += weighted_share(unit, weights[done], congestions[done]);
    return sum;
}

template <class Routes>
class WeightedRowsWorker {
public:
    WeightedRowsWorker(Problem const& p, Routes const& routes)
        : sums(p),
          problem_(p),
          routes_(routes),
          row_of_source_(p.placement.ranks),
          counters_(std::size_t{p.routes.inner} + 4) {
        ScratchLayout layout;
        layout.counts = false;
        memory_ = HugeBuffer(scratch_.lay_out(p, nullptr, layout));
        std::memset(memory_.data(), 0, memory_.size());
        scratch_.lay_out(p, memory_.data(), layout);
        CpuTeam team;
        scratch_.fill_subset(team, p);
    }

    MappingTally evaluate(std::uint64_t m) {
        CpuTeam team;
        kernel::place_ranks(team, problem_, m, scratch_);
        for (std::uint32_t r = 0; r < problem_.placement.ranks; ++r)
            row_of_source_[r] = routes_.place(problem_.routes.group[scratch_.host_index_of_rank[r]], 0);
        MappingTally tally;
        for (std::uint32_t l = 0; l < problem_.traffic.level_count; ++l) {
            LevelView const& level = problem_.traffic.levels[l];
            count(level);
            tally.congestion_sum += read_back(level, tally.share_sum);
            tally.delivered += level.flows;
            clear(level);
        }
        if (problem_.measures.wants_histogram)
            for (std::uint32_t part = 0; part < share_parts; ++part)
                sums.share_parts[part] += share_part(tally.share_sum, part);
        return tally;
    }
    Totals sums;

private:
    using Row = typename Routes::Kept;

    Row const& row_of(RankPair const& flow) const {
        return row_of_source_[flow.source][scratch_.host_index_of_rank[flow.destination]];
    }
    void count(LevelView const& level) {
        RankPair const* const flows = problem_.traffic.flows + level.first_flow;
        std::uint64_t const* const weights = problem_.traffic.weights + level.first_flow;
        std::uint64_t* const counters = counters_.data();
        for (std::uint32_t f = 0; f < level.flows; ++f) {
            std::uint64_t const weight = weights[f];
            routes_.each(row_of(flows[f]), [&](std::uint32_t link) { counters[link] += weight; });
        }
        counters[problem_.routes.inner] = 0;  // of padding
    }
    /// @return the largest congestion. Adds what the flows' bandwidths come to.
    std::uint64_t read_back(LevelView const& level, std::uint64_t& share_sum) {
        std::uint64_t largest = 0;
        for (std::uint32_t from = 0; from < level.flows; from += block) {
            std::uint32_t const flows = std::min(block, level.flows - from);
            std::uint64_t const first = level.first_flow + from;
            for (std::uint32_t i = 0; i < flows; ++i) {
                std::uint64_t congestion = problem_.traffic.min_loads[first + i];
                routes_.each(row_of(problem_.traffic.flows[first + i]),
                             [&](std::uint32_t link) { congestion = std::max(congestion, counters_[link]); });
                congestions_[i] = congestion;
                largest = std::max(largest, congestion);
            }
            if (problem_.measures.wants_shares)
                share_sum += sum_shares(problem_.measures.weighted_share_unit, problem_.traffic.weights + first,
                                        congestions_, flows);
            if (problem_.measures.wants_histogram)
                for (std::uint32_t i = 0; i < flows; ++i) ++sums.histogram[weighted_bin(congestions_[i])];
        }
        return largest;
    }
    void clear(LevelView const& level) {
        if (!level.sparse) {
            std::fill(counters_.begin(), counters_.end(), 0);
            return;
        }
        for (std::uint32_t f = 0; f < level.flows; ++f)
            routes_.each(row_of(problem_.traffic.flows[level.first_flow + f]),
                         [&](std::uint32_t link) { counters_[link] = 0; });
    }

    Problem problem_;
    Routes routes_;
    std::vector<Row const*> row_of_source_;  ///< by rank: the first row of its host's group
    std::vector<std::uint64_t> counters_;    ///< by link index
    std::uint64_t congestions_[block];
    Scratch<std::uint64_t, Row> scratch_;  ///< where ranks run
    HugeBuffer memory_;
};

bool applies(Problem const& p) {
    bool const rows = p.routes.form == RouteForm::rows16 || p.routes.form == RouteForm::rows32;
    return rows && is_plain(p) && !p.measures.wants_delay && !p.measures.wants_link_sums &&
           !p.measures.wants_route_links && p.traffic.drawn_ranks[0] + p.traffic.drawn_ranks[1] == 0;
}

}  // namespace

std::unique_ptr<Executor> make_weighted_rows_executor(Problem const& problem, unsigned threads) {
    std::unique_ptr<Executor> executor;
    if (!applies(problem)) return executor;
    with_routes(problem, [&]<class Routes>(Routes const& routes) {
        if constexpr (Routes::stored && Routes::pads)
            executor =
                std::make_unique<CpuExecutor<WeightedRowsWorker<Routes>>>(threads_to_use(threads), problem, routes);
    });
    return executor;
}

}  // namespace tailback::kernels
