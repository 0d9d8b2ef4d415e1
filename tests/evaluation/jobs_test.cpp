// Several jobs on one fabric (docs/semantics.md, Several jobs): each alone, all together, pair by pair, and what their
// shared links carry, against a naive evaluation with exact fractions; two jobs are ptrnvsptrn.
#include "host/api/jobs.hpp"
#include "host/evaluation/jobs/jobs.hpp"
#include "host/study/placement/compute_nodes.hpp"
#include "patterns/families.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

namespace tailback::jobs_test {
namespace {

using Jobs = std::vector<evaluation::Job>;
using Loads = std::map<std::uint32_t, std::int64_t>;

Fabric made(std::string const& spec, std::string const& routing = "minhop") {
    Topology const topology = make_topology(spec);
    Routes routes = make_routes(topology, {routing, 1});
    return {topology.network, std::move(routes.tables), true, std::move(routes.routing)};
}

/// `sizes.size()` jobs of random flows with random levels and weights.
Jobs random_jobs(std::vector<std::uint32_t> const& sizes, std::uint32_t seed) {
    std::mt19937 random(seed);
    Jobs jobs;
    std::uint32_t first = 0;
    for (std::uint32_t const ranks : sizes) {
        FlowListWriter out(ranks);
        for (std::uint32_t level = 0; level < random() % 4; ++level) {
            out.begin_level();
            for (std::uint32_t f = 0; f < 1 + random() % (2 * ranks); ++f)
                out.flow(random() % ranks, random() % ranks, seed % 2 == 0 ? 1 : 1 + random() % 100);
        }
        jobs.push_back({"job" + std::to_string(jobs.size()), out.take(), first});
        first += ranks;
    }
    return jobs;
}

/// Hosts may be drawn several times: ranks share them.
Study study_of(Fabric const& fabric, std::uint32_t ranks, std::uint64_t mappings, std::uint32_t seed) {
    std::mt19937 random(seed);
    Study study;
    study.traffic.pattern = listed_pattern;
    study.placement.ranks = study.traffic.listed_flows.ranks = ranks;
    study.placement.mapping = MappingKind::listed;
    study.sample.mappings = mappings;
    auto const hosts = static_cast<std::uint32_t>(fabric.network.hosts().size());
    for (std::size_t i = 0; i < ranks * mappings; ++i) study.placement.mapping_hosts.emplace_back(random() % hosts);
    auto nodes = std::make_shared<ComputeNodes>();
    for (std::uint32_t h = 0; h < hosts; ++h) {
        nodes->nodes.push_back({"", {Host{h}}});
        nodes->node_of_host.push_back(h);
        nodes->rail_of_host.push_back(0);
    }
    study.placement.nodes.emplace();
    study.placement.nodes->nodes = nodes;
    return study;
}

/// The loads of level l of a job in a mapping, link by link.
Loads loads_of(Fabric const& fabric, evaluation::Job const& job, std::size_t l, Host const* hosts) {
    Loads loads;
    Level const& level = job.flows.levels[l];
    for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f) {
        std::uint32_t const from = hosts[job.first_rank + job.flows.flows[f].source].value,
                            to = hosts[job.first_rank + job.flows.flows[f].destination].value;
        if (from == to) continue;
        oracle::Walk const way = oracle::walk(fabric.network, fabric.tables, from, to);
        if (way.end != oracle::End::delivered) continue;
        for (std::uint32_t const link : way.links)
            loads[link] += job.flows.weights.empty() ? 1 : std::int64_t(job.flows.weights[f]);
    }
    return loads;
}

/// A job's time beside those of `with`, on links of capacity 1.
std::int64_t time_of(Fabric const& fabric, Jobs const& jobs, std::size_t job, std::vector<bool> const& with,
                     Host const* hosts) {
    std::int64_t time = 0;
    for (std::size_t l = 0; l < jobs[job].flows.levels.size(); ++l) {
        Loads const own = loads_of(fabric, jobs[job], l, hosts);
        Loads all = own;
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            if (j == job || !with[j] || jobs[j].flows.levels.empty()) continue;
            for (auto const& [link, load] : loads_of(fabric, jobs[j], l % jobs[j].flows.levels.size(), hosts))
                all[link] += load;
        }
        std::int64_t most = 0;
        for (auto const& [link, load] : own) most = std::max(most, all[link]);
        time += most;
    }
    return time;
}

void compare(Fabric const& fabric, std::vector<std::uint32_t> const& sizes, std::uint32_t seed) {
    Jobs const jobs = random_jobs(sizes, seed);
    std::uint32_t ranks = 0;
    for (std::uint32_t const size : sizes) ranks += size;
    Study study = study_of(fabric, ranks, 3, seed);
    study.measures.capacities = CapacityKind::unit;
    StudyPlan const plan = make_plan(fabric, study);
    JobsResult const got = evaluate_jobs(plan, jobs, {.threads = 1, .progress = {}});
    std::size_t const count = jobs.size();
    for (std::size_t i = 0; i < count; ++i) {
        double alone = 0, together = 0, slowed = 0;
        std::vector<double> by(count);
        for (std::size_t m = 0; m < 3; ++m) {
            Host const* const hosts = study.placement.mapping_hosts.data() + m * ranks;
            auto const own = time_of(fabric, jobs, i, std::vector<bool>(count), hosts);
            auto const all = time_of(fabric, jobs, i, std::vector<bool>(count, true), hosts);
            alone += double(own) / 3;
            together += double(all) / 3;
            if (own == 0) continue;
            ++slowed;
            for (std::size_t j = 0; j < count; ++j) {
                std::vector<bool> with(count);
                with[j] = true;
                by[j] += double(time_of(fabric, jobs, i, with, hosts)) / double(own);
            }
        }
        double const unit = unit_of_jobs(plan, jobs).unit;
        EXPECT_NEAR(got.jobs[i].alone.mean(), alone * unit, 1e-9 * (1 + alone));
        EXPECT_NEAR(got.jobs[i].together.mean(), together * unit, 1e-9 * (1 + together));
        EXPECT_EQ(double(got.jobs[i].slowdown.count()), slowed);
        for (std::size_t j = 0; j < count; ++j) {
            double const disturbance = got.disturbance[i * count + j];
            EXPECT_EQ(std::isnan(disturbance), i == j || slowed == 0);
            if (i != j && slowed > 0) {
                EXPECT_NEAR(disturbance, by[j] / slowed, 1e-8);
            }
        }
    }
}

TEST(JobsOnOneFabric, AreTheNaiveOnes) {
    for (NastyNetwork const& one : nasty_networks()) {
        if (one.fabric.network.hosts().size() < 2 || !one.fabric.routed) continue;
        SCOPED_TRACE(one.name);
        for (std::uint32_t seed = 1; seed <= 6; ++seed) compare(one.fabric, {3, 2, 4}, seed);
    }
    for (char const* const spec : {"xgft:m=4x4,w=1x2", "torus:3x4", "dragonfly:a=4,p=2,h=2"}) {
        SCOPED_TRACE(spec);
        Fabric const fabric = made(spec);
        for (std::uint32_t seed = 1; seed <= 6; ++seed) compare(fabric, {5, 6, 1, 3}, seed);
    }
}

TEST(JobsOnOneFabric, TwoOfThemArePtrnvsptrn) {
    // Level by level the largest congestion of any flow of the two patterns is that of the first or of the second job.
    Fabric const fabric = made("xgft:m=4x4,w=1x2");
    for (auto const& [first, second] : {std::pair{"tree", "bisect"}, {"bruck", "gather"}, {"bisect", "recdbl"}}) {
        Study together;
        together.traffic.pattern = "ptrnvsptrn";
        together.traffic.first = first;
        together.traffic.second = second;
        together.traffic.first_ranks = 9;
        together.placement.ranks = 16;
        together.sample.mappings = 20;
        together.measures.metrics = {Metric::sum_max_cong};
        StudyPlan const both = make_plan(fabric, together);
        FlowList const one = make_pattern(first, 9), other = make_pattern(second, 7);
        for (std::size_t l = 0; l < one.levels.size(); ++l) {
            Jobs jobs = {{"a", only_level(one, l), 0}, {"b", only_level(other, l % other.levels.size()), 9}};
            Study study = study_of(fabric, 16, 0, 1);
            study.sample.mappings = 20;
            for (std::uint64_t m = 0; m < 20; ++m)
                for (Host const host : both.hosts_of_mapping(m)) study.placement.mapping_hosts.push_back(host);
            StudyPlan const plan = make_plan(fabric, study);
            JobsResult const result = evaluate_jobs(plan, jobs, {.threads = 1, .progress = {}});
            Study level = together;
            level.traffic.level = static_cast<std::uint32_t>(l);
            StudyPlan const merged = make_plan(fabric, level);
            ExecutionOptions options{.device = DeviceChoice::cpu, .threads = 1};
            double sum = 0;
            options.per_mapping = [&](std::uint64_t, std::span<MappingTally const> row) {
                MappingTally const& tally = row.front();

                sum += double(tally.congestion_sum);
            };
            evaluate(merged, options);
            double const a = result.jobs[0].together.mean(), b = result.jobs[1].together.mean();
            EXPECT_LE(std::max(a, b), sum / 20 + 1e-12);
            EXPECT_GE(a + b, sum / 20 - 1e-12);
            double most = 0;
            for (std::uint64_t m = 0; m < 20; ++m) {
                Study single = study;
                single.sample.first_mapping = m;
                single.sample.mappings = 1;
                JobsResult const of_one =
                    evaluate_jobs(make_plan(fabric, single), jobs, {.threads = 1, .progress = {}});
                most += std::max(of_one.jobs[0].together.mean(), of_one.jobs[1].together.mean());
            }
            EXPECT_EQ(most, sum);
        }
    }
}

TEST(JobsOnOneFabric, AnyNumberOfThreads) {
    Fabric const fabric = made("xgft:m=4x4,w=1x2");
    Jobs const jobs = random_jobs({5, 4, 3}, 3);
    StudyPlan const plan = make_plan(fabric, study_of(fabric, 12, 500, 3));
    JobsResult const one = evaluate_jobs(plan, jobs, {.threads = 1, .progress = {}});
    JobsResult const four = evaluate_jobs(plan, jobs, {.threads = 4, .progress = {}});
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        EXPECT_EQ(one.jobs[j].together.integers(), four.jobs[j].together.integers());
        EXPECT_EQ(one.jobs[j].slowdown.integers(), four.jobs[j].slowdown.integers());
        EXPECT_EQ(one.jobs[j].slowdown.worst_mapping(), four.jobs[j].slowdown.worst_mapping());
    }
    ASSERT_EQ(one.links.size(), four.links.size());
    for (std::size_t l = 0; l < one.links.size(); ++l) {
        EXPECT_EQ(one.links[l].link, four.links[l].link);
        EXPECT_EQ(one.links[l].load, four.links[l].load);
    }
}

TEST(JobsOnOneFabric, AreReadFromWords) {
    JobRequest const job =
        read_job("a:pattern=allreduce:algorithm=ring,size=64MiB,nodes=n[1-3,7],x,ranks=12,rail=nearest");
    EXPECT_EQ(job.name, "a");
    EXPECT_EQ(job.pattern, "allreduce:algorithm=ring,size=64MiB");
    EXPECT_EQ(job.placement.nodes, "n[1-3,7],x");
    EXPECT_EQ(job.ranks, 12u);
    ASSERT_TRUE(job.placement.rail);
    EXPECT_EQ(job.placement.rail->kind, RailKind::nearest);
    for (char const* const wrong : {"a", ":traffic=x", "a:ranks", "a:rank=3", "a:ranks=0", "a:ranks=,traffic=x"})
        EXPECT_NE(error_of([&] { read_job(wrong); }), "no error") << wrong;
    // A word that is no key is named, with the keys and the option, wherever it stands.
    for (std::string const before :
         {"pattern=ring", "pattern=ring,nodes=H[1-3],H7", "pattern=ring,mapping=cyclic", "pattern=ring,class=x",
          "pattern=ring,priority=strict:1", "pattern=ring,ranks=3", "pattern=ring,rail=nearest", "pattern=ring,with=b"})
        for (std::string const& words : {"a:" + before + ",foo=1", "a:" + before + ",foo=1,ranks-per-node=2"}) {
            std::string const said = error_of([&] { read_job(words); });
            EXPECT_TRUE(said.starts_with("--job a:")) << said;
            EXPECT_NE(said.find("\"foo\" is not a key of a job; the keys are traffic, pattern, ranks"),
                      std::string::npos)
                << said;
        }
    // Options of a value are its own; names of files may have anything.
    EXPECT_EQ(read_job("a:pattern=rand,nodes=any:8,piece=4,ranks=3").placement.nodes, "any:8,piece=4");
    EXPECT_EQ(read_job("a:traffic=x,y=2.edges").traffic, "x,y=2.edges");
    EXPECT_EQ(read_job("a:pattern=file:x,y=2").pattern, "file:x,y=2");
    RankOrder const order = read_job("a:pattern=rand,mapping=shift:by=3").placement.order.value();
    EXPECT_EQ(order.kind, RankOrderKind::shift);
    EXPECT_EQ(order.by, 3u);
}

}  // namespace
}  // namespace tailback::jobs_test
