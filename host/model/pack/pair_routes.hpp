// Routes that depend on the source as well as on the destination: no forwarding table can hold them.
#pragma once

#include "host/model/routing.hpp"

#include <string>
#include <vector>

namespace tailback::model {

/// Oblivious all the same: the route of a pair is a function of the pair. May be asked by many threads at once.
class PairRoutes : public Routing {
public:
    /// Appends the links from `source` to `destination` (another host), host links included. False when there is no
    /// way; then `links` are as far as it went.
    virtual bool append(Network const& network, Host source, Host destination, std::vector<Link>& links) const = 0;

    bool depends_on_source() const final { return true; }
    PairRoutes const* pairs() const final { return this; }
    Route trace(Fabric const& fabric, Host source, Lid destination) const final;
    RouteStore pack(Fabric const& fabric, std::vector<Host> const& hosts, LinkCosts const& costs,
                    std::size_t row_byte_limit, kernels::MakeRoutePacker) const final;
};

/// Goes from node to node by port, and notes the links it takes.
class PortWalk {
public:
    PortWalk(Network const& network, Node start, std::vector<Link>& links)
        : network_(network), links_(links), at_(start) {}
    Node at() const { return at_; }
    /// False where there is no cable; then it stays.
    bool go(Port port) {
        Link const link = network_.link_at(at_, port);
        if (!link.exists()) return false;
        links_.push_back(link);
        at_ = network_[link].to;
        return true;
    }

private:
    Network const& network_;
    std::vector<Link>& links_;
    Node at_;
};

}  // namespace tailback::model
