// CUDA's executors against the CPU's.
#pragma once

#include "tests/support/programs/outcome.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>

namespace tailback {

inline constexpr CudaTeamKind cuda_team_kinds[] = {CudaTeamKind::warp, CudaTeamKind::block, CudaTeamKind::cluster,
                                                   CudaTeamKind::global};

/// By every kind of team that fits; returns which did.
inline std::set<CudaTeamKind> expect_the_cpus(Problem const& p, std::size_t mappings) {
    Outcome const cpu = run(*make_cpu_executor(p, 0), mappings);
    std::set<CudaTeamKind> tried;
    for (CudaTeamKind const kind : cuda_team_kinds) {
        std::unique_ptr<Executor> const executor = make_cuda_executor(p, kind);
        if (!executor) continue;
        tried.insert(kind);
        Outcome const cuda = run(*executor, mappings);
        EXPECT_EQ(cpu.tallies, cuda.tallies) << "kind " << int(kind);
        EXPECT_EQ(cpu.totals, cuda.totals) << "kind " << int(kind);
    }
    std::unique_ptr<Executor> const best = make_cuda_executor(p);
    EXPECT_EQ(cpu.tallies, run(*best, mappings).tallies);
    return tried;
}

}  // namespace tailback
