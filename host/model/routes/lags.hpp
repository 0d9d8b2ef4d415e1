// Link aggregation groups: cables between the same two nodes that their routers' files tell as one interface.
#pragma once

#include "host/model/network.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tailback::model {

/// By ports, so they stay what they are where cables fail or come back. Routes take a LAG as one next hop; what it
/// carries is divided over its members.
class Lags {
public:
    /// Ports of a node which are one interface to its routes, whether they have a cable or not. One alone is no LAG.
    void add(Node node, std::vector<Port> members);
    /// A member that carries nothing though it has a cable: a backup, or one that is down.
    void add_idle(Node node, Port port) { idle_.emplace(node, port); }
    /// The same where a port is in the LAG of another of its node; that one alone becomes a LAG with it. A port that is
    /// in a LAG already stays there.
    Lags with_member(Node node, Port beside, Port port) const;
    bool empty() const { return members_.empty() && idle_.empty(); }
    /// Each LAG with its ports, as they were added.
    std::span<std::pair<Node, std::vector<Port>> const> all() const { return members_; }

    /// The members of the LAG that a port is in; none: it is in none.
    std::span<Port const> of(Node node, Port port) const;
    bool is_idle(LinkRecord const& link) const {
        return idle_.contains({link.from, link.from_port}) || idle_.contains({link.to, link.to_port});
    }
    /// The links by which what goes by this one is divided: those of its LAG that lead to the same node, itself among
    /// them, in the order of ports. One end that tells its LAG is enough.
    std::vector<Link> sharers(Network const& network, Link link) const;
    /// Of the same nodes with other numbers of ports. @param renumber 0 = the port is not there
    Lags renumbered(std::function<Port(Node, Port)> const& renumber) const;

private:
    std::pair<Node, Port> key_of(LinkRecord const& link) const;

    std::vector<std::pair<Node, std::vector<Port>>> members_;
    std::map<std::pair<Node, Port>, std::size_t> at_;  // in members_
    std::set<std::pair<Node, Port>> idle_;
};

struct Fabric;
/// Those that the fabric's files tell; null where they tell none.
std::shared_ptr<Lags const> lags_of(Fabric const& fabric);
/// From the addresses, the tables and the sets of an IP fabric. Its network is left as it is.
/// @param before the network that has these hosts
void take_out_endpoints(Fabric& fabric, Network const& before, std::vector<Host> const& hosts);

// Words that notes, audits, findings and writers share.
inline constexpr char const* lag_is_one_next_hop = "a LAG is one next hop, and its members divide what goes by it";
inline constexpr char const* lag_members_count_alone = "members of LAGs count as cables of their own";
/// `the other member of its LAG takes what it carried`
std::string taken_by_others_of_lag(std::uint64_t others);
/// `2 members of LAGs that keep others failed: these take what they carried`
std::string failed_members_of_lags(std::uint64_t members);
/// `; if it is a LAG, `ip -j addr` of both routers tells its members`
std::string collect_members_of_lag(std::string const& of_whom);

}  // namespace tailback::model
