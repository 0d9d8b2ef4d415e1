// Whether better tables can go live in any order: where it is said, every mixture of old and new tables of switches
// delivers every LID that both deliver, and has no cycle of links that wait for each other but those that the old
// tables have alone. Mixtures are tried one by one.
#include "host/api/improve/improve.hpp"
#include "host/api/obtain.hpp"

#include "host/model/tables.hpp"
#include "tests/support/programs/dumped_fabric.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tailback::rollout_test {
namespace {

using Channel = std::pair<std::size_t, Port>;  // a switch, and the port by which it sends

/// Old tables of switches, new ones of those in `updated`.
class Mixture {
public:
    Mixture(Fabric const& before, Fabric const& after, std::set<std::size_t> updated)
        : before_(before), after_(after), updated_(std::move(updated)) {}

    /// Every host to every LID of every other, one after the other: which of these pairs arrive.
    std::vector<bool> arrivals() {
        Network const& net = before_.network;
        std::vector<bool> all;
        for (std::size_t from = 0; from < net.hosts().size(); ++from)
            for (std::size_t to = 0; to < net.hosts().size(); ++to)
                for (Lid more = 0; from != to && more < Lid{1} << net[Host{to}].lmc; ++more)
                    all.push_back(walks(Host{from}, Host{to}, net[Host{to}].lid + more));
        return all;
    }
    /// Of the links that what has been walked waits for: with one that is not waited for there in the other mixture.
    bool have_a_cycle_beyond(Mixture const& other) const {
        for (auto const& [channel, waited] : waits_)
            for (Channel const& next : waited) {
                auto const there = other.waits_.find(channel);
                bool const is_there = there != other.waits_.end() && there->second.contains(next);
                if (!is_there && leads_to(next, channel)) return true;
            }
        return false;
    }

private:
    Port port(Node at, Lid lid) const { return (updated_.contains(at.value) ? after_ : before_).tables.port(at, lid); }
    /// What is behind a port; none where nothing is plugged in.
    Node behind(Node at, Port port) const {
        Link const link = port == ForwardingTables::no_entry ? Link{} : before_.network.link_at(at, port);
        return link.exists() ? before_.network[link].to : Node{};
    }
    bool walks(Host from, Host to, Lid lid) {
        Node at = behind(before_.network[from].node, before_.network[from].port);
        std::optional<Channel> last;
        for (std::size_t steps = 0; steps <= before_.network.nodes().size(); ++steps) {
            Port const next = port(at, lid);
            Node const there = behind(at, next);
            if (!there.exists()) return false;
            if (there == before_.network[to].node) return true;
            Channel const channel{at.value, next};
            if (last) waits_[*last].insert(channel);
            last = channel;
            at = there;
        }
        return false;  // a loop
    }
    bool leads_to(Channel const& start, Channel const& end) const {
        std::set<Channel> met = {start};
        std::vector<Channel> next = {start};
        while (!next.empty()) {
            if (next.back() == end) return true;
            auto const at = waits_.find(next.back());
            next.pop_back();
            if (at == waits_.end()) continue;
            for (Channel const& channel : at->second)
                if (met.insert(channel).second) next.push_back(channel);
        }
        return false;
    }

    Fabric const& before_;
    Fabric const& after_;
    std::set<std::size_t> updated_;
    std::map<Channel, std::set<Channel>> waits_;
};

std::vector<std::size_t> changed_switches(Fabric const& before, Fabric const& after) {
    std::vector<std::size_t> changed;
    for (std::size_t n = 0; n < before.network.nodes().size(); ++n) {
        if (!before.network.is_switch(Node{n})) continue;
        bool differs = false;
        for (Lid lid = 1; lid < after.tables.lids(); ++lid)
            differs = differs || before.tables.port(Node{n}, lid) != after.tables.port(Node{n}, lid);
        if (differs) changed.push_back(n);
    }
    return changed;
}

/// All mixtures of whole switches.
void expect_safe(Fabric const& before, Fabric const& after, std::string const& what) {
    std::vector<std::size_t> const changed = changed_switches(before, after);
    Mixture old(before, after, {});
    std::vector<bool> const by_old = old.arrivals(),
                            by_new = Mixture(before, after, {changed.begin(), changed.end()}).arrivals();
    for (std::size_t some = 0; some < std::size_t{1} << changed.size(); ++some) {
        std::set<std::size_t> updated;
        for (std::size_t i = 0; i < changed.size(); ++i)
            if ((some >> i & 1) != 0) updated.insert(changed[i]);
        Mixture mixture(before, after, updated);
        std::vector<bool> const arrive = mixture.arrivals();
        for (std::size_t pair = 0; pair < arrive.size(); ++pair)
            EXPECT_TRUE(arrive[pair] || !by_old[pair] || !by_new[pair]) << what << ", mixture " << some;
        EXPECT_FALSE(mixture.have_a_cycle_beyond(old)) << what << ", mixture " << some;
    }
}

ImproveRequest quick(std::string const& network) {
    ImproveRequest request;
    request.network = NetworkChoice(network);
    request.objective = ImproveObjective::max_load;
    request.moves = 5000;
    request.trials = 10;
    request.threads = 1;
    return request;
}

TEST(Rollout, InAnyOrderIsSafeForAllMixtures) {
    std::size_t any_order = 0;
    for (unsigned lmc : {0u, 1u, 2u})
        for (unsigned seed = 1; seed <= 12; ++seed) {
            ImproveRequest request = quick(fmt::format("jellyfish:switches=7,degree=4,hosts=1,seed={}", seed));
            request.network.routing.emplace(seed % 2 == 0 ? "updn" : "sssp", 1);
            request.network.lmc = static_cast<std::uint8_t>(lmc);
            Improvement const found(request, {});
            if (found.report().rollout != Rollout::any_order) continue;
            ++any_order;
            expect_safe(found.report().before, found.fabric(), fmt::format("LMC {}, seed {}", lmc, seed));
        }
    EXPECT_GT(any_order, 10u);
}

/// Tables with holes and detours: what they lose already may stay lost in between, and nothing else.
TEST(Rollout, OfTablesThatLosePairsIsSafeForWhatTheyDeliver) {
    std::size_t any_order = 0;
    std::uint32_t word = 3;
    auto const draw = [&](std::size_t below) {
        word = word * 1664525u + 1013904223u;
        return std::uint32_t((std::uint64_t{word} * below) >> 32);
    };
    for (unsigned seed = 1; seed <= 40; ++seed) {
        ImproveRequest make = quick(fmt::format("jellyfish:switches=7,degree=4,hosts=1,seed={}", seed));
        make.network.routing.emplace("updn", 1);
        Fabric broken = obtain({.network = make.network, .wanted = Wanted::tables}, {});
        std::vector<Node> switches;
        for (std::size_t n = 0; n < broken.network.nodes().size(); ++n)
            if (broken.network.is_switch(Node{n})) switches.push_back(Node{n});
        for (unsigned i = 0; i < 1 + seed % 4; ++i)
            broken.tables.set(switches[draw(switches.size())], broken.network[Host{draw(7)}].lid,
                              draw(3) == 0 ? Port(1 + draw(4)) : ForwardingTables::no_entry);
        DumpedFabric const dumps(broken);
        ImproveRequest request = quick(dumps.network());
        request.network.tables = dumps.tables();
        request.changes = seed % 3 == 0 ? 100 : seed % 7;
        Improvement const found(request, {});
        if (found.report().was.undelivered == 0 || found.report().rollout != Rollout::any_order) continue;
        ++any_order;
        expect_safe(found.report().before, found.fabric(), fmt::format("seed {}", seed));
    }
    EXPECT_GT(any_order, 5u);
}

/// Tables with loops, of which few entries are put right: a loop that is there is not held against the change.
TEST(Rollout, OfTablesWithLoopsIsSafeForWhatTheyDeliver) {
    std::size_t any_order = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        ImproveRequest make = quick(fmt::format("jellyfish:switches=7,degree=4,hosts=1,seed={}", seed));
        make.network.routing.emplace("updn", 1);
        Fabric broken = obtain({.network = make.network, .wanted = Wanted::tables}, {});
        Network const& net = broken.network;
        Host const to{seed % net.hosts().size()};
        Node const end = net[net.link_at(net[to].node, net[to].port)].to;
        for (LinkRecord const& link : net.links()) {  // two neighbours that send to each other
            if (!net.is_switch(link.from) || !net.is_switch(link.to) || link.from == end || link.to == end) continue;
            broken.tables.set(link.from, net[to].lid, link.from_port);
            broken.tables.set(link.to, net[to].lid, link.to_port);
            break;
        }
        DumpedFabric const dumps(broken);
        ImproveRequest request = quick(dumps.network());
        request.network.tables = dumps.tables();
        request.changes = 1 + seed % 3;
        Improvement const found(request, {});
        if (found.report().outcome != ImproveOutcome::improved) continue;
        if (found.report().rollout != Rollout::any_order) continue;
        ++any_order;
        expect_safe(found.report().before, found.fabric(), fmt::format("seed {}", seed));
    }
    EXPECT_GT(any_order, 5u);
}

}  // namespace
}  // namespace tailback::rollout_test
