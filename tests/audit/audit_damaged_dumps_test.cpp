// Dumps of a sound fabric, damaged in one place: the damage is found at the right place, and nothing else is reported.
#include "host/formats/formats.hpp"
#include "tests/support/audited.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <memory>
#include <set>

namespace tailback::audit_damaged_dumps_test {
namespace {

std::string text_of(std::string const& path) {
    LineReader lines(open_source(path), path);
    return lines.rest(1 << 20);
}

/// Cable lines ("[n]...") of a topology file: where each begins and how long it is.
std::vector<std::pair<std::size_t, std::size_t>> cable_lines(std::string const& text) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t at = text.find("\n["); at != std::string::npos; at = text.find("\n[", at + 1))
        found.emplace_back(at + 1, text.find('\n', at + 1) - at);
    return found;
}

/// A line of a topology file lost, of either end of any cable: one finding, at an end of that cable; routes stay whole.
TEST(AuditDamagedDumps, CablesListedFromOneEnd) {
    std::string const folder = (fixtures() / "opensm/ft2-16").string();
    std::string const topology = text_of(folder + "/minhop/ibnetdiscover.out.xz"),
                      tables = text_of(folder + "/minhop/opensm-lfts.dump.xz");
    auto const lines = cable_lines(topology);
    ASSERT_EQ(lines.size(), 64u);
    for (auto const& [at, length] : lines) {
        Disagreements disagreements(false, kept_disagreements);
        std::string damaged = topology;
        damaged.erase(at, length);
        Fabric fabric;
        fabric.network = read_topology(damaged, disagreements);
        LineReader reader = lines_of_text(tables);
        fabric.tables = read_lft_dump(reader, fabric.network, disagreements);
        fabric.routed = true;
        std::vector<Finding> const findings = audit_findings(fabric, disagreements);
        EXPECT_TRUE(fates_of(findings).empty());
        std::vector<Finding> const found = of_kind(findings, FindingKind::inconsistent);
        ASSERT_GE(found.size(), 1u);
        EXPECT_EQ(found.front().code, Code::cable_from_one_end) << found.front().message;
        EXPECT_NE(found.front().message.find("is not listed there"), std::string::npos) << found.front().message;
        std::string const port = topology.substr(at + 1, topology.find(']', at) - at - 1);
        EXPECT_TRUE(found.front().where.ends_with(" port " + port)) << found.front().where;
        for (std::size_t i = 1; i < found.size(); ++i)  // a host's own line is where its LID stands
            EXPECT_NE(found[i].message.find("LID"), std::string::npos) << found[i].where << ": " << found[i].message;
    }
}

/// A cable pulled since the tables were made, one of two between its switches: every entry that still sends there is
/// named, and one finding names both ends, whether the switches' own LIDs went by this cable or by the other.
TEST(AuditDamagedDumps, CablesPulled) {
    std::string const folder = (fixtures() / "opensm/ft2-16").string();
    std::string const topology = text_of(folder + "/minhop/ibnetdiscover.out.xz"),
                      tables = text_of(folder + "/minhop/opensm-lfts.dump.xz");
    Disagreements ignored;
    Network const whole = read_topology(topology, ignored);
    std::size_t known_by_switch_lids = 0, known_by_bundle = 0;
    for (std::size_t l = 0; l < whole.links().size(); ++l) {
        LinkRecord const& pulled = whole[Link{l}];
        if (whole[pulled.from].kind != NodeKind::switch_node || whole[pulled.to].kind != NodeKind::switch_node ||
            pulled.reverse < Link{l})
            continue;
        NetworkBuilder builder;
        for (NodeRecord const& node : whole.nodes()) builder.add_node(node);
        for (HostRecord const& host : whole.hosts()) builder.add_host(host);
        for (std::size_t k = 0; k < whole.links().size(); ++k)
            if (Link{k} != Link{l} && Link{k} != pulled.reverse) builder.add_link(whole[Link{k}]);
        Disagreements disagreements(false, kept_disagreements);
        Fabric fabric;
        fabric.network = builder.finish(disagreements, "net");
        LineReader reader = lines_of_text(tables);
        fabric.tables = read_lft_dump(reader, fabric.network, disagreements);
        fabric.routed = true;
        std::vector<Finding> const findings = audit_findings(fabric, disagreements);
        EXPECT_EQ(fates_of(findings), walked(fabric));
        std::set<std::string> const ends = {port_location(whole, pulled.from, pulled.from_port),
                                            port_location(whole, pulled.to, pulled.to_port)};
        std::set<std::string> unreachable;
        EXPECT_TRUE(of_kind(findings, FindingKind::unreachable).empty());  // that follows from the pulled ends
        for (Finding const& finding : of_kind(unfolded(findings), FindingKind::unreachable))
            unreachable.insert(finding.where);
        EXPECT_EQ(unreachable, ends);
        std::vector<Finding> const inconsistent = of_kind(findings, FindingKind::inconsistent);
        ASSERT_EQ(inconsistent.size(), 1u) << *ends.begin();
        EXPECT_EQ(inconsistent[0].code, Code::cable_gone);
        std::string const& said = inconsistent[0].message;
        std::set<std::string> told = {inconsistent[0].where};
        for (std::string const& end : ends)
            if (said.find("nor has " + end + ",") != std::string::npos) told.insert(end);
        EXPECT_EQ(told, ends) << said;
        ++(said.find("of the same bundle") == std::string::npos ? known_by_switch_lids : known_by_bundle);
    }
    EXPECT_GT(known_by_switch_lids, 0u);
    EXPECT_GT(known_by_bundle, 0u);
}

/// The text of the sound 16-host tree, to be damaged.
struct Dumps {
    std::string topology = text_of((fixtures() / "opensm/ft2-16/minhop/ibnetdiscover.out.xz").string());
    std::string tables = text_of((fixtures() / "opensm/ft2-16/minhop/opensm-lfts.dump.xz").string());

    struct Audited {
        std::unique_ptr<Fabric> fabric = std::make_unique<Fabric>();
        std::vector<Finding> findings;
        std::map<std::string, std::string> inconsistent;  ///< message by place
    };
    Audited audited() const {
        Audited result;
        Disagreements disagreements(false, kept_disagreements);
        result.fabric->network = read_topology(topology, disagreements);
        LineReader reader = lines_of_text(tables);
        result.fabric->tables = read_lft_dump(reader, result.fabric->network, disagreements);
        result.fabric->routed = true;
        result.findings = audit_findings(*result.fabric, disagreements);
        EXPECT_EQ(fates_of(result.findings), walked(*result.fabric));
        for (Finding const& f : of_kind(result.findings, FindingKind::inconsistent))
            result.inconsistent[f.where] += f.message;
        return result;
    }
};

void expect_places(Dumps::Audited const& audited, std::map<std::string, std::string> const& wanted) {
    for (auto const& [where, message] : wanted) {
        auto const at = audited.inconsistent.find(where);
        ASSERT_TRUE(at != audited.inconsistent.end())
            << where << " is not among " << testing::PrintToString(audited.inconsistent);
        EXPECT_NE(at->second.find(message), std::string::npos) << at->second;
    }
    EXPECT_EQ(audited.inconsistent.size(), wanted.size()) << testing::PrintToString(audited.inconsistent);
}

void replace_once(std::string& text, std::string const& from, std::string const& to) {
    std::size_t const at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
}

/// Every pair of hosts: one takes the other's LID, or its port GUID. What the taken LID's own one was is then stale.
TEST(AuditDamagedDumps, LidsAndGuidsOfTwoHosts) {
    Dumps const sound;
    auto const whole = sound.audited();
    EXPECT_TRUE(whole.inconsistent.empty());
    Network const& net = whole.fabric->network;
    for (std::size_t a = 0; a < net.hosts().size(); ++a)
        for (std::size_t b = a + 1; b < net.hosts().size(); ++b) {
            HostRecord const &first = net[Host{a}], &second = net[Host{b}];
            std::string const place_a = port_location(net, first.node, first.port),
                              place_b = port_location(net, second.node, second.port);
            Dumps lids = sound, guids = sound;
            replace_once(lids.topology, "# lid " + std::to_string(second.lid) + " lmc 0 ",
                         "# lid " + std::to_string(first.lid) + " lmc 0 ");
            expect_places(lids.audited(), {{place_b, "its own record says LID " + std::to_string(first.lid) +
                                                         ", its neighbour's LID " + std::to_string(second.lid)}});
            auto const hex = [](std::uint64_t guid) {
                char text[32];
                std::snprintf(text, sizeof text, "(%llx)", static_cast<unsigned long long>(guid));
                return std::string(text);
            };
            for (int end = 0; end < 2; ++end) replace_once(guids.topology, hex(second.port_guid), hex(first.port_guid));
            expect_places(guids.audited(), {{place_b, "is that of " + place_a + " too"}});
        }
}

/// Every host's range made wider, so that it runs into its neighbour's LID.
TEST(AuditDamagedDumps, RangesThatOverlap) {
    Dumps const sound;
    auto const whole = sound.audited();
    Network const& net = whole.fabric->network;
    for (HostRecord const& host : net.hosts()) {
        Dumps damaged = sound;
        std::string const lid = "# lid " + std::to_string(host.lid) + " lmc ";
        replace_once(damaged.topology, lid + "0 ", lid + "1 ");
        LidOwner const next = net.owner(host.lid + 1);
        if (!next.node.exists()) continue;
        std::string const own = port_location(net, host.node, host.port);
        std::string const other =
            next.host.exists() ? port_location(net, next.node, net[next.host].port) : net.describe(next.node);
        if (host.lid % 2 != 0) {  // then its base LID is wrong, and the overlap follows
            expect_places(damaged.audited(), {{own, "is not a multiple of 2"}});
            continue;
        }
        expect_places(damaged.audited(), {{other, "overlaps " + std::to_string(host.lid) + "-" +
                                                      std::to_string(host.lid + 1) + " of " + own}});
    }
}

/// Each switch's table cut out, or under another GUID: its name and its LID tell whose it is.
TEST(AuditDamagedDumps, TablesWithoutSwitchesAndSwitchesWithoutTables) {
    Dumps const sound;
    auto const whole = sound.audited();
    Network const& net = whole.fabric->network;
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        if (net[Node{n}].kind != NodeKind::switch_node) continue;
        std::string const described = net.describe(Node{n});
        std::string const guid = described.substr(described.rfind("0x"), 18);
        Dumps lost = sound, renamed = sound;
        std::size_t const begin = sound.tables.rfind("Unicast lids", sound.tables.find(" guid " + guid));
        ASSERT_NE(begin, std::string::npos);
        lost.tables.erase(begin, sound.tables.find("lids dumped\n", begin) + 12 - begin);
        expect_places(lost.audited(), {{described, "it has no forwarding table"}});
        std::string const other = "0x00000000deadbee" + std::to_string(n % 10);
        replace_once(renamed.tables, " guid " + guid, " guid " + other);
        expect_places(renamed.audited(), {{described, "there is one of " + other + ", which was in its place"}});
    }
}

}  // namespace
}  // namespace tailback::audit_damaged_dumps_test
