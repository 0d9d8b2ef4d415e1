#include "host/audit/worst_case/replay.hpp"

#include "host/study/flow_file.hpp"
#include "host/study/host_lists.hpp"
#include "patterns/families.hpp"

#include <ostream>
#include <unordered_map>

namespace tailback::audit {

Replay replay_of(std::span<HostPair const> permutation) {
    Replay replay;
    std::unordered_map<model::Host, std::uint32_t> rank;
    auto const rank_of = [&](model::Host host) {
        auto const [at, is_new] = rank.try_emplace(host, static_cast<std::uint32_t>(replay.hosts.size()));
        if (is_new) replay.hosts.push_back(host);
        return at->second;
    };
    patterns::FlowListWriter flows(0);
    flows.begin_level();
    for (HostPair const& pair : permutation) {
        std::uint32_t const destination = rank_of(pair.destination);
        flows.flow(rank_of(pair.source), destination);
    }
    if (replay.hosts.size() == 2 * permutation.size()) return replay;  // ranks 2i + 1 -> 2i
    replay.flows = flows.take();
    replay.flows->ranks = replay.flows->measured_ranks = static_cast<std::uint32_t>(replay.hosts.size());
    return replay;
}

void write_replay_mapping(std::ostream& out, model::Network const& network, Replay const& replay,
                          std::string const& what) {
    out << "# " << what << (replay.flows ? "" : "; pattern bisect: rank 2i+1 sends to rank 2i") << '\n';
    study::MappingWriter(out, network).write(replay.hosts);
}

void write_replay_flows(std::ostream& out, Replay const& replay, std::string const& what) {
    out << "# " << what << '\n';
    study::write_flows(out, *replay.flows);
}

}  // namespace tailback::audit
