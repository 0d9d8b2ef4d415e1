// A network with mistakes of its cabling put right, and what that brings.
#include "host/audit/changes/planned_cables.hpp"
#include "host/audit/changes/ports_of_names.hpp"
#include "host/base/numbers.hpp"
#include "host/io/progress.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace tailback::audit {
namespace {

/// Planned ends as ports of a network, which gets the devices of the plan that it lacks.
class BuiltPlan {
public:
    BuiltPlan(model::Network const& network, formats::CablePlan const& plan) : network_(network) {
        PortsOfNames const names(network);
        for (formats::PlannedCable const& cable : plan.cables)
            for (formats::PlannedEnd const* end : {&cable.from, &cable.to}) highest_ = std::max(highest_, end->number);
        for (formats::PlannedCable const& cable : plan.cables) {
            Place const from = place_of(names, cable.from), to = place_of(names, cable.to);
            places_.emplace_back(from, to);
        }
    }

    /// Why these cables cannot be laid; empty where they can. A device that the network lacks comes with all of its
    /// cables, or it leads nowhere.
    std::string not_buildable(std::span<CableMistake const> mistakes) const {
        std::map<model::Node, std::size_t> laid;  // of new devices
        for (CableMistake const& mistake : mistakes)
            for (std::size_t const number : mistake.planned)
                for (Place const& place : {places_[number].first, places_[number].second}) {
                    if (!place.why.empty()) return place.why;
                    if (is_new(place.node)) ++laid[place.node];
                }
        for (auto const& [node, cables] : laid)
            if (NewDevice const& device = device_of(node); cables < device.cables)
                return fmt::format("{} is not here, and has {} of the plan", device.end->device,
                                   base::counted(device.cables, "cable", "cables"));
        return "";
    }

    model::Network put_right(std::span<CableMistake const> mistakes) const {
        model::NetworkBuilder builder(network_.named());
        std::vector<bool> gone(network_.links().size());
        std::set<std::pair<model::Node, model::Port>> hosts;
        for (model::NodeRecord const& node : network_.nodes()) builder.add_node(node);
        for (model::HostRecord const& host : network_.hosts()) {
            builder.add_host(host);
            hosts.emplace(host.node, host.port);
        }
        auto const pull = [&](model::Link link) {
            if (!link.exists()) return;
            gone[link.value] = true;
            if (model::Link const back = network_[link].reverse; back.exists()) gone[back.value] = true;
        };
        std::map<model::Node, model::Node> built;  // new devices that a cable is laid to
        for (CableMistake const& mistake : mistakes) {
            for (model::Link const link : mistake.found) pull(link);
            for (std::size_t const number : mistake.planned)  // what is in the ports has to go, whatever it is
                for (Place const& place : {places_[number].first, places_[number].second})
                    if (place.port != 0 && !is_new(place.node)) pull(network_.link_at(place.node, place.port));
        }
        for (std::size_t l = 0; l < network_.links().size(); ++l) {
            model::LinkRecord const& link = network_[model::Link{l}];
            builder.set_port_label(link.from, link.from_port, network_.port_label(link.from, link.from_port));
            if (!gone[l]) builder.add_link(link);
        }
        auto const node_of = [&](Place const& place) {
            if (!is_new(place.node)) return place.node;
            auto const [at, first] = built.emplace(place.node, model::Node{});
            formats::PlannedEnd const& end = *device_of(place.node).end;
            if (first)
                at->second =
                    builder.add_node({.kind = end.of_switch ? model::NodeKind::switch_node : model::NodeKind::adapter,
                                      .name = base::printable(end.node_name())});
            return at->second;
        };
        for (CableMistake const& mistake : mistakes)
            for (std::size_t const number : mistake.planned) {
                auto const& [from, to] = places_[number];
                if (from.port == 0 || to.port == 0) continue;
                model::Node const a = node_of(from), b = node_of(to);
                builder.set_port_label(a, from.port, label_of(from));
                builder.set_port_label(b, to.port, label_of(to));
                model::LinkRate const rate =
                    mistake.found.empty() ? model::LinkRate{} : network_[mistake.found[0]].rate;
                builder.add_link({.from = a, .from_port = from.port, .to = b, .to_port = to.port, .rate = rate});
                builder.add_link({.from = b, .from_port = to.port, .to = a, .to_port = from.port, .rate = rate});
                for (auto const& [place, node] : {std::pair{&from, a}, {&to, b}}) {
                    bool const is_switch =
                        is_new(place->node) ? device_of(place->node).end->of_switch : network_.is_switch(place->node);
                    if (!is_switch && hosts.emplace(node, place->port).second)
                        builder.add_host({.node = node, .port = place->port});
                }
            }
        model::Disagreements disagreements;
        return builder.finish(disagreements, "");
    }

private:
    struct NewDevice {
        formats::PlannedEnd const* end;  ///< the first
        std::size_t cables = 0;
        model::Port named_ports = 0;
    };
    struct Place {
        model::Node node;      ///< beyond those of the network: a new device
        model::Port port = 0;  ///< 0 = there is none
        std::string label;     ///< of a new port
        std::string why;       ///< there is none
    };

    bool is_new(model::Node node) const { return node.exists() && node.value >= network_.nodes().size(); }
    NewDevice const& device_of(model::Node node) const { return devices_[node.value - network_.nodes().size()]; }

    std::string label_of(Place const& place) const {
        return is_new(place.node) || !place.label.empty() ? place.label : network_.port_label(place.node, place.port);
    }

    Place place_of(PortsOfNames const& names, formats::PlannedEnd const& end) {
        auto const [node, port] = names.find(end);
        if (port != 0) return {node, port, {}, {}};
        if (node.exists() && network_.named_ports() && end.unit.empty())  // interfaces without a cable are not known
            return {node, network_[node].ports + ++more_ports_[node], base::printable(end.port), {}};
        if (names.has_device(end))
            return {{}, 0, {}, fmt::format("{}: no such port here, or several devices of that name", end.text())};
        if (!end.unit.empty())
            return {{}, 0, {}, fmt::format("{}: no such chip here, and a plan does not tell its inside", end.text())};
        std::size_t const next = network_.nodes().size() + devices_.size();
        auto const [at, is_first] = new_of_.emplace(end.name, model::Node{next});
        if (is_first) devices_.push_back({&end});
        NewDevice& device = devices_[at->second.value - network_.nodes().size()];
        ++device.cables;
        if (end.number > 0) return {at->second, end.number, {}, {}};
        bool const labelled = end.of_switch;
        return {at->second,
                ++device.named_ports + (labelled ? highest_ : 0),
                labelled ? base::printable(end.port) : std::string(),
                {}};
    }

    model::Network const& network_;
    model::Port highest_ = 0;
    std::vector<std::pair<Place, Place>> places_;  // by planned cable
    std::vector<NewDevice> devices_;
    std::map<std::string, model::Node> new_of_;      // by folded name
    std::map<model::Node, model::Port> more_ports_;  // of devices that are here: ports that only the plan has
};

}  // namespace

model::Network put_right(model::Network const& network, formats::CablePlan const& plan,
                         std::span<CableMistake const> mistakes) {
    return BuiltPlan(network, plan).put_right(mistakes);
}

std::string usual_routing_of_costs(model::Fabric const& fabric) {
    return fabric.candidates != nullptr ? "ar:minimal" : "minhop";
}

PlanCosts cost_of_mistakes(model::Fabric const& fabric, formats::CablePlan const& plan, PlanComparison const& found,
                           std::string const& routing, std::uint64_t most, unsigned threads) {
    auto const stop = kernels::StopWish::now();
    std::span const first(found.mistakes.data(), std::min<std::size_t>(most, found.mistakes.size()));
    io::Progress progress("costs of mistakes", first.size() + 2, "networks");
    NetworkJudge const judge(routing, threads);
    PlanCosts costs{.routing = routing};
    if (fabric.routed && !fabric.routing->depends_on_source()) costs.by_own = judge.judge_as_it_is(fabric);
    std::shared_ptr<model::Lags const> const lags = model::lags_of(fabric);  // ports keep their numbers
    costs.as_it_is = judge.judge(fabric.network, lags.get());
    costs.divided = costs.as_it_is.divided;
    progress.show(1);
    BuiltPlan const built(fabric.network, plan);
    auto const judge_right = [&](std::span<CableMistake const> mistakes) {
        JudgedNetwork refused{.refused = built.not_buildable(mistakes)};
        return refused.refused.empty() ? judge.judge(built.put_right(mistakes), lags.get()) : refused;
    };
    costs.as_planned = judge_right(found.mistakes);
    for (CableMistake const& mistake : first) {
        stop.heed();
        costs.put_right.push_back(judge_right({&mistake, 1}));
        progress.show(costs.put_right.size() + 2);
    }
    return costs;
}

}  // namespace tailback::audit
