// tailback compare: what ports have counted beside what the routes say.
#include "host/api/jobs.hpp"
#include "host/api/obtain.hpp"
#include "host/audit/loads/edge_forwarding_index.hpp"
#include "host/audit/loads/measured.hpp"
#include "host/base/error.hpp"
#include "host/base/extensions.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/fabric/plan.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/jobs_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/registry.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/options/parsed_options.hpp"
#include "host/report/counters/counters_report.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>

namespace tailback::commands {
namespace {

constexpr char const* compare_text = R"(
Expected is what all pairs of hosts load each port with if every pair sends the same: the edge
forwarding index, scaled so that the sums of sent and expected are equal. With --job or --jobs it is
what these jobs put on links, placed as `tailback jobs` places them (their first mapping), and ports
name the jobs that cross them. Counters that stand at
the end of 32 bits, and ports without any, are told and not used; waits that do are at least so long.

With --plan FILE the cables are held against a plan: those that lead elsewhere, are missing, or that
nobody planned. Ends that were swapped are one mistake. What each costs is told by tables that --routing
makes anew. Exit code 1: it is not cabled as planned.

Examples:
  tailback compare --network ibdiagnet2-output --counters ibdiagnet2-output/ibdiagnet2.db_csv
  tailback compare --network ibdiagnet2-output --counters ibdiagnet2-output/ibdiagnet2.db_csv \
                   --job 'cfd:traffic=cfd.mpiP,nodes=node[001-064]' --picture counters.svg
  tailback compare --network ibnetdiscover.out --plan cables.ndt
  perfquery -x 12 1 >> counters; tailback compare --network net --tables lfts --counters counters
)";

std::string compare_notes() { return compare_text; }

/// The jobs of the command line, on this network; null where there are none.
std::unique_ptr<api::PreparedJobs> prepare_jobs(options::ParsedOptions const& options,
                                                api::NetworkChoice const& choice) {
    api::JobsRequest request;
    if (options.given("jobs")) request.jobs = read_jobs_file(*options.text("jobs"));
    for (std::string const& job : options.list("job")) request.jobs.push_back(api::read_job(job));
    if (request.jobs.empty()) return nullptr;
    request.network = choice;
    request.network.form = api::RoutesForm::tables;  // counters are of links
    request.mappings = 1;
    request.mappings_given = true;
    return std::make_unique<api::PreparedJobs>(std::move(request), listener());
}

/// Pairs of cabled hosts (aggregation nodes and routers are none), for every LID of the second, that load no link:
/// every delivered one loads its source's own.
std::uint64_t pairs_without(model::Network const& net, std::vector<std::uint64_t> const& load) {
    std::uint64_t hosts = 0, lids = 0, delivered = 0;
    for (model::Host const host : model::cabled_hosts(net)) {
        ++hosts;
        lids += std::uint64_t{1} << net[host].lmc;
        delivered += load[net.up_link(host).value];
    }
    std::uint64_t const pairs = lids * (hosts - std::min<std::uint64_t>(hosts, 1));
    return pairs - std::min(pairs, delivered);
}

int run_compare(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::command_named("compare"), arguments);
    if (options.given("plan")) return run_compare_plan(options);
    api::NetworkChoice choice = network_choice(options, "it says whose counters these are");
    std::string const path =
        options.required("counters", "it says what the ports have counted (or --plan: how they are to be cabled)");
    std::vector<std::string> outputs = {*options.text("output")};
    if (options.given("picture")) outputs.push_back(*options.text("picture"));
    std::vector<std::string> inputs = choice.files();
    inputs.push_back(path);
    if (options.given("jobs")) inputs.push_back(*options.text("jobs"));
    std::string const group_by = group_by_of(options);
    if (std::string const file = audit::file_of_groups(group_by); !file.empty()) inputs.push_back(file);
    check_files(inputs, outputs);
    std::uint64_t const top = options.number("top");

    Threads const threads(0);
    std::unique_ptr<api::PreparedJobs> const jobs = prepare_jobs(options, choice);
    model::Fabric const of_all_pairs =
        jobs ? model::Fabric{} : api::obtain({choice, api::Wanted::tables, "a comparison with counters"}, listener());
    model::Fabric const& fabric = jobs ? *jobs->plan().fabric : of_all_pairs;
    api::JobLoads const of_jobs = jobs ? api::link_loads(*jobs) : api::JobLoads{};
    std::optional<audit::NodeGroups> groups;
    if (!group_by.empty()) groups = audit::group_nodes(fabric.network, group_by);
    model::Disagreements disagreements(choice.strict);
    io::LineReader lines(io::open_source(path), path);
    formats::Counters const counters = formats::read_counters(lines, fabric.network, disagreements);
    for (std::string const& warning : disagreements.warnings()) tell_warning(warning);
    std::vector<std::uint64_t> const load = jobs ? of_jobs.total : audit::edge_forwarding_index(fabric);
    audit::Measured const measured = audit::compare_counters(fabric.network, counters, load);
    report::CountersReport report{fabric, counters, measured, load, top};
    if (groups) report.groups = audit::sum_measured(fabric.network, measured, *groups);
    if (jobs) {
        for (evaluation::Job const& job : jobs->jobs()) report.jobs.push_back(job.name);
        report.load_of_job = &of_jobs.of_job;
    }
    report.not_delivered = jobs ? of_jobs.failed : pairs_without(fabric.network, load);
    report.files = api::with_named(jobs ? jobs->request().named_files() : choice.named_files(), {{"counters", path}});
    OutputFiles files;
    write_report(files.add(outputs[0]), report, format_of(options));
    if (outputs.size() > 1) report::write_counters_svg(files.add(outputs[1]).stream(), report);
    files.commit();
    return success;
}

}  // namespace

void register_compare(Registry& registry) {
    base::insert_before(
        registry.commands, "list",
        Command{"compare",
                "counters of ports beside what routes give them; cables beside their plan",
                run_compare,
                {options::command_named("compare"),
                 "Holds the counters of ports against the loads that routes give them, or the cables against their "
                 "plan.",
                 "--network FILE|SPEC [--tables FILE | --routing NAME] --counters FILE | --plan FILE",
                 "tailback compare --network ibdiagnet2-output --counters ibdiagnet2-output/ibdiagnet2.db_csv"},
                compare_notes});
}

}  // namespace tailback::commands
