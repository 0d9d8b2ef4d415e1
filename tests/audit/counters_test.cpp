// Counters beside expected loads: those made from a known matrix come back exactly; saturated and missing ones are told
// and not used.
#include "host/audit/loads/edge_forwarding_index.hpp"
#include "host/audit/loads/measured.hpp"
#include "host/formats/formats.hpp"
#include "tests/support/reading.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/xgft.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace tailback {
namespace {

/// A tree with GUIDs and LIDs, and all pairs' loads on it.
struct Counted {
    Fabric fabric;
    std::vector<std::uint64_t> load;
    std::string csv;  ///< with PM_INFO, 1,000 words for a pair

    Counted() {
        Fabric const plain = make_xgft({{3, 4}, {1, 2}});
        std::ostringstream net, tables, out;
        write_ibnetdiscover(net, plain.network);
        write_lft_dump(tables, plain);
        Disagreements strict(true);
        fabric.network = read_topology(net.str(), strict);
        LineReader lines = lines_of_text(tables.str());
        fabric.tables = read_lft_dump(lines, fabric.network, strict);
        fabric.routed = true;
        load = edge_forwarding_index(fabric);
        out << "START_PM_INFO\nNodeGUID,PortGUID,PortNumber,PortXmitData,PortRcvData,PortXmitWait,"
               "PortXmitDataExtended\n";
        for (std::size_t l = 0; l < load.size(); ++l) {
            LinkRecord const& link = fabric.network[Link{l}];
            out << "0x" << std::hex << fabric.network[link.from].guid << std::dec << ",0x0," << link.from_port
                << ",4294967295,0," << l % 3 << "," << 1000 * load[l] << "\n";
        }
        out << "END_PM_INFO\n";
        csv = out.str();
    }
    Counters read(std::string const& text) const {
        Disagreements strict(true);
        LineReader lines = lines_of_text(text, "counters");
        return read_counters(lines, fabric.network, strict);
    }
};

TEST(Counters, OfAKnownMatrixComeBackExactly) {
    Counted const known;
    Counters const counters = known.read(known.csv);
    EXPECT_EQ(counters.saturated + counters.missing + counters.unknown, 0u);  // the long counters are there
    Measured const measured = compare_counters(known.fabric.network, counters, known.load);
    ASSERT_EQ(measured.ports.size(), known.load.size());
    EXPECT_EQ(measured.words_a_unit, 1000);
    ASSERT_TRUE(measured.rank_correlation.has_value());
    EXPECT_NEAR(*measured.rank_correlation, 1, 1e-12);
    for (MeasuredPort const& port : measured.ports) {
        EXPECT_EQ(port.sent, 1000 * known.load[port.link.value]);
        EXPECT_EQ(port.expected, double(port.sent));
    }
    EXPECT_EQ(measured.by_wait.size(), known.load.size() - (known.load.size() + 2) / 3);
}

TEST(Counters, OnePortThatSentMoreIsTheFirst) {
    Counted const known;
    std::size_t const row = known.csv.find("\n0x", known.csv.find("PM_INFO"));
    std::size_t const end = known.csv.find('\n', row + 1), last = known.csv.rfind(',', end);
    std::string text = known.csv;
    text.replace(last + 1, end - last - 1, "999999999");
    Measured const measured = compare_counters(known.fabric.network, known.read(text), known.load);
    EXPECT_EQ(measured.ports[measured.by_difference.front()].link, Link{0});
    EXPECT_EQ(measured.ports[measured.by_difference.front()].sent, 999999999u);
}

TEST(Counters, SaturatedAndMissingOnesAreToldAndNotUsed) {
    Counted const known;
    std::string text = replaced(known.csv, "PortXmitDataExtended", "Other");
    Counters const saturated = known.read(text);
    EXPECT_EQ(saturated.saturated, known.load.size());
    EXPECT_EQ(saturated.missing, 0u);  // they are there, at the end of 32 bits
    EXPECT_TRUE(compare_counters(known.fabric.network, saturated, known.load).ports.empty());
    text = replaced(known.csv, ",4294967295,", ",N/A,");
    EXPECT_EQ(known.read(text).saturated, 0u);
    text = known.csv + "START_PM_DELTA\nNodeGUID,PortNumber,PortXmitData\n0xdead,1,5\nEND_PM_DELTA\n";
    EXPECT_NE(error_of([&] { known.read(text); }).find("no counters of this network"), std::string::npos);
}

TEST(Counters, PerfqueryAndIbqueryerrors) {
    Counted const known;
    Network const& net = known.fabric.network;
    Node const leaf = net[net.up_link(Host{0})].to;
    char guid[32];
    std::snprintf(guid, sizeof guid, "%llx", static_cast<unsigned long long>(net[leaf].guid));
    Counters const perf = known.read("# Port counters: Lid " + std::to_string(net[leaf].lid) +
                                     " port 1 (CapMask: 0x5300)\nPortSelect:......................1\n"
                                     "PortXmitData:....................123\nPortXmitWait:....................7\n"
                                     "# Port extended counters: Lid " +
                                     std::to_string(net[leaf].lid) +
                                     " port 2 (CapMask: 0x5300)\nPortXmitData:....................6000000000\n");
    ASSERT_EQ(perf.ports.size(), 2u);
    EXPECT_EQ(perf.ports[0].sent, 123u);
    EXPECT_EQ(perf.ports[0].waited, 7u);
    EXPECT_EQ(perf.ports[1].sent, 6000000000u);
    Counters const errors = known.read("Errors for 0x" + std::string(guid) + " \"leaf\"\n   GUID 0x" + guid +
                                       " port 1: [PortXmitWait == 9] [PortXmitData == 62024 (242.281KB)]\n");
    ASSERT_EQ(errors.ports.size(), 1u);
    EXPECT_EQ(errors.ports[0].sent, 62024u);
    EXPECT_EQ(errors.ports[0].waited, 9u);
}

}  // namespace
}  // namespace tailback
