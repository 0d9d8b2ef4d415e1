// Tables that can stand still, made free of deadlock by few entries.
#include "host/api/improve/table_search.hpp"

#include "host/audit/deadlock/deadlock.hpp"
#include "host/search/tables/moves.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace tailback::api {

using search::MovableTrees;
using search::Move;
using search::SwitchGraph;
using search::Trees;

namespace {

/// Entries by which a turn of a circle goes to another link.
struct Opening {
    std::vector<Move> moves;
    std::uint64_t waiting = 0;  ///< links in circles behind it
    search::WideCount objective = 0;
    bool operator<(Opening const& other) const {
        return std::tuple(waiting, moves.size(), objective) <
               std::tuple(other.waiting, other.moves.size(), other.objective);
    }
};

/// The entries of targets whose packets come to a switch by one link and go on by the other, each with another arc
/// there, or in the switch before. None where one of them has no other way, or there are more than may be.
std::optional<std::vector<Move>> moves_off(MovableTrees& movable, std::uint32_t in, std::uint32_t out,
                                           std::uint32_t instead, std::uint64_t most_entries) {
    Trees const& trees = movable.trees();
    std::uint32_t const before = trees.graph()[in].from, at = trees.head(in);
    std::vector<Move> moves;
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d) {
        if (trees.arc(d, before) != in || trees.arc(d, at) != out || trees.weight(d, before) == 0) continue;
        Move const move{d, trees.graph()[instead].from, instead};
        if (trees.targets()[d].stays || moves.size() == most_entries || !movable.leads_on(move)) return std::nullopt;
        moves.push_back(move);
    }
    if (moves.empty()) return std::nullopt;
    return moves;
}

void make(MovableTrees& movable, std::vector<Move>& moves) {
    for (Move& move : moves) {
        std::uint32_t const old = movable.trees().arc(move.d, move.v);
        movable.consider(move);
        movable.make();
        move.arc = old;  // the way back
    }
}

std::uint64_t count_links(audit::DeadlockReport const& circles) {
    std::uint64_t links = 0;
    for (audit::DeadlockCycle const& cycle : circles.cycles) links += cycle.component;
    return links;
}

}  // namespace

/// Where packets can wait in a circle on one lane.
audit::DeadlockReport TableSearch::circles_of(Trees const& trees) const {
    std::vector<model::Host> const& hosts = others_are_free() ? everybody_ : hosts_;
    model::Fabric const changed = changed_by(trees);
    return audit::find_deadlocks_on_one_lane(model::Forwarding(changed), hosts, hosts, request_.threads);
}

/// Opens one circle after the other: of all entries that take a turn of it off, and of all links they may lead to
/// instead, those after which the fewest links are in circles; of these the fewest entries, and the fewest collisions.
/// @param most_entries falls by those that changed. @return are they free? Where not, trees may have changed
bool TableSearch::free_by_few(Trees& trees, std::uint64_t& most_entries) const {
    constexpr std::uint64_t most_work = 500'000'000;  // steps of routes: some ten seconds
    std::uint64_t const of_one = trees.entries() * 20;
    std::uint64_t trials = std::max<std::uint64_t>(most_work / std::max<std::uint64_t>(of_one, 1), 20);
    if (request_.lanes > 1) return false;
    auto const stop = kernels::StopWish::now();
    MovableTrees movable(trees);
    for (;;) {
        audit::DeadlockReport const found = circles_of(trees);
        std::uint64_t const now = count_links(found);
        if (now == 0) return is_free(trees);
        auto const tried = [&](std::vector<Move> moves) {
            std::vector<Move> back = moves;
            make(movable, back);
            Opening opening{std::move(moves), count_links(circles_of(trees)), trees.objective()};
            std::reverse(back.begin(), back.end());
            make(movable, back);
            return opening;
        };
        std::optional<Opening> best;
        for (audit::DeadlockCycle const& cycle : found.cycles)
            for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
                std::uint32_t const in = graph_.arc_of(cycle.steps[i].channel.link),
                                    out = graph_.arc_of(cycle.steps[(i + 1) % cycle.steps.size()].channel.link);
                if (in == SwitchGraph::none || out == SwitchGraph::none) continue;
                for (std::uint32_t const v : {trees.head(in), graph_[in].from})
                    for (std::uint32_t a = graph_.first_arc(v); a < graph_.first_arc(v + 1); ++a) {
                        if (a == out || a == in || trials == 0 || stop.asked()) continue;
                        auto moves = moves_off(movable, in, out, a, most_entries);
                        if (!moves) continue;
                        --trials;
                        Opening opening = tried(std::move(*moves));
                        if (opening.waiting < now && (!best || opening < *best)) best = std::move(opening);
                    }
            }
        if (!best) return false;
        most_entries -= best->moves.size();
        make(movable, best->moves);
    }
}

}  // namespace tailback::api
