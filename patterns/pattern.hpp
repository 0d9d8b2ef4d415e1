// Communication patterns: lists of levels of flows between ranks. A pattern knows nothing of hosts or links.
#pragma once

#include "host/base/spec.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailback::patterns {

/// One message of a level, between two different ranks.
struct Flow {
    std::uint32_t source, destination;
    bool operator==(Flow const&) const = default;
};

/// The flows i -> pi(i) on ranks first_rank .. first_rank + ranks - 1. pi is a uniform random permutation of those
/// ranks, drawn anew for every mapping and the same on every level of one mapping; where pi(i) = i the flow is local.
struct RandomFlows {
    std::uint32_t first_rank, ranks;
    std::uint32_t stream;  ///< which permutation: 0 = the study's (or first) pattern's, 1 = the second pattern's
    bool operator==(RandomFlows const&) const = default;
};

/// What runs at once: the range [first_flow, first_flow + flow_count) of FlowList::flows, and random flows.
struct Level {
    std::size_t first_flow = 0;
    std::size_t flow_count = 0;
    std::vector<RandomFlows> random;
    std::uint64_t local = 0;                      ///< fixed flows from a rank to itself: counted, but not among `flows`
    std::vector<std::uint32_t> local_ranks = {};  ///< which rank's each of them is
    double computing = 1;     ///< what ranks compute after it, as a multiple of what they are said to
    bool all_to_all = false;  ///< every rank of the list sends to every other; these flows are not among `flows` either
};

/// Classes of flows, which links may serve one before the other: what ranks send each other, and what they read from
/// storage hosts and write there.
inline constexpr char const* application_class = "application";
inline constexpr char const* storage_class = "storage";
inline constexpr std::size_t most_classes = 255;

/// Which ranks share a compute node, for patterns that go by it: those of node j are per_node j .. per_node (j + 1)
/// - 1.
struct NodesOfRanks {
    std::uint32_t per_node = 0;                  ///< 0: not known
    std::vector<std::uint32_t> adapter_of_slot;  ///< of each of the ranks of a node: which adapter is its own
    std::string irregular = {};                  ///< why there is no such number, although ranks are on nodes
    bool guessed = false;                        ///< nobody knows yet, and the number of flows is all that matters
    std::string remedy = {};                     ///< what gives such a number, where there is none
    bool shared = false;                         ///< nodes have several ranks, though there is no such number
};

/// A pattern on so many ranks, written out.
struct FlowList {
    std::uint32_t ranks = 0;
    std::vector<Flow> flows;
    std::vector<std::uint64_t> weights;  ///< bytes of each of `flows`; empty: 1 each. Random flows have 1
    bool bytes_given = false;            ///< somebody said what flows hold, be it a byte each
    /// Of each of `flows` its class, a number in class_names; empty: the first. Random flows have the first.
    std::vector<std::uint8_t> classes;
    std::vector<std::string> class_names = {application_class};
    std::vector<Level> levels;
    /// Ranks below this count for dep_max_delay: with two patterns the first one's, otherwise all.
    std::uint32_t measured_ranks = 0;
    std::string note = {};  ///< what was taken from where ranks are, without being asked for

    bool has_bytes() const { return bytes_given || !weights.empty(); }
};

/// The name of patterns that a file lists.
inline constexpr char const* listed_pattern = "file";

/// Does it matter which rank is where? Of a pattern on a grid of ranks, or of their numbers' bits, random mappings say
/// little.
enum class Meant : std::uint8_t { for_any_mapping, for_neighbours };

/// What a person is told about a pattern.
struct PatternInfo {
    char const* name;
    char const* summary;
    char const* example;        ///< its flows on a few ranks, levels divided by `|`
    std::uint32_t least_ranks;  ///< fewer have no flow at all (or, for `null`, no rank)
    std::string counts = {};    ///< flows and bytes on n ranks, in closed form
    std::vector<base::Parameter> parameters = {};
    Meant meant = Meant::for_any_mapping;
};

/// Every pattern by name, `ptrnvsptrn` (see make_pattern_vs_pattern) and `file` (see make_listed_pattern) included.
std::span<PatternInfo const> all_patterns();
/// The one that a spec names; null for `Xneighbor`, `Xshift` and unknown names.
PatternInfo const* find_pattern(std::string const& spec);

/// The pattern `spec`, NAME or NAME:key=value,.., on ranks 0 .. ranks-1; besides the names of all_patterns() any
/// `Xneighbor` and `Xshift` with a number X.
/// @throws InputError for an unknown name, one that a file or two patterns make, wrong arguments, too few ranks, or
/// more flows than 2^32.
FlowList make_pattern(std::string const& spec, std::uint32_t ranks, NodesOfRanks const& nodes = {});

/// A collective operation as people measure it (nccl-tests): so many bytes, and what a bandwidth of these is multiplied
/// by to be that of a link.
struct Collective {
    /// Who gives what to whom. An exchange: everybody has a part for everybody. The others: by a root.
    enum class Kind : std::uint8_t {
        allreduce,
        reduce_scatter,
        allgather,
        exchange,
        broadcast,
        reduce,
        gather,
        scatter
    };
    Kind kind;
    std::uint64_t bytes;
    double bus_factor;
    std::uint64_t per_node = 0;  ///< so many ranks in a row share a node, the spec says; 0: it does not say
    std::uint32_t root = 0;
};
/// None where it is no such operation.
std::optional<Collective> collective_of(std::string const& spec, std::uint32_t ranks);

/// Specs that say algorithm=all: the pattern by each of its algorithms, their names in front. Empty for other specs.
/// @throws InputError, of the spec as it stands, where a parameter cannot be
struct WithAlgorithm {
    std::string algorithm, spec;
    bool in_segments = false;  ///< takes `segment`, which the specs of the others leave out
};
std::vector<WithAlgorithm> with_every_algorithm(std::string const& spec);

/// Does it go by which ranks share a compute node?
bool goes_by_nodes(std::string const& spec);

/// all-to-all with these parameters on so many ranks, its flows not listed. @throws InputError as make_pattern does.
FlowList make_unlisted_all_to_all(std::string const& spec, std::uint32_t ranks);

/// The same for a part of the ranks, which may be too few for any flow, or none.
FlowList make_pattern_part(std::string const& spec, std::uint32_t ranks, NodesOfRanks const& nodes = {});

/// Pattern `first` on ranks 0 .. first_ranks-1 and `second` on the others, merged level by level, the first one's flows
/// in front. As many levels as the first has; the second starts again when it runs out of levels.
/// @throws InputError as make_pattern does, and unless 0 < first_ranks < ranks.
FlowList make_pattern_vs_pattern(std::string const& first, std::uint32_t first_ranks, std::string const& second,
                                 std::uint32_t ranks);

/// Listed flows (host/study/flow_file.hpp) on `ranks` ranks, those that they do not name idle.
/// @throws InputError when they name more ranks.
FlowList make_listed_pattern(FlowList listed, std::uint32_t ranks);

/// The same with nothing but one level, counted from 0. @throws InputError when there is no such level.
FlowList only_level(FlowList const& list, std::size_t level);

/// How many flows of all levels are not drawn, those of an unlisted all-to-all included.
std::uint64_t fixed_flows(FlowList const& list);

/// The weight that all flows have: then `list` is left without weights. Where they differ, 0, and `list` is left as it
/// is.
std::uint64_t take_common_weight(FlowList& list);

/// The number of the class of that name, which is new or was there. @throws InputError beyond most_classes.
std::uint8_t class_number(FlowList& list, std::string const& name);

/// Sorts each level's flows by source, then destination, and their weights and classes with them. What a study finds
/// does not depend on it.
void sort_flows(FlowList& list);

/// Level `second_level` of `second`, whose ranks come after those of `first`, beside level `first_level` of `first`:
/// appended to `merged` as its next level. A level that does not exist adds nothing.
void append_merged_level(FlowList& merged, FlowList const& first, std::size_t first_level, FlowList const& second,
                         std::size_t second_level);

}  // namespace tailback::patterns
