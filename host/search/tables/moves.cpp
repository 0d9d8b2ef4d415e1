#include "host/search/tables/moves.hpp"

#include "host/base/memory.hpp"
#include "kernels/common/huge_buffer.hpp"
#include "topologies/draws.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tailback::search {
namespace {

enum Purpose : std::uint32_t { of_draw, of_chance };

/// Of a random word: 0 .. range-1.
std::uint32_t part_of(std::uint32_t word, std::uint64_t range) {
    return static_cast<std::uint32_t>(word * range >> 32);
}

}  // namespace

MovableTrees::MovableTrees(Trees& trees) : trees_(trees), switches_(trees.graph().switches()) {
    SwitchGraph const& graph = trees.graph();
    source_of_.assign(switches_, Trees::none);
    for (std::uint32_t s = 0; s < switches_ && !trees.is_by_traffic(); ++s)
        if (graph.hosts_at(s) > 0) {
            source_of_[s] = static_cast<std::uint32_t>(sources_.size());
            sources_.push_back(s);
        }
    std::uint64_t const entries = trees.entries();
    base::require_memory("the search by single entries",
                         entries * sizeof(Kin) + graph.arcs().size() * sources_.size() * sizeof(std::uint32_t),
                         "leave moves out with --moves 0, or choose a part of the fabric");
    links_.reserve(entries);
    kernels::wish_for_huge_pages(links_.data(), entries * sizeof(Kin));
    links_.resize(entries);
    count_.reserve(graph.arcs().size() * sources_.size());
    kernels::wish_for_huge_pages(count_.data(), count_.capacity() * sizeof(std::uint32_t));
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
    objective_ = trees.objective_by_link();
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

void MovableTrees::prepare(Move const& move, Plan& plan) {
    plan.move = move;
    std::uint32_t const d = move.d, at = trees_.targets()[d].at;
    if (++stamps_ == 0) {
        std::fill(stamp_.begin(), stamp_.end(), 0);
        stamps_ = 1;
    }
    plan.leaves.clear();
    plan.joins.clear();
    plan.below.clear();
    plan.moved = trees_.weight(d, move.v);
    for (std::uint32_t v = move.v; v != at; v = above(d, v)) stamp_[v] = stamps_;
    stamp_[at] = stamps_;
    plan.joins.push_back({move.arc, move.v, 0});
    std::uint32_t meet = trees_.head(move.arc);
    while (stamp_[meet] != stamps_) {
        std::uint32_t const arc = trees_.arc(d, meet);
        plan.joins.push_back({arc, meet, trees_.weight(d, meet)});
        meet = trees_.head(arc);
    }
    for (std::uint32_t v = move.v; v != meet;) {
        std::uint32_t const arc = trees_.arc(d, v);
        plan.leaves.push_back({arc, v, trees_.weight(d, v)});
        v = trees_.head(arc);
    }
    bool const sends_alone = links_[std::size_t{d} * switches_ + move.v].child == nobody;
    if (sends_alone && plan.moved > 0 && !trees_.is_by_traffic()) plan.below.push_back(source_of_[move.v]);
    for (auto const* steps : {&plan.leaves, &plan.joins})
        for (Step const& step : *steps) {
            trees_.ask_for_arc(step.arc);
            for (std::uint32_t const k : plan.below) __builtin_prefetch(counts(step.arc) + k);
        }
}

bool MovableTrees::costs_more(double most) const {
    if (trees_.is_by_traffic() || !plan_.below.empty()) return false;
    std::int64_t const moved = plan_.moved;
    std::int64_t least = 0;  // who sends is on the old way with this target at least, on the new one with all others
    for (Step const& step : plan_.leaves)
        least -= moved * (std::int64_t(trees_.load(step.arc)) - step.own) * std::int64_t{trees_.cost(step.arc)};
    for (Step const& step : plan_.joins) {
        std::int64_t const others = std::int64_t(trees_.load(step.arc)) - step.own;
        least += (moved - 1) * others * std::int64_t{trees_.cost(step.arc)};
    }
    return least > 0 && double(least) >= most;
}

void MovableTrees::price() {
    if (trees_.is_by_traffic()) return price_squares();
    if (plan_.below.empty() && plan_.moved > 0)
        each_below(plan_.move.d, plan_.move.v, [&](std::uint32_t v) {
            if (source_of_[v] != Trees::none) plan_.below.push_back(source_of_[v]);
        });
    price_collisions();
}

void MovableTrees::price_squares() {
    change_ = 0;
    WideCount const moved = plan_.moved;
    for (Step const& step : plan_.leaves)
        change_ += moved * (moved - 2 * WideCount(trees_.load(step.arc))) * trees_.cost(step.arc);
    for (Step const& step : plan_.joins)
        change_ += moved * (moved + 2 * WideCount(trees_.load(step.arc))) * trees_.cost(step.arc);
    change_ /= 2;
}

void MovableTrees::price_collisions() {
    SwitchGraph const& graph = trees_.graph();
    auto const of_sources = [&](std::uint32_t arc) {
        std::uint32_t const* const count = counts(arc);
        std::int64_t sum = 0;
        for (std::uint32_t const k : plan_.below) sum += std::int64_t{graph.hosts_at(sources_[k])} * count[k];
        return sum;
    };
    std::int64_t const moved = plan_.moved;
    std::int64_t change = 0;
    for (Step const& step : plan_.leaves) {
        std::int64_t const others = std::int64_t(trees_.load(step.arc)) - step.own;
        change += (of_sources(step.arc) - moved * (others + 1)) * std::int64_t{trees_.cost(step.arc)};
    }
    for (Step const& step : plan_.joins) {
        std::int64_t const others = std::int64_t(trees_.load(step.arc)) - step.own;
        change += (moved * others - of_sources(step.arc)) * std::int64_t{trees_.cost(step.arc)};
    }
    change_ = change;
}

void MovableTrees::make() {
    std::uint32_t const d = plan_.move.d, v = plan_.move.v;
    std::int64_t const moved = plan_.moved;
    for (Step const& step : plan_.leaves) {
        trees_.add_weight(d, step.from, step.arc, -moved);
        std::uint32_t* const count = counts(step.arc);
        for (std::uint32_t const k : plan_.below) --count[k];
    }
    for (Step const& step : plan_.joins) {
        trees_.add_weight(d, step.from, step.arc, moved);
        std::uint32_t* const count = counts(step.arc);
        for (std::uint32_t const k : plan_.below) ++count[k];
    }
    leave(d, v, above(d, v));
    trees_.set_arc(d, v, plan_.move.arc);
    join(d, v, above(d, v));
    objective_ += change_;
}

Annealer::Annealer(MovableTrees& trees, LegalWays const& ways, Annealing const& how)
    : movable_(trees), trees_(trees.trees()), legal_(ways), how_(how), best_(trees.objective()), ahead_(most_ahead) {
    if (!trees_.is_by_traffic()) return;
    first_sender_.push_back(0);
    for (std::uint32_t d = 0; d < trees_.targets().size(); ++d)
        first_sender_.push_back(first_sender_.back() + trees_.senders_to(d).size());
}

double Annealer::heat() const {
    return how_.hot > 0 ? how_.hot * std::pow(how_.cold / how_.hot, double(in_cycle_) / double(cycle_)) : 0;
}

kernels::PhiloxBlock Annealer::words_of(std::uint64_t move, std::uint32_t purpose) const {
    return kernels::philox(static_cast<std::uint32_t>(move), how_.part,
                           static_cast<std::uint32_t>(move >> 32) << 1 | purpose,
                           static_cast<std::uint32_t>(topologies::BuildStream::table_moves), how_.seed);
}

void Annealer::draw_pair(Drawn& drawn) const {
    SwitchGraph const& graph = trees_.graph();
    if (!trees_.is_by_traffic()) {
        drawn.d = part_of(drawn.words.word[0], trees_.targets().size());
        drawn.source = graph.seats()[part_of(drawn.words.word[1], graph.seats().size())].at;
        return;
    }
    std::uint64_t const number =
        part_of(drawn.words.word[0], std::min<std::uint64_t>(first_sender_.back(), UINT32_MAX));
    auto const after = std::upper_bound(first_sender_.begin(), first_sender_.end(), number);
    drawn.d = static_cast<std::uint32_t>(after - first_sender_.begin()) - 1;
    drawn.source = trees_.senders_to(drawn.d)[number - first_sender_[drawn.d]].at;
}

/// At the begin of the way of a random pair.
void Annealer::begin(Drawn& drawn, std::uint64_t move) const {
    drawn.words = words_of(move, of_draw);
    drawn.way.clear();
    draw_pair(drawn);
    drawn.at = drawn.source;
    trees_.ask_for(drawn.d, drawn.at);
}

/// A link further along its way; false at its end.
bool Annealer::goes_on(Drawn& drawn) const {
    if (drawn.at == trees_.targets()[drawn.d].at) return false;
    std::uint32_t const arc = trees_.arc(drawn.d, drawn.at);
    if (arc == Trees::none) return false;
    drawn.way.push_back(drawn.at);
    drawn.at = trees_.head(arc);
    trees_.ask_for(drawn.d, drawn.at);
    return true;
}

/// An entry on the way, and another arc for it, if there is one.
void Annealer::choose_move(Drawn& drawn) const {
    drawn.is_move = false;
    if (drawn.way.empty()) return;
    Move& move = drawn.move;
    SwitchGraph const& graph = trees_.graph();
    std::uint32_t const at = trees_.targets()[drawn.d].at;
    move.d = drawn.d;
    move.v = drawn.way[part_of(drawn.words.word[2], drawn.way.size())];
    std::uint32_t const old = trees_.arc(move.d, move.v), first = graph.first_arc(move.v),
                        end = graph.first_arc(move.v + 1);
    bool const may_stay = legal_.allows(at, old);
    std::uint32_t const others = legal_.count_allowed(at, first, end) - may_stay;
    if (others == 0) return;
    std::uint32_t number = part_of(drawn.words.word[3], others);
    number += may_stay && number >= legal_.count_allowed(at, first, old);
    move.arc = legal_.allowed(at, first, end, number);
    drawn.is_move = true;
    movable_.ask_for(move);
}

/// Plans what was chosen.
void Annealer::plan_move(Drawn& drawn) {
    drawn.is_move = drawn.is_move && movable_.keeps(drawn.move, legal_);
    if (drawn.is_move) movable_.prepare(drawn.move, drawn.plan);
}

/// Moves from that number on, link by link beside each other.
void Annealer::draw_ahead(std::span<Drawn> moves, std::uint64_t first) {
    for (std::size_t i = 0; i < moves.size(); ++i) begin(moves[i], first + i);
    for (bool any = true; any;) {
        any = false;
        for (Drawn& one : moves) any = goes_on(one) || any;
    }
    for (Drawn& one : moves) choose_move(one);
    for (Drawn& one : moves) plan_move(one);
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
    bool const any_pair = trees_.is_by_traffic() ? first_sender_.back() > 0 : !trees_.targets().empty();
    if (!any_pair) return;
    constexpr std::uint64_t at_one_heat = 1024;
    double now = heat();
    std::size_t next = 0, count = 0;
    for (std::uint64_t m = 0; m < moves; ++m, ++next, ++in_cycle_, ++tried_) {
        if (in_cycle_ == cycle_) {
            in_cycle_ = 0;
            cycle_ *= 2;
        }
        if (in_cycle_ % at_one_heat == 0) now = heat();
        if (next == count) {
            next = 0;
            count = static_cast<std::size_t>(std::min<std::uint64_t>(most_ahead, moves - m));
            draw_ahead({ahead_.data(), count}, tried_);
        }
        if (!ahead_[next].is_move) continue;
        movable_.take(ahead_[next].plan);
        if (how_.most_load != UINT64_MAX && movable_.exceeds(how_.most_load)) continue;
        if (movable_.costs_more(now * 30)) continue;
        movable_.price();
        WideCount const change = movable_.change();
        if (change > 0 && !(double(change) < now * 30 && double(words_of(tried_, of_chance).word[0]) <
                                                             std::exp(-double(change) / now) * 4294967296.0))
            continue;
        Move const move = movable_.considered();
        Made const made{move.d, move.v, trees_.arc(move.d, move.v), move.arc};
        movable_.make();
        remember(made);
        for (std::size_t i = next + 1; i < count; ++i)  // what was prepared in this tree is out of date
            if (ahead_[i].d == move.d) draw_ahead({&ahead_[i], 1}, tried_ + (i - next));
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
    words.insert(words.end(), {tried_, in_cycle_, cycle_, since_best_.size()});
    for (Made const& made : since_best_) words.insert(words.end(), {std::uint64_t{made.d} << 32 | made.v, made.is});
}

void Annealer::read(WordReader& words) {
    tried_ = words.next();
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
