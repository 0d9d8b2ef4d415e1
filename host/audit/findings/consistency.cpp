#include "host/audit/findings/consistency.hpp"

#include "host/audit/findings/folding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace tailback::audit {
namespace {

/// What only a reader could see; the others are found above, grouped.
bool only_a_reader_sees(model::Disagreement kind) {
    switch (kind) {
        case model::Disagreement::table_of_unknown_switch:
        case model::Disagreement::one_sided_cable:
        case model::Disagreement::duplicate_entry:
        case model::Disagreement::unparsed_line:
        case model::Disagreement::unrouted_comment:
        case model::Disagreement::incomplete_table:
        case model::Disagreement::duplicate_guid:
        case model::Disagreement::lanes_of_unknown_port:
        case model::Disagreement::level_of_unknown_path:
        case model::Disagreement::odd_lid:
        case model::Disagreement::told_twice:
        case model::Disagreement::missing_record:
        case model::Disagreement::duplicate_table:
        case model::Disagreement::table_header_lid:
        case model::Disagreement::other_owner:
        case model::Disagreement::damaged_file:
        case model::Disagreement::odd_cell:
        case model::Disagreement::unknown_group:
        case model::Disagreement::private_table:
        case model::Disagreement::port_not_active:
        case model::Disagreement::black_hole:
        case model::Disagreement::router_without_routes:
        case model::Disagreement::routers_disagree:
        case model::Disagreement::unlike_file: return true;
        default: return false;
    }
}

/// Of a topology that is cut off: what is about nodes that it does not have follows.
void put_missing_records_under_one(model::Fabric const& fabric, std::vector<Finding>& found) {
    auto const lacks_record = [](Finding const& one) { return one.code == Code::node_without_record; };
    auto const count = std::ranges::count_if(found, lacks_record);
    auto const first = std::ranges::find_if(found, lacks_record);
    if (first == found.end()) return;
    Finding cause(Code::topology_cut_off, "the topology", 0,
                  fmt::format("{} nodes have no record of their own (the first: {}): the file is cut off, "
                              "or they did not answer",
                              count, first->where));
    for (model::Lid lid = 1; lid < fabric.tables.lids(); ++lid)
        if (!fabric.network.owner(lid).node.exists()) cause.explains_lids.push_back(lid);
    put_under(std::move(cause), found, 0,
              [&](Finding const& one) { return lacks_record(one) || is_of_unknown_switch(one); });
}

/// Of a line that names a node by its GUID, before the reader had met it: that node, which it explains.
model::FabricPlace known_place(model::Network const& net, model::NotedDisagreement const& noted) {
    bool const may_be_met = noted.where.guid != 0 && noted.kind() == model::Disagreement::unparsed_line;
    model::Node const node = may_be_met ? net.node_by_guid(noted.where.guid) : model::Node{};
    if (!node.exists()) return noted.where;
    model::FabricPlace place = net.place_of(node);
    place.nodes = {node};
    return place;
}

void find_noted(Dumps const& dumps, std::vector<Finding>& found) {
    model::Fabric const& fabric = dumps.fabric;
    model::Disagreements const& disagreements = dumps.disagreements;
    std::array<std::uint64_t, diagnosis::disagreement_kinds> told{};
    for (model::NotedDisagreement const& noted : disagreements.noted()) {
        if (!only_a_reader_sees(noted.kind())) continue;
        ++told[std::size_t(noted.kind())];
        std::string const line =
            noted.place.line == 0
                ? ""
                : fmt::format("{}:{}", std::filesystem::path(noted.place.file).filename().string(), noted.place.line);
        model::FabricPlace const where = known_place(fabric.network, noted);
        bool const in_text = !where.text.empty() && !line.empty();
        found.emplace_back(noted.code, where.text.empty() ? line : where.text, 0,
                           noted.text + (in_text ? " (" + line + ")" : ""), where.node, where.port);
        found.back().guid = where.guid;
        found.back().explains_lids = where.lids;
        if (noted.code == Code::table_of_unknown_switch)  // its LID may be another's
            std::erase_if(found.back().explains_lids,
                          [&](model::Lid const lid) { return fabric.network.owner(lid).node.exists(); });
        found.back().explains_nodes = where.nodes;
        found.back().name = where.name;
        for (model::Lid const lid : where.lids) found.back().lids.add(lid);
    }
    if (told[std::size_t(model::Disagreement::missing_record)] >= many_of_a_kind)
        put_missing_records_under_one(fabric, found);
    for (std::size_t k = 0; k < diagnosis::disagreement_kinds; ++k) {
        auto const kind = model::Disagreement(k);
        std::uint64_t const times = disagreements.times(kind);
        if (only_a_reader_sees(kind) && times > told[k])
            found.emplace_back(
                Code::more_than_listed, "the files", 0,
                diagnosis::count_text(kind, times - told[k]) + (told[k] > 0 ? " besides those listed" : ""));
    }
}

/// Is it about a port that may have lost its cable?
bool lacks_cable(model::Network const& net, Finding const& one) {
    bool const may_lack = one.code == Code::host_without_cable || one.code == Code::port_without_cable ||
                          one.code == Code::lid_without_owner;
    return may_lack && one.node.exists() && one.port > 0 && !net.link_at(one.node, one.port).exists() &&
           (!net.is_switch(one.node) || one.port <= net[one.node].ports);
}

/// Lost rows of section LINKS explain all ports without a cable: the first finding of that section gets their nodes.
void explain_lost_links(Dumps const& dumps, std::vector<Finding>& found) {
    model::Network const& net = dumps.fabric.network;
    auto const of_links = [](Finding const& one) { return one.name == "LINKS"; };
    auto const cause = std::find_if(found.begin(), found.end(), of_links);
    if (cause == found.end()) return;
    for (Finding const& one : found)
        if (lacks_cable(net, one)) cause->explains_nodes.push_back(one.node);
}

constexpr void (*finders[])(Dumps const&, std::vector<Finding>&) = {
    find_shared_guids, find_noted,      find_former_lids, find_missing_tables,
    find_shared_lids,  find_bare_ports, find_odd_entries, explain_lost_links,
};

}  // namespace

std::vector<Finding> find_inconsistencies(model::Fabric const& fabric, model::Disagreements const& disagreements) {
    std::vector<Finding> found;
    for (auto const find : finders) find({fabric, disagreements}, found);
    return found;
}

}  // namespace tailback::audit
