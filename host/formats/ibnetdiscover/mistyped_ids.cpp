#include "host/formats/ibnetdiscover/mistyped_ids.hpp"

#include <algorithm>
#include <unordered_map>

namespace tailback::formats::discover {
namespace {

/// The identities whose own records have a cable from this line's far port to this line's port.
std::vector<std::uint32_t> claimants(PortLine const& line, std::span<PortLine const> cables,
                                     std::unordered_multimap<std::uint64_t, std::size_t> const& leading_to,
                                     std::unordered_map<std::uint32_t, std::uint32_t> const& identity_of) {
    std::vector<std::uint32_t> found;
    for (auto [at, last] = leading_to.equal_range(key(line.node, line.port)); at != last; ++at)
        if (PortLine const& other = cables[at->second]; other.port == line.remote_port)
            found.push_back(identity_of.at(other.node.value));
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

std::vector<MistypedId> find_mistyped_ids(std::span<Identity const> identities, std::span<PortLine const> cables) {
    std::vector<MistypedId> found;
    if (std::all_of(identities.begin(), identities.end(), [](Identity const& one) { return one.node.exists(); }))
        return found;
    std::unordered_map<std::uint32_t, std::uint32_t> identity_of;  // by node
    for (std::uint32_t i = 0; i < identities.size(); ++i)
        if (identities[i].node.exists()) identity_of.emplace(identities[i].node.value, i);
    std::unordered_multimap<std::uint64_t, std::size_t> leading_to;  // by port
    std::vector<std::vector<std::size_t>> to(identities.size());     // cables by far identity
    for (std::size_t i = 0; i < cables.size(); ++i) {
        to[cables[i].remote].push_back(i);
        if (Identity const& far = identities[cables[i].remote]; far.node.exists())
            leading_to.emplace(key(far.node, cables[i].remote_port), i);
    }
    for (std::uint32_t nameless = 0; nameless < identities.size(); ++nameless) {
        if (identities[nameless].node.exists() || to[nameless].empty()) continue;
        std::vector<std::uint32_t> owners = claimants(cables[to[nameless].front()], cables, leading_to, identity_of);
        for (std::size_t const cable : to[nameless]) {
            std::vector<std::uint32_t> const others = claimants(cables[cable], cables, leading_to, identity_of);
            std::erase_if(owners, [&](std::uint32_t const one) {
                return !std::binary_search(others.begin(), others.end(), one);
            });
        }
        if (owners.size() != 1) continue;
        Identity const& recorded = identities[owners.front()];
        auto const headed = [&](std::string const& id) {
            std::uint64_t const guid = guid_of_id(id);
            return std::size_t(guid != 0 && (recorded.heading_guid == guid || recorded.heading_port_guid == guid));
        };
        std::size_t const for_nameless = to[nameless].size() + headed(identities[nameless].id);
        std::size_t const for_recorded = to[owners.front()].size() + 1 + headed(recorded.id);
        bool const renamed = std::any_of(found.begin(), found.end(), [&](MistypedId const& one) {
            return one.recorded == owners.front() && one.record_is_wrong;
        });
        found.push_back({nameless, owners.front(), to[nameless].front(), to[nameless].size(),
                         !renamed && for_nameless > for_recorded && guid_of_id(identities[nameless].id) != 0});
    }
    return found;
}

}  // namespace tailback::formats::discover
