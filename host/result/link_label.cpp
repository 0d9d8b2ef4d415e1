#include "host/result/link_label.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::result {

std::string end_label(model::Network const& network, model::Node node, model::Port port) {
    std::string const name = base::printable(network[node].name);
    return port == 0 ? name : fmt::format("{} [{}]", name, network.port_name(node, port));
}

model::LinkEnds ends_between(model::Network const& network, model::Node from, model::Port from_port, model::Node to,
                             model::Port to_port) {
    return {network[from].name,
            from_port,
            network[to].name,
            to_port,
            network.given_port_name(from, from_port),
            network.given_port_name(to, to_port)};
}

std::string link_label(model::LinkEnds const& ends, std::size_t width) {
    std::string from = base::printable(ends.from), to = base::printable(ends.to);
    auto const label = [&] {
        auto const end = [](std::string const& name, model::Port port, std::string const& text) {
            return port == 0 ? name : fmt::format("{} [{}]", name, text);
        };
        return end(from, ends.from_port, ends.from_port_text()) + " -> " + end(to, ends.to_port, ends.to_port_text());
    };
    std::size_t const full = base::columns(label()), names = base::columns(from) + base::columns(to);
    if (full <= width) return label();
    std::size_t const room = width - std::min(width, full - names);  // for both names; what one leaves, the other has
    std::size_t const half = room / 2;
    std::size_t const from_room = base::columns(to) < half     ? room - base::columns(to)
                                  : base::columns(from) < half ? base::columns(from)
                                                               : half;
    from = base::shortened_within(from, std::max<std::size_t>(from_room, 1));
    to = base::shortened_within(to, std::max<std::size_t>(room - std::min(room, base::columns(from)), 1));
    return label();
}

std::string link_label(model::Network const& network, model::Link link) {
    model::LinkRecord const& record = network[link];
    return end_label(network, record.from, record.from_port) + " -> " + end_label(network, record.to, record.to_port);
}

}  // namespace tailback::result
