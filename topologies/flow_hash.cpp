#include "topologies/flow_hash.hpp"

#include "topologies/draws.hpp"

namespace tailback::topologies {
namespace {

constexpr std::uint32_t anybody = 0xFFFFFFFF;

}  // namespace

std::uint64_t FlowHash::seed_of(HashedFlow const& flow) const {
    if (flow.connection == 0) return options_.seed;
    kernels::PhiloxBlock const block =
        kernels::philox(static_cast<std::uint32_t>(flow.connection), static_cast<std::uint32_t>(flow.connection >> 32),
                        0, static_cast<std::uint32_t>(BuildStream::connection), options_.seed);
    return std::uint64_t{block.word[0]} << 32 | block.word[1];
}

std::size_t FlowHash::pick(HashedFlow const& flow, model::Node at, std::size_t count) const {
    if (count < 2) return 0;
    if (options_.linux_kernel) return pick(tuple(flow), at, count);
    // Streams of queue pairs beyond the first are counted above all others.
    auto const stream =
        static_cast<BuildStream>(static_cast<std::uint32_t>(BuildStream::ecmp) + (flow.queue_pair << 8));
    return drawn_word(seed_of(flow), stream, options_.by_source ? flow.source.value : anybody,
                      options_.by_destination ? flow.destination.value : anybody, options_.same ? anybody : at.value) %
           count;
}

std::size_t FlowHash::pick(model::FiveTuple const& flow, model::Node at, std::size_t count) const {
    return model::linux_next_hop(model::linux_multipath_hash(flow, kernel_seed(at), policy_of(at)), count);
}

model::LinuxHashPolicy FlowHash::policy_of(model::Node at) const {
    bool const is_known = plan_ != nullptr && at.value < plan_->policy.size();
    return is_known ? plan_->policy[at.value].value_or(options_.policy) : options_.policy;
}

std::optional<std::uint32_t> FlowHash::told_seed(model::Node at) const {
    if (plan_ != nullptr && at.value < plan_->seed.size() && plan_->seed[at.value]) return plan_->seed[at.value];
    return options_.kernel_seed;
}

bool FlowHash::draws(model::Fabric const& fabric) const {
    if (!options_.linux_kernel) return true;
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
        if (model::Node const node{n}; fabric.network.is_switch(node) && fabric.tables.has_table(node))
            if (policy_of(node).tells_source_ports_apart() || !told_seed(node)) return true;
    return false;
}

model::FiveTuple FlowHash::tuple(HashedFlow const& flow) const {
    auto const address = [&](model::Host host) {
        std::uint32_t const known = plan_ != nullptr ? plan_->address[host.value] : 0;
        return known != 0 ? known : model::made_up_address(host.value);
    };
    std::uint32_t const word =
        drawn_word(seed_of(flow), BuildStream::source_port, flow.source.value, flow.destination.value, flow.queue_pair);
    return {address(flow.source), address(flow.destination), static_cast<std::uint16_t>(0xC000 | (word & 0x3FFF))};
}

std::optional<bool> FlowHash::tells_connections_apart() const {
    if (!options_.linux_kernel) return true;
    bool const others = options_.policy.tells_source_ports_apart();
    bool by_ports = plan_ == nullptr && others, by_addresses = plan_ == nullptr && !others;
    if (plan_ != nullptr)
        for (auto const& policy : plan_->policy)
            (policy.value_or(options_.policy).tells_source_ports_apart() ? by_ports : by_addresses) = true;
    if (by_ports && by_addresses) return std::nullopt;
    return by_ports;
}

std::uint32_t FlowHash::kernel_seed(model::Node at) const {
    if (std::optional<std::uint32_t> const told = told_seed(at)) return *told;
    std::uint32_t const drawn =
        drawn_word(options_.seed, BuildStream::kernel_seed, options_.same ? anybody : at.value, 0, 0);
    return drawn == 0 ? 1 : drawn;
}

}  // namespace tailback::topologies
