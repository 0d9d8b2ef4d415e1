// Ranks on hosts that are drawn from many: the definition's, mapping after mapping, at a cost that grows with the ranks
// and not with the hosts.
#include "kernels/cpu/fast/team.hpp"
#include "kernels/evaluate/place_ranks.hpp"
#include "kernels/executor.hpp"
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/team_of_threads.hpp"

#include <gtest/gtest.h>

namespace tailback::subset_test {
namespace {

Problem problem_of(std::uint32_t ranks, std::uint32_t hosts) {
    Problem p{};
    p.seed = Seed(77);
    p.placement.ranks = ranks;
    p.placement.study_hosts = hosts;
    p.placement.draw_subset = true;
    return p;
}

/// Rank r sits on subset[mapping[r]], both drawn by swapping one by one.
std::vector<std::uint32_t> hosts_by_definition(Problem const& p, std::uint64_t m) {
    std::uint32_t const ranks = p.placement.ranks;
    auto const order = oracle::permutation(77, 1, m, ranks, ranks),
               subset = oracle::permutation(77, 2, m, p.placement.study_hosts, ranks);
    std::vector<std::uint32_t> hosts;
    for (std::uint32_t r = 0; r < ranks; ++r) hosts.push_back(subset[order[r]]);
    return hosts;
}

template <class Team, class HostWord>
void expect_the_definition(Problem const& p, ScratchLayout const& layout, unsigned members, auto make_team) {
    Scratch<std::uint32_t, std::uint32_t, HostWord> scratch;
    TeamMemory memory(scratch.lay_out(p, nullptr, layout));
    scratch.lay_out(p, memory.get(), layout);
    CpuTeam one;
    scratch.fill_subset(one, p);
    for (std::uint64_t m = 0; m < 4; ++m) {
        run_members(members, [&](unsigned member) {
            Team team = make_team(member);
            kernel::place_ranks(team, p, m, scratch);
        });
        ASSERT_EQ(
            std::vector<std::uint32_t>(scratch.host_index_of_rank, scratch.host_index_of_rank + p.placement.ranks),
            hosts_by_definition(p, m))
            << p.placement.ranks << " of " << p.placement.study_hosts << ", mapping " << m;
        for (std::uint32_t h = 0; h < p.placement.study_hosts; ++h) ASSERT_EQ(scratch.subset[h], h) << m;
    }
}

TEST(Subset, IsTheDefinitionsMappingAfterMapping) {
    using Threads = ThreadTeam<false, true, ThreadDraws::by_lanes>;
    for (auto const& [ranks, hosts] :
         std::vector<std::pair<std::uint32_t, std::uint32_t>>{{1, 2}, {2, 3}, {7, 8}, {5, 300}, {64, 200}, {70, 71}}) {
        Problem const p = problem_of(ranks, hosts);
        expect_the_definition<CpuTeam, std::uint32_t>(p, {}, 1, [](unsigned) { return CpuTeam{}; });
        TeamHub hub(4);
        ScratchLayout layout;
        layout.members = 4;
        expect_the_definition<Threads, std::uint16_t>(p, layout, 4,
                                                      [&](unsigned member) { return Threads(hub, member); });
    }
}

/// Tells how much it deals out.
struct CountingTeam : CpuTeam {
    std::uint64_t* dealt;
    Range each(std::uint32_t n) { return *dealt += n, CpuTeam::each(n); }
};

TEST(Subset, CostsWhatItsRanksDo) {
    Problem const p = problem_of(64, 100'000);
    Scratch<std::uint32_t, std::uint32_t> scratch;
    TeamMemory memory(scratch.lay_out(p, nullptr, true));
    scratch.lay_out(p, memory.get(), true);
    std::uint64_t dealt = 0;
    CountingTeam team{{}, &dealt};
    scratch.fill_subset(team, p);
    EXPECT_EQ(dealt, p.placement.study_hosts);
    dealt = 0;
    for (std::uint64_t m = 0; m < 10; ++m) kernel::place_ranks(team, p, m, scratch);
    EXPECT_LE(dealt, 10 * 8 * p.placement.ranks);
}

}  // namespace
}  // namespace tailback::subset_test
