#include "topologies/layout.hpp"

#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace tailback::topologies {
namespace {

constexpr std::uint64_t cap = std::uint64_t{1} << 62;
constexpr std::uint64_t most_links = std::uint64_t{1} << 28;
constexpr model::Port most_ports = 0xFFFD;
/// While a network is made.
constexpr std::uint64_t bytes_a_node = 300, bytes_a_link = 64;

/// Ends a family's `make` where its sizes are all that is wanted.
struct SizesStated {
    LayoutSizes sizes;
};
thread_local bool no_further = false;

std::string number_text(std::uint64_t n) { return n >= cap ? "more than 2^62" : base::grouped(n); }

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

std::string grid_switch_name(std::vector<std::uint32_t> const& sizes, std::uint32_t number) {
    std::vector<std::uint32_t> at;
    for (std::uint32_t const n : sizes) {
        at.push_back(number % n);
        number /= n;
    }
    return "S" + joined(at);
}

void check_sizes(base::Arguments const& arguments, LayoutSizes const& sizes) {
    if (sizes.hosts == 0) arguments.refuse("it has no hosts", "", "a network needs hosts to send anything");
    std::uint64_t const nodes = capped_sum(sizes.hosts, sizes.switches), links = capped_product(2, sizes.cables);
    if (nodes > most_nodes)
        arguments.refuse("it is too large",
                         fmt::format("{} hosts and {} switches; networks of more than 2^24 nodes are not held as lists",
                                     number_text(sizes.hosts), number_text(sizes.switches)),
                         "choose smaller parameters");
    if (links > most_links)
        arguments.refuse("it is too large", fmt::format("{} links; 2^28 are the most", number_text(links)),
                         "choose smaller parameters");
    state_sizes(arguments.text(), sizes);
}

void state_sizes(std::string const& text, LayoutSizes const& sizes) {
    base::require_memory("the network of " + text,
                         (sizes.hosts + sizes.switches) * bytes_a_node + 2 * sizes.cables * bytes_a_link,
                         "choose smaller parameters");
    if (no_further) throw SizesStated{sizes};
}

LayoutSizes stated_sizes(std::function<void()> const& make) {
    no_further = true;
    try {
        make();
    } catch (SizesStated const& stated) {
        no_further = false;
        return stated.sizes;
    } catch (...) {
        no_further = false;
        throw;
    }
    throw std::logic_error("a family states no sizes");
}

Layout::Layout(base::Arguments const& arguments, LayoutSizes const& sizes) : text_(arguments.text()) {
    check_sizes(arguments, sizes);
    auto const [hosts, switches, cables] = sizes;
    cables_ = cables;
    builder_.links().reserve(2 * cables);
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
    if (builder_.links().size() > 2 * cables_) throw std::logic_error(text_ + " has more cables than its family says");
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
