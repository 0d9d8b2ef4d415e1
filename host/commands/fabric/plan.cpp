// tailback compare --plan: is it cabled as planned?
#include "host/commands/fabric/plan.hpp"

#include "host/api/obtain.hpp"
#include "host/audit/changes/planned_cables.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/model/routes/ip_plan.hpp"
#include "host/report/plan/plan_report.hpp"

#include <fmt/format.h>

namespace tailback::commands {
namespace {

constexpr std::size_t most_told = 1000;  // of each kind of what files contradict

}  // namespace

int run_compare_plan(options::ParsedOptions const& options) {
    api::NetworkChoice choice = network_choice(options, "it says what is cabled");
    std::string const path = *options.text("plan"), output = *options.text("output");
    std::vector<std::string> inputs = choice.files();
    inputs.push_back(path);
    check_files(inputs, {output});
    std::string const chosen = choice.routing ? choice.routing->text() : "";
    if (!choice.spec) choice.routing.reset();  // it makes tables anew, of each network

    Threads const threads(0);
    io::LineReader lines(io::open_source(path), path);
    formats::CablePlan const plan = formats::read_cable_plan(lines);
    model::Disagreements disagreements(choice.strict, most_told);
    model::Fabric const fabric = api::obtain({.network = choice,
                                              .wanted = choice.spec ? api::Wanted::network : api::Wanted::as_read,
                                              .disagreements = &disagreements},
                                             listener());
    for (std::string const& warning : disagreements.warnings()) tell_warning(warning);
    if (fabric.ip != nullptr)
        for (std::string const& remark : fabric.ip->remarks) tell_warning(remark);
    audit::PlanComparison const found = audit::compare_plan(fabric.network, plan);
    report::PlanReport report{fabric, plan, found};
    for (model::NotedDisagreement const& one : disagreements.noted())
        if (one.code == diagnosis::Code::port_with_two_cables)
            report.doubles_there.push_back(fmt::format(
                "{}{}: {}", one.place.file, one.place.line > 0 ? fmt::format(":{}", one.place.line) : "", one.text));
    report.top = options.number("top");
    report.files = api::with_named(choice.named_files(), {{"plan", path}});
    if (std::uint64_t const most = options.number("costs"); most > 0 && !found.mistakes.empty())
        report.costs = audit::cost_of_mistakes(
            fabric, plan, found, chosen.empty() ? audit::usual_routing_of_costs(fabric) : chosen, most, 0);
    OutputFiles files;
    write_report(files.add(output), report, format_of(options));
    files.commit();
    return report.as_planned() ? success : faults_found;
}

}  // namespace tailback::commands
