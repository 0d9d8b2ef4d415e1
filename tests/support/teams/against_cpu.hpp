// CUDA's executors against the CPU's.
#pragma once

#include "host/model/pack/route_store.hpp"
#include "kernels/evaluate/reduction.hpp"
#include "tests/support/programs/outcome.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <tuple>

namespace tailback {

inline constexpr CudaTeamKind cuda_team_kinds[] = {CudaTeamKind::warp, CudaTeamKind::block, CudaTeamKind::cluster,
                                                   CudaTeamKind::global};

/// By every kind of team that fits; returns which did.
inline std::set<CudaTeamKind> expect_the_cpus(Problem const& p, std::size_t mappings, std::uint64_t first = 5) {
    Outcome const cpu = run(*make_cpu_executor(p, 0), mappings, first);
    std::set<CudaTeamKind> tried;
    for (CudaTeamKind const kind : cuda_team_kinds) {
        std::unique_ptr<Executor> const executor = make_cuda_executor(p, kind);
        if (!executor) continue;
        tried.insert(kind);
        Outcome const cuda = run(*executor, mappings, first);
        EXPECT_EQ(cpu.tallies, cuda.tallies) << "kind " << int(kind);
        EXPECT_EQ(cpu.totals, cuda.totals) << "kind " << int(kind);
    }
    std::unique_ptr<Executor> const best = make_cuda_executor(p);
    EXPECT_EQ(cpu.tallies, run(*best, mappings, first).tallies);
    return tried;
}

inline void expect_same(ValuesSeen const& got, ValuesSeen const& want) {
    EXPECT_TRUE(got.counts.sorted() == want.counts.sorted()) << "the values, or how often each came, differ";
    EXPECT_EQ(std::tuple(got.lowest, got.first_of_lowest, got.highest, got.first_of_highest),
              std::tuple(want.lowest, want.first_of_lowest, want.highest, want.first_of_highest));
}

inline void expect_same(Reduction const& got, Reduction const& want) {
    auto const flows = [](Reduction const& r) {
        return std::tuple(r.mappings, r.delivered, r.unreachable, r.loop, r.misdelivered, r.local, r.within_nodes);
    };
    EXPECT_EQ(flows(got), flows(want));
    for (std::uint32_t k = 0; k < WantedNumbers::most; ++k) {
        SCOPED_TRACE("number " + std::to_string(k));
        EXPECT_EQ(got.number[k].undefined, want.number[k].undefined);
        expect_same(got.number[k].values, want.number[k].values);
    }
}

inline void expect_same(RouteStore const& got, RouteStore const& want) {
    ASSERT_EQ(got.rows.size(), want.rows.size());
    EXPECT_TRUE(std::equal(got.rows.data(), got.rows.data() + got.rows.size(), want.rows.data()));
    EXPECT_TRUE(got.steps == want.steps);
    EXPECT_EQ(got.longest, want.longest);
    EXPECT_EQ(got.mean_links, want.mean_links);
    EXPECT_EQ(got.all_delivered, want.all_delivered);
    EXPECT_EQ(got.none_delivered, want.none_delivered);
}

}  // namespace tailback
