// Tables for the traffic of jobs: never a higher largest load than the input's, and the least there is on networks so
// small that all tables can be tried. A load is what a walk along the entries puts on a link.
#include "host/api/improve/improve.hpp"

#include "host/base/error.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace tailback::improve_test {
namespace {

ImproveRequest for_jobs(std::string const& network, std::string const& routing, std::vector<std::string> const& jobs) {
    ImproveRequest request;
    request.network = NetworkChoice(network);
    request.network.routing.emplace(routing, 1);
    request.objective = ImproveObjective::jobs;
    for (std::string const& job : jobs) request.jobs.push_back(read_job(job));
    request.threads = 1;
    return request;
}

/// HostPairs as hosts: of a pattern of one level, rank r on host r.
using HostPairs = std::vector<std::pair<std::size_t, std::size_t>>;
HostPairs shift_pairs(std::size_t hosts, std::size_t by) {
    HostPairs flows;
    for (std::size_t h = 0; h < hosts; ++h) flows.emplace_back(h, (h + by) % hosts);
    return flows;
}
HostPairs all_host_pairs(std::size_t hosts) {
    HostPairs flows;
    for (std::size_t a = 0; a < hosts; ++a)
        for (std::size_t b = 0; b < hosts; ++b)
            if (a != b) flows.emplace_back(a, b);
    return flows;
}

std::uint64_t largest_load(Fabric const& fabric, HostPairs const& flows) {
    std::map<std::uint32_t, std::uint64_t> load;
    std::uint64_t largest = 0;
    Network const& net = fabric.network;
    for (auto const& [from, to] : flows) {
        Node at = net[net.up_link(Host{from})].to;
        Node const end = net[net.up_link(Host{to})].to;
        for (int steps = 0; at != end; ++steps) {
            Link const link = net.link_at(at, fabric.tables.port(at, net[Host{to}].lid));
            if (!link.exists() || steps > 100) {
                ADD_FAILURE() << "a flow is lost";
                return 0;
            }
            largest = std::max(largest, ++load[link.value]);
            at = net[link].to;
        }
    }
    return largest;
}

TEST(ImproveForJobs, IsNeverWorseThanTheInputAndTellsTheTruth) {
    for (char const* const spec : {"torus:4x4", "xgft:m=4x4,w=1x2", "xgft:m=3x3x2,w=1x2x2", "hypercube:4",
                                   "jellyfish:switches=8,degree=3,hosts=2", "dragonfly:a=4,p=1,h=1"})
        for (char const* const routing : {"minhop", "random", "updn"})
            for (std::size_t const by : {std::size_t{1}, std::size_t{5}}) {
                std::size_t const hosts_of_spec = make_topology(TopologySpec(spec)).network.hosts().size();
                ImproveRequest request =
                    for_jobs(spec, routing,
                             {"a:pattern=shift:by=" + std::to_string(by) + ",ranks=" + std::to_string(hosts_of_spec)});
                request.moves = 5000;
                request.trials = 10;
                Improvement const found(request, {});
                ImproveReport const report = found.report();
                ASSERT_TRUE(report.was.jobs && report.is.jobs && report.jobs_bound);
                HostPairs const flows = shift_pairs(report.before.network.hosts().size(), by);
                EXPECT_EQ(double(largest_load(report.before, flows)), report.was.jobs->largest) << spec << routing;
                EXPECT_EQ(double(largest_load(report.after, flows)), report.is.jobs->largest) << spec << routing;
                EXPECT_EQ(report.is.undelivered, 0u);
                if (report.was.deadlock_free) {
                    EXPECT_LE(report.is.jobs->largest, report.was.jobs->largest) << spec;
                }
                if (report.is.longer == 0) {
                    EXPECT_LE(report.jobs_bound->least, report.is.jobs->largest + 1e-9) << spec;
                }
                EXPECT_TRUE(report.outcome != ImproveOutcome::improved || report.is.deadlock_free) << spec;
                EXPECT_EQ(report.is.jobs->host_link, 1.0);
            }
}

/// Leaves of two or three hosts and two or three spines: every leaf has one port of its own for every host of others,
/// so all tables can be tried.
TEST(ImproveForJobs, FindsTheLeastOfAllTables) {
    struct Case {
        char const* spec;
        std::size_t hosts, leaves, spines;
    };
    for (Case const& one : {Case{"xgft:m=2x3,w=1x2", 6, 3, 2}, Case{"xgft:m=3x2,w=1x3", 6, 2, 3}}) {
        std::size_t const a_leaf = one.hosts / one.leaves;
        for (int kind = 0; kind < 4; ++kind) {
            HostPairs const flows =
                kind == 3 ? all_host_pairs(one.hosts) : shift_pairs(one.hosts, std::size_t(kind) + 1);
            // A choice for each host and each leaf that is not its own: the spine, which decides both links.
            std::size_t const choices = one.hosts * (one.leaves - 1);
            std::size_t tables = 1;
            for (std::size_t c = 0; c < choices; ++c) tables *= one.spines;
            std::uint64_t least = UINT64_MAX;
            for (std::size_t table = 0; table < tables; ++table) {
                std::vector<std::size_t> spine(one.hosts * one.leaves);
                std::size_t rest = table;
                for (std::size_t h = 0; h < one.hosts; ++h)
                    for (std::size_t leaf = 0; leaf < one.leaves; ++leaf)
                        if (leaf != h / a_leaf) {
                            spine[h * one.leaves + leaf] = rest % one.spines;
                            rest /= one.spines;
                        }
                std::vector<std::uint64_t> up(one.leaves * one.spines), down(one.leaves * one.spines);
                std::uint64_t largest = 0;
                for (auto const& [from, to] : flows) {
                    std::size_t const leaf = from / a_leaf;
                    if (leaf == to / a_leaf) continue;
                    std::size_t const by = spine[to * one.leaves + leaf];
                    largest = std::max({largest, ++up[leaf * one.spines + by], ++down[to / a_leaf * one.spines + by]});
                }
                least = std::min(least, largest);
            }
            std::string const pattern = kind == 3 ? "all-to-all" : "shift:by=" + std::to_string(kind + 1);
            Improvement const found(for_jobs(one.spec, "random", {"a:pattern=" + pattern + ",ranks=6"}), {});
            ImproveReport const report = found.report();
            EXPECT_EQ(largest_load(report.after, flows), least) << one.spec << " " << pattern;  // levels are added up
            EXPECT_EQ(report.is.jobs->largest, double(least)) << one.spec << " " << pattern;
            EXPECT_LE(report.jobs_bound->least, double(least) + 1e-9);
        }
    }
}

TEST(ImproveForJobs, AddsUpWhatJobsSendAndRefusesWhatIsDrawn) {
    std::string const left = "l:pattern=shift:by=2,nodes=H[1-4],mapping=block",
                      right = "r:pattern=shift:by=1,nodes=H[5-8],mapping=block";
    Improvement const found(for_jobs("xgft:m=2x4,w=1x2", "random", {left, right}), {});
    ImproveReport const both = found.report();
    HostPairs flows = shift_pairs(4, 2);
    for (auto const& [from, to] : shift_pairs(4, 1)) flows.emplace_back(from + 4, to + 4);
    EXPECT_EQ(both.is.jobs->largest, double(largest_load(both.after, flows)));
    EXPECT_EQ(both.objective, "jobs");
    EXPECT_THROW(Improvement(for_jobs("xgft:m=2x4,w=1x2", "random", {"a:pattern=shift:by=1,nodes=any:4"}), {}),
                 InputError);
    EXPECT_THROW(Improvement(for_jobs("xgft:m=2x4,w=1x2", "random", {"a:pattern=rand,ranks=8"}), {}), InputError);
    EXPECT_THROW(
        Improvement(
            for_jobs("xgft:m=2x4,w=1x2", "random", {"a:pattern=1shift,nodes=H1,ranks-per-node=4,mapping=block"}), {}),
        InputError);
}

TEST(ImproveForJobs, GivesTheSameTablesWithAnyNumberOfThreads) {
    ImproveRequest request = for_jobs("xgft:m=4x4x2,w=1x3x2", "random", {"a:pattern=shift:by=5,ranks=32"});
    Improvement const one(request, {});
    request.threads = 3;
    Improvement const three(request, {});
    for (std::size_t n = 0; n < one.fabric().network.nodes().size(); ++n)
        for (Lid lid = 1; lid < one.fabric().tables.lids(); ++lid)
            ASSERT_EQ(one.fabric().tables.port(Node{n}, lid), three.fabric().tables.port(Node{n}, lid));
}

TEST(ImproveForJobs, ChangesNoMoreEntriesThanAsked) {
    for (std::uint64_t const most : {1u, 3u, 10u}) {
        ImproveRequest request = for_jobs("xgft:m=4x4,w=1x4", "random", {"a:pattern=shift:by=4,ranks=16"});
        request.changes = most;
        ImproveReport const report = Improvement(request, {}).report();
        EXPECT_LE(report.entries, most);
        EXPECT_LE(report.is.jobs->largest, report.was.jobs->largest);
    }
}

}  // namespace
}  // namespace tailback::improve_test
