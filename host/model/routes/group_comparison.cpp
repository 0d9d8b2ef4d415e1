#include "host/model/routes/group_comparison.hpp"

#include <algorithm>

namespace tailback::model {

std::vector<Port> GroupsOfSwitch::ports(CandidateSets::Group group) const {
    if (group == CandidateSets::no_group) return {};
    std::span<Port const> const ports = sets->ports(node, group);
    std::vector<Port> sorted(ports.begin(), ports.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

bool GroupComparison::differ(CandidateSets::Group before, CandidateSets::Group after) {
    auto const [at, fresh] = known_.try_emplace(std::uint32_t{before} << 16 | after, false);
    if (fresh) {
        std::vector<Port> ports = after_.ports(after);
        if (port_before_) {
            for (Port& port : ports) port = port_before_(port);
            std::sort(ports.begin(), ports.end());
        }
        at->second = before_.ports(before) != ports;
    }
    return at->second;
}

}  // namespace tailback::model
