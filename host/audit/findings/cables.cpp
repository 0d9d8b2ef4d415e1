#include "host/audit/findings/cables.hpp"

#include "host/audit/findings/consistency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tailback::audit {
namespace {

/// Each cable with two rates, one of its links: the one from the lower node, or the lower port.
bool is_first(model::Network const& net, model::Link link) {
    model::LinkRecord const& record = net[link];
    return !record.reverse.exists() || link < record.reverse || record.reverse == link;
}

bool between_switches(model::Network const& net, model::LinkRecord const& link) {
    return net.is_switch(link.from) && net.is_switch(link.to);
}

/// The slower of the two where they differ.
model::LinkRate rate_of(model::Network const& net, model::LinkRecord const& link) {
    if (!link.reverse.exists() || !net[link.reverse].rate.stated()) return link.rate;
    model::LinkRate const back = net[link.reverse].rate;
    return !link.rate.stated() || back.elevenths_of_gbps() < link.rate.elevenths_of_gbps() ? back : link.rate;
}

Finding finding_at(model::Network const& net, FindingKind kind, model::LinkRecord const& link, std::string message) {
    return {kind, port_location(net, link.from, link.from_port), 0, std::move(message), link.from, link.from_port, {}};
}

/// The fastest rate of the cables of each switch to other switches.
std::vector<model::LinkRate> fastest_of_switches(model::Network const& net) {
    std::vector<model::LinkRate> fastest(net.nodes().size());
    for (model::LinkRecord const& link : net.links())
        if (model::LinkRate const rate = rate_of(net, link);
            between_switches(net, link) && rate.elevenths_of_gbps() > fastest[link.from.value].elevenths_of_gbps())
            fastest[link.from.value] = rate;
    return fastest;
}

/// The width of nine out of ten hosts' cables; 0 where none is that common.
unsigned usual_width(model::Network const& net) {
    std::map<unsigned, std::size_t> hosts;
    std::size_t all = 0;
    for (std::size_t h = 0; h < net.hosts().size(); ++h) {
        model::Link const up = net.up_link(model::Host{h});
        if (net[model::Host{h}].role == model::HostRole::aggregation || !up.exists() || !net[up].rate.stated())
            continue;
        ++hosts[net[up].rate.width];
        ++all;
    }
    for (auto const& [width, count] : hosts)
        if (count * 10 >= all * 9) return width;
    return 0;
}

/// Cables between switches whose tables do not send the neighbour's LID there, nor by another cable to it.
class SwappedCables {
public:
    explicit SwappedCables(model::Fabric const& fabric) : fabric_(fabric), net_(fabric.network) {
        for (std::size_t l = 0; l < net_.links().size(); ++l) {
            model::LinkRecord const& link = net_[model::Link{l}];
            if (!between_switches(net_, link) || !link.reverse.exists() || goes_direct(link)) continue;
            (goes_direct(net_[link.reverse]) ? one_way_ : neither_way_).push_back(model::Link{l});
        }
    }

    std::vector<Finding> find() {
        if (neither_way_.size() > most_looked_at || one_way_.size() > most_looked_at) return {};
        for (model::Link const one : neither_way_)
            for (model::Link const other : neither_way_)
                if (net_[one].from != net_[other].from && net_[one].from != net_[other].to && are_swapped(one, other))
                    tell(one, other);
        for (model::Link const one : one_way_)
            for (model::Link const other : one_way_)
                if (one < other && net_[one].from == net_[other].from && sends(net_[one], net_[other].to) &&
                    sends(net_[other], net_[one].to))
                    tell(one, other);
        return std::move(found_);
    }

private:
    static constexpr std::size_t most_looked_at = 2000;  // links, each with each

    model::Port port_to(model::Node at, model::Node neighbour) const {
        model::Lid const lid = net_[neighbour].lid;
        return lid != 0 && fabric_.tables.has_table(at) ? fabric_.tables.port(at, lid)
                                                        : model::ForwardingTables::no_entry;
    }
    /// True also where there is no table, or no LID: nothing is odd then.
    bool goes_direct(model::LinkRecord const& link) const {
        model::Port const port = port_to(link.from, link.to);
        if (port == model::ForwardingTables::no_entry) return true;
        model::Link const by = net_.link_at(link.from, port);
        return !by.exists() || net_[by].to == link.to;
    }
    bool sends(model::LinkRecord const& link, model::Node to) const { return port_to(link.from, to) == link.from_port; }
    /// `one` was a cable to where `other` leads, and the other way round, by the tables of all four ends.
    bool are_swapped(model::Link one, model::Link other) const {
        model::LinkRecord const &a = net_[one], &b = net_[other];
        return a.to != b.to && sends(a, b.to) && sends(net_[a.reverse], b.from) && sends(b, a.to) &&
               sends(net_[b.reverse], a.from);
    }
    void tell(model::Link one, model::Link other) {
        model::LinkRecord const &a = net_[one], &b = net_[other];
        for (model::Link const end : {one, other, a.reverse, b.reverse})
            if (std::ranges::find(told_, end) != told_.end()) return;
        told_.insert(told_.end(), {one, other, a.reverse, b.reverse});
        found_.push_back(finding_at(
            net_, FindingKind::inconsistent, a,
            fmt::format("its cable and that of {} are swapped: the tables of their ends send as if it led to {}, and "
                        "the other to {}",
                        port_location(net_, b.from, b.from_port), port_location(net_, b.to, b.to_port),
                        port_location(net_, a.to, a.to_port))));
        found_.back().explains_nodes = {a.from, a.to, b.from, b.to};
    }

    model::Fabric const& fabric_;
    model::Network const& net_;
    std::vector<model::Link> neither_way_, one_way_, told_;
    std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> find_odd_cables(model::Network const& network) {
    std::vector<Finding> found;
    std::vector<model::LinkRate> const fastest = fastest_of_switches(network);
    unsigned const width = usual_width(network);
    for (std::size_t l = 0; l < network.links().size(); ++l) {
        model::LinkRecord const& link = network[model::Link{l}];
        if (!is_first(network, model::Link{l})) continue;
        std::string const far = port_location(network, link.to, link.to_port);
        if (link.reverse.exists() && link.rate.stated() && network[link.reverse].rate.stated() &&
            link.rate != network[link.reverse].rate)
            found.push_back(finding_at(network, FindingKind::inconsistent, link,
                                       fmt::format("its end of the cable is {}, that at {} is {}", link.rate.text(),
                                                   far, network[link.reverse].rate.text())));
        model::LinkRate const rate = rate_of(network, link);
        if (!rate.stated()) continue;
        if (between_switches(network, link)) {
            model::LinkRate const could =
                std::min(fastest[link.from.value], fastest[link.to.value],
                         [](auto const& a, auto const& b) { return a.elevenths_of_gbps() < b.elevenths_of_gbps(); });
            if (rate.elevenths_of_gbps() < could.elevenths_of_gbps())
                found.push_back(finding_at(network, FindingKind::degraded, link,
                                           fmt::format("its cable to {} runs at {}, where both have cables of {}", far,
                                                       rate.text(), could.text())));
        } else if (rate.width < width) {
            bool const apart =
                std::any_of(network.hosts_of(link.from).begin(), network.hosts_of(link.from).end(),
                            [&](model::Host h) { return network[h].role == model::HostRole::aggregation; }) ||
                std::any_of(network.hosts_of(link.to).begin(), network.hosts_of(link.to).end(),
                            [&](model::Host h) { return network[h].role == model::HostRole::aggregation; });
            if (!apart)
                found.push_back(
                    finding_at(network, FindingKind::degraded, link,
                               fmt::format("its cable to {} runs at {}; hosts have {}x", far, rate.text(), width)));
        }
    }
    return found;
}

std::vector<Finding> find_swapped_cables(model::Fabric const& fabric) {
    return fabric.routed && fabric.ip == nullptr ? SwappedCables(fabric).find() : std::vector<Finding>();
}

}  // namespace tailback::audit
