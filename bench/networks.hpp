// Trees that several benchmarks run on.
#pragma once

#include "bench/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <map>
#include <string>

namespace tailback::bench {

struct NetworkCase {
    char const* name;
    XgftSpec spec;
};

/// Made when it is first asked for. @param alone those made before are let go: large ones do not fit beside each other.
inline Fabric const& fabric_of(NetworkCase const& network, bool alone) {
    static std::map<std::string, Fabric> made;
    if (alone) std::erase_if(made, [&](auto const& one) { return one.first != network.name; });
    auto const at = made.find(network.name);
    return at != made.end() ? at->second : made.emplace(network.name, make_xgft(network.spec)).first->second;
}

}  // namespace tailback::bench
