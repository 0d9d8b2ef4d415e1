// Readers on text in memory, and the messages they throw.
#pragma once

#include "host/formats/formats.hpp"
#include "tests/support/rooms.hpp"

#include <functional>
#include <string>

namespace tailback {

inline LineReader lines_of_text(std::string text, std::string name = "file") {
    return LineReader(source_of(std::move(text)), std::move(name));
}

inline Network read_topology(std::string const& text, Disagreements& disagreements) {
    LineReader lines = lines_of_text(text, "net");
    return read_ibnetdiscover(lines, disagreements);
}

/// The message of the InputError that `action` throws; "no error" when it does not.
inline std::string error_of(std::function<void()> const& action) {
    try {
        action();
    } catch (InputError const& error) {
        return error.what();
    }
    return "no error";
}

/// Two switches of 4 ports with two cables between them (ports 3-3 and 4-4), a host on port 1 of each: LIDs 1 2 (the
/// switches), 3 4 (the hosts). GUIDs a1 a2 (switches), b1 b2 (hosts' ports c1 c2).
inline char const* const two_leaves = R"(#
# Topology file: generated on Sat Nov 21 07:59:31 2026
#
# Initiated from node 00000000000000b1 port 00000000000000c1

vendid=0x2c9
devid=0xbd36
sysimgguid=0xa100
switchguid=0xa1(a1)
Switch	4 "S-00000000000000a1"		# "leaf one" base port 0 lid 1 lmc 0
[1]	"H-00000000000000b1"[1](c1) 		# "node 1" lid 3 4xHDR
[3]	"S-00000000000000a2"[3]		# "leaf-2" lid 2 4xEDR
[4]	"S-00000000000000a2"[4]		# "leaf-2" lid 2 4xEDR

vendid=0x2c9
devid=0xbd36
switchguid=0xa2(a2)
Switch	4 "S-00000000000000a2"		# "leaf-2" enhanced port 0 lid 2 lmc 0
[1]	"H-00000000000000b2"[1](c2) 		# "node 2" lid 4 4xHDR
[3]	"S-00000000000000a1"[3]		# "leaf one" lid 1 4xEDR
[4]	"S-00000000000000a1"[4]		# "leaf one" lid 1 4xEDR

vendid=0x2c9
devid=0x673c
caguid=0xb1
Ca	1 "H-00000000000000b1"		# "node 1"
[1](c1) 	"S-00000000000000a1"[1]		# lid 3 lmc 0 "leaf one" lid 1 4xHDR

vendid=0x2c9
devid=0x673c
caguid=0xb2
Ca	1 "H-00000000000000b2"		# "node 2"
[1](c2) 	"S-00000000000000a2"[1]		# lid 4 lmc 0 "leaf-2" lid 2 4xHDR
)";

inline std::string replaced(std::string text, std::string const& from, std::string const& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

}  // namespace tailback
