// tailback compare: what ports have counted beside what the routes say.
#include "host/api/jobs.hpp"
#include "host/api/obtain.hpp"
#include "host/audit/loads/edge_forwarding_index.hpp"
#include "host/audit/loads/measured.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/cxxopts.hpp"
#include "host/commands/options/jobs_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/options.hpp"
#include "host/commands/threads.hpp"
#include "host/io/output_file.hpp"
#include "host/report/pictures/counters_svg.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>

namespace tailback::commands {
namespace {

using Json = nlohmann::ordered_json;

constexpr char const* compare_examples = R"(
Expected is what all pairs of hosts load each port with if every pair sends the same: the edge
forwarding index, scaled so that the sums of sent and expected are equal. With --job or --jobs it is
what these jobs put on links, placed as `evaluate --job` places them (their first mapping), and ports
name the jobs that cross them. Counters that stand at
the end of 32 bits, and ports without any, are told and not used.

Examples:
  tailback compare --network ibdiagnet2-output --counters ibdiagnet2-output/ibdiagnet2.db_csv
  tailback compare --network ibdiagnet2-output --counters ibdiagnet2-output/ibdiagnet2.db_csv \\
                   --job 'cfd:traffic=cfd.mpiP,nodes=node[001-064]' --picture counters.svg
  perfquery -x 12 1 >> counters; tailback compare --network net --tables lfts --counters counters
)";

struct Compared {
    model::Network const& network;
    formats::Counters const& counters;
    audit::Measured const& measured;
    std::vector<std::uint64_t> const& load;
    std::uint64_t top;
    std::vector<evaluation::Job> const* jobs;  ///< null: all pairs
    api::JobLoads const* of_jobs;
};

/// Jobs that load a link, the most first: name and part of the load.
std::vector<std::pair<std::string, double>> jobs_on(Compared const& all, model::Link link) {
    std::vector<std::pair<std::string, double>> found;
    if (all.jobs == nullptr || all.of_jobs->total[link.value] == 0) return found;
    for (std::size_t j = 0; j < all.jobs->size(); ++j)
        if (std::uint64_t const load = all.of_jobs->of_job[j][link.value]; load > 0)
            found.emplace_back((*all.jobs)[j].name, double(load) / double(all.of_jobs->total[link.value]));
    std::stable_sort(found.begin(), found.end(), [](auto const& a, auto const& b) { return a.second > b.second; });
    return found;
}

std::string jobs_text(Compared const& all, model::Link link) {
    std::string text;
    for (auto const& [name, part] : jobs_on(all, link))
        text += fmt::format("{}{} {:.0f} %", text.empty() ? "  by " : ", ", base::printable(name), 100 * part);
    return text;
}

std::string ends_text(model::Network const& net, model::Link link) {
    return base::printable(net.place_of(net[link].from, net[link].from_port).text) + " -> " +
           base::printable(net.place_of(net[link].to, net[link].to_port).text);
}

void write_text(std::ostream& out, Compared const& all) {
    audit::Measured const& measured = all.measured;
    fmt::print(out, "Counters of {} of {} links; rank correlation of sent and expected: {}\n",
               base::grouped(measured.ports.size()), base::grouped(measured.links),
               measured.rank_correlation ? base::fixed_text(*measured.rank_correlation, 4) : "not known");
    fmt::print(out, "Not used: {} saturated, {} without PortXmitData, {} of ports the network does not have\n",
               base::grouped(all.counters.saturated), base::grouped(all.counters.missing),
               base::grouped(all.counters.unknown));
    auto const list = [&](char const* heading, std::vector<std::size_t> const& order) {
        if (order.empty()) return;
        fmt::print(out, "\n{}\n  {:>18}{:>18}{:>18}{:>12}\n", heading, "sent (words)", "expected", "wait (ticks)",
                   all.jobs == nullptr ? "pairs" : "load");
        for (std::size_t i = 0; i < std::min<std::size_t>(all.top, order.size()); ++i) {
            audit::MeasuredPort const& port = measured.ports[order[i]];
            fmt::print(out, "  {:>18}{:>18}{:>18}{:>12}  {}{}\n", base::grouped(port.sent),
                       base::fixed_text(port.expected, 1), port.waited ? base::grouped(*port.waited) : "-",
                       base::grouped(all.load[port.link.value]), ends_text(all.network, port.link),
                       jobs_text(all, port.link));
        }
        if (order.size() > all.top) fmt::print(out, "  and {} more\n", base::grouped(order.size() - all.top));
    };
    std::vector<std::size_t> const differing(measured.by_difference.begin(),
                                             measured.by_difference.begin() + std::ptrdiff_t(measured.differing));
    if (differing.empty() && !measured.ports.empty()) fmt::print(out, "\nEvery port sent what is expected of it.\n");
    list("Ports that disagree most", differing);
    list(all.jobs == nullptr ? "Ports that waited longest, and the pairs of hosts that cross them"
                             : "Ports that waited longest, and the jobs that cross them",
         measured.by_wait);
}

void write_json(std::ostream& out, Compared const& all) {
    audit::Measured const& measured = all.measured;
    Json ports = Json::array();
    for (std::size_t const i : measured.by_difference) {
        audit::MeasuredPort const& port = measured.ports[i];
        model::LinkRecord const& link = all.network[port.link];
        ports.push_back({{"from", base::printable(all.network[link.from].name)},
                         {"from_port", link.from_port},
                         {"to", base::printable(all.network[link.to].name)},
                         {"to_port", link.to_port},
                         {"sent_words", port.sent},
                         {"expected_words", port.expected},
                         {"wait_ticks", port.waited ? Json(*port.waited) : Json(nullptr)},
                         {all.jobs == nullptr ? "pairs" : "load", all.load[port.link.value]}});
        if (all.jobs == nullptr) continue;
        Json jobs = Json::object();
        for (auto const& [name, part] : jobs_on(all, port.link)) jobs[base::printable(name)] = part;
        ports.back()["jobs"] = std::move(jobs);
    }
    Json const json = {
        {"schema", "tailback-compare-1"},
        {"links", measured.links},
        {"saturated", all.counters.saturated},
        {"missing", all.counters.missing},
        {"unknown", all.counters.unknown},
        {"words_a_pair", measured.words_a_unit},
        {"rank_correlation", measured.rank_correlation ? Json(*measured.rank_correlation) : Json(nullptr)},
        {"ports", std::move(ports)}};
    out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

cxxopts::Options declare_compare() {
    cxxopts::Options declared("tailback compare",
                              "Holds the counters of ports against the loads that routes give them.\n");
    declared.custom_help("--network FILE|SPEC [--tables FILE | --routing NAME] --counters FILE");
    declared.set_width(100);
    declare_network(declared, "", true);
    using cxxopts::value;
    // clang-format off
    declared.add_options()
        ("counters", "counters: ibdiagnet2.db_csv (PM_DELTA or PM_INFO), output of perfquery or of ibqueryerrors --data", value<std::string>(), "FILE")
        ("job", "expected is what a job sends: NAME:traffic=FILE,nodes=.. as for evaluate; may be given several times", value<std::vector<std::string>>(), "JOB")
        ("jobs", "the same, of a YAML file of jobs", value<std::string>(), "FILE")
        ("picture", "write a picture: a dot a port, sent over expected", value<std::string>(), "FILE.svg")
        ("format", "report format: text or json", value<std::string>()->default_value("text"), "FORMAT")
        ("top", "number of ports that the text names of each list", value<std::string>()->default_value("10"), "N")
        ("o,output", "output file; - is standard output", value<std::string>()->default_value("-"), "FILE")
        ("strict", "treat input files that contradict each other as an error instead of a warning")
        ("h,help", "show this help");
    // clang-format on
    return declared;
}

std::string compare_help() { return declare_compare().help() + compare_examples; }

namespace {

/// The jobs of the command line, on this network; null where there are none.
std::unique_ptr<api::PreparedJobs> prepare_jobs(ParsedOptions const& options, std::vector<std::string> const& jobs,
                                                api::NetworkChoice const& choice) {
    api::JobsRequest request;
    if (options.given("jobs")) request.jobs = read_jobs_file(*options.text("jobs"));
    for (std::string const& job : jobs) request.jobs.push_back(api::read_job(job));
    if (request.jobs.empty()) return nullptr;
    request.network = choice;
    request.mappings = 1;
    request.mappings_given = true;
    return std::make_unique<api::PreparedJobs>(std::move(request), listener());
}

model::Fabric obtain_compared(api::NetworkChoice const& choice) {
    model::Fabric fabric = api::obtain_fabric(choice, true, listener());
    if (!fabric.routed)
        throw base::InputError({choice.network, 0}, "there are no forwarding tables",
                               "what is expected follows from the routes",
                               "give them with --tables, or have them computed with --routing");
    api::require_tables(fabric, "a comparison with counters");
    return fabric;
}

}  // namespace

int run_compare(std::vector<std::string> const& arguments) {
    std::vector<std::string> words = arguments;
    std::vector<std::string> const job_words = take_jobs(words);
    ParsedOptions const options(declare_compare(), words);
    if (options.flag("help")) return io::write_standard_output(compare_help()), success;
    api::NetworkChoice choice = network_choice(options.required("network", "it says whose counters these are"),
                                               [&](std::string const& name) { return options.text(name); });
    choice.strict = options.flag("strict");
    std::string const path = options.required("counters", "it says what the ports have counted");
    std::vector<std::string> outputs = {*options.text("output")};
    if (options.given("picture")) outputs.push_back(*options.text("picture"));
    std::vector<std::string> inputs = choice.files();
    inputs.push_back(path);
    if (options.given("jobs")) inputs.push_back(*options.text("jobs"));
    check_files(inputs, outputs);
    bool const json = options.choice("format", {"text", "json"}) == 1;
    std::uint64_t const top = options.number("top", 0, UINT32_MAX);

    Threads const threads(0);
    std::unique_ptr<api::PreparedJobs> const jobs = prepare_jobs(options, job_words, choice);
    model::Fabric const of_all_pairs = jobs ? model::Fabric{} : obtain_compared(choice);
    model::Fabric const& fabric = jobs ? *jobs->plan().fabric : of_all_pairs;
    api::JobLoads const of_jobs = jobs ? api::link_loads(*jobs) : api::JobLoads{};
    model::Disagreements disagreements(choice.strict);
    io::LineReader lines(io::open_source(path), path);
    formats::Counters const counters = formats::read_counters(lines, fabric.network, disagreements);
    for (std::string const& warning : disagreements.warnings()) tell_warning(warning);
    std::vector<std::uint64_t> const load = jobs ? of_jobs.total : audit::edge_forwarding_index(fabric);
    audit::Measured const measured = audit::compare_counters(fabric.network, counters, load);
    io::OutputFile file(outputs[0]);
    Compared const all{fabric.network, counters, measured, load, top, jobs ? &jobs->jobs() : nullptr, &of_jobs};
    if (json) write_json(file.stream(), all);
    else write_text(file.stream(), all);
    std::optional<io::OutputFile> picture;
    if (outputs.size() > 1) {
        picture.emplace(outputs[1]);
        report::write_counters_svg(picture->stream(), fabric.network, measured);
    }
    file.commit();
    if (picture) picture->commit();
    return success;
}

}  // namespace tailback::commands
