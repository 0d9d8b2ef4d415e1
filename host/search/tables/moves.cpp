#include "host/search/tables/moves.hpp"

#include "host/base/memory.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tailback::search {

MovableTrees::MovableTrees(Trees& trees) : trees_(trees), switches_(trees.graph().switches()) {
    SwitchGraph const& graph = trees.graph();
    source_of_.assign(switches_, Trees::none);
    for (std::uint32_t s = 0; s < switches_ && !trees.is_by_traffic(); ++s)
        if (graph.hosts_at(s) > 0) {
            source_of_[s] = static_cast<std::uint32_t>(sources_.size());
            sources_.push_back(s);
        }
    std::uint64_t const entries = std::uint64_t{trees.targets().size()} * switches_;
    base::require_memory("the search by single entries",
                         entries * sizeof(Kin) + graph.arcs().size() * sources_.size() * sizeof(std::uint32_t),
                         "leave moves out with --moves 0, or choose a part of the fabric");
    links_.resize(entries);
    count_.assign(graph.arcs().size() * sources_.size(), 0);
    stamp_.assign(switches_, 0);
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d) {
        std::uint32_t const at = trees.targets()[d].at;
        for (std::uint32_t v = switches_; v-- > 0;)
            if (trees.arc(d, v) != Trees::none) join(d, v, above(d, v));
        for (std::uint32_t k = 0; k < sources_.size(); ++k)
            for (std::uint32_t v = sources_[k]; v != at && trees.arc(d, v) != Trees::none; v = above(d, v))
                ++counts(trees.arc(d, v))[k];
    }
    objective_ = trees.objective();
}

void MovableTrees::join(std::uint32_t d, std::uint32_t v, std::uint32_t parent) {
    Kin* const tree = links_.data() + std::size_t{d} * switches_;
    tree[v].before = nobody;
    tree[v].next = tree[parent].child;
    if (tree[v].next != nobody) tree[tree[v].next].before = static_cast<std::uint16_t>(v);
    tree[parent].child = static_cast<std::uint16_t>(v);
}

void MovableTrees::leave(std::uint32_t d, std::uint32_t v, std::uint32_t parent) {
    Kin* const tree = links_.data() + std::size_t{d} * switches_;
    if (tree[v].before != nobody) tree[tree[v].before].next = tree[v].next;
    else tree[parent].child = tree[v].next;
    if (tree[v].next != nobody) tree[tree[v].next].before = tree[v].before;
}

bool MovableTrees::leads_on(Move const& move) const {
    std::uint32_t const at = trees_.targets()[move.d].at;
    auto const arrives = [&](std::uint32_t u, std::uint32_t avoided) {  // tables may have holes, and loops
        for (std::uint32_t steps = 0; u != at; ++steps, u = above(move.d, u))
            if (u == avoided || steps > switches_ || trees_.arc(move.d, u) == Trees::none) return false;
        return true;
    };
    return arrives(trees_.head(move.arc), move.v) && arrives(move.v, Trees::none);
}

bool MovableTrees::keeps(Move const& move, LegalWays const& ways) const {
    if (ways.slack() == 0) return true;
    if (!leads_on(move)) return false;
    std::uint32_t const at = trees_.targets()[move.d].at;
    std::uint32_t length = 1;
    for (std::uint32_t u = trees_.head(move.arc); u != at; u = above(move.d, u)) ++length;
    length_.resize(switches_);
    bool all = true;
    each_below(move.d, move.v, [&](std::uint32_t w) {
        length_[w] = w == move.v ? length : length_[above(move.d, w)] + 1;
        all = all && (length_[w] <= ways.most_hops(at, w) || trees_.weight(move.d, w) == 0);
    });
    return all;
}

void MovableTrees::consider(Move const& move) {
    move_ = move;
    std::uint32_t const d = move.d, at = trees_.targets()[d].at;
    if (++stamps_ == 0) {
        std::fill(stamp_.begin(), stamp_.end(), 0);
        stamps_ = 1;
    }
    leaves_.clear();
    joins_.clear();
    below_.clear();
    moved_ = trees_.weight(d, move.v);
    for (std::uint32_t v = move.v; v != at; v = above(d, v)) stamp_[v] = stamps_;
    stamp_[at] = stamps_;
    joins_.push_back(move.arc);
    std::uint32_t meet = trees_.head(move.arc);
    while (stamp_[meet] != stamps_) {
        joins_.push_back(trees_.arc(d, meet));
        meet = above(d, meet);
    }
    for (std::uint32_t v = move.v; v != meet; v = above(d, v)) leaves_.push_back(trees_.arc(d, v));
    if (trees_.is_by_traffic()) price_squares();
    else price_collisions();
}

void MovableTrees::price_squares() {
    change_ = 0;
    WideCount const moved = moved_;
    for (std::uint32_t const arc : leaves_)
        change_ += moved * (moved - 2 * WideCount(trees_.load(arc))) * trees_.cost(arc);
    for (std::uint32_t const arc : joins_)
        change_ += moved * (moved + 2 * WideCount(trees_.load(arc))) * trees_.cost(arc);
    change_ /= 2;
}

void MovableTrees::price_collisions() {
    std::uint32_t const d = move_.d;
    if (moved_ > 0)
        each_below(d, move_.v, [&](std::uint32_t v) {
            if (source_of_[v] != Trees::none) below_.push_back(source_of_[v]);
        });
    SwitchGraph const& graph = trees_.graph();
    auto const of_sources = [&](std::uint32_t arc) {
        std::uint32_t const* const count = counts(arc);
        std::int64_t sum = 0;
        for (std::uint32_t const k : below_) sum += std::int64_t{graph.hosts_at(sources_[k])} * count[k];
        return sum;
    };
    std::int64_t const moved = moved_;
    std::int64_t change = 0;
    for (std::uint32_t const arc : leaves_) {
        std::int64_t const others = std::int64_t(trees_.load(arc)) - trees_.weight(d, graph[arc].from);
        change += (of_sources(arc) - moved * (others + 1)) * std::int64_t{trees_.cost(arc)};
    }
    for (std::uint32_t const arc : joins_) {
        std::uint32_t const from = graph[arc].from;
        std::int64_t const own = from == move_.v ? 0 : std::int64_t{trees_.weight(d, from)};
        std::int64_t const others = std::int64_t(trees_.load(arc)) - own;
        change += (moved * others - of_sources(arc)) * std::int64_t{trees_.cost(arc)};
    }
    change_ = change;
}

void MovableTrees::make() {
    std::uint32_t const d = move_.d, v = move_.v;
    SwitchGraph const& graph = trees_.graph();
    std::int64_t const moved = moved_;
    for (std::uint32_t const arc : leaves_) {
        trees_.add_weight(d, graph[arc].from, arc, -moved);
        std::uint32_t* const count = counts(arc);
        for (std::uint32_t const k : below_) --count[k];
    }
    for (std::uint32_t const arc : joins_) {
        trees_.add_weight(d, graph[arc].from, arc, moved);
        std::uint32_t* const count = counts(arc);
        for (std::uint32_t const k : below_) ++count[k];
    }
    leave(d, v, above(d, v));
    trees_.set_arc(d, v, move_.arc);
    join(d, v, above(d, v));
    objective_ += change_;
}

Annealer::Annealer(MovableTrees& trees, LegalWays const& ways, Annealing const& how)
    : movable_(trees),
      trees_(trees.trees()),
      legal_(ways),
      how_(how),
      draws_(how.seed, topologies::BuildStream::table_moves, how.part),
      best_(trees.objective()) {
    if (!trees_.is_by_traffic()) return;
    first_sender_.push_back(0);
    for (std::uint32_t d = 0; d < trees_.targets().size(); ++d)
        first_sender_.push_back(first_sender_.back() + trees_.senders_to(d).size());
}

double Annealer::heat() const {
    return how_.hot > 0 ? how_.hot * std::pow(how_.cold / how_.hot, double(in_cycle_) / double(cycle_)) : 0;
}

bool Annealer::draw_pair(std::uint32_t& d, std::uint32_t& source) {
    SwitchGraph const& graph = trees_.graph();
    if (!trees_.is_by_traffic()) {
        d = draws_.below(static_cast<std::uint32_t>(trees_.targets().size()));
        source = graph.seats()[draws_.below(static_cast<std::uint32_t>(graph.seats().size()))].at;
        return true;
    }
    std::uint64_t const all = first_sender_.back();
    if (all == 0) return false;
    std::uint64_t const number = draws_.below(static_cast<std::uint32_t>(std::min<std::uint64_t>(all, UINT32_MAX)));
    auto const after = std::upper_bound(first_sender_.begin(), first_sender_.end(), number);
    d = static_cast<std::uint32_t>(after - first_sender_.begin()) - 1;
    source = trees_.senders_to(d)[number - first_sender_[d]].at;
    return true;
}

/// An entry on the way of a random pair, and another arc for it; false where the draw comes to nothing.
bool Annealer::draw(Move& move) {
    SwitchGraph const& graph = trees_.graph();
    std::uint32_t source = 0;
    if (!draw_pair(move.d, source)) return false;
    std::uint32_t const at = trees_.targets()[move.d].at;
    way_.clear();
    for (std::uint32_t v = source; v != at && trees_.arc(move.d, v) != Trees::none;
         v = trees_.head(trees_.arc(move.d, v)))
        way_.push_back(v);
    if (way_.empty()) return false;
    move.v = way_[draws_.below(static_cast<std::uint32_t>(way_.size()))];
    std::uint32_t const old = trees_.arc(move.d, move.v), first = graph.first_arc(move.v),
                        end = graph.first_arc(move.v + 1);
    bool const may_stay = legal_.allows(at, old);
    std::uint32_t const others = legal_.count_allowed(at, first, end) - may_stay;
    if (others == 0) return false;
    std::uint32_t number = draws_.below(others);
    number += may_stay && number >= legal_.count_allowed(at, first, old);
    move.arc = legal_.allowed(at, first, end, number);
    return true;
}

void Annealer::remember(Made const& made) {
    constexpr std::size_t most = 1 << 22;  // a best that is so far behind was met while it was hot
    since_best_.push_back(made);
    if (movable_.objective() < best_ || since_best_.size() == most) {
        best_ = movable_.objective();
        since_best_.clear();
    }
}

void Annealer::run(std::uint64_t moves) {
    if (trees_.targets().empty() || trees_.graph().seats().empty()) return;
    constexpr std::uint64_t at_one_heat = 1024;
    double now = heat();
    for (std::uint64_t m = 0; m < moves; ++m, ++in_cycle_) {
        if (in_cycle_ == cycle_) {
            in_cycle_ = 0;
            cycle_ *= 2;
        }
        if (in_cycle_ % at_one_heat == 0) now = heat();
        Move move;
        if (!draw(move) || !movable_.keeps(move, legal_)) continue;
        movable_.consider(move);
        if (how_.most_load != UINT64_MAX && movable_.exceeds(how_.most_load)) continue;
        WideCount const change = movable_.change();
        if (change > 0 &&
            !(double(change) < now * 30 && double(draws_.next()) < std::exp(-double(change) / now) * 4294967296.0))
            continue;
        Made const made{move.d, move.v, trees_.arc(move.d, move.v), move.arc};
        movable_.make();
        remember(made);
    }
}

void Annealer::end() {
    for (; !since_best_.empty(); since_best_.pop_back()) {
        Made const& made = since_best_.back();
        movable_.consider({made.d, made.v, made.arc});
        movable_.make();
    }
}

Trees Annealer::best() const {
    Trees best = trees_;
    std::vector<std::uint32_t> const all = [&] {
        std::vector<std::uint32_t> targets;
        for (Made const& made : since_best_) targets.push_back(made.d);
        std::sort(targets.begin(), targets.end());
        targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
        return targets;
    }();
    for (std::uint32_t const d : all) best.lift(d);
    for (auto made = since_best_.rbegin(); made != since_best_.rend(); ++made)
        best.set_arc(made->d, made->v, made->arc);
    for (std::uint32_t const d : all) best.plant(d);
    return best;
}

void Annealer::write(StateWords& words) const {
    words.insert(words.end(), {draws_.position(), in_cycle_, cycle_, since_best_.size()});
    for (Made const& made : since_best_) words.insert(words.end(), {std::uint64_t{made.d} << 32 | made.v, made.is});
}

void Annealer::read(WordReader& words) {
    draws_.go_to(words.next());
    in_cycle_ = words.next();
    cycle_ = words.next();
    bool const is_cycle = cycle_ % first_cycle == 0 && std::has_single_bit(cycle_ / first_cycle);
    if (!is_cycle || in_cycle_ > cycle_) throw UnfitWords("a number in it is too large");
    for (std::uint64_t left = words.next(); left > 0; --left) {
        std::uint64_t const where = words.next(), arc = words.next();
        Move const move{static_cast<std::uint32_t>(where >> 32), static_cast<std::uint32_t>(where),
                        static_cast<std::uint32_t>(arc)};
        SwitchGraph const& graph = trees_.graph();
        if (move.d >= trees_.targets().size() || move.v >= graph.switches() || arc >= graph.arcs().size() ||
            graph[move.arc].from != move.v || move.v == trees_.targets()[move.d].at ||
            !legal_.allows(trees_.targets()[move.d].at, move.arc) || trees_.arc(move.d, move.v) == move.arc ||
            !movable_.leads_on(move) || !movable_.keeps(move, legal_))
            throw UnfitWords("a move in it is none that the search makes");
        since_best_.push_back({move.d, move.v, trees_.arc(move.d, move.v), move.arc});
        movable_.consider(move);
        movable_.make();
    }
}

}  // namespace tailback::search
