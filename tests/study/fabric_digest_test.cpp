// The digest of a fabric. Definition: two fabrics have one digest where a study can see nothing that differs: nodes,
// endpoints, cables, entries of tables, sets of ports among which switches choose and how they choose; of IP fabrics
// addresses, how each switch hashes, LAGs and those of their members that carry nothing. A checkpoint of the one is
// none of the other.
#include "host/study/fabric_digest.hpp"

#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routes/ip_plan.hpp"
#include "tests/support/networks/routed_by_tables.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace tailback::fabric_digest_test {
namespace {

Node const first_switch{0};

/// Ports 1 and 2 of one switch are a set for LID 3, as often as their weights say.
std::shared_ptr<CandidateSets const> sets(std::vector<Port> const& ports, LidState state = LidState::hashed,
                                          ChosenBy by = ChosenBy::hash, Lid lid = 3) {
    CandidateSets made(8, 8, "sets", by);
    made.add_row(first_switch);
    made.set(first_switch, lid, state, made.group_of(first_switch, ports));
    return std::make_shared<CandidateSets const>(std::move(made));
}

std::shared_ptr<IpPlan> plan() {
    IpPlan made;
    made.address = {1, 2, 3};
    made.seed = {77, std::nullopt};
    made.policy = {LinuxHashPolicy::layer4, std::nullopt};
    made.lags.add(first_switch, {1, 2});
    return std::make_shared<IpPlan>(std::move(made));
}

TEST(FabricDigest, WhateverAStudySeesOfChoicesAndHashesIsInIt) {
    Fabric const fabric = routed_by_tables("kary-ntree:k=2,n=2", "dmodk");
    using Change = std::function<void(Fabric&)>;
    auto const with_plan = [](std::function<void(IpPlan&)> const& change) -> Change {
        return [change](Fabric& f) {
            auto const changed = plan();
            change(*changed);
            f.candidates = sets({1, 2});
            f.ip = changed;
        };
    };
    std::vector<Change> const changes = {
        [](Fabric&) {},
        [](Fabric& f) {
            f.candidates = sets({1, 2});
        },
        [](Fabric& f) {
            f.candidates = sets({2, 1});
        },  // a hash counts them in their order
        [](Fabric& f) {
            f.candidates = sets({1, 2, 2});
        },  // weights
        [](Fabric& f) {
            f.candidates = sets({1, 2}, LidState::free);
        },
        [](Fabric& f) {
            f.candidates = sets({1, 2}, LidState::hashed, ChosenBy::switches);
        },
        [](Fabric& f) {
            f.candidates = sets({1, 2}, LidState::hashed, ChosenBy::hash, 4);
        },
        with_plan([](IpPlan&) {}),
        with_plan([](IpPlan& ip) { ip.address[1] = 9; }),
        with_plan([](IpPlan& ip) { ip.seed[0] = 78; }),
        with_plan([](IpPlan& ip) {
            ip.seed = {std::nullopt, 77};
        }),
        with_plan([](IpPlan& ip) { ip.policy[0] = LinuxHashPolicy::layer3; }),
        with_plan([](IpPlan& ip) {
            ip.policy[0] = LinuxHashPolicy{LinuxHashPolicy::layer4.fields, true};
        }),
        with_plan([](IpPlan& ip) {
            ip.lags.add(Node{1}, {3, 4});
        }),
        with_plan([](IpPlan& ip) {
            ip.idle.push_back({first_switch, 2, "is a backup"});
        }),
    };
    std::set<std::string> digests;
    for (std::size_t k = 0; k < changes.size(); ++k) {
        Fabric changed = fabric, again = fabric;
        changes[k](changed);
        changes[k](again);
        EXPECT_EQ(digest(changed), digest(again)) << k;
        EXPECT_TRUE(digests.insert(digest(changed)).second) << k;
    }
}

}  // namespace
}  // namespace tailback::fabric_digest_test
