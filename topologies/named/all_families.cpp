// The table of families, and from a spec to a network.
#include "topologies/topology.hpp"

#include "host/base/error.hpp"
#include "host/base/extensions.hpp"
#include "host/base/nearest.hpp"
#include "host/io/progress.hpp"
#include "topologies/families/families.hpp"
#include "topologies/layout.hpp"
#include "topologies/registry.hpp"

#include <algorithm>

namespace tailback::topologies {

namespace {

std::vector<Family> families_of_core() {
    return {xgft_family(),           kary_ntree_family(),    mport_ntree_family(),     thintree_family(),
            clos_family(),           rail_family(),          torus_family(),           mesh_family(),
            ring_family(),           twisted_torus_family(), midimew_family(),         triangular_torus_family(),
            hypercube_family(),      hyperx_family(),        fully_connected_family(), dragonfly_family(),
            dragonfly_plus_family(), slimfly_family(),       polarfly_family(),        jellyfish_family(),
            star_family(),           crossbar_family(),      edge_list_family(),       nesttree_family(),
            nestghc_family(),        aries_family()};
}

}  // namespace

Registry const& tables() {
    static Registry const all = base::with_extensions(Registry{families_of_core(), routings_of_core()});
    return all;
}

std::vector<Family> const& all_families() { return tables().families; }

bool is_topology_spec(std::string const& word) {
    std::string const name = base::name_of_spec(word);
    return std::any_of(all_families().begin(), all_families().end(), [&](Family const& f) { return f.name == name; });
}

TopologySpec::TopologySpec(std::string text) : text_(std::move(text)), family_(nullptr) {
    std::string const name = base::name_of_spec(text_);
    std::vector<std::string> names;
    for (Family const& family : all_families()) {
        if (family.name == name) {
            family_ = &family;
            arguments_ = base::parse_arguments(family.rewrite != nullptr ? family.rewrite(text_) : text_,
                                               family.parameters, family.example);
            return;
        }
        names.push_back(family.name);
    }
    base::refuse_left_out("topology", name);
    throw base::InputError({}, "unknown topology \"" + name + "\"", base::nearest_hint(name, names),
                           "`tailback list topologies` shows all");
}

std::vector<std::string> TopologySpec::files() const { return base::files_named(family_->parameters, arguments_); }

Topology make_topology(TopologySpec const& spec) {
    io::Progress const progress("making the network");
    return spec.family().make(spec.arguments());
}

LayoutSizes sizes_of(TopologySpec const& spec) {
    return stated_sizes([&] { spec.family().make(spec.arguments()); });
}

}  // namespace tailback::topologies
