#include "host/commands/targets.hpp"

#include "host/edge_forwarding_index.hpp"
#include "host/error.hpp"
#include "host/formats/formats.hpp"
#include "host/nearest.hpp"

#include <array>
#include <ostream>
#include <vector>

namespace tailback {
namespace {

constexpr std::array targets = {
    Target{"orcs-dot", "fabric.dot", true, [](std::ostream& out, Fabric const& fabric) { write_orcs_dot(out, fabric); }},
    Target{"ibnetdiscover", "ibnetdiscover.out", false, [](std::ostream& out, Fabric const& fabric) { write_ibnetdiscover(out, fabric.network); }},
    Target{"lft-dump", "opensm-lfts.dump", true, [](std::ostream& out, Fabric const& fabric) { write_lft_dump(out, fabric); }},
    Target{"graphml", "fabric.graphml", false,
           [](std::ostream& out, Fabric const& fabric) {
               write_graphml(out, fabric.network, fabric.routed ? edge_forwarding_index(fabric) : std::vector<std::uint64_t>{});
           }},
};

}  // namespace

std::span<Target const> all_targets() { return targets; }

Target const& find_target(std::string const& name, std::string const& option) {
    std::vector<std::string> names;
    for (Target const& target : targets) {
        if (name == target.name) return target;
        names.push_back(target.name);
    }
    std::string const meant = meant_name(name, names);
    throw InputError({}, "unknown format \"" + name + "\" after " + option, meant.empty() ? "" : "the nearest is \"" + meant + "\"",
                     "choose orcs-dot, ibnetdiscover, lft-dump or graphml");
}

}  // namespace tailback
