// Cables that no pair uses.
#include "host/audit/choices/choices.hpp"
#include "host/model/routes/ip_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tailback::audit {
namespace {

/// By their names, where ports have names.
std::string ports_text(model::Network const& net, model::Node node, std::vector<model::Port> const& ports) {
    std::string text = ports.size() == 1 ? "port " : "ports ";
    for (std::size_t i = 0; i < ports.size(); ++i) {
        std::string const& name = net.given_port_name(node, ports[i]);
        text += (i > 0 ? ", " : "") + (name.empty() ? std::to_string(ports[i]) : name);
    }
    return text;
}

/// Why nothing goes by a member of a LAG: `; switch "spine03" port swp2, a member of a LAG, is a backup`. Empty: none
/// of the links is one.
std::string idle_members_text(model::Fabric const& fabric, std::vector<model::Link> const& links) {
    if (fabric.ip == nullptr) return {};
    for (model::Link const link : links)
        if (model::IpPlan::IdleMember const* const idle = fabric.ip->idle_end(fabric.network[link]))
            return fmt::format("; {}{}, a member of a LAG, {}", fabric.network.describe(idle->node),
                               fabric.network.port_text(idle->node, idle->port), idle->why);
    return {};
}

}  // namespace

std::vector<Finding> find_unused_cables(model::Fabric const& fabric, std::vector<model::Link> unused,
                                        bool of_chosen_hosts) {
    model::Network const& net = fabric.network;
    std::string const nobody = of_chosen_hosts ? "no pair of the chosen hosts" : "no pair";
    if (fabric.candidates)  // by the static entries; what some choice takes is used
        std::erase_if(unused, [&](model::Link link) {
            model::LinkRecord const& record = net[link];
            return fabric.tables.has_table(record.from) && some_choice_takes(fabric, record.from, record.from_port);
        });
    std::vector<std::pair<model::Node, model::Node>> order;
    std::map<std::pair<model::Node, model::Node>, std::vector<model::Link>> bundles;
    for (model::Link const link : unused) {
        std::pair<model::Node, model::Node> const ends = std::minmax(net[link].from, net[link].to);
        std::vector<model::Link>& bundle = bundles[ends];
        if (bundle.empty()) order.push_back(ends);
        bundle.push_back(link);
    }
    std::vector<Finding> found;
    for (std::pair<model::Node, model::Node> const& ends : order) {
        std::vector<model::Link> const& bundle = bundles[ends];
        model::LinkRecord const& first = net[bundle.front()];
        auto const is_unused = [&](model::Link link) {
            return std::find(bundle.begin(), bundle.end(), link) != bundle.end();
        };
        std::vector<model::Port> both, out, in;  // ports of first.from
        for (model::Link const link : bundle) {
            model::LinkRecord const& record = net[link];
            bool const back = record.reverse.exists() && record.reverse != link && is_unused(record.reverse);
            if (record.from == first.from && back) both.push_back(record.from_port);
            else if (record.from == first.from) out.push_back(record.from_port);
            else if (!back) in.push_back(record.to_port);
        }
        Finding one{Code::cable_unused,
                    port_location(net, first.from, first.from_port),
                    0,
                    "",
                    first.from,
                    first.from_port,
                    {}};
        if (both.size() + out.size() + in.size() == 1) {
            std::string const to = port_location(net, first.to, first.to_port);
            one.message = nobody + (both.empty() ? " uses its link to " + to
                                                 : " uses its cable to " + to + ", in either direction");
        } else {
            one.where = net.describe(first.from);
            one.port = 0;
            one.message = nobody + " uses these of its cables to " + net.describe(first.to) + ":";
            char const* comma = " ";
            for (auto const& [ports, how] :
                 {std::pair{&both, "in either direction"}, {&out, "from here"}, {&in, "towards here"}}) {
                if (ports->empty()) continue;
                one.message += comma + ports_text(net, first.from, *ports) + " " + how;
                comma = "; ";
            }
        }
        one.message += idle_members_text(fabric, bundle);
        if (model::Link const taken = cable_of_unknown_members(fabric, first.from, first.to); taken.exists())
            one.message += fmt::format("; whether {} of {}, by which routes go, is not known: no file tells that",
                                       bundle.size() > 2 ? "they are members" : "it is a member",
                                       net.port_label(first.from, net[taken].from_port));
        found.push_back(std::move(one));
    }
    return found;
}

}  // namespace tailback::audit
