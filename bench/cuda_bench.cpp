// What a GPU does, case by case, as lines of JSON: where a case begins, what was measured (`type` is `case`; a few
// cases have several), where it ends. Rates are taken in fixed windows, beside the cores of the device's own host.
// Every study is first checked: some mappings must come to the tallies that the kernel's body makes on the CPU.
//   cuda_bench [--cases REGEX] [--after NAME] [--seconds S] [--windows N] [--no-cpu] [--small] [--list]
//   rate     mappings a second, drawing and reduction included; median, least and most of the windows
//   alone    the same without the reduction to distributions
// Exit codes: 0 all well; 1 wrong tallies or a failed case; 2 usage; 3 the device broke; 4 no device.
#include "bench/cuda_cases.hpp"
#include "bench/cuda_roofline.hpp"
#include "bench/rooms.hpp"
#include "host/audit/loads/all_pairs.hpp"
#include "host/evaluation/run_sums.hpp"
#include "host/model/pack/route_store.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/evaluate/load_bound.hpp"

#include <cxxopts.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <regex>

namespace tailback::bench {

double roofline_wavefronts() {
    constexpr std::uint32_t warps = 2000, words = 8192;
    double sum = 0;
    for (std::uint32_t warp = 0; warp < warps; ++warp)
        for (std::uint32_t k = 0; k < roofline_words; ++k) {
            std::uint32_t meet[32] = {};
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                ++meet[roofline_block(32 * warp + lane, k / 4).word[k % 4] % words % 32];
            sum += *std::max_element(meet, meet + 32);
        }
    return sum / (double(warps) * roofline_words);
}

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

struct Options {
    double seconds = 0.2;  ///< of a window
    int windows = 5;
    bool cpu = true;
    BenchSize size = BenchSize::whole;
    bool small() const { return size == BenchSize::small; }
    RooflineSize roofline() const { return small() ? RooflineSize::small : RooflineSize::whole; }
};

double seconds_since(Clock::time_point begun) { return std::chrono::duration<double>(Clock::now() - begun).count(); }

void print(Json const& line) {
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
}

char const* name_of(CudaTeamKind kind) {
    switch (kind) {
        case CudaTeamKind::warp: return "warp";
        case CudaTeamKind::block: return "block";
        case CudaTeamKind::cluster: return "cluster";
        case CudaTeamKind::global: break;
    }
    return "global";
}

/// Whether some mappings come to the tallies of the kernel's body on the CPU.
bool is_right(PlannedCase const& planned, Executor& executor, bool small) {
    std::uint32_t const ranks = planned.plan().problem.placement.ranks;
    std::vector<MappingTally> got(small || ranks > 20'000 ? 3 : ranks > 2'000 ? 16 : 128), expected(got.size());
    executor.evaluate(1000, got);
    planned.by_another_way()->evaluate(1000, expected);
    return got == expected;
}

/// Mappings a second of an executor, window by window. A batch has at least a mapping for each of its teams.
class RateOf {
public:
    RateOf(Executor& executor, WantedNumbers const& wanted, double seconds) : executor_(executor), wanted_(wanted) {
        std::uint64_t const most = executor.good_batch();
        auto const facts = executor.launch_facts();
        if (seconds > 0) batch_ = std::clamp<std::uint64_t>(facts ? facts->teams : executor.threads(), 1, most);
        double const warm = seconds;  // as long again, while batches grow to a quarter of a window
        for (auto const begun = Clock::now();;) {
            auto const turn = Clock::now();
            call();
            double const took = (executor_.take_reduction(), seconds_since(turn));
            if (took < seconds / 4 && batch_ < most) batch_ = std::min(4 * batch_, most);
            else if (seconds_since(begun) >= warm) break;
        }
    }
    double window(double seconds) {
        auto const begun = Clock::now();
        std::uint64_t done = 0;
        do {
            call();
            done += batch_;
        } while (seconds_since(begun) < seconds);
        executor_.take_reduction();
        return double(done) / seconds_since(begun);
    }
    std::uint64_t batch() const { return batch_; }

private:
    void call() {
        executor_.evaluate_and_reduce(first_, batch_, wanted_);
        first_ += batch_;
    }
    Executor& executor_;
    WantedNumbers const& wanted_;
    std::uint64_t batch_ = 1, first_ = 0;
};

Json spread_of(std::vector<double> rates) {
    std::sort(rates.begin(), rates.end());
    return {{"median", rates[rates.size() / 2]}, {"least", rates.front()}, {"most", rates.back()}};
}

double rate_on_cpu(PlannedCase const& planned, WantedNumbers const& wanted, unsigned threads, double seconds) {
    std::unique_ptr<Executor> const executor = planned.on_cpu(threads);
    return RateOf(*executor, wanted, seconds).window(seconds);
}

void describe(Json& line, StudyPlan const& plan, Executor const& executor) {
    line["hosts"] = plan.problem.placement.study_hosts;
    line["ranks"] = plan.problem.placement.ranks;
    line["pattern"] = plan.study.traffic.pattern;
    std::string metrics;
    for (Metric const metric : plan.study.measures.metrics)
        metrics += (metrics.empty() ? "" : " ") + std::string(info_of(metric).name);
    line["metrics"] = metrics;
    if (auto const facts = executor.launch_facts()) {
        line["kind"] = name_of(facts->kind);
        line["blocks"] = facts->blocks;
        line["threads"] = facts->threads;
        line["teams"] = facts->teams;
        line["shared_bytes"] = facts->shared_bytes;
        line["registers"] = facts->registers;
        line["local_bytes"] = facts->local_bytes;
    }
}

/// @return whether its tallies are right.
bool measure_study(StudyCase const& one, Options const& options) {
    Json line = {{"type", "case"}, {"case", one.name}};
    if (std::string const reason = reason_against(one.network); !reason.empty()) {
        line["skipped"] = reason;
        print(line);
        return true;
    }
    fabric_named(one.network, options.size);
    auto begun = Clock::now();
    PlannedCase const planned(one, options.size);
    StudyPlan const& plan = planned.plan();
    double const plan_s = seconds_since(begun);
    begun = Clock::now();
    std::unique_ptr<Executor> const executor = planned.on_cuda();
    double const executor_s = seconds_since(begun);
    if (executor == nullptr) {
        line["skipped"] = "there is no such team for this study";
        print(line);
        return true;
    }
    describe(line, plan, *executor);
    bool const right = is_right(planned, *executor, options.small());
    WantedNumbers const wanted = wanted_numbers(plan), none{};
    RateOf whole(*executor, wanted, options.seconds);
    std::vector<double> rates, alone;
    for (int w = 0; w < options.windows; ++w) rates.push_back(whole.window(options.seconds));
    RateOf bare(*executor, none, options.seconds / 2);
    for (int w = 0; w < std::min(options.windows, 3); ++w) alone.push_back(bare.window(options.seconds / 2));
    line["batch"] = whole.batch();
    line["unit"] = "mappings/s";
    line["rate"] = spread_of(rates);
    line["alone"] = spread_of(alone)["median"];
    line["hops/s"] = line["rate"]["median"].get<double>() * double(plan.flows_per_mapping) * plan.mean_links;
    line["plan_s"] = plan_s;
    line["executor_s"] = executor_s;
    if (options.cpu && one.beside_cpu) {
        line["one_core"] = rate_on_cpu(planned, wanted, 1, 1.5 * options.seconds);
        line["all_cores"] = rate_on_cpu(planned, wanted, 0, 1.5 * options.seconds);
        line["cores"] = threads_to_use(0);
    }
    line["verified"] = right;
    print(line);
    return right;
}

template <class Work>
double least_seconds(int times, Work&& work) {
    double least = 1e30;
    for (int i = 0; i < times; ++i) {
        auto const begun = Clock::now();
        work();
        least = std::min(least, seconds_since(begun));
    }
    return least;
}

/// A whole audit of all pairs, and the packing of all routes, of a real fabric.
bool measure_tables(std::string const& name, Options const& options) {
    Json line = {{"type", "case"}, {"case", name}};
    if (std::string const reason = reason_against("selene"); !reason.empty()) {
        line["skipped"] = reason;
        print(line);
        return true;
    }
    Fabric const& fabric = fabric_named("selene", options.size);
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < fabric.network.hosts().size(); ++h) hosts.emplace_back(h);
    int const times = options.windows > 1 ? 3 : 1;
    bool right = false;
    double device = 0, one = 0, all = 0;
    if (name == "selene/audit") {
        Forwarding const forwarding(fabric);
        AllPairsRequest const request{hosts, hosts};
        AllPairsResult on_device, on_cpu;
        auto const audit = [&](DeviceChoice choice, unsigned threads, AllPairsResult& result) {
            return least_seconds(times, [&] { result = count_all_pairs(forwarding, request, {choice, threads}); });
        };
        device = audit(DeviceChoice::cuda, 1, on_device);
        all = audit(DeviceChoice::cpu, 0, on_cpu);
        if (options.cpu) one = audit(DeviceChoice::cpu, 1, on_cpu);
        right = on_device == on_cpu;
        line["unit"] = "audits/s";
    } else {
        std::size_t const limit = std::size_t{1} << 30;
        RouteStore on_device, on_cpu;
        device =
            least_seconds(times, [&] { on_device = pack_routes(fabric, hosts, {}, limit, make_cuda_route_packer); });
        all = least_seconds(times, [&] { on_cpu = pack_routes(fabric, hosts, {}, limit, make_cpu_route_packer); });
        right = on_device.rows.size() == on_cpu.rows.size() &&
                std::equal(on_cpu.rows.data(), on_cpu.rows.data() + on_cpu.rows.size(), on_device.rows.data()) &&
                on_device.steps == on_cpu.steps;
        line["unit"] = "packings/s";
    }
    line["hosts"] = hosts.size();
    line["rate"] = {{"median", 1 / device}};
    if (one > 0) line["one_core"] = 1 / one;
    line["all_cores"] = 1 / all;
    line["cores"] = threads_to_use(0);
    line["verified"] = right;
    print(line);
    return right;
}

void print_rate(std::string const& name, char const* unit, double rate) {
    print({{"type", "case"}, {"case", name}, {"unit", unit}, {"rate", {{"median", rate}}}});
}

/// Seconds of the whole device for what a mapping cannot do without, one after the other.
double floor_of(StudyPlan const& plan, CudaRoofline const& roof, RooflineSize size) {
    Problem const& p = plan.problem;
    double const flows = double(plan.flows_per_mapping), links = flows * plan.mean_counted_links;
    double seconds = measure_cuda_permutation(p.placement.ranks, size) +
                     (p.traffic.drawn_ranks[0] > 0 ? measure_cuda_permutation(p.traffic.drawn_ranks[0], size) : 0);
    std::size_t const row_bytes = p.routes.row_width * (p.routes.form == RouteForm::rows16 ? 2 : 4);
    if (p.routes.sums.source != nullptr) {  // both hosts' groups, and a part of each, from shared memory
        seconds += 2 * flows * 4 / roof.shared_reads;
    } else if (p.routes.rows != nullptr && p.routes.form != RouteForm::tree) {
        std::size_t const table = std::size_t{p.routes.groups} * p.placement.study_hosts * row_bytes;
        seconds += 2 * flows / gathers_from(row_bytes > 8 ? roof.gathers16 : roof.gathers8, table);
    }
    std::size_t const counter_bytes = std::size_t(p.routes.inner) * 4 >> packing_for(load_bound(p));
    bool const shared = counter_bytes < (std::size_t{3} << 20);  // of 16 blocks at most
    return seconds + links * (1 / (shared ? roof.shared_adds : roof.l2_adds) +
                              1 / (shared ? roof.shared_reads : roof.gathers8[1]));
}

/// The device's own rates, and what they would allow the studies of one metric.
bool measure_roofline(Options const& options) {
    CudaRoofline const roof = measure_cuda_roofline(options.roofline());
    print_rate("roofline/wavefronts", "wavefronts an access", roofline_wavefronts());
    print_rate("roofline/shared_adds", "accesses/s", roof.shared_adds);
    print_rate("roofline/shared_adds_apart", "accesses/s", roof.shared_adds_apart);
    print_rate("roofline/shared_reads", "accesses/s", roof.shared_reads);
    print_rate("roofline/ballots", "lanes/s", roof.ballots);
    print_rate("roofline/matches", "lanes/s", roof.matches);
    char const* const places[] = {"l1", "l2", "memory"};
    for (int k = 0; k < 3; ++k) {
        print_rate(std::string("roofline/gathers8_") + places[k], "accesses/s", roof.gathers8[k]);
        print_rate(std::string("roofline/gathers16_") + places[k], "accesses/s", roof.gathers16[k]);
    }
    print_rate("roofline/l2_adds", "accesses/s", roof.l2_adds);
    print_rate("roofline/l2_wide_adds", "accesses/s", roof.l2_wide_adds);
    print_rate("roofline/copied_bytes", "bytes/s", roof.copied_bytes);
    for (StudyCase const& one : study_cases())
        if (one.name.starts_with("eval/") && one.network != "524288") {
            StudyPlan const plan = plan_of(one, options.size);
            print_rate("roofline/floor/" + one.name, "mappings/s", 1 / floor_of(plan, roof, options.roofline()));
        }
    return true;
}

bool measure_permutations(std::uint32_t ranks, Options const& options) {
    std::string const name = "permutation/" + std::to_string(ranks);
    if (ranks > 8192) {
        print_rate(name + "/block", "permutations/s", 1 / measure_cuda_permutation(ranks, options.roofline()));
        return true;
    }
    struct Way {
        char const* name;
        FindBy by;
    };
    for (Way const& way : {Way{"match", FindBy::match}, {"cells", FindBy::cells}, {"ballots", FindBy::ballots}})
        print_rate(name + "/" + way.name, "permutations/s",
                   1 / measure_cuda_warp_permutation(ranks, way.by, options.roofline()));
    return true;
}

struct Case {
    std::string name;
    std::function<bool(Options const&)> measure;  ///< false: wrong
};

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (StudyCase const& one : study_cases()) {
        cases.push_back({one.name, [one](Options const& options) { return measure_study(one, options); }});
        if (one.name == "selene/bisect") {
            for (char const* name : {"selene/audit", "selene/packing"})
                cases.push_back({name, [name](Options const& options) { return measure_tables(name, options); }});
        }
    }
    std::vector<Case> instruments;
    for (std::uint32_t const ranks : {1142u, 128u, 648u, 11664u, 65536u, 524288u})
        instruments.push_back({"permutation/" + std::to_string(ranks),
                               [ranks](Options const& options) { return measure_permutations(ranks, options); }});
    instruments.push_back({"roofline/rates", measure_roofline});
    auto const shapes =
        std::find_if(cases.begin(), cases.end(), [](Case const& one) { return one.name.starts_with("shape/"); });
    cases.insert(shapes, instruments.begin(), instruments.end());
    return cases;
}

enum class Outcome { well, wrong, broken };

Outcome run_case(Case const& one, Options const& options) {
    print({{"type", "begin"}, {"case", one.name}});
    std::optional<bool> right;
    try {
        right = one.measure(options);
    } catch (std::exception const& caught) {
        print({{"type", "case"}, {"case", one.name}, {"error", caught.what()}});
    }
    print({{"type", "end"}, {"case", one.name}});
    if (right) return *right ? Outcome::well : Outcome::wrong;
    return use_cuda_device().names.empty() ? Outcome::broken : Outcome::wrong;
}

int run_all(std::regex const& wanted, std::string const& after, Options const& options) {
    CudaDevices const devices = find_cuda_devices();
    if (devices.names.empty()) {
        std::fprintf(stderr, "nothing measured: no CUDA device (%s)\n", devices.reason.c_str());
        return 4;
    }
    bool begun = after.empty(), wrong = false;
    for (Case const& one : all_cases()) {
        if (begun && std::regex_search(one.name, wanted)) switch (run_case(one, options)) {
                case Outcome::well: break;
                case Outcome::wrong: wrong = true; break;
                case Outcome::broken: return 3;
            }
        begun = begun || one.name == after;
    }
    return wrong ? 1 : 0;
}

int run(int argc, char** argv) {
    cxxopts::Options words("cuda_bench", "What a GPU does, case by case, as a line of JSON each");
    words.add_options()("cases", "those whose name has a match", cxxopts::value<std::string>()->default_value("."))(
        "after", "those after this one in the list", cxxopts::value<std::string>()->default_value(""))(
        "seconds", "of a window", cxxopts::value<double>()->default_value("0.2"))(
        "windows", "of a rate", cxxopts::value<int>()->default_value("5"))("no-cpu", "nothing on the host's cores")(
        "small", "networks for an emulated device: figures mean nothing")("list", "the names, one a line")("help",
                                                                                                           "this");
    auto const said = words.parse(argc, argv);
    if (said.count("help") > 0) return std::printf("%s", words.help().c_str()), 0;
    if (!said.unmatched().empty()) throw std::runtime_error("there is no option " + said.unmatched().front());
    if (said.count("list") > 0) {
        for (Case const& one : all_cases()) std::printf("%s\n", one.name.c_str());
        return 0;
    }
    Options options;
    options.seconds = said["seconds"].as<double>();
    options.windows = said["windows"].as<int>();
    options.cpu = said.count("no-cpu") == 0;
    options.size = said.count("small") > 0 ? BenchSize::small : BenchSize::whole;
    if (options.windows < 1 || !(options.seconds >= 0))
        throw std::runtime_error("--windows and --seconds are too small");
    std::string const after = said["after"].as<std::string>();
    auto const cases = all_cases();
    if (!after.empty() && std::none_of(cases.begin(), cases.end(), [&](Case const& one) { return one.name == after; }))
        throw std::runtime_error("--after: no case has the name " + after + "; --list tells them");
    std::string const wanted = said["cases"].as<std::string>();
    std::regex const regex(wanted);
    if (std::none_of(cases.begin(), cases.end(), [&](Case const& one) { return std::regex_search(one.name, regex); }))
        throw std::runtime_error("--cases: no name has a match for " + wanted + "; --list tells them");
    return run_all(regex, after, options);
}

}  // namespace
}  // namespace tailback::bench

int main(int argc, char** argv) {
    try {
        return tailback::bench::run(argc, argv);
    } catch (std::exception const& error) {
        std::fprintf(stderr, "cuda_bench: %s\n", error.what());
        return 2;
    }
}
