// The naive oracle: docs/semantics.md once more, sentence by sentence, slow and exact, sharing no code with the engine.
// From the program it takes the network and the tables, nothing else: it has its own patterns, route walk, random
// numbers, loads, metrics and exact fractions.
#pragma once

#include "host/model/tables.hpp"
#include "tests/support/rooms.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tailback::oracle {

/// An exact fraction in lowest terms.
struct Fraction {
    std::int64_t over = 0, under = 1;

    Fraction() = default;
    Fraction(std::int64_t whole) : over(whole) {}
    Fraction(std::int64_t numerator, std::int64_t denominator);

    double value() const { return double(over) / double(under); }
    friend Fraction operator+(Fraction const& a, Fraction const& b);
    friend Fraction operator*(Fraction const& a, Fraction const& b);
    friend bool operator==(Fraction const&, Fraction const&) = default;
    friend std::strong_ordering operator<=>(Fraction const& a, Fraction const& b);
};

// ---- randomness ---------------------------------------------------------------------------------------------------

/// Philox4x32-10 as its paper writes it.
std::vector<std::uint32_t> philox4x32_10(std::vector<std::uint32_t> counter, std::vector<std::uint32_t> key);

/// draw(step) of kernels/common/permutation.hpp: uniform on 0 .. range-1, starting from `word` when one is given.
std::uint32_t draw(std::uint64_t seed, std::uint32_t stream, std::uint64_t m, std::uint32_t step, std::uint64_t range,
                   std::optional<std::uint32_t> word = {});

/// Permutation m of a stream on 0 .. size-1, or its first `steps` places.
std::vector<std::uint32_t> permutation(std::uint64_t seed, std::uint32_t stream, std::uint64_t m, std::uint32_t size,
                                       std::uint32_t steps);

// ---- routes -------------------------------------------------------------------------------------------------------

enum class End { delivered, unreachable, loop, misdelivered };

struct Walk {
    End end = End::delivered;
    std::vector<std::uint32_t> links;  ///< link numbers of the network
};
/// The route between two different hosts.
Walk walk(Network const& network, ForwardingTables const& tables, std::uint32_t source, std::uint32_t destination);

// ---- patterns -----------------------------------------------------------------------------------------------------

using Flows = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
/// Every level's flows of a pattern, flows from a rank to itself included; `pi` serves `rand`.
std::vector<Flows> levels_of(std::string const& pattern, std::uint32_t ranks, std::vector<std::uint32_t> const& pi);
/// The same of patterns on grids, of bits, of everyone, and of flows drawn once; none: it is another.
std::optional<std::vector<Flows>> structured_levels(std::string const& pattern, std::uint32_t ranks);

// ---- a study ------------------------------------------------------------------------------------------------------

enum class Subset { linear_bfs, random, listed };
enum class Mapping { random, identity, listed };

struct Question {
    std::string pattern, first, second;
    std::vector<Flows> listed;                       ///< pattern `file`: its levels ...
    std::vector<std::vector<std::int64_t>> weights;  ///< ... and the weight of each of their flows; empty: 1 each
    std::uint32_t first_ranks = 0;
    std::uint32_t ranks = 0;  ///< given, never 0
    Subset subset = Subset::linear_bfs;
    std::vector<std::uint32_t> subset_hosts;
    Mapping mapping = Mapping::random;
    std::vector<std::uint32_t> mapping_hosts;  ///< [mapping][rank]
    std::uint64_t mappings = 1;
    std::uint64_t seed = 1;
    std::optional<std::uint32_t> level;
    bool unit_capacities = false;
    bool aggregation_nodes_are_hosts = false;
    std::vector<std::uint32_t> node_of_host;  ///< compute nodes, of which ranks may share some; empty: they share none
    /// Adapters on their rails: then a flow leaves by its node's adapter on the rail of its destination. Empty: by its
    /// rank's own.
    std::vector<std::uint32_t> rail_of_host;
};

struct MappingAnswer {
    std::vector<std::uint32_t> hosts;  ///< by rank
    Fraction sum_max_cong;
    std::optional<double> hist_acc_band;         ///< none without delivered flows
    std::optional<double> hist_acc_band_of_all;  ///< flows that are not delivered as 0; none without flows
    Fraction dep_max_delay;
    std::uint64_t delivered = 0, unreachable = 0, loop = 0, misdelivered = 0, local = 0;
    std::uint64_t within_nodes = 0;  ///< weights of the flows between ranks of one compute node
};

struct Answer {
    std::vector<MappingAnswer> mappings;
    std::map<Fraction, std::uint64_t> hist_max_cong;        ///< flows by congestion
    std::optional<double> bw;                               ///< mean of weight/congestion over all delivered flows
    std::optional<double> bw_of_all;                        ///< and over all flows, those not delivered as 0
    std::map<std::uint32_t, std::uint64_t> get_cable_cong;  ///< by link; links never used are not in it
};

/// Hosts a study may use, breadth first from the first of them, over links in port order; those that cannot be reached
/// come last in the order of the file.
std::vector<std::uint32_t> breadth_first(Network const& network, bool aggregation_nodes_are_hosts);

/// Answers any number of questions about one network. Remembers the routes it has walked.
class Oracle {
public:
    Oracle(Network const& network, ForwardingTables const& tables) : network_(network), tables_(tables) {}
    Answer answer(Question const& question);

private:
    Walk const& route(std::uint32_t source, std::uint32_t destination);
    std::vector<std::uint32_t> const& linear(bool aggregation_nodes_are_hosts);
    std::vector<std::uint32_t> hosts_by_rank(Question const& question, std::uint64_t m);

    Network const& network_;
    ForwardingTables const& tables_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Walk> walked_;
    std::map<bool, std::vector<std::uint32_t>> linear_;
};

}  // namespace tailback::oracle
