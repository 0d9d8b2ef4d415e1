// Which options `tailback audit` has.
#include "host/commands/options/audit_options.hpp"

#include "host/base/error.hpp"
#include "host/base/extensions.hpp"
#include "host/base/nearest.hpp"
#include "host/base/spec.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/model/locate.hpp"
#include "host/options/parsed_options.hpp"
#include "topologies/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tailback::commands {
namespace {

/// Kinds and codes that count as faults.
void parse_fail_on(options::ParsedOptions const& options, AuditOptions& parsed) {
    parsed.fail_on = audit::kinds_that_fail();
    if (!options.given("fail-on")) return;
    parsed.fail_on.clear();
    std::vector<std::string> names = {"all", "none"};
    for (audit::FindingKindInfo const& info : audit::finding_kinds()) names.emplace_back(info.name);
    for (diagnosis::CodeInfo const& row : diagnosis::all_codes())
        if (row.kind) names.emplace_back(row.id);
    std::vector<std::string> const words = options.list("fail-on");
    for (std::string const& word : words) {
        if (std::find(names.begin(), names.end(), word) == names.end()) {
            base::refuse_left_out("finding", word);
            throw base::InputError({}, "--fail-on \"" + word + "\" is unknown", base::nearest_hint(word, names),
                                   "`tailback audit --help` lists the kinds, `tailback list findings` the codes");
        }
        if (word == "none" && words.size() > 1)
            throw base::InputError({}, "--fail-on none cannot be combined",
                                   fmt::format("{} words are given", words.size()), "leave out the others");
        for (audit::FindingKindInfo const& info : audit::finding_kinds())
            if (word == "all" || word == info.name) parsed.fail_on.push_back(info.kind);
        if (std::optional<audit::Code> const code = diagnosis::code_of(word)) parsed.fail_on_codes.push_back(*code);
    }
}

std::string file_named(options::ParsedOptions const& options, std::string const& name) {
    return options.not_empty(name, "name a file");
}

}  // namespace

std::vector<std::string> AuditOptions::outputs() const {
    std::vector<std::string> all = {output};
    for (std::string const& file : {picture, run_info, certificate})
        if (!file.empty()) all.push_back(file);
    for (std::string const& file : worst_case.outputs()) all.push_back(file);
    return all;
}

AuditOptions parse_audit_options(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::audit, arguments);
    AuditOptions parsed;
    parsed.choice.network = network_choice(options, "it says which network to audit");
    parsed.choice.roots = parsed.choice.network.roots = file_named(options, "roots");
    parsed.choice.sl2vl = file_named(options, "sl2vl");
    parsed.choice.path_sl = file_named(options, "path-sl");
    if (parsed.choice.path_sl == "none") {
        parsed.choice.no_service_levels = true;
        parsed.choice.path_sl.clear();
    }
    parsed.choice.without_cables = options.list("without-cable");
    parsed.choice.without_switches = options.list("without-switch");
    parsed.choice.group_by = group_by_of(options);
    parsed.choice.criticality = options.given("criticality");
    std::string const returned = options.not_empty("return-cables", "write uneven or failed, or name an older dump");
    if (std::error_code ignored; !std::filesystem::exists(returned, ignored) && model::names_a_port(returned) &&
                                 !topologies::is_topology_spec(base::lower_case(base::name_of_spec(returned))))
        parsed.choice.returned_names = options::divided(returned.c_str(), ',');
    else parsed.choice.return_cables = returned;
    parsed.choice.try_routings = options.given("try-routings");
    if (options.given("hosts") && options.text("hosts")->empty())
        throw base::InputError({}, "--hosts has an empty pattern", "no host has an empty name",
                               "leave the option out for all hosts; `*` stands for any characters, `?` for one");
    parsed.choice.hosts = options.text("hosts").value_or("");
    parsed.choice.aggregation_nodes_are_hosts = options.choice("aggregation-nodes") == 1;
    parse_fail_on(options, parsed);
    parsed.format = format_of(options);
    parsed.top = options.number("top");
    parsed.output = *options.text("output");
    parsed.picture = file_named(options, "picture");
    parsed.run_info = file_named(options, "run-info");
    parsed.certificate = file_named(options, "certificate");
    static constexpr std::optional<search::BoundRoutes> bounds[] = {search::BoundRoutes::shortest,
                                                                    search::BoundRoutes::any, std::nullopt};
    parsed.choice.bound = bounds[options.choice("bound")];
    parsed.asks_bounds = options.given("bound") || options.given("ebb");
    parsed.choice.bisection = options.choice("ebb") == 0;
    if (!parsed.certificate.empty() && !parsed.choice.bound)
        throw base::InputError({}, "--certificate has nothing to write", "--bound none computes no bound",
                               "leave out one of them");
    parsed.choice.device = evaluation::DeviceChoice(options.choice("device"));
    parsed.choice.threads = options.threads();
    parsed.worst_case = worst_case_options(options);
    parsed.choice.worst_case = parsed.worst_case.wishes;
    parsed.network_words = network_words(options, options::evaluate);
    parsed.others = other_commands(options, options::audit,
                                   options::audit | options::improve | options::evaluate | options::bracket);
    check_files(parsed.choice.files(), parsed.outputs());
    return parsed;
}

std::string audit_notes() {
    std::string text = "\nkinds of findings (* makes the exit code 1 without --fail-on):\n";
    for (audit::FindingKindInfo const& info : audit::finding_kinds())
        text += fmt::format("  {} {:<13} {}\n", info.fails ? '*' : ' ', info.name, info.meaning);
    return text +
           "A finding has a code, too, in brackets: --fail-on takes it, `tailback list findings CODE` explains it.\n"
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
