// A page is a JSON report with the fabric beside it, and a script that shows them.
#include "host/report/html/page.hpp"

#include "host/audit/loads/levels.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routes/fabric_words.hpp"
#include "host/report/forms.hpp"
#include "host/report/html/page_parts.hpp"

#include <algorithm>
#include <ostream>

namespace tailback::report {
namespace {

constexpr std::size_t most_rows = 2000;  // of a table of links, where there is no map
constexpr std::size_t least_rows = 8;    // of a list that is worth writing by columns

/// Lists of objects that have the same keys, with the keys written once: {"columns": [..], "rows": [[..], ..]}.
Json by_columns(Json const& value) {
    if (value.is_object()) {
        Json result = Json::object();
        for (auto const& [key, inner] : value.items()) result[key] = by_columns(inner);
        return result;
    }
    if (!value.is_array()) return value;
    bool alike = value.size() >= least_rows;
    for (Json const& row : value) {
        alike = alike && row.is_object() && row.size() == value.front().size();
        if (!alike) break;
        auto key = value.front().begin();
        for (auto const& [name, inner] : row.items()) alike = alike && name == (key++).key();
    }
    Json rows = Json::array(), columns = Json::array();
    if (alike)
        for (auto const& [name, inner] : value.front().items()) columns.push_back(name);
    for (Json const& row : value) {
        if (!alike) {
            rows.push_back(by_columns(row));
            continue;
        }
        Json cells = Json::array();
        for (auto const& [name, inner] : row.items()) cells.push_back(by_columns(inner));
        rows.push_back(std::move(cells));
    }
    if (!alike) return rows;
    return {{"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

/// Loads as sums over all mappings, where there are some; the ideal is the mean of the links that carry any between
/// switches.
Json fabric_of(Report const& report) {
    model::Fabric const& made = *report.plan.fabric;
    if (made.formula) return nullptr;
    Json fabric = fabric_json(made, audit::levels_of(made.network));
    std::vector<evaluation::LinkSum> const& links = report.result.links;
    if (fabric.is_null() || links.size() != made.network.links().size()) return fabric;
    double sum = 0, used = 0;
    for (evaluation::LinkSum const& link : links)
        if (report.between_switches(link.link) && link.sum > 0) sum += double(link.sum), ++used;
    Json load = Json::array(), stage = Json::array();
    for (evaluation::LinkSum const& link : links) {
        load.push_back(link.sum);
        stage.push_back(used > 0 && report.between_switches(link.link) ? 0 : -1);
    }
    add_loads(fabric, std::move(load), std::move(stage), {used > 0 ? sum / used : 0});
    return fabric;
}

/// Loads of the shared links that are told; the ideal is their mean.
Json fabric_of(JobsReport const& report) {
    model::Fabric const& made = *report.plan.fabric;
    if (made.formula) return nullptr;
    Json fabric = fabric_json(made, audit::levels_of(made.network));
    std::vector<evaluation::SharedLink> const& links = report.result.links;
    if (fabric.is_null() || links.empty()) return fabric;
    std::vector<Json> load(made.network.links().size(), nullptr), stage(load.size(), -1);
    double sum = 0;
    for (evaluation::SharedLink const& link : links) {
        load[link.link.value] = link.load;
        stage[link.link.value] = 0;
        sum += link.load;
    }
    add_loads(fabric, std::move(load), std::move(stage), {sum / double(links.size())});
    return fabric;
}

/// What the page calls the route where nothing is chosen: as the text does.
Json terms_json(model::Fabric const& fabric) { return {{"fixed", model::words_of(fabric).fixed}}; }

/// Of a list of all links only these numbers, by columns: the fabric has their ends.
void keep_numbers(Json& list, std::initializer_list<char const*> keys) {
    Json numbers = Json::object();
    for (char const* const key : keys) {
        Json column = Json::array();
        for (Json const& link : list) column.push_back(link.at(key));
        numbers[key] = std::move(column);
    }
    list = std::move(numbers);
}

/// @param with_fabric the page has the fabric
Json audit_json(AuditReport const& report, bool with_fabric) {
    Json json = value_of(report);
    for (LongList const& list : long_lists_of(report)) json[list.name] = list.whole();
    if (with_fabric) keep_numbers(json["links"], {"destinations", "worst_permutation"});
    return by_columns(json);
}

/// @param with_fabric the page has the fabric; without it there is a table of the links that carry most
Json evaluate_json(Report const& report, bool with_fabric) {
    Json json = value_of(report);
    if (auto const at = json["metrics"].find("get_cable_cong"); at != json["metrics"].end()) {
        Json& links = at.value()["links"];
        if (with_fabric) {
            keep_numbers(links, {"scaled"});  // sums are the loads of the fabric
        } else if (links.size() > most_rows) {
            std::vector<Json> rows(links.begin(), links.end());
            std::stable_sort(rows.begin(), rows.end(), [](Json const& a, Json const& b) {
                return a["sum"].get<std::uint64_t>() > b["sum"].get<std::uint64_t>();
            });
            rows.resize(most_rows);
            links = std::move(rows);
        }
    }
    return by_columns(json);
}

Json side_json(ComparedSide const* side) {
    if (side == nullptr) return nullptr;
    Json audit = audit_json(side->audit, false);
    for (char const* const list : {"links", "switches"}) audit.erase(list);
    Json json = {{"audit", std::move(audit)}, {"bandwidth", nullptr}};
    if (side->bandwidth) json["bandwidth"] = side->bandwidth->mean, json["half_width"] = side->bandwidth->half_width;
    return json;
}

/// A page of columns side by side. @param words how they are called, which are on top, what is said of the study
template <class OfColumns>
void write_columns(std::ostream& out, char const* title, Json words, OfColumns const& report) {
    words["kind"] = "columns";
    words["title"] = title;
    words["report"] = value_of(report);
    words["columns"] = Json::array();
    for (NamedColumn const& column : report.columns()) words["columns"].push_back({column.name, column.what});
    words["next"] = result::next_steps_json(report.next_steps());
    write_page(out, title, std::move(words));
}

}  // namespace

void write_html(std::ostream& out, AuditReport const& report) {
    Json fabric = audited_fabric(report.audit);
    Json value = audit_json(report, !fabric.is_null());
    Json data = with_map("audit", std::move(value), std::move(fabric));
    data["terms"] = terms_json(report.audit.fabric);
    write_page(out, "Audit of a fabric", std::move(data));
}

void write_html(std::ostream& out, Report const& report) {
    Json fabric = fabric_of(report);
    Json value = evaluate_json(report, !fabric.is_null());
    Json data = with_map("evaluate", std::move(value), std::move(fabric));
    for (study::MetricInfo const* const info : report.metrics())
        if (info->number || info->flows) data["axes"][info->name] = report.axis(*info);
    data["next"] = result::next_steps_json(report.next_steps());
    data["rates"] = nullptr;
    if (report.rates)
        data["rates"] = {{"facts", facts_of(*report.rates)},
                         {"busbw", rate_words(*report.rates, report.rates->busbw)},
                         {"share", share_text(*report.rates)}};
    std::vector<std::string> const again = report.others.with("evaluate", {});
    data["again"] = again.empty() ? Json(nullptr) : Json("tailback " + result::shell_line(again));
    write_page(out, "Evaluation of mappings", std::move(data));
}

void write_html(std::ostream& out, BracketReport const& report) {
    write_columns(out, "Adaptive routing",
                  {{"of", "division"},
                   {"shown", {"static", "equal", "hash"}},
                   {"more", "; candidate sets: " + value_of(report)["candidate_sets"].get<std::string>()}},
                  report);
}

void write_html(std::ostream& out, MultipathReport const& report) {
    std::vector<std::uint32_t> const& pairs = report.result.queue_pairs;
    if (pairs.empty())
        return write_columns(out, "Several LIDs a host",
                             {{"of", "way"}, {"shown", {"base", "connection", "all"}}, {"more", ""}}, report);
    auto const [least, most] = std::minmax_element(pairs.begin(), pairs.end());
    Json shown = {"equal", std::to_string(*most)};
    if (*least != *most) shown.insert(shown.begin(), std::to_string(*least));
    write_columns(out, "Queue pairs",
                  {{"of", "queue pairs"},
                   {"shown", std::move(shown)},
                   {"more", "; queue pairs are hashed over " + report.plan.fabric->candidates->words()}},
                  report);
}

void write_html(std::ostream& out, JobsReport const& report) {
    Json data = with_map("jobs", by_columns(value_of(report)), fabric_of(report));
    data["next"] = result::next_steps_json(report.next_steps());
    data["shared"] = Json::array();
    for (evaluation::SharedLink const& link : report.result.links) data["shared"].push_back(link.link.value);
    write_page(out, "Jobs on one fabric", std::move(data));
}

void write_html(std::ostream& out, ImproveReport const& report) {
    bool const has_changed = report.outcome == ImproveOutcome::improved;
    ImproveWords const words = words_of(report);
    Json data = with_map("improve", by_columns(value_of(report)), audited_fabric(*report.was.audit));
    data["after"] = has_changed ? audited_fabric(*report.is.audit) : Json(nullptr);
    data["words"] = {{"outcome", words.outcome}, {"worse", words.worse}, {"routing", words.routing},
                     {"most", words.most},       {"bound", words.bound}, {"search", words.search},
                     {"changes", words.changes}, {"live", words.live},   {"next", words.next}};
    data["numbers"] = words.numbers;
    write_page(out, "Better tables", std::move(data));
}

void write_html(std::ostream& out, DiffReport const& report, ComparedSide const* before, ComparedSide const* after) {
    Json data = with_map("diff", by_columns(value_of(report)),
                         after != nullptr ? audited_fabric(after->audit.audit) : Json(nullptr));
    data["before"] = side_json(before);
    data["after"] = side_json(after);
    write_page(out, "Comparison of two fabrics", std::move(data));
}

void write_sweep_html(std::ostream& out, Json const& report) {
    write_page(out, "Sweep", {{"kind", "sweep"}, {"report", report}});
}

}  // namespace tailback::report
