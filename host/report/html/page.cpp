// A page is a JSON report with the fabric beside it, and a script that shows them.
#include "host/report/html/page.hpp"

#include "host/audit/loads/levels.hpp"
#include "host/base/error.hpp"
#include "host/model/routes/fabric_words.hpp"
#include "host/model/routes/ip_plan.hpp"
#include "host/report/forms.hpp"
#include "host/report/html/assets.hpp"

#include "version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <ostream>

namespace tailback::report {
namespace {

constexpr std::size_t most_links = 200'000;     // of a map that can be moved smoothly
constexpr std::size_t most_entries = 12 << 20;  // of tables: 16 MB as text at most
constexpr std::size_t most_rows = 2000;         // of a table of links, where there is no map
constexpr std::size_t least_rows = 8;           // of a list that is worth writing by columns

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

std::string base64(std::vector<std::uint8_t> const& bytes) {
    static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::size_t const count = bytes.size();
    std::string text;
    text.reserve((count + 2) / 3 * 4);
    for (std::size_t i = 0; i < count; i += 3) {
        std::uint32_t word = std::uint32_t{bytes[i]} << 16;
        if (i + 1 < count) word |= std::uint32_t{bytes[i + 1]} << 8;
        if (i + 2 < count) word |= bytes[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6) text += letters[word >> shift & 63];
    }
    if (count % 3 != 0) text.replace(text.size() - (3 - count % 3), 3 - count % 3, 3 - count % 3, '=');
    return text;
}

/// Hosts that the page knows.
std::vector<model::Host> shown_hosts(model::Network const& network) {
    std::vector<model::Host> hosts;
    for (std::size_t h = 0; h < network.hosts().size(); ++h)
        if (network[model::Host{h}].role == model::HostRole::compute) hosts.emplace_back(h);
    return hosts;
}

/// Numbers of `bits` each, one after the other, the lowest bits first.
std::vector<std::uint8_t> packed_bits(std::vector<std::uint32_t> const& numbers, unsigned bits) {
    std::vector<std::uint8_t> bytes;
    std::uint64_t waiting = 0;
    unsigned count = 0;
    for (std::uint32_t const number : numbers) {
        waiting |= std::uint64_t{number} << count;
        for (count += bits; count >= 8; count -= 8, waiting >>= 8) bytes.push_back(static_cast<std::uint8_t>(waiting));
    }
    if (count > 0) bytes.push_back(static_cast<std::uint8_t>(waiting));
    return bytes;
}

/// Of every node with a table the port to each host, 0 = none: [row][host].
Json tables_json(model::Fabric const& fabric, std::vector<model::Host> const& hosts) {
    model::ForwardingTables const& tables = fabric.tables;
    if (!fabric.routed || tables.tables() == 0 || tables.tables() * hosts.size() > most_entries) return nullptr;
    Json rows = Json::array();
    std::vector<std::uint32_t> ports;
    std::uint32_t largest = 1;
    std::int64_t row = 0;
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n) {
        model::Node const node{n};
        rows.push_back(tables.has_table(node) ? row++ : -1);
        if (!tables.has_table(node)) continue;
        for (model::Host const host : hosts) {
            model::Port const port = tables.port(node, fabric.network[host].lid);
            ports.push_back(port == model::ForwardingTables::no_entry ? 0 : port);
            largest = std::max(largest, ports.back());
        }
    }
    auto const bits = static_cast<unsigned>(std::bit_width(largest));
    return {{"bits", bits}, {"row", std::move(rows)}, {"ports", base64(packed_bits(ports, bits))}};
}

/// Nodes, hosts, links and tables; loads and ideals are left to the caller. Null where it is too large for a map.
Json fabric_json(model::Fabric const& fabric, audit::Levels const& levels) {
    model::Network const& network = fabric.network;
    if (fabric.formula || network.links().size() > most_links) return nullptr;
    Json names = Json::array(), guids = Json::array(), level = Json::array(), is_switch = Json::array();
    for (std::size_t n = 0; n < network.nodes().size(); ++n) {
        model::NodeRecord const& node = network[model::Node{n}];
        names.push_back(node.name);
        guids.push_back(node.guid == 0 ? Json(nullptr) : Json(fmt::format("{:#018x}", node.guid)));
        std::uint32_t const of = levels.of_node[n];
        level.push_back(of == audit::Levels::unreached ? levels.top + 1 : of);
        is_switch.push_back(node.kind == model::NodeKind::switch_node ? 1 : 0);
    }
    Json nodes_of_hosts = Json::array(), ports = Json::array(), lids = Json::array(), addresses = Json::array();
    std::vector<model::Host> const hosts = shown_hosts(network);
    for (model::Host const shown : hosts) {
        model::HostRecord const& host = network[shown];
        nodes_of_hosts.push_back(host.node.value);
        ports.push_back(host.port);
        lids.push_back(host.lid);
        if (fabric.ip == nullptr) continue;
        std::uint32_t const address = fabric.ip->address[shown.value];
        addresses.push_back(address == 0 ? "" : model::address_text(address));
    }
    Json from = Json::array(), from_port = Json::array(), to = Json::array(), to_port = Json::array();
    for (model::LinkRecord const& link : network.links()) {
        from.push_back(link.from.value);
        from_port.push_back(link.from_port);
        to.push_back(link.to.value);
        to_port.push_back(link.to_port);
    }
    Json links = {{"from", from}, {"from_port", from_port}, {"to", to}, {"to_port", to_port}};
    if (network.named_ports()) {
        Json from_names = Json::array(), to_names = Json::array();
        for (model::LinkRecord const& link : network.links()) {
            from_names.push_back(network.port_name(link.from, link.from_port));
            to_names.push_back(network.port_name(link.to, link.to_port));
        }
        links["from_port_name"] = std::move(from_names);
        links["to_port_name"] = std::move(to_names);
    }
    return {{"nodes", {{"name", names}, {"guid", guids}, {"level", level}, {"is_switch", is_switch}}},
            {"hosts", {{"node", nodes_of_hosts}, {"port", ports}, {"lid", lids}, {"address", addresses}}},
            {"links", std::move(links)},
            {"tables", tables_json(fabric, hosts)}};
}

/// The load of every link, the stage that it is of, and the ideal load of each stage.
void add_loads(Json& fabric, Json load, Json stage, Json ideals) {
    fabric["links"]["load"] = std::move(load);
    fabric["links"]["stage"] = std::move(stage);
    fabric["ideals"] = std::move(ideals);
}

Json audited_fabric(audit::Audit const& audit) {
    Json fabric = fabric_json(audit.fabric, audit.levels);
    if (fabric.is_null()) return fabric;
    Json stage = Json::array(), ideals = Json::array();
    for (audit::Stage const& one : audit.balance.stages) ideals.push_back(audit.balance.pairs(one.ideal()));
    Json load = Json::array();
    for (std::size_t l = 0; l < audit.load().size(); ++l) load.push_back(amount_json(audit.pairs_over(model::Link{l})));
    for (std::uint32_t const place : audit.balance.stage_of)
        stage.push_back(place == audit::Balance::no_stage ? Json(-1) : Json(place));
    add_loads(fabric, std::move(load), std::move(stage), std::move(ideals));
    return fabric;
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

/// What a page with a map is made of.
Json with_map(char const* kind, Json report, Json fabric) {
    Json data = {{"kind", kind},
                 {"no_map", fabric.is_null() ? "The fabric is a formula, or has too many links for a map." : ""},
                 {"report", std::move(report)}};
    data["fabric"] = std::move(fabric);
    return data;
}

/// JSON inside a page: no name in it can end the script.
std::string harmless(Json const& json) {
    std::string text = json_text(json), result;
    result.reserve(text.size());
    for (char const c : text) {
        if (c == '<') result += "\\u003c";
        else result += c;
    }
    return result;
}

void write_page(std::ostream& out, std::string_view title, Json data) {
    require_pages();
    data["version"] = version;
    out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        << "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
        << assets::script_sources() << "; style-src " << assets::style_sources()
        << "; base-uri 'none'; form-action 'none'\">\n"
        << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" << title
        << "</title>\n<style>" << assets::style()
        << "</style>\n</head>\n<body>\n<main><noscript>This report needs JavaScript.</noscript></main>\n"
        << "<script type=\"application/json\" id=\"report\">" << harmless(data) << "</script>\n<script>"
        << assets::library() << "</script>\n<script>" << assets::script() << "</script>\n</body>\n</html>\n";
}

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

}  // namespace

bool has_pages() { return !assets::library().empty(); }

void require_pages() {
    if (!has_pages())
        throw base::InputError({}, "--format html is not in this program", "it was built without d3",
                               "install d3 (Debian: node-d3), configure again and build");
}

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
    Json divisions = Json::object();
    for (NamedColumn const& column : report.columns()) divisions[column.name] = column.what;
    write_page(out, "Adaptive routing",
               {{"kind", "bracket"},
                {"report", value_of(report)},
                {"divisions", std::move(divisions)},
                {"next", result::next_steps_json(report.next_steps())}});
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
