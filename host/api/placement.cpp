#include "host/api/placement.hpp"

#include "host/base/error.hpp"
#include "host/base/scanner.hpp"
#include "host/study/placement/node_mappings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace tailback::api {
namespace {

/// The path of `file:PATH`; empty for other words.
std::string path_in(std::string const& words) { return words.starts_with("file:") ? words.substr(5) : ""; }

std::uint32_t number_of_adapters(std::string const& words) {
    base::Scanner scan(words);
    std::uint64_t number = 0;
    if (!scan.decimal(number) || !scan.at_end() || number == 0 || number > UINT16_MAX)
        throw base::InputError({}, "\"" + words.substr(0, 80) + "\" does not say which adapters are one node", "",
                               "write name, system, a number of adapters, or file:PATH");
    return static_cast<std::uint32_t>(number);
}

std::string if_file(std::string const& path) {
    std::error_code ignored;
    return path == "-" || std::filesystem::is_regular_file(path, ignored) ? path : "";
}
/// Where a list lies in files, their paths: that of the nodes, and that of the list behind ` of `.
std::pair<std::string, std::string> files_of_nodes(std::string const& words) {
    std::size_t const of = words.find(" of ");
    std::string const whole = if_file(words);
    if (of == words.npos || !whole.empty()) return {whole, ""};
    std::string const list = if_file(std::string(base::trimmed(words.substr(of + 4))));
    return words.starts_with("any:") ? std::pair(list, std::string()) : std::pair(if_file(words.substr(0, of)), list);
}

/// The job where its only mapping of a file puts it: adapters are those of the file, and no rule gives others.
study::JobPlacement job_of_mapping(study::JobPlacement const& rules, std::string const& path, bool nodes_given,
                                   study::ComputeNodes const& nodes, model::Network const& network) {
    io::LineReader lines(io::open_source(path), path);
    study::MappingList const list = study::read_node_mappings(lines, nodes, network, rules);
    if (list.mappings != 1)
        throw base::InputError({path, 0}, fmt::format("the file has {} mappings", list.mappings), "a job has one",
                               "leave one line in it");
    study::JobPlacement job;
    job.ranks_per_node = rules.ranks_per_node;
    job.order = {.kind = study::RankOrderKind::given, .dims = {}, .words = "file"};
    job.nodes.named = true;
    job.nodes.notes = rules.nodes.notes;
    job.nodes.notes.insert(job.nodes.notes.end(), list.notes.begin(), list.notes.end());
    std::map<std::uint32_t, std::uint32_t> index;
    for (model::Host const host : list.hosts) {
        std::uint32_t const node = nodes.node_of_host[host.value];
        auto const& all = rules.nodes.nodes;
        if (nodes_given && std::find(all.begin(), all.end(), node) == all.end())
            throw base::InputError({path, 0}, "node \"" + nodes.nodes[node].name + "\" is none of the job's nodes",
                                   "nodes= names others", "leave out nodes=, or name it there");
        auto const [at, is_new] = index.try_emplace(node, static_cast<std::uint32_t>(job.nodes.nodes.size()));
        if (is_new) job.nodes.nodes.push_back(node), job.nodes.slots.push_back(0);
        auto const& adapters = nodes.nodes[node].adapters;
        auto const adapter = std::find(adapters.begin(), adapters.end(), host) - adapters.begin();
        job.nodes.given.push_back({at->second, static_cast<std::uint32_t>(adapter)});
        ++job.nodes.slots[at->second];
    }
    return job;
}

/// Where ranks of a node share its only adapter and nobody has said which hosts are one node; else empty.
std::string sharing_note(PlacementRequest const& request, study::NodePlacement const& placed) {
    if (request.adapters || placed.slots_listed || placed.ranks_per_node < 2 || placed.nodes->most_adapters() > 1)
        return "";
    return fmt::format(
        "the {} ranks of a node share its one adapter; where several hosts of the network are adapters of "
        "one node, --adapters tells which",
        placed.ranks_per_node);
}

study::NodePlacement describe_placement(study::Study& study, PlacementRequest const& request,
                                        model::Fabric const& fabric,
                                        std::optional<topologies::TopologySpec> const& spec, study::JobPlacement& job,
                                        bool is_of_file = false) {
    study::NodePlacement placed;
    placed.nodes = std::make_shared<study::ComputeNodes const>(study::find_compute_nodes(
        fabric, node_grouping(request.adapters, spec), study.placement.aggregation_nodes_are_hosts));
    std::string const idle = idle_adapter_options(request, *placed.nodes, fabric, spec);
    if (!idle.empty() && !is_of_file && !request.asks_for_nodes())  // ranks would go to nodes in block order by it
        throw base::InputError({}, idle, "every compute node has one adapter",
                               "leave it out, or say by --adapters which hosts are one node");
    job = find_job_placement(request, *placed.nodes, fabric.network);
    if (!request.nodes.empty()) placed.selection = request.nodes;
    else if (!request.among.empty()) placed.selection = "free";
    placed.order = job.order.words;
    placed.rail = job.rail;
    placed.rail_aligned = request.rail_aligned;
    placed.notes = job.nodes.notes;
    if (!idle.empty()) placed.notes.push_back(idle + ": every compute node has one adapter");
    placed.ranks_per_node = job.ranks_per_node;
    placed.slots_listed =
        std::any_of(job.nodes.slots.begin(), job.nodes.slots.end(), [](std::uint32_t slots) { return slots > 0; });
    if (std::string const note = sharing_note(request, placed); !note.empty()) placed.notes.push_back(note);
    study.placement.mapping = study::MappingKind::listed;
    return placed;
}

}  // namespace

bool PlacementRequest::asks_for_nodes() const {
    bool const named = order && order->kind != study::RankOrderKind::random;
    return !nodes.empty() || !among.empty() || named || ranks_per_node > 0;
}

std::string PlacementRequest::order_words() const {
    return mapping_file.empty() ? order.value_or(study::RankOrder{}).words : "file:" + mapping_file;
}

bool PlacementRequest::asked() const { return asks_for_nodes() || rail || rail_aligned || adapters; }

model::NamedFiles PlacementRequest::named_files() const {
    auto const [of_nodes, list] = files_of_nodes(nodes);
    return {{"nodes", of_nodes},
            {"hosts", list},
            {"adapters", adapters ? adapters->file : ""},
            {"rail", rail ? rail->file : ""},
            {"mapping", mapping_file}};
}

std::optional<study::NodeGroupingChoice> read_node_grouping(std::string const& words) {
    if (words.empty()) return std::nullopt;
    if (words == "name") return study::NodeGroupingChoice{};
    if (words == "system") return study::NodeGroupingChoice{.kind = study::NodeGrouping::system};
    if (!path_in(words).empty())
        return study::NodeGroupingChoice{.kind = study::NodeGrouping::file, .file = path_in(words)};
    return study::NodeGroupingChoice{.kind = study::NodeGrouping::number, .number = number_of_adapters(words)};
}

study::NodeGroupingChoice node_grouping(std::optional<study::NodeGroupingChoice> const& chosen,
                                        std::optional<topologies::TopologySpec> const& spec) {
    if (chosen) return *chosen;
    if (spec && spec->family().name == "rail")
        return {.kind = study::NodeGrouping::number, .number = spec->arguments().number("gpus")};
    return {};
}

std::string idle_adapter_options(PlacementRequest const& request, study::ComputeNodes const& nodes,
                                 model::Fabric const& fabric, std::optional<topologies::TopologySpec> const& spec) {
    auto const has_several = [](study::ComputeNodes const& some) {
        return std::any_of(some.nodes.begin(), some.nodes.end(),
                           [](auto const& node) { return node.adapters.size() > 1; });
    };
    std::vector<std::string> idle;
    auto const add = [&](bool given, char const* option) {
        if (given) idle.emplace_back(option);
    };
    if (has_several(nodes)) return "";
    add(request.rail.has_value(), "--rail");
    add(request.rail_aligned, "--rail-aligned");
    // A rule may also make nodes of one adapter out of nodes that have several.
    bool const divides =
        request.adapters && (request.adapters->kind == study::NodeGrouping::file ||
                             has_several(study::find_compute_nodes(fabric, node_grouping({}, spec), false)));
    add(request.adapters && !divides, "--adapters");
    if (idle.empty()) return "";
    return fmt::format("{} {} no effect", fmt::join(idle, " and "), idle.size() == 1 ? "has" : "have");
}

std::vector<std::uint32_t> grid_sizes(std::optional<topologies::TopologySpec> const& spec) {
    if (!spec || (spec->family().name != "torus" && spec->family().name != "mesh")) return {};
    return spec->arguments().numbers("sizes");
}

study::JobPlacement find_job_placement(PlacementRequest const& request, study::ComputeNodes const& nodes,
                                       model::Network const& network) {
    study::JobPlacement job;
    if (!request.among.empty()) job.nodes = {.nodes = request.among, .named = true};
    else if (request.nodes.empty()) job.nodes = study::every_node(nodes);
    else job.nodes = study::read_node_selection(request.nodes, nodes, network);
    if (job.nodes.nodes.empty())
        throw base::InputError({}, "there are no compute nodes", "no host of the network can take a rank",
                               "check the network file");
    job.ranks_per_node = std::max(1u, request.ranks_per_node);
    if (request.rail) job.rail = *request.rail;
    if (!request.mapping_file.empty())
        return job_of_mapping(job, request.mapping_file, !request.nodes.empty(), nodes, network);
    if (request.order) job.order = *request.order;
    else if (!job.nodes.given.empty()) job.order = {.kind = study::RankOrderKind::given, .dims = {}, .words = "given"};
    return job;
}

void place_study(study::Study& study, PlacementRequest const& request, model::Fabric const& fabric,
                 PlacedBy const& by) {
    study::JobPlacement job;
    study::NodePlacement placed = describe_placement(study, request, fabric, by.spec, job);
    if (study.placement.ranks == 0) study.placement.ranks = study.traffic.listed_flows.ranks;
    if (study.placement.ranks == 0) study.placement.ranks = study::slots_of(job);
    job.ranks = study.placement.ranks;
    study::Placer placer(*placed.nodes, fabric.network, {job}, grid_sizes(by.spec), study.sample.seed);
    placed.draws = placer.draws();
    if (!by.mappings_given && !placed.draws && !by.draws_flows) study.sample.mappings = 1;
    study.placement.first_listed = study.sample.first_mapping;
    study.placement.mapping_hosts = study::list_mappings(placer, study.sample.first_mapping, study.sample.mappings);
    study.placement.nodes = std::move(placed);
}

study::MappingList list_placed_mappings(study::Study& study, PlacementRequest const& request,
                                        model::Fabric const& fabric,
                                        std::optional<topologies::TopologySpec> const& spec,
                                        std::string const& mapping_file) {
    study::JobPlacement job;
    study::NodePlacement placed = describe_placement(study, request, fabric, spec, job, true);
    placed.order = "file";
    io::LineReader lines(io::open_source(mapping_file), mapping_file);
    study::MappingList list = study::read_node_mappings(lines, *placed.nodes, fabric.network, job);
    placed.notes.insert(placed.notes.end(), list.notes.begin(), list.notes.end());
    study.placement.nodes = std::move(placed);
    return list;
}

}  // namespace tailback::api
