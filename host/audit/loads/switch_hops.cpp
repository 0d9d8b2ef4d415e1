#include "host/audit/loads/switch_hops.hpp"

namespace tailback::audit {

void count_switch_hops(model::Network const& network, std::span<model::Node const> targets,
                       std::vector<std::uint32_t>& hops) {
    hops.assign(network.nodes().size(), no_hops);
    std::vector<model::Node> queue(targets.begin(), targets.end());
    for (model::Node const target : targets) hops[target.value] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        model::Link const first = network.first_link(queue[i]);
        for (std::uint32_t l = 0; l < network.link_count(queue[i]); ++l) {
            model::LinkRecord const& link = network[model::Link{first.value + l}];
            if (!link.reverse.exists() || !network.is_switch(link.to) || hops[link.to.value] != no_hops) continue;
            hops[link.to.value] = hops[queue[i].value] + 1;
            queue.push_back(link.to);
        }
    }
}

}  // namespace tailback::audit
