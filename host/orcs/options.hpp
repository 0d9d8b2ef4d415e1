// ORCS's command line: the options of the paper and of its two published versions, under ORCS's own names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tailback::orcs {

/// Whose meaning: the paper's, or that of one published version with all its departures from the paper.
enum class OrcsVersion : std::uint8_t { paper, v11, v20 };

/// A pattern with the argument that version 2.0 gives it: `neighbor` `2`, `recvs_all_src` `4,linear`.
struct OrcsPattern {
    std::string name = "bisect";
    std::string argument;

    /// `neighbor,2`, as version 2.0 prints it.
    std::string text() const { return argument.empty() ? name : name + "," + argument; }
};

struct OrcsOptions {
    OrcsVersion version = OrcsVersion::paper;
    std::string input_file;                  ///< -i
    std::optional<std::string> tables_file;  ///< --tables: for networks whose tables are in a second file
    std::optional<std::string> routing;      ///< --routing: for networks without tables
    std::uint64_t routing_seed = 1;
    std::string output_file = "-";  ///< -o
    std::uint32_t commsize = 0;     ///< -s; 0 = as many as there are hosts
    OrcsPattern pattern;            ///< -p, -a
    OrcsPattern first, second;      ///< of ptrnvsptrn: -f and -c, or -a `first[:arg]::second[:arg]`
    std::int64_t level = -1;        ///< -l; below 0 = all levels (-1 alone unless as a published version)
    std::uint64_t runs = 1;         ///< -n
    std::int64_t asked_runs = 1;    ///< as typed; below 1 makes one run (of a published version)
    std::string subset;             ///< linear_bfs, rand, guid_order_asc, guid_order_desc
    std::string part_subset = "none";
    std::string node_ordering_file = "-";  ///< - = none
    std::string metric = "hist_max_cong";  ///< -m
    std::uint32_t part_commsize = 2;       ///< -z
    bool do_not_shuffle = false;           ///< -d
    bool print_pattern = false;
    bool print_namelist = false;
    bool get_num_levels = false;  ///< -g
    bool route_quality = false;
    bool check_input_file = false;
    bool verbose = false;  ///< -v
    bool help = false, print_version = false;
    // ours
    std::uint64_t seed = 1;
    std::string device = "auto";
    unsigned threads = 0;

    bool two_patterns() const { return pattern.name == "ptrnvsptrn"; }
};

/// @throws InputError for anything ORCS's own parser would refuse, and without --as-orcs for what only makes no sense.
OrcsOptions parse_orcs_options(std::vector<std::string> const& arguments);

/// The text of `--help`.
std::string orcs_help();

}  // namespace tailback::orcs
