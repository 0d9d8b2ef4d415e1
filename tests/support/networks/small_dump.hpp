// Small fabrics as ibnetdiscover writes them, from a list of cables with their rates.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

namespace tailback {

struct DumpedCable {
    std::string from;
    unsigned from_port;
    std::string to;
    unsigned to_port;
    std::string rate = "4xSDR";
};

/// Nodes by their names: `s0`, `s1`, .. are switches of LIDs 900, 901, .. and GUIDs 0xa0, 0xa1, ..; `h7` a host of
/// LID 7.
inline std::string small_dump(std::vector<DumpedCable> const& cables) {
    struct Port {
        std::string to;
        unsigned port;
        std::string rate;
    };
    std::map<std::string, std::map<unsigned, Port>> nodes;
    for (DumpedCable const& cable : cables) {
        nodes[cable.from][cable.from_port] = {cable.to, cable.to_port, cable.rate};
        nodes[cable.to][cable.to_port] = {cable.from, cable.from_port, cable.rate};
    }
    auto const is_switch = [](std::string const& name) { return name.front() == 's'; };
    auto const number = [](std::string const& name) { return std::stoul(name.substr(1)); };
    auto const guid = [&](std::string const& name) { return number(name) + (is_switch(name) ? 0xa0 : 0x1000); };
    auto const id = [&](std::string const& name) {
        return fmt::format("\"{}-{:016x}\"", is_switch(name) ? 'S' : 'H', guid(name));
    };
    auto const lid = [&](std::string const& name) { return number(name) + (is_switch(name) ? 900 : 0); };
    std::string text;
    for (auto const& [name, ports] : nodes) {
        if (is_switch(name))
            text += fmt::format("switchguid={:#x}\nSwitch\t64 {}\t# \"{}\" base port 0 lid {} lmc 0\n", guid(name),
                                id(name), name, lid(name));
        else text += fmt::format("caguid={:#x}\nCa\t1 {}\t# \"{}\"\n", guid(name), id(name), name);
        for (auto const& [port, end] : ports)
            text += is_switch(name)
                        ? fmt::format("[{}]\t{}[{}]\t# \"{}\" lid {} {}\n", port, id(end.to), end.port, end.to,
                                      lid(end.to), end.rate)
                        : fmt::format("[{}]({:x})\t{}[{}]\t# lid {} lmc 0 \"{}\" lid {} {}\n", port, guid(name),
                                      id(end.to), end.port, lid(name), end.to, lid(end.to), end.rate);
        text += '\n';
    }
    return text;
}

}  // namespace tailback
