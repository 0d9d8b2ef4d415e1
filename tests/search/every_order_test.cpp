// Eight ranks on eight places of twelve families: what `place` finds by each of its goals is the best of all 40,320
// orders, by an oracle that shares no code with it; and no bound that it tells passes that.
#include "tests/support/oracle/every_order.hpp"
#include "host/api/ranks/rank_orders.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <map>

namespace tailback::every_order_test {
namespace {

constexpr std::uint32_t ranks = 8;

struct Family {
    char const* spec;
    std::uint32_t ranks_per_node = 1;
};
constexpr Family families[] = {{"xgft:m=4x2,w=1x2"},
                               {"xgft:m=2x2x2,w=1x2x1"},
                               {"torus:4x2"},
                               {"mesh:4x2"},
                               {"ring:8"},
                               {"hypercube:3"},
                               {"dragonfly:a=2,p=2,h=1"},
                               {"hyperx:4x2"},
                               {"jellyfish:switches=8,degree=3,hosts=1,seed=2"},
                               {"slimfly:q=5"},
                               {"polarfly:q=3"},
                               {"torus:2x2", 2}};

/// Two levels of drawn flows, as a file of a pattern.
struct DrawnFlows {
    explicit DrawnFlows(Dice& dice) : levels(2) {
        for (auto& level : levels) {
            text += text.empty() ? "" : "level\n";
            for (int f = 0; f < 9; ++f) {
                std::uint32_t const a = dice(ranks), b = dice(ranks);
                if (a == b) continue;
                double const weight = 1 + dice(5);
                level.push_back({a, b, weight});
                text += std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(int(weight)) + "\n";
            }
        }
    }
    std::vector<std::vector<oracle::WeighedFlow>> levels;
    std::string text;
};

RankOrderChoice choice_of(Family const& family, std::string const& flows, OrderGoal goal, char const* routing) {
    RankOrderChoice choice;
    choice.study.network = NetworkChoice(family.spec);
    choice.study.network.form = RoutesForm::tables;
    if (routing != nullptr) choice.study.network.routing.emplace(routing);
    choice.study.pattern_file = flows;
    choice.study.study.traffic.pattern = listed_pattern;
    choice.study.study.placement.mapping = MappingKind::listed;
    choice.study.study.placement.ranks = ranks;
    choice.study.placement.order.emplace();
    choice.study.placement.ranks_per_node = family.ranks_per_node;
    for (std::uint32_t node = 0; node < ranks / family.ranks_per_node; ++node)
        choice.study.placement.among.push_back(node);
    choice.goal = goal;
    choice.racks = "name:[02468]$";  // a rack for each last digit that is even, and one for the others
    choice.search.moves = is_scored(goal) ? 500'000 : 40'000;
    choice.random_orders = 0;
    return choice;
}

/// Where the flows between the places go: by the tables, or, with candidate sets, in equal parts at every switch.
oracle::OrdersQuestion question_of(OrdersReport const& found, Family const& family, DrawnFlows const& flows) {
    Network const& network = found.fabric->network;
    oracle::OrdersQuestion question;
    question.ranks = ranks;
    question.levels = flows.levels;
    question.links = static_cast<std::uint32_t>(network.links().size());
    question.ways.assign(ranks, std::vector<std::vector<oracle::PartOnLink>>(ranks));
    CandidateSets const* const sets = found.fabric->candidates.get();
    auto const host_of = [&](std::uint32_t place) { return place / family.ranks_per_node; };
    for (std::uint32_t place = 0; place < ranks; ++place) {
        Host const host{host_of(place)};
        std::string const& name = network[network[host].node].name;
        question.node.push_back(host.value);
        question.leaf.push_back(network[network.up_link(host)].to.value);
        question.rack.push_back((name.back() - '0') % 2 == 0 ? static_cast<std::uint32_t>(name.back()) : 0);
    }
    for (std::uint32_t a = 0; a < ranks; ++a)
        for (std::uint32_t b = 0; b < ranks; ++b) {
            if (host_of(a) == host_of(b)) continue;
            if (sets == nullptr) {
                for (std::uint32_t const link :
                     oracle::walk(network, found.fabric->tables, host_of(a), host_of(b)).links)
                    question.ways[a][b].push_back({link, 1});
                continue;
            }
            std::map<std::uint32_t, double> parts;
            Lid const lid = network[Host{host_of(b)}].lid;
            std::function<void(Node, double)> const divide = [&](Node at, double part) {
                if (network.owner(lid).node == at) return;
                std::vector<Port> ports;
                auto const group = sets->group(at, lid);
                if (group == CandidateSets::no_group) ports = {found.fabric->tables.port(at, lid)};
                else ports.assign(sets->ports(at, group).begin(), sets->ports(at, group).end());
                for (Port const port : ports) {
                    Link const link = network.link_at(at, port);
                    parts[link.value] += part / double(ports.size());
                    divide(network[link].to, part / double(ports.size()));
                }
            };
            Link const up = network.up_link(Host{host_of(a)});
            parts[up.value] += 1;
            divide(network[up].to, 1);
            for (auto const& [link, part] : parts) question.ways[a][b].push_back({link, part});
        }
    return question;
}

TEST(EveryOrder, NoneIsBetterThanWhatIsFound) {
    TemporaryFolder const folder;
    Dice dice;
    for (Family const& family : families) {
        SCOPED_TRACE(family.spec);
        DrawnFlows const flows(dice);
        std::string const file = folder.write("flows", flows.text);
        std::optional<oracle::BestOfOrders> best;
        for (OrderGoal const goal :
             {OrderGoal::time, OrderGoal::load, OrderGoal::hop_bytes, OrderGoal::leaf_bytes, OrderGoal::rack_bytes,
              OrderGoal::node_bytes, OrderGoal::rate, OrderGoal::makespan, OrderGoal::completion_time}) {
            SCOPED_TRACE(name_of(goal));
            OrdersReport const found = find_rank_order(choice_of(family, file, goal, nullptr), {});
            if (!best) best = best_of_all_orders(question_of(found, family, flows), true);
            double const least = goal == OrderGoal::time         ? best->time
                                 : goal == OrderGoal::load       ? best->load
                                 : goal == OrderGoal::hop_bytes  ? best->hop_bytes
                                 : goal == OrderGoal::leaf_bytes ? best->leaf_bytes
                                 : goal == OrderGoal::rack_bytes ? best->rack_bytes
                                 : goal == OrderGoal::node_bytes ? best->node_bytes
                                 : goal == OrderGoal::rate       ? best->rate
                                 : goal == OrderGoal::makespan   ? best->makespan
                                                                 : best->completion_time;
            EXPECT_NEAR(found.found().value, least, 1e-6 * least);
            if (found.bound == 0) continue;
            double const bound = found.bound;
            if (more_is_better(goal)) EXPECT_GE(bound, least * (1 - 1e-6));
            else EXPECT_LE(bound, least * (1 + 1e-6));
        }
    }
}

TEST(EveryOrder, NoneIsBetterUnderAdaptiveRouting) {
    TemporaryFolder const folder;
    Dice dice;
    for (Family const& family : families) {
        SCOPED_TRACE(family.spec);
        DrawnFlows const flows(dice);
        OrdersReport const found = find_rank_order(
            choice_of(family, folder.write("flows", flows.text), OrderGoal::adaptive, "ar:minimal"), {});
        oracle::BestOfOrders const best = best_of_all_orders(question_of(found, family, flows), false);
        EXPECT_NEAR(found.found().value, best.time, 1e-6 * best.time);
        EXPECT_GT(found.bound, 0);
        EXPECT_LE(found.bound, best.time * (1 + 1e-6));
    }
}

}  // namespace
}  // namespace tailback::every_order_test
