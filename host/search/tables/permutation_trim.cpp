#include "host/search/tables/permutation_trim.hpp"

#include "host/base/memory.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace tailback::search {
namespace {

std::vector<std::uint32_t> hosts_by_switch(SwitchGraph const& graph) {
    std::vector<std::uint32_t> hosts(graph.switches());
    for (std::uint32_t s = 0; s < hosts.size(); ++s) hosts[s] = graph.hosts_at(s);
    return hosts;
}

/// Links brought under a limit one after the other.
class PermutationTrimmer {
public:
    PermutationTrimmer(MovableTrees& movable, LegalWays const& legal, std::uint64_t most_entries)
        : movable_(movable), trees_(movable.trees()), legal_(legal), most_(most_entries), loads_(movable) {}

    std::uint64_t entries() const { return entries_; }

    /// Every link below the most that one has now; false where that fails: nothing is changed then.
    bool step() {
        std::uint32_t const largest = loads_.largest();
        if (largest < 2) return false;
        limit_ = largest - 1;
        made_.clear();
        bool fits = true;
        for (std::uint32_t a = 0; a < trees_.loads().size() && fits; ++a)
            if (loads_[a] > limit_) fits = relieve(a);
        if (fits) entries_ += made_.size();
        else
            while (!made_.empty()) undo();
        return fits;
    }

private:
    struct Candidate {
        bool leaves_some;  // others behind the same link go on to the target over it
        double price;      // collisions for each flow that is moved
        std::uint32_t d, v, arc;
    };

    void list_candidates(std::uint32_t hot) {
        std::uint32_t const from = trees_.graph()[hot].from;
        candidates_.clear();
        movable_.each_move_off(hot, legal_, [&](Move const& move) {
            bool const leaves_some = trees_.weight(move.d, move.v) < trees_.weight(move.d, from);
            candidates_.push_back({leaves_some, 0, move.d, move.v, move.arc});
        });
        std::size_t kept = 0;
        for (Candidate one : candidates_) {
            if (!consider(one, hot)) continue;
            one.price = double(movable_.change()) / trees_.weight(one.d, one.v);
            candidates_[kept++] = one;
        }
        candidates_.resize(kept);
        std::sort(candidates_.begin(), candidates_.end(), [](Candidate const& a, Candidate const& b) {
            return std::tie(a.leaves_some, a.price, a.d, a.v, a.arc) <
                   std::tie(b.leaves_some, b.price, b.d, b.v, b.arc);
        });
    }

    /// Does the move lead on, off the link and over none that has its fill and more?
    bool consider(Candidate const& one, std::uint32_t hot) {
        Move const move{one.d, one.v, one.arc};
        if (!movable_.leads_on(move) || !movable_.keeps(move, legal_)) return false;
        movable_.consider(move);
        bool leaves = false, fits = true;
        movable_.each_arc([&](std::uint32_t arc, std::int64_t more) {
            if (more < 0) leaves = leaves || arc == hot;
            else fits = fits && loads_[arc] <= limit_;
        });
        return leaves && fits;
    }

    bool relieve(std::uint32_t hot) {
        list_candidates(hot);
        for (Candidate const& one : candidates_) {
            if (entries_ + made_.size() >= most_) return false;
            if (trees_.arc(one.d, one.v) == one.arc || trees_.weight(one.d, one.v) == 0 || !consider(one, hot))
                continue;
            make(one);
            if (!joined_fit()) undo();
            else if (loads_[hot] <= limit_) return true;
        }
        return false;
    }
    /// The move that is considered.
    void make(Candidate const& one) {
        made_.push_back({one.d, one.v, trees_.arc(one.d, one.v)});
        follow(one.d);
    }
    void undo() {
        std::uint32_t const d = made_.back().d;
        movable_.consider(made_.back());
        made_.pop_back();
        follow(d);
    }
    void follow(std::uint32_t d) {
        joined_.clear();
        left_.clear();
        movable_.each_arc([&](std::uint32_t arc, std::int64_t more) { (more > 0 ? joined_ : left_).push_back(arc); });
        movable_.make();
        for (std::uint32_t const arc : left_) loads_.find(arc, d);
        for (std::uint32_t const arc : joined_) loads_.find(arc, d);
    }
    bool joined_fit() const {
        return std::all_of(joined_.begin(), joined_.end(), [&](std::uint32_t arc) { return loads_[arc] <= limit_; });
    }

    MovableTrees& movable_;
    Trees const& trees_;
    LegalWays const& legal_;
    std::uint64_t const most_;
    PermutationLoads loads_;
    std::uint32_t limit_ = 0;
    std::uint64_t entries_ = 0;
    std::vector<Candidate> candidates_;
    std::vector<Move> made_;                    // with the arcs that were there
    std::vector<std::uint32_t> joined_, left_;  // by the last move, or undoing it
};

}  // namespace

PermutationLoads::PermutationLoads(MovableTrees const& movable)
    : movable_(movable),
      hosts_(hosts_by_switch(movable.trees().graph())),
      matching_(hosts_),
      words_of_bits_((movable.trees().targets().size() + 63) / 64),
      loads_(movable.trees().loads().size()) {
    base::require_memory("the worst permutation of every link", loads_.size() * words_of_bits_ * 8,
                         "choose a part of the fabric");
    bits_.resize(loads_.size() * words_of_bits_);
    SwitchGraph const& graph = movable.trees().graph();
    std::vector<std::vector<std::uint32_t>> words;  // by arc of a switch
    for (std::uint32_t s = 0; s < graph.switches(); ++s) {
        words.assign(graph.arcs_of(s).size(), {});
        for (std::uint32_t d = 0; d < movable.trees().targets().size(); ++d)
            if (movable.trees().weight(d, s) > 0) {
                std::uint32_t const arc = movable.trees().arc(d, s);
                bits_[arc * words_of_bits_ + d / 64] |= std::uint64_t{1} << (d % 64);
                list(d, s, words[arc - graph.first_arc(s)]);
            }
        for (std::uint32_t i = 0; i < words.size(); ++i) loads_[graph.first_arc(s) + i] = matching_.match(words[i]);
    }
}

void PermutationLoads::list(std::uint32_t d, std::uint32_t from, std::vector<std::uint32_t>& words) const {
    words.push_back(d | destination_bit);
    movable_.each_below(d, from, [&](std::uint32_t v) {
        if (hosts_[v] > 0) words.push_back(v);
    });
}

std::uint32_t PermutationLoads::largest() const {
    return loads_.empty() ? 0 : *std::max_element(loads_.begin(), loads_.end());
}

std::uint32_t PermutationLoads::find(std::uint32_t arc, std::uint32_t d) {
    Trees const& trees = movable_.trees();
    std::uint32_t const from = trees.graph()[arc].from;
    std::uint64_t* const bits = bits_.data() + arc * words_of_bits_;
    std::uint64_t const bit = std::uint64_t{1} << (d % 64);
    bits[d / 64] = trees.weight(d, from) > 0 && trees.arc(d, from) == arc ? bits[d / 64] | bit : bits[d / 64] & ~bit;
    words_.clear();
    for (std::size_t w = 0; w < words_of_bits_; ++w)
        for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
            list(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(left)), from, words_);
    return loads_[arc] = matching_.match(words_);
}

std::uint64_t trim_permutation(MovableTrees& movable, LegalWays const& ways, std::uint64_t most_entries) {
    auto const stop = kernels::StopWish::now();
    PermutationTrimmer trimmer(movable, ways, most_entries);
    while (!stop.asked() && trimmer.step()) {
    }
    return trimmer.entries();
}

std::uint32_t worst_permutation_of(Trees const& trees) {
    Trees copy = trees;
    MovableTrees const movable(copy);
    return PermutationLoads(movable).largest();
}

}  // namespace tailback::search
