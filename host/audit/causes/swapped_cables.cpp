#include "host/audit/causes/swapped_cables.hpp"

#include "host/audit/findings/cables.hpp"
#include "host/audit/findings/consistency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tailback::audit {
namespace {

/// Cables between switches whose tables do not send the neighbour's LID there, nor by another cable to it.
class SwappedCables {
public:
    SwappedCables(model::Fabric const& fabric, std::vector<Finding> const& findings)
        : fabric_(fabric), net_(fabric.network), findings_(findings) {
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
        look_at_loops();
        return std::move(found_);
    }

private:
    /// Where both pairs of switches have another cable, too (leaves and spines), loops show which cable: it sends away.
    void look_at_loops() {
        std::set<std::uint32_t> seen;
        for (Finding const& loop : findings_) {
            if (loop.kind != FindingKind::loop || !loop.node.exists() || loop.port == 0) continue;
            model::Link const away = net_.link_at(loop.node, loop.port);
            if (!away.exists() || !net_[away].reverse.exists() || !between_switches(net_, net_[away]) ||
                !has_another(net_[away]) || !seen.insert(away.value).second)
                continue;
            if (seen.size() > most_loops) return;
            for (std::size_t l = 0; l < net_.links().size(); ++l)
                if (model::LinkRecord const& other = net_[model::Link{l}];
                    between_switches(net_, other) && other.reverse.exists() && other.from != net_[away].from &&
                    other.from != net_[away].to && has_another(other) && are_swapped(away, model::Link{l}))
                    tell(away, model::Link{l});
        }
    }

    static constexpr std::size_t most_looked_at = 2000;  // links, each with each
    static constexpr std::size_t most_loops = 200;       // each with all links

    /// Is there a second cable between the two switches?
    bool has_another(model::LinkRecord const& link) const {
        model::Link const first = net_.first_link(link.from);
        for (std::uint32_t i = 0; i < net_.link_count(link.from); ++i)
            if (model::LinkRecord const& other = net_[model::Link{first.value + i}];
                other.to == link.to && other.from_port != link.from_port)
                return true;
        return false;
    }

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
        found_.emplace_back(
            Code::swapped_cables, port_location(net_, a.from, a.from_port), 0,
            fmt::format("its cable and that of {} are swapped: the tables of their ends send as if it led to {}, and "
                        "the other to {}",
                        port_location(net_, b.from, b.from_port), port_location(net_, b.to, b.to_port),
                        port_location(net_, a.to, a.to_port)),
            a.from, a.from_port);
        found_.back().explains_nodes = {a.from, a.to, b.from, b.to};
    }

    model::Fabric const& fabric_;
    model::Network const& net_;
    std::vector<Finding> const& findings_;
    std::vector<model::Link> neither_way_, one_way_, told_;
    std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> find_swapped_cables(model::Fabric const& fabric, std::vector<Finding> const& findings) {
    return fabric.routed && fabric.ip == nullptr ? SwappedCables(fabric, findings).find() : std::vector<Finding>();
}

}  // namespace tailback::audit
