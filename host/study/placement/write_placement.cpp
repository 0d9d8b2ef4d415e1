#include "host/study/placement/write_placement.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/study/host_lists.hpp"
#include "host/study/placement/compute_nodes.hpp"
#include "host/study/placement/placer.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <map>
#include <ostream>
#include <unordered_set>
#include <vector>

namespace tailback::study {
namespace {

/// The name of the compute node of every rank.
std::vector<std::string> nodes_of(StudyPlan const& plan, std::uint64_t m) {
    std::vector<std::string> names;
    for (model::Host const host : plan.hosts_of_mapping(m)) {
        if (plan.study.placement.nodes) {
            ComputeNodes const& nodes = *plan.study.placement.nodes->nodes;
            names.push_back(nodes.nodes[nodes.node_of_host[host.value]].name);
        } else if (plan.fabric->formula) {
            names.push_back(model::NetworkFormula::host_name(host.value));
        } else {
            names.push_back(split_adapter_name(plan.fabric->network[plan.fabric->network[host].node].name).node);
        }
    }
    return names;
}

/// Do the ranks of every node follow each other?
bool in_blocks(std::vector<std::string> const& nodes) {
    std::unordered_set<std::string> met;
    for (std::size_t r = 0; r < nodes.size(); ++r)
        if ((r == 0 || nodes[r] != nodes[r - 1]) && !met.insert(nodes[r]).second) return false;
    return true;
}

void write_hostfile(std::ostream& out, std::vector<std::string> const& nodes) {
    if (!in_blocks(nodes)) {
        out << "# the host of rank 0, of rank 1, ..: mpirun --map-by seq --hostfile THIS\n";
        for (std::string const& node : nodes) out << node << '\n';
        return;
    }
    for (std::size_t r = 0; r < nodes.size();) {
        std::size_t end = r;
        while (end < nodes.size() && nodes[end] == nodes[r]) ++end;
        fmt::print(out, "{} slots={}\n", nodes[r], end - r);
        r = end;
    }
}

void write_rankfile(std::ostream& out, std::vector<std::string> const& nodes) {
    std::map<std::string, std::size_t> taken;
    for (std::size_t r = 0; r < nodes.size(); ++r)
        fmt::print(out, "rank {}={} slot={}\n", r, nodes[r], taken[nodes[r]]++);
}

}  // namespace

PlacementFile read_placement_file(std::string const& option, std::string const& words) {
    static std::vector<std::string> const names = {"mapping", "hostfile", "rankfile", "slurm"};
    std::size_t const colon = words.find(':');
    std::string const form = words.substr(0, colon);
    for (std::size_t f = 0; f < names.size(); ++f)
        if (form == names[f] && colon != words.npos && colon + 1 < words.size())
            return {PlacementForm(f), words.substr(colon + 1)};
    throw base::InputError({}, option + " \"" + words.substr(0, 80) + "\" does not say what to write where",
                           base::nearest_hint(form, names),
                           "write FORM:FILE, FORM one of mapping, hostfile, rankfile, "
                           "slurm");
}

void write_placement(std::ostream& out, PlacementForm form, StudyPlan const& plan, std::uint64_t m) {
    if (form == PlacementForm::mapping) {
        MappingWriter(out, *plan.fabric).write(plan.hosts_of_mapping(m));
        return;
    }
    std::vector<std::string> const nodes = nodes_of(plan, m);
    if (form == PlacementForm::hostfile) return write_hostfile(out, nodes);
    if (form == PlacementForm::rankfile) return write_rankfile(out, nodes);
    for (std::string const& node : nodes) out << node << '\n';
}

std::uint32_t ranks_on_other_adapters(StudyPlan const& plan, std::uint64_t m) {
    if (!plan.study.placement.nodes) return 0;
    ComputeNodes const& nodes = *plan.study.placement.nodes->nodes;
    RailRule const rail = read_rail_rule(plan.study.placement.nodes->rail);
    std::vector<model::Host> const hosts = plan.hosts_of_mapping(m);
    std::vector<std::uint32_t> slots(nodes.nodes.size()), taken(nodes.nodes.size());
    for (model::Host const host : hosts) ++slots[nodes.node_of_host[host.value]];
    std::uint32_t others = 0;
    for (std::uint32_t r = 0; r < hosts.size(); ++r) {
        std::uint32_t const node = nodes.node_of_host[hosts[r].value], slot = taken[node]++;
        others += adapter_of(nodes.nodes[node], rail, r, slot, slots[node]) != hosts[r];
    }
    return others;
}

}  // namespace tailback::study
