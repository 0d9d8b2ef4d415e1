#include "host/study/placement/placer.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/cpu/fast/team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tailback::study {
namespace {

std::string of_job(JobPlacement const& job) { return job.name.empty() ? "" : " of job \"" + job.name + "\""; }

/// A job takes the first free nodes where it names none; a study without jobs, whose placement has no name, all.
bool takes_free(JobPlacement const& job) { return !job.nodes.named && !job.name.empty(); }

std::uint32_t ranks_stream(std::uint32_t job) {
    return job == 0 ? static_cast<std::uint32_t>(kernels::Stream::mapping) : 16 + 2 * job;
}
std::uint32_t nodes_stream(std::uint32_t job) {
    return job == 0 ? static_cast<std::uint32_t>(kernels::Stream::subset) : 17 + 2 * job;
}

[[noreturn]] void refuse_adapter(ComputeNodes::Node const& node, std::uint32_t adapter, std::uint32_t slot) {
    throw base::InputError(
        {},
        fmt::format("slot {} has adapter {} by the rail file, and node \"{}\" has {}", slot, adapter,
                    node.name.substr(0, 80), base::counted(node.adapters.size(), "adapter", "adapters")),
        "adapters are counted from 0", "write adapters that every node has, or leave the node out", "rail");
}

}  // namespace

RailRule read_rail_rule(std::string const& words) {
    if (words == "local-rank") return {RailKind::local_rank, {}, words};
    if (words == "round-robin") return {RailKind::round_robin, {}, words};
    if (words == "nearest") return {RailKind::nearest, {}, words};
    if (!words.starts_with("file:") || words.size() == 5)
        throw base::InputError({}, "unknown rule for adapters \"" + words.substr(0, 80) + "\"", "",
                               "write local-rank, round-robin, nearest or file:PATH");
    RailRule rule{RailKind::listed, {}, "file", words.substr(5)};
    io::LineReader lines(io::open_source(words.substr(5)), words.substr(5));
    for (std::string_view line; lines.next(line);) {
        base::Scanner scan(line.substr(0, line.find('#')));
        if (scan.blanks().at_end()) continue;
        std::uint64_t adapter = 0;
        if (!scan.decimal(adapter) || !scan.blanks().at_end() || adapter > UINT16_MAX ||
            rule.listed.size() > UINT16_MAX)
            throw base::InputError(lines.place(), "no number of an adapter", "they are counted from 0",
                                   "write the adapter of slot 0, of slot 1, .., one a line");
        rule.listed.push_back(static_cast<std::uint32_t>(adapter));
    }
    if (rule.listed.empty())
        throw base::InputError({words.substr(5), 0}, "the file names no adapter", "", "write one number a line");
    return rule;
}

model::Host adapter_of(ComputeNodes::Node const& node, RailRule const& rail, std::uint32_t rank, std::uint32_t slot,
                       std::uint32_t slots) {
    auto const count = static_cast<std::uint32_t>(node.adapters.size());
    switch (rail.kind) {
        case RailKind::local_rank: return node.adapters[slot % count];
        case RailKind::round_robin: return node.adapters[rank % count];
        case RailKind::nearest:
            return node.adapters[std::min<std::uint64_t>(std::uint64_t{slot} * count / slots, count - 1)];
        case RailKind::listed: {
            std::uint32_t const adapter = rail.listed[slot % rail.listed.size()];
            if (adapter >= count) refuse_adapter(node, adapter, slot);
            return node.adapters[adapter];
        }
    }
    return node.adapters.front();
}

std::uint32_t slots_of(JobPlacement const& job) {
    NodeSelection const& nodes = job.nodes;
    if (!nodes.given.empty()) return static_cast<std::uint32_t>(nodes.given.size());
    std::uint64_t sum = 0;
    if (nodes.draw) {
        sum = std::uint64_t{nodes.draw->count} * job.ranks_per_node;
    } else {
        for (std::size_t n = 0; n < nodes.nodes.size(); ++n)
            sum += n < nodes.slots.size() && nodes.slots[n] > 0 ? nodes.slots[n] : job.ranks_per_node;
    }
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, UINT32_MAX));
}

Placer::Placer(ComputeNodes const& nodes, model::Network const& network, std::vector<JobPlacement> jobs,
               std::vector<std::uint32_t> dims, std::uint64_t seed)
    : nodes_(nodes), dims_(std::move(dims)), seed_(seed), taken_for_good_(nodes.nodes.size()) {
    std::size_t count = jobs.size();
    for (JobPlacement const& job : jobs) count = std::max<std::size_t>(count, job.number.value_or(0) + 1);
    if (count > most_jobs)
        throw base::InputError({}, fmt::format("{} jobs are too many", count), fmt::format("at most {}", most_jobs),
                               "leave some out");
    for (ComputeNodes::Node const& node : nodes.nodes) {
        model::Link const up = node.adapters.empty() ? model::Link{} : network.up_link(node.adapters.front());
        leaf_.push_back(up.exists() ? network[up].to.value : 0);
    }
    for (JobPlacement& placement : jobs) {
        Job job{std::move(placement), ranks_, {}, {}, {}, false};
        if (job.placement.ranks > UINT32_MAX - ranks_)
            throw base::InputError({}, "too many ranks", "", "ask for fewer");
        ranks_ += job.placement.ranks;
        job.is_drawn = job.placement.nodes.draw.has_value();
        jobs_.push_back(std::move(job));
    }
    for (bool const named : {true, false})  // named nodes come first: others take what is left
        for (Job& job : jobs_)
            if (!job.is_drawn && takes_free(job.placement) != named) choose_fixed_nodes(job);
    if (draws()) {  // what cannot be told beforehand must not come up in the middle
        std::vector<model::Host> hosts(ranks_);
        place(0, hosts);
    }
}

bool Placer::draws() const {
    return std::any_of(jobs_.begin(), jobs_.end(), [](Job const& job) {
        return job.is_drawn || job.placement.order.kind == RankOrderKind::random;
    });
}

void Placer::choose_fixed_nodes(Job& job) {
    NodeSelection const& chosen = job.placement.nodes;
    bool const of_free = takes_free(job.placement);
    std::uint64_t room = 0;
    for (std::size_t n = 0; n < chosen.nodes.size(); ++n) {
        std::uint32_t const node = chosen.nodes[n];
        if (taken_for_good_[node] != 0 && !job.placement.may_share) {
            if (of_free) continue;
            throw base::InputError({}, "node \"" + nodes_.nodes[node].name + "\" belongs to two jobs",
                                   "\"" + job.placement.name + "\" and one before it",
                                   "give every job nodes of its own");
        }
        if (of_free && room >= job.placement.ranks) break;
        job.nodes.push_back(node);
        job.node_slots.push_back(n < chosen.slots.size() && chosen.slots[n] > 0 ? chosen.slots[n]
                                                                                : job.placement.ranks_per_node);
        room += job.node_slots.back();
    }
    for (std::uint32_t const node : job.nodes) taken_for_good_[node] = 1;
    order_ranks(job);
}

void Placer::order_ranks(Job& job) {
    JobPlacement const& placement = job.placement;
    if (placement.order.kind == RankOrderKind::given) {
        if (placement.ranks > placement.nodes.given.size())
            throw base::InputError({},
                                   fmt::format("{} ranks{}, but hosts for {}", placement.ranks, of_job(placement),
                                               placement.nodes.given.size()),
                                   "the file gives every rank its host", "leave the number of ranks out");
        job.slots.clear();
        for (std::uint32_t r = 0; r < placement.ranks; ++r)
            job.slots.push_back({placement.nodes.given[r].node, placement.nodes.given[r].slot});
        return;
    }
    NodesToOrder nodes{job.node_slots, {}, dims_, placement.ranks};
    for (std::uint32_t const node : job.nodes) nodes.leaf.push_back(leaf_[node]);
    try {
        job.slots = slots_in_order(placement.order, nodes);
    } catch (base::InputError const& error) {
        if (placement.name.empty()) throw;
        throw base::InputError(error.place(), "job \"" + placement.name.substr(0, 80) + "\": " + error.what(), "", "");
    }
}

std::uint32_t const* Placer::draw(std::uint32_t stream, std::uint64_t mapping, std::uint32_t size,
                                  std::uint32_t steps) {
    order_.resize(std::size_t{size} + 4);
    targets_.resize(std::size_t{std::max(size, steps)} + 4);
    kernels::CpuTeam team;
    kernels::draw_permutation(team, kernels::Draw{seed_, kernels::Stream{stream}, mapping, size, steps},
                              targets_.data(), order_.data());
    return order_.data();
}

void Placer::draw_nodes(Job& job, std::uint32_t number, std::uint64_t mapping) {
    NodeSelection const& from = job.placement.nodes;
    NodeDraw const& wanted = *from.draw;
    free_.clear();  // indices into from.nodes
    for (std::uint32_t n = 0; n < from.nodes.size(); ++n)
        if (taken_[from.nodes[n]] == 0) free_.push_back(n);
    auto const total = static_cast<std::uint32_t>(free_.size());
    std::uint32_t const piece = wanted.piece == 0 ? 1 : wanted.piece, pieces = total / piece;
    if (wanted.count > std::uint64_t{pieces} * piece)
        throw base::InputError({}, fmt::format("{} nodes{} cannot be drawn", wanted.count, of_job(job.placement)),
                               base::counted(total, "node is", "nodes are") + " free", "draw fewer");
    std::vector<std::uint32_t> chosen;
    if (wanted.piece == 0) {
        std::uint32_t const first = draw(nodes_stream(number), mapping, total - wanted.count + 1, 1)[0];
        for (std::uint32_t k = 0; k < wanted.count; ++k) chosen.push_back(first + k);
    } else {
        std::uint32_t const count = (wanted.count + piece - 1) / piece;
        std::uint32_t const* const order = draw(nodes_stream(number), mapping, pieces, count);
        std::vector<std::uint32_t> drawn(order, order + count);
        std::sort(drawn.begin(), drawn.end());
        for (std::uint32_t const one : drawn)
            for (std::uint32_t k = 0; k < piece && chosen.size() < wanted.count; ++k) chosen.push_back(one * piece + k);
    }
    job.nodes.clear();
    job.node_slots.clear();
    for (std::uint32_t const k : chosen) {
        std::uint32_t const n = free_[k];
        job.nodes.push_back(from.nodes[n]);
        job.node_slots.push_back(n < from.slots.size() && from.slots[n] > 0 ? from.slots[n]
                                                                            : job.placement.ranks_per_node);
        taken_[from.nodes[n]] = 1;
    }
}

void Placer::put_ranks(Job const& job, std::uint32_t number, std::uint64_t mapping, std::span<model::Host> hosts) {
    std::uint32_t const ranks = job.placement.ranks;
    std::uint32_t const* const order =
        job.placement.order.kind == RankOrderKind::random ? draw(ranks_stream(number), mapping, ranks, ranks) : nullptr;
    for (std::uint32_t r = 0; r < ranks; ++r) {
        Slot const slot = job.slots[order != nullptr ? order[r] : r];
        hosts[job.first_rank + r] =
            adapter_of(nodes_.nodes[job.nodes[slot.node]], job.placement.rail, r, slot.slot, job.node_slots[slot.node]);
    }
}

void Placer::place(std::uint64_t mapping, std::span<model::Host> hosts) {
    taken_ = taken_for_good_;
    for (std::uint32_t k = 0; k < jobs_.size(); ++k) {
        Job& job = jobs_[k];
        std::uint32_t const number = job.placement.number.value_or(k);
        if (job.is_drawn) {
            draw_nodes(job, number, mapping);
            order_ranks(job);
        }
        put_ranks(job, number, mapping, hosts);
    }
}

}  // namespace tailback::study
