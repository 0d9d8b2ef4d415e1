// Estimates of latency: held to a naive count over walked routes, to closed forms, and the wait to a simulated queue.
#include "host/queueing/latency.hpp"
#include "host/api/study.hpp"
#include "host/base/numbers.hpp"
#include "host/model/capacities.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "patterns/pattern.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <random>

namespace tailback::latency_test {
namespace {

using Json = nlohmann::json;

/// Packets arrive at random at one server that takes 1 for each: what the next one waits is what the one before has
/// left when it arrives (Lindley's recursion).
double simulated_wait(double rho, std::uint64_t packets) {
    std::mt19937_64 random(7);
    std::exponential_distribution<double> gap(rho);
    double wait = 0, sum = 0;
    for (std::uint64_t p = 0; p < packets; ++p) {
        sum += wait;
        wait = std::max(0.0, wait + 1 - gap(random));
    }
    return sum / double(packets);
}

TEST(Latency, WaitingIsThatOfASimulatedQueue) {
    EXPECT_EQ(md1_wait(0), 0);
    EXPECT_EQ(md1_wait(0.5), 0.5);
    for (double const rho : {0.1, 0.4, 0.7, 0.9})
        EXPECT_NEAR(simulated_wait(rho, 8'000'000) / md1_wait(rho), 1, rho < 0.8 ? 0.01 : 0.03) << rho;
}

Study study_on(std::uint32_t ranks, std::string pattern, CapacityKind capacities) {
    Study study;
    study.traffic.pattern = std::move(pattern);
    study.placement.ranks = ranks;
    study.placement.mapping = MappingKind::identity;
    study.sample.mappings = 1;
    study.measures.capacities = capacities;
    study.measures.timing.keeps_routes_whole = true;
    return study;
}

/// Every flow by itself: what it meets, from the definition.
struct Naive {
    double mean_latency = 0, largest_load = 0;
    std::uint64_t failed = 0;
    std::vector<double> load;

    Naive(StudyPlan const& plan, Fabric const& fabric, LatencyQuestion const& question, double byte)
        : plan_(plan),
          fabric_(fabric),
          question_(question),
          byte_(byte),
          hosts_(plan.hosts_of_mapping(0)),
          costs_(link_costs(fabric.network, plan.study.measures.capacities)) {
        load.resize(fabric.network.links().size());
    }
    double capacity(std::size_t link) const {
        return costs_.cost.empty() ? 1 : double(costs_.denominator) / double(costs_.cost[link]);
    }
    std::optional<std::vector<std::size_t>> route(std::uint32_t source, std::uint32_t destination) const {
        oracle::Walk const walk =
            oracle::walk(fabric_.network, fabric_.tables, hosts_[source].value, hosts_[destination].value);
        if (walk.end != oracle::End::delivered) return {};
        return std::vector<std::size_t>(walk.links.begin(), walk.links.end());
    }
    double latency(std::vector<std::size_t> const& links) const {
        double most = 0, sum = 0;
        for (std::size_t const link : links) {
            double const service = question_.packet * byte_ / capacity(link);
            most = std::max(most, service);
            sum += service;
        }
        Timing const& timing = question_.timing;
        return double(links.size()) * timing.link_latency.value +
               double(links.size() - 1) * timing.switch_latency.value +
               (timing.switching == Switching::store_and_forward ? sum : most);
    }
    double wait(std::vector<std::size_t> const& links, double injected) const {
        double sum = 0;
        for (std::size_t const link : links) {
            double const rho = injected * load[link] / capacity(link);
            sum += rho / (2 * (1 - rho)) * question_.packet * byte_ / capacity(link);
        }
        return sum;
    }

private:
    StudyPlan const& plan_;
    Fabric const& fabric_;
    LatencyQuestion const& question_;
    double const byte_;
    std::vector<Host> const hosts_;
    LinkCosts const costs_;
};

struct RatedFlow {
    std::uint32_t source, destination;
    double rate;
};

void expect_naive(Fabric const& fabric, Study const& study, std::vector<RatedFlow> const& flows, bool uniform,
                  std::mt19937& random) {
    StudyPlan const plan = make_plan(fabric, study);
    LatencyQuestion question{.packet = 100, .uniform = uniform, .threads = 1 + unsigned(random() % 3)};
    double const byte = plan.base_rate_elevenths == 0 ? 1 : 8 / (plan.base_rate_elevenths / 11.0 * 1e9);
    bool const seconds = plan.base_rate_elevenths != 0;
    question.timing.link_latency = {7 * byte, seconds, "7"};
    question.timing.switch_latency = {19 * byte, seconds, "19"};
    if (random() % 2 == 0) question.timing.switching = Switching::store_and_forward;
    Naive naive(plan, fabric, question, byte);
    double sum = 0, pairs = 0, least = 1e300, most = 0, there_and_back = 0, both = 0;
    for (std::uint32_t s = 0; s < study.placement.ranks; ++s)
        for (std::uint32_t d = 0; d < study.placement.ranks; ++d) {
            if (s == d) continue;
            auto const way = naive.route(s, d), back = naive.route(d, s);
            if (!way) continue;
            double const latency = naive.latency(*way);
            sum += latency, ++pairs, least = std::min(least, latency), most = std::max(most, latency);
            if (back) there_and_back += latency + naive.latency(*back), ++both;
        }
    double delivered = 0, idle = 0;
    for (RatedFlow const& flow : flows)
        if (auto const way = naive.route(flow.source, flow.destination)) {
            for (std::size_t const link : *way) naive.load[link] += flow.rate;
            delivered += flow.rate;
            idle += flow.rate * naive.latency(*way);
        }
    if (delivered == 0) {
        EXPECT_THROW(estimate_latency(plan, question), InputError);
        return;
    }
    LatencyEstimate const got = estimate_latency(plan, question);
    EXPECT_EQ(got.pairs - got.failed, std::uint64_t(pairs));
    EXPECT_NEAR(got.mean_latency / (sum / pairs), 1, 1e-12);
    EXPECT_NEAR(got.latencies.front().first / least, 1, 1e-11);  // a report has 12 digits
    EXPECT_NEAR(got.latencies.back().first / most, 1, 1e-11);
    for (std::size_t i = 1; i < got.latencies.size(); ++i)  // no time stands there twice
        EXPECT_LT(base::rounded(got.latencies[i - 1].first), base::rounded(got.latencies[i].first));
    if (both > 0) {
        EXPECT_NEAR(got.mean_ping_pong / (there_and_back / both), 1, 1e-12);
    } else {
        EXPECT_TRUE(std::isnan(got.mean_ping_pong));
    }
    double largest = 0;
    for (std::size_t l = 0; l < naive.load.size(); ++l) largest = std::max(largest, naive.load[l] / naive.capacity(l));
    EXPECT_NEAR(got.saturation * largest, 1, 1e-12);
    for (LatencyEstimate::Point const& point : got.curve) {
        double wait = 0;
        for (RatedFlow const& flow : flows)
            if (auto const way = naive.route(flow.source, flow.destination))
                wait += flow.rate * naive.wait(*way, point.load);
        EXPECT_NEAR(point.latency / ((idle + wait) / delivered), 1, 1e-9) << point.share;
    }
    EXPECT_LE(got.hottest.front().utilisation, 0.5 + 1e-12);
    if (got.largest_between_switches == 0) {
        EXPECT_NEAR(got.hottest.front().utilisation, 0.5, 1e-12);
    }
}

TEST(Latency, EstimatesAreTheNaiveOnesOnNastyNetworks) {
    std::mt19937 random(5);
    for (NastyNetwork const& nasty : nasty_networks())
        for (CapacityKind const capacities : {CapacityKind::unit, CapacityKind::from_rates}) {
            SCOPED_TRACE(nasty.name);
            auto const hosts = std::uint32_t(oracle::breadth_first(nasty.fabric.network, false).size());
            if (hosts < 2) continue;
            std::uint32_t const ranks = std::min(hosts, 12u);
            std::vector<RatedFlow> all;
            for (std::uint32_t s = 0; s < ranks; ++s)
                for (std::uint32_t d = 0; d < ranks; ++d)
                    if (s != d) all.push_back({s, d, 1.0 / (ranks - 1)});
            expect_naive(nasty.fabric, study_on(ranks, "null", capacities), all, true, random);
            Study listed = study_on(ranks, listed_pattern, capacities);
            listed.traffic.listed_flows.ranks = listed.traffic.listed_flows.measured_ranks = ranks;
            std::vector<double> sent(ranks);
            std::vector<RatedFlow> flows;
            for (int i = 0; i < 10; ++i) {
                std::uint32_t const from = random() % ranks, to = (from + 1 + random() % (ranks - 1)) % ranks;
                std::uint64_t const bytes = 1 + random() % 9;
                listed.traffic.listed_flows.flows.push_back({from, to});
                listed.traffic.listed_flows.weights.push_back(bytes);
                flows.push_back({from, to, double(bytes)});
                sent[from] += double(bytes);
            }
            listed.traffic.listed_flows.levels = {{.first_flow = 0, .flow_count = 10}};
            for (RatedFlow& flow : flows) flow.rate /= sent[flow.source];
            expect_naive(nasty.fabric, listed, flows, false, random);
        }
}

/// Definition: traffic without a flow is refused as that; routes do not matter.
TEST(Latency, TrafficWithoutAFlowIsRefused) {
    Finished const run = run_tailback({"estimate", "ring:4", "--pattern", "null"});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("no rank sends anything to another"), std::string::npos) << run.err;
}

/// m-port 3-trees with N = 2 (m/2)^3 hosts, h = m/2: uniform destinations load links of the first level (N - h)/(N -
/// 1); a route has [(h - 1) + 3 (h^2 - h) + 5 (N - h^2)]/(N - 1) switches. (Lin, Chung, Huang, IPDPS 2004)
TEST(Latency, MPortTrees) {
    for (std::uint32_t const h : {2u, 4u, 6u}) {
        Fabric const fabric = make_xgft({{h, h, 2 * h}, {1, h, h}, 0});
        double const n = 2 * h * h * h;
        StudyPlan const plan = make_plan(fabric, study_on(std::uint32_t(n), "null", CapacityKind::unit));
        LatencyEstimate const got = estimate_latency(plan, {.packet = 1});
        // A host's own links carry 1: all that it sends.
        EXPECT_NEAR(got.largest_load, 1, 1e-12);
        EXPECT_NEAR(got.largest_between_switches, (n - h) / (n - 1), 1e-12);
        EXPECT_NEAR(got.mean_switches, ((h - 1) + 3 * (h * h - h) + 5 * (n - h * h)) / (n - 1), 1e-12);
        if (h == 4) {
            EXPECT_NEAR(got.mean_switches, 599.0 / 127, 1e-12);
        }
    }
}

Json report_of(Words const& words) {
    Finished const run = run_tailback(joined({"estimate", "--format", "json"}, words));
    EXPECT_EQ(run.code, 0) << run.err;
    return run.code == 0 ? Json::parse(run.out) : Json();
}

/// The 128-port 3-tree of 524,288 hosts, from one of them to all others: which share of them crosses each level.
TEST(Latency, LoadsOfA128PortTree) {
    Finished const run = run_tailback({"evaluate", "--network", "mport-ntree:m=128,n=3", "--pattern", "one-to-all",
                                       "--mapping", "identity", "--metric", "route_length", "--format", "json"});
    ASSERT_EQ(run.code, 0) << run.err;
    std::map<int, double> share;
    Json const report = Json::parse(run.out);
    for (Json const& bin : report["metrics"]["route_length"]["flows"])
        share[bin["links"]] = double(bin["flows"]) / 524287;
    EXPECT_NEAR(share[4] + share[6], 0.99988, 5e-6);
    EXPECT_NEAR(share[6], 0.99219, 5e-6);
}

TEST(LatencyCommand, TellsWhatItAssumes) {
    Json const json = report_of({"--network", "crossbar:5", "--packet", "100", "--latency", "link=3,switch=8"});
    EXPECT_EQ(json["assumptions"], "estimate (Poisson, independent hops, no back pressure)");
    EXPECT_EQ(json["zero_load"]["mean"], 100 + 2 * 3 + 8);
    EXPECT_EQ(json["zero_load"]["mean_ping_pong"], 2 * (100 + 2 * 3 + 8));
    EXPECT_EQ(json["zero_load"]["mean_switches"], 1);
    EXPECT_EQ(json["saturation"], 1);
    // At half of it each of two links waits 0.5 service times.
    Json const& half = json["curve"][5];
    EXPECT_EQ(half["share"], 0.5);
    EXPECT_EQ(half["wait"], 100);
    EXPECT_EQ(half["latency"], 214);
    Finished const text = run_tailback({"estimate", "--network", "torus:4x4", "--pattern", "transpose"});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_TRUE(text.out.starts_with("estimate (Poisson, independent hops, no back pressure)"));
    Finished const csv = run_tailback({"estimate", "--network", "torus:4x4", "--format", "csv", "--threads", "1"});
    EXPECT_NE(csv.out.find("\ncurve,load,0,0,"), std::string::npos) << csv.out;
    EXPECT_EQ(csv.out, run_tailback({"estimate", "--network", "torus:4x4", "--format", "csv", "--threads", "3"}).out);
}

TEST(LatencyCommand, RefusesWhatItCannotSay) {
    Words const network = {"estimate", "--network", "crossbar:4"};
    for (auto const& [more, why] : {std::pair<Words, char const*>{{"--load", "1"}, "is not below saturation"},
                                    {{"--load", "-1"}, "is not a positive number"},
                                    {{"--packet", "0"}, "is not a positive number"},
                                    {{"--pattern", "rand"}, "are drawn"},
                                    {{"--latency", "link=5ns"}, "no meaning here"},
                                    {{"--ranks", "1"}, "no pair of hosts"}}) {
        Finished const run = run_tailback(joined(network, more));
        EXPECT_EQ(run.code, 2) << why;
        EXPECT_NE(run.err.find(why), std::string::npos) << run.err;
    }
}

TEST(Latency, IsTheSameOnAFormulaAsOnTables) {
    std::optional<LatencyEstimate> found[2];
    for (RoutesForm const form : {RoutesForm::tables, RoutesForm::arithmetic}) {
        StudyRequest request;
        request.network = NetworkChoice("torus:4x3");
        request.network.form = form;
        request.study.traffic.pattern = "null";
        request.study.placement.mapping = MappingKind::identity;
        request.study.sample.mappings = 1;
        request.study.measures.metrics = {Metric::sum_max_cong};
        request.study.measures.timing.keeps_routes_whole = true;
        PreparedStudy const study(request);
        EXPECT_EQ(traits_of(*study.plan().fabric).routes,
                  form == RoutesForm::arithmetic ? RoutesAre::formula : RoutesAre::tables);
        LatencyQuestion question;
        question.uniform = true;
        question.threads = 1;
        found[form == RoutesForm::arithmetic] = estimate_latency(study.plan(), question);
    }
    EXPECT_EQ(found[0]->saturation, found[1]->saturation);
}

}  // namespace
}  // namespace tailback::latency_test
