// What `tailback improve` tells: tables as they were and as they are now, and what it takes to change them.
#pragma once

#include "host/audit/audit.hpp"
#include "host/model/network_origin.hpp"
#include "host/model/tables.hpp"
#include "host/report/diff/compared.hpp"
#include "host/report/forms.hpp"
#include "host/search/tables/search_tables.hpp"
#include "host/search/waits/rollout.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback::report {

/// What jobs put on links, as bytes (or flows) of a link of capacity 1.
struct JobsLoad {
    double largest = 0;        ///< of a link between switches
    double host_link = 0;      ///< of a link to or from a host, which no tables can change
    std::uint64_t failed = 0;  ///< flows that are not delivered, and load nothing
};
/// Of `JobsLoad::largest`, over ways of fewest links.
struct JobsBound {
    double least = 0;    ///< no tables have less: a switch sends what it has for a host by one link
    double divided = 0;  ///< no flows that divide as they like have less
    double upper = 0;    ///< some division has this one; 0 = none was sought
};

/// Of the largest load of a link between switches, in pairs: no tables have less.
struct LoadBound {
    double least = 0;                ///< as the largest load of ImprovedSide
    bool of_shortest_routes = true;  ///< else of any
};

/// Tables of a routing, on the lanes that are asked for.
struct BestRouting {
    std::string name;
    double collisions = 0;            ///< of a random permutation
    double largest_load = 0;          ///< as of ImprovedSide
    std::optional<double> bandwidth;  ///< of random bisections by formula
};

/// Tables, judged: base LIDs but for fates and deadlock.
struct ImprovedSide {
    std::uint64_t pairs = 0, undelivered = 0;
    std::uint64_t undelivered_apart = 0;  ///< pairs of aggregation nodes
    double collisions = 0;                ///< of a random permutation, on links between switches
    double largest_load = 0;              ///< pairs over a link between switches; see ImproveReport::by_capacity
    double mean_links = 0;                ///< of delivered routes, host links counted
    std::uint64_t longer = 0;             ///< delivered pairs on more links than the fewest
    std::optional<Bandwidth> bandwidth;   ///< of random bisections
    std::optional<double> expected;       ///< the same by formula; none where links between switches are not alike
    std::optional<std::uint32_t> worst_permutation, worst_shift;
    std::optional<JobsLoad> jobs;  ///< where their traffic is the objective
    bool deadlock_free = false;
    unsigned lanes = 1;  ///< on which that was judged
    /// On one lane, with the routes of endpoints that are left out; true without any. None: not judged, on several
    /// lanes.
    std::optional<bool> free_with_others = true;
    std::shared_ptr<audit::Audit const> audit;
};

enum class ImproveOutcome : std::uint8_t {
    improved,
    best_already,  ///< nothing better was found
    refused        ///< what is better has no place on so many lanes, or in so few changes
};

struct ImproveReport {
    model::Fabric const& before;
    model::Fabric const& after;
    ImprovedSide was, is;
    ImproveOutcome outcome = ImproveOutcome::best_already;
    std::string objective;
    std::string start;  ///< which tables the search began with: `input`, or a routing
    search::SearchReport search;
    std::uint64_t trials = 0;                             ///< orders of switches that were tried
    bool by_order = false;                                ///< ways are up*/down* ways of an order of the switches
    std::uint64_t valleys = 0;                            ///< groups of pairs that a valley joins
    std::uint64_t entries = 0, blocks = 0, switches = 0;  ///< that differ; blocks of 64 LIDs a switch
    search::Rollout rollout = search::Rollout::nothing;
    model::NamedFiles files;  ///< that were read
    std::uint64_t mappings = 0;
    std::optional<JobsBound> jobs_bound;
    std::optional<LoadBound> load_bound;      ///< where that load is the objective
    std::optional<BestRouting> best_routing;  ///< told where the input needs more lanes than are asked for
    std::optional<double> most_bandwidth;     ///< no tables have more, with one LID a host and links alike
    bool by_capacity = false;                 ///< links between switches differ: loads are pairs / capacity
    bool may_be_loaded = true;                ///< `after` is free of deadlock on so many lanes as were asked for
    unsigned asked_lanes = 1;
    std::string tables = {};  ///< the file that they are written to; empty = none
};

/// What it comes to, in sentences; an empty one has nothing to say.
struct ImproveWords {
    std::string outcome, worse, routing, most, bound, search, changes, live;
    std::vector<std::string> next;                  ///< commands
    std::vector<std::vector<std::string>> numbers;  ///< name, before, after
};
ImproveWords words_of(ImproveReport const& report);

/// Members of `after` that are worse than those of `before`.
std::vector<std::string> worse_keys(ImproveReport const& report);

/// Keys: docs/improve.md.
Json value_of(ImproveReport const& report);
Document document_of(ImproveReport const& report);

}  // namespace tailback::report
