#include "host/base/numbers.hpp"
#include "host/report/improve/improve_report.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>

namespace tailback::report {
namespace {

std::string outcome_sentence(ImproveReport const& report) {
    switch (report.outcome) {
        case ImproveOutcome::improved:
            if (report.is.undelivered < report.was.undelivered)
                return fmt::format("Better tables: {} that the input loses.",
                                   base::counted(report.was.undelivered - report.is.undelivered, "pair is delivered",
                                                 "pairs are delivered"));
            if (report.is.deadlock_free && !report.was.deadlock_free)
                return fmt::format(
                    "Better tables: free of deadlock, which the input is not, with {} collisions a "
                    "permutation in place of {}.",
                    base::significant_text(report.is.collisions, 1), base::significant_text(report.was.collisions, 1));
            if (report.was.jobs && report.is.jobs)
                return fmt::format(
                    "Better tables for the jobs: a link between switches carries {} of what the "
                    "busiest host link does, in place of {}.",
                    base::fixed_text(report.is.jobs->largest / report.is.jobs->host_link, 3),
                    base::fixed_text(report.was.jobs->largest / report.was.jobs->host_link, 3));
            if (report.objective == "permutation" && report.is.worst_permutation && report.was.worst_permutation &&
                *report.is.worst_permutation < *report.was.worst_permutation)
                return fmt::format("Better tables: a permutation puts {} on a link at most in place of {}.",
                                   base::counted(*report.is.worst_permutation, "flow", "flows"),
                                   base::grouped(*report.was.worst_permutation));
            if (report.is.collisions >= report.was.collisions ||
                (report.objective == "max-load" && report.is.largest_load < report.was.largest_load))
                return fmt::format("Better tables: {} at most on a link between switches in place of {}.",
                                   base::counted(report.is.largest_load, "pair", "pairs"),
                                   base::grouped(report.was.largest_load));
            return fmt::format("Better tables: {} collisions a permutation in place of {}.",
                               base::significant_text(report.is.collisions, 1),
                               base::significant_text(report.was.collisions, 1));
        case ImproveOutcome::refused:
            return "The input is kept: what is better waits in circles on so few lanes, or with so few changes.";
        default: return "The input is kept: nothing better was found.";
    }
}

std::string lanes_text(unsigned lanes) { return lanes == 1 ? "one lane" : fmt::format("{} lanes", lanes); }

std::string deadlock_text(ImprovedSide const& side) {
    return (side.deadlock_free ? "free on " : "possible on ") + lanes_text(side.lanes);
}

std::string bandwidth_text(std::optional<Bandwidth> const& bandwidth) {
    if (!bandwidth) return "-";
    return fmt::format("{} +- {}", base::fixed_text(bandwidth->mean, 4), base::fixed_text(bandwidth->half_width, 4));
}

std::string count_text(std::optional<std::uint32_t> const& count) { return count ? base::grouped(*count) : "-"; }

char const* rollout_sentence(search::Rollout rollout) {
    switch (rollout) {
        case search::Rollout::nothing: return "There is nothing to change.";
        case search::Rollout::any_order:
            return "Live: in any order of switches; every mixture of old and new entries delivers and is free of "
                   "deadlock.";
        case search::Rollout::by_destination:
            return "Live: destination by destination, each outwards from its own switch along its new tree; other "
                   "orders can lose pairs or stand still in between.";
        default: return "Live: not without more lanes, or a drain: states in between can lose pairs or stand still.";
    }
}

std::vector<std::vector<std::string>> numbers_of(ImproveReport const& report) {
    ImprovedSide const &was = report.was, &is = report.is;
    auto const collisions = [](double value) { return base::significant_text(value, 1); };
    std::vector<std::vector<std::string>> rows;
    rows.push_back({"pairs not delivered", base::grouped(was.undelivered), base::grouped(is.undelivered)});
    rows.push_back({"collisions a permutation", collisions(was.collisions), collisions(is.collisions)});
    rows.push_back({"bisection bandwidth", bandwidth_text(was.bandwidth), bandwidth_text(is.bandwidth)});
    rows.push_back({"largest load between switches", base::grouped(was.largest_load), base::grouped(is.largest_load)});
    if (was.jobs && is.jobs) {
        auto const of_host_link = [](JobsLoad const& load) {
            std::string text = load.host_link > 0 ? base::fixed_text(load.largest / load.host_link, 3) : "-";
            if (load.failed > 0) text += fmt::format(", {} lost", base::counted(load.failed, "flow", "flows"));
            return text;
        };
        rows.push_back({"largest load of the jobs, host link 1", of_host_link(*was.jobs), of_host_link(*is.jobs)});
    }
    rows.push_back({"worst permutation", count_text(was.worst_permutation), count_text(is.worst_permutation)});
    rows.push_back({"worst shift", count_text(was.worst_shift), count_text(is.worst_shift)});
    rows.push_back({"links of a route", base::fixed_text(was.mean_links, 3), base::fixed_text(is.mean_links, 3)});
    rows.push_back({"pairs on a detour", base::grouped(was.longer), base::grouped(is.longer)});
    rows.push_back({"deadlock", deadlock_text(was), deadlock_text(is)});
    return rows;
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
                       base::counted(report.load_bound->least, "pair", "pairs"));
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
            bound_sentence(report),
            how + ".",
            fmt::format("Changes: {} in {} of 64 LIDs on {}.", base::counted(report.entries, "entry", "entries"),
                        base::counted(report.blocks, "block", "blocks"),
                        base::counted(report.switches, "switch", "switches")),
            rollout_sentence(report.rollout),
            commands_to_load(report),
            numbers_of(report)};
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
    if (!words.bound.empty()) document.sentence(words.bound);
    for (std::string const* const sentence : {&words.search, &words.changes, &words.live}) document.sentence(*sentence);
    return document;
}

}  // namespace tailback::report
