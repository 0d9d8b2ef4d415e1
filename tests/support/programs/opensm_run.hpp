// A fabric that a real subnet manager routed: its files, and what an independent reference counted on it.
#pragma once

#include "host/formats/formats.hpp"
#include "tests/support/rooms.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace tailback {

/// One row of a MANIFEST.md.
struct OpensmRun {
    std::filesystem::path fabric;                ///< folder of the fabric
    std::string name;                            ///< of the run, and of its folder
    std::string topology, tables;                ///< paths, without `.xz` handling: as in the manifest
    std::map<std::string, std::uint64_t> pairs;  ///< by the reference's word: ok, loop, wrong, noentry, deadport
    std::optional<bool> credit_loops;            ///< ibdmchk's verdict; none where it gave none
    std::uint64_t agree = 0, unprobed = 0;       ///< blocks of ibtracert.out

    /// `file` of the run's folder, with `.xz` appended where only that is there; none when neither is.
    std::optional<std::string> path(std::string const& file) const;
    Fabric read(Disagreements& disagreements) const { return read_fabric(topology, tables, disagreements); }
};

/// What a failing test calls it.
inline void PrintTo(OpensmRun const& run, std::ostream* out) {
    *out << run.fabric.filename().string() << "/" << run.name;
}

/// Every run that produced tables, of every fabric below `root` that has a MANIFEST.md.
std::vector<OpensmRun> opensm_runs(std::filesystem::path const& root);

/// A block of ibtracert.out: what was asked, what was printed, in lines.
struct IbtracertBlock {
    Lid source = 0, destination = 0;
    int exit_code = 0;
    std::vector<std::string> route;     ///< From, hops, To
    std::vector<std::string> messages;  ///< ibwarn: and the like
    bool says(std::string const& text) const;
};
std::vector<IbtracertBlock> read_ibtracert(std::string const& path);

/// The port GUID of the node that the measuring tools ran on; from the head of a topology file.
std::uint64_t measuring_port(std::string const& topology);

}  // namespace tailback
