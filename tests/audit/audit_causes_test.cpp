// Causes, not symptoms: sound dumps of a real subnet manager, damaged in one place, give one finding at that place that
// names the cause; all that follows from it is under it.
#include "host/audit/findings/cables.hpp"
#include "host/audit/findings/folding.hpp"
#include "host/formats/formats.hpp"
#include "tests/support/audited.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <regex>
#include <set>
#include <sstream>

namespace tailback::audit_causes_test {
namespace {

std::string text_of(std::string const& path) {
    LineReader lines(open_source(path), path);
    return lines.rest(1 << 20);
}

struct Dumps {
    std::string topology = text_of((fixtures() / "opensm/ft2-16/minhop/ibnetdiscover.out.xz").string());
    std::string tables = text_of((fixtures() / "opensm/ft2-16/minhop/opensm-lfts.dump.xz").string());

    struct Audited {
        std::unique_ptr<Fabric> fabric = std::make_unique<Fabric>();
        std::vector<Finding> faults;  ///< of kinds that break something
    };
    Audited audited() const {
        Audited result;
        Disagreements disagreements(false, kept_disagreements);
        result.fabric->network = read_topology(topology, disagreements);
        LineReader reader = lines_of_text(tables);
        result.fabric->tables = read_lft_dump(reader, result.fabric->network, disagreements);
        result.fabric->routed = true;
        std::vector<Finding> const findings = audit_findings(*result.fabric, disagreements);
        EXPECT_EQ(fates_of(findings), walked(*result.fabric));
        for (Finding const& f : findings)
            if (f.kind != FindingKind::asymmetric && f.kind != FindingKind::unused &&
                f.kind != FindingKind::nonminimal && f.kind != FindingKind::updown)
                result.faults.push_back(f);
        return result;
    }
};

std::string all_of(std::vector<Finding> const& findings) {
    std::string text;
    for (Finding const& f : findings)
        text += f.where + ": " + f.message + " (" + std::to_string(f.symptoms.size()) + " symptoms)\n";
    return text;
}

void replace_once(std::string& text, std::string const& from, std::string const& to) {
    std::size_t const at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
}

/// The table of a switch, from its header to behind its last line.
std::pair<std::size_t, std::size_t> table_of(std::string const& tables, std::string const& guid) {
    std::size_t const at = tables.find(" guid " + guid);
    std::size_t const begin = tables.rfind("Unicast lids", at), end = tables.find("lids dumped\n", begin) + 12;
    return {begin, end - begin};
}

std::string guid_of(Network const& net, Node node) {
    std::string const described = net.describe(node);
    return described.substr(described.rfind("0x"), 18);
}

void forget_lid(std::string& tables, Lid lid) {
    char entry[16];
    std::snprintf(entry, sizeof entry, "\n0x%04x ", lid);
    for (std::size_t at; (at = tables.find(entry)) != std::string::npos;)
        tables.erase(at, tables.find('\n', at + 1) - at);
}

/// Every host: no table has an entry for its LID.
TEST(AuditCauses, HostThatNoTableKnows) {
    Dumps const sound;
    Network const net = std::move(sound.audited().fabric->network);
    for (HostRecord const& host : net.hosts()) {
        Dumps damaged = sound;
        forget_lid(damaged.tables, host.lid);
        auto const found = damaged.audited().faults;
        ASSERT_EQ(found.size(), 1u) << all_of(found);
        EXPECT_EQ(found[0].code, Code::lid_in_no_table);
        EXPECT_EQ(found[0].kind, FindingKind::unreachable);
        EXPECT_EQ(found[0].where, port_location(net, host.node, host.port));
        EXPECT_EQ(found[0].pairs, 15u);
        EXPECT_EQ(found[0].symptoms.size(), 4u);  // one a leaf
        EXPECT_TRUE(names_lid(found[0].message, host.lid)) << found[0].message;
    }
}

/// Every leaf came after the tables, with all its hosts: no table knows their LIDs, and it has none.
TEST(AuditCauses, NewLeaf) {
    Dumps const sound;
    Network const net = std::move(sound.audited().fabric->network);
    std::size_t leaves = 0;
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        Node const leaf{n};
        Dumps damaged = sound;
        std::size_t hosts = 0;
        for (HostRecord const& host : net.hosts())
            if (net[net.up_link(net.hosts_of(host.node).front())].to == leaf)
                ++hosts, forget_lid(damaged.tables, host.lid);
        if (hosts == 0) continue;
        ++leaves;
        forget_lid(damaged.tables, net[leaf].lid);
        auto const [begin, size] = table_of(damaged.tables, guid_of(net, leaf));
        damaged.tables.erase(begin, size);
        auto const found = damaged.audited().faults;
        ASSERT_EQ(found.size(), 1u) << all_of(found);
        EXPECT_EQ(found[0].where, net.describe(leaf));
        EXPECT_EQ(found[0].code, Code::switch_without_table);
        EXPECT_NE(found[0].message.find("it came after the tables"), std::string::npos) << found[0].message;
    }
    EXPECT_EQ(leaves, 4u);
}

/// Every two switches: the table of one under the GUID of the other.
TEST(AuditCauses, TwoTablesForOneSwitch) {
    Dumps const sound;
    Network const net = std::move(sound.audited().fabric->network);
    for (std::size_t a = 0; a < net.nodes().size(); ++a)
        for (std::size_t b = 0; b < net.nodes().size(); ++b) {
            if (a == b || net[Node{a}].kind != NodeKind::switch_node || net[Node{b}].kind != NodeKind::switch_node)
                continue;
            Dumps damaged = sound;
            replace_once(damaged.tables, " guid " + guid_of(net, Node{b}), " guid " + guid_of(net, Node{a}));
            auto const found = damaged.audited().faults;
            ASSERT_EQ(found.size(), 1u) << all_of(found);
            EXPECT_EQ(found[0].kind, FindingKind::inconsistent);
            EXPECT_EQ(found[0].where, net.describe(Node{a}));
            EXPECT_GE(found[0].symptoms.size(), 1u);
            EXPECT_TRUE(all_of(found).find("two tables") != std::string::npos ||
                        all_of(found[0].symptoms).find("two tables") != std::string::npos)
                << all_of(found) << all_of(found[0].symptoms);
        }
}

/// Every switch loses its record: its cables are known by their other ends.
TEST(AuditCauses, MissingRecordOfASwitch) {
    Dumps const sound;
    Network const net = std::move(sound.audited().fabric->network);
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        Dumps damaged = sound;
        std::string const id = guid_of(net, Node{n}).substr(2);
        std::size_t const line =
            damaged.topology.find((net[Node{n}].kind == NodeKind::switch_node ? "\t36 \"S-" : "\t1 \"H-") + id);
        std::size_t const node_line = line != std::string::npos ? line : damaged.topology.find("-" + id + "\"\t\t# ");
        ASSERT_NE(node_line, std::string::npos) << id;
        std::size_t const begin = damaged.topology.rfind("vendid=", node_line);
        std::size_t end = damaged.topology.find("\nvendid=", node_line);
        if (end == std::string::npos) end = damaged.topology.size();
        damaged.topology.erase(begin, end - begin);
        auto const found = damaged.audited().faults;
        ASSERT_EQ(found.size(), 1u) << all_of(found);
        EXPECT_EQ(found[0].where, net.describe(Node{n}));
        EXPECT_NE(found[0].message.find("no record of its own"), std::string::npos) << found[0].message;
    }
}

/// Every node line lost: the lines above it tell whose record it was.
TEST(AuditCauses, LostNodeLine) {
    Dumps const sound;
    Network const net = std::move(sound.audited().fabric->network);
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        Dumps damaged = sound;
        std::string const id = guid_of(net, Node{n}).substr(2);
        std::smatch line;
        ASSERT_TRUE(
            std::regex_search(damaged.topology, line, std::regex("\n(Switch|Ca)\\s+\\d+ \"[SH]-" + id + "[^\n]*")));
        damaged.topology.erase(std::size_t(line.position()), std::size_t(line.length()));
        auto const found = damaged.audited().faults;
        ASSERT_EQ(found.size(), 1u) << all_of(found);
        EXPECT_EQ(found[0].where, net.describe(Node{n}));
        EXPECT_NE(found[0].message.find("not a whole node line"), std::string::npos) << found[0].message;
    }
}

/// The second half of every table but the last is gone, with its last line: packets end there for no other reason.
TEST(AuditCauses, TableWithoutItsSecondHalf) {
    Dumps const sound;
    Network const net = std::move(sound.audited().fabric->network);
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        if (net[Node{n}].kind != NodeKind::switch_node) continue;
        Dumps damaged = sound;
        auto const [begin, size] = table_of(damaged.tables, guid_of(net, Node{n}));
        if (damaged.tables.find("Unicast lids", begin + size) == std::string::npos) continue;  // the file is cut off
        std::size_t const half = damaged.tables.find('\n', begin + size / 2) + 1;
        damaged.tables.erase(half, begin + size - half);
        auto const found = damaged.audited().faults;
        ASSERT_EQ(found.size(), 1u) << all_of(found);
        EXPECT_EQ(found[0].where, net.describe(Node{n}));
        EXPECT_NE(found[0].message.find("\"lids dumped\""), std::string::npos) << found[0].message;
    }
}

/// Every switch gone from the topology, with its hosts, and the tables of the day before: one finding for it, under
/// which are those at the ports that led to it. It is known by its table, where that is there. Cables of two leaves or
/// more led to each.
TEST(AuditCauses, GoneSwitch) {
    Dumps const sound;
    Network const net = std::move(sound.audited().fabric->network);
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        Node const gone{n};
        if (net[gone].kind != NodeKind::switch_node) continue;
        std::set<std::string> ids = {guid_of(net, gone).substr(2)};
        std::set<std::uint32_t> neighbours;
        for (std::uint32_t l = 0; l < net.link_count(gone); ++l) {
            LinkRecord const& link = net[Link{net.first_link(gone).value + l}];
            if (net[link.to].kind == NodeKind::switch_node) neighbours.insert(link.to.value);
            else ids.insert(guid_of(net, link.to).substr(2));
        }
        Dumps damaged = sound;
        std::string left;
        for (std::size_t at = 0; at < damaged.topology.size();) {  // record by record, line by line
            std::size_t const end = std::min(damaged.topology.find("\n\n", at), damaged.topology.size() - 2) + 2;
            std::string const record = damaged.topology.substr(at, end - at);
            at = end;
            auto const names = [&](std::string const& text, std::string const& before) {
                return std::any_of(ids.begin(), ids.end(), [&](std::string const& id) {
                    return text.find(before + "S-" + id) != std::string::npos ||
                           text.find(before + "H-" + id) != std::string::npos;
                });
            };
            if (names(record, "\t36 \"") || names(record, "\t1 \"") || names(record, "\t2 \"")) continue;
            std::istringstream lines(record);
            for (std::string line; std::getline(lines, line);)
                if (!names(line, "\t\"") && !names(line, "] \"")) left += line + "\n";
        }
        damaged.topology = left;
        auto const with_table = damaged.audited();
        ASSERT_EQ(with_table.faults.size(), 1u) << all_of(with_table.faults);
        EXPECT_EQ(with_table.faults[0].where, net.describe(gone));
        EXPECT_EQ(with_table.faults[0].guid, net[gone].guid);
        auto const [begin, size] = table_of(damaged.tables, guid_of(net, gone));
        damaged.tables.erase(begin, size);
        auto const audited = damaged.audited();
        EXPECT_EQ(audited.fabric->network.nodes().size(), net.nodes().size() - ids.size());
        ASSERT_EQ(audited.faults.size(), 1u) << all_of(audited.faults);
        Finding const& found = audited.faults[0];
        EXPECT_EQ(found.code, Code::switch_gone);
        EXPECT_NE(found.message.find(std::to_string(neighbours.size()) + " switches send LID"), std::string::npos)
            << found.message;
        EXPECT_NE(found.message.find("nobody owns"), std::string::npos) << found.message;
        EXPECT_TRUE(names_lid(found.message, net[gone].lid)) << found.message;
        std::set<std::uint32_t> at;
        for (Finding const& symptom : found.symptoms)
            if (symptom.port != 0) at.insert(symptom.node.value);
        EXPECT_EQ(at.size(), neighbours.size());
    }
}

/// Every switch has another GUID in the topology than in the tables, and the same LID or a new one.
TEST(AuditCauses, ReplacedSwitch) {
    Dumps const sound;
    Network const net = std::move(sound.audited().fabric->network);
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        Node const node{n};
        if (net[node].kind != NodeKind::switch_node) continue;
        std::string const guid = guid_of(net, node).substr(2), lid = " lid " + std::to_string(net[node].lid) + " ";
        Dumps damaged = sound;
        damaged.topology = replaced(damaged.topology, guid.substr(3), "4420aaaabbbb1");
        for (std::string const& now : {lid, std::string(" lid 40 ")}) {
            damaged.topology = replaced(damaged.topology, lid, now);
            auto const found = damaged.audited().faults;
            ASSERT_EQ(found.size(), 1u) << all_of(found);
            EXPECT_NE(found[0].message.find("there is one of 0x" + guid + ", which was in its place"),
                      std::string::npos)
                << found[0].message;
            EXPECT_NE(found[0].where.find(net[node].name), std::string::npos) << found[0].where;
        }
    }
}

/// The LIDs of two switches exchanged in the topology: header, entry 0 and comments of their tables tell.
TEST(AuditCauses, SwappedLidsOfTwoSwitches) {
    Dumps const sound;
    Network const net = std::move(sound.audited().fabric->network);
    std::vector<Node> switches;
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        if (net[Node{n}].kind == NodeKind::switch_node) switches.emplace_back(n);
    for (std::size_t i = 0; i + 1 < switches.size(); ++i) {
        Node const a = switches[i], b = switches[i + 1];
        Dumps damaged = sound;
        std::string const lid_a = " lid " + std::to_string(net[a].lid), lid_b = " lid " + std::to_string(net[b].lid);
        std::string const name_a = "\"" + net[a].name + "\"", name_b = "\"" + net[b].name + "\"";
        std::string& text = damaged.topology;
        for (std::string const kind : {" base port 0", " enhanced port 0", ""}) {
            text = replaced(text, name_a + kind + lid_a + " ", name_a + kind + " LID-B ");
            text = replaced(text, name_b + kind + lid_b + " ", name_b + kind + " LID-A ");
        }
        text = replaced(replaced(text, " LID-B ", lid_b + " "), " LID-A ", lid_a + " ");
        auto const found = damaged.audited().faults;
        ASSERT_EQ(found.size(), 1u) << all_of(found);
        EXPECT_EQ(found[0].kind, FindingKind::inconsistent);
        EXPECT_TRUE(found[0].where == net.describe(a) || found[0].where == net.describe(b)) << found[0].where;
        EXPECT_TRUE(names_lid(found[0].message, net[a].lid) && names_lid(found[0].message, net[b].lid));
    }
}

/// Definition: a table that is another switch's says nothing of where LIDs are. Two leaves' tables swapped, and a host
/// gone: its LID is one that nobody owns, and no other host has a new one.
TEST(AuditCauses, SwappedTablesAreNoWitness) {
    Dumps const sound;
    Network const net = std::move(sound.audited().fabric->network);
    auto const leaf_of = [&](Host host) { return net[net.up_link(host)].to; };
    Host const gone{0};
    for (std::size_t h = 1; h < net.hosts().size(); ++h) {
        Node const a = leaf_of(gone), b = leaf_of(Host{h});
        if (a == b) continue;
        Dumps damaged = sound;
        std::string const guid_a = guid_of(net, a), guid_b = guid_of(net, b);
        damaged.tables = replaced(damaged.tables, " guid " + guid_a, " guid A");
        damaged.tables = replaced(damaged.tables, " guid " + guid_b, " guid " + guid_a);
        damaged.tables = replaced(damaged.tables, " guid A", " guid " + guid_b);
        std::string const name = "\"H-" + guid_of(net, net[gone].node).substr(2) + "\"";
        std::string& text = damaged.topology;
        std::size_t const record = text.find(name + "\t\t#"), begin = text.rfind("\n\n", record) + 2;
        ASSERT_NE(record, std::string::npos) << name;
        text.erase(begin, text.find("\n\n", record) + 2 - begin);
        std::size_t const cable = text.find(name), line = text.rfind('\n', cable) + 1;
        ASSERT_NE(cable, std::string::npos) << name;
        text.erase(line, text.find('\n', cable) + 1 - line);
        auto const found = damaged.audited().faults;
        EXPECT_TRUE(std::ranges::any_of(found, [](Finding const& f) {
            return f.code == Code::table_of_another_switch;
        })) << all_of(found);
        for (Finding const& f : found) EXPECT_NE(f.code, Code::lid_changed) << all_of(found);
    }
}

/// The LIDs of two hosts exchanged in the topology, at both ends of their cables: the comments of the tables tell.
TEST(AuditCauses, SwappedLidsOfTwoHosts) {
    Dumps const sound;
    Network const net = std::move(sound.audited().fabric->network);
    HostRecord const &a = net[Host{0}], &b = net[Host{5}];
    Dumps damaged = sound;
    std::string const lid_a = " lid " + std::to_string(a.lid) + " ", lid_b = " lid " + std::to_string(b.lid) + " ";
    std::string& text = damaged.topology;
    text = replaced(replaced(text, lid_a, " LID-B "), lid_b, " LID-A ");
    text = replaced(replaced(text, " LID-B ", lid_b), " LID-A ", lid_a);
    auto const found = damaged.audited().faults;
    ASSERT_EQ(found.size(), 1u) << all_of(found);
    EXPECT_EQ(found[0].kind, FindingKind::inconsistent);
    EXPECT_TRUE(names_lid(found[0].message, a.lid) || names_lid(found[0].message, b.lid)) << found[0].message;
    EXPECT_TRUE(found[0].has_kind(FindingKind::misdelivered));
}

/// The same where tables have no comments: each of the two gets the packets of the other, which is one finding.
TEST(AuditCauses, SwappedLidsOfTwoHostsWithoutComments) {
    Dumps const sound;
    std::string const fdbs = text_of((fixtures() / "opensm/ft2-16/minhop/opensm.fdbs.xz").string());
    Network const net = std::move(sound.audited().fabric->network);
    for (std::size_t other = 1; other < net.hosts().size(); ++other) {
        HostRecord const &a = net[Host{0}], &b = net[Host{other}];
        std::string const lid_a = " lid " + std::to_string(a.lid) + " ", lid_b = " lid " + std::to_string(b.lid) + " ";
        std::string text = replaced(replaced(sound.topology, lid_a, " LID-B "), lid_b, " LID-A ");
        text = replaced(replaced(text, " LID-B ", lid_b), " LID-A ", lid_a);
        Disagreements disagreements(false, kept_disagreements);
        Fabric fabric;
        fabric.network = read_topology(text, disagreements);
        LineReader lines = lines_of_text(fdbs);
        fabric.tables = read_fdbs(lines, fabric.network, disagreements);
        fabric.routed = true;
        std::vector<Finding> found = audit_findings(fabric, disagreements);
        fold_swapped_hosts(fabric, found);
        std::erase_if(found, [](Finding const& f) { return f.kind != FindingKind::misdelivered; });
        ASSERT_EQ(found.size(), 1u) << all_of(found);
        EXPECT_TRUE(found[0].where == port_location(net, a.node, a.port) ||
                    found[0].where == port_location(net, b.node, b.port));
        EXPECT_TRUE(names_lid(found[0].message, a.lid) && names_lid(found[0].message, b.lid)) << found[0].message;
        EXPECT_EQ(found[0].pairs, 30u);
        EXPECT_EQ(found[0].symptoms.size(), 2u);
    }
}

/// Tables of another day: the hosts had other LIDs.
TEST(AuditCauses, TablesOfAnotherDay) {
    Dumps const sound;
    Network const net = std::move(sound.audited().fabric->network);
    Dumps damaged = sound;
    std::string& text = damaged.topology;
    for (std::size_t h = 0; h < 12; ++h) {  // moved up by 100
        std::string const lid = std::to_string(net[Host{h}].lid);
        text = replaced(text, " lid " + lid + " ", " lid 1" + std::string(2 - lid.size(), '0') + lid + " ");
    }
    auto const found = damaged.audited().faults;
    ASSERT_EQ(found.size(), 1u) << all_of(found);
    EXPECT_EQ(found[0].where, "the files");
    EXPECT_NE(found[0].message.find("of two days: 12 LIDs"), std::string::npos) << found[0].message;
    // One table alone: entries for LIDs that nobody owns.
    Dumps one = sound;
    auto const [begin, length] = table_of(one.tables, guid_of(net, Node{0}));
    std::string table = one.tables.substr(begin, length);
    std::string entries;
    for (int lid = 60; lid < 105; ++lid) {
        char line[64];
        std::snprintf(line, sizeof line, "0x%04x 001 # unknown node and type\n", lid);
        entries += line;
    }
    std::size_t const last = table.rfind('\n', table.size() - 2) + 1;
    table.insert(last, entries);
    one.tables.replace(begin, length, table);
    auto const stale = one.audited().faults;
    ASSERT_EQ(stale.size(), 1u) << all_of(stale);
    EXPECT_EQ(stale[0].where, net.describe(Node{0}));
    EXPECT_NE(stale[0].message.find("of another day"), std::string::npos) << stale[0].message;
    EXPECT_EQ(stale[0].symptoms.size(), 45u);
    EXPECT_EQ(stale[0].lids.count(), 45u);
}

/// The two ends of a cable at different rates; one cable at 1xSDR among those of 4xQDR.
TEST(AuditCauses, RatesOfCables) {
    Dumps const sound;
    Network const net = std::move(sound.audited().fabric->network);
    Dumps one_end = sound, slow = sound;
    std::size_t const at = one_end.topology.find("4xQDR");
    ASSERT_NE(at, std::string::npos);
    one_end.topology.replace(at, 5, "4xDDR");
    auto const found = one_end.audited().faults;
    ASSERT_GE(found.size(), 1u);
    EXPECT_EQ(found[0].kind, FindingKind::inconsistent);
    EXPECT_NE(found[0].message.find("4xDDR"), std::string::npos) << found[0].message;
    for (std::size_t l = 0; l < net.links().size(); ++l) {
        LinkRecord const& link = net[Link{l}];
        if (link.reverse < Link{l}) continue;
        NetworkBuilder builder;
        for (NodeRecord const& node : net.nodes()) builder.add_node(node);
        for (HostRecord const& host : net.hosts()) builder.add_host(host);
        for (std::size_t k = 0; k < net.links().size(); ++k) {
            LinkRecord copy = net[Link{k}];
            if (Link{k} == Link{l} || Link{k} == link.reverse) copy.rate = {1, Speed::sdr};
            builder.add_link(copy);
        }
        Disagreements ignored;
        Fabric fabric;
        fabric.network = builder.finish(ignored, "net");
        std::vector<Finding> const degraded = find_odd_cables(fabric);
        ASSERT_EQ(degraded.size(), 1u) << all_of(degraded);
        EXPECT_EQ(degraded[0].kind, FindingKind::degraded);
        EXPECT_EQ(degraded[0].where, port_location(net, link.from, link.from_port));
    }
    EXPECT_TRUE(find_odd_cables(*sound.audited().fabric).empty());
}

/// A base LID that is no multiple of its 2^LMC LIDs, and what that overlaps with.
TEST(AuditCauses, BaseLidsThatTheirLmcDoesNotAllow) {
    Disagreements disagreements;
    Fabric fabric;
    fabric.network = read_topology(replaced(two_leaves, "lid 3 lmc 0", "lid 3 lmc 1"), disagreements);
    fabric.tables = ForwardingTables(fabric.network, 0);
    std::vector<Finding> found = find_inconsistencies(fabric, disagreements);
    fold_causes(found);
    ASSERT_EQ(found.size(), 1u) << all_of(found);
    EXPECT_EQ(found[0].message, "its base LID 3 is not a multiple of 2, the LIDs it has by its LMC");
    ASSERT_EQ(found[0].symptoms.size(), 1u);
    EXPECT_NE(found[0].symptoms[0].message.find("overlaps"), std::string::npos);
}

}  // namespace
}  // namespace tailback::audit_causes_test
