#include "host/audit/causes/gone_switches.hpp"

#include "host/audit/findings/folding.hpp"
#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

namespace tailback::audit {
namespace {

constexpr std::size_t most_ends = 2000;          // each is held against each
constexpr std::size_t most_looks = 100'000'000;  // LIDs x ports

class GoneSwitches {
public:
    GoneSwitches(model::Fabric const& fabric, std::vector<Finding>& findings)
        : fabric_(fabric), net_(fabric.network), findings_(findings), is_taken_(findings.size()) {}

    void fold() {
        find_ports();
        std::vector<Finding> all;
        if (fabric_.ip != nullptr) {
            take_all_ports();
        } else {
            find_lids();
            if (!lids_.empty() && lids_.size() * ports_.size() <= most_looks) find_groups();
            join_ends(all);
            take_unowned();
        }
        if (groups_.empty() && std::ranges::find(is_taken_, true) == is_taken_.end()) return;
        for (Group const& group : groups_) all.push_back(cause_of(group));
        for (std::size_t f = 0; f < findings_.size(); ++f)
            if (!is_taken_[f]) all.push_back(std::move(findings_[f]));
        findings_ = std::move(all);
    }

private:
    /// What led to a switch that is gone, or to several of one place.
    struct Group {
        std::set<std::size_t> ports;  ///< findings at them
        std::set<std::uint32_t> switches;
        model::Lid first;  ///< of the LIDs that they send there
    };

    /// The end of a cable that is gone.
    struct FormerEnd {
        model::Node at;
        model::Port port;
        model::Node to;
    };

    void find_ports() {
        for (Finding const& one : findings_)
            if (is_of_unknown_switch(one)) unknown_tables_.insert(one.guid);
        for (std::size_t f = 0; f < findings_.size(); ++f) {
            Finding const& one = findings_[f];
            if (one.kind == FindingKind::inconsistent && one.node.exists() && one.port != 0 && one.lids.count() > 0 &&
                fabric_.tables.has_table(one.node) && one.port <= net_[one.node].ports &&
                !net_.link_at(one.node, one.port).exists())
                ports_.push_back(f);
        }
    }

    /// Routers know no addresses of other routers that would tell which ports led to one.
    void take_all_ports() {
        Group all{{}, {}, 0};
        for (std::size_t const port : ports_) {
            all.ports.insert(port);
            all.switches.insert(findings_[port].node.value);
        }
        if (all.switches.size() < 2) return;
        for (std::size_t const port : all.ports) is_taken_[port] = true;
        groups_.push_back(std::move(all));
    }

    void find_lids() {
        for (model::Lid lid = 1; lid < fabric_.tables.lids() && !ports_.empty(); ++lid) {
            model::Node const owner = net_.owner(lid).node;
            if (!owner.exists() || (net_.is_switch(owner) && net_.link_count(owner) == 0)) lids_.push_back(lid);
        }
    }

    bool is_sent_to(model::Lid lid, std::size_t port) const {
        return fabric_.tables.port(findings_[port].node, lid) == findings_[port].port;
    }

    /// LIDs of one owner, or of none, that the same switches send to ports without a cable; of most switches first. Of
    /// parallel cables each carries some of the LIDs, or none: what is left at these switches goes with them.
    void find_groups() {
        std::map<std::pair<std::set<std::uint32_t>, std::uint32_t>, Group> groups;  // by switches and owner
        for (model::Lid const lid : lids_) {
            std::set<std::uint32_t> switches;
            std::vector<std::size_t> at;
            for (std::size_t const port : ports_)
                if (is_sent_to(lid, port)) {
                    switches.insert(findings_[port].node.value);
                    at.push_back(port);
                }
            if (switches.size() < 2) continue;
            Group& group =
                groups.try_emplace({switches, net_.owner(lid).node.value}, Group{{}, switches, lid}).first->second;
            group.ports.insert(at.begin(), at.end());
        }
        std::vector<Group> order;
        for (auto& [key, group] : groups) order.push_back(std::move(group));
        std::stable_sort(order.begin(), order.end(),
                         [](Group const& a, Group const& b) { return a.switches.size() > b.switches.size(); });
        for (Group& group : order) {
            if (std::ranges::any_of(group.ports, [&](std::size_t const port) { return is_taken_[port]; })) continue;
            for (std::size_t const port : group.ports) is_taken_[port] = true;
            groups_.push_back(std::move(group));
        }
        for (std::size_t const port : ports_) {
            auto const group = std::ranges::find_if(
                groups_, [&](Group const& one) { return one.switches.contains(findings_[port].node.value); });
            if (is_taken_[port] || group == groups_.end()) continue;
            is_taken_[port] = true;
            group->ports.insert(port);
        }
    }

    /// Two ports by which two switches send for each other: a cable was there.
    void join_ends(std::vector<Finding>& all) {
        if (ports_.size() > most_ends) return;
        for (std::size_t const one : ports_)
            for (std::size_t const other : ports_)
                if (one < other && send_for_each_other(findings_[one], findings_[other]))
                    join(one, other,
                         "by which packets for it went: the cable between them is gone, or the topology was read "
                         "without it",
                         all);
        join_ends_of_bundles(all);
    }
    bool send_for_each_other(Finding const& one, Finding const& other) const {
        model::Lid const here = net_[one.node].lid, there = net_[other.node].lid;
        return one.node != other.node && here != 0 && there != 0 && fabric_.tables.port(one.node, there) == one.port &&
               fabric_.tables.port(other.node, here) == other.port;
    }
    /// Nothing where one of the two is taken.
    void join(std::size_t one, std::size_t other, char const* how, std::vector<Finding>& all) {
        if (is_taken_[one] || is_taken_[other]) return;
        is_taken_[one] = is_taken_[other] = true;
        Finding cause = std::move(findings_[one]);
        Finding& end = findings_[other];
        joined_.push_back({cause.node, cause.port, end.node});
        joined_.push_back({end.node, end.port, cause.node});
        cause.code = Code::cable_gone;
        cause.message += fmt::format("; nor has {}, {}", net_.place_of(end.node, end.port).text, how);
        take_in(cause, std::move(end));
        all.push_back(std::move(cause));
    }

    /// Two ports of switches that other cables join, or joined, where each end could deliver what the other sends
    /// there: one of several parallel cables. Where more than one pair is possible, those beside the other cables go
    /// first.
    void join_ends_of_bundles(std::vector<Finding>& all) {
        struct Ends {
            int distance;  // from the ports of the other cables
            std::size_t one, other;
        };
        std::vector<Ends> possible;
        for (std::size_t const one : ports_)
            for (std::size_t const other : ports_) {
                Finding const &a = findings_[one], &b = findings_[other];
                if (one >= other || is_taken_[one] || is_taken_[other]) continue;
                int const here = distance_to_bundle(a, b.node), there = distance_to_bundle(b, a.node);
                if (here == 0 || there == 0 || !could_deliver(a, b) || !could_deliver(b, a)) continue;
                possible.push_back({here + there, one, other});
            }
        std::stable_sort(possible.begin(), possible.end(),
                         [](Ends const& a, Ends const& b) { return a.distance < b.distance; });
        for (Ends const& ends : possible)
            join(
                ends.one, ends.other,
                "of the same bundle of cables: one of those between the two switches is gone, or the topology was read "
                "without it",
                all);
    }
    /// From a port to the nearest one of its switch that leads to the neighbour, or led there; 0 = there is none.
    int distance_to_bundle(Finding const& end, model::Node neighbour) const {
        int nearest = 0;
        auto const look_at = [&](model::Port port) {
            int const distance = std::abs(int(port) - int(end.port));
            if (nearest == 0 || distance < nearest) nearest = distance;
        };
        model::Link const first = net_.first_link(end.node);
        for (std::uint32_t i = 0; i < net_.link_count(end.node); ++i)
            if (model::LinkRecord const& link = net_[model::Link{first.value + i}]; link.to == neighbour)
                look_at(link.from_port);
        for (FormerEnd const& one : joined_)
            if (one.at == end.node && one.to == neighbour) look_at(one.port);
        return nearest;
    }
    /// Has the switch of `other` entries for all that `one` sends, which do not send it back?
    bool could_deliver(Finding const& one, Finding const& other) const {
        bool any = false;
        for (model::Lid lid = 1; lid < fabric_.tables.lids(); ++lid) {
            if (fabric_.tables.port(one.node, lid) != one.port || !net_.owner(lid).node.exists()) continue;
            model::Port const port = fabric_.tables.port(other.node, lid);
            if (port == model::ForwardingTables::no_entry || port == other.port) return false;
            model::Link const on = port == 0 ? model::Link{} : net_.link_at(other.node, port);
            if (on.exists() && net_[on].to == one.node) return false;
            any = true;
        }
        return any;
    }

    /// LIDs that nobody owns: their owner hung off a port without a cable, or it is an adapter that tells another one.
    void take_unowned() {
        for (std::size_t f = 0; f < findings_.size(); ++f) {
            Finding const& one = findings_[f];
            if (is_taken_[f] || one.kind != FindingKind::inconsistent || one.node.exists() || one.lids.count() == 0 ||
                net_.owner(one.lids.first()).node.exists())
                continue;
            std::size_t const cause = cause_of_unowned(one.lids);
            if (cause == findings_.size()) continue;
            is_taken_[f] = true;
            take_in(findings_[cause], std::move(findings_[f]));
        }
    }
    std::size_t cause_of_unowned(LidList const& lids) const {
        for (std::size_t const at : ports_)
            if (!is_taken_[at] && findings_[at].lids.holds(lids)) return at;
        for (std::size_t f = 0; f < findings_.size(); ++f) {
            Finding const& one = findings_[f];
            if (is_taken_[f] || one.kind != FindingKind::inconsistent || !one.node.exists() || net_.is_switch(one.node))
                continue;
            for (model::Host const host : net_.hosts_of(one.node)) {
                model::Link const up = net_.up_link(host);
                if (up.exists() && fabric_.tables.has_table(net_[up].to) &&
                    fabric_.tables.port(net_[up].to, lids.first()) == net_[up].to_port)
                    return f;
            }
        }
        return findings_.size();
    }

    /// The table of a switch that the topology does not have, in any of the files: of the only one that is gone, or one
    /// that keeps a LID of these for itself.
    bool is_its_table(Finding const& one, LidList const& lids) const {
        if (!is_of_unknown_switch(one)) return false;
        return (groups_.size() == 1 && unknown_tables_.size() == 1) || (one.lids.count() > 0 && lids.holds(one.lids));
    }

    /// Those of `lids_` that are sent to any of the ports.
    LidList lids_of(Group const& group) const {
        LidList found;
        for (model::Lid const lid : lids_)
            if (std::ranges::any_of(group.ports, [&](std::size_t const port) { return is_sent_to(lid, port); }))
                found.add(lid);
        return found;
    }

    Finding cause_of(Group const& group) {
        if (fabric_.ip != nullptr) return cause_of_routers(group);
        model::Node const owner = net_.owner(group.first).node;
        LidList const lids = lids_of(group);
        std::string const sends = base::counted(group.switches.size(), "switch sends", "switches send") + " ";
        Finding cause{Code::switch_gone,
                      owner.exists() ? net_.describe(owner) : "the tables",
                      0,
                      owner.exists() ? "it has no cable, and " + sends + "to the ports that led to it"
                                     : sends + lids.text(fabric_) +
                                           ", which nobody owns, to ports without a cable: what was at their other end "
                                           "is gone, or the topology was read without it",
                      owner,
                      0,
                      lids};
        for (std::size_t const port : group.ports) take_in(cause, std::move(findings_[port]));
        for (std::size_t f = 0; f < findings_.size(); ++f) {
            Finding& one = findings_[f];
            bool const is_table = !is_taken_[f] && !owner.exists() && is_its_table(one, lids);
            if (is_taken_[f] || !(is_table || is_about(one, owner, lids))) continue;
            if (is_table) place_at(cause, one);
            is_taken_[f] = true;
            take_in(cause, std::move(one));
        }
        if (cause.guid != 0)
            cause.message = "the topology does not have it, and " + sends + lids.text(fabric_) +
                            ", which nobody owns, to ports without a cable: it is gone, or the topology was read "
                            "without it";
        return cause;
    }
    /// The switch that is gone is known by its table; not every file of tables has its name.
    static void place_at(Finding& cause, Finding const& table) {
        if (cause.guid == 0 || !table.name.empty()) cause.where = table.where;
        cause.guid = table.guid;
    }

    /// At the first of the ports; all of them are named.
    Finding cause_of_routers(Group const& group) {
        constexpr std::size_t most_named = 6;
        Finding const& first = findings_[*group.ports.begin()];
        Finding cause{Code::sends_to_no_neighbour, first.where, 0, "", first.node, first.port, first.lids};
        std::string named;
        std::size_t count = 0;
        for (std::size_t const port : group.ports)
            if (count++ < most_named)
                named += (named.empty() ? "" : ", ") + net_.port_name(findings_[port].node, findings_[port].port) +
                         " of " + net_[findings_[port].node].name;
        if (count > most_named) named += " and " + std::to_string(count - most_named) + " more";
        cause.message = fmt::format(
            "{} routers send packets to ports where nobody is heard: {}; a neighbour of them is "
            "gone, or a cable between them, or LLDP is silent there",
            group.switches.size(), named);
        for (std::size_t const port : group.ports) take_in(cause, std::move(findings_[port]));
        return cause;
    }

    /// That nobody owns the LIDs, or at a port of the switch without cables.
    bool is_about(Finding const& one, model::Node owner, LidList const& lids) const {
        if (one.kind != FindingKind::inconsistent || one.lids.count() == 0) return false;
        return one.port == 0 ? lids.holds(one.lids) : owner.exists() && one.node == owner;
    }

    model::Fabric const& fabric_;
    model::Network const& net_;
    std::vector<Finding>& findings_;
    std::vector<std::size_t> ports_;  // findings at ports without a cable
    std::vector<model::Lid> lids_;    // that nobody owns, or a switch without any cable
    std::vector<Group> groups_;
    std::vector<FormerEnd> joined_;
    std::set<std::uint64_t> unknown_tables_;  // GUIDs
    std::vector<bool> is_taken_;
};

}  // namespace

void fold_gone_switches(model::Fabric const& fabric, std::vector<Finding>& findings) {
    if (fabric.routed) GoneSwitches(fabric, findings).fold();
}

}  // namespace tailback::audit
