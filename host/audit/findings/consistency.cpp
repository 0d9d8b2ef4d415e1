#include "host/audit/findings/consistency.hpp"

#include "host/audit/findings/folding.hpp"
#include "host/audit/findings/wrong_tables.hpp"

#include "host/audit/findings/lid_list.hpp"
#include "host/audit/findings/virtual_lids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace tailback::audit {
namespace {

/// At a port (0 = the whole node) of a node.
Finding finding_at(Code code, model::Network const& net, model::Node node, model::Port port, std::string message) {
    return Finding(code, port == 0 ? net.describe(node) : port_location(net, node, port), 0, std::move(message), node,
                   port);
}

/// Whoever owns LIDs: a switch, or a port of an adapter.
struct Owner {
    model::Lid lid;
    model::Lid end;  ///< one past the last
    model::Node node;
    model::Port port;
};

std::string owner_location(model::Network const& net, Owner const& owner) {
    return net.is_switch(owner.node) ? net.describe(owner.node) : port_location(net, owner.node, owner.port);
}

std::string lids_text(model::Lid first, model::Lid end) {
    return end == first + 1 ? fmt::format("LID {}", first) : fmt::format("LIDs {}-{}", first, end - 1);
}

/// A port takes the lowest bits of a LID for its own: a base LID that has some of them set is none.
std::optional<Finding> misalignment(model::Network const& net, Owner const& owner) {
    model::Lid const size = owner.end - owner.lid;
    if (owner.lid % size == 0) return std::nullopt;
    Finding one(Code::lid_misaligned, owner_location(net, owner), 0,
                fmt::format("its base LID {} is not a multiple of {}, the LIDs it has by its LMC", owner.lid, size),
                owner.node, owner.port);
    for (model::Lid lid = owner.lid; lid < owner.end; ++lid) one.explains_lids.push_back(lid);
    return one;
}

void find_shared_lids(model::Network const& net, std::vector<Finding>& found) {
    std::vector<Owner> owners;
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        if (model::NodeRecord const& node = net[model::Node{n}];
            node.kind == model::NodeKind::switch_node && node.lid != 0)
            owners.push_back({node.lid, node.lid + (model::Lid{1} << node.lmc), model::Node{n}, 0});
    for (model::HostRecord const& host : net.hosts())
        if (host.lid != 0) owners.push_back({host.lid, host.lid + (model::Lid{1} << host.lmc), host.node, host.port});
    std::stable_sort(owners.begin(), owners.end(), [](Owner const& a, Owner const& b) { return a.lid < b.lid; });
    // Compared with the range that reaches farthest so far: one finding for every owner that comes too late.
    for (std::size_t i = 0, farthest = 0; i < owners.size(); ++i) {
        if (std::optional<Finding> misaligned = misalignment(net, owners[i])) found.push_back(std::move(*misaligned));
        if (i == 0) continue;
        Owner const& first = owners[farthest];
        Owner const& second = owners[i];
        if (second.lid < first.end) {
            bool const same = first.lid == second.lid && first.end == second.end;
            std::string const shared = lids_text(second.lid, std::min(first.end, second.end));
            found.emplace_back(same ? Code::lid_owned_twice : Code::lid_ranges_overlap, owner_location(net, second), 0,
                               same ? fmt::format("{} {} owned by {} too", shared,
                                                  first.end == first.lid + 1 ? "is" : "are", owner_location(net, first))
                                    : fmt::format("its LID range {}-{} overlaps {}-{} of {}", second.lid,
                                                  second.end - 1, first.lid, first.end - 1, owner_location(net, first)),
                               second.node, second.port);
            for (model::Lid lid = second.lid; lid < std::min(first.end, second.end); ++lid) found.back().lids.add(lid);
        }
        if (second.end > first.end) farthest = i;
    }
}

void find_shared_guids(model::Network const& net, std::vector<Finding>& found) {
    std::unordered_map<std::uint64_t, model::Host> seen;
    for (std::size_t h = 0; h < net.hosts().size(); ++h) {
        model::HostRecord const& host = net[model::Host{h}];
        if (host.port_guid == 0) continue;
        auto const [at, is_new] = seen.emplace(host.port_guid, model::Host{h});
        if (is_new) continue;
        model::HostRecord const& first = net[at->second];
        found.push_back(finding_at(Code::port_guid_of_two_ports, net, host.node, host.port,
                                   fmt::format("its port GUID {:#018x} is that of {} too", host.port_guid,
                                               port_location(net, first.node, first.port))));
        if (host.lid != 0) found.back().explains_lids = {host.lid};
    }
}

/// LIDs that nobody owns, by the port of a switch that its table sends them to.
using StrayLids = std::map<model::Port, LidList>;

StrayLids stray_lids(model::Fabric const& fabric, model::Node node) {
    StrayLids lids;
    if (!fabric.tables.has_table(node)) return lids;
    for (model::Lid lid = 1; lid < fabric.tables.lids(); ++lid)
        if (model::Port const port = fabric.tables.port(node, lid);
            port != model::ForwardingTables::no_entry && !fabric.network.owner(lid).node.exists())
            lids[port].add(lid);
    return lids;
}

class BarePorts {
public:
    BarePorts(model::Fabric const& fabric, model::Disagreements const& disagreements)
        : fabric_(fabric), net_(fabric.network) {
        for (model::NotedDisagreement const& noted : disagreements.noted())
            if (noted.code == Code::odd_lid && noted.where.node.exists())
                told_.emplace(noted.where.node.value, noted.where.port);
    }

    void find(std::vector<Finding>& found) {
        for (std::size_t h = 0; h < net_.hosts().size(); ++h) {
            model::HostRecord const& host = net_[model::Host{h}];
            if (!net_.up_link(model::Host{h}).exists())
                found.push_back(finding_at(Code::host_without_cable, net_, host.node, host.port, "it has no cable"));
            else if (host.lid == 0) add_without_lid(found, host, net_[net_.up_link(model::Host{h})]);
        }
    }

private:
    /// Where its switch sends a LID that nobody owns to the port, that LID is the port's: told once.
    void add_without_lid(std::vector<Finding>& found, model::HostRecord const& host, model::LinkRecord const& up) {
        if (told_.contains({host.node.value, host.port})) return;  // a reader has told why
        auto const [at, is_new] = stray_.try_emplace(up.to.value);
        if (is_new && fabric_.routed && net_.is_switch(up.to)) at->second = stray_lids(fabric_, up.to);
        Finding one = finding_at(Code::port_without_lid, net_, host.node, host.port, "it is cabled and has no LID");
        if (auto const lids = at->second.find(up.to_port); lids != at->second.end()) {
            one.message += fmt::format("; its switch sends it {}, which nobody owns", lids->second.text(fabric_));
            for (auto const& [first, last] : lids->second.ranges())
                for (model::Lid lid = first; lid <= last; ++lid) one.explains_lids.push_back(lid);
        }
        found.push_back(std::move(one));
    }

    model::Fabric const& fabric_;
    model::Network const& net_;
    std::set<std::pair<std::uint32_t, model::Port>> told_;
    std::unordered_map<std::uint32_t, StrayLids> stray_;  // by switch
};

/// Entries of one LID that nobody owns, over all switches.
struct Stale {
    model::Lid lid = 0;
    std::uint64_t entries = 0;
    std::vector<std::pair<model::Node, model::Port>> first;  ///< up to three
    std::uint64_t tables = 0;                                ///< which have one, as a hash
};

/// So many LIDs that the same tables know, and nobody owns, are no slip: those tables are of another day.
constexpr std::size_t least_of_another_day = 3;

class TableCheck {
public:
    TableCheck(model::Fabric const& fabric, std::vector<Finding>& found)
        : fabric_(fabric), net_(fabric.network), found_(found) {
        for (model::Lid lid = 1; lid < fabric.tables.lids(); ++lid)
            if (!net_.owner(lid).node.exists()) stale_.push_back({lid, 0, {}});
    }

    template <class Entry>
    void run() {
        for (std::size_t n = 0; n < net_.nodes().size(); ++n)
            if (fabric_.tables.has_table(model::Node{n}))
                check(model::Node{n}, fabric_.tables.row<Entry>(model::Node{n}));
        std::vector<std::pair<model::Lid, LidEnds::End>> const delivered = delivered_lids();
        bool const lost = lmc_may_be_lost() && are_in_ranges(delivered);
        if (!lost && !delivered.empty()) {
            found_.push_back(virtual_lids(fabric_, delivered));
            std::erase_if(stale_, [&](Stale const& stale) {
                return std::ranges::find(delivered, stale.lid, [](auto const& one) { return one.first; }) !=
                       delivered.end();
            });
        }
        for (Finding& one : stray_virtual_lids(fabric_)) found_.push_back(std::move(one));
        tell_virtual_above();
        char const* const hint =
            lost ? "; no LID range (LMC) is known: opensm-subnet.lst holds none, ibnetdiscover's output does" : "";
        if (!lost) tell_groups();
        for (Stale const& stale : stale_) {
            if (stale.entries == 0) continue;
            std::string places;
            for (auto const& [node, port] : stale.first)
                places += (places.empty() ? "" : ", ") + port_location(net_, node, port);
            if (stale.entries == 1) {
                found_.emplace_back(Code::lid_without_owner, places, 0,
                                    fmt::format("it has an entry for LID {}, which nobody owns{}", stale.lid, hint),
                                    stale.first.front().first, stale.first.front().second);
            } else {
                std::uint64_t const more = stale.entries - stale.first.size();
                found_.emplace_back(Code::lid_without_owner, fmt::format("LID {}", stale.lid), 0,
                                    fmt::format("nobody owns it, and {} switch{} an entry for it: {}{}", stale.entries,
                                                stale.entries == 1 ? " has" : "es have", places,
                                                more > 0 ? fmt::format(" and {} more", more) : "") +
                                        hint);
            }
            found_.back().lids.add(stale.lid);
        }
    }

private:
    /// One finding for LIDs without an owner that the same tables know: it explains those of the single LIDs.
    void tell_groups() {
        std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Stale const*>> groups;
        for (Stale const& stale : stale_)
            if (stale.entries > 0) groups[{stale.entries, stale.tables}].push_back(&stale);
        for (auto const& [key, group] : groups) {
            if (group.size() < least_of_another_day) continue;
            LidList lids;
            for (Stale const* stale : group) lids.add(stale->lid);
            Stale const& first = *group.front();
            bool const one = first.entries == 1;
            found_.emplace_back(
                Code::lids_of_another_day, one ? net_.describe(first.first.front().first) : "the tables", 0,
                fmt::format("{} for {}, which nobody owns: {} of another day than the topology, or the ports are gone",
                            one ? "its table has entries" : fmt::format("{} of them have entries", first.entries),
                            lids.text(fabric_), one ? "it is" : "they are"),
                one ? first.first.front().first : model::Node{});
            found_.back().lids = lids;
            for (Stale const* stale : group) found_.back().explains_lids.push_back(stale->lid);
        }
    }

    /// LIDs that all tables deliver to one adapter port, or to routers, and that no other finding explains.
    std::vector<std::pair<model::Lid, LidEnds::End>> delivered_lids() {
        std::vector<std::pair<model::Lid, LidEnds::End>> found;
        std::size_t tables = 0;
        for (std::size_t n = 0; n < net_.nodes().size(); ++n) tables += fabric_.tables.has_table(model::Node{n});
        std::set<model::Lid> explained;
        for (Finding const& one : found_) explained.insert(one.explains_lids.begin(), one.explains_lids.end());
        LidEnds ends(fabric_);
        for (Stale const& stale : stale_)
            if (stale.entries == tables && tables > 1 && !explained.contains(stale.lid))
                if (auto const end = ends.delivered_to(stale.lid)) found.emplace_back(stale.lid, *end);
        return found;
    }
    /// Is each in the range of LIDs that its port has, if all have the same LMC?
    bool are_in_ranges(std::vector<std::pair<model::Lid, LidEnds::End>> const& lids) const {
        auto const is_in_range = [&](std::pair<model::Lid, LidEnds::End> const& one, std::uint32_t size) {
            for (model::Host const host : net_.hosts_of(one.second.node))
                if (net_[host].port == one.second.port)
                    return net_[host].lid % size == 0 && one.first / size == net_[host].lid / size;
            return false;
        };
        for (std::uint32_t size = 2; size <= 128; size *= 2)
            if (std::ranges::all_of(lids, [&](auto const& one) { return is_in_range(one, size); })) return true;
        return false;
    }

    /// As many LIDs without an owner as there are hosts, in many tables each, and nobody with a range.
    bool lmc_may_be_lost() const {
        auto const ranges = std::any_of(net_.hosts().begin(), net_.hosts().end(),
                                        [](model::HostRecord const& host) { return host.lmc != 0; });
        auto const many =
            std::count_if(stale_.begin(), stale_.end(), [](Stale const& stale) { return stale.entries > 1; });
        return !ranges && static_cast<std::size_t>(many) >= net_.hosts().size();
    }

    template <class Entry>
    void check(model::Node node, std::span<Entry const> row) {
        constexpr Entry none = Entry(~Entry{0});
        seen_.assign(std::size_t{none} + 1, 0);
        for (Entry const port : row) seen_[port] = 1;
        std::vector<bool> bad(seen_.size());
        bool any_bad = false;
        for (std::size_t port = 1; port < none; ++port)
            if (seen_[port] != 0 && !net_.link_at(node, static_cast<model::Port>(port)).exists())
                any_bad = bad[port] = true;
        if (any_bad) {
            std::map<model::Port, LidList> lids;
            for (std::size_t lid = 1; lid < row.size(); ++lid)
                if (bad[row[lid]]) lids[row[lid]].add(static_cast<model::Lid>(lid));
            for (auto const& [port, list] : lids) {
                found_.push_back(finding_at(
                    port > net_[node].ports ? Code::port_beyond_switch : Code::port_without_cable, net_, node, port,
                    port > net_[node].ports
                        ? fmt::format("{} {} sent to port {}, and it has {} ports", list.text(fabric_),
                                      list.count() == 1 ? "is" : "are", port, net_[node].ports)
                        : fmt::format("{} {} sent to port {}, which has no cable", list.text(fabric_),
                                      list.count() == 1 ? "is" : "are", net_.port_name(node, port))));
                found_.back().lids = list;
            }
        }
        check_top(node, row);
        for (Stale& stale : stale_) {
            if (stale.lid >= row.size() || row[stale.lid] == none) continue;
            ++stale.entries;
            stale.tables = (stale.tables ^ node.value) * 0x9E3779B97F4A7C15u + 1;
            if (stale.first.size() < 3) stale.first.emplace_back(node, row[stale.lid]);
        }
    }

    /// Entries for LIDs that somebody owns, above the highest that the switch looks up.
    template <class Entry>
    void check_top(model::Node node, std::span<Entry const> row) {
        model::Lid const top = net_[node].highest_lid;
        LidList above;
        for (std::size_t at = std::size_t{top} + 1; top != 0 && at < row.size(); ++at) {
            auto const lid = static_cast<model::Lid>(at);
            if (row[at] == Entry(~Entry{0}) || !net_.owner(lid).node.exists()) continue;
            if (!is_virtual(lid)) above.add(lid);
            else if (virtual_above_.insert(lid).second && virtual_above_.size() == 1) first_virtual_above_ = node;
        }
        if (above.count() == 0) return;
        found_.push_back(
            finding_at(Code::entries_above_top, net_, node, 0,
                       fmt::format("its table has entries for {}, and it drops what is above LID {} (its LinearFDBTop)",
                                   above.text(fabric_), top)));
        found_.back().lids = above;
    }

    /// Of a virtual port: no endpoint has it among its own.
    bool is_virtual(model::Lid lid) const {
        model::Host const host = net_.owner(lid).host;
        return host.exists() && (lid < net_[host].lid || lid >= net_[host].lid + (model::Lid{1} << net_[host].lmc));
    }
    /// The top may be of before the virtual machines: told once, and no fault by itself.
    void tell_virtual_above() {
        if (virtual_above_.empty()) return;
        LidList lids;
        for (model::Lid const lid : virtual_above_) lids.add(lid);
        found_.emplace_back(
            Code::virtual_lids_above_top, "the tables", 0,
            fmt::format("they have entries for {} of virtual ports, above the highest LID that their "
                        "switches tell (LinearFDBTop; the first: {}): it was read before these were made, "
                        "or the switches drop what is sent there",
                        lids.text(fabric_), net_.describe(first_virtual_above_)));
        found_.back().lids = lids;
    }

    model::Fabric const& fabric_;
    model::Network const& net_;
    std::vector<Finding>& found_;
    std::set<model::Lid> virtual_above_;
    model::Node first_virtual_above_;
    std::vector<Stale> stale_;
    std::vector<std::uint8_t> seen_;
};

/// So many of a kind have one cause, which is told with all of them under it.
constexpr std::size_t many = 4;

/// Those from `first` on that are `of_the_kind` become symptoms of one.
template <class OfTheKind>
void put_under(Finding cause, std::vector<Finding>& found, std::size_t first, OfTheKind&& of_the_kind) {
    auto const begin = found.begin() + std::ptrdiff_t(first),
               end = std::stable_partition(begin, found.end(), of_the_kind);
    for (auto one = begin; one != end; ++one) {
        cause.explains_nodes.insert(cause.explains_nodes.end(), one->explains_nodes.begin(), one->explains_nodes.end());
        cause.symptoms.push_back(std::move(*one));
    }
    found.insert(found.erase(begin, end), std::move(cause));
}

/// What else follows where a switch without a table has a new LID, or is new with all its hosts.
void add_lids_without_table(model::Fabric const& fabric, Finding& one) {
    if (model::Lid const lid = former_lid(fabric, one.node); lid != 0) {
        one.message += fmt::format("; its neighbours send LID {} to it, which nobody owns", lid);
        one.explains_lids = {lid};
    } else if (std::vector<model::Lid> const lids = lids_of_new_leaf(fabric, one.node); !lids.empty()) {
        one.message += ", nor has any table an entry for its LID or those of its hosts: it came after the tables";
        one.explains_lids = lids;
    }
}

void find_missing_tables(model::Fabric const& fabric, std::vector<Finding>& found) {
    std::size_t const first = found.size();
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
        if (fabric.network.is_switch(model::Node{n}) && !fabric.tables.has_table(model::Node{n})) {
            found.push_back(finding_at(Code::switch_without_table, fabric.network, model::Node{n}, 0,
                                       "it has no forwarding table"));
            found.back().explains_nodes = {model::Node{n}};
        }
    std::size_t const missing = found.size() - first;
    if (missing < many)  // else all entries would be walked for each
        for (std::size_t f = first; f < found.size(); ++f) add_lids_without_table(fabric, found[f]);
    if (missing < many || fabric.ip != nullptr) return;
    bool const is_told = std::any_of(found.begin(), found.begin() + std::ptrdiff_t(first), [&](Finding const& one) {
        return std::ranges::find(one.explains_nodes, found[first].node) != one.explains_nodes.end();
    });
    if (is_told) return;  // by the reader that met the end of the file
    put_under(Finding(Code::tables_cut_off, "the tables", 0,
                      fmt::format("{} switches have no forwarding table (the first: {}): the file of tables is cut "
                                  "off, or they did not answer",
                                  missing, found[first].where)),
              found, first, [](Finding const&) { return true; });
}

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

void take_noted(model::Fabric const& fabric, model::Disagreements const& disagreements, std::vector<Finding>& found) {
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
    if (told[std::size_t(model::Disagreement::missing_record)] >= many) put_missing_records_under_one(fabric, found);
    for (std::size_t k = 0; k < diagnosis::disagreement_kinds; ++k) {
        auto const kind = model::Disagreement(k);
        std::uint64_t const times = disagreements.times(kind);
        if (only_a_reader_sees(kind) && times > told[k])
            found.emplace_back(
                Code::more_than_listed, "the files", 0,
                diagnosis::count_text(kind, times - told[k]) + (told[k] > 0 ? " besides those listed" : ""));
    }
}

/// Is it about a port with nothing plugged in?
bool lacks_cable(model::Network const& net, Finding const& one) {
    return one.node.exists() && one.port > 0 && !net.link_at(one.node, one.port).exists() &&
           (!net.is_switch(one.node) || one.port <= net[one.node].ports);
}

/// Lost rows of section LINKS explain all ports without a cable: the first finding of that section gets their nodes.
void explain_lost_links(model::Network const& net, std::vector<Finding>& found, std::size_t first_bare) {
    auto const of_links = [](Finding const& one) { return one.name == "LINKS"; };
    auto const cause = std::find_if(found.begin(), found.end(), of_links);
    if (cause == found.end()) return;
    for (std::size_t i = first_bare; i < found.size(); ++i)
        if (lacks_cable(net, found[i])) cause->explains_nodes.push_back(found[i].node);
}

}  // namespace

std::string port_location(model::Network const& network, model::Node node, model::Port port) {
    return network.describe(node) + network.port_text(node, port);
}

std::vector<Finding> find_inconsistencies(model::Fabric const& fabric, model::Disagreements const& disagreements) {
    std::vector<Finding> found;
    find_shared_guids(fabric.network, found);
    take_noted(fabric, disagreements, found);
    std::ranges::move(find_former_lids(fabric), std::back_inserter(found));
    if (fabric.routed) find_missing_tables(fabric, found);
    find_shared_lids(fabric.network, found);
    std::size_t const first_bare = found.size();
    BarePorts(fabric, disagreements).find(found);
    TableCheck check(fabric, found);
    if (fabric.tables.is_wide()) check.run<std::uint16_t>();
    else check.run<std::uint8_t>();
    explain_lost_links(fabric.network, found, first_bare);
    return found;
}

}  // namespace tailback::audit
