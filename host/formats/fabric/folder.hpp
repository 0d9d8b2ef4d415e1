// A folder of dumps, as ibdiagnet2 makes one: which files it has, told by their content.
#pragma once

#include "host/formats/formats.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tailback::formats {

/// The files of a folder that can be used, the best kind first; of one kind the shortest name first
/// (`ibnetdiscover.out` before `ibnetdiscover-before.out`), then by name.
struct FabricFolder {
    std::vector<std::pair<std::string, Format>> topologies;  ///< db_csv, ibnetdiscover, subnet_list, net_dump
    std::vector<std::pair<std::string, Format>> tables;      ///< lft_dump, fdbs
    std::vector<std::string> lane_maps;
    /// Files whose names say that they describe the fabric and whose content does not: a path, and why.
    std::vector<std::pair<std::string, std::string>> damaged;
    std::vector<std::string> adaptive;        ///< groups of adaptive routing (.far)
    std::vector<std::string> private_tables;  ///< which of them ports take (.plft)
};

bool is_folder(std::string const& path);
/// Looks at the beginning of every file. @throws InputError when there is no topology, or there are more than 1,000
/// files.
FabricFolder look_into(std::string const& path);

/// Reads the best topology and the best tables (where there are any), and holds all other descriptions against them:
/// what they tell differently goes to `disagreements`, and so does a description that cannot be read.
/// @param with_tables false: the tables of the folder stay unread.
/// @param used null, or where names of files are added by what they are used for: `network`, `tables`, `groups`,
///             `private tables`, `compared with them`
model::Fabric read_folder(std::string const& path, model::Disagreements& disagreements, bool with_tables = true,
                          model::NamedFiles* used = nullptr);

}  // namespace tailback::formats
