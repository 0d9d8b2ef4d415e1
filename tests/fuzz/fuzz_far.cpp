// Fuzz target: ibdiagnet2.far, on a network of two switches. All choices over what comes out must end.
#include "host/evaluation/adaptive/equal_split.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    return fuzz_tables(data, size, [](LineReader& lines, Network const& network, Disagreements& disagreements) {
        AdaptiveTables found = read_far(lines, network, disagreements);
        Fabric fabric{network, found.tables, true, routing_by_tables(), nullptr, {}};
        fabric.candidates = found.sets;
        Forwarding const forwarding(fabric);
        std::vector<Host> hosts;
        for (std::size_t h = 0; h < network.hosts().size(); ++h) hosts.emplace_back(h);
        ChoiceGraph const graph(forwarding, ChoicesOf::sets, hosts);
        SplitPlan const plan(graph, hosts, 1);
        LinkCosts const costs;
        EqualSplit(plan, costs).all_pairs(hosts, 1);
        return std::move(found.tables);
    });
}
