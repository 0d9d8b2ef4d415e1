// Jobs whose times are simulated (docs/semantics.md, Several jobs): all start at once, each goes through its own
// levels, links treat their flows by class. Held to studies of the same flows, to a naive simulation of exact
// fractions, and to what can be worked out by hand.
#include "host/api/jobs.hpp"
#include "host/base/error.hpp"
#include "host/evaluation/evaluation.hpp"
#include "host/evaluation/jobs/jobs.hpp"
#include "tests/support/oracle/dependency_oracle.hpp"
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::job_times_test {
namespace {

using oracle::Rational;

api::JobsRequest request_of(std::string const& network, std::vector<std::string> const& jobs) {
    api::JobsRequest request;
    request.network = api::NetworkChoice(network);
    request.timed = true;
    request.mappings = 3;
    request.mappings_given = true;
    for (std::string const& words : jobs) request.jobs.push_back(api::read_job(words));
    return request;
}

evaluation::JobsResult times_of(api::JobsRequest const& request) {
    api::PreparedJobs const prepared(request);
    return evaluation::evaluate_jobs(prepared.plan(), prepared.jobs(), {.threads = 2});
}

/// The time of job `asked` with the jobs of `with`: flow by flow, with barriers between its levels.
Rational naive_time(api::PreparedJobs const& prepared, std::uint64_t mapping, std::vector<bool> const& with,
                    std::size_t asked) {
    StudyPlan const& plan = prepared.plan();
    Fabric const& fabric = *plan.fabric;
    std::vector<Host> const hosts = plan.hosts_of_mapping(mapping);
    std::vector<Rational> const capacity(fabric.network.links().size(), 1);
    std::vector<oracle::Operation> operations;
    std::vector<std::pair<std::size_t, std::size_t>> place;  // job, level
    for (std::size_t j = 0; j < prepared.jobs().size(); ++j) {
        evaluation::Job const& job = prepared.jobs()[j];
        for (std::size_t l = 0; with[j] && l < job.flows.levels.size(); ++l)
            for (std::size_t i = 0; i < job.flows.levels[l].flow_count; ++i) {
                std::size_t const f = job.flows.levels[l].first_flow + i;
                oracle::Operation flow;
                Host const from = hosts[job.first_rank + job.flows.flows[f].source];
                Host const to = hosts[job.first_rank + job.flows.flows[f].destination];
                oracle::Walk const walk = oracle::walk(fabric.network, fabric.tables, from.value, to.value);
                if (!(from == to)) flow.stages = {{walk.links.begin(), walk.links.end()}};
                flow.size = Rational(job.flows.weights.empty() ? 1 : job.flows.weights[f]);
                if (std::optional<study::Priority> const& priority = prepared.request().jobs[j].priority)
                    flow.rank = priority->rank, flow.weight = priority->weight;
                operations.push_back(flow);
                place.emplace_back(j, l);
            }
    }
    auto const release = [&](std::size_t o, std::vector<oracle::Times> const& times) -> std::optional<Rational> {
        Rational at = 0;
        for (std::size_t other = 0; other < o; ++other) {
            if (place[other].first != place[o].first || place[other].second >= place[o].second) continue;
            if (!times[other].ended) return {};
            at = std::max(at, *times[other].ended);
        }
        return at;
    };
    std::vector<oracle::Times> const times = oracle::simulate(capacity, operations, release);
    Rational last = 0;
    for (std::size_t o = 0; o < operations.size(); ++o)
        if (place[o].first == asked) last = std::max(last, *times[o].ended);
    return last;
}

TEST(JobTimes, AreTheNaiveOnes) {
    for (std::string const network : {"xgft:m=3x3,w=1x1", "torus:3x3"})
        for (bool const with_classes : {false, true}) {
            SCOPED_TRACE(network);
            api::JobsRequest const request =
                request_of(network, {std::string("a:pattern=bruck:size=3,ranks=4,nodes=any:4") +
                                         (with_classes ? ",priority=strict:1+weight:2" : ""),
                                     std::string("b:pattern=gather:size=5,ranks=3,nodes=any:3") +
                                         (with_classes ? ",priority=strict:1" : ""),
                                     "c:pattern=ring:size=7,ranks=2,nodes=any:2"});
            api::PreparedJobs const prepared(request);
            evaluation::JobsResult const got = evaluation::evaluate_jobs(prepared.plan(), prepared.jobs(), {});
            std::size_t const jobs = 3, mappings = 3;
            for (std::size_t i = 0; i < jobs; ++i) {
                double alone = 0, together = 0;
                std::vector<double> by(jobs);
                for (std::uint64_t m = 0; m < mappings; ++m) {
                    std::vector<bool> only(jobs);
                    only[i] = true;
                    double const own = naive_time(prepared, m, only, i).convert_to<double>();
                    alone += own / mappings;
                    together += naive_time(prepared, m, {true, true, true}, i).convert_to<double>() / mappings;
                    for (std::size_t j = 0; j < jobs; ++j) {
                        std::vector<bool> two = only;
                        two[j] = true;
                        by[j] += naive_time(prepared, m, two, i).convert_to<double>() / own / mappings;
                    }
                }
                EXPECT_NEAR(got.jobs[i].alone.mean(), alone, 1e-9 * alone);
                EXPECT_NEAR(got.jobs[i].together.mean(), together, 1e-9 * together);
                for (std::size_t j = 0; j < jobs; ++j) {
                    if (j == i) continue;
                    EXPECT_NEAR(got.disturbance[i * jobs + j], by[j], 1e-8);
                }
            }
        }
}

/// Two hosts a leaf, one link between leaves: 0 -> 2 of 10 and 1 -> 3 of 30.
TEST(JobTimes, OneLinkByHand) {
    auto const together = [](std::string const& priority) {
        evaluation::JobsResult const result =
            times_of(request_of("xgft:m=2x2,w=1x1", {"app:pattern=1shift:size=10,ranks=2,nodes=H1,H3",
                                                     "io:pattern=1shift:size=30,ranks=2,nodes=H2,H4" + priority}));
        EXPECT_NEAR(result.jobs[0].alone.mean(), 10, 1e-9);
        EXPECT_NEAR(result.jobs[1].alone.mean(), 30, 1e-9);
        return std::pair(result.jobs[0].together.mean(), result.jobs[1].together.mean());
    };
    auto const near = [](std::pair<double, double> got, double first, double second) {
        EXPECT_NEAR(got.first, first, 1e-9);
        EXPECT_NEAR(got.second, second, 1e-9);
    };
    near(together(""), 20, 40);
    near(together(",priority=strict:1"), 10, 40);
    near(together(",priority=weight:3"), 40, 40);
    near(together(",priority=weight:9"), 40, 100.0 / 3);
}

/// An application and its storage traffic: clients are the application's hosts, storage hosts are others.
TEST(JobTimes, StorageTrafficOfAnApplication) {
    auto const result = [](std::string const& priority) {
        return times_of(request_of("torus:4x4", {"app:pattern=stencil-2d:size=64KiB,ranks=12",
                                                 "io:pattern=storage:hosts=4,size=1MiB,with=app,ranks=16" + priority}));
    };
    evaluation::JobsResult const shared = result(""), behind = result(",priority=strict:1");
    EXPECT_GT(shared.jobs[0].slowdown.mean(), 1.1);
    EXPECT_NEAR(behind.jobs[0].slowdown.mean(), 1, 1e-9);
    EXPECT_GE(behind.jobs[1].slowdown.mean(), shared.jobs[1].slowdown.mean());
    api::PreparedJobs const prepared(request_of("torus:4x4", {"app:pattern=stencil-2d,ranks=12,mapping=random",
                                                              "io:pattern=storage:hosts=4,with=app,ranks=16"}));
    for (std::uint64_t m = 0; m < 3; ++m) {
        std::vector<Host> const hosts = prepared.plan().hosts_of_mapping(m);
        ASSERT_EQ(hosts.size(), 28u);
        for (std::size_t r = 0; r < 12; ++r) EXPECT_EQ(hosts[r], hosts[12 + r]);
        for (std::size_t r = 24; r < 28; ++r)
            for (std::size_t other = 0; other < r; ++other) EXPECT_NE(hosts[r], hosts[other]);
    }
}

/// One job alone is a study of its pattern.
TEST(JobTimes, OneJobIsAStudy) {
    api::JobsRequest request = request_of("torus:4x4", {"only:pattern=rand,ranks=16,mapping=block"});
    request.timing.dependencies = Dependencies::causal;
    request.timing.link_latency = {.value = 3, .in_seconds = false, .text = "3"};
    api::PreparedJobs const prepared(request);
    evaluation::JobsResult const got = evaluation::evaluate_jobs(prepared.plan(), prepared.jobs(), {});
    Study study;
    study.traffic.pattern = "rand";
    study.measures.metrics = {Metric::makespan};
    study.placement.mapping = MappingKind::listed;
    study.placement.ranks = 16;
    study.placement.mapping_hosts = prepared.plan().study.placement.mapping_hosts;
    study.sample.mappings = 3;
    study.measures.timing = request.timing;
    StudyPlan const plan = make_plan(*prepared.plan().fabric, study);
    EXPECT_NEAR(got.jobs[0].alone.mean(), evaluation::evaluate(plan, {}).numbers.at(Metric::makespan).mean(), 1e-9);
    EXPECT_EQ(got.jobs[0].alone.mean(), got.jobs[0].together.mean());
}

TEST(JobTimes, WhatIsWrongIsRefused) {
    for (std::vector<std::string> const& jobs : std::vector<std::vector<std::string>>{
             {"a:pattern=ring,ranks=3,with=b", "b:pattern=ring,ranks=3"},
             {"a:pattern=ring,ranks=3", "b:pattern=ring,ranks=2,with=a"},
             {"a:pattern=ring,ranks=3,priority=strict"},
             {"a:pattern=ring,ranks=3,priority=strict:16"},
             {"a:pattern=ring,ranks=3,priority=weight:0"},
             {"a:pattern=ring,ranks=3,priority=weight:2+weight:3"},
             {"a:pattern=ring,ranks=3,class=x,priority=weight:2", "b:pattern=ring,ranks=3,class=x,priority=weight:3"},
             {"a:pattern=ring,ranks=3", "b:pattern=rand,ranks=3"}}) {
        SCOPED_TRACE(jobs.front());
        EXPECT_THROW(api::PreparedJobs{request_of("torus:4x4", jobs)}, base::InputError);
    }
}

}  // namespace
}  // namespace tailback::job_times_test
