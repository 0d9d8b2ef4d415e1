#include "host/audit/deadlock/channel_dependencies.hpp"

#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"

#include <algorithm>

namespace tailback::audit {

ChannelDependencies::ChannelDependencies(model::Forwarding const& forwarding, unsigned lanes)
    : forwarding_(forwarding),
      lanes_(lanes),
      first_slot_(forwarding.rows() + 1),
      ports_(forwarding.rows()),
      first_bit_(forwarding.rows() + 1) {
    model::Network const& net = forwarding.fabric().network;
    auto const row_entered = [&](model::LinkRecord const& link) {  // pseudo rows are entered by nobody
        return forwarding.row_of(link.to);
    };
    slot_of_.resize(net.links().size());
    for (model::LinkRecord const& link : net.links())
        if (std::uint32_t const row = row_entered(link); row != kernels::no_row) ++first_slot_[row + 1];
    for (std::uint32_t row = 0; row < forwarding.rows(); ++row) {
        std::uint64_t const slots = first_slot_[row + 1];
        model::Node const node = forwarding.node_of(row);
        if (std::uint32_t const links = net.link_count(node); links > 0 && !forwarding.is_pseudo(row))
            ports_[row] = net[model::Link{net.first_link(node).value + links - 1}].from_port + 1;
        first_slot_[row + 1] += first_slot_[row];
        first_bit_[row + 1] = first_bit_[row] + slots * ports_[row] * lanes * lanes;
    }
    link_of_index_.resize(first_slot_.back());
    std::vector<std::uint64_t> next(first_slot_.begin(), first_slot_.end() - 1);
    for (std::size_t i = 0; i < net.links().size(); ++i)
        if (std::uint32_t const row = row_entered(net[model::Link{i}]); row != kernels::no_row) {
            slot_of_[i] = static_cast<std::uint32_t>(next[row] - first_slot_[row]);
            link_of_index_[next[row]++] = static_cast<std::uint32_t>(i);
        }
    base::require_memory("which link waits for which on " + base::counted(lanes, "lane", "lanes"),
                         first_bit_.back() / 8, "audit a smaller part of the network, or find a larger machine");
    words_.resize(first_bit_.back() / 64 + 1);
}

}  // namespace tailback::audit
