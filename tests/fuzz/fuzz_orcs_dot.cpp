// Fuzz target: ORCS dot. All routes over what comes out must end; what is written is read back with the same tables.
#include "host/formats/formats.hpp"
#include "host/formats/read/orcs_dot.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/rooms.hpp"

#include <cstdlib>
#include <sstream>

namespace {

using namespace tailback;

void must(bool holds) {
    if (!holds) std::abort();
}

void check_routes(Fabric const& fabric) {
    Network const& net = fabric.network;
    std::size_t const hosts = std::min<std::size_t>(net.hosts().size(), 8);
    for (std::size_t s = 0; s < hosts; ++s)
        for (std::size_t d = 0; d < hosts; ++d) {
            Route const route = trace_from_host(fabric, Host{s}, net[Host{d}].lid);
            must(route.links.size() <= net.nodes().size() + 1);
            must((route.fate == Fate::delivered) == (route.cause == Cause::none));
        }
}

void check_round_trip(Fabric const& fabric) {
    std::ostringstream text;
    write_orcs_dot(text, fabric);
    Disagreements disagreements;
    Fabric const again = parse_orcs_dot(text.str(), "written", disagreements);
    must(again.network.hosts().size() == fabric.network.hosts().size());
    must(again.network.links().size() == fabric.network.links().size());
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
        for (HostRecord const& host : fabric.network.hosts())
            must(fabric.tables.port(Node{n}, host.lid) == again.tables.port(Node{n}, host.lid));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    Disagreements disagreements;
    try {
        Fabric const fabric =
            parse_orcs_dot(std::string(reinterpret_cast<char const*>(data), size), "fuzz", disagreements);
        check_routes(fabric);
        if (fabric.network.nodes().size() < 200) check_round_trip(fabric);
    } catch (InputError const&) {
    }
    return 0;
}
