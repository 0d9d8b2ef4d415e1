// A permutation as a study: who is which rank and which ranks send, so that `tailback evaluate` shows the load claimed.
#pragma once

#include "host/audit/worst_case/worst_permutation.hpp"
#include "patterns/pattern.hpp"

#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailback::audit {

struct Replay {
    std::vector<model::Host> hosts;  ///< by rank: one mapping
    std::optional<patterns::FlowList>
        flows;  ///< none = pattern `bisect`, which does where nobody both sends and receives
};
Replay replay_of(std::span<HostPair const> permutation);

/// The one mapping, as `--mapping file:PATH` reads it, below a comment on `what` it is.
void write_replay_mapping(std::ostream& out, model::Network const& network, Replay const& replay,
                          std::string const& what);
/// The flows, as `--pattern file:PATH` reads them. `replay.flows` is there.
void write_replay_flows(std::ostream& out, Replay const& replay, std::string const& what);

}  // namespace tailback::audit
