#include "host/evaluation/adaptive/one_path.hpp"

#include <algorithm>

namespace tailback::evaluation {

bool takes_options(model::ChoiceGraph const& graph, HostFlow const& flow, std::span<model::Link const> links) {
    std::uint32_t const c = graph.class_of(flow.destination);
    model::Forwarding::Entry const& entry = graph.forwarding().entry_of(flow.source);
    if (c == model::ChoiceGraph::none || entry.row == kernels::no_row) return false;
    std::span const column = graph.column(graph.classes()[c]);
    std::uint32_t row = entry.row;
    for (std::size_t i = entry.up.exists() ? 1 : 0; i < links.size(); ++i) {
        if (model::ChoiceGraph::is_mark(column[row])) return column[row] == model::ChoiceGraph::exit;
        auto const options = graph.options(column[row]);
        auto const taken = std::find_if(options.begin(), options.end(),
                                        [&](model::ChoiceGraph::Option const& one) { return one.link == links[i]; });
        if (taken == options.end()) return false;
        if (taken->target >= kernels::arrival_bit) return i + 1 == links.size();
        row = taken->target;
    }
    return column[row] == model::ChoiceGraph::arrived;
}

OnePath::OnePath(model::ChoiceGraph const& graph, model::LinkCosts const& costs,
                 std::optional<topologies::FlowHash> hash, std::uint32_t queue_pairs)
    : graph_(graph), costs_(costs), hash_(hash), queue_pairs_(queue_pairs) {
    result_.loads.resize(graph.forwarding().fabric().network.links().size());
}

FlowLoads const& OnePath::carry(std::span<HostFlow const> flows) {
    std::fill(result_.loads.begin(), result_.loads.end(), 0);
    result_.congestion.assign(flows.size(), 0);
    result_.failed = 0;
    links_.clear();
    first_link_.assign(1, 0);
    for (HostFlow const& flow : flows) {
        bool whole = true;
        for (std::uint32_t part = 0; part < queue_pairs_ && whole; ++part) whole = walk(flow, part, links_);
        if (!whole) {
            links_.resize(first_link_.back());
            ++result_.failed;
        }
        for (std::size_t i = first_link_.back(); i < links_.size(); ++i) result_.loads[links_[i].value] += flow.weight;
        first_link_.push_back(links_.size());
    }
    for (std::size_t f = 0; f < flows.size(); ++f)
        for (std::size_t i = first_link_[f]; i < first_link_[f + 1]; ++i) {
            std::uint32_t const link = links_[i].value;
            std::uint64_t const cost = costs_.cost.empty() ? 1 : costs_.cost[link];
            result_.congestion[f] = std::max(result_.congestion[f], result_.loads[link] * cost);
        }
    return result_;
}

}  // namespace tailback::evaluation
