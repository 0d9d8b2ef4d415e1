// Fat trees by their usual names: each is an XGFT (topologies/families/xgft.hpp) with D-mod-K as its own routing.
#include "host/base/error.hpp"
#include "topologies/families/families.hpp"
#include "topologies/families/parameters.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/layout.hpp"
#include "topologies/routing.hpp"

#include <fmt/format.h>

namespace tailback::topologies {
namespace {

XgftSpec spec_of(std::vector<std::uint32_t> children, std::vector<std::uint32_t> parents,
                 std::vector<std::uint32_t> cables = {}) {
    XgftSpec spec;
    spec.children = std::move(children);
    spec.parents = std::move(parents);
    spec.cables = std::move(cables);
    return spec;
}

/// n levels where every switch has k children and `up` parents.
XgftSpec even_tree(std::uint32_t k, std::uint32_t up, std::uint32_t levels) {
    XgftSpec spec = spec_of(std::vector<std::uint32_t>(levels, k), std::vector<std::uint32_t>(levels, up));
    spec.parents[0] = 1;
    return spec;
}

/// `xgft:3;18,18,36;1,18,18` and `xgft:18,36;1,18;1,2`, with or without the height, as papers write them.
std::string from_semicolons(std::string const& spec) {
    std::size_t const colon = spec.find(':');
    if (colon == std::string::npos || spec.find(';') == std::string::npos) return spec;
    if (std::size_t const odd = spec.find_first_not_of("0123456789,;", colon + 1); odd != std::string::npos)
        throw base::InputError({}, fmt::format("\"{}\" does not belong in a tree", spec[odd]),
                               fmt::format("at character {} of \"{}\"", odd + 1, spec),
                               "write as in xgft:3;18,18,36;1,18,18");
    std::vector<std::string> parts;
    for (std::size_t at = colon + 1; at <= spec.size();) {
        std::size_t const end = std::min(spec.find(';', at), spec.size());
        parts.push_back(spec.substr(at, end - at));
        for (char& c : parts.back())
            if (c == ',') c = 'x';
        at = end + 1;
    }
    auto const length = [](std::string const& part) { return 1 + std::count(part.begin(), part.end(), 'x'); };
    bool const has_height = parts.size() >= 3 && length(parts[0]) == 1 &&
                            parts[0] == std::to_string(length(parts[1])) && length(parts[1]) == length(parts[2]);
    if (has_height) parts.erase(parts.begin());
    if (parts.size() < 2 || parts.size() > 3 || length(parts[0]) != length(parts[1]) ||
        (parts.size() == 3 && length(parts[2]) != length(parts[0])))
        throw base::InputError({}, "the lists of \"" + spec + "\" have different lengths",
                               "each has one number for every level", "write as in xgft:3;18,18,36;1,18,18");
    return spec.substr(0, colon) + ":m=" + parts[0] + ",w=" + parts[1] + (parts.size() == 3 ? ",p=" + parts[2] : "");
}

XgftSpec tree_spec(Arguments const& a) {
    XgftSpec spec = spec_of(a.numbers("m"), a.numbers("w"));
    if (a.given("p")) spec.cables = a.numbers("p");
    spec.hosts = a.number("hosts");
    return spec;
}

XgftSpec clos_spec(Arguments const& a) {
    std::uint32_t const radix = a.number("radix"), levels = a.number("levels");
    std::vector<std::uint32_t> taper = a.numbers("taper");
    if (taper.size() == 1) taper.resize(levels - 1, taper[0]);
    if (taper.size() != levels - 1)
        a.refuse(fmt::format("{} numbers for the taper", taper.size()),
                 fmt::format("{} level{} {} {} step{} between them", levels, levels == 1 ? "" : "s",
                             levels == 1 ? "has" : "have", levels - 1, levels == 2 ? "" : "s"),
                 "give one for each step, or one for all");
    std::uint32_t const top = a.given("top") ? a.number("top") : radix;
    if (top > radix) a.refuse("the top switches would have more children than ports", "", "choose top up to radix");
    XgftSpec spec = spec_of({}, {1});
    for (std::uint32_t const t : taper) {
        std::uint32_t const up = radix / (t + 1);
        if (up == 0)
            a.refuse(fmt::format("no port of {} is left for the way up", radix), fmt::format("taper {}", t),
                     "choose a smaller taper");
        spec.children.push_back(radix - up);
        spec.parents.push_back(up);
    }
    spec.children.push_back(top);
    return spec;
}

XgftSpec kary_spec(Arguments const& a) { return even_tree(a.number("k"), a.number("k"), a.number("n")); }

XgftSpec mport_spec(Arguments const& a) {
    std::uint32_t const m = a.number("m"), n = a.number("n");
    if (m % 2 != 0) a.refuse("m is odd", "half of the ports go up", "choose an even m");
    XgftSpec spec = even_tree(m / 2, m / 2, n);
    spec.children.back() = m;
    return spec;
}

XgftSpec thin_spec(Arguments const& a) { return even_tree(a.number("k"), a.number("up"), a.number("n")); }

/// With tables, and as arithmetic.
template <XgftSpec (*spec_of_tree)(Arguments const&)>
Topology build(Arguments const& a) {
    return make_xgft_topology(spec_of_tree(a));
}
template <XgftSpec (*spec_of_tree)(Arguments const&)>
std::unique_ptr<RegularNetwork> regular(Arguments const& a, RoutingSpec const* routing) {
    bool const by_children =
        routing != nullptr && routing->arguments().given("digit") && routing->arguments().word("digit") == "children";
    if (by_children) return nullptr;
    return make_regular_xgft(spec_of_tree(a), routing != nullptr ? routing->name() : "dmodk", a.text());
}

/// Leaf (group, rail) holds the rail's adapter of each node of the group; adapters are numbered node by node.
Topology make_rail(Arguments const& a) {
    std::uint32_t const gpus = a.number("gpus"), nodes = a.number("nodes"), groups = a.number("groups");
    std::uint64_t const leaves = std::uint64_t{gpus} * groups;
    if (leaves > 0xFFFE || capped_product(leaves, nodes) > (std::uint64_t{1} << 24))
        a.refuse("it is too large", "more than 65,534 leaf switches or 2^24 hosts", "choose smaller parameters");
    XgftSpec const spec =
        spec_of({nodes, static_cast<std::uint32_t>(leaves)}, {1, a.given("spines") ? a.number("spines") : nodes});
    std::vector<std::uint32_t> label;
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf)
        for (std::uint32_t n = 0; n < nodes; ++n) label.push_back((leaf / gpus * nodes + n) * gpus + leaf % gpus);
    return make_xgft_topology(spec, std::move(label));
}

}  // namespace

Family xgft_family() {
    return {"xgft",
            "extended generalised fat tree; with p a PGFT (parallel cables), with w_1 > 1 a multi-plane tree. "
            "Also xgft:h;m..;w..[;p..] (in quotes)",
            "hosts m_1*..*m_h; switches of level i: w_1*..*w_i*m_(i+1)*..*m_h",
            {{.name = "m",
              .kind = ParameterKind::numbers,
              .summary = "children of a switch, level by level from the leaves",
              .least = 1,
              .most = 65534,
              .aliases = {"children"}},
             {.name = "w",
              .kind = ParameterKind::numbers,
              .summary = "parents, beginning with the hosts'",
              .least = 1,
              .most = 65534,
              .aliases = {"parents"}},
             {.name = "p",
              .kind = ParameterKind::numbers,
              .summary = "cables between child and parent, beginning with the hosts' (otherwise 1)",
              .least = 1,
              .most = 65534,
              .aliases = {"cables"},
              .optional = true},
             number_parameter("hosts", "keep only the first so many hosts; 0 = all", 0, 1 << 24, "0")},
            "xgft:m=18x36,w=1x18",
            build<tree_spec>,
            from_semicolons,
            regular<tree_spec>};
}

Family kary_ntree_family() {
    return {"kary-ntree",
            "k-ary n-tree: every switch has k children and, below the top, k parents",
            "hosts k^n; switches n*k^(n-1)",
            {number_parameter("k", "half the radix", 1, 32767), number_parameter("n", "levels", 1, 24)},
            "kary-ntree:k=4,n=3",
            build<kary_spec>,
            nullptr,
            regular<kary_spec>};
}

Family mport_ntree_family() {
    return {"mport-ntree",
            "m-port n-tree: the full fat tree of switches with m ports, top switches using all of them downwards",
            "hosts m*(m/2)^(n-1); switches (2n-1)*(m/2)^(n-1)",
            {number_parameter("m", "ports of a switch, even", 2, 65534), number_parameter("n", "levels", 1, 24)},
            "mport-ntree:m=8,n=3",
            build<mport_spec>,
            nullptr,
            regular<mport_spec>};
}

Family thintree_family() {
    return {"thintree",
            "k:k'-ary n-tree: every switch has k children and, below the top, k' parents",
            "hosts k^n; switches sum over i < n of k^(n-1-i)*k'^i",
            {number_parameter("k", "children", 1, 32767),
             {.name = "up",
              .summary = "parents, k' in the literature",
              .least = 1,
              .most = 32767,
              .aliases = {"k'", "kprime"}},
             number_parameter("n", "levels", 1, 24)},
            "thintree:k=8,up=4,n=3",
            build<thin_spec>,
            nullptr,
            regular<thin_spec>};
}

Family clos_family() {
    return {"clos",
            "fat tree of equal switches, oversubscribed tier by tier",
            "hosts: down_1*..*down_(h-1)*top, where up_i = floor(radix / (taper_i + 1)) and down_i = radix - up_i",
            {number_parameter("radix", "ports of a switch", 2, 65534),
             number_parameter("levels", "tiers of switches", 2, 24, "2"),
             {.name = "taper",
              .kind = ParameterKind::numbers,
              .fallback = "1",
              .summary = "ports down for each port up, tier by tier from the leaves, or one for all",
              .least = 1,
              .most = 65534},
             {.name = "top",
              .summary = "children of a top switch (otherwise all its ports)",
              .least = 1,
              .most = 65534,
              .optional = true}},
            "clos:radix=36,levels=2,taper=2",
            build<clos_spec>,
            nullptr,
            regular<clos_spec>};
}

Family rail_family() {
    return {"rail",
            "rail-optimised fat tree of GPU clusters: the i-th adapters of a group's nodes share a leaf switch; hosts "
            "are adapters, "
            "numbered node by node",
            "hosts gpus*nodes*groups; switches gpus*groups + spines",
            {number_parameter("gpus", "adapters of a node = rails", 1, 65534, "8"),
             number_parameter("nodes", "nodes of a group = hosts of a leaf", 1, 32767),
             number_parameter("groups", "groups of nodes", 1, 65534, "1"),
             {.name = "spines",
              .summary = "spine switches, each joined to all leaves (otherwise as many as nodes)",
              .least = 1,
              .most = 32767,
              .optional = true}},
            "rail:gpus=8,nodes=16,groups=4",
            make_rail};
}

}  // namespace tailback::topologies
