// Which options `tailback audit` has.
#include "host/commands/options/audit_options.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/options.hpp"
#include "host/io/output_file.hpp"
#include "host/report/html/page.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::commands {
namespace {

std::vector<audit::FindingKind> kinds_of(ParsedOptions const& options) {
    if (!options.given("fail-on")) return audit::kinds_that_fail();
    std::vector<audit::FindingKind> kinds;
    std::vector<std::string> names = {"all", "none"};
    for (audit::FindingKindInfo const& info : audit::finding_kinds()) names.emplace_back(info.name);
    std::vector<std::string> const words = options.list("fail-on");
    for (std::string const& word : words) {
        if (std::find(names.begin(), names.end(), word) == names.end()) {
            throw base::InputError({}, "--fail-on \"" + word + "\" is unknown", base::nearest_hint(word, names),
                                   "`tailback audit --help` lists the kinds");
        }
        if (word == "none" && words.size() > 1)
            throw base::InputError({}, "--fail-on none cannot be combined",
                                   fmt::format("{} words are given", words.size()), "leave out the others");
        for (audit::FindingKindInfo const& info : audit::finding_kinds())
            if (word == "all" || word == info.name) kinds.push_back(info.kind);
    }
    return kinds;
}

std::string file_named(ParsedOptions const& options, std::string const& name) {
    if (options.given(name) && options.text(name)->empty())
        throw base::InputError({}, "--" + name + " has an empty name", "", "name a file");
    return options.text(name).value_or("");
}

/// Every file it reads.
}  // namespace

cxxopts::Options declare_audit() {
    using cxxopts::value;
    using std::string;
    cxxopts::Options options(
        "tailback audit",
        "Checks the routes of all pairs of hosts: wrong tables, overloaded links, deadlock, worst cases.\n");
    options.set_width(100);
    options.custom_help("--network FILE [--tables FILE] [options]");
    // clang-format off
    declare_network(options, "Input", true);
    options.add_options("Input")
        ("roots", "root switches of up*/down*, one GUID or name per line, for --routing updn and for the up*/down* check; inferred if not given", value<string>(), "FILE")
        ("sl2vl", "SL2VL tables (opensm-sl2vl.dump, ibdiagnet.slvl) for the deadlock check on virtual lanes", value<string>(), "FILE")
        ("path-sl", "service levels of paths (lines `SLID DLID SL`, or ibdiagnet.psl); `none`: all have level 0; if not given, a deadlock verdict that depends on them is undecided", value<string>(), "FILE")
        ("hosts", "check only hosts whose names match this pattern (* ? [..])", value<string>(), "PATTERN")
        ("aggregation-nodes", "aggregation nodes inside switches: apart (checked, but not counted) or hosts (counted as hosts)", value<string>()->default_value("apart"), "apart|hosts");
    declare_worst_case(options, "Worst case");
    options.add_options("What if")
        ("without-cable", "report the pairs that break without the cable in this port (NODE is a name, GUID or LID); repeatable", value<std::vector<string>>(), "NODE:PORT")
        ("without-switch", "report the pairs that break without this switch; repeatable", value<std::vector<string>>(), "SWITCH")
        ("criticality", "list the cables by the number of pairs that depend on them");
    options.add_options("Output")
        ("fail-on", "kinds of findings that make the exit code 1, separated by commas; or all, or none", value<std::vector<string>>(), "KINDS")
        ("format", "report format: text, json, csv (a row per link), dot, svg (a drawing coloured by load) or html (a page for a browser)", value<string>()->default_value("text"), "FORMAT")
        ("group-by", "sum findings, loads and criticality by group: leaf (hosts with their leaf switch), name:REGEX (what its parentheses match in names of nodes, for example 'name:^(rack[0-9]+)'), or file:PATH (a group a line: its name, then its nodes); CSV then has a row per group", value<string>(), "HOW")
        ("top", "number of findings of each kind that the text report shows", value<string>()->default_value("10"), "N")
        ("o,output", "file for the report; - is standard output", value<string>()->default_value("-"), "FILE")
        ("picture", "write a drawing of the network, coloured by load, as SVG", value<string>(), "FILE")
        ("run-info", "write device, threads and timings as JSON", value<string>(), "FILE");
    options.add_options("Running")
        ("device", "where to compute: auto (CUDA where a device works and pays), cpu or cuda", value<string>()->default_value("auto"), "DEVICE")
        ("threads", "number of CPU threads; 0 = all cores", value<string>()->default_value("0"), "T")
        ("h,help", "show this help");
    // clang-format on
    return options;
}

std::vector<std::string> AuditOptions::outputs() const {
    std::vector<std::string> all = {output};
    for (std::string const& file : {picture, run_info})
        if (!file.empty()) all.push_back(file);
    for (std::string const& file : worst_case.outputs()) all.push_back(file);
    return all;
}

AuditOptions parse_audit_options(std::vector<std::string> const& arguments) {
    ParsedOptions const options(declare_audit(), arguments);
    AuditOptions parsed;
    parsed.help = options.flag("help");
    if (parsed.help) return parsed;

    parsed.choice.network = network_choice(options.required("network", "it says which network to audit"),
                                           [&](std::string const& name) { return options.text(name); });
    parsed.choice.roots = parsed.choice.network.roots = file_named(options, "roots");
    parsed.choice.sl2vl = file_named(options, "sl2vl");
    parsed.choice.path_sl = file_named(options, "path-sl");
    if (parsed.choice.path_sl == "none") {
        parsed.choice.no_service_levels = true;
        parsed.choice.path_sl.clear();
    }
    if (options.given("without-cable")) parsed.choice.without_cables = options.list("without-cable");
    if (options.given("without-switch")) parsed.choice.without_switches = options.list("without-switch");
    parsed.choice.group_by = group_by_of(options);
    parsed.choice.criticality = options.flag("criticality");
    if (options.given("hosts") && options.text("hosts")->empty())
        throw base::InputError({}, "--hosts has an empty pattern", "no host has an empty name",
                               "leave the option out for all hosts; `*` stands for any characters, `?` for one");
    parsed.choice.hosts = options.text("hosts").value_or("");
    parsed.choice.aggregation_nodes_are_hosts = options.choice("aggregation-nodes", {"apart", "hosts"}) == 1;
    parsed.fail_on = kinds_of(options);
    parsed.format = AuditFormat(options.choice("format", {"text", "json", "csv", "dot", "svg", "html"}));
    if (parsed.format == AuditFormat::html) report::require_pages();
    parsed.top = options.number("top", 0, UINT32_MAX);
    parsed.output = *options.text("output");
    parsed.picture = file_named(options, "picture");
    parsed.run_info = file_named(options, "run-info");
    parsed.choice.device = evaluation::DeviceChoice(options.choice("device", {"auto", "cpu", "cuda"}));
    parsed.choice.threads = options.threads();
    parsed.worst_case = worst_case_options(options);
    parsed.choice.worst_case = parsed.worst_case.wishes;
    parsed.network_words = words_of(arguments, network_option_names());
    check_files(parsed.choice.files(), parsed.outputs());
    return parsed;
}

std::string audit_help() {
    std::string text = declare_audit().help({"Input", "What if", "Worst case", "Output", "Running"}) +
                       "\nkinds of findings (* makes the exit code 1 without --fail-on):\n";
    for (audit::FindingKindInfo const& info : audit::finding_kinds())
        text += fmt::format("  {} {:<13} {}\n", info.fails ? '*' : ' ', info.name, info.meaning);
    return text +
           "\nexit codes: 0 no faults, 1 faults found, or deadlock undecided, 2 bad input or usage, 3 internal error\n"
           "\nexamples:\n"
           "  tailback audit --network ibnetdiscover.out --tables opensm-lfts.dump\n"
           "  tailback audit --network ibnetdiscover.out --tables opensm-lfts.dump --fail-on unreachable,loop \\\n"
           "                 --format json --output audit.json --picture fabric.svg\n"
           "  tailback audit --network ibnetdiscover.out --tables opensm-lfts.dump \\\n"
           "                 --sl2vl opensm-sl2vl.dump --path-sl path-sl.txt\n"
           "  tailback audit --network ibnetdiscover.out --tables opensm-lfts.dump \\\n"
           "                 --without-cable 'leaf-07:31' --criticality\n"
           "\nThe options under Running never change a report: it is the same, byte for byte, on every device.\n";
}

}  // namespace tailback::commands
