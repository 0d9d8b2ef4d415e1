// The network that a plan of cables describes.
#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/plan/cable_plan.hpp"
#include "host/formats/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tailback::formats {
namespace {

/// `4xHDR`; `HDR` and `NDR` are of four lanes.
model::LinkRate planned_rate(std::string const& word) {
    std::string upper = word;
    for (char& c : upper) c = c >= 'a' && c <= 'z' && c != 'x' ? static_cast<char>(c - 32) : c;
    if (model::LinkRate const rate = model::parse_link_rate(upper); rate.stated()) return rate;
    return model::parse_link_rate("4x" + upper);
}

class PlannedNetwork {
public:
    explicit PlannedNetwork(CablePlan const& plan) : plan_(plan), builder_(true) {
        for (PlannedCable const& cable : plan.cables)
            for (PlannedEnd const* end : {&cable.from, &cable.to})
                if (end->of_switch) {
                    Director& director = directors_[end->name];
                    director.name = end->name;
                    ++director.units[end->unit];
                    highest_ = std::max(highest_, end->number);
                }
    }

    model::Network make(model::Disagreements& disagreements, std::string const& file) {
        file_ = file;
        for (PlannedCable const& cable : plan_.cables) {
            auto const [a, a_port] = port_of(cable.from);
            auto const [b, b_port] = port_of(cable.to);
            join(a, a_port, b, b_port, planned_rate(cable.rate));
        }
        for (SecondCable const& second : plan_.doubles)
            for (PlannedEnd const* end : {&second.cable.from, &second.cable.to})
                if (!nodes_.contains(end->name + "|" + end->unit)) port_of(*end);
        for (auto& [name, director] : directors_)
            if (director.units.size() > 1) add_spines(director);
        if (hosts_ == 0)
            throw base::InputError(
                {file, 0}, "the plan has no hosts",
                "a host is known by a port with a name, and the ports here are numbers or labels, as "
                "switches have them",
                "write the adapter of each host as its port, for example \"h1,eth0,s1,1\" or "
                "\"h1,HCA-1/1,s1,1\"");
        return builder_.finish(disagreements, file);
    }

private:
    struct Director {
        std::map<std::string, std::uint32_t> units;  // cables outside, by unit
        std::string device, name;                    // as the plan writes it; folded
    };

    std::pair<model::Node, model::Port> port_of(PlannedEnd const& end) {
        std::string const key = end.name + "|" + end.unit;
        auto const [at, is_new] = nodes_.emplace(key, model::Node{});
        if (is_new) {
            PlannedEnd named = end;
            if (end.of_switch) {  // as the plan wrote it first
                Director& director = directors_[end.name];
                if (director.device.empty()) director.device = end.device;
                named.device = director.device;
            }
            at->second =
                builder_.add_node({.kind = end.of_switch ? model::NodeKind::switch_node : model::NodeKind::adapter,
                                   .name = base::printable(named.node_name())});
        }
        model::Node const node = at->second;
        model::Port port = end.number;
        if (port == 0) port = ++named_ports_[key] + (end.of_switch ? highest_ : 0);
        if (end.of_switch && end.number == 0) builder_.set_port_label(node, port, base::printable(end.port));
        if (!end.of_switch) builder_.add_host({.node = node, .port = port, .lid = static_cast<model::Lid>(++hosts_)});
        return {node, port};
    }

    void join(model::Node a, model::Port a_port, model::Node b, model::Port b_port, model::LinkRate rate) {
        if (std::max(a_port, b_port) > model::ForwardingTables::largest_port)
            throw base::InputError({file_, 0}, "a device of the plan has too many ports",
                                   builder_.describe(a_port > b_port ? a : b), "check its name in the plan");
        builder_.add_link({.from = a, .from_port = a_port, .to = b, .to_port = b_port, .rate = rate});
        builder_.add_link({.from = b, .from_port = b_port, .to = a, .to_port = a_port, .rate = rate});
    }

    /// Each chip has as many cables to spines as the largest has outside, one to each.
    void add_spines(Director const& director) {
        std::uint32_t most = 0;
        for (auto const& [unit, outside] : director.units) most = std::max(most, outside);
        for (std::uint32_t s = 1; s <= most; ++s) {
            model::Node const spine =
                builder_.add_node({.kind = model::NodeKind::switch_node,
                                   .name = base::printable(fmt::format("{}/S{:02}/U1", director.device, s))});
            model::Port port = 0;
            for (auto const& [unit, outside] : director.units) {
                model::Node const chip = nodes_.at(director.name + "|" + unit);
                join(chip, highest_ + named_ports_[director.name + "|" + unit] + s, spine, ++port, {});
            }
        }
    }

    CablePlan const& plan_;
    std::string file_;
    model::NetworkBuilder builder_;
    std::map<std::string, Director> directors_;
    std::map<std::string, model::Node> nodes_;        // by name|unit
    std::map<std::string, model::Port> named_ports_;  // ports without numbers so far
    std::size_t hosts_ = 0;
    model::Port highest_ = 0;  // of a switch's ports
};

}  // namespace

model::Network read_planned_network(io::LineReader& lines, model::Disagreements& disagreements) {
    CablePlan const plan = read_cable_plan(lines);
    for (SecondCable const& second : plan.doubles)
        disagreements.note(diagnosis::Code::port_with_two_cables, second.place, second.text + "; the first counts");
    return PlannedNetwork(plan).make(disagreements, lines.name());
}

void register_compare(Registry& registry) {
    registry.files.push_back({"a plan of cables", is_plan_header, read_planned_network});
}

}  // namespace tailback::formats
