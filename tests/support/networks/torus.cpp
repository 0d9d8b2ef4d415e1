#include "tests/support/networks/torus.hpp"
#include "tests/support/rooms.hpp"

namespace tailback {

Fabric make_test_torus(std::uint32_t k, std::uint32_t hosts) {
    NetworkBuilder builder(true);
    std::uint32_t const switches = k * k;
    for (std::uint32_t h = 0; h < switches * hosts; ++h) {
        NodeRecord record{.kind = NodeKind::adapter, .name = "H" + std::to_string(h + 1), .ports = 1};
        builder.add_host({.node = builder.add_node(std::move(record)), .port = 1, .lid = h + 1});
    }
    for (std::uint32_t s = 0; s < switches; ++s)
        builder.add_node({.name = "S" + std::to_string(s), .ports = 4 + hosts, .lid = switches * hosts + s + 1});
    auto const node = [&](std::uint32_t x, std::uint32_t y) {
        return Node{std::size_t{switches} * hosts + (y % k) * k + x % k};
    };
    for (std::uint32_t y = 0; y < k; ++y)
        for (std::uint32_t x = 0; x < k; ++x) {
            builder.add_link({.from = node(x, y), .from_port = 1, .to = node(x + 1, y), .to_port = 2});
            builder.add_link({.from = node(x, y), .from_port = 2, .to = node(x + k - 1, y), .to_port = 1});
            builder.add_link({.from = node(x, y), .from_port = 3, .to = node(x, y + 1), .to_port = 4});
            builder.add_link({.from = node(x, y), .from_port = 4, .to = node(x, y + k - 1), .to_port = 3});
            for (std::uint32_t h = 0; h < hosts; ++h) {
                Node const host{(std::size_t{y} * k + x) * hosts + h};
                builder.add_link({.from = node(x, y), .from_port = 5 + h, .to = host, .to_port = 1});
                builder.add_link({.from = host, .from_port = 1, .to = node(x, y), .to_port = 5 + h});
            }
        }
    Fabric fabric;
    Disagreements disagreements(true);
    fabric.network = builder.finish(disagreements, "torus");
    fabric.tables = ForwardingTables(fabric.network);
    fabric.routed = true;
    auto const way = [&](std::uint32_t from, std::uint32_t to) { return (to + k - from) % k <= k / 2 ? 0u : 1u; };
    for (std::uint32_t y = 0; y < k; ++y)
        for (std::uint32_t x = 0; x < k; ++x) {
            fabric.tables.add_table(node(x, y));
            for (std::uint32_t d = 0; d < switches * hosts; ++d) {
                std::uint32_t const to_x = d / hosts % k, to_y = d / hosts / k;
                Port const port = to_x != x ? 1 + way(x, to_x) : to_y != y ? 3 + way(y, to_y) : 5 + d % hosts;
                fabric.tables.set(node(x, y), d + 1, port);
            }
        }
    return fabric;
}

}  // namespace tailback
