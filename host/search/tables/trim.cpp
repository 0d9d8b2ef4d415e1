#include "host/search/tables/trim.hpp"

#include "host/search/tables/turns.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

namespace tailback::search {
namespace {

class Trimmer {
public:
    Trimmer(MovableTrees& movable, LegalWays const& legal, TrimWishes const& wishes)
        : movable_(movable),
          trees_(movable.trees()),
          legal_(legal),
          wishes_(wishes),
          turns_(movable.trees()),
          begun_(trees_.is_by_traffic() ? movable.objective() : shared_squares(trees_) / 2),
          collisions_(begun_) {
        allow(wishes.most_collisions);
    }

    std::uint64_t entries() const { return entries_; }
    std::size_t steps() const { return kept_.size(); }
    /// Of the collisions that were there, from now on.
    void allow(double most_collisions) { limit_ = begun_ + WideCount(std::max(0.0, double(begun_) * most_collisions)); }
    /// Undoes all but so many steps.
    void go_back_to(std::size_t steps) {
        for (; kept_.size() > steps; kept_.pop_back()) {
            entries_ -= kept_.back().size();
            undo(kept_.back());
        }
    }

    /// False when it did not lower the largest load: nothing is changed then. @param is_sparing what cannot be relieved
    /// sets the end for the others
    bool step(std::uint64_t end, bool is_sparing) {
        end_ = end;
        std::uint64_t const before = trees_.largest_priced_load();
        double const collisions = double(collisions_);
        made_.clear();
        std::priority_queue<std::pair<std::uint64_t, std::uint32_t>> hot;
        for (std::uint32_t a = 0; a < trees_.loads().size(); ++a)
            if (priced(a) > end_) hot.emplace(priced(a), a);
        while (!hot.empty()) {
            auto const [load, arc] = hot.top();
            hot.pop();
            if (priced(arc) != load) {  // it was relieved, or has more
                if (priced(arc) > end_) hot.emplace(priced(arc), arc);
                continue;
            }
            if (load <= end_) break;
            if (!relieve(arc) && load == before) break;                // the largest load stays
            if (is_sparing && priced(arc) > end_) end_ = priced(arc);  // lower than that one, others bring nothing
        }
        double const fall = 1 - double(trees_.largest_priced_load()) / double(before);
        double const rise = collisions > 0 ? double(collisions_) / collisions - 1 : 0;
        if (fall > 0 && (fall >= least_worth * rise || wishes_.at_any_price)) {
            entries_ += made_.size();
            kept_.push_back(std::move(made_));
            return true;
        }
        undo(made_);
        return false;
    }

private:
    static constexpr double look_at = 4;      // times as many entries as it takes
    static constexpr double least_worth = 2;  // by how many times more loads fall than collisions rise, as parts

    struct Candidate {
        double rank;  // the lowest first: change of collisions for each flow that is moved, or of excess
        std::uint32_t d, v, arc;
    };
    std::uint64_t priced(std::uint32_t arc) const { return trees_.load(arc) * trees_.cost(arc); }
    double excess(std::uint64_t priced) const {
        double const over = priced > end_ ? double(priced - end_) : 0.0;
        return over * over;
    }
    /// By the move that is considered.
    double change_of_excess() const {
        double sum = 0;
        movable_.each_arc([&](std::uint32_t arc, std::int64_t more) {
            auto const after = static_cast<std::uint64_t>(std::int64_t(trees_.load(arc)) + more) * trees_.cost(arc);
            sum += excess(after) - excess(priced(arc));
        });
        return sum;
    }
    /// The last first. @param moves with the arcs that were there
    void undo(std::vector<Move>& moves) {
        for (; !moves.empty(); moves.pop_back()) {
            relief_of(moves.back());
            price();
            make();
        }
    }
    bool fits(std::uint32_t arc, std::uint32_t weight) const {
        return (trees_.load(arc) + weight) * trees_.cost(arc) <= end_;
    }
    bool may_make() const { return entries_ + made_.size() < wishes_.most_entries && collisions_ + change_ <= limit_; }
    /// Looks at where a move takes flows from and brings them to. @return the change of excess
    double relief_of(Move const& move) {
        movable_.prepare(move, plan_);
        movable_.take(plan_);
        return change_of_excess();
    }
    /// Sets `change_` of the move that was looked at last.
    void price() {
        if (trees_.is_by_traffic()) movable_.price();
        change_ = trees_.is_by_traffic() ? movable_.change() : change_of_shared();
    }
    void make() {
        if (!trees_.is_by_traffic()) movable_.price();
        each_change([&](std::uint32_t arc, std::uint32_t then, std::int64_t more, std::uint32_t) {
            if (then != SwitchGraph::none) turns_.add(arc, then, more);
        });
        movable_.make();
        collisions_ += change_;
    }
    /// Half of `shared_squares` by the move that is considered: for each flow more, what others have there.
    WideCount change_of_shared() const {
        WideCount sum = 0;
        each_change([&](std::uint32_t arc, std::uint32_t then, std::int64_t more, std::uint32_t own) {
            if (then == SwitchGraph::none) sum += WideCount(more) * (trees_.load(arc) - own) * trees_.cost(arc);
            else sum -= WideCount(more) * (turns_.priced(arc, then) - std::uint64_t{own} * turns_.cost(arc, then));
        });
        return sum;
    }
    /// Calls `visit(arc, then, flows more, what the tree carries there)` for every link (`then` = none) and turn whose
    /// load the move that is considered changes.
    template <class Visit>
    void each_change(Visit&& visit) const {
        Move const& move = movable_.considered();
        auto const moved = std::int64_t(movable_.moved());
        for (auto const& change : {std::pair(movable_.leaves(), -1), std::pair(movable_.joins(), 1)}) {
            auto const& steps = change.first;
            int const sign = change.second;
            movable_.each_child(move.d, move.v, [&](std::uint32_t child) {
                std::uint32_t const flows = trees_.weight(move.d, child);
                if (flows > 0)
                    visit(trees_.arc(move.d, child), steps.front().arc, sign * std::int64_t(flows),
                          sign < 0 ? flows : 0);
            });
            for (std::size_t i = 0; i < steps.size(); ++i) {
                visit(steps[i].arc, SwitchGraph::none, sign * moved, steps[i].own);
                std::uint32_t const head = trees_.head(steps[i].arc);
                if (head == trees_.targets()[move.d].at) continue;
                std::uint32_t const then = i + 1 < steps.size() ? steps[i + 1].arc : trees_.arc(move.d, head);
                visit(steps[i].arc, then, sign * moved, steps[i].own);
            }
        }
    }

    /// An arc that is allowed; what is made meanwhile changes that where ways are not the shortest.
    bool may_lead(Move const& move) const { return movable_.leads_on(move) && movable_.keeps(move, legal_); }

    /// Some of the entries over a link at first, several times as many as it has to be rid of; more of them where these
    /// do not suffice. False: its load stays.
    bool relieve(std::uint32_t hot) {
        constexpr std::size_t wider = 8, least_look = 16, most_look = 64;
        over_.clear();
        std::uint64_t flows = 0;
        movable_.each_entry_over(hot, [&](std::uint32_t d, std::uint32_t v) {
            over_.push_back({d, v, hot});
            flows += trees_.weight(d, v);
        });
        std::uint64_t const before = priced(hot);
        bool const is_sampled = !wishes_.at_any_price && wishes_.most_entries == UINT64_MAX;
        double const part = double(before - end_) / double(std::max<std::uint64_t>(1, flows * trees_.cost(hot)));
        std::size_t const look = std::clamp(std::size_t(look_at * part * double(over_.size())), least_look, most_look);
        for (std::size_t stride = is_sampled ? std::max<std::size_t>(1, over_.size() / look) : 1;;
             stride = std::max<std::size_t>(1, stride / wider)) {
            find_candidates(hot, stride);
            if (!make_candidates(hot) || priced(hot) <= end_ || stride == 1) return priced(hot) < before;
        }
    }
    /// Of every so many entries over a link the moves that relieve, best first.
    void find_candidates(std::uint32_t hot, std::size_t stride) {
        candidates_.clear();
        for (std::size_t i = 0; i < over_.size(); i += stride) {
            auto const [d, v, link] = over_[i];
            if (!passes(d, v, hot)) continue;  // since a narrower look
            movable_.each_move_of(d, v, legal_, [&](Move const& move) {
                if (fits(move.arc, trees_.weight(move.d, move.v)) && may_lead(move))
                    candidates_.push_back({0, move.d, move.v, move.arc});
            });
        }
        // Which are looked at is a matter of order; a link with very many ways over it does not need them all.
        constexpr std::size_t most = 20'000;
        if (candidates_.size() > most) {
            std::size_t const step = (candidates_.size() + most - 1) / most;
            for (std::size_t i = 0; i * step < candidates_.size(); ++i) candidates_[i] = candidates_[i * step];
            candidates_.resize((candidates_.size() + step - 1) / step);
        }
        std::size_t kept = 0;
        for (Candidate const& one : candidates_) {
            double const relief = relief_of({one.d, one.v, one.arc});
            if (relief >= 0) continue;
            price();
            double const price = double(change_) / trees_.weight(one.d, one.v);
            candidates_[kept++] = {wishes_.by_relief ? relief : price, one.d, one.v, one.arc};
        }
        candidates_.resize(kept);
        std::make_heap(candidates_.begin(), candidates_.end(), is_behind);
    }
    static bool is_behind(Candidate const& a, Candidate const& b) {
        return std::tie(a.rank, a.d, a.v, a.arc) > std::tie(b.rank, b.d, b.v, b.arc);
    }
    /// As many as the link needs. False: what wishes leave is spent.
    bool make_candidates(std::uint32_t hot) {
        bool is_left = true;
        for (; !candidates_.empty() && priced(hot) > end_; candidates_.pop_back()) {
            std::pop_heap(candidates_.begin(), candidates_.end(), is_behind);
            Candidate const one = candidates_.back();
            std::uint32_t const old = trees_.arc(one.d, one.v);
            if (old == one.arc || !passes(one.d, one.v, hot) || !may_lead({one.d, one.v, one.arc})) continue;
            if (relief_of({one.d, one.v, one.arc}) >= 0) continue;
            price();
            is_left = may_make();
            if (!is_left) continue;
            make();
            made_.push_back({one.d, one.v, old});
        }
        return is_left;
    }
    bool passes(std::uint32_t d, std::uint32_t v, std::uint32_t arc) const {
        for (std::uint32_t const at = trees_.targets()[d].at; v != at; v = trees_.head(trees_.arc(d, v)))
            if (trees_.arc(d, v) == arc) return true;
        return false;
    }

    MovableTrees& movable_;
    Trees const& trees_;
    LegalWays const& legal_;
    TrimWishes const& wishes_;
    TurnLoads turns_;
    MovableTrees::Plan plan_;
    WideCount begun_, collisions_, limit_ = 0, change_ = 0;  // shared squares; of traffic its objective
    std::uint64_t end_ = 0, entries_ = 0;
    std::vector<Candidate> candidates_;
    std::vector<Move> over_;               // entries over a link
    std::vector<Move> made_;               // in this step, with the arcs that were there
    std::vector<std::vector<Move>> kept_;  // of each step before
};

}  // namespace

std::uint64_t trim(MovableTrees& movable, LegalWays const& legal, TrimWishes const& wishes) {
    Trimmer trimmer(movable, legal, wishes);
    auto const largest = [&] { return movable.trees().largest_priced_load(); };
    auto const go_down = [&](bool is_sparing) {
        if (wishes.at_any_price && wishes.target > 0 && largest() > wishes.target)
            trimmer.step(wishes.target, is_sparing);
        // 5 %, 2 %, 1 % a step; where nothing else counts less and less, as an end far below leaves few links room.
        for (std::uint64_t const part : {20, 50, 100, 300, 1000})
            for (; part <= 100 || wishes.at_any_price;) {
                std::uint64_t const now = largest();
                std::uint64_t const end = std::max(wishes.target, now - std::max<std::uint64_t>(1, now / part));
                if (now <= wishes.target || now == 0 || !trimmer.step(end, is_sparing)) break;
            }
    };
    if (wishes.most_entries != UINT64_MAX) go_down(true);
    go_down(false);  // of few entries with what is left of them
    if (wishes.most_to_target > wishes.most_collisions && largest() > wishes.target &&
        double(largest()) <= wishes.near * double(wishes.target)) {
        std::size_t const cheap = trimmer.steps();
        trimmer.allow(wishes.most_to_target);
        go_down(false);
        if (largest() > wishes.target) trimmer.go_back_to(cheap);
    }
    return trimmer.entries();
}

}  // namespace tailback::search
