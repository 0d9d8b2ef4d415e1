#include "topologies/flow_hash.hpp"

#include "topologies/draws.hpp"

namespace tailback::topologies {
namespace {

constexpr std::uint32_t anybody = 0xFFFFFFFF;

}  // namespace

std::size_t FlowHash::pick(model::Host source, model::Host destination, std::uint32_t queue_pair, model::Node at,
                           std::size_t count) const {
    if (count < 2) return 0;
    if (options_.linux_kernel) return pick(tuple(source, destination, queue_pair), at, count);
    // Streams of queue pairs beyond the first are counted above all others.
    auto const stream = static_cast<BuildStream>(static_cast<std::uint32_t>(BuildStream::ecmp) + (queue_pair << 8));
    return drawn_word(options_.seed, stream, options_.by_source ? source.value : anybody,
                      options_.by_destination ? destination.value : anybody, options_.same ? anybody : at.value) %
           count;
}

std::size_t FlowHash::pick(model::FiveTuple const& flow, model::Node at, std::size_t count) const {
    model::LinuxHashPolicy policy = options_.policy;
    if (plan_ != nullptr && at.value < plan_->policy.size()) policy = plan_->policy[at.value].value_or(policy);
    return model::linux_next_hop(model::linux_multipath_hash(flow, kernel_seed(at), policy), count);
}

model::FiveTuple FlowHash::tuple(model::Host source, model::Host destination, std::uint32_t queue_pair) const {
    auto const address = [&](model::Host host) {
        std::uint32_t const known = plan_ != nullptr ? plan_->address[host.value] : 0;
        return known != 0 ? known : model::made_up_address(host.value);
    };
    std::uint32_t const word =
        drawn_word(options_.seed, BuildStream::source_port, source.value, destination.value, queue_pair);
    return {address(source), address(destination), static_cast<std::uint16_t>(0xC000 | (word & 0x3FFF))};
}

std::uint32_t FlowHash::kernel_seed(model::Node at) const {
    if (plan_ != nullptr && at.value < plan_->seed.size() && plan_->seed[at.value]) return *plan_->seed[at.value];
    if (options_.kernel_seed) return *options_.kernel_seed;
    std::uint32_t const drawn =
        drawn_word(options_.seed, BuildStream::kernel_seed, options_.same ? anybody : at.value, 0, 0);
    return drawn == 0 ? 1 : drawn;
}

}  // namespace tailback::topologies
