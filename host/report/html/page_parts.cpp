#include "host/report/html/page_parts.hpp"

#include "host/base/error.hpp"
#include "host/model/routes/ip_plan.hpp"
#include "host/report/html/assets.hpp"

#include "version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace tailback::report {
namespace {

constexpr std::size_t most_links = 200'000;     // of a map that can be moved smoothly
constexpr std::size_t most_entries = 12 << 20;  // of tables: 16 MB as text at most

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

}  // namespace

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

Json with_map(char const* kind, Json report, Json fabric) {
    Json data = {{"kind", kind},
                 {"no_map", fabric.is_null() ? "The fabric is a formula, or has too many links for a map." : ""},
                 {"report", std::move(report)}};
    data["fabric"] = std::move(fabric);
    return data;
}

bool has_pages() { return !assets::library().empty(); }

void require_pages() {
    if (!has_pages())
        throw base::InputError({}, "--format html is not in this program", "it was built without d3",
                               "install d3 (Debian: node-d3), configure again and build");
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

}  // namespace tailback::report
