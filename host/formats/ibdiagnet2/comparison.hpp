// Where two descriptions of one fabric tell something else.
#pragma once

#include "host/model/disagreements.hpp"
#include "host/model/fabric/network_differences.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace tailback::formats {

struct Description {
    std::string file;
    model::Network network;
    model::Disagreements told;  ///< what is wrong with this file alone
    bool tells_lmc = false;
    std::string dumped = {};  ///< when, as the file says
};

/// A file that differs in more places (of its network, or switches of its tables) gets one note.
inline constexpr std::size_t most_apart = 4;
/// Of a file, without its folder.
inline std::string name_of(std::string const& path) { return std::filesystem::path(path).filename().string(); }

/// `BEFORE by FILES AFTER`, where AFTER is what the file that is used says.
struct Difference {
    enum class Kind : std::uint8_t {
        only_there,
        missing_there,
        cable,
        missing_cable,
        rate,
        lid,
        port_guid,
        name,
        state
    };
    Kind kind{};
    model::FabricPlace where;
    std::string before, after;
    model::Node far = {};  ///< of a cable, by the other file
    std::vector<std::string> files = {};
};

/// Nodes and cables that one of them has alone, rates, LIDs, LMCs, port GUIDs and names (where both state them) that
/// differ, and cables that are not active by `other` alone: model::differences, from `other` to `used`, worded.
/// @param match from `other` to `used`
std::vector<Difference> differences(Description const& used, Description const& other,
                                    model::NetworkMatch const& match);

}  // namespace tailback::formats
