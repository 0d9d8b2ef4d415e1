#include "host/report/audit/choices.hpp"

#include "host/base/numbers.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routes/fabric_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::report {
namespace {

/// Pairs over the most loaded link between switches by the static entries.
std::uint64_t largest_static(AuditReport const& report) {
    std::uint64_t largest = 0;
    auto const& loads = report.audit.all_pairs.load;
    for (std::size_t l = 0; l < loads.size(); ++l)
        if (report.audit.fabric.between_switches(model::Link{l})) largest = std::max<std::uint64_t>(largest, loads[l]);
    return largest;
}

/// @param all pairs; those of hosts without a cable meet no switch
std::string fates_text(audit::ChoiceReport const& found, std::uint64_t all) {
    std::string text =
        fmt::format("{} of {} pairs{} are delivered whatever the switches choose", base::grouped(found.always),
                    base::grouped(found.pairs), all > found.pairs ? " that leave their host" : "");
    if (found.always == found.pairs) return text;
    text += fmt::format("; {} by no choice, {} by some choices alone", base::grouped(found.never),
                        base::grouped(found.sometimes_failing()));
    char const* const ends[] = {"", "are dropped", "run in a circle", "arrive at another host"};
    char const* before = " (";
    for (unsigned fate = 1; fate < 4; ++fate)
        if (found.some[fate] > 0) {
            text += fmt::format("{}{} by some choice {}", before, base::grouped(found.some[fate]), ends[fate]);
            before = ", ";
        }
    return text + ")";
}

std::string groups_text(audit::GroupFacts const& groups) {
    std::string const entries = base::grouped(groups.entries);
    std::string text =
        groups.with_group == 0
            ? fmt::format("no group in use has a port: none of {} entries for hosts of other switches chooses", entries)
            : fmt::format(
                  "{} of {} ports; {} of {} entries for hosts of other switches choose, among {:.2f} ports on "
                  "average",
                  base::counted(groups.groups, "group", "groups"),
                  groups.smallest == groups.largest ? fmt::format("{}", groups.largest)
                                                    : fmt::format("{} to {}", groups.smallest, groups.largest),
                  base::grouped(groups.with_group), entries, double(groups.choices) / double(groups.with_group));
    if (groups.empty_groups > 0)
        text += fmt::format("; {} in use without a port: {} by the static port",
                            base::counted(groups.empty_groups, "group", "groups"),
                            base::counted(groups.with_empty_group, "entry sends", "entries send"));
    return text;
}

}  // namespace

std::string empty_groups_text(AuditReport const& report) {
    std::uint64_t const empty = report.audit.choices ? report.audit.choices->groups.empty_groups : 0;
    if (empty == 0) return "";
    return empty == 1 ? "1 adaptive-routing group is empty: its static entries are used"
                      : base::grouped(empty) + " adaptive-routing groups are empty: their static entries are used";
}

void add_choices(Document& document, AuditReport const& report) {
    if (!report.audit.choices) return;
    audit::ChoiceReport const& found = *report.audit.choices;
    document.heading(fmt::format("Adaptive routing over all choices ({})", report.audit.fabric.candidates->words()));
    document.sentence(fates_text(found, report.audit.all_pairs.pairs.total), 2);
    if (!found.lengths.empty()) {
        std::uint32_t longest = 0, shortest = 0xFFFFFFFF;
        std::uint64_t differing = 0;
        for (auto const& [range, pairs] : found.lengths) {
            shortest = std::min(shortest, range.first), longest = std::max(longest, range.second);
            if (range.first != range.second) differing += pairs;
        }
        document.sentence(fmt::format("links behind the first switch: {} to {}; {}", shortest, longest,
                                      differing == 0 ? "all choices of a pair are equally long"
                                                     : fmt::format("the choices of {} pairs differ in length",
                                                                   base::grouped(differing))),
                          2);
    }
    document.sentence(
        "deadlock over all choices, on one lane: " +
            (found.deadlock_free ? "free"
                                 : base::counted(found.cycles.size(), "cyclic component", "cyclic components") +
                                       " of channels that can wait for each other"),
        2);
    document.sentence(groups_text(found.groups), 2);
    if (!found.hottest.exists()) return;
    document.sentence(
        fmt::format("all pairs: {:.1f} over the most loaded link between switches if switches divide equally{}, {} {} "
                    "({})",
                    found.largest_load(),
                    found.loads.error > 0 ? fmt::format(" (within {:.2g})", found.loads.error) : "",
                    base::grouped(largest_static(report)), model::words_of(report.audit.fabric).fixed,
                    link_label(report.network().ends(found.hottest))),
        2);
}

Json choices_json(AuditReport const& report) {
    if (!report.audit.choices) return nullptr;
    audit::ChoiceReport const& found = *report.audit.choices;
    model::Network const& network = report.network();
    Json lengths = Json::array(), cycles = Json::array();
    for (auto const& [range, pairs] : found.lengths)
        lengths.push_back({{"shortest", range.first}, {"longest", range.second}, {"pairs", pairs}});
    auto const port = [&](model::Link link) -> Json {
        model::LinkRecord const& record = network[link];
        Json json = {{"node", network[record.from].name}};
        add_port(json, network, record.from, record.from_port);
        return json;
    };
    for (audit::ChannelCycle const& cycle : found.cycles) {
        Json steps = Json::array();
        for (audit::Channel const& channel : cycle.channels) steps.push_back(port(channel.link));
        cycles.push_back({{"tied_up", cycle.component}, {"shortest", cycle.shortest}, {"steps", std::move(steps)}});
    }
    audit::GroupFacts const& groups = found.groups;
    return {{"sets", report.audit.fabric.candidates->words()},
            {"pairs",
             {{"total", found.pairs},
              {"always_delivered", found.always},
              {"never_delivered", found.never},
              {"sometimes_unreachable", found.some[1]},
              {"sometimes_loop", found.some[2]},
              {"sometimes_misdelivered", found.some[3]}}},
            {"lengths", std::move(lengths)},
            {"deadlock", {{"free", found.deadlock_free}, {"cycles", std::move(cycles)}}},
            {"groups",
             {{"groups", groups.groups},
              {"smallest", groups.smallest},
              {"largest", groups.largest},
              {"entries", groups.entries},
              {"with_group", groups.with_group},
              {"ports", groups.choices},
              {"mean_ports",
               groups.with_group == 0 ? Json(nullptr) : real(double(groups.choices) / double(groups.with_group))},
              {"empty", groups.empty_groups},
              {"with_empty_group", groups.with_empty_group}}},
            {"equal_division",
             {{"largest_load", found.largest_load()},
              {"largest_static_load", largest_static(report)},
              {"error", found.loads.error},
              {"hottest", found.hottest.exists() ? port(found.hottest) : Json(nullptr)}}}};
}

}  // namespace tailback::report
