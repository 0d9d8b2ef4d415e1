#include "host/search/tables/few_changes.hpp"

#include "host/search/tables/moves.hpp"
#include "host/search/tables/rounds.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tailback::search {
namespace {

/// The fewest entries of one target that bring its lost pairs back.
class Mender {
public:
    struct Fix {
        std::uint32_t v, arc;
    };

    explicit Mender(Trees const& trees) : trees_(trees), graph_(trees.graph()) {}

    /// @param arcs of the entries; are changed as the fixes say
    std::vector<Fix> fixes_of(std::uint32_t d, std::vector<std::uint32_t>& arcs, LegalWays const& ways) {
        std::vector<Fix> fixes;
        arrives_.assign(graph_.switches(), 0);
        for (std::uint32_t v = 0; v < graph_.switches(); ++v)
            arrives_[v] = v == trees_.targets()[d].at || trees_.arc(d, v) != Trees::none;
        while (find_lost(d, arcs) && fix_some(d, arcs, ways, fixes)) {
        }
        return fixes;
    }

private:
    /// What each switch that is cut would bring back: its senders, and those whose entries lead to it.
    bool find_lost(std::uint32_t d, std::vector<std::uint32_t> const& arcs) {
        brings_.assign(graph_.switches(), 0);
        bool any = false;
        for (Sender const& sender : trees_.senders_to(d)) {
            if (arrives_[sender.at] != 0 || sender.amount == 0) continue;
            any = true;
            std::uint32_t v = sender.at;
            for (std::uint32_t steps = 0; steps < graph_.switches() && arrives_[v] == 0; ++steps) {
                brings_[v] += sender.amount;
                if (arcs[v] == Trees::none) break;
                v = trees_.head(arcs[v]);
                if (v == sender.at) break;  // round a loop
            }
        }
        return any;
    }
    /// Along legal ways as far as these lead: others may wait in circles.
    bool fix_some(std::uint32_t d, std::vector<std::uint32_t>& arcs, LegalWays const& ways, std::vector<Fix>& fixes) {
        std::vector<std::pair<std::uint64_t, Fix>> found;
        for (bool const legal : {true, false}) {
            if (!found.empty()) break;
            for (std::uint32_t v = 0; v < graph_.switches(); ++v) {
                if (arrives_[v] != 0 || brings_[v] == 0) continue;
                for (std::uint32_t a = graph_.first_arc(v); a < graph_.first_arc(v + 1); ++a)
                    if (arrives_[trees_.head(a)] != 0 && (!legal || ways.allows(trees_.targets()[d].at, a))) {
                        found.push_back({brings_[v], {v, a}});
                        break;
                    }
            }
        }
        std::stable_sort(found.begin(), found.end(), [](auto const& a, auto const& b) { return a.first > b.first; });
        for (auto const& [brings, fix] : found) {
            if (arrives_[fix.v] != 0) continue;  // another fix led it on
            arcs[fix.v] = fix.arc;
            fixes.push_back(fix);
            follow(arcs);
        }
        return !found.empty();
    }
    /// Marks what arrives by now.
    void follow(std::vector<std::uint32_t> const& arcs) {
        for (bool more = true; more;) {
            more = false;
            for (std::uint32_t v = 0; v < graph_.switches(); ++v)
                if (arrives_[v] == 0 && arcs[v] != Trees::none && arrives_[trees_.head(arcs[v])] != 0)
                    arrives_[v] = more = true;
        }
    }

    Trees const& trees_;
    SwitchGraph const& graph_;
    std::vector<std::uint8_t> arrives_;
    std::vector<std::uint64_t> brings_;
};

}  // namespace

std::uint64_t mend(Trees& trees, model::ForwardingTables const& tables, LegalWays const& ways,
                   std::uint64_t most_entries) {
    struct Work {
        double pairs_an_entry;
        std::uint32_t d;
        std::vector<Mender::Fix> fixes;
        bool own;
    };
    std::vector<Work> all;
    Mender mender(trees);
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d) {
        bool const own = trees.own_entry_differs(d, tables);
        std::uint64_t const lost = own ? trees.sent_to(d) : trees.lost_to(d);
        if (lost == 0) continue;
        std::vector<std::uint32_t> arcs = trees.arcs_of_entries(d, tables);
        std::vector<Mender::Fix> fixes = mender.fixes_of(d, arcs, ways);
        if (!own && fixes.empty()) continue;
        all.push_back({double(lost) / double(fixes.size() + std::size_t{own}), d, std::move(fixes), own});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](Work const& a, Work const& b) { return a.pairs_an_entry > b.pairs_an_entry; });
    std::uint64_t entries = 0;
    for (Work const& work : all) {
        if (work.own && entries == most_entries) {
            trees.leave_own_entry(work.d);
            continue;  // without it the others bring nothing
        }
        entries += work.own;
        std::vector<std::uint32_t> arcs = trees.arcs_of_entries(work.d, tables);
        for (Mender::Fix const& fix : work.fixes)
            if (entries < most_entries) {
                arcs[fix.v] = fix.arc;
                ++entries;
            }
        trees.take(work.d, arcs);
    }
    return entries;
}

namespace {

/// What may still change, and what has changed.
class Account {
public:
    Account(Trees const& trees, model::ForwardingTables const& tables, std::uint64_t most_entries)
        : tables_(tables), left_(static_cast<std::int64_t>(std::min<std::uint64_t>(most_entries, INT64_MAX))) {
        for (std::uint32_t d = 0; d < trees.targets().size(); ++d) now_.push_back(count(trees, d));
    }
    std::int64_t more(Trees const& trees, std::uint32_t d) const { return count(trees, d) - now_[d]; }
    bool takes(Trees const& trees, std::uint32_t d) {
        std::int64_t const with = count(trees, d);
        if (with - now_[d] > left_) return false;
        left_ -= with - now_[d];
        now_[d] = with;
        return true;
    }

private:
    std::int64_t count(Trees const& trees, std::uint32_t d) const {
        return static_cast<std::int64_t>(trees.count_differing(d, tables_));
    }
    model::ForwardingTables const& tables_;
    std::int64_t left_;
    std::vector<std::int64_t> now_;
};

/// What is gained by the tree of a target in `after` in place of that in `before`: pairs first.
double with_pairs(Trees const& before, Trees const& after, std::uint32_t d, double gain) {
    if (after.lost_to(d) != before.lost_to(d)) return after.lost_to(d) < before.lost_to(d) ? 1e300 : -1e300;
    return gain;
}

}  // namespace

Trees choose_few(Trees const& before, model::ForwardingTables const& tables, LegalWays const& ways,
                 std::uint64_t most_entries) {
    constexpr int most_passes = 20;  // three or four are enough for most
    auto const stop = kernels::StopWish::now();
    Trees now = before;
    Account account(before, tables, most_entries);
    std::vector<std::uint32_t> all(before.targets().size());
    std::iota(all.begin(), all.end(), 0u);
    for (int pass = 0; pass < most_passes && !stop.asked(); ++pass) {
        std::vector<std::pair<double, std::uint32_t>> ranked;
        choose_trees(now, all, ways, [&](std::uint32_t d, Trees const& chosen, double fall) {
            double const gain = with_pairs(now, chosen, d, fall);
            if (gain > 0) ranked.emplace_back(-gain / double(std::max<std::int64_t>(1, account.more(chosen, d))), d);
            return false;
        });
        std::sort(ranked.begin(), ranked.end());
        std::vector<std::uint32_t> order;
        for (auto const& [rank, d] : ranked) order.push_back(d);
        bool any = false;
        choose_trees(now, order, ways, [&](std::uint32_t d, Trees const& chosen, double fall) {
            bool const takes = with_pairs(now, chosen, d, fall) > 0 && account.takes(chosen, d);
            any = any || takes;
            return takes;
        });
        if (!any) break;
    }
    return now;
}

namespace {

/// Entries that change one by one, of which so many may differ from tables.
class EntryByEntry {
public:
    EntryByEntry(Trees& trees, model::ForwardingTables const& tables, LegalWays const& ways, std::uint64_t most_entries)
        : trees_(trees),
          movable_(trees),
          ways_(ways),
          left_(static_cast<std::int64_t>(std::min<std::uint64_t>(most_entries, INT64_MAX))) {
        for (std::uint32_t d = 0; d < trees.targets().size(); ++d) {
            std::vector<std::uint32_t> const arcs = trees.arcs_of_entries(d, tables);
            as_given_.insert(as_given_.end(), arcs.begin(), arcs.end());
        }
        each_entry([&](std::uint32_t d, std::uint32_t v) {
            movable_.each_move_of(d, v, ways_, [&](Move const&) { ++moves_; });
        });
    }

    void run() {
        constexpr std::uint64_t most_moves = 20'000'000;  // in each pass
        if (moves_ > most_moves) return;
        while (!stop_.asked() && left_ >= 0 && (can_recount() ? make_best_recounted() : make_best_by_link())) {
        }
    }

private:
    struct Choice {
        WideCount change = 0;
        Move move{};
        bool operator<(Choice const& other) const {  // of a heap: the best is its greatest
            if (change != other.change) return change > other.change;
            return std::pair(move.d, move.v) > std::pair(other.move.d, other.move.v);
        }
    };

    template <class Visit>
    void each_entry(Visit const& visit) const {
        for (std::uint32_t d = 0; d < trees_.targets().size(); ++d)
            for (std::uint32_t v = 0; v < trees_.graph().switches() && !trees_.targets()[d].stays; ++v)
                if (trees_.arc(d, v) != Trees::none && trees_.weight(d, v) > 0) visit(d, v);
    }
    std::uint32_t as_given(Move const& move) const {
        return as_given_[std::size_t{move.d} * trees_.graph().switches() + move.v];
    }
    /// How many entries more differ with it: -1, 0 or 1.
    int more_entries(Move const& move) const {
        return int{move.arc != as_given(move)} - int{trees_.arc(move.d, move.v) != as_given(move)};
    }
    bool may(Move const& move) const {
        return more_entries(move) <= left_ && movable_.leads_on(move) && movable_.keeps(move, ways_);
    }
    void make(Move const& move) {
        left_ -= more_entries(move);
        movable_.consider(move);
        movable_.make();
    }
    /// The best of an entry where each link counts by itself; none: no change lowers anything.
    Choice best_of(std::uint32_t d, std::uint32_t v) {
        Choice best;
        movable_.each_move_of(d, v, ways_, [&](Move const& move) {
            if (!may(move)) return;
            movable_.consider(move);
            if (movable_.change() < best.change) best = {movable_.change(), move};
        });
        return best;
    }

    /// Is a recount of everything for every move cheap enough?
    bool can_recount() {
        constexpr std::uint64_t most_steps = 1'000'000'000;  // in all
        std::uint64_t const of_one = trees_.entries() * 4;
        if (trees_.is_by_traffic() || moves_ > (most_steps - recounted_) / of_one) return false;
        recounted_ += moves_ * of_one;
        return true;
    }
    bool make_best_recounted() {
        WideCount const now = trees_.objective();
        Choice best;
        each_entry([&](std::uint32_t d, std::uint32_t v) {
            std::vector<Move> moves;
            movable_.each_move_of(d, v, ways_, [&](Move const& move) {
                if (may(move)) moves.push_back(move);
            });
            Move const back{d, v, trees_.arc(d, v)};
            for (Move const& move : moves) {
                movable_.consider(move);
                movable_.make();
                if (trees_.objective() - now < best.change) best = {trees_.objective() - now, move};
                movable_.consider(back);
                movable_.make();
            }
        });
        if (best.change == 0) return false;
        make(best.move);
        return true;
    }
    /// Looks at all entries, and makes the best changes as long as those that were found then are any good.
    bool make_best_by_link() {
        std::vector<Choice> found;
        each_entry([&](std::uint32_t d, std::uint32_t v) {
            if (Choice const best = best_of(d, v); best.change < 0) found.push_back(best);
        });
        std::make_heap(found.begin(), found.end());
        WideCount const first = found.empty() ? 0 : found.front().change;
        bool any = false;
        while (!found.empty() && found.front().change * 4 <= first && !stop_.asked()) {
            std::pop_heap(found.begin(), found.end());
            Choice const now = best_of(found.back().move.d, found.back().move.v);
            found.pop_back();
            if (now.change == 0) continue;
            if (!found.empty() && found.front().change < now.change) {
                found.push_back(now);
                std::push_heap(found.begin(), found.end());
                continue;
            }
            make(now.move);
            any = true;
        }
        return any;
    }

    Trees& trees_;
    MovableTrees movable_;
    LegalWays const& ways_;
    std::int64_t left_;
    std::vector<std::uint32_t> as_given_;  // [target][switch] arc
    std::uint64_t moves_ = 0, recounted_ = 0;
    kernels::StopWish stop_ = kernels::StopWish::now();
};

}  // namespace

Trees lower_by_entries(Trees const& before, model::ForwardingTables const& tables, LegalWays const& ways,
                       std::uint64_t most_entries) {
    Trees now = before;
    EntryByEntry(now, tables, ways, most_entries).run();
    return now;
}

}  // namespace tailback::search
