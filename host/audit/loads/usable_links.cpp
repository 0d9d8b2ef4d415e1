#include "host/audit/loads/usable_links.hpp"

#include "host/audit/loads/distances.hpp"

#include <algorithm>

namespace tailback::audit {
namespace {

/// Goes from the rows with senders towards one host, by links that bring packets nearer.
class Descent {
public:
    Descent(model::Forwarding const& forwarding, model::Senders const& senders, Distances const& distances)
        : forwarding_(forwarding), senders_(senders), distances_(distances), met_(forwarding.rows()) {}

    void mark(model::Host host, std::vector<bool>& usable) {
        kernels::StartsView const starts = senders_.rows();
        std::vector<std::uint32_t> queue(starts.rows, starts.rows + starts.count);
        std::fill(met_.begin(), met_.end(), false);
        for (std::uint32_t const row : queue) met_[row] = true;
        for (std::size_t i = 0; i < queue.size(); ++i) {
            std::uint32_t const row = queue[i], left = distances_(host, row, forwarding_.rows());
            for (model::Port port = 1; port < forwarding_.ports(); ++port) {
                model::Link const link = forwarding_.link_behind(row, port);
                if (!link.exists()) continue;
                std::uint32_t const next = forwarding_.row_of(forwarding_.fabric().network[link].to);
                if (next == kernels::no_row || distances_(host, next, forwarding_.rows()) + 1 != left) continue;
                usable[link.value] = true;
                if (met_[next]) continue;
                met_[next] = true;
                queue.push_back(next);
            }
        }
    }

private:
    model::Forwarding const& forwarding_;
    model::Senders const& senders_;
    Distances const& distances_;
    std::vector<bool> met_;  // [row]
};

}  // namespace

std::vector<bool> usable_links(model::Forwarding const& forwarding, std::span<model::Host const> hosts,
                               std::span<model::Destination const> towards, unsigned threads) {
    model::Network const& net = forwarding.fabric().network;
    Distances const distances = find_distances(forwarding, towards, threads);
    model::Senders const senders(forwarding, hosts);
    std::vector<bool> usable(net.links().size()), done(distances.groups), chosen(net.nodes().size());
    Descent descent(forwarding, senders, distances);
    for (model::Destination const& destination : towards) {
        std::uint32_t const group = distances.group_of_host[destination.host.value];
        if (!done[group]) descent.mark(destination.host, usable);
        done[group] = true;
    }
    for (model::Host const host : hosts) chosen[net[host].node.value] = true;
    for (std::size_t l = 0; l < net.links().size(); ++l)
        if (chosen[net[model::Link{l}].from.value] || chosen[net[model::Link{l}].to.value]) usable[l] = true;
    return usable;
}

}  // namespace tailback::audit
