#include "host/schedule/node_choice.hpp"

#include "kernels/common/permutation.hpp"
#include "kernels/cpu/fast/team.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace tailback::schedule {
namespace {

/// Of draws of nodes; others are in kernels/common/permutation.hpp and host/study/placement/placer.hpp.
constexpr kernels::Stream node_stream{14};

}  // namespace

std::vector<std::uint32_t> leaf_numbers(study::ComputeNodes const& nodes, model::Network const& network) {
    std::map<std::uint32_t, std::uint32_t> numbers;
    std::vector<std::uint32_t> leaves;
    for (study::ComputeNodes::Node const& node : nodes.nodes) {
        model::Link const up = node.adapters.empty() ? model::Link{} : network.up_link(node.adapters.front());
        std::uint32_t const at = up.exists() ? network[up].to.value : UINT32_MAX;
        leaves.push_back(numbers.try_emplace(at, static_cast<std::uint32_t>(numbers.size())).first->second);
    }
    return leaves;
}

FreeNodes::FreeNodes(std::vector<std::uint32_t> leaf, std::vector<char> is_free)
    : leaf_(std::move(leaf)), is_free_(std::move(is_free)) {
    if (is_free_.empty()) is_free_.assign(leaf_.size(), 1);
    count_ = static_cast<std::uint32_t>(std::count(is_free_.begin(), is_free_.end(), 1));
    for (std::uint32_t const number : leaf_) leaves_ = std::max(leaves_, number + 1);
}

std::vector<std::uint32_t> FreeNodes::take(std::uint32_t nodes, NodePolicy policy, std::uint64_t seed,
                                           std::uint64_t draw) {
    std::vector<std::uint32_t> taken;
    switch (policy) {
        case NodePolicy::first: taken = first_free(nodes); break;
        case NodePolicy::contiguous: taken = neighbours(nodes); break;
        case NodePolicy::search:
        case NodePolicy::leaf: taken = by_leaf(nodes); break;
        case NodePolicy::random: taken = drawn(nodes, seed, draw); break;
    }
    std::sort(taken.begin(), taken.end());
    take_these(taken);
    return taken;
}

void FreeNodes::take_these(std::vector<std::uint32_t> const& nodes) {
    for (std::uint32_t const node : nodes) is_free_[node] = 0;
    count_ -= static_cast<std::uint32_t>(nodes.size());
}

void FreeNodes::give_back(std::vector<std::uint32_t> const& nodes) {
    for (std::uint32_t const node : nodes) is_free_[node] = 1;
    count_ += static_cast<std::uint32_t>(nodes.size());
}

std::vector<std::uint32_t> FreeNodes::first_free(std::uint32_t nodes) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t n = 0; found.size() < nodes; ++n)
        if (is_free_[n]) found.push_back(n);
    return found;
}

std::vector<std::uint32_t> FreeNodes::neighbours(std::uint32_t nodes) const {
    std::uint32_t run = 0;
    for (std::uint32_t n = 0; n < is_free_.size(); ++n) {
        run = is_free_[n] ? run + 1 : 0;
        if (run < nodes) continue;
        std::vector<std::uint32_t> found(nodes);
        std::iota(found.begin(), found.end(), n + 1 - nodes);
        return found;
    }
    return first_free(nodes);
}

std::vector<std::uint32_t> FreeNodes::by_leaf(std::uint32_t nodes) const {
    std::vector<std::uint32_t> free_at(leaves_), order(leaves_);
    for (std::size_t n = 0; n < leaf_.size(); ++n) free_at[leaf_[n]] += is_free_[n] != 0;
    std::iota(order.begin(), order.end(), 0);
    // One that suffices, the tightest first; then the emptiest first.
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        bool const fits_a = free_at[a] >= nodes, fits_b = free_at[b] >= nodes;
        if (fits_a != fits_b) return fits_a;
        return fits_a ? free_at[a] < free_at[b] : free_at[a] > free_at[b];
    });
    std::vector<std::uint32_t> rank(leaves_), by_rank;
    for (std::uint32_t i = 0; i < leaves_; ++i) rank[order[i]] = i;
    for (std::uint32_t n = 0; n < leaf_.size(); ++n)
        if (is_free_[n]) by_rank.push_back(n);
    std::stable_sort(by_rank.begin(), by_rank.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return rank[leaf_[a]] < rank[leaf_[b]]; });
    by_rank.resize(nodes);
    return by_rank;
}

std::vector<std::uint32_t> FreeNodes::drawn(std::uint32_t nodes, std::uint64_t seed, std::uint64_t draw) const {
    std::vector<std::uint32_t> const free = first_free(count_);
    std::vector<std::uint32_t> targets(free.size() + 4), order(free.size() + 4);
    kernels::CpuTeam team;
    kernels::draw_permutation(team, kernels::Draw{seed, node_stream, draw, count_, nodes}, targets.data(),
                              order.data());
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < nodes; ++i) found.push_back(free[order[i]]);
    return found;
}

}  // namespace tailback::schedule
