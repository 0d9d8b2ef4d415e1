#include "host/study/plan/write_placement.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"
#include "host/study/host_lists.hpp"
#include "host/study/placement/compute_nodes.hpp"
#include "host/study/placement/host_file.hpp"
#include "host/study/placement/placer.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <unordered_set>
#include <vector>

namespace tailback::study {
namespace {

constexpr char const* form_names[] = {"mapping", "hostfile", "rankfile", "slurm"};

/// What a launcher's file holds of a name: others divide it, or begin a comment, slots, a list or a number.
bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
}

[[noreturn]] void refuse_name(std::string const& name, PlacementForm form, std::string const& why) {
    throw base::InputError(
        {}, fmt::format("node \"{}\" cannot be written into a {}", base::printable(name.substr(0, 80)), name_of(form)),
        why,
        "give nodes other names with --adapters file:PATH, leave it out with --nodes, or write "
        "mapping:FILE, which names hosts by LID or in quotes");
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

/// @param slots by rank
void write_rankfile(std::ostream& out, std::vector<std::string> const& nodes, std::vector<std::uint32_t> const& slots) {
    for (std::size_t r = 0; r < nodes.size(); ++r) fmt::print(out, "rank {}={} slot={}\n", r, nodes[r], slots[r]);
}

void write_hosts(std::ostream& out, std::vector<std::string> const& nodes) {
    for (std::string const& node : nodes) out << node << '\n';
}

/// Reads what is written of nodes, each once. @return why it is not understood so; empty where it is.
std::string why_not_read_back(PlacementForm form, std::vector<std::uint32_t> const& numbers,
                              std::vector<std::string> const& names, ComputeNodes const& nodes,
                              model::Network const& network) {
    std::ostringstream out;
    if (form == PlacementForm::hostfile) write_hostfile(out, names);
    else if (form == PlacementForm::rankfile) write_rankfile(out, names, std::vector<std::uint32_t>(names.size()));
    else write_hosts(out, names);
    NodeFinder finder(nodes, network);
    try {
        io::LineReader lines(io::source_of(out.str()), "what is written");
        if (read_host_file(lines, nodes, finder).nodes == numbers) return {};
        return "read back it is another node";
    } catch (base::InputError const& error) {
        return std::string("read back it is refused: ") + error.what();
    }
}

/// The slots of a node's ranks, counted in their order, or so that the rule gives them their adapters where it can.
/// @param ranks of the node, ascending @param slots by rank, out
void number_slots(ComputeNodes::Node const& node, RailRule const& rail, std::vector<model::Host> const& hosts,
                  std::vector<std::uint32_t> ranks, std::vector<std::uint32_t>& slots) {
    auto const count = static_cast<std::uint32_t>(ranks.size());
    std::vector<std::uint32_t> left;  // slots whose adapter no rank has
    for (std::uint32_t slot = 0; slot < count; ++slot) {
        auto const at = std::ranges::find_if(
            ranks, [&](std::uint32_t rank) { return adapter_of(node, rail, rank, slot, count) == hosts[rank]; });
        if (at == ranks.end()) {
            left.push_back(slot);
            continue;
        }
        slots[*at] = slot;
        ranks.erase(at);
    }
    for (std::size_t i = 0; i < ranks.size(); ++i) slots[ranks[i]] = left[i];
}

/// By rank: its slot in a file of this form.
std::vector<std::uint32_t> slots_in(PlacementForm form, StudyPlan const& plan, std::vector<model::Host> const& hosts,
                                    std::vector<std::string> const& names) {
    std::vector<std::uint32_t> slots(hosts.size());
    if (form != PlacementForm::rankfile || !plan.study.placement.nodes) {
        std::map<std::string, std::uint32_t> taken;
        for (std::size_t r = 0; r < names.size(); ++r) slots[r] = taken[names[r]]++;
        return slots;
    }
    ComputeNodes const& nodes = *plan.study.placement.nodes->nodes;
    RailRule const& rail = plan.study.placement.nodes->rail;
    std::vector<std::vector<std::uint32_t>> ranks(nodes.nodes.size());
    for (std::uint32_t r = 0; r < hosts.size(); ++r) ranks[nodes.node_of_host[hosts[r].value]].push_back(r);
    for (std::size_t n = 0; n < ranks.size(); ++n) number_slots(nodes.nodes[n], rail, hosts, ranks[n], slots);
    return slots;
}

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

}  // namespace

char const* name_of(PlacementForm form) {
    return form == PlacementForm::slurm ? "file of hosts" : form_names[std::size_t(form)];
}

PlacementFile read_placement_file(std::string const& option, std::string const& words) {
    static std::vector<std::string> const names(std::begin(form_names), std::end(form_names));
    std::size_t const colon = words.find(':');
    std::string const form = words.substr(0, colon);
    for (std::size_t f = 0; f < names.size(); ++f)
        if (form == names[f] && colon != words.npos && colon + 1 < words.size())
            return {PlacementForm(f), words.substr(colon + 1)};
    bool const is_form = std::ranges::find(names, form) != names.end();
    throw base::InputError({}, option + " \"" + words.substr(0, 80) + "\" does not say what to write where",
                           is_form ? "no file is named behind " + form : base::nearest_hint(form, names),
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
    if (form == PlacementForm::rankfile)
        return write_rankfile(out, nodes, slots_in(form, plan, plan.hosts_of_mapping(m), nodes));
    write_hosts(out, nodes);
}

void check_placement_names(StudyPlan const& plan, PlacementForm form) {
    if (form == PlacementForm::mapping || plan.fabric->formula) return;  // those of formulas are H1, H2, ..
    model::Network const& network = plan.fabric->network;
    ComputeNodes own;
    if (!plan.study.placement.nodes)
        own = find_compute_nodes(*plan.fabric, {}, plan.study.placement.aggregation_nodes_are_hosts);
    ComputeNodes const& nodes = plan.study.placement.nodes ? *plan.study.placement.nodes->nodes : own;
    std::vector<std::uint32_t> numbers;
    std::vector<std::string> names;
    std::vector<bool> met(nodes.nodes.size());
    for (model::Host const host : plan.study_hosts) {
        std::uint32_t const node = nodes.node_of_host[host.value];
        if (node == ComputeNodes::none || met[node]) continue;
        met[node] = true;
        numbers.push_back(node);
        names.push_back(nodes.nodes[node].name);
        auto const odd = std::ranges::find_if_not(names.back(), is_plain);
        if (odd != names.back().end())
            refuse_name(names.back(), form,
                        fmt::format("there \"{}\" is not a part of a name", base::printable(std::string(1, *odd))));
        if (names.back().empty()) refuse_name(names.back(), form, "it has no name");
    }
    if (names.empty() || why_not_read_back(form, numbers, names, nodes, network).empty()) return;
    for (std::size_t n = 0; n < names.size(); ++n)
        if (std::string const why = why_not_read_back(form, {numbers[n]}, {names[n]}, nodes, network); !why.empty())
            refuse_name(names[n], form, why);
    throw std::logic_error("names that are read back one by one, and not together");
}

std::uint32_t ranks_on_other_adapters(StudyPlan const& plan, PlacementForm form, std::uint64_t m) {
    if (!plan.study.placement.nodes || form == PlacementForm::mapping) return 0;
    ComputeNodes const& nodes = *plan.study.placement.nodes->nodes;
    RailRule const& rail = plan.study.placement.nodes->rail;
    std::vector<model::Host> const hosts = plan.hosts_of_mapping(m);
    std::vector<std::uint32_t> const slot = slots_in(form, plan, hosts, nodes_of(plan, m));
    std::vector<std::uint32_t> slots(nodes.nodes.size());
    for (model::Host const host : hosts) ++slots[nodes.node_of_host[host.value]];
    std::uint32_t others = 0;
    for (std::uint32_t r = 0; r < hosts.size(); ++r) {
        std::uint32_t const node = nodes.node_of_host[hosts[r].value];
        others += adapter_of(nodes.nodes[node], rail, r, slot[r], slots[node]) != hosts[r];
    }
    return others;
}

}  // namespace tailback::study
