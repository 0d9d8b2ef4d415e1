// tailback list: what there is to choose from, each with an example.
#include "host/base/error.hpp"
#include "host/base/extensions.hpp"
#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"
#include "host/base/spec.hpp"
#include "host/commands/command.hpp"
#include "host/diagnosis/registry.hpp"
#include "host/io/output_file.hpp"
#include "host/io/terminal.hpp"
#include "host/options/help.hpp"
#include "host/study/study.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/executor.hpp"
#include "patterns/pattern.hpp"
#include "topologies/routing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tailback::commands {
namespace {

std::string entry_of(patterns::PatternInfo const& pattern) {
    std::string text = fmt::format("\n  {}: {}\n", pattern.name, pattern.summary);
    if (!pattern.counts.empty()) text += fmt::format("      {}\n", pattern.counts);
    return text + fmt::format("      4 ranks: {}\n{}", pattern.example, base::explain_parameters(pattern.parameters));
}

std::string entry_of(study::MetricInfo const& metric) {
    std::string const also =
        metric.aliases.empty() ? "" : fmt::format("  {:<18} also called {}\n", "", fmt::join(metric.aliases, ", "));
    return fmt::format("  {:<16} one number per {}: {}\n{}  {:<18} e.g. {}\n", metric.name, metric.per, metric.summary,
                       also, "", metric.example);
}

std::string entry_of(topologies::Family const& family) {
    return fmt::format("\n  {}: {}\n      {}\n{}      e.g. {}\n", family.name, family.summary, family.sizes,
                       base::explain_parameters(family.parameters), family.example);
}

std::string entry_of(topologies::RoutingAlgorithm const& routing) {
    std::string text = fmt::format("\n  {}: {}\n      for {}", routing.name, routing.summary, routing.where);
    if (routing.claims.minimal) text += "; routes are shortest";
    if (routing.claims.deadlock_free) text += "; deadlock-free on one lane";
    return text + fmt::format("\n{}      e.g. {}\n", base::explain_parameters(routing.parameters), routing.example);
}

constexpr char const* findings_heading =
    R"(# Findings of an audit, and what to do

What `tailback audit` and the warnings of other commands tell, code by code: what a finding means, where it usually
comes from, and what to do. A report has the code behind the place, in brackets, and in JSON as `code`.
`tailback list findings CODE` shows one; `--fail-on` takes codes and kinds. Kinds with a star count as faults unless
`--fail-on` says otherwise. Causes stand before their symptoms: what follows from a cause stands under it, and once
that is mended the rest usually goes, too. [audit.md](audit.md) goes through an audit from the dumps to a decision.

(This page is what `tailback list findings` writes.)
)";

std::string entry_of(diagnosis::CodeInfo const& row) {
    std::string text = fmt::format("- `{}`: {}. {} *To do:* {}\n", row.id, row.title, row.meaning, row.remedy);
    if (diagnosis::WordsOfIp const* const words = diagnosis::words_of_ip(row.code)) {
        text.pop_back();
        text += fmt::format(" *Of routers:* {}. {}\n", words->title, words->remedy);
    }
    return text;
}

std::string list_findings() {
    std::string text = findings_heading;
    for (diagnosis::FindingKindInfo const& kind : diagnosis::finding_kinds()) {
        text += fmt::format(
            "\n## {}{}\n\n{}{}.\n\n", kind.name, kind.fails ? " *" : "",
            char(kind.meaning[0] >= 'a' && kind.meaning[0] <= 'z' ? kind.meaning[0] - 'a' + 'A' : kind.meaning[0]),
            kind.meaning + 1);
        for (diagnosis::CodeInfo const& row : diagnosis::all_codes())
            if (row.kind == kind.kind) text += entry_of(row);
    }
    text += "\n## Warnings alone\n\n";
    for (diagnosis::CodeInfo const& row : diagnosis::all_codes())
        if (!row.kind) text += entry_of(row);
    return text;
}

std::string explanation_of(diagnosis::CodeInfo const& row) {
    std::string kind = "a warning alone, no finding";
    if (row.kind) {
        diagnosis::FindingKindInfo const& info = diagnosis::finding_kinds()[std::size_t(*row.kind)];
        kind = fmt::format("kind {}, {}", info.name, info.fails ? "a fault" : "no fault by itself");
    }
    std::string text =
        fmt::format("{}: {}\n  ({})\n\n{}\n\nTo do: {}\n", row.id, row.title, kind, row.meaning, row.remedy);
    if (diagnosis::WordsOfIp const* const words = diagnosis::words_of_ip(row.code))
        text += fmt::format("\nOf routers: {}\n\nTo do: {}\n", words->title, words->remedy);
    return text;
}
std::string explanation_of(auto const& row) { return entry_of(row); }

std::string name_of(diagnosis::CodeInfo const& row) { return row.id; }
std::string name_of(auto const& row) { return row.name; }

/// The entry of this name. @param kind a word for one of them @throws InputError with the nearest
template <class Rows>
std::string one_of(Rows const& rows, std::string const& what, std::string const& kind, std::string const& name) {
    std::vector<std::string> names;
    for (auto const& row : rows) {
        if (name_of(row) == name) {
            std::string const text = explanation_of(row);
            return text.substr(text.find_first_not_of('\n'));
        }
        names.push_back(name_of(row));
    }
    base::refuse_left_out(kind, name);
    throw base::InputError({}, "there is no \"" + name + "\" among the " + what, base::nearest_hint(name, names),
                           "`tailback list " + what + "` shows them");
}

std::string list_patterns() {
    std::string text =
        "patterns, given as --pattern NAME or NAME:PARAMETER=VALUE,... (n ranks; levels run one after the other, the "
        "flows of a level at once; | separates levels; S is the size; bytes like 1500, 64KiB, 2MB)\n";
    for (patterns::PatternInfo const& pattern : patterns::all_patterns()) text += entry_of(pattern);
    return text +
           "\nexamples:\n"
           "  tailback evaluate torus:8x8x4 --pattern bruck\n"
           "  tailback evaluate torus:8x8x4 --pattern allreduce:algorithm=ring,size=64MiB\n"
           "  tailback evaluate torus:8x8x4 --pattern stencil-3d:dims=8x8x4 \\\n"
           "                    --mapping identity\n"
           "  tailback evaluate torus:8x8x4 --pattern ptrnvsptrn \\\n"
           "                    --first bisect --first-ranks 64 --second ring\n";
}

std::string list_metrics() {
    std::string text = "metrics (the congestion of a flow is the largest load/capacity on its route)\n\n";
    for (study::MetricInfo const& metric : study::all_metrics()) text += entry_of(metric);
    return text +
           "\nexamples:\n"
           "  tailback evaluate torus:8x8x4 --metric hist_acc_band,hist_max_cong\n"
           "  tailback evaluate torus:8x8x4 --metric all --format json\n";
}

std::string list_devices() {
    unsigned const cores = kernels::threads_to_use(0);
    std::string text = fmt::format("devices\n\n  cpu   {} core{}\n", cores, cores == 1 ? "" : "s");
    kernels::CudaDevices const cuda = kernels::find_cuda_devices();
    for (std::string const& name : cuda.names) text += fmt::format("  cuda  {}\n", base::printable(name));
    for (std::string const& refused : cuda.refused)
        text += fmt::format("  cuda  cannot be used: {}\n", base::printable(refused));
    if (cuda.names.empty() && cuda.refused.empty())
        text += fmt::format("  cuda  none ({})\n", base::printable(cuda.reason));
    return text +
           "\nexample:\n"
           "  tailback evaluate torus:8x8x4 --device cpu --threads 1\n";
}

std::string list_topologies() {
    std::string text =
        "topologies, given as --network NAME:VALUE,NAME=VALUE,... (values without a name are taken in the order "
        "of the parameters)\n";
    for (topologies::Family const& family : topologies::all_families()) text += entry_of(family);
    return text +
           "\nexamples:\n"
           "  tailback evaluate --network torus:8x8x8,hosts=2 --routing dor:ties=parity\n"
           "  tailback generate mport-ntree:m=8,n=3 --routing minhop --output tree128\n"
           "  tailback generate dcell:n=3,k=1 --to orcs-dot --output dcell12\n"
           "\nThe servers of dcell, ficonn, hcn, bcn and dpillar forward packets. The default formats of `tailback "
           "generate` "
           "(ibnetdiscover, lft-dump) cannot express their routes; orcs-dot can.\n";
}

std::string list_routings() {
    std::string text = "routings, given as --routing NAME[:OPTION=VALUE,...]\n";
    for (topologies::RoutingAlgorithm const& routing : topologies::all_routings()) text += entry_of(routing);
    return text +
           "\nexamples:\n"
           "  tailback evaluate --network dragonfly:a=4,p=2,h=2 --routing minimal\n"
           "  tailback evaluate --network ibnetdiscover.out --routing updn\n";
}

struct Kind {
    char const* name;
    char const* summary;
    std::string (*list)();
    std::string (*one)(std::string const& name) = nullptr;  ///< null: its entries have no more to say
};
constexpr Kind kinds[] = {
    {"topologies", "networks that can be made from a spec", list_topologies,
     [](std::string const& name) { return one_of(topologies::all_families(), "topologies", "topology", name); }},
    {"routings", "how to route them, or a network file without tables", list_routings,
     [](std::string const& name) { return one_of(topologies::all_routings(), "routings", "routing", name); }},
    {"patterns", "who sends to whom", list_patterns,
     [](std::string const& name) { return one_of(patterns::all_patterns(), "patterns", "pattern", name); }},
    {"metrics", "what is measured", list_metrics,
     [](std::string const& name) { return one_of(study::all_metrics(), "metrics", "metric", name); }},
    {"findings", "what an audit may find, by code, and what to do", list_findings,
     [](std::string const& name) { return one_of(diagnosis::all_codes(), "findings", "finding", name); }},
    {"devices", "what the program can run on here", list_devices},
};

std::string overview() {
    std::string text = "usage: tailback list <what> [<name>]\n\n";
    for (Kind const& kind : kinds) text += fmt::format("  {:<10} {}\n", kind.name, kind.summary);
    return text +
           "\nexamples:\n  tailback list patterns\n  tailback list patterns allreduce\n"
           "  tailback list findings no-entry\n";
}

}  // namespace

int run_list(std::vector<std::string> const& arguments) {
    if (arguments.empty() || arguments.front() == "--help" || arguments.front() == "-h")
        return io::write_standard_output(overview()), success;
    for (std::string const& word : arguments)
        if (word.starts_with('-'))
            throw base::InputError({}, "`tailback list` has no option " + word, "lists are text, and wholly shown",
                                   "leave it out");
    if (arguments.size() > 2)
        throw base::InputError({}, "\"" + arguments[2] + "\" is one word too many", "one list, or one entry, is shown",
                               "`tailback list` shows what can be listed");
    std::vector<std::string> names;
    for (Kind const& kind : kinds) {
        if (arguments.front() == kind.name) {
            if (arguments.size() == 2 && kind.one == nullptr)
                throw base::InputError({}, "\"" + arguments[1] + "\" is one word too many",
                                       "there is no more to say of one", "leave it out");
            std::string const text = arguments.size() == 2 ? kind.one(arguments[1]) : kind.list();
            return io::write_standard_output(options::refilled(text, io::help_columns())), success;
        }
        names.push_back(kind.name);
    }
    throw base::InputError({}, "there is no list of \"" + arguments.front() + "\"",
                           base::nearest_hint(arguments.front(), names), "`tailback list` shows what can be listed");
}

}  // namespace tailback::commands
