// Large studies on a GPU. Without one these skip with the reason, and fail where TAILBACK_REQUIRE_GPU=1.
//
// Definition. On a fabric F, mapping m of a study S has a tally T(m), a struct of whole numbers; n mappings have totals
// (sums over flows and links) and a reduction (how often each value of a number came, and where first). For every kind
// of team that fits, and for clusters of the sizes that are listed:
//   evaluate(0, n)             gives T(0) .. T(n - 1) of the CPU, each to the bit;
//   evaluate_and_reduce, in parts that together are 0 .. N - 1, then take_reduction: the CPU's reduction;
//   totals()                   all the CPU's totals of both.
// On a device with the shared memory and the clusters of an H100, exactly the kinds that are listed fit.
// An audit's result and packed routes are the CPU's, number by number.
// Each case is a test of its own, so that each can run in a process of its own. N is large on a GPU, and small where
// TAILBACK_SMALL_CASES is set: under compute-sanitizer, or on the emulated device.
#include "host/audit/loads/all_pairs.hpp"
#include "host/evaluation/run_sums.hpp"
#include "host/formats/formats.hpp"
#include "host/model/pack/route_store.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/networks/regular.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/required.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/against_cpu.hpp"
#include "tests/support/teams/two_adapters.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <numeric>
#include <random>

namespace tailback::cuda_volume_test {
namespace {

using Kinds = std::set<CudaTeamKind>;
Kinds const all_kinds(std::begin(cuda_team_kinds), std::end(cuda_team_kinds));
Kinds const only_global = {CudaTeamKind::global};
Kinds const large_kinds = {CudaTeamKind::cluster, CudaTeamKind::global};
Kinds const but_clusters = {CudaTeamKind::warp, CudaTeamKind::block, CudaTeamKind::global};
Kinds const block_and_global = {CudaTeamKind::block, CudaTeamKind::global};

struct Counts {
    std::uint64_t tallied;  ///< mappings, one by one
    std::uint64_t reduced;  ///< by every kind
    std::uint64_t more;     ///< reduced after these, by kinds that keep their counters in one block
};

enum class What : std::uint8_t { evaluate, audit, pack };

struct VolumeCase {
    char const* name;
    std::function<Fabric()> fabric;  ///< not routed: it is not at hand
    std::function<Study(Fabric const&, std::uint64_t mappings)> study;
    Counts on_a_gpu, small;
    Kinds kinds;
    std::vector<std::uint32_t> clusters = {};  ///< of so many blocks, too
    What what = What::evaluate;
};
void PrintTo(VolumeCase const& row, std::ostream* out) { *out << row.name; }

// Fabrics.

std::function<Fabric()> tree(XgftSpec const& spec) {
    return [spec] { return make_xgft(spec); };
}
std::function<Fabric()> computed_tree(XgftSpec const& spec) {
    return [spec] { return fabric_of(make_regular_xgft(spec, "dmodk", "tree")); };
}
std::function<Fabric()> computed(char const* spec) {
    return [spec] { return fabric_of(regular_network(spec, "")); };
}
std::function<Fabric()> with_tables(char const* spec) {
    return [spec] {
        Topology topology = make_topology(std::string(spec));
        Fabric fabric;
        fabric.tables = make_tables(topology, RoutingSpec(topology.usual_routing));
        fabric.network = std::move(topology.network);
        fabric.routed = true;
        return fabric;
    };
}

/// The same nodes and cables, of three rates by turns.
Network with_mixed_rates(Network const& network) {
    constexpr LinkRate rates[] = {{4, Speed::fdr}, {4, Speed::edr}, {4, Speed::hdr}};
    NetworkBuilder builder(network.named());
    for (NodeRecord const& node : network.nodes()) builder.add_node(node);
    for (HostRecord const& host : network.hosts()) builder.add_host(host);
    for (LinkRecord link : network.links()) {
        link.rate = rates[(link.from.value + link.to.value) % std::size(rates)];  // of both directions
        link.reverse = Link{};
        builder.add_link(link);
    }
    Disagreements none;
    return builder.finish(none, "rated");
}

/// A tree of links of different rates in whose tables 300 entries are wrong: packets are lost, go astray or in circles.
Fabric damaged_tree() {
    Fabric fabric = make_xgft({{12, 12, 7}, {1, 12, 12}, 0});
    fabric.network = with_mixed_rates(fabric.network);
    Dice dice;
    auto const hosts = static_cast<std::uint32_t>(fabric.network.hosts().size());
    for (int i = 0; i < 300; ++i) {
        Node const node{hosts + dice(static_cast<std::uint32_t>(fabric.network.switches()))};
        Port const port = dice(fabric.network[node].ports + 2);
        Lid const lid = fabric.network[Host{dice(hosts)}].lid;
        fabric.tables.set(node, lid, port > fabric.network[node].ports ? ForwardingTables::no_entry : port);
    }
    return fabric;
}

/// The file of that name in the folder that TAILBACK_SELENE names, or in the developers' data; may not exist.
std::filesystem::path selene_file(char const* name) {
    char const* const given = std::getenv("TAILBACK_SELENE");
    std::filesystem::path const folder = given ? given : shared_data() / "public/real-selene-compute";
    return std::filesystem::exists(folder / name) ? folder / name : folder / "minhop" / name;
}
Fabric selene() {
    std::filesystem::path const network = selene_file("ibnetdiscover.out.xz"),
                                tables = selene_file("opensm-lfts.dump.xz");
    if (!std::filesystem::exists(network) || !std::filesystem::exists(tables)) return {};
    Disagreements ignored;
    return read_fabric(network.string(), tables.string(), ignored);
}

// Studies.

using MakeStudy = std::function<Study(Fabric const&, std::uint64_t)>;

MakeStudy study_of(char const* pattern, std::vector<Metric> const& metrics, std::uint32_t drawn_ranks = 0) {
    return [=](Fabric const&, std::uint64_t) {
        Study study;
        study.traffic.pattern = pattern;
        study.traffic.may_leave_flows_unlisted = true;
        study.placement.ranks = drawn_ranks;
        if (drawn_ranks > 0) study.placement.subset = SubsetKind::random;
        study.sample.mappings = 1'000'000'000;  // as a long study is planned
        study.measures.metrics = metrics;
        return study;
    };
}

/// Every host sends to one other, each another number of bytes, of so many bits at most.
MakeStudy weighted_permutation(std::vector<Metric> const& metrics, bool shared_by_bytes = false, unsigned bits = 24) {
    return [=](Fabric const& fabric, std::uint64_t) {
        Study study = study_of(listed_pattern, metrics)(fabric, 0);
        study.measures.shared_by_bytes = shared_by_bytes;
        FlowList& list = study.traffic.listed_flows;
        list.ranks = list.measured_ranks = static_cast<std::uint32_t>(fabric.endpoints());
        std::mt19937 random(3);
        std::vector<std::uint32_t> to(list.ranks);
        std::iota(to.begin(), to.end(), 0u);
        std::shuffle(to.begin(), to.end(), random);
        for (std::uint32_t rank = 0; rank < list.ranks; ++rank) {
            if (to[rank] == rank) continue;
            list.flows.push_back({rank, to[rank]});
            list.weights.push_back(1 + random() % (std::uint64_t{1} << random() % bits));
        }
        list.levels.push_back({.first_flow = 0, .flow_count = list.flows.size()});
        return study;
    };
}

/// Nodes of two adapters, each a host; four ranks a node; flows leave by the rail of their destination's adapter.
Study on_nodes(Fabric const& fabric, std::uint64_t mappings) {
    auto const hosts = static_cast<std::uint32_t>(fabric.endpoints());
    Study study = study_of("rand", every_metric())(fabric, 0);
    std::mt19937 random(11);
    place_on_two_adapters(study, hosts, mappings, true, random);
    return study;
}

// The cases.

std::vector<Metric> const band = {Metric::hist_acc_band}, cables = {Metric::get_cable_cong},
                          band_and_hist = {Metric::hist_acc_band, Metric::hist_max_cong},
                          rates = {Metric::max_min_band, Metric::max_min_least, Metric::max_min_jain},
                          times = {Metric::makespan, Metric::completion_time, Metric::slowdown};
XgftSpec const hosts_1142 = {{12, 12, 8}, {1, 12, 12}, 1142}, hosts_1152 = {{12, 12, 8}, {1, 12, 12}, 0},
               hosts_1008 = {{12, 12, 7}, {1, 12, 12}, 0}, hosts_11664 = {{18, 18, 36}, {1, 18, 18}, 0},
               hosts_65536 = {{32, 32, 64}, {1, 32, 32}, 0}, hosts_524288 = {{64, 64, 128}, {1, 64, 64}, 0};
char const* const torus = "torus:8x8x8,hosts=2";
char const* const dragonfly = "dragonfly:a=8,p=4,h=4";
char const* const rabenseifner = "allreduce:algorithm=rabenseifner,size=64MiB";
std::uint64_t const thousand = 1000, million = 1000 * thousand;

// On a machine with a GPU the CPU takes longest: 0.1 to 20 s of one core a case, 90 s of all cases.

// clang-format off
std::vector<VolumeCase> permutation_cases() {
    // Name, fabric, study; {tallied, reduced, more} on a GPU and in small cases; kinds, clusters.
    return {
        {"Bisect1142", tree(hosts_1142), study_of("bisect", band),
         {500, 2 * million, 8 * million}, {20, 40, 0}, all_kinds},
        {"Rand1142", tree(hosts_1142), study_of("rand", band), {500, million, 3 * million}, {20, 40, 0}, all_kinds},
        {"AllMetrics1142", tree(hosts_1142), study_of("rand", every_metric()),
         {500, 300 * thousand, 0}, {8, 16, 0}, but_clusters},
        {"Bisect11664", tree(hosts_11664), study_of("bisect", band), {300, 100 * thousand, 0}, {2, 16, 0}, all_kinds},
        {"CableSums11664", tree(hosts_11664), study_of("bisect", cables),
         {300, 100 * thousand, 0}, {2, 4, 0}, but_clusters},
        {"CableSums1142", tree(hosts_1142), study_of("bisect", cables),
         {500, 300 * thousand, 0}, {8, 16, 0}, but_clusters},
        {"Of64Drawn11664", tree(hosts_11664), study_of("rand", band, 64), {500, 100 * thousand, 0}, {8, 40, 0}, all_kinds},
        {"Bisect65536", computed_tree(hosts_65536), study_of("bisect", band),
         {200, 5 * thousand, 0}, {12, 4, 0}, large_kinds, {2, 4}},
        {"Bisect524288", computed_tree(hosts_524288), study_of("bisect", band),
         {20, 200, 0}, {1, 1, 0}, large_kinds, {16}},
        {"TorusByFormula", computed(torus), study_of("rand", band), {500, 30 * thousand, 0}, {8, 16, 0}, all_kinds},
        {"TorusByTables", with_tables(torus), study_of("rand", band),
         {500, 100 * thousand, 0}, {8, 16, 0}, block_and_global},
        {"DragonflyByFormula", computed(dragonfly), study_of("rand", band),
         {500, 100 * thousand, 0}, {8, 16, 0}, all_kinds},
        {"DragonflyByTables", with_tables(dragonfly), study_of("rand", band),
         {500, 100 * thousand, 0}, {8, 16, 0}, all_kinds},
        {"FailedPairsAndRates", damaged_tree, study_of("rand", every_metric()),
         {500, 100 * thousand, 0}, {8, 16, 0}, but_clusters},
        {"NodesOfTwoAdapters", tree(hosts_1008), on_nodes, {100, 200, 0}, {2, 3, 0}, but_clusters},
    };
}

std::vector<VolumeCase> weighted_and_all_to_all_cases() {
    Counts const many = {500, 10 * thousand, 0};
    return {
        {"WeightedPermutation1152", tree(hosts_1152), weighted_permutation(band_and_hist),
         many, {8, 20, 0}, but_clusters},
        {"WidePermutation1152", tree(hosts_1152), weighted_permutation(band_and_hist, false, 40),
         many, {8, 20, 0}, but_clusters},
        {"WeightedPermutation11664", tree(hosts_11664), weighted_permutation(band), {100, thousand, 0}, {2, 3, 0},
         all_kinds},
        {"WidePermutation11664", tree(hosts_11664), weighted_permutation(band, false, 40), {100, thousand, 0}, {1, 2, 0},
         but_clusters},
        {"Rabenseifner1152", tree(hosts_1152), study_of(rabenseifner, band), many, {2, 4, 0}, all_kinds},
        {"MaxMin1152", tree(hosts_1152), study_of("bisect", rates), many, {2, 4, 0}, block_and_global},
        {"MaxMinByBytes1152", tree(hosts_1152), weighted_permutation(rates, true), {20, 100, 0}, {1, 1, 0}, only_global},
        {"Times1142", tree(hosts_1142), weighted_permutation(times),
         {200, thousand, 0}, {1, 1, 0}, block_and_global},
        {"Times11664", tree(hosts_11664), weighted_permutation(times), {2, 10, 0}, {1, 1, 0}, only_global},
        {"AllToAll1152", tree(hosts_1152), study_of("all-to-all", band), many, {1, 3, 0}, only_global},
        {"AllToAllHist1152", tree(hosts_1152), study_of("all-to-all", band_and_hist), many, {1, 3, 0}, only_global},
        {"AllToAllOf512Drawn", tree(hosts_1152), study_of("all-to-all", band, 512), many, {1, 3, 0}, only_global},
        {"AllToAllHistOf512Drawn", tree(hosts_1152), study_of("all-to-all", band_and_hist, 512),
         many, {1, 3, 0}, only_global},
    };
}

std::vector<VolumeCase> table_cases() {
    return {
        {"SeleneBisect", selene, study_of("bisect", band), {300, 100 * thousand, 0}, {2, 4, 0}, but_clusters},
        {"SeleneAudit", selene, nullptr, {}, {}, {}, {}, What::audit},
        {"SelenePacking", selene, nullptr, {}, {}, {}, {}, What::pack},
        {"Audit1152", tree(hosts_1152), nullptr, {}, {}, {}, {}, What::audit},
        {"Packing1152", tree(hosts_1152), nullptr, {}, {}, {}, {}, What::pack},
    };
}
// clang-format on

std::vector<VolumeCase> all_cases() {
    std::vector<VolumeCase> all;
    for (auto const& some : {permutation_cases(), weighted_and_all_to_all_cases(), table_cases()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

// What is compared.

/// What an executor made of a study.
struct Found {
    std::vector<MappingTally> tallies;
    std::vector<Reduction> reductions;
    std::vector<Totals> totals;

    /// In two calls.
    void reduce(Executor& executor, std::uint64_t first, std::uint64_t count, WantedNumbers const& wanted) {
        std::uint64_t const few = count / 4;
        if (few > 0) executor.evaluate_and_reduce(first, few, wanted);
        executor.evaluate_and_reduce(first + few, count - few, wanted);
        reductions.push_back(executor.take_reduction());
        totals.push_back(executor.totals());
    }
};

Found found_by(Executor& executor, WantedNumbers const& wanted, Counts const& counts, bool more) {
    Found found;
    found.tallies.resize(counts.tallied);
    if (counts.tallied > 0) executor.evaluate(0, found.tallies);
    found.reduce(executor, 0, counts.reduced, wanted);
    if (more && counts.more > 0) found.reduce(executor, counts.reduced, counts.more, wanted);
    return found;
}

void expect_found(Found const& got, Found const& want) {
    ASSERT_EQ(got.tallies.size(), want.tallies.size());
    for (std::size_t i = 0; i < got.tallies.size(); ++i)
        ASSERT_EQ(got.tallies[i], want.tallies[i]) << "the first that differs is mapping " << i;
    ASSERT_LE(got.reductions.size(), want.reductions.size());
    for (std::size_t i = 0; i < got.reductions.size(); ++i) {
        expect_same(got.reductions[i], want.reductions[i]);
        EXPECT_TRUE(got.totals[i] == want.totals[i]) << "totals differ";
    }
}

class CudaVolume : public ::testing::TestWithParam<VolumeCase> {
protected:
    void SetUp() override {
        CudaDevices const devices = find_cuda_devices();
        skip_where_missing(devices.names.empty() ? "no CUDA device: " + devices.reason : "", "TAILBACK_REQUIRE_GPU");
    }
    static bool small_cases() { return std::getenv("TAILBACK_SMALL_CASES") != nullptr; }
    static Counts counts() { return small_cases() ? GetParam().small : GetParam().on_a_gpu; }

    void evaluates_as_the_cpu(Fabric const& fabric) const;
    void audits_as_the_cpu(Fabric const& fabric) const;
    void packs_as_the_cpu(Fabric const& fabric) const;
};

/// Of the sizes that an H100 has.
bool has_known_limits(std::string const& device) {
    for (char const* name : {"H100", "H200", "emulated GPU"})
        if (device.find(name) != std::string::npos) return true;
    return false;
}

void CudaVolume::evaluates_as_the_cpu(Fabric const& fabric) const {
    Counts const numbers = counts();
    StudyPlan const plan = make_plan(fabric, GetParam().study(fabric, std::max(numbers.tallied, numbers.reduced)));
    WantedNumbers const wanted = wanted_numbers(plan);
    Found const want = found_by(*make_cpu_executor(plan.problem, 0), wanted, numbers, true);
    Kinds tried;
    std::string device;
    for (CudaTeamKind const kind : cuda_team_kinds) {
        SCOPED_TRACE("kind " + std::to_string(int(kind)));
        std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem, kind);
        if (!executor) continue;
        tried.insert(kind);
        device = executor->device();
        bool const in_one_block = kind == CudaTeamKind::warp || kind == CudaTeamKind::block;
        expect_found(found_by(*executor, wanted, numbers, in_one_block), want);
    }
    if (has_known_limits(device)) {
        EXPECT_EQ(tried, GetParam().kinds);
    }
    for (std::uint32_t const blocks : GetParam().clusters) {
        SCOPED_TRACE("clusters of " + std::to_string(blocks));
        ShapeWishes const wishes{.turns = 1, .blocks_a_team = blocks};  // one turn: a cluster has several mappings
        auto const executor = make_cuda_executor(plan.problem, CudaTeamKind::cluster, wishes);
        if (!executor) continue;  // the kinds are complete where it must be there
        LaunchFacts const facts = executor->launch_facts().value();
        EXPECT_EQ(facts.blocks, facts.teams * blocks);
        expect_found(found_by(*executor, wanted, numbers, false), want);
    }
}

void CudaVolume::audits_as_the_cpu(Fabric const& fabric) const {
    Forwarding const forwarding(fabric);
    AllPairsRequest request{all_hosts(fabric.network), all_hosts(fabric.network)};
    request.directions.resize(std::size_t{forwarding.rows()} * forwarding.ports());
    Dice dice;
    for (auto& direction : request.directions) direction = static_cast<std::uint8_t>(dice(3));
    AllPairsResult const got = count_all_pairs(forwarding, request, {DeviceChoice::cuda, 1}),
                         want = count_all_pairs(forwarding, request, {DeviceChoice::cpu, 0});
    EXPECT_EQ(got.pairs, want.pairs);
    EXPECT_EQ(got.hops, want.hops);
    EXPECT_EQ(got.down_then_up, want.down_then_up);
    EXPECT_TRUE(got.load == want.load);
    EXPECT_TRUE(got == want);
}

void CudaVolume::packs_as_the_cpu(Fabric const& fabric) const {
    std::vector<Host> hosts = all_hosts(fabric.network);
    if (small_cases() && hosts.size() > 2000) hosts.resize(hosts.size() / 4);
    for (std::size_t const row_byte_limit : {std::size_t{0}, std::size_t{4} << 30}) {
        SCOPED_TRACE("rows of " + std::to_string(row_byte_limit) + " bytes at most");
        expect_same(pack_routes(fabric, hosts, {}, row_byte_limit, make_cuda_route_packer),
                    pack_routes(fabric, hosts, {}, row_byte_limit));
    }
}

TEST_P(CudaVolume, IsTheCpus) {
    Fabric const fabric = GetParam().fabric();
    if (!fabric.routed) GTEST_SKIP() << "no tables of Selene: TAILBACK_SELENE may name their folder";
    switch (GetParam().what) {
        case What::evaluate: return evaluates_as_the_cpu(fabric);
        case What::audit: return audits_as_the_cpu(fabric);
        case What::pack: return packs_as_the_cpu(fabric);
    }
}

INSTANTIATE_TEST_SUITE_P(, CudaVolume, ::testing::ValuesIn(all_cases()),
                         [](auto const& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace tailback::cuda_volume_test
