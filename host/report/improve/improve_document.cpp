#include "host/base/numbers.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/report/improve/improve_report.hpp"
#include "host/result/undelivered.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tailback::report {
namespace {

/// A load of a link between switches.
std::string pairs_text(ImproveReport const& report, double load) {
    if (report.by_capacity) return amount_text(load) + " pairs/capacity";
    return base::counted(static_cast<std::uint64_t>(load), "pair", "pairs");
}

std::string collisions_phrase(ImproveReport const& report) {
    return fmt::format("{} collisions a permutation in place of {}", base::significant_text(report.is.collisions, 1),
                       base::significant_text(report.was.collisions, 1));
}

/// What the search made small; where that stands still, what it counted then.
std::string goal_phrase(ImproveReport const& report) {
    ImprovedSide const &was = report.was, &is = report.is;
    auto const of_host_link = [](JobsLoad const& load) {
        return load.host_link > 0 ? base::fixed_text(load.largest / load.host_link, 3) : "0";
    };
    if (report.objective == "jobs" && was.jobs && is.jobs)
        return fmt::format(
            "a link between switches carries {} of what the busiest host link does for the jobs, in "
            "place of {}",
            of_host_link(*is.jobs), of_host_link(*was.jobs));
    std::string same;
    if (report.objective == "permutation" && is.worst_permutation && was.worst_permutation) {
        if (*is.worst_permutation != *was.worst_permutation)
            return fmt::format("a permutation puts {} on a link at most in place of {}",
                               base::counted(*is.worst_permutation, "flow", "flows"),
                               base::grouped(*was.worst_permutation));
        same = fmt::format(", and a permutation puts {} on a link at most as before",
                           base::counted(*is.worst_permutation, "flow", "flows"));
    }
    if (report.objective == "max-load") {
        if (is.largest_load != was.largest_load)
            return fmt::format("{} at most on a link between switches in place of {}",
                               pairs_text(report, is.largest_load), amount_text(was.largest_load));
        same =
            fmt::format(", and {} at most on a link between switches as before", pairs_text(report, is.largest_load));
    }
    return collisions_phrase(report) + same;
}

/// Are all numbers of base LIDs as they were? Then what got better are trees of other LIDs.
bool base_lids_are_alike(ImproveReport const& report) {
    ImprovedSide const &was = report.was, &is = report.is;
    return was.collisions == is.collisions && was.largest_load == is.largest_load && was.mean_links == is.mean_links &&
           was.undelivered == is.undelivered && was.deadlock_free == is.deadlock_free &&
           model::traits_of(report.before).lmc > 0;
}

/// What else got better was paid for by what is counted.
bool goal_is_worse(ImproveReport const& report) {
    if (report.objective == "max-load") return report.is.largest_load > report.was.largest_load;
    if (report.objective == "permutation" && report.is.worst_permutation && report.was.worst_permutation)
        return *report.is.worst_permutation > *report.was.worst_permutation;
    return report.objective != "jobs" && report.is.collisions > report.was.collisions;
}

std::string lanes_text(unsigned lanes) { return lanes == 1 ? "one lane" : fmt::format("{} lanes", lanes); }

/// Tables as they were, whose packets get service levels.
bool levels_alone_change(ImproveReport const& report) {
    return report.outcome == ImproveOutcome::improved && report.entries == 0 && report.is.lanes > 1;
}

std::string outcome_phrase(ImproveReport const& report) {
    switch (report.outcome) {
        case ImproveOutcome::improved: {
            if (base_lids_are_alike(report))
                return "Better tables for other LIDs of the hosts, beside those of their base LIDs, where nothing "
                       "better was found.";
            if (levels_alone_change(report))
                return fmt::format(
                    "The input's tables are kept: nothing better was found. With service levels of "
                    "their own they are free of deadlock on {}.",
                    lanes_text(report.is.lanes));
            std::vector<std::string> better;
            if (report.is.undelivered < report.was.undelivered)
                better.push_back(base::counted(report.was.undelivered - report.is.undelivered, "pair is", "pairs are") +
                                 " delivered that the input loses");
            if (report.is.deadlock_free && !report.was.deadlock_free)
                better.push_back("free of deadlock, which the input is not");
            char const* const then = better.empty() ? "" : goal_is_worse(report) ? ", at the cost of " : "; ";
            return fmt::format("Better tables: {}{}{}.", fmt::join(better, "; "), then, goal_phrase(report));
        }
        default: break;
    }
    std::string const why = report.outcome == ImproveOutcome::refused
                                ? "what is better waits in circles on so few lanes, or with so few changes"
                                : "nothing better was found";
    if (report.may_be_loaded) return "The input is kept: " + why + ".";
    return fmt::format("No tables were found that are free of deadlock on {}, as the input is not: {}.",
                       lanes_text(report.asked_lanes), why);
}

std::string outcome_sentence(ImproveReport const& report) {
    std::string text = outcome_phrase(report);
    if (std::uint64_t const lost = report.is.undelivered; lost > 0)
        text += " " + base::counted(lost, "pair is", "pairs are") + " still not delivered.";
    return text;
}

std::string deadlock_text(ImprovedSide const& side) {
    return (side.deadlock_free ? "free on " : "possible on ") + lanes_text(side.lanes);
}

char const* with_others_text(std::optional<bool> const& free) {
    if (!free) return "not judged";
    return *free ? "free" : "possible";
}

std::string bandwidth_text(std::optional<Bandwidth> const& bandwidth) {
    if (!bandwidth) return "-";
    return fmt::format("{} +- {}", base::fixed_text(bandwidth->mean, 4), base::fixed_text(bandwidth->half_width, 4));
}

std::string bandwidth_by_formula(std::optional<double> const& bandwidth) {
    return bandwidth ? base::fixed_text(*bandwidth, 4) : "-";
}

std::string count_text(std::optional<std::uint32_t> const& count) { return count ? base::grouped(*count) : "-"; }

char const* rollout_sentence(ImproveReport const& report) {
    if (levels_alone_change(report))
        return "No entry changes, but the service levels of paths do: packets can stand still as before until all "
               "hosts and switches have them.";
    switch (report.rollout) {
        case search::Rollout::nothing: return "There is nothing to change.";
        case search::Rollout::any_order:
            return report.was.deadlock_free
                       ? "Live: in any order of switches; every mixture of old and new entries delivers what both "
                         "deliver and is free of deadlock."
                       : "Live: in any order of switches; every mixture of old and new entries delivers what both "
                         "deliver, and packets can stand still only where they can by old entries alone.";
        case search::Rollout::by_destination:
            return "Live: destination by destination, each outwards from its own switch along its new tree; other "
                   "orders can lose pairs or stand still in between.";
        default:
            return "Live: not without more lanes, or a drain: nothing proves that states in between lose no pairs and "
                   "do not stand still.";
    }
}

std::string jobs_load_text(JobsLoad const& load) {
    std::string text = load.host_link > 0 ? base::fixed_text(load.largest / load.host_link, 3) : "-";
    if (load.failed > 0) text += ", " + result::not_delivered({.count = load.failed});
    return text;
}

/// Both sides of a number; `worse`: the change is for the worse, beyond chance.
struct TwoSides {
    char const* name;
    char const* key;  ///< in JSON
    std::string was, is;
    bool worse;
};

std::vector<TwoSides> numbers_of(ImproveReport const& report) {
    ImprovedSide const &was = report.was, &is = report.is;
    std::vector<TwoSides> rows;
    auto const add = [&](char const* name, char const* key, auto const& before, auto const& after, auto const& text,
                         bool worse) {
        rows.push_back({name, key, text(before), text(after), worse});
    };
    auto const count = [](std::uint64_t number) { return base::grouped(number); };
    auto const links = [](double number) { return base::fixed_text(number, 3); };
    auto const collisions = [](double number) { return base::significant_text(number, 1); };
    add("pairs not delivered", "pairs_not_delivered", was.undelivered, is.undelivered, count,
        is.undelivered > was.undelivered);
    add("collisions a permutation", "collisions_per_permutation", was.collisions, is.collisions, collisions,
        is.collisions > was.collisions && collisions(is.collisions) != collisions(was.collisions));
    add("bisection bandwidth", "bandwidth", was.bandwidth, is.bandwidth, bandwidth_text,
        was.bandwidth && is.bandwidth && is.bandwidth->mean < was.bandwidth->mean - was.bandwidth->half_width);
    add("by formula, links alike", "expected_bandwidth", was.expected, is.expected, bandwidth_by_formula,
        was.expected && is.expected && *is.expected < *was.expected &&
            bandwidth_by_formula(is.expected) != bandwidth_by_formula(was.expected));
    add(report.by_capacity ? "largest load between switches, pairs/capacity" : "largest load between switches",
        "largest_load", was.largest_load, is.largest_load, amount_text, is.largest_load > was.largest_load);
    if (was.jobs && is.jobs)
        add("largest load of the jobs, host link 1", "jobs", *was.jobs, *is.jobs, jobs_load_text,
            is.jobs->largest > was.jobs->largest && jobs_load_text(*is.jobs) != jobs_load_text(*was.jobs));
    add("worst permutation", "worst_permutation", was.worst_permutation, is.worst_permutation, count_text,
        was.worst_permutation && is.worst_permutation && *is.worst_permutation > *was.worst_permutation);
    add("worst shift", "worst_shift", was.worst_shift, is.worst_shift, count_text,
        was.worst_shift && is.worst_shift && *is.worst_shift > *was.worst_shift);
    add("links of a route", "mean_links", was.mean_links, is.mean_links, links,
        is.mean_links > was.mean_links && links(is.mean_links) != links(was.mean_links));
    add("pairs on a detour", "pairs_on_a_detour", was.longer, is.longer, count, is.longer > was.longer);
    rows.push_back({"deadlock", "deadlock_free", deadlock_text(was), deadlock_text(is),
                    was.deadlock_free && (!is.deadlock_free || is.lanes > was.lanes)});
    auto const others_alone = [](ImprovedSide const& side) {
        return side.deadlock_free && side.free_with_others == false;
    };
    if (others_alone(was) || others_alone(is))
        rows.push_back({"deadlock, endpoints left out too", "free_with_endpoints_left_out",
                        with_others_text(was.free_with_others), with_others_text(is.free_with_others),
                        was.free_with_others == true && is.free_with_others == false});
    return rows;
}

std::string worse_sentence(ImproveReport const& report) {
    if (report.outcome != ImproveOutcome::improved) return "";
    std::string words;
    for (TwoSides const& row : numbers_of(report))
        if (row.worse)
            words += fmt::format("{}{} {} in place of {}", words.empty() ? "" : "; ", row.name, row.is, row.was);
    return words.empty() ? "Nothing of this got worse." : "Worse than before: " + words + ".";
}

std::string bound_sentence(ImproveReport const& report) {
    if (report.jobs_bound && report.is.jobs && report.is.jobs->host_link > 0) {
        JobsBound const& bound = *report.jobs_bound;
        double const host_link = report.is.jobs->host_link;
        return fmt::format("No shortest routes can put less than {} on every link for these jobs{}.",
                           base::fixed_text(bound.least / host_link, 3),
                           bound.upper > 0 ? fmt::format(", and flows that divide reach {}",
                                                         base::fixed_text(bound.upper / host_link, 3))
                                           : "");
    }
    if (!report.load_bound) return "";
    return fmt::format("No {} put less than {} on every link between switches.",
                       report.load_bound->of_shortest_routes ? "tables of shortest routes" : "tables",
                       pairs_text(report, report.load_bound->least));
}

/// What the input cannot be held against where it needs more lanes than are asked for.
std::string routing_sentence(ImproveReport const& report) {
    if (!report.best_routing) return "";
    BestRouting const& best = *report.best_routing;
    return fmt::format(
        "The input is not free on {}; of routings that are, {} has the best tables: {} collisions a "
        "permutation{}, {} at most on a link between switches.",
        lanes_text(report.asked_lanes), best.name, base::significant_text(best.collisions, 1),
        best.bandwidth ? ", bandwidth " + bandwidth_by_formula(best.bandwidth) + " by formula" : "",
        pairs_text(report, best.largest_load));
}

std::string most_sentence(ImproveReport const& report) {
    if (!report.most_bandwidth || *report.most_bandwidth > 0.9999) return "";
    return fmt::format("No tables have a bisection bandwidth above {}.", base::fixed_text(*report.most_bandwidth, 4));
}

std::vector<std::string> commands_to_load(ImproveReport const& report) {
    std::vector<std::string> commands;
    if (report.outcome != ImproveOutcome::improved || report.tables.empty()) return commands;
    for (auto const& [what, file] : report.files)
        if (what == "network" && !file.empty())
            commands.push_back(fmt::format("tailback audit --network {} --tables {}{}", file, report.tables,
                                           report.is.lanes == 1 ? " --path-sl none" : ""));
    commands.push_back(fmt::format("opensm -R file,no_fallback -U {}", report.tables));
    return commands;
}

}  // namespace

ImproveWords words_of(ImproveReport const& report) {
    search::SearchReport const& search = report.search;
    std::string how =
        fmt::format("Search for {}: from {}, {}, {}, {} trimmed", report.objective, report.start,
                    base::counted(search.rounds, "round", "rounds"), base::counted(search.moves, "move", "moves"),
                    base::counted(search.trimmed, "entry", "entries"));
    if (report.by_order)
        how += fmt::format(", up*/down* by the best of {}", base::counted(report.trials + 1, "order", "orders"));
    if (report.valleys > 0) how += fmt::format(", {}", base::counted(report.valleys, "valley", "valleys"));
    return {outcome_sentence(report),
            worse_sentence(report),
            routing_sentence(report),
            most_sentence(report),
            bound_sentence(report),
            how + ".",
            fmt::format("Changes: {} in {} of 64 LIDs on {}.", base::counted(report.entries, "entry", "entries"),
                        base::counted(report.blocks, "block", "blocks"),
                        base::counted(report.switches, "switch", "switches")),
            rollout_sentence(report),
            commands_to_load(report),
            [&] {
                std::vector<std::vector<std::string>> numbers;
                for (TwoSides& row : numbers_of(report))
                    numbers.push_back({row.name, std::move(row.was), std::move(row.is)});
                return numbers;
            }()};
}

std::vector<std::string> worse_keys(ImproveReport const& report) {
    std::vector<std::string> keys;
    for (TwoSides const& row : numbers_of(report))
        if (row.worse && report.outcome == ImproveOutcome::improved) keys.emplace_back(row.key);
    return keys;
}

Document document_of(ImproveReport const& report) {
    ImproveWords const words = words_of(report);
    Document document;
    document.sentence(words.outcome);
    add_network(document, report.before, study::digest(report.before));
    document.blank();
    Table table{.columns = {name_column(), {"before"}, {"after"}}};
    for (std::vector<std::string> const& row : words.numbers) table.rows.push_back({row[0], row[1], row[2]});
    document.table(table);
    document.blank();
    if (model::traits_of(report.before).lmc > 0)
        document.sentence(
            "Loads and collisions are of the hosts' base LIDs alone, links of a route and detours of all LIDs.");
    for (std::string const* const sentence :
         {&words.worse, &words.routing, &words.most, &words.bound, &words.search, &words.changes, &words.live})
        if (!sentence->empty()) document.sentence(*sentence);
    return document;
}

}  // namespace tailback::report
