#include "topologies/families/dragonfly_shape.hpp"

#include "host/base/memory.hpp"
#include "topologies/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::topologies {
namespace {

constexpr char const* names[] = {"absolute", "relative", "palmtree", "circulant", "helix", "nautilus"};
constexpr std::uint32_t unused = 0xFFFFFFFF;

GlobalEnd helix_end(std::uint32_t groups, std::uint32_t switches, std::uint32_t h, std::uint32_t group,
                    std::uint32_t port) {
    std::uint32_t const s = port / h, p = port % h, half = h / 2;
    if (p < half) return {(group + s * half + p + 1) % groups, (s + 1) % switches * h + (h - half) + p};
    if (p >= h - half) {
        std::uint32_t const from = (s + switches - 1) % switches, q = p - (h - half);
        return {(group + groups - (from * half + q + 1)) % groups, from * h + q};
    }
    return {(group + half * switches + s + 1) % groups, (switches - 1 - s) * h + p};
}

/// Group by group and switch by switch, each takes the nearest group it is not joined to yet.
std::vector<GlobalEnd> nautilus(std::uint32_t groups, std::uint32_t switches, std::uint32_t h) {
    std::uint32_t const ports = switches * h;
    std::vector<GlobalEnd> far(std::size_t(groups) * ports, GlobalEnd{unused, unused});
    std::vector<std::uint8_t> joined(std::size_t(groups) * groups);
    auto const end_of = [&](std::uint32_t g, std::uint32_t port) -> GlobalEnd& {
        return far[std::size_t(g) * ports + port];
    };
    for (std::uint32_t g = 0; g < groups; ++g) {
        std::uint32_t ahead = 0, behind = 0;
        for (std::uint32_t port = 0; port < ports; ++port) {
            if (end_of(g, port).group != unused) continue;
            bool const forward = port / h % 2 == 0;
            std::uint32_t& distance = forward ? ahead : behind;
            std::uint32_t to = g;
            while (to == g || joined[std::size_t(g) * groups + to] != 0) {
                ++distance;
                to = forward ? (g + distance) % groups : (g + groups - distance % groups) % groups;
            }
            std::uint32_t far_port = g % switches * h;  // or the next one that is free
            while (end_of(to, far_port).group != unused) far_port = (far_port + 1) % ports;
            end_of(g, port) = {to, far_port};
            end_of(to, far_port) = {g, port};
            joined[std::size_t(g) * groups + to] = joined[std::size_t(to) * groups + g] = 1;
        }
    }
    return far;
}

}  // namespace

GlobalEnd far_end(Arrangement arrangement, std::uint32_t groups, std::uint32_t group, std::uint32_t port) {
    switch (arrangement) {
        case Arrangement::absolute: return port < group ? GlobalEnd{port, group - 1} : GlobalEnd{port + 1, group};
        case Arrangement::palmtree: return {(group + groups - port - 1) % groups, groups - 2 - port};
        case Arrangement::circulant: {
            bool const ahead = port % 2 == 0;
            bool const opposite = ahead && port == groups - 2;  // of an even number of groups
            std::uint32_t const step = port / 2 + 1;
            return {ahead ? (group + step) % groups : (group + groups - step) % groups, opposite ? port
                                                                                        : ahead  ? port + 1
                                                                                                 : port - 1};
        }
        default: return {(group + port + 1) % groups, groups - 2 - port};
    }
}

GlobalLinks::GlobalLinks(base::Arguments const& arguments, Arrangement arrangement, std::uint32_t groups,
                         std::uint32_t switches, std::uint32_t ports_each)
    : groups_(groups), rounds_(switches * ports_each / (groups - 1)) {
    bool const by_table = arrangement == Arrangement::helix || arrangement == Arrangement::nautilus;
    if (by_table && switches * ports_each != groups - 1)
        arguments.refuse(
            fmt::format("{} needs one link between each two groups", names[std::size_t(arrangement)]),
            fmt::format("{} global ports of a group, {} groups", switches * ports_each, groups),
            fmt::format("leave out groups, which gives {}, or choose another arrangement", switches * ports_each + 1));
    base::require_memory("the table of global links",
                         capped_sum(capped_product(capped_product(groups, groups), 8 * std::uint64_t{rounds_}),
                                    capped_product(groups, 8 * std::uint64_t{ports_in_use()})),
                         "choose fewer groups");
    if (arrangement == Arrangement::nautilus) {
        far_ = nautilus(groups, switches, ports_each);
    } else {
        far_.resize(std::size_t(groups) * ports_in_use());
        for (std::uint32_t g = 0; g < groups; ++g)
            for (std::uint32_t port = 0; port < ports_in_use(); ++port) {
                std::uint32_t const round = port / (groups - 1), r = port % (groups - 1);
                GlobalEnd end = arrangement == Arrangement::helix ? helix_end(groups, switches, ports_each, g, port)
                                                                  : far_end(arrangement, groups, g, r);
                if (arrangement != Arrangement::helix) end.port += round * (groups - 1);
                far_[std::size_t(g) * ports_in_use() + port] = end;
            }
    }
    port_to_.resize(std::size_t(groups) * groups * rounds_);
    std::vector<std::uint32_t> count(groups);
    for (std::uint32_t g = 0; g < groups; ++g) {
        std::fill(count.begin(), count.end(), 0u);
        for (std::uint32_t port = 0; port < ports_in_use(); ++port) {
            std::uint32_t const to = far(g, port).group;
            port_to_[(std::size_t(g) * groups + to) * rounds_ + count[to]++] = port;
        }
    }
}

std::vector<base::Parameter> global_parameters() {
    return {
        {.name = "arrangement",
         .kind = base::ParameterKind::choice,
         .fallback = "absolute",
         .summary = "which global port leads to which group",
         .choices = {std::begin(names), std::end(names)}},
        {.name = "groups",
         .summary = "groups (otherwise as many as one link between each two allows; with fewer, links are parallel)",
         .least = 2,
         .most = 1 << 20,
         .optional = true}};
}

Arrangement arrangement_of(base::Arguments const& arguments) {
    auto const at = std::find(std::begin(names), std::end(names), arguments.word("arrangement"));
    return Arrangement(at - std::begin(names));
}

std::uint32_t groups_of(base::Arguments const& arguments, std::uint64_t global_ports) {
    if (global_ports >= 1 << 16)
        arguments.refuse("a group has more than 65,535 global ports", "", "choose smaller parameters");
    std::uint64_t const most = global_ports + 1;
    if (!arguments.given("groups")) return static_cast<std::uint32_t>(most);
    std::uint32_t const groups = arguments.number("groups");
    if (groups > most)
        arguments.refuse(fmt::format("{} groups cannot all be joined", groups),
                         fmt::format("a group has {} global ports", global_ports),
                         fmt::format("choose up to {} groups", most));
    return groups;
}

}  // namespace tailback::topologies
