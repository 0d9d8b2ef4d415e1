#include "topologies/families/xgft.hpp"

#include "host/model/routes/expected_routes.hpp"
#include "topologies/draws.hpp"
#include "topologies/layout.hpp"
#include "topologies/routings/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tailback::topologies {
namespace {

std::string list(std::vector<std::uint32_t> const& numbers) {
    std::string text;
    for (std::uint32_t const n : numbers) text += (text.empty() ? "" : ",") + std::to_string(n);
    return text;
}

[[noreturn]] void refuse(XgftSpec const& spec, std::string const& why, std::string const& what_to_do) {
    throw base::InputError({}, spec.text() + " is not a tree that can be built", why, what_to_do);
}

model::Network build_network(XgftSpec const& spec, XgftShape const& shape, std::vector<std::uint32_t> const& label,
                             std::vector<model::Node>& first_of_level) {
    model::NetworkBuilder builder(true);
    auto const hosts = static_cast<std::uint32_t>(label.size());
    first_of_level.assign(1, model::Node{0});
    model::Lid lid = 0;
    for (std::uint32_t d = 0; d < hosts; ++d) {
        model::NodeRecord record;
        record.kind = model::NodeKind::adapter;
        record.name = fmt::format("H{}", d + 1);
        record.ports = shape.up_ports(0);
        builder.add_host({.node = builder.add_node(std::move(record)), .port = 1, .lid = ++lid});
    }
    for (std::size_t level = 1; level <= shape.height; ++level) {
        first_of_level.push_back(model::Node{builder.nodes().size()});
        for (std::uint64_t x = 0; x < shape.nodes[level]; ++x) {
            model::NodeRecord record;
            record.name = fmt::format("S{}_{}", level, x);
            record.ports = shape.down_ports(level) + shape.up_ports(level);
            record.lid = ++lid;
            builder.add_node(std::move(record));
        }
    }
    for (std::size_t level = 0; level < shape.height; ++level) {
        std::uint64_t const present = level == 0 ? hosts : shape.nodes[level];
        std::uint32_t const siblings = shape.children[level], parents = shape.parents[level];
        for (std::uint64_t x = 0; x < present; ++x) {
            std::uint64_t const u = x % shape.twins[level];
            std::uint64_t const t = x / shape.twins[level];
            model::Node const below{level == 0 ? label[x] : first_of_level[level].value + x};
            for (std::uint32_t r = 0; r < shape.up_ports(level); ++r) {
                std::uint64_t const parent =
                    t / siblings * shape.twins[level + 1] + u + r % parents * shape.twins[level];
                model::Node const above{first_of_level[level + 1].value + parent};
                model::Port const up = shape.down_ports(level) + r + 1;
                model::Port const down = r / parents * siblings + static_cast<model::Port>(t % siblings) + 1;
                builder.add_link({.from = below, .from_port = up, .to = above, .to_port = down});
                builder.add_link({.from = above, .from_port = down, .to = below, .to_port = up});
            }
        }
    }
    model::Disagreements disagreements(true);
    return builder.finish(disagreements, spec.text());
}

model::ForwardingTables d_mod_k(XgftShape const& shape, std::vector<std::uint32_t> const& label,
                                std::vector<model::Node> const& first_of_level, model::Network const& network) {
    std::size_t const hosts = label.size();
    bool const hosts_choose = shape.up_ports(0) > 1;
    model::ForwardingTables tables(network, network.switches() + (hosts_choose ? hosts : 0));
    std::vector<model::Port> upward(hosts);  // the same for all nodes of a level
    for (std::size_t level = hosts_choose ? 0 : 1; level <= shape.height; ++level) {
        for (std::size_t d = 0; d < hosts && level < shape.height; ++d) upward[d] = shape.port_up(level, d);
        std::uint64_t const present = level == 0 ? hosts : shape.nodes[level];
        auto const node_at = [&](std::uint64_t x) {
            return model::Node{level == 0 ? label[x] : first_of_level[level].value + x};
        };
        auto const fill = [&](std::uint64_t x, auto&& set) {
            std::size_t const begin = std::min<std::size_t>(hosts, x / shape.twins[level] * shape.hosts_below[level]);
            std::size_t const end = std::min<std::size_t>(hosts, begin + shape.hosts_below[level]);
            for (std::size_t d = 0; d < begin; ++d) set(label[d] + 1, upward[d]);
            for (std::size_t d = begin; d < end; ++d) set(label[d] + 1, level == 0 ? 0 : shape.port_down(level, d));
            for (std::size_t d = end; d < hosts; ++d) set(label[d] + 1, upward[d]);
            if (level > 0) set(network[node_at(x)].lid, 0);
        };
        for (std::uint64_t x = 0; x < present; ++x) tables.add_table(node_at(x));
        bool const narrow = !tables.is_wide() && shape.down_ports(level) + shape.up_ports(level) < 0xFF;
#pragma omp parallel for schedule(static) if (narrow)  // else the first wide entry moves all tables
        for (std::int64_t x = 0; x < static_cast<std::int64_t>(present); ++x) {
            model::Node const node = node_at(std::uint64_t(x));
            if (narrow) {
                std::uint8_t* const row = tables.narrow_row(node);
                fill(std::uint64_t(x),
                     [&](model::Lid lid, model::Port port) { row[lid] = static_cast<std::uint8_t>(port); });
            } else {
                fill(std::uint64_t(x), [&](model::Lid lid, model::Port port) { tables.set(node, lid, port); });
            }
        }
    }
    return tables;
}

/// The same, entry by entry.
NextPort d_mod_k_port(XgftShape const& shape, std::vector<std::uint32_t> const& label) {
    std::vector<std::uint32_t> place(label.size());
    for (std::size_t i = 0; i < label.size(); ++i) place[label[i]] = static_cast<std::uint32_t>(i);
    bool const hosts_choose = shape.up_ports(0) > 1;
    return [shape, place = std::move(place), hosts_choose](std::uint32_t v, std::uint32_t, std::uint32_t number) {
        if (number >= place.size()) return model::ForwardingTables::no_entry;  // a switch's own
        std::uint64_t const d = place[number];
        std::uint64_t x = v;
        std::size_t level = hosts_choose ? 0 : 1;
        for (std::uint64_t all = level == 0 ? place.size() : shape.nodes[1]; x >= all; all = shape.nodes[level]) {
            x -= all;
            ++level;
        }
        if (level == 0) return shape.port_up(0, d);
        return shape.is_below(level, x, d) ? shape.port_down(level, d) : shape.port_up(level, d);
    };
}

enum class UpBy : std::uint8_t { source, sum, drawn };

/// Up by a number that is not the destination's alone, down the only way (by the destination's number among parallel
/// cables).
class TreePairs : public model::PairRoutes, public model::ExpectedRoutes {
public:
    TreePairs(XgftShape shape, std::vector<std::uint32_t> const& label, std::vector<model::Node> first_of_level,
              UpBy by, std::uint64_t seed, std::string text)
        : shape_(std::move(shape)),
          place_(label.size()),
          first_of_level_(std::move(first_of_level)),
          by_(by),
          seed_(seed),
          text_(std::move(text)) {
        for (std::size_t i = 0; i < label.size(); ++i) place_[label[i]] = static_cast<std::uint32_t>(i);
    }
    std::string text() const override { return text_; }

    bool append(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::Link>& links) const override {
        std::uint64_t const s = place_[source.value], d = place_[destination.value];
        model::PortWalk walk(network, network[source].node, links);
        std::size_t level = 0;
        for (; level == 0 || !shape_.is_below(level, walk.at().value - first_of_level_[level].value, d); ++level)
            if (!walk.go(port_up(level, s, d))) return false;
        for (; level > 0; --level)
            if (!walk.go(shape_.port_down(level, d))) return false;
        return true;
    }

    model::ExpectedRoutes const* law() const override { return this; }
    /// Every port up is as probable as the others, where it is drawn.
    bool expect(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::LinkShare>& shares) const override {
        return climb(network, network[source].node, 0, 1, {place_[source.value], place_[destination.value]}, shares);
    }

private:
    struct Places {
        std::uint64_t source, destination;
    };
    bool climb(model::Network const& network, model::Node at, std::size_t level, double share, Places const& pair,
               std::vector<model::LinkShare>& shares) const {
        auto const go = [&](model::Port port, double part) {
            model::Link const link = network.link_at(at, port);
            if (link.exists()) shares.push_back({link, part});
            return link;
        };
        if (level > 0 && shape_.is_below(level, at.value - first_of_level_[level].value, pair.destination)) {
            for (; level > 0; --level) {
                model::Link const link = go(shape_.port_down(level, pair.destination), share);
                if (!link.exists()) return false;
                at = network[link].to;
            }
            return true;
        }
        bool const drawn = by_ == UpBy::drawn;
        std::uint32_t const ports = drawn ? shape_.up_ports(level) : 1;
        for (std::uint32_t p = 0; p < ports; ++p) {
            model::Port const port =
                drawn ? shape_.down_ports(level) + 1 + p : port_up(level, pair.source, pair.destination);
            model::Link const link = go(port, share / ports);
            if (!link.exists() || !climb(network, network[link].to, level + 1, share / ports, pair, shares))
                return false;
        }
        return true;
    }

    model::Port port_up(std::size_t level, std::uint64_t s, std::uint64_t d) const {
        if (by_ != UpBy::drawn) return shape_.port_up(level, by_ == UpBy::source ? s : s + d);
        std::uint32_t const word = drawn_word(seed_, BuildStream::random_up, static_cast<std::uint32_t>(s),
                                              static_cast<std::uint32_t>(d), static_cast<std::uint32_t>(level));
        return shape_.down_ports(level) + 1 +
               static_cast<model::Port>(std::uint64_t{word} * shape_.up_ports(level) >> 32);
    }

    XgftShape shape_;
    std::vector<std::uint32_t> place_;
    std::vector<model::Node> first_of_level_;
    UpBy by_;
    std::uint64_t seed_;
    std::string text_;
};

/// By the option `digit`.
XgftShape with_digit(XgftShape const& shape, Arguments const& options) {
    return options.given("digit") && options.word("digit") == "children" ? shape.by_children() : shape;
}

}  // namespace

std::string XgftSpec::text() const {
    bool const parallel = (!cables.empty() && cables.size() != children.size()) ||
                          std::any_of(cables.begin(), cables.end(), [](std::uint32_t p) { return p != 1; });
    return (parallel ? "PGFT(" : "XGFT(") + std::to_string(children.size()) + ";" + list(children) + ";" +
           list(parents) + (parallel ? ";" + list(cables) : "") + ")";
}

XgftShape::XgftShape(XgftSpec const& spec)
    : height(spec.children.size()), children(spec.children), parents(spec.parents), cables(spec.cables) {
    if (cables.empty()) cables.assign(height, 1);
    auto const zero = [](std::vector<std::uint32_t> const& v) { return std::find(v.begin(), v.end(), 0u) != v.end(); };
    if (height == 0 || parents.size() != height || cables.size() != height)
        refuse(spec,
               fmt::format("{} numbers of children (m), {} of parents (w){}", height, parents.size(),
                           spec.cables.empty() ? "" : fmt::format(", {} of cables (p)", cables.size())),
               "give each as many as the tree has levels");
    if (zero(children) || zero(parents) || zero(cables))
        refuse(spec, "a zero in the lists", "give numbers of at least 1");
    hosts_below.assign(1, 1);
    twins.assign(1, 1);
    for (std::size_t i = 0; i < height; ++i) {
        hosts_below.push_back(hosts_below[i] * children[i]);
        twins.push_back(twins[i] * parents[i]);
        if (hosts_below.back() > most_nodes || twins.back() > most_nodes)
            refuse(spec, "more than 2^24 nodes", "give smaller numbers");
        std::uint64_t const up = i + 1 < height ? std::uint64_t{parents[i + 1]} * cables[i + 1] : 0;
        if (std::uint64_t{parents[i]} * cables[i] > model::ForwardingTables::largest_port ||
            std::uint64_t{children[i]} * cables[i] + up > model::ForwardingTables::largest_port)
            refuse(spec, "a node of more than 65,534 ports", "give smaller numbers");
    }
    up_divisor = twins;
    std::uint64_t all = 0;
    for (std::size_t i = 0; i <= height; ++i) {
        nodes.push_back(twins[i] * (hosts_below[height] / hosts_below[i]));
        all += nodes.back();
    }
    if (all > most_nodes) refuse(spec, "more than 2^24 nodes", "give smaller numbers");
    if (spec.hosts > hosts_below[height])
        refuse(spec, std::to_string(spec.hosts) + " hosts wanted of " + std::to_string(hosts_below[height]),
               "ask for that many at most, or leave hosts out for all");
}

XgftShape XgftShape::by_children() const {
    XgftShape other = *this;
    for (std::size_t level = 1; level <= height; ++level) other.up_divisor[level] = hosts_below[level - 1];
    return other;
}

Topology make_xgft_topology(XgftSpec const& spec, std::vector<std::uint32_t> label) {
    XgftShape const shape(spec);
    if (label.empty()) {
        label.resize(spec.hosts != 0 ? spec.hosts : shape.nodes[0]);
        std::iota(label.begin(), label.end(), 0u);
    }
    std::uint64_t cables = label.size() * shape.up_ports(0), switches = 0;
    for (std::size_t level = 1; level <= shape.height; ++level) {
        switches += shape.nodes[level];
        cables += shape.nodes[level] * shape.up_ports(level);
    }
    state_sizes(spec.text(), {label.size(), switches, cables});
    Topology topology;
    std::vector<model::Node> first_of_level;
    topology.network = build_network(spec, shape, label, first_of_level);
    topology.hosts_do = shape.up_ports(0) > 1 ? HostsDo::choose : HostsDo::send;
    topology.usual_routing = "dmodk";
    for (auto const& [name, by] : {std::pair{"smodk", UpBy::source}, std::pair{"round-robin-up", UpBy::sum},
                                   std::pair{"random-up", UpBy::drawn}})
        topology.routings.push_back(
            {name,
             {.minimal = true, .deadlock_free = true},
             nullptr,
             [shape, label, first_of_level, by = by](Arguments const& options, std::uint64_t seed) {
                 return std::make_shared<TreePairs>(with_digit(shape, options), label, first_of_level, by, seed,
                                                    pairs_text(options, seed));
             }});
    topology.routings.insert(
        topology.routings.begin(),
        {"dmodk",
         {.minimal = true, .deadlock_free = true},
         [shape, label, first_of_level](model::Network const& network, Arguments const& options, std::uint64_t) {
             return d_mod_k(with_digit(shape, options), label, first_of_level, network);
         },
         nullptr,
         nullptr,
         [shape, label](Arguments const& options, std::uint64_t) {
             return d_mod_k_port(with_digit(shape, options), label);
         }});
    return topology;
}

model::Fabric make_xgft(XgftSpec const& spec) {
    Topology topology = make_xgft_topology(spec);
    model::Fabric fabric;
    fabric.tables = topology.routings.front().make(topology.network, Arguments{}, 0);
    fabric.network = std::move(topology.network);
    fabric.routed = true;
    return fabric;
}

}  // namespace tailback::topologies
