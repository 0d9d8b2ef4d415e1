// What the fuzz targets share: bytes to lines, what may be thrown, and what must hold for whatever was read.
#pragma once

#include "host/formats/formats.hpp"
#include "host/model/routes/route_text.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <cstdlib>

namespace tailback {

inline LineReader fuzz_lines(std::uint8_t const* data, std::size_t size) {
    return lines_of_text(std::string(reinterpret_cast<char const*>(data), size), "fuzz");
}

inline void must(bool holds) {
    if (!holds) std::abort();
}

/// Runs `action`; an InputError is an answer, everything else is a fault.
template <class Action>
void answer_words(Action action) {
    try {
        action();
    } catch (InputError const&) {
    }
}

/// The same of what reads a file: an InputError names it.
template <class Action>
void answer(Action action) {
    answer_words([&] {
        try {
            action();
        } catch (InputError const& error) {
            must(!error.place().file.empty());
            throw;
        }
    });
}

/// Indices are in range, links are sorted and know their reverse, LIDs have the owners that claim them.
inline void check(Network const& net) {
    for (std::size_t i = 0; i < net.links().size(); ++i) {
        LinkRecord const& link = net[Link{i}];
        must(link.from.value < net.nodes().size() && link.to.value < net.nodes().size());
        must(net.link_at(link.from, link.from_port) == Link{i});
        if (link.reverse.exists()) must(net[link.reverse].reverse == Link{i});
    }
    must(!net.hosts().empty());
    for (HostRecord const& host : net.hosts()) {
        must(host.node.value < net.nodes().size());
        if (host.lid != 0) must(net.owner(host.lid).node.exists());
    }
}

/// Every route of a few hosts ends, within a hop a node.
inline void check(Fabric const& fabric) {
    Network const& net = fabric.network;
    std::size_t const hosts = net.hosts().size() < 8 ? net.hosts().size() : 8;
    for (std::size_t s = 0; s < hosts; ++s)
        for (Lid lid = 1; lid < 16; ++lid) {
            Route const route = trace_from_host(fabric, Host{s}, lid);
            must(route.links.size() <= net.nodes().size() + 1);
            must((route.fate == Fate::delivered) == (route.cause == Cause::none));
            ibtracert_text(fabric, {net[Host{s}].node, Host{s}, net[Host{s}].lid}, lid, route);
            failure_text(fabric, lid, route);
        }
}

/// Two leaf switches, two hosts; LIDs 1..4.
inline Network const& small_network() {
    static Network const network = [] {
        Disagreements strict(true);
        return read_topology(two_leaves, strict);
    }();
    return network;
}

/// One run of a target that reads a topology: whatever comes out must be a sound network.
inline int fuzz_topology(std::uint8_t const* data, std::size_t size, Network (*read)(LineReader&, Disagreements&)) {
    answer([&] {
        LineReader lines = fuzz_lines(data, size);
        recognise(lines.peek());
        Disagreements disagreements;
        check(read(lines, disagreements));
        disagreements.warnings();
    });
    return 0;
}

/// One run of a target that reads tables, on a network of two switches: all routes over what comes out must end.
template <class Read>
int fuzz_tables(std::uint8_t const* data, std::size_t size, Read read) {
    answer([&] {
        LineReader lines = fuzz_lines(data, size);
        recognise(lines.peek());
        Disagreements disagreements;
        Fabric fabric{small_network(), {}, true};
        fabric.tables = read(lines, fabric.network, disagreements);
        check(fabric);
        disagreements.warnings();
    });
    return 0;
}

}  // namespace tailback
