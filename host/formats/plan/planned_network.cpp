// The network that a plan of cables describes.
#include "host/base/natural.hpp"
#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/interface_names.hpp"
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
            for (PlannedEnd const* end : {&cable.from, &cable.to}) take(*end);
        for (SecondCable const& second : plan.doubles)  // without their ports, which have another cable
            for (PlannedEnd const* end : {&second.cable.from, &second.cable.to})
                if (!nodes_.contains(node_key(*end))) take(*end);
    }

    model::Network make(model::Disagreements& disagreements, std::string const& file) {
        file_ = file;
        refuse_without_switches();
        for (auto& [key, node] : nodes_) add(node);
        for (PlannedCable const& cable : plan_.cables) {
            auto const [a, a_port] = port_of(cable.from);
            auto const [b, b_port] = port_of(cable.to);
            join(a, a_port, b, b_port, planned_rate(cable.rate));
        }
        for (auto& [name, director] : directors_)
            if (director.units.size() > 1) add_spines(director);
        if (hosts_ == 0)
            throw base::InputError(
                {file, 0}, "the plan has no hosts",
                "every device has ports as switches have them (numbers, labels, interfaces of routers), or cables to "
                "several others",
                "write the adapter of each host as its port, for example \"h1,eth0,s1,1\" or "
                "\"h1,HCA-1/1,s1,1\"");
        return builder_.finish(disagreements, file);
    }

private:
    struct Director {
        std::map<std::string, std::uint32_t> units;  // cables outside, by unit
        std::string device, name;                    // as the plan writes it; folded
    };
    struct PlannedNode {
        PlannedEnd const* first;                                  // end of it in the plan
        std::map<std::string, model::Port, base::Natural> named;  // ports without a number
        std::vector<model::Port> numbers;                         // of a host
        model::Node node;
    };

    static std::string without_unit(std::string const& device) {
        std::string const bare = bare_name(device);
        std::size_t const chip = chip_at(bare);
        return chip == bare.npos ? device : bare.substr(0, chip);
    }
    static std::string node_key(PlannedEnd const& end) { return end.name + "|" + end.unit; }
    static std::string named_port(PlannedEnd const& end) { return end.of_switch ? folded_interface(end.port) : ""; }

    void take(PlannedEnd const& end) {
        PlannedNode& node = nodes_.try_emplace(node_key(end), PlannedNode{&end, {}, {}, {}}).first->second;
        if (end.number == 0) node.named.emplace(named_port(end), 0);
        else if (!end.of_switch) node.numbers.push_back(end.number);
        if (!end.of_switch) return;
        Director& director = directors_[end.name];
        if (director.name.empty()) director = {{}, without_unit(end.device), end.name};
        ++director.units[end.unit];
        highest_ = std::max(highest_, end.number);
    }

    void refuse_without_switches() const {
        for (PlannedCable const& cable : plan_.cables)
            if (!cable.from.of_switch && !cable.to.of_switch)
                throw base::InputError(
                    {file_, cable.line}, "a cable joins two hosts: neither of its devices is known as a switch",
                    cable.from.text() + " - " + cable.to.text(),
                    "write the ports of switches as numbers (21), labels (1/31/2) or interfaces of routers (swp49, "
                    "Ethernet1/1, et-0/0/0), or leave the cable out");
    }

    /// Ports that have names follow those that have numbers, in the order of their names.
    void add(PlannedNode& planned) {
        PlannedEnd named = *planned.first;
        if (named.of_switch) named.device = directors_.at(named.name).device;  // as the plan wrote it first
        model::Node const node = planned.node =
            builder_.add_node({.kind = named.of_switch ? model::NodeKind::switch_node : model::NodeKind::adapter,
                               .name = base::printable(named.node_name())});
        model::Port last = named.of_switch ? highest_ : 0;
        for (auto& [name, port] : planned.named) port = ++last;
        if (named.of_switch) return;
        for (auto const& [name, port] : planned.named) planned.numbers.push_back(port);
        for (model::Port const port : planned.numbers)
            builder_.add_host({.node = node, .port = port, .lid = static_cast<model::Lid>(++hosts_)});
    }

    std::pair<model::Node, model::Port> port_of(PlannedEnd const& end) {
        PlannedNode const& planned = nodes_.at(node_key(end));
        if (end.number > 0) return {planned.node, end.number};
        model::Port const port = planned.named.at(named_port(end));
        if (end.of_switch) builder_.set_port_label(planned.node, port, base::printable(end.port));
        return {planned.node, port};
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
                PlannedNode const& chip = nodes_.at(director.name + "|" + unit);
                join(chip.node, highest_ + static_cast<model::Port>(chip.named.size()) + s, spine, ++port, {});
            }
        }
    }

    CablePlan const& plan_;
    std::string file_;
    model::NetworkBuilder builder_;
    std::map<std::string, Director> directors_;
    std::map<std::string, PlannedNode, base::Natural> nodes_;  // by name|unit
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
