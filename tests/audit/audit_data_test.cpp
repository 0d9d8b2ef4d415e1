// The audit of fabrics that a real subnet manager routed: fates and lengths as an independent reference counted them,
// lengths and destinations of out ports as ibdmchk counts them where it works.
#include "host/audit/audit.hpp"
#include "host/formats/read/roots.hpp"

#include "host/io/line_reader.hpp"
#include "tests/support/programs/opensm_run.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <sstream>

namespace tailback::audit_data_test {
namespace {

using Histogram = std::map<std::uint64_t, std::uint64_t>;

std::vector<OpensmRun> all_runs() {
    std::vector<OpensmRun> runs;
    for (auto const& root : {fixtures() / "opensm", shared_data() / "opensm", shared_data() / "public"})
        for (OpensmRun& run : opensm_runs(root)) runs.push_back(std::move(run));
    return runs;
}

/// The numbers below the line `heading` of ibdmchk's output, up to a line of dashes; none when it is not there.
std::optional<Histogram> ibdmchk_table(std::string const& path, std::string const& section,
                                       std::string const& heading) {
    LineReader lines(open_source(path), path);
    std::string_view line;
    bool in_section = false, in_table = false;
    Histogram table;
    while (lines.next(line)) {
        if (line.find(section) != std::string_view::npos) in_section = true;
        else if (in_section && line.find(heading) != std::string_view::npos) in_table = true;
        else if (in_table) {
            std::istringstream numbers{std::string(line)};
            std::uint64_t value = 0, count = 0;
            if (!(numbers >> value >> count)) return table;
            table[value] = count;
        }
    }
    return std::nullopt;
}

/// As ibdmchk counts: ports towards switches, of switches that any path meets.
Histogram destinations_per_port(Audit const& audit) {
    Network const& net = audit.network();
    auto const is_switch = [&](Node node) { return net[node].kind == NodeKind::switch_node; };
    std::vector<bool> met(net.nodes().size());
    for (std::size_t l = 0; l < net.links().size(); ++l)
        if (audit.all_pairs.destinations[l] > 0) met[net[Link{l}].from.value] = true;
    Histogram table;
    for (std::size_t l = 0; l < net.links().size(); ++l)
        if (LinkRecord const& link = net[Link{l}]; is_switch(link.from) && is_switch(link.to) && met[link.from.value])
            ++table[audit.all_pairs.destinations[l]];
    return table;
}

class AuditData : public testing::TestWithParam<OpensmRun> {};

TEST_P(AuditData, AgreesWithTheReferenceAndIbdmchk) {
    OpensmRun const& run = GetParam();
    Disagreements disagreements;
    Fabric const fabric = run.read(disagreements);
    Audit audit(fabric);
    choose_endpoints(fabric.network, "", true, audit.request);
    audit.request.execution = {.device = DeviceChoice::cpu, .threads = 2};
    audit_routes(audit);
    audit_apart(audit);
    find_faults(audit, disagreements);

    auto const of = [&](std::map<std::string, std::uint64_t> const& words, char const* word) {
        return words.contains(word) ? words.at(word) : 0;
    };
    PairCounts want{0, of(run.pairs, "ok"), of(run.pairs, "noentry") + of(run.pairs, "deadport"), of(run.pairs, "loop"),
                    of(run.pairs, "wrong")};
    want.total = want.delivered + want.unreachable + want.loop + want.misdelivered;
    EXPECT_EQ(audit.all_pairs.pairs, want);
    EXPECT_EQ(audit.pairs(FindingKind::unreachable), want.unreachable);
    EXPECT_EQ(audit.pairs(FindingKind::loop), want.loop);
    EXPECT_EQ(audit.pairs(FindingKind::misdelivered), want.misdelivered);

    std::ifstream file(run.fabric / run.name / "result.json");
    nlohmann::json const reference = nlohmann::json::parse(file)["all_pairs"]["links"];
    Histogram lengths, got;
    for (auto const& [links, pairs] : reference.items()) lengths[std::stoull(links)] = pairs;
    std::uint64_t hops = 0;
    for (std::size_t k = 0; k < audit.all_pairs.hops.size(); ++k)
        if (audit.all_pairs.hops[k] > 0) {
            got[k] = audit.all_pairs.hops[k];
            hops += k * audit.all_pairs.hops[k];
        }
    EXPECT_EQ(got, lengths);
    EXPECT_EQ(audit.balance.hops, hops);  // sum of EFI = sum of lengths

    if (std::optional<std::string> const path = run.path("ibdmchk.out")) {
        if (auto const table = ibdmchk_table(*path, "LFT ROUTE HOP HISTOGRAM", "HOPS NUM-CA-CA-PAIRS")) {
            EXPECT_EQ(got, *table);
        }
        if (auto const table =
                ibdmchk_table(*path, "SWITCH OUT PORT - NUM DLIDS HISTOGRAM", "NUM-DLIDS NUM-SWITCH-PORTS")) {
            EXPECT_EQ(destinations_per_port(audit), *table);
        }
    }
}

/// Kept apart, aggregation nodes are in no pair; with those that meet them the numbers are whole again. Few fabrics
/// have such nodes: every third host is taken for one, too.
TEST_P(AuditData, AggregationNodesApartLeaveNothingOut) {
    Disagreements disagreements;
    Fabric const fabric = GetParam().read(disagreements);
    Audit together(fabric), apart(fabric);
    choose_endpoints(fabric.network, "", true, together.request);
    choose_endpoints(fabric.network, "", false, apart.request);
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < apart.request.hosts.size(); ++h)
        (h % 3 == 1 ? apart.request.apart : hosts).push_back(apart.request.hosts[h]);
    apart.request.hosts = std::move(hosts);
    ASSERT_FALSE(apart.request.apart.empty());
    for (Audit* const audit : {&together, &apart}) {
        audit->request.execution = {.device = DeviceChoice::cpu, .threads = 2};
        audit_routes(*audit);
        audit_apart(*audit);
        find_faults(*audit, disagreements);
    }
    ASSERT_LT(apart.all_pairs.pairs.total, together.all_pairs.pairs.total);
    auto const expect_whole = [&](auto of) {
        EXPECT_EQ(of(apart.all_pairs.pairs) + of(apart.apart_pairs), of(together.all_pairs.pairs));
    };
    expect_whole([](PairCounts const& pairs) { return pairs.total; });
    expect_whole([](PairCounts const& pairs) { return pairs.delivered; });
    expect_whole([](PairCounts const& pairs) { return pairs.unreachable; });
    expect_whole([](PairCounts const& pairs) { return pairs.loop; });
    expect_whole([](PairCounts const& pairs) { return pairs.misdelivered; });
    EXPECT_EQ(apart.pairs(FindingKind::aggregation), apart.apart_pairs.total - apart.apart_pairs.delivered);
}

INSTANTIATE_TEST_SUITE_P(Runs, AuditData, testing::ValuesIn(all_runs()), [](auto const& one) {
    std::string name = one.param.fabric.string().find("fixtures") != std::string::npos ? "fixture_" : "";
    name += one.param.fabric.filename().string() + "_" + one.param.name;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
});

/// OpenSM's up*/down* with the roots it was given turns nowhere from down to up, except where its known weakness is.
TEST(AuditDataShared, RoutesOfUpDownWithItsRootsKeepToIt) {
    if (!shared_data_is_there()) GTEST_SKIP() << "the developers' larger data is not here";
    int looked = 0;
    for (OpensmRun const& run : all_runs()) {
        if (run.name != "updn-roots") continue;
        std::string roots = (run.fabric / "roots.txt").string();
        if (!std::filesystem::exists(roots)) roots += ".xz";
        if (!std::filesystem::exists(roots)) continue;
        Disagreements disagreements;
        Fabric const fabric = run.read(disagreements);
        Audit audit(fabric);
        choose_endpoints(fabric.network, "", false, audit.request);
        audit.request.roots = read_roots(roots, fabric.network);
        audit.request.execution = {.device = DeviceChoice::cpu, .threads = 2};
        audit_routes(audit);
        audit_apart(audit);
        find_faults(audit, disagreements);
        EXPECT_TRUE(audit.updown.asked);
        EXPECT_EQ(audit.all_pairs.down_then_up, 0u) << run.fabric;
        ++looked;
    }
    EXPECT_GT(looked, 3);
}

}  // namespace
}  // namespace tailback::audit_data_test
