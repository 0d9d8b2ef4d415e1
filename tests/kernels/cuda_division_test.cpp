// Flows that every switch divides equally, by the body of kernels/division: on the CPU and on a CUDA device its tallies
// and totals are those of EqualSplit, bit for bit, and those of a definition that shares no code with either. Where a
// device is asked for and none is there, these skip with the reason, and fail where TAILBACK_REQUIRE_GPU=1.
#include "host/evaluation/run_sums.hpp"
#include "tests/support/networks/divided_study.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/outcome.hpp"
#include "tests/support/programs/required.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/two_adapters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <set>

namespace tailback::cuda_division_test {
namespace {

Study study_of(std::string const& pattern, bool with_links = true) {
    Study study;
    study.traffic.pattern = pattern;
    study.sample.mappings = 1000;
    study.measures.metrics = {Metric::hist_acc_band, Metric::sum_max_cong, Metric::dep_max_delay,
                              Metric::hist_max_cong};
    if (with_links) study.measures.metrics.push_back(Metric::get_cable_cong);
    return study;
}

/// Some switches send some LIDs by a port that leads astray.
Fabric with_wrong_sets(Fabric fabric, unsigned one_of) {
    auto sets = std::make_shared<CandidateSets>(*fabric.candidates);
    Dice dice;
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
        for (Lid lid = 1; lid < sets->lids(); ++lid) {
            Node const node{n};
            auto const group = sets->group(node, lid);
            if (group == CandidateSets::no_group || dice(one_of) != 0) continue;
            std::vector<Port> ports(sets->ports(node, group).begin(), sets->ports(node, group).end());
            ports.push_back(Port(200));
            sets->set(node, lid, sets->state(node, lid), sets->group_of(node, ports));
        }
    fabric.candidates = std::move(sets);
    return fabric;
}

/// Messages of up to `most` bytes between ranks, some of which send several.
Study with_bytes(std::uint32_t ranks, std::uint64_t most) {
    Study study = study_of(listed_pattern);
    FlowList& list = study.traffic.listed_flows;
    list.ranks = list.measured_ranks = ranks;
    std::mt19937_64 random(3);
    for (int l = 0; l < 2; ++l) {
        std::size_t const first = list.flows.size();
        for (std::uint32_t f = 0; f < 2 * ranks; ++f) {
            std::uint32_t const from = std::uint32_t(random() % ranks), to = std::uint32_t(random() % ranks);
            if (from == to) continue;
            list.flows.push_back({from, to});
            list.weights.push_back(1 + random() % most);
        }
        list.levels.push_back({.first_flow = first, .flow_count = list.flows.size() - first, .random = {}});
    }
    return study;
}

struct DivisionCase {
    char const* name;
    std::function<std::unique_ptr<DividedStudy>()> make;
};

std::uint32_t uneven_cost(std::size_t link) { return 1 + std::uint32_t(link * link % 5); }

std::unique_ptr<DividedStudy> divided(Fabric fabric, Study const& study, std::uint32_t (*cost)(std::size_t) = nullptr) {
    return std::make_unique<DividedStudy>(std::move(fabric), study, cost);
}

/// Trees and graphs with long and short ways; flows without bytes and with; levels, drawn flows, nodes; what fails;
/// costs; remainders, and flows of which less than a unit is left.
std::vector<DivisionCase> small_cases() {
    std::vector<DivisionCase> cases;
    auto const add = [&](char const* name, std::function<std::unique_ptr<DividedStudy>()> make) {
        cases.push_back({name, std::move(make)});
    };
    for (char const* spec : {"xgft:2;4,4;1,2", "xgft:3;2,3,4;1,2,3", "jellyfish:switches=12,degree=4,hosts=2,seed=3",
                             "dragonfly:a=4,p=2,h=2", "hyperx:3x3", "hypercube:3", "torus:4x3,hosts=2", "star:5"})
        for (char const* pattern : {"bisect", "rand"})
            add(spec, [=] { return divided(fabric_with_sets(spec, "ar:minimal"), study_of(pattern)); });
    add("levels", [] { return divided(fabric_with_sets("xgft:2;4,4;1,2", "ar:ftree"), study_of("bruck")); });
    add("updn", [] { return divided(fabric_with_sets("dragonfly:a=4,p=2,h=2", "ar:updn"), study_of("tree")); });
    add("a part of the hosts", [] {
        Study study = study_of("rand");
        study.placement.ranks = 9;
        study.placement.subset = SubsetKind::random;
        return divided(fabric_with_sets("xgft:2;4,4;1,2", "ar:minimal"), study);
    });
    add("bytes", [] { return divided(fabric_with_sets("hyperx:3x3", "ar:minimal"), with_bytes(9, 1 << 20)); });
    add("nodes", [] {
        Study study = study_of("rand");
        std::mt19937 random(5);
        place_on_two_adapters(study, 16, 1000, false, random);
        return divided(fabric_with_sets("xgft:2;4,4;1,2", "ar:minimal"), study);
    });
    add("wrong sets", [] {
        return divided(with_wrong_sets(fabric_with_sets("xgft:3;2,3,4;1,2,3", "ar:minimal"), 9), study_of("rand"));
    });
    add("costs",
        [] { return divided(fabric_with_sets("xgft:3;2,3,4;1,2,3", "ar:minimal"), study_of("rand"), uneven_cost); });
    add("remainders",
        [] { return divided(fabric_with_sets("mesh:2x40", "ar:minimal"), with_bytes(80, std::uint64_t{1} << 20)); });
    add("more than fits shared memory", [] {  // a class has 260 bundles
        return divided(fabric_with_sets("ring:260", "ar:minimal"), study_of("rand", false));
    });
    add("less than a unit", [] { return divided(fabric_with_sets("mesh:2x40", "ar:minimal"), study_of("bisect")); });
    return cases;
}

void expect_same(Executor& got, Outcome const& want, std::size_t mappings, std::uint64_t first = 5) {
    Outcome const found = run(got, mappings, first);
    EXPECT_EQ(found.tallies, want.tallies);
    EXPECT_EQ(found.totals, want.totals);
}

TEST(EqualDivision, TheBodyIsEqualSplitBitForBit) {
    std::size_t rounded = 0, failed = 0, within = 0, local = 0;
    for (DivisionCase const& one : small_cases()) {
        SCOPED_TRACE(one.name);
        auto const study = one.make();
        Outcome const want = run(*study->on_cpu(), 40);
        expect_same(*make_cpu_executor(study->plan.problem, 1, study->tables.view()), want, 40);
        rounded += study->tables.view().rounded;
        for (MappingTally const& tally : want.tallies)
            failed += tally.unreachable, within += tally.within_nodes, local += tally.local;
    }
    EXPECT_EQ(rounded, 2u);
    EXPECT_TRUE(failed > 0 && within > 0 && local > 0);
}

TEST(EqualDivision, FullTreesCarryEveryPermutationAsIfItWereAlone) {
    for (char const* spec : {"xgft:2;4,4;1,4", "xgft:3;3,3,4;1,3,3"}) {
        auto const study = divided(fabric_with_sets(spec, "ar:minimal"), study_of("rand"));
        auto const executor = make_cpu_executor(study->plan.problem, 1, study->tables.view());
        for (MappingTally const& tally : run(*executor, 50).tallies)
            EXPECT_EQ(tally.congestion_sum, study->plan.denominator);
    }
}

/// The definition, taken at its word, with no plan: a part of a flow goes on in equal parts by all ports of its set.
class ByHand {
public:
    explicit ByHand(Fabric const& fabric) : fabric_(fabric), load_(fabric.network.links().size()) {}
    void send(Host from, Host to) {
        Network const& net = fabric_.network;
        Link const up = net.link_at(net[from].node, net[from].port);
        use(up, 1);
        divide(net[up].to, net[to].lid, 1);
    }
    double largest() const { return *std::max_element(load_.begin(), load_.end()); }

private:
    void use(Link link, double part) { load_[link.value] += part; }
    void divide(Node at, Lid lid, double part) {
        if (fabric_.network.owner(lid).node == at) return;
        auto const group = fabric_.candidates->group(at, lid);
        std::vector<Port> ports{fabric_.tables.port(at, lid)};
        if (group != CandidateSets::no_group)
            ports.assign(fabric_.candidates->ports(at, group).begin(), fabric_.candidates->ports(at, group).end());
        for (Port const port : ports) {
            Link const link = fabric_.network.link_at(at, port);
            use(link, part / double(ports.size()));
            divide(fabric_.network[link].to, lid, part / double(ports.size()));
        }
    }
    Fabric const& fabric_;
    std::vector<double> load_;
};

TEST(EqualDivision, IsTheDefinition) {
    for (char const* spec : {"xgft:2;4,4;1,2", "xgft:3;2,3,4;1,2,3", "dragonfly:a=4,p=2,h=2", "hyperx:3x3",
                             "torus:4x3,hosts=2", "jellyfish:switches=12,degree=4,hosts=2,seed=3"}) {
        SCOPED_TRACE(spec);
        auto const study = divided(fabric_with_sets(spec, "ar:minimal"), study_of("bisect"));
        auto const executor = make_cpu_executor(study->plan.problem, 1, study->tables.view());
        std::vector<MappingTally> const tallies = run(*executor, 20).tallies;
        for (std::uint64_t m = 0; m < 20; ++m) {
            ByHand by_hand(study->fabric);
            std::vector<Host> const hosts = study->plan.hosts_of_mapping(5 + m);
            for (auto const& flow : study->plan.flow_list.flows)
                by_hand.send(hosts[flow.source], hosts[flow.destination]);
            EXPECT_NEAR(double(tallies[m].congestion_sum) / double(study->plan.denominator), by_hand.largest(), 1e-6);
        }
    }
}

class CudaDivision : public ::testing::Test {
protected:
    void SetUp() override {
        CudaDevices const devices = find_cuda_devices();
        skip_where_missing(devices.names.empty() ? "no CUDA device: " + devices.reason : "", "TAILBACK_REQUIRE_GPU");
    }
    /// On the emulated device and under compute-sanitizer, which are slow.
    static bool only_small() {
        return std::getenv("TAILBACK_SMALL_CASES") != nullptr && std::getenv("TAILBACK_LONG_TESTS") == nullptr;
    }
    /// By each kind of kernel that fits, and by the one that is chosen; returns the latter's.
    static CudaTeamKind expect_the_cpus(DividedStudy const& study, std::size_t mappings,
                                        ShapeWishes const& wishes = {}) {
        Outcome const want = run(*study.on_cpu(0), mappings);
        CudaTeamKind chosen = CudaTeamKind::warp;
        for (auto const kind :
             {std::optional<CudaTeamKind>(), std::optional(CudaTeamKind::block), std::optional(CudaTeamKind::global)}) {
            SCOPED_TRACE(kind ? int(*kind) : -1);
            auto const executor = make_cuda_executor(study.plan.problem, kind, wishes, &study.tables.view());
            EXPECT_EQ(executor == nullptr, kind == CudaTeamKind::block && chosen == CudaTeamKind::global);
            if (executor == nullptr || kind == chosen) continue;  // the same kernel, in the same shape
            if (!kind) chosen = executor->launch_facts()->kind;
            expect_same(*executor, want, mappings);
        }
        return chosen;
    }
};

TEST_F(CudaDivision, IsTheCpusInSmall) {
    std::set<CudaTeamKind> chosen;
    for (DivisionCase const& one : small_cases()) {
        SCOPED_TRACE(one.name);
        chosen.insert(expect_the_cpus(*one.make(), 33));  // of 32 lanes, and one more
    }
    EXPECT_EQ(chosen, (std::set{CudaTeamKind::block, CudaTeamKind::global}));
}

/// A block has 32 mappings: of batches that fill the last block and do not, with idle lanes; and of blocks that go
/// round more than once.
TEST_F(CudaDivision, AnyNumberOfMappings) {
    auto const study = divided(fabric_with_sets("xgft:2;4,4;1,2", "ar:minimal"), study_of("rand"));
    for (std::size_t const mappings : {1u, 31u, 32u, 33u, 64u, 65u, 2600u}) expect_the_cpus(*study, mappings);
}

/// Warps share the classes of destinations: fewer of them than classes, as many, and more.
TEST_F(CudaDivision, AnyNumberOfWarps) {
    for (char const* spec : {"xgft:2;4,4;1,2", "hyperx:3x3", "jellyfish:switches=12,degree=4,hosts=2,seed=3"}) {
        auto const study = divided(fabric_with_sets(spec, "ar:minimal"), study_of("bisect"));
        for (std::uint32_t const threads : {32u, 64u, 96u, 128u, 160u, 512u})
            expect_the_cpus(*study, 35, {.threads = threads});
    }
}

TEST_F(CudaDivision, IsTheCpusOn1152Hosts) {
    auto const study = divided(fabric_with_sets("xgft:m=12x12x8,w=1x12x12", "ar:minimal"), study_of("bisect"));
    expect_the_cpus(*study, 40);
}

TEST_F(CudaDivision, IsTheCpusOn11664Hosts) {
    if (only_small()) GTEST_SKIP() << "it takes long on a device that is emulated or checked: TAILBACK_LONG_TESTS=1";
    auto const study = divided(fabric_with_sets("xgft:m=18x18x36,w=1x18x18", "ar:minimal"), study_of("bisect", false));
    Outcome const want = run(*study->on_cpu(0), 3);
    auto const executor = make_cuda_executor(study->plan.problem, {}, {}, &study->tables.view());
    EXPECT_EQ(executor->launch_facts()->kind, CudaTeamKind::block);
    expect_same(*executor, want, 3);
}

TEST_F(CudaDivision, SummariesAreThoseOfTheTallies) {
    auto const study = divided(fabric_with_sets("dragonfly:a=4,p=2,h=2", "ar:minimal"), study_of("rand"));
    WantedNumbers const wanted = wanted_numbers(study->plan);
    auto const cpu = study->on_cpu();
    auto const cuda = make_cuda_executor(study->plan.problem, {}, {}, &study->tables.view());
    cpu->evaluate_and_reduce(7, 300, wanted);
    cuda->evaluate_and_reduce(7, 300, wanted);
    Reduction const a = cpu->take_reduction(), b = cuda->take_reduction();
    EXPECT_EQ(a.mappings, b.mappings);
    EXPECT_EQ(a.delivered, b.delivered);
    for (std::uint32_t k = 0; k < WantedNumbers::most; ++k)
        EXPECT_TRUE(a.number[k].values.counts.sorted() == b.number[k].values.counts.sorted()) << k;
}

}  // namespace
}  // namespace tailback::cuda_division_test
