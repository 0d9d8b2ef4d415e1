#include "host/simulation/graph.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace tailback::simulation {

std::uint32_t GraphBuilder::add(Task const& task) {
    if (graph.tasks.size() >= Graph::most_tasks)
        throw base::InputError({}, "the graph of dependencies is too large",
                               "it has more than 2^30 flows, receives and computations", "use fewer ranks");
    graph.tasks.push_back(task);
    return static_cast<std::uint32_t>(graph.tasks.size() - 1);
}

std::uint32_t GraphBuilder::add_flow(std::uint32_t pair, std::uint32_t rank, std::uint64_t weight,
                                     std::uint32_t label) {
    ++graph.flows;
    return add({.subject = pair, .amount = weight, .rank = rank & nobody, .is_flow = 1, .label = label});
}

void GraphBuilder::set_class(std::uint8_t number, std::uint32_t flow) {
    if (number == 0 && graph.classes.empty()) return;
    graph.classes.resize(graph.tasks.size(), 0);
    graph.classes[flow] = number;
}

std::uint32_t GraphBuilder::add_computation(Ticks ticks, std::uint32_t rank, std::uint32_t core, std::uint32_t label) {
    return add({.subject = core, .amount = ticks, .rank = rank & nobody, .is_flow = 0, .label = label});
}

void GraphBuilder::reserve(std::size_t tasks, std::size_t edges) {
    graph.tasks.reserve(tasks);
    edges_.reserve(edges);
}

void GraphBuilder::grow() {
    std::size_t const size = known_.empty() ? 1024 : 2 * known_.size();
    known_.assign(size, UINT64_MAX);
    number_.assign(size, none);
    known_count_ = 0;
    std::vector<Pair> pairs;
    pairs.swap(graph.pairs);
    for (Pair const& pair : pairs) {
        if (pair.drawn != none) graph.pairs.push_back(pair);
        else this->pair(pair.source, pair.destination);
    }
}

std::uint32_t GraphBuilder::pair(std::uint32_t source, std::uint32_t destination) {
    if (2 * known_count_ >= known_.size()) grow();
    std::uint64_t const key = std::uint64_t{source} << 32 | destination;
    std::size_t at = (key * 0x9E3779B97F4A7C15u >> 20) & (known_.size() - 1);
    for (; known_[at] != key; at = (at + 1) & (known_.size() - 1)) {
        if (known_[at] != UINT64_MAX) continue;
        known_[at] = key;
        number_[at] = drawn_pair({source, destination});
        ++known_count_;
        break;
    }
    return number_[at];
}

std::uint32_t GraphBuilder::drawn_pair(Pair const& pair) {
    graph.pairs.push_back(pair);
    return static_cast<std::uint32_t>(graph.pairs.size() - 1);
}

Graph GraphBuilder::take() {
    std::vector<std::uint64_t>& first = graph.first_edge;
    first.assign(graph.tasks.size() + 1, 0);
    for (NewEdge const& edge : edges_) ++first[edge.earlier + 1], ++graph.tasks[edge.later].waits;
    for (std::size_t n = 0; n < graph.tasks.size(); ++n) first[n + 1] += first[n];
    graph.edges.resize(edges_.size());
    std::vector<std::uint64_t> next(first.begin(), first.end() - 1);
    for (NewEdge const& edge : edges_)
        graph.edges[next[edge.earlier]++] = edge.later | static_cast<std::uint32_t>(edge.done) << 30;
    edges_ = {};
    if (!graph.classes.empty()) graph.classes.resize(graph.tasks.size(), 0);
    return std::move(graph);
}

namespace {

/// By class of the flows what was asked for; ranks that no class has are left out.
std::vector<FlowClass> treatment_of(study::StudyPlan const& plan) {
    std::vector<std::string> const& names = plan.flow_list.class_names;
    std::vector<study::Priority> wanted(names.size());
    for (study::ClassPriority const& one : plan.study.measures.timing.priorities) {
        auto const at = std::find(names.begin(), names.end(), one.name);
        if (at == names.end()) {
            std::string all;
            for (std::string const& name : names) all += (all.empty() ? "" : ", ") + name;
            throw base::InputError({}, "no flow is of class \"" + one.name.substr(0, 80) + "\"",
                                   base::nearest_hint(one.name, names), "the classes here are: " + all);
        }
        wanted[static_cast<std::size_t>(at - names.begin())] = one.priority;
    }
    std::set<std::uint32_t> ranks;
    for (study::Priority const& priority : wanted) ranks.insert(priority.rank);
    std::vector<FlowClass> treatment;
    for (study::Priority const& priority : wanted)
        treatment.push_back(
            {static_cast<std::uint32_t>(std::distance(ranks.begin(), ranks.find(priority.rank))), priority.weight});
    return treatment;
}

}  // namespace

Graph make_graph(study::StudyPlan const& plan) {
    std::vector<FlowClass> treatment = treatment_of(plan);
    Graph graph = plan.study.measures.timing.schedule != nullptr ? graph_of_schedule(plan) : graph_of_levels(plan);
    graph.treatment = std::move(treatment);
    return graph;
}

Ticks ticks_of(study::StudyPlan const& plan, study::Duration const& duration) {
    if (duration.is_zero()) return 0;
    return static_cast<Ticks>(
        std::llround(duration.value / plan.congestion_unit() * double(plan.problem.measures.sharing.time_unit)));
}

}  // namespace tailback::simulation
