// Routes of equal cost that lack a next hop that is as short as those they have: a session that is down, a limit on the
// number of paths, a route that somebody left out.
#include "host/audit/choices/choices.hpp"
#include "host/audit/loads/switch_hops.hpp"
#include "host/model/routes/ip_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace tailback::audit {
namespace {

using model::CandidateSets;

/// What the routes of all switches do with a port that leads nearer to some destinations.
struct MissingPorts {
    std::uint64_t used = 0;
    std::vector<model::Lid> missing;
};

class Members {
public:
    explicit Members(model::Fabric const& fabric)
        : fabric_(fabric),
          net_(fabric.network),
          hops_(fabric.network.nodes().size()),
          is_used_(fabric.network.links().size()) {}

    /// Looks at the entries of all switches for one destination.
    void look(model::Destination const& to) {
        std::vector<model::Node> targets = switches_of(to.host);
        if (targets.empty()) return;
        if (targets != targets_) {
            count_switch_hops(net_, targets, hops_);
            targets_ = std::move(targets);
        }
        for (std::size_t n = 0; n < hops_.size(); ++n)
            if (model::Node const node{n}; hops_[n] != no_hops && hops_[n] > 0 && fabric_.tables.has_table(node))
                look(node, to.lid);
    }

    std::vector<Finding> findings() {
        find_dead();
        find_avoided();
        for (auto const& [ports, entries] : short_of_)  // complete but for cables that nobody uses
            if (std::all_of(ports.begin(), ports.end(), [&](auto const& at) { return is_dead(at) || is_avoided(at); }))
                complete_ += entries;
        if (2 * complete_ < entries_) return {};  // short of something everywhere: that is how this fabric routes
        std::vector<Finding> found = of_dead_nodes();
        add_avoided_nodes(found);
        add_lacking(add_dead_cables(found), found);
        return found;
    }

private:
    using Place = std::pair<std::uint32_t, model::Port>;

    bool is_dead(Place const& at) const { return dead_.contains(net_.link_at(model::Node{at.first}, at.second).value); }

    /// Cables that no route goes by in either direction, though some router could.
    void find_dead() {
        for (auto const& [place, use] : ports_) {
            if (use.missing.empty() || use.used > 0) continue;
            model::Link const link = net_.link_at(model::Node{place.first}, place.second);
            auto const back = ports_.find({net_[link].to.value, net_[link].to_port});
            if (back != ports_.end() && back->second.used > 0) continue;
            dead_.insert(link.value), dead_.insert(net_[link].reverse.value);
            if (cable_of_unknown_members(fabric_, net_[link].from, net_[link].to).exists())  // a member, or down
                undecided_.insert(link.value), undecided_.insert(net_[link].reverse.value);
        }
    }

    model::Node far_end(Place const& at) const { return net_[net_.link_at(model::Node{at.first}, at.second)].to; }

    /// Routers that most of their cables lead nobody to, though they send by these themselves; two at least.
    void find_avoided() {
        for (auto const& [place, use] : ports_)
            if (!is_dead(place))
                ++(use.used > 0 ? avoided_[far_end(place).value].used : avoided_[far_end(place).value].unused);
        std::erase_if(avoided_, [](auto const& at) {
            Cables const& cables = at.second;
            return cables.unused < 2 || cables.unused <= cables.used;
        });
    }
    bool is_avoided(Place const& at) const {
        if (!avoided_.contains(far_end(at).value)) return false;
        auto const use = ports_.find(at);
        return use == ports_.end() || use->second.used == 0;
    }

    /// Routers none of whose cables to others any route goes by.
    std::vector<Finding> of_dead_nodes() const {
        std::vector<Finding> found;
        for (std::size_t n = 0; n < net_.nodes().size(); ++n) {
            model::Node const node{n};
            if (!net_.is_switch(node)) continue;
            std::size_t cables = 0, unused = 0, dead = 0;
            for (std::uint32_t l = 0; l < net_.link_count(node); ++l) {
                model::Link const link{net_.first_link(node).value + l};
                if (!net_.is_switch(net_[link].to)) continue;
                ++cables;
                unused += !is_used_[link.value] && !is_used_[net_[link].reverse.value];
                dead += dead_.contains(link.value);
            }
            if (dead == 0 || cables < 2 || unused < cables) continue;
            found.push_back(finding(Code::router_sessions_down, node, 0, {},
                                    fmt::format("no route goes by any of its {} cables to other routers, though {} "
                                                "as short as others: its sessions seem to be down",
                                                cables, dead == cables ? "they are" : "some are")));
        }
        return found;
    }
    static Finding* of_dead_node(std::vector<Finding>& found, model::Node one, model::Node other) {
        for (Finding& finding : found)
            if (finding.port == 0 && (finding.node == one || finding.node == other)) return &finding;
        return nullptr;
    }

    /// Why routers have no shortest way on: a cable that nobody uses, a router that others avoid, or one that does not
    /// take a neighbour's route. None of these: nothing is known.
    struct Root {
        model::Link dead;
        model::Node node;
    };
    struct Withheld {
        std::set<model::Lid> lids;
        std::vector<Finding> symptoms;
    };

    /// Of a router whose routes do not take the shortest ways to a LID.
    Root root_of(model::Node node, model::Lid lid) const {
        for (model::Link const link : cut_.at({node.value, lid})) {
            if (dead_.contains(link.value)) return {link, {}};
            model::Node const next = net_[link].to;
            if (is_avoided({node.value, net_[link].from_port})) return {{}, next};
            if (cut_.contains({next.value, lid})) return root_of(next, lid);  // which is nearer
        }
        return {{}, node};
    }
    /// Of a router whose routes to LIDs lack ports, if whoever these lead to has no shortest way on to any of them.
    Root root_of(model::Node node, std::vector<model::Port> const& ports, std::vector<model::Lid> const& lids) const {
        Root root;
        for (model::Port const port : ports)
            for (model::Lid const lid : lids) {
                model::Node const next = net_[net_.link_at(node, port)].to;
                if (!cut_.contains({next.value, lid})) return {};
                root = root_of(next, lid);
            }
        return root;
    }
    /// Null where it has none yet.
    Finding* finding_of(Root const& root, std::vector<Finding>& found) const {
        if (root.node.exists() && !avoided_.contains(root.node.value)) return nullptr;
        auto const at = std::find_if(found.begin(), found.end(), [&](Finding const& one) {
            if (root.node.exists()) return one.port == 0 && one.node == root.node;
            if (!root.dead.exists()) return false;
            model::Link const link = net_.link_at(one.node, one.port);
            return link == root.dead || net_[root.dead].reverse == link;
        });
        if (at != found.end()) return &*at;
        return root.dead.exists() ? of_dead_node(found, net_[root.dead].from, net_[root.dead].to) : nullptr;
    }

    void add_avoided_nodes(std::vector<Finding>& found) const {
        for (auto const& [node, cables] : avoided_)
            found.push_back(finding(
                Code::router_avoided, model::Node{node}, 0, {},
                fmt::format("no route goes towards it by {} that are as short as others, though it sends by them: it "
                            "is drained, or its neighbours do not take its routes",
                            cables.used == 0
                                ? fmt::format("any of its {} cables", cables.unused)
                                : fmt::format("{} of its {} cables", cables.unused, cables.unused + cables.used))));
    }

    /// LIDs that routes of a node lack, and the ports by which they lack them.
    using Lacking = std::map<std::pair<std::uint32_t, std::vector<model::Lid>>, std::vector<model::Port>>;

    /// Adds cables that nobody uses, and puts those of routers that are told under these. The rest: ports that routes
    /// lack.
    Lacking add_dead_cables(std::vector<Finding>& found) {
        Lacking alike;
        for (auto& [place, use] : ports_) {
            if (use.missing.empty()) continue;
            model::Node const node{place.first};
            model::LinkRecord const& record = net_[net_.link_at(node, place.second)];
            if (is_avoided(place)) {
                if (Finding* const cause = of_dead_node(found, record.to, record.to))
                    cause->symptoms.push_back(finding(Code::cable_without_routes, node, place.second, use.missing,
                                                      "no route goes by the cable to " + net_.describe(record.to)));
                continue;
            }
            if (undecided_.contains(net_.link_at(node, place.second).value)) continue;  // `unused` tells it
            if (!is_dead(place)) {
                alike[{place.first, use.missing}].push_back(place.second);
                continue;
            }
            auto const back = ports_.find({record.to.value, record.to_port});
            if (back != ports_.end() && !back->second.missing.empty() && back->first < place)
                continue;  // told from the other end
            Finding one = finding(Code::cable_without_routes, node, place.second, use.missing,
                                  fmt::format("no route goes by the cable to {}{}, in either direction, though "
                                              "it is as short as others: its session seems to be down",
                                              net_.describe(record.to), net_.port_text(record.to, record.to_port)));
            if (Finding* const cause = of_dead_node(found, node, record.to)) cause->symptoms.push_back(std::move(one));
            else found.push_back(std::move(one));
        }
        return alike;
    }

    /// Each under its root, or by itself.
    void add_lacking(Lacking const& alike, std::vector<Finding>& found) const {
        std::vector<Finding> others;
        std::map<std::uint32_t, Withheld> withheld;  // by node
        for (auto const& [place, ports] : alike) {
            model::Node const node{place.first};
            std::string names;
            for (model::Port const port : ports)
                names += fmt::format("{}{}", names.empty() ? "" : ",", net_.port_text(node, port));
            Finding one = finding(Code::next_hops_missing, node, ports.size() == 1 ? ports[0] : 0, place.second,
                                  fmt::format("routes to {} lack next hops that are as short as those they have: "
                                              "missing{}",
                                              hosts_text(place.second), names));
            Root const root = root_of(node, ports, place.second);
            Finding* const cause = finding_of(root, found);
            if (cause != nullptr) {
                cause->symptoms.push_back(std::move(one));
            } else if (root.node.exists()) {
                Withheld& of = withheld[root.node.value];
                of.lids.insert(place.second.begin(), place.second.end());
                of.symptoms.push_back(std::move(one));
            } else {
                others.push_back(std::move(one));
            }
        }
        for (auto& [node, of] : withheld) {
            std::vector<model::Lid> const lids(of.lids.begin(), of.lids.end());
            Finding cause = finding(
                Code::route_withheld, model::Node{node}, 0, lids,
                fmt::format("it has no shortest route to {}, though a neighbour has one: it does "
                            "not get or take that, and {} other {} cannot send by it",
                            hosts_text(lids), of.symptoms.size(), of.symptoms.size() == 1 ? "router" : "routers"));
            cause.symptoms = std::move(of.symptoms);
            others.push_back(std::move(cause));
        }
        found.insert(found.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
    }

    /// Those that a host hangs off; and of one with its address on several cables, all of these: any will do.
    std::vector<model::Node> switches_of(model::Host host) const {
        std::vector<model::Node> found;
        auto const add = [&](model::Host one) {
            if (model::Link const up = net_.up_link(one);
                up.exists() && std::find(found.begin(), found.end(), net_[up].to) == found.end())
                found.push_back(net_[up].to);
        };
        std::uint32_t const address = fabric_.ip != nullptr ? fabric_.ip->address[host.value] : 0;
        if (address == 0 || !net_.up_link(host).exists()) {
            add(host);
            return found;
        }
        for (model::Host const one : net_.hosts_of(net_[host].node))
            if (fabric_.ip->address[one.value] == address) add(one);
        return found;
    }

    void look(model::Node node, model::Lid lid) {
        CandidateSets::Group const group = fabric_.candidates->group(node, lid);
        model::Port const fixed = fabric_.tables.port(node, lid);
        auto const has = [&](model::Port port) {
            if (group == CandidateSets::no_group) return port == fixed;
            std::span const ports = fabric_.candidates->ports(node, group);
            return std::find(ports.begin(), ports.end(), port) != ports.end();
        };
        use_ports(node, group, fixed);
        shortest_.clear();
        std::size_t present = 0;
        model::Link const first = net_.first_link(node);
        for (std::uint32_t l = 0; l < net_.link_count(node); ++l) {
            model::LinkRecord const& link = net_[model::Link{first.value + l}];
            if (hops_[link.to.value] == no_hops || hops_[link.to.value] + 1 != hops_[node.value]) continue;
            if (!net_.is_switch(link.to)) continue;
            if (!has(link.from_port) && fabric_.ip != nullptr && fabric_.ip->idle_end(link) != nullptr) continue;
            shortest_.push_back(link.from_port);
            present += has(link.from_port);
        }
        if (present == 0) {  // no entry, or it goes another way: not minimal, which is a finding of its own
            for (model::Port const port : shortest_) cut_[{node.value, lid}].push_back(net_.link_at(node, port));
            return;
        }
        for (model::Port const port : shortest_) {
            MissingPorts& use = ports_[{node.value, port}];
            if (has(port)) ++use.used;
            else use.missing.push_back(lid);
        }
        if (shortest_.size() == 1) return;
        ++entries_;
        if (present == shortest_.size()) {
            ++complete_;
            return;
        }
        std::vector<Place> lacking;
        for (model::Port const port : shortest_)
            if (!has(port)) lacking.emplace_back(node.value, port);
        ++short_of_[lacking];
    }

    void use_ports(model::Node node, CandidateSets::Group group, model::Port fixed) {
        auto const use = [&](model::Port port) {
            if (model::Link const link = net_.link_at(node, port); link.exists()) is_used_[link.value] = true;
        };
        if (group == CandidateSets::no_group) return use(fixed);
        for (model::Port const port : fabric_.candidates->ports(node, group)) use(port);
    }

    Finding finding(Code code, model::Node node, model::Port port, std::vector<model::Lid> const& lids,
                    std::string message) const {
        Finding finding(code);
        finding.node = node;
        finding.port = port;
        finding.where = net_.place_of(node, port).text;
        finding.message = std::move(message);
        for (model::Lid const lid : lids) finding.lids.add(lid);
        return finding;
    }
    /// `host "n1", host "n2", host "n3" and 5 others`; one of several cables is named once.
    std::string hosts_text(std::vector<model::Lid> const& lids) const {
        constexpr std::size_t most_named = 3;
        std::vector<model::Node> nodes;
        for (model::Lid const lid : lids)
            if (model::Node const node = net_.owner(lid).node; nodes.empty() || !(nodes.back() == node))
                nodes.push_back(node);
        std::string text;
        for (std::size_t i = 0; i < std::min(most_named, nodes.size()); ++i)
            text += fmt::format("{}{}", i > 0 ? ", " : "", net_.describe(nodes[i]));
        return nodes.size() > most_named ? fmt::format("{} and {} other{}", text, nodes.size() - most_named,
                                                       nodes.size() == most_named + 1 ? "" : "s")
                                         : text;
    }

    model::Fabric const& fabric_;
    model::Network const& net_;
    std::vector<std::uint32_t> hops_;  // by node
    std::vector<bool> is_used_;        // by link: any route goes by it
    std::vector<model::Node> targets_;
    std::vector<model::Port> shortest_;
    std::map<Place, MissingPorts> ports_;
    std::map<std::pair<std::uint32_t, model::Lid>, std::vector<model::Link>> cut_;  // shortest ways that are not taken
    std::set<std::uint32_t> dead_;       // of cables that no route goes by in either direction
    std::set<std::uint32_t> undecided_;  // of these: they may be what routes go by under another name
    struct Cables {
        std::size_t used = 0, unused = 0;  // by others, of those that are a shortest way
    };
    std::map<std::uint32_t, Cables> avoided_;               // by node
    std::uint64_t entries_ = 0, complete_ = 0;              // that have several shortest ways; and take all of them
    std::map<std::vector<Place>, std::uint64_t> short_of_;  // entries by what they lack
};

}  // namespace

std::vector<Finding> missing_members(model::Fabric const& fabric, std::span<model::Host const> hosts) {
    if (fabric.candidates->chosen_by() != model::ChosenBy::hash) return {};
    Members members(fabric);
    for (model::Destination const& to : model::destinations_of(fabric.network, hosts)) members.look(to);
    return members.findings();
}

}  // namespace tailback::audit
