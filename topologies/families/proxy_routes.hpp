// Routes of generalised DCell and FiConn through a third part, where that is shorter.
#pragma once

#include "host/model/pack/pair_routes.hpp"
#include "topologies/families/server_shapes.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tailback::topologies {

/// Where the two hosts of a pair part at a level, their route leads straight from one part to the other, or through
/// the third part by which it has fewer links; among equals the straight one, then the part of the lowest number.
/// Between these three cables it is `recursive`. (Erickson, Kiasari, Navaridas, Stewart, "Routing Algorithms for
/// Recursively-Defined Data Centre Networks", Trustcom 2015: ProxyRoute with all proxies tried.)
class ProxyRoutes final : public model::PairRoutes {
public:
    ProxyRoutes(DcellShape shape, std::string text) : shape_(std::move(shape)), text_(std::move(text)) {}
    std::string text() const override { return text_; }
    bool append(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::Link>& links) const override {
        std::uint32_t const from = network[source].node.value, to = network[destination].node.value;
        model::PortWalk walk(network, model::Node{from}, links);
        for (std::uint32_t const stop : stops(from, to))
            while (walk.at().value != stop)
                if (!walk.go(shape_.next_port(walk.at().value, stop))) return false;
        return true;
    }

private:
    /// Hosts to which the route leads one after the other by `recursive`, the destination last.
    std::vector<std::uint32_t> stops(std::uint32_t from, std::uint32_t to) const {
        std::size_t const level = shape_.level_of(from, to);
        if (level == 0) return {to};
        std::uint32_t const unit = shape_.size[level - 1], base = from - from % shape_.size[level],
                            a = from % shape_.size[level] / unit, b = to % shape_.size[level] / unit;
        auto const entry = [&](std::uint32_t part, std::uint32_t other) {  // the host where a cable enters `part`
            return base + part * unit + shape_.exit_host(level, part, other);
        };
        std::vector<std::uint32_t> best = {to};
        std::uint32_t least = shape_.links(from, to);
        for (std::uint32_t c = 0; c < shape_.parts(level); ++c) {
            if (c == a || c == b) continue;
            std::uint32_t const in_c = entry(c, a), in_b = entry(b, c);
            std::uint32_t const links = shape_.links(from, in_c) + shape_.links(in_c, in_b) + shape_.links(in_b, to);
            if (links < least) least = links, best = {in_c, in_b, to};
        }
        return best;
    }

    DcellShape shape_;
    std::string text_;
};

}  // namespace tailback::topologies
