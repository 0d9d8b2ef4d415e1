#include "topologies/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::topologies {
namespace {

constexpr std::uint64_t cap = std::uint64_t{1} << 62;
constexpr std::uint64_t most_nodes = std::uint64_t{1} << 24;
constexpr model::Port most_ports = 0xFFFD;

}  // namespace

std::uint64_t capped_product(std::uint64_t a, std::uint64_t b) {
    if (a == 0 || b == 0) return 0;
    return a > cap / b ? cap : a * b;
}

std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b) { return a > cap - std::min(b, cap) ? cap : a + b; }

std::uint64_t capped_power(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (; exponent > 0 && result < cap && (base > 1 || result != base); --exponent)
        result = capped_product(result, base);
    return result;
}

std::string joined(std::vector<std::uint32_t> const& numbers, char const* between) {
    return fmt::format("{}", fmt::join(numbers, between));
}

Layout::Layout(Arguments const& arguments, std::uint64_t hosts, std::uint64_t switches) : text_(arguments.text()) {
    if (hosts == 0) arguments.refuse("it has no hosts", "", "a network needs hosts to send anything");
    if (capped_sum(hosts, switches) > most_nodes)
        arguments.refuse("it is too large",
                         fmt::format("{} hosts and {} switches; networks of more than 2^24 nodes are not held as lists",
                                     hosts >= cap ? "more than 2^62" : std::to_string(hosts),
                                     switches >= cap ? "more than 2^62" : std::to_string(switches)),
                         "choose smaller parameters");
    hosts_ = static_cast<std::uint32_t>(hosts);
    switches_ = static_cast<std::uint32_t>(switches);
    nodes_.reserve(std::size_t{hosts_} + switches_);
    builder_.nodes().reserve(std::size_t{hosts_} + switches_);
    builder_.hosts().reserve(hosts_);
    for (std::uint32_t h = 0; h < hosts_; ++h) {
        nodes_.push_back({.kind = model::NodeKind::adapter, .name = fmt::format("H{}", h + 1), .ports = 1});
        builder_.add_host({.node = model::Node{h}, .port = 1, .lid = h + 1});
    }
    for (std::uint32_t s = 0; s < switches_; ++s)
        nodes_.push_back({.kind = model::NodeKind::switch_node, .name = fmt::format("S{}", s), .lid = hosts_ + 1 + s});
}

void Layout::ports(model::Node node, model::Port count) {
    model::NodeRecord& record = nodes_[node.value];
    record.ports = std::max(record.ports, count);
}

void Layout::one_way(model::Node from, model::Port from_port, model::Node to, model::Port to_port) {
    builder_.add_link({.from = from, .from_port = from_port, .to = to, .to_port = to_port});
    ports(from, from_port);
    ports(to, to_port);
}

void Layout::cable(model::Node a, model::Port port_of_a, model::Node b, model::Port port_of_b) {
    one_way(a, port_of_a, b, port_of_b);
    one_way(b, port_of_b, a, port_of_a);
}

void Layout::attach_hosts(std::uint32_t each) {
    for (std::uint32_t h = 0; h < hosts_; ++h) cable(host(h), 1, switch_at(h / each), h % each + 1);
}

model::Network Layout::finish() {
    for (model::NodeRecord& node : nodes_) {
        if (node.ports > most_ports)
            throw base::InputError(
                {}, text_ + " cannot be made: " + node.name + " would have " + std::to_string(node.ports) + " ports",
                "65,533 are the most", "choose smaller parameters");
        builder_.add_node(std::move(node));
    }
    nodes_ = {};
    model::Disagreements disagreements;
    return builder_.finish(disagreements, text_);
}

}  // namespace tailback::topologies
