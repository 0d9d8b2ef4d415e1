#include "bench/cuda_cases.hpp"

#include "bench/divided_study.hpp"
#include "host/formats/formats.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/regular.hpp"

#include <cstdlib>
#include <numeric>
#include <random>

namespace tailback::bench {
namespace {

struct Tree {
    char const* name;
    XgftSpec whole, small;
    bool arithmetic;  ///< routes without tables
};
Tree const trees[] = {
    {"128", {{8, 16}, {1, 8}, 0}, {{4, 4}, {1, 4}, 0}, false},
    {"648", {{18, 36}, {1, 18}, 0}, {{4, 6}, {1, 4}, 0}, false},
    {"1142", {{12, 12, 8}, {1, 12, 12}, 1142}, {{3, 3, 4}, {1, 3, 3}, 35}, false},
    {"1152", {{12, 12, 8}, {1, 12, 12}, 0}, {{3, 3, 4}, {1, 3, 3}, 0}, false},
    {"11664", {{18, 18, 36}, {1, 18, 18}, 0}, {{4, 4, 4}, {1, 4, 4}, 0}, false},
    {"65536", {{32, 32, 64}, {1, 32, 32}, 0}, {{4, 4, 8}, {1, 4, 4}, 0}, true},
    {"524288", {{64, 64, 128}, {1, 64, 64}, 0}, {{4, 8, 8}, {1, 4, 8}, 0}, true},
};
constexpr char const* selene = "selene";

/// Trees whose switches choose among all ports that lead on.
struct TreeOfSets {
    char const *name, *whole, *small;
};
TreeOfSets const trees_of_sets[] = {
    {"1152-sets", "xgft:m=12x12x8,w=1x12x12", "xgft:m=3x3x4,w=1x3x3"},
    {"11664-sets", "xgft:m=18x18x36,w=1x18x18", "xgft:m=4x4x4,w=1x4x4"},
};

/// Where Selene's tables are: a real fabric of 666 switches, published by its makers.
std::string selene_folder() {
    char const* const folder = std::getenv("TAILBACK_SELENE");
    return folder == nullptr ? "" : folder;
}

Fabric make_fabric(std::string const& network, BenchSize size) {
    if (network == selene) {
        Disagreements ignored;
        return read_fabric(selene_folder() + "/ibnetdiscover.out.xz", selene_folder() + "/opensm-lfts.dump.xz",
                           ignored);
    }
    for (Tree const& tree : trees)
        if (network == tree.name) {
            XgftSpec const& spec = size == BenchSize::whole ? tree.whole : tree.small;
            return tree.arithmetic ? fabric_of(make_regular_xgft(spec, "dmodk", tree.name)) : make_xgft(spec);
        }
    for (TreeOfSets const& tree : trees_of_sets)
        if (network == tree.name)
            return fabric_with_sets(size == BenchSize::whole ? tree.whole : tree.small, "ar:minimal");
    throw std::logic_error("no network has the name " + network);
}

using MakeStudy = std::function<Study(Fabric const&)>;

MakeStudy study_of(std::string const& pattern, std::vector<Metric> metrics = {Metric::hist_acc_band}) {
    return [=](Fabric const&) {
        Study study;
        study.traffic.pattern = pattern;
        study.measures.metrics = metrics;
        return study;
    };
}

/// Each rank sends another so many bytes, drawn once, of so many bits.
MakeStudy weighted_permutation(std::vector<Metric> const& metrics, unsigned bits = 20) {
    return [=](Fabric const& fabric) {
        auto const ranks = static_cast<std::uint32_t>(fabric.network.hosts().size());
        std::vector<std::uint32_t> to(ranks);
        std::iota(to.begin(), to.end(), 0);
        std::mt19937_64 random(1);
        for (std::uint32_t r = ranks - 1; r > 0; --r) std::swap(to[r], to[random() % (r + 1)]);
        Study study;
        study.traffic.pattern = listed_pattern;
        FlowList& list = study.traffic.listed_flows;
        list.ranks = list.measured_ranks = ranks;
        for (std::uint32_t r = 0; r < ranks; ++r) {
            if (to[r] == r) continue;
            list.flows.push_back({r, to[r]});
            list.weights.push_back(1 + random() % (std::uint64_t{1} << bits));
        }
        list.levels.push_back({.first_flow = 0, .flow_count = list.flows.size()});
        study.measures.metrics = metrics;
        return study;
    };
}

MakeStudy all_to_all(std::uint32_t drawn, bool with_histogram) {
    return [=](Fabric const& fabric) {
        Study study;
        study.traffic.pattern = "all-to-all";
        study.traffic.may_leave_flows_unlisted = true;
        if (drawn > 0) {
            study.placement.ranks = std::min(drawn, static_cast<std::uint32_t>(fabric.network.hosts().size() / 2));
            study.placement.subset = SubsetKind::random;
        }
        study.measures.metrics = {Metric::hist_acc_band};
        if (with_histogram) study.measures.metrics.push_back(Metric::hist_max_cong);
        return study;
    };
}

void add_shapes(std::vector<StudyCase>& cases) {
    auto const add = [&](char const* network, std::string const& name, std::optional<CudaTeamKind> kind,
                         ShapeWishes const& wishes) {
        cases.push_back(
            {std::string("shape/") + network + "/" + name, network, study_of("bisect"), kind, wishes, false});
    };
    for (char const* network : {"128", "1142"}) {
        for (std::uint32_t const turns : {1u, 4u, 16u})
            add(network, "turns=" + std::to_string(turns), CudaTeamKind::warp, {.turns = turns});
        for (std::uint32_t const warps : {24u})
            add(network, "warps=" + std::to_string(warps), CudaTeamKind::warp, {.teams_a_block = warps});
    }
    add("1142", "block", CudaTeamKind::block, {});
    add("1142", "global", CudaTeamKind::global, {});
    for (std::uint32_t const turns : {1u, 4u})
        add("11664", "turns=" + std::to_string(turns), CudaTeamKind::block, {.turns = turns});
    for (std::uint32_t const threads : {256u, 512u, 1024u})
        add("11664", "threads=" + std::to_string(threads), CudaTeamKind::block, {.threads = threads});
    for (std::uint32_t const claims : {2048u, 8192u})
        add("11664", "claims=" + std::to_string(claims), CudaTeamKind::block, {.claims = claims});
    for (std::uint32_t const threads : {512u, 384u, 256u})  // with fewer blocks the first cache holds the tables
        for (std::uint32_t const blocks : {1u, 2u, 3u})
            if (blocks * threads >= 512 && blocks * threads <= 1024)
                add("11664",
                    "blocks=" + std::to_string(blocks) + ",threads=" + std::to_string(threads) + ",claims=2048",
                    CudaTeamKind::block, {.threads = threads, .claims = 2048, .side_by_side = blocks});
    add("11664", "blocks=1,threads=1024,claims=4096", CudaTeamKind::block,
        {.threads = 1024, .claims = 4096, .side_by_side = 1});
    add("11664", "cluster", CudaTeamKind::cluster, {});
    add("11664", "global", CudaTeamKind::global, {});
    for (std::uint32_t const blocks : {4u, 8u})
        add("65536", "blocks=" + std::to_string(blocks), CudaTeamKind::cluster, {.blocks_a_team = blocks});
    for (std::uint32_t const threads : {512u, 1024u})
        add("65536", "threads=" + std::to_string(threads), CudaTeamKind::cluster, {.threads = threads});
    add("65536", "global", CudaTeamKind::global, {});
}

}  // namespace

std::vector<StudyCase> study_cases() {
    std::vector<StudyCase> cases;
    auto const add = [&](std::string const& group, char const* network, std::string const& what,
                         MakeStudy const& study) {
        cases.push_back({group + "/" + network + "/" + what, network, study, {}, {}, true});
    };
    add("eval", "1142", "bisect", study_of("bisect"));
    add("eval", "1142", "rand", study_of("rand"));
    add("eval", "1142", "bruck", study_of("bruck"));
    add("eval", "128", "bisect", study_of("bisect"));
    add("eval", "128", "rand", study_of("rand"));
    add("eval", "648", "bisect", study_of("bisect"));
    add("eval", "11664", "bisect", study_of("bisect"));
    add("eval", "11664", "rand", study_of("rand"));
    add("eval", "65536", "bisect", study_of("bisect"));
    add("eval", "65536", "rand", study_of("rand"));
    add("weights", "1152", "permutation", weighted_permutation({Metric::hist_acc_band}));
    add("weights", "1152", "permutation-40-bits", weighted_permutation({Metric::hist_acc_band}, 40));
    add("weights", "11664", "permutation", weighted_permutation({Metric::hist_acc_band}));
    add("weights", "1152", "rabenseifner",
        study_of("allreduce:algorithm=rabenseifner,size=67108864", {Metric::sum_max_cong}));
    add("sharing", "1152", "max-min", study_of("bisect", {Metric::max_min_band}));
    add("sharing", "11664", "max-min", study_of("bisect", {Metric::max_min_band}));
    add("sharing", "1142", "makespan", weighted_permutation({Metric::makespan}));
    add("all-to-all", "1152", "band", all_to_all(0, false));
    add("all-to-all", "1152", "histogram", all_to_all(0, true));
    add("all-to-all", "11664", "drawn-512", all_to_all(512, false));
    add("all-to-all", "11664", "drawn-512-histogram", all_to_all(512, true));
    for (char const* network : {"1152-sets", "11664-sets"})
        cases.push_back({std::string("division/") + network + "/bisect",
                         network,
                         study_of("bisect", {Metric::hist_acc_band, Metric::sum_max_cong}),
                         {},
                         {},
                         true,
                         CaseDivision::equal});
    cases.push_back({"hashed/1152-sets/bisect", "1152-sets", study_of("bisect"), {}, {}, true, CaseDivision::hashed});
    add("eval", "11664", "rand-of-64-drawn", [](Fabric const& fabric) {
        Study study = study_of("rand")(fabric);
        study.placement.ranks = std::min<std::uint32_t>(64, std::uint32_t(fabric.network.hosts().size() / 2));
        study.placement.subset = SubsetKind::random;
        return study;
    });
    add("metrics", "128", "get_cable_cong", study_of("bisect", {Metric::get_cable_cong}));
    add("metrics", "1142", "all", study_of("bisect", metrics_of_all()));
    add("metrics", "1142", "get_cable_cong", study_of("bisect", {Metric::get_cable_cong}));
    add("metrics", "11664", "all", study_of("bisect", metrics_of_all()));
    add("metrics", "11664", "get_cable_cong", study_of("bisect", {Metric::get_cable_cong}));
    cases.push_back({"selene/bisect", selene, study_of("bisect"), {}, {}, true});
    add("eval", "524288", "bisect", study_of("bisect"));
    add("eval", "524288", "rand", study_of("rand"));
    add_shapes(cases);
    return cases;
}

std::string reason_against(std::string const& network) {
    return network == selene && selene_folder().empty() ? "its tables are not here; TAILBACK_SELENE names their folder"
                                                        : "";
}

Fabric const& fabric_named(std::string const& network, BenchSize size) {
    static std::string kept;
    static std::optional<Fabric> fabric;
    if (kept != network) {
        kept.clear();
        fabric.reset();
        fabric.emplace(make_fabric(network, size));
        kept = network;
    }
    return *fabric;
}

StudyPlan plan_of(StudyCase const& one, BenchSize size) {
    Fabric const& fabric = fabric_named(one.network, size);
    Study study = one.study(fabric);
    study.sample.mappings = 1'000'000'000;  // as a long study is planned
    return make_plan(fabric, study);
}

PlannedCase::PlannedCase(StudyCase const& one, BenchSize size) : one_(one), whole_(plan_of(one, size)) {
    if (one.division == CaseDivision::equal)
        divided_ = std::make_unique<DividedPlan const>(
            whole_, link_costs(whole_.fabric->network, whole_.study.measures.capacities), 0);
    if (one.division == CaseDivision::hashed) hashed_ = std::make_unique<HashedPlan const>(whole_);
}
PlannedCase::~PlannedCase() = default;

StudyPlan const& PlannedCase::plan() const { return divided_ ? divided_->plan : hashed_ ? hashed_->plan : whole_; }

std::unique_ptr<Executor> PlannedCase::on_cuda() const {
    if (hashed_) return hashed_on_cuda(whole_, hashed_->ways)(hashed_->plan);
    return make_cuda_executor(plan().problem, one_.kind, one_.wishes, divided_ ? &divided_->tables.view() : nullptr);
}

std::unique_ptr<Executor> PlannedCase::on_cpu(unsigned threads) const {
    if (hashed_) return make_hashed_executor(hashed_->plan, hashed_->ways, threads);
    return divided_ ? divided_->on_cpu(threads) : make_cpu_executor(whole_.problem, threads);
}

std::unique_ptr<Executor> PlannedCase::by_another_way() const {
    if (hashed_) return hashed_->walking(0);
    return divided_ ? make_cpu_executor(plan().problem, 0, divided_->tables.view())
                    : make_cpu_executor(plan().problem, 0, CpuVariant::kernel_body);
}

}  // namespace tailback::bench
