// Flows spread over the 2^LMC LIDs of their destinations, each of which has a route of its own.
//
// The ways are those of the field: MPI libraries bind a connection to a path, go round the paths message by message, or
// stripe every message over all of them (Vishnu et al., "Hot-Spot Avoidance With Multi-Pathing Over InfiniBand", CCGrid
// 2007; Open MPI's btl_openib_max_lmc).
#pragma once

#include "host/model/routes/choice_graph.hpp"
#include "host/study/plan/study_plan.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailback::evaluation {

enum class LidSpread : std::uint8_t {
    base,         ///< the base LID alone
    connection,   ///< a LID for every (source, destination), drawn once
    round_robin,  ///< a source's messages of a mapping go round the LIDs of their destinations: its k-th takes LID k
    random,       ///< a LID for every message, drawn
    all           ///< every message in equal parts over all LIDs
};
/// As options and reports spell them: base, connection, round-robin, random, all.
char const* spread_name(LidSpread spread);
/// None for another word.
std::optional<LidSpread> read_spread(std::string const& word);

/// The largest LMC of these hosts.
std::uint32_t largest_lmc(model::Network const& network, std::span<model::Host const> hosts);

/// @throws InputError where the routes of a study are no tables, where no host has several LIDs (`lmc` = 0), and for
/// ranks that share rails.
void require_several_lids(study::StudyPlan const& plan, std::uint32_t lmc);

/// Where messages are: draws and turns depend on it.
struct LevelPlace {
    std::uint64_t mapping = 0;
    std::uint32_t level = 0;
    std::uint32_t job = 0;
};

/// Walks tables; one thread's. The forwarding must outlive it.
class LidPaths {
public:
    LidPaths(model::Forwarding const& forwarding, LidSpread spread, std::uint64_t seed);

    /// Before the first message of a mapping, of a job.
    void begin();
    /// The LIDs of the next message of a level, all with equal parts of it: offsets from the destination's base LID.
    std::span<std::uint32_t const> choose(model::Host source, model::Host destination, LevelPlace const& place,
                                          std::uint32_t message);
    /// Appends the links to a LID of a host, host links included. False where the route fails.
    bool walk(model::Host source, model::Host destination, model::Lid lid, std::vector<model::Link>& links) const;

private:
    model::Forwarding const& forwarding_;
    LidSpread spread_;
    std::uint64_t seed_;
    std::vector<std::uint32_t> turn_;  // by host: messages sent so far
    std::vector<std::uint32_t> offsets_;
};

}  // namespace tailback::evaluation
