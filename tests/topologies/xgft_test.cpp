// XGFT: sizes by definition, D-mod-K routes delivered and minimal, edge forwarding indices by the closed forms.
#include "topologies/families/xgft.hpp"

#include "host/audit/loads/edge_forwarding_index.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <map>

namespace tailback::xgft_test {
namespace {

/// Links of a shortest route between hosts a and b (from 0): up to the lowest common subtree and down again.
std::size_t minimal_hops(XgftSpec const& spec, std::size_t a, std::size_t b) {
    std::size_t hops = 0;
    for (std::uint32_t const m : spec.children) {
        if (a == b) break;
        a /= m;
        b /= m;
        hops += 2;
    }
    return hops;
}

/// Traces all ordered pairs; returns pairs by hop count.
std::map<std::size_t, std::size_t> all_pairs(XgftSpec const& spec, Fabric const& fabric) {
    std::map<std::size_t, std::size_t> pairs;
    std::size_t const hosts = fabric.network.hosts().size();
    for (std::size_t s = 0; s < hosts; ++s)
        for (std::size_t d = 0; d < hosts; ++d) {
            if (s == d) continue;
            Route const route = trace_from_host(fabric, Host{s}, fabric.network[Host{d}].lid);
            EXPECT_EQ(route.fate, Fate::delivered) << s << " " << d;
            EXPECT_EQ(route.end, fabric.network[Host{d}].node);
            EXPECT_EQ(route.links.size(), minimal_hops(spec, s, d)) << s << " " << d;
            ++pairs[route.links.size()];
        }
    return pairs;
}

void expect_cables_whole(Network const& net) {
    for (LinkRecord const& link : net.links()) {
        ASSERT_TRUE(link.reverse.exists());
        EXPECT_EQ(net[link.reverse].to, link.from);
        EXPECT_EQ(net[link.reverse].from_port, link.to_port);
    }
}

TEST(Xgft, TwoLevelTreesHaveTheClosedFormIndexOnEveryLinkBetweenLevels) {
    struct Case {
        std::uint32_t d, leaves;
        std::uint64_t index;
    };
    for (Case const c : {Case{8, 16, 120}, Case{18, 36, 630}, Case{1, 5, 4}, Case{3, 2, 3}}) {
        XgftSpec const spec{{c.d, c.leaves}, {1, c.d}};
        Fabric const fabric = make_xgft(spec);
        Network const& net = fabric.network;
        std::uint64_t const hosts = c.d * c.leaves;
        EXPECT_EQ(net.hosts().size(), hosts);
        EXPECT_EQ(net.switches(), c.leaves + c.d);
        EXPECT_EQ(net.links().size(), 2 * (hosts + c.leaves * c.d));
        std::vector<std::uint64_t> const load = edge_forwarding_index(fabric);
        for (std::size_t l = 0; l < net.links().size(); ++l) {
            LinkRecord const& link = net[Link{l}];
            bool const between =
                net[link.from].kind == NodeKind::switch_node && net[link.to].kind == NodeKind::switch_node;
            EXPECT_EQ(load[l], between ? c.index : hosts - 1);  // = d(L-1) between levels
        }
    }
}

TEST(Xgft, SixHundredFortyEightHosts) {
    XgftSpec const spec{{18, 36}, {1, 18}};
    Fabric const fabric = make_xgft(spec);
    auto const pairs = all_pairs(spec, fabric);
    EXPECT_EQ(pairs, (std::map<std::size_t, std::size_t>{{2, 11016}, {4, 408240}}));
    EXPECT_EQ(fabric.network[fabric.network.node_by_name("H648")].kind, NodeKind::adapter);
    EXPECT_EQ(fabric.network[fabric.network.node_by_name("S1_35")].lid, 648u + 36u);
    EXPECT_EQ(fabric.network[fabric.network.node_by_name("S2_17")].lid, 648u + 54u);
    EXPECT_EQ(spec.text(), "XGFT(2;18,36;1,18)");
}

TEST(Xgft, SizesAndRoutesOfManyShapes) {
    std::vector<XgftSpec> const specs = {
        {{4}, {1}},                    // one switch
        {{2, 2, 2, 2}, {1, 2, 2, 2}},  // 2-ary 4-tree
        {{4, 4}, {1, 4}},              // 4-ary 2-tree
        {{3, 4, 5}, {1, 2, 3}},        // tapered, no two numbers alike
        {{2, 3, 2}, {1, 5, 4}},        // more parents than children
        {{2, 3, 4}, {1, 1, 1}},        // a plain tree
        {{1, 1, 6}, {1, 3, 2}},        // chains
        {{4, 3, 3}, {1, 4, 3}, 31},    // last hosts dropped
    };
    for (XgftSpec const& spec : specs) {
        SCOPED_TRACE(spec.text());
        Fabric const fabric = make_xgft(spec);
        std::size_t const h = spec.children.size();
        std::size_t hosts = 1, switches = 0, cables = 0;
        for (std::size_t i = 0; i <= h; ++i) {
            std::size_t nodes = 1;
            for (std::size_t j = 0; j < h; ++j) nodes *= j < i ? spec.parents[j] : spec.children[j];
            if (i == 0) hosts = nodes;
            else switches += nodes;
            if (i >= 1 && i < h) cables += nodes * spec.parents[i];
        }
        if (spec.hosts != 0) hosts = spec.hosts;
        EXPECT_EQ(fabric.network.hosts().size(), hosts);
        EXPECT_EQ(fabric.network.switches(), switches);
        EXPECT_EQ(fabric.network.links().size(), 2 * (cables + hosts));
        expect_cables_whole(fabric.network);
        all_pairs(spec, fabric);
    }
}

TEST(Xgft, MPortNTreeSizes) {  // XGFT(n; m/2, .., m/2, m; 1, m/2, ..): m(m/2)^(n-1) hosts, (2n-1)(m/2)^(n-1) switches
    Fabric const small = make_xgft({{2, 2, 4}, {1, 2, 2}});
    EXPECT_EQ(small.network.hosts().size(), 16u);
    EXPECT_EQ(small.network.switches(), 20u);
    Fabric const eight = make_xgft({{4, 4, 8}, {1, 4, 4}});
    EXPECT_EQ(eight.network.hosts().size(), 128u);
    EXPECT_EQ(eight.network.switches(), 80u);
}

TEST(Xgft, LargeTree) {
    Fabric const fabric = make_xgft({{18, 18, 36}, {1, 18, 18}});
    EXPECT_EQ(fabric.network.hosts().size(), 11664u);
    EXPECT_EQ(fabric.network.switches(), 648u + 648u + 324u);
    Route const far = trace_from_host(fabric, Host{0}, 11664);
    EXPECT_EQ(far.fate, Fate::delivered);
    EXPECT_EQ(far.links.size(), 6u);
    // Sum over links = sum over pairs of hops; and every up and down link of a full tree is used equally.
    std::uint64_t sum = 0;
    for (std::uint64_t const load : edge_forwarding_index(fabric)) sum += load;
    std::uint64_t const n = 11664;
    EXPECT_EQ(sum, n * (17 * 2 + (324 - 18) * 4 + (n - 324) * 6));
}

TEST(Xgft, RefusesWhatIsNoTree) {
    for (XgftSpec const& spec : std::vector<XgftSpec>{{{}, {}},
                                                      {{2, 2}, {1}},
                                                      {{2, 0}, {1, 2}},
                                                      {{2, 2}, {1, 2}, 5},
                                                      {{4096, 4096, 4096}, {1, 1, 1}},
                                                      {{70000}, {1}},
                                                      {{0xFFFFFFFF, 0xFFFFFFFF}, {1, 0xFFFFFFFF}}})
        EXPECT_THROW(make_xgft(spec), InputError) << spec.text();
}

}  // namespace
}  // namespace tailback::xgft_test
