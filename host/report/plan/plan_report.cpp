#include "host/report/plan/plan_report.hpp"

#include "host/base/numbers.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

namespace tailback::report {
namespace {

using audit::CableMistake, audit::JudgedNetwork, audit::Miscabling;

constexpr std::array all_miscablings = {Miscabling::swapped, Miscabling::wrong, Miscabling::missing, Miscabling::extra};

std::string planned_text(formats::PlannedCable const& cable) {
    return base::printable(cable.from.text() + " - " + cable.to.text());
}
/// Adapters as the plan calls them, where a planned cable of the mistake has them.
std::string found_text(PlanReport const& report, model::Link link, std::vector<std::size_t> const& planned) {
    model::Network const& network = report.fabric.network;
    model::LinkRecord const& record = network[link];
    auto const end = [&](model::Node node, model::Port port) {
        for (std::size_t const number : network.is_switch(node) ? std::vector<std::size_t>{} : planned)
            for (formats::PlannedEnd const* one : {&report.plan.cables[number].from, &report.plan.cables[number].to})
                if (report.names.find(*one) == std::pair(node, port)) return base::printable(one->text());
        return base::printable(formats::bare_name(network[node].name)) + " [" + network.port_name(node, port) + "]";
    };
    return end(record.from, record.from_port) + " - " + end(record.to, record.to_port);
}

template <class List, class Text>
std::string joined(List const& list, Text text) {
    std::string all;
    for (std::size_t i = 0; i < list.size(); ++i)
        all += (i == 0 ? "" : i + 1 == list.size() ? " and " : ", ") + text(list[i]);
    return all;
}

/// `planned: .. and ..; found: .. and ..`
std::string mistake_text(PlanReport const& report, CableMistake const& mistake) {
    std::string const planned =
        joined(mistake.planned, [&](std::size_t number) { return planned_text(report.plan.cables[number]); });
    std::string const found =
        joined(mistake.found, [&](model::Link link) { return found_text(report, link, mistake.planned); });
    if (found.empty()) return planned;
    return planned.empty() ? found : "planned: " + planned + "; found: " + found;
}

std::string count_text(PlanReport const& report) {
    static constexpr char const* words[] = {"swaps of ends", "cables lead elsewhere", "cables are missing",
                                            "cables are not in the plan"};
    static constexpr char const* one[] = {"swap of ends", "cable leads elsewhere", "cable is missing",
                                          "cable is not in the plan"};
    std::string text;
    for (Miscabling const kind : all_miscablings)
        if (std::uint64_t const count = report.found.count(kind); count > 0)
            text += fmt::format("{}{}", text.empty() ? "" : ", ",
                                base::counted(count, one[std::size_t(kind)], words[std::size_t(kind)]));
    return text;
}

/// Those that are called in another way by one sentence, others one by one.
void add_unknown_ports(Document& document, PlanReport const& report) {
    std::vector<std::string> ports = report.found.unknown_ports;
    if (ports.empty()) return;
    document.heading(fmt::format("{} of the plan {} no cable here under that name",
                                 base::counted(ports.size(), "port", "ports"), ports.size() == 1 ? "has" : "have"));
    for (audit::OtherForm const& other : report.found.other_forms) {
        std::set<std::string> const told(other.texts.begin(), other.texts.end());
        std::erase_if(ports, [&](std::string const& port) { return told.contains(port); });
        document.sentence(
            fmt::format("{} of {}: the plan calls them as {}, the network calls ports there as {}; write "
                        "them as the network does",
                        base::counted(other.ports, "port", "ports"), base::counted(other.devices, "device", "devices"),
                        base::printable(other.planned), base::printable(other.here)),
            2);
    }
    add_first(document, ports, report.top,
              [&](std::string const& name) { document.sentence(base::printable(name), 2); });
}

void add_verdict(Document& document, PlanReport const& report) {
    document.sentence(report.verdict());
    for (auto const& [count, what] :
         {std::pair{report.found.between_switches, "between switches"}, {report.found.of_hosts, "of hosts"}})
        if (count > 0)
            document.sentence(fmt::format("Not compared: {} {}, of which the plan has none",
                                          base::counted(count, "cable", "cables"), what));
    if (report.plan.open > 0)
        document.sentence(fmt::format("Left out: {} of the plan with one end alone",
                                      base::counted(report.plan.open, "line", "lines")));
    if (report.plan.management > 0)
        document.sentence(fmt::format("Left out: {} of the plan at management ports of switches",
                                      base::counted(report.plan.management, "cable", "cables")));
    if (std::vector<std::string> const& unknown = report.found.unknown; !unknown.empty()) {
        document.heading(fmt::format("{} of the plan {} here under that name, or more than once",
                                     base::counted(unknown.size(), "device", "devices"),
                                     unknown.size() == 1 ? "is not" : "are not"));
        add_first(document, unknown, report.top,
                  [&](std::string const& name) { document.sentence(base::printable(name), 2); });
    }
    add_unknown_ports(document, report);
    if (!report.plan.doubles.empty()) {
        document.heading("The plan gives a port two cables; the second is left out");
        add_first(document, report.plan.doubles, report.top,
                  [&](formats::SecondCable const& one) { document.sentence(base::printable(one.sentence()), 2); });
    }
    if (!report.doubles_there.empty()) {
        document.heading("The network gives a port two cables; the second is left out");
        add_first(document, report.doubles_there, report.top,
                  [&](std::string const& one) { document.sentence(base::printable(one), 2); });
    }
}

/// Where a mistake stands in the plan: `line 9 (rack R1): `, `lines 2, 10 (racks R1, R2): `; of many lines the first.
std::string place_text(PlanReport const& report, CableMistake const& mistake) {
    static constexpr std::size_t most = 4;
    std::vector<std::size_t> const& planned = mistake.planned;
    if (planned.empty()) return "";
    std::vector<std::size_t> lines;
    std::vector<std::string> racks;
    for (std::size_t const number : std::span(planned).first(std::min(most, planned.size()))) {
        formats::PlannedCable const& cable = report.plan.cables[number];
        lines.push_back(cable.line);
        if (!cable.rack.empty() && std::ranges::find(racks, cable.rack) == racks.end()) racks.push_back(cable.rack);
    }
    std::string const of_racks =
        racks.empty() ? "" : fmt::format(" (rack{} {})", racks.size() > 1 ? "s" : "", fmt::join(racks, ", "));
    return fmt::format("line{} {}{}{}: ", planned.size() > 1 ? "s" : "", fmt::join(lines, ", "),
                       planned.size() > most ? ", .." : "", base::printable(of_racks));
}

void add_mistakes(Document& document, PlanReport const& report) {
    static constexpr char const* headings[] = {"Swapped: ends of cables that belong to each other, one mistake each",
                                               "Wrong: cables that lead elsewhere", "Missing: planned, and not there",
                                               "Extra: there, and not planned"};
    for (Miscabling const kind : all_miscablings) {
        std::vector<CableMistake const*> of_kind;
        for (CableMistake const& one : report.found.mistakes)
            if (one.kind == kind) of_kind.push_back(&one);
        if (of_kind.empty()) continue;
        document.heading(fmt::format("{} ({})", headings[std::size_t(kind)], base::grouped(of_kind.size())));
        add_first(document, of_kind, report.top,
                  [&](CableMistake const* one) { document.sentence(report.text_of(*one), 2); });
    }
}

struct RackSum {
    std::string name;
    std::array<std::uint64_t, 4> count{};  // by Miscabling
    std::uint64_t all() const { return count[0] + count[1] + count[2] + count[3]; }
};
std::vector<RackSum> racks_of(PlanReport const& report) {
    std::vector<RackSum> racks;
    for (CableMistake const& mistake : report.found.mistakes) {
        auto at =
            std::find_if(racks.begin(), racks.end(), [&](RackSum const& one) { return one.name == mistake.rack; });
        if (at == racks.end()) at = racks.insert(at, {mistake.rack, {}});
        ++at->count[std::size_t(mistake.kind)];
    }
    std::stable_sort(racks.begin(), racks.end(), [](RackSum const& a, RackSum const& b) { return a.all() > b.all(); });
    return racks;
}

void add_racks(Document& document, PlanReport const& report) {
    std::vector<RackSum> const racks = racks_of(report);
    if (racks.size() < 2) return;
    document.heading(fmt::format("By rack, or switch where the plan names none ({})", base::grouped(racks.size())));
    Table table{.columns = {{"swapped"}, {"wrong"}, {"missing"}, {"extra"}, name_column("where")}};
    add_rows(table, racks, report.top, [](RackSum const& rack) -> std::vector<Cell> {
        return {base::grouped(rack.count[0]), base::grouped(rack.count[1]), base::grouped(rack.count[2]),
                base::grouped(rack.count[3]), base::printable(formats::bare_name(rack.name))};
    });
    document.table(std::move(table));
}

std::string amount(double pairs) {
    return pairs == std::floor(pairs) ? base::grouped(static_cast<std::uint64_t>(pairs)) : base::fixed_text(pairs, 1);
}

std::vector<Cell> cost_row(JudgedNetwork const& one, JudgedNetwork const* before, std::string name) {
    if (!one.refused.empty()) return {"-", "", "", "-", "-", "-", std::move(name)};  // why: below the table
    std::string gain, error;
    if (std::optional<audit::BandwidthGain> const found =
            before == nullptr ? std::nullopt : audit::gain_over(*before, one)) {
        gain = fmt::format("{}{}", found->mean < 0 ? "" : "+", base::fixed_text(found->mean, 4));
        error = base::fixed_text(found->error, 4);
    }
    std::optional<double> const bandwidth = audit::mean_bandwidth(one);
    return {bandwidth ? base::fixed_text(*bandwidth, 4) : "-",
            gain,
            error,
            amount(one.largest),
            base::grouped(one.not_delivered),
            one.free ? "free" : "possible",
            std::move(name)};
}

/// How many mistakes change the bandwidth by more than the error.
std::size_t beyond_error(audit::PlanCosts const& costs) {
    return static_cast<std::size_t>(std::ranges::count_if(costs.put_right, [&](JudgedNetwork const& one) {
        std::optional<audit::BandwidthGain> const gain = audit::gain_over(costs.as_it_is, one);
        return gain && std::abs(gain->mean) > std::max(gain->error, 1e-9);
    }));
}

std::string how_it_is_judged(audit::PlanCosts const& costs, bool several_lids) {
    std::string const of_lids = several_lids ? ", to base LIDs alone" : "";
    return costs.divided
               ? fmt::format(
                     "Flows divide equally over all routes of equal cost, in {} random bisections, the same in "
                     "every row; largest: pairs over the most loaded link between switches{}.",
                     base::grouped(costs.as_it_is.bandwidth.size()), of_lids)
               : fmt::format(
                     "Means of {} tables, which break ties in other orders, the same in every row: bandwidth "
                     "of random bisections by formula, pairs over the most loaded link between switches{}.",
                     std::max<std::size_t>(costs.as_it_is.bandwidth.size(), 1), of_lids);
}

void add_costs(Document& document, PlanReport const& report) {
    if (!report.costs || report.found.mistakes.empty()) return;
    audit::PlanCosts const& costs = *report.costs;
    document.heading(fmt::format("What it costs: {} made anew by {}, each mistake put right by itself",
                                 costs.divided ? "routes" : "tables", costs.routing));
    Table table{
        .columns = {
            {"bandwidth"}, {"gain"}, {"+-"}, {"largest"}, {"lost"}, word_column("deadlock"), name_column("network")}};
    table.folds = true;  // a cable is told whole
    char const* const own = costs.by_own && costs.by_own->divided ? "routes" : "tables";
    if (costs.by_own)
        table.rows.push_back(cost_row(*costs.by_own, nullptr, fmt::format("as it is, by its own {}", own)));
    table.rows.push_back(cost_row(costs.as_it_is, nullptr, "as it is"));
    table.rows.push_back(cost_row(costs.as_planned, &costs.as_it_is, "as planned"));
    for (std::size_t i = 0; i < costs.put_right.size(); ++i) {
        CableMistake const& mistake = report.found.mistakes[i];
        table.rows.push_back(
            cost_row(costs.put_right[i], &costs.as_it_is,
                     fmt::format("{}: {}", audit::miscabling_names[std::size_t(mistake.kind)],
                                 mistake.planned.empty() ? found_text(report, mistake.found.front(), {})
                                                         : planned_text(report.plan.cables[mistake.planned.front()]))));
    }
    table.left_out = report.found.mistakes.size() - costs.put_right.size();
    table.hint = "(--costs N looks at more)";
    document.table(std::move(table));
    for (std::string const& words : report.cost_words()) document.sentence(words, 2);
}

Json cost_json(JudgedNetwork const& one, JudgedNetwork const* before = nullptr) {
    bool const fits = one.refused.empty();
    std::optional<audit::BandwidthGain> const gain =
        fits && before != nullptr ? audit::gain_over(*before, one) : std::nullopt;
    return {{"refused", or_null(!fits, one.refused)},
            {"bandwidth", or_null(fits, real(audit::mean_bandwidth(one)))},
            {"gain", gain ? real(gain->mean) : Json(nullptr)},
            {"error", gain ? real(gain->error) : Json(nullptr)},
            {"largest_load", or_null(fits, real(one.largest))},
            {"pairs_not_delivered", or_null(fits, one.not_delivered)},
            {"deadlock_free", or_null(fits, one.free)}};
}

Json planned_json(formats::PlannedCable const& cable) {
    return {{"line", cable.line},
            {"from", cable.from.device},
            {"from_port", cable.from.port},
            {"to", cable.to.device},
            {"to_port", cable.to.port}};
}

}  // namespace

std::string PlanReport::verdict() const {
    std::string second;
    for (auto const& [count, whose] : {std::pair{plan.doubles.size(), "plan"}, {doubles_there.size(), "network"}})
        if (count > 0)
            second +=
                fmt::format("; {} of the {} left out: a port has two", base::counted(count, "cable", "cables"), whose);
    return fmt::format("{}: {} of {} planned cables are there{}{}",
                       as_planned() ? "CABLED AS PLANNED" : "NOT AS PLANNED", base::grouped(found.as_planned),
                       base::grouped(plan.cables.size()), found.mistakes.empty() ? "" : "; " + count_text(*this),
                       second);
}

std::string PlanReport::text_of(audit::CableMistake const& mistake) const {
    return place_text(*this, mistake) + mistake_text(*this, mistake);
}

std::vector<std::string> PlanReport::cost_words() const {
    if (!costs) return {};
    std::vector<std::string> words = {how_it_is_judged(*costs, model::traits_of(fabric).lmc > 0)};
    std::size_t const told = beyond_error(*costs);
    words.push_back(told == 0
                        ? "No gain is beyond its error (+-, 99 %): these mistakes cost no bandwidth that can be told."
                        : fmt::format("{} of {} mistakes change bandwidth by more than the error (+-, 99 %).",
                                      base::grouped(told), base::grouped(costs->put_right.size())));
    std::set<std::string> refusals;
    auto const tell = [&](JudgedNetwork const& one, std::string const& what) {
        if (!one.refused.empty() && refusals.insert(one.refused).second)
            words.push_back(fmt::format("No numbers for {}: {}", what, base::printable(one.refused)));
    };
    if (costs->by_own) tell(*costs->by_own, "its own routes");
    tell(costs->as_it_is, "the fabric as it is");
    tell(costs->as_planned, "the fabric as planned");
    for (JudgedNetwork const& one : costs->put_right) tell(one, "mistakes put right by themselves");
    return words;
}

Document document_of(PlanReport const& report) {
    Document document;
    add_verdict(document, report);
    add_mistakes(document, report);
    add_racks(document, report);
    add_costs(document, report);
    return document;
}

Json value_of(PlanReport const& report) {
    model::Network const& network = report.fabric.network;
    Json forms = Json::array();
    for (audit::OtherForm const& one : report.found.other_forms)
        forms.push_back({{"planned", one.planned}, {"here", one.here}, {"ports", one.ports}, {"devices", one.devices}});
    Json counts = Json::object(), mistakes = Json::array(), racks = Json::array(), doubles = Json::array();
    for (formats::SecondCable const& one : report.plan.doubles) doubles.push_back(one.sentence());
    for (Miscabling const kind : all_miscablings)
        counts[audit::miscabling_names[std::size_t(kind)]] = report.found.count(kind);
    for (std::size_t i = 0; i < report.found.mistakes.size(); ++i) {
        CableMistake const& mistake = report.found.mistakes[i];
        Json planned = Json::array(), found = Json::array();
        for (std::size_t const number : mistake.planned) planned.push_back(planned_json(report.plan.cables[number]));
        for (model::Link const link : mistake.found) found.push_back(ends_json(network, link));
        Json one = {{"kind", audit::miscabling_names[std::size_t(mistake.kind)]},
                    {"where", mistake.rack},
                    {"planned", std::move(planned)},
                    {"found", std::move(found)},
                    {"put_right", nullptr}};
        if (report.costs && i < report.costs->put_right.size())
            one["put_right"] = cost_json(report.costs->put_right[i], &report.costs->as_it_is);
        mistakes.push_back(std::move(one));
    }
    for (RackSum const& rack : racks_of(report)) {
        Json one = {{"where", rack.name}};
        for (Miscabling const kind : all_miscablings)
            one[audit::miscabling_names[std::size_t(kind)]] = rack.count[std::size_t(kind)];
        racks.push_back(std::move(one));
    }
    Json json = head("tailback-plan-1", report.files, network_json(report.fabric, study::digest(report.fabric)));
    json.update(
        {{"as_planned", report.as_planned()},
         {"cables", {{"planned", report.plan.cables.size()}, {"there", report.found.as_planned}}},
         {"mistakes_by_kind", std::move(counts)},
         {"not_compared", {{"between_switches", report.found.between_switches}, {"of_hosts", report.found.of_hosts}}},
         {"lines_with_one_end", report.plan.open},
         {"doubles", std::move(doubles)},
         {"doubles_there", report.doubles_there},
         {"cables_of_management", report.plan.management},
         {"unknown_devices", report.found.unknown},
         {"unknown_ports", report.found.unknown_ports},
         {"ports_of_another_form", std::move(forms)},
         {"mistakes", std::move(mistakes)},
         {"racks", std::move(racks)},
         {"costs", nullptr}});
    if (report.costs) {
        audit::PlanCosts const& costs = *report.costs;
        json["costs"] = {{"routing", costs.routing},
                         {"judged_by", costs.divided ? "equal division" : "tables"},
                         {"draws", costs.as_it_is.bandwidth.size()},
                         {"by_own_tables", costs.by_own ? cost_json(*costs.by_own) : Json(nullptr)},
                         {"as_it_is", cost_json(costs.as_it_is)},
                         {"as_planned", cost_json(costs.as_planned, &costs.as_it_is)}};
    }
    return json;
}

}  // namespace tailback::report
