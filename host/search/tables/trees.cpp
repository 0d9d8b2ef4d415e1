#include "host/search/tables/trees.hpp"

#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"
#include "host/search/tables/turns.hpp"

#include <algorithm>

namespace tailback::search {

std::uint32_t planes_of(SwitchGraph const& graph) {
    std::uint8_t lmc = 0;
    for (Seat const& seat : graph.seats()) lmc = std::max(lmc, graph.network()[seat.host].lmc);
    return std::uint32_t{1} << lmc;
}

std::vector<Target> targets_of_plane(SwitchGraph const& graph, std::uint32_t plane) {
    std::vector<Target> targets;
    for (std::uint32_t seat = 0; seat < graph.seats().size(); ++seat) {
        model::HostRecord const& host = graph.network()[graph.seats()[seat].host];
        if (plane >= std::uint32_t{1} << host.lmc) continue;
        targets.push_back({host.lid + plane, seat, graph.seats()[seat].at, false});
    }
    return targets;
}

Trees::Trees(SwitchGraph const& graph, std::vector<Target> targets) : graph_(&graph), targets_(std::move(targets)) {
    lay_out();
}

Trees::Trees(SwitchGraph const& graph, std::vector<Target> targets, std::vector<std::vector<Sender>> senders)
    : graph_(&graph), targets_(std::move(targets)), is_by_traffic_(true), own_senders_(std::move(senders)) {
    lay_out();
}

void Trees::lay_out() {
    SwitchGraph const& graph = *graph_;
    if (graph.switches() >= 0xFFFF)
        throw base::InputError({}, "tables cannot be searched for so large a network",
                               base::grouped(graph.switches()) + " switches, and 65,534 are the limit",
                               "choose a part of the fabric");
    std::uint64_t most_arcs = 0;
    for (std::uint32_t s = 0; s < graph.switches(); ++s)
        most_arcs = std::max<std::uint64_t>(most_arcs, graph.arcs_of(s).size());
    if (most_arcs >= cut)
        throw base::InputError({}, "tables cannot be searched for so large a switch",
                               base::grouped(most_arcs) + " links to other switches, and 65,534 are the limit", "");
    std::uint64_t const entries = std::uint64_t{targets_.size()} * graph.switches();
    bool const are_wide = is_by_traffic_ || graph.seats().size() > UINT16_MAX;
    base::require_memory("the search for tables", entries * sizeof(std::uint16_t) * (are_wide ? 3 : 2),
                         "choose a part of the fabric");
    first_target_.assign(graph.switches() + 1, 0);
    for (Target const& target : targets_) ++first_target_[target.at + 1];
    for (std::uint32_t s = 0; s < graph.switches(); ++s) first_target_[s + 1] += first_target_[s];
    by_switch_.resize(targets_.size());
    std::vector<std::uint32_t> next(first_target_.begin(), first_target_.end() - 1);
    for (std::uint32_t d = 0; d < targets_.size(); ++d) by_switch_[next[targets_[d].at]++] = d;
    for (std::uint32_t s = 0; s < graph.switches(); ++s)
        if (graph.hosts_at(s) > 0) everybody_.push_back({s, graph.hosts_at(s)});
    for (Arc const& arc : graph.arcs()) {
        heads_.push_back(arc.to);
        costs_.push_back(arc.cost);
    }
    // A change of one entry times the most that stands on a link has to fit.
    double const hosts = double(graph.seats().size()),
                 most_cost = double(costs_.empty() ? 1 : *std::max_element(costs_.begin(), costs_.end()));
    if (!is_by_traffic_ && hosts * hosts * hosts * most_cost * 128 > 4.6e18)
        throw base::InputError({}, "the collisions of so many pairs cannot be counted",
                               base::grouped(graph.seats().size()) + " hosts, and rates in units of 1/" +
                                   base::grouped(graph.denominator()),
                               "leave rates out with --capacities unit, or choose a part of the fabric");
    next_.assign(entries, cut);
    weight_.assign(entries, are_wide);
    load_.assign(graph.arcs().size(), 0);
    lost_of_.assign(targets_.size(), 0);
    leaves_own_.assign(targets_.size(), 0);
    for (std::uint32_t d = 0; d < targets_.size(); ++d) plant(d);
}

void Trees::take(model::ForwardingTables const& tables) {
    std::vector<std::uint8_t> state;
    std::vector<std::uint32_t> way;
    each_arcs_of_entries(*graph_, targets_, tables,
                         [&](std::uint32_t d, std::span<std::uint32_t const> arcs) { take(d, arcs, state, way); });
}

void arcs_of_entries(SwitchGraph const& graph, std::span<Target const> targets, model::ForwardingTables const& tables,
                     std::vector<std::uint32_t>& arcs) {
    std::uint32_t const switches = graph.switches();
    arcs.assign(targets.size() * switches, SwitchGraph::none);
    for (std::uint32_t v = 0; v < switches; ++v)
        for (std::size_t i = 0; i < targets.size(); ++i) {
            if (v == targets[i].at) continue;
            model::Port const port = tables.port(graph.node(v), targets[i].lid);
            if (port != model::ForwardingTables::no_entry) arcs[i * switches + v] = graph.arc_at(v, port);
        }
}

void Trees::take(std::uint32_t d, std::span<std::uint32_t const> arcs) {
    std::vector<std::uint8_t> state;
    std::vector<std::uint32_t> way;
    take(d, arcs, state, way);
}

void Trees::take(std::uint32_t d, std::span<std::uint32_t const> arcs, std::vector<std::uint8_t>& state,
                 std::vector<std::uint32_t>& way) {
    enum : std::uint8_t { unseen, on_way, arrives, fails };
    std::uint32_t const switches = graph_->switches();
    state.assign(switches, unseen);
    lift(d);
    for (std::uint32_t v = 0; v < switches; ++v) set_arc(d, v, arcs[v]);
    state[targets_[d].at] = arrives;
    for (std::uint32_t start = 0; start < switches; ++start) {
        std::uint32_t v = start;
        way.clear();
        while (state[v] == unseen) {
            state[v] = on_way;
            way.push_back(v);
            if (arcs[v] == none) break;
            v = heads_[arcs[v]];
        }
        std::uint8_t const end = state[v] == arrives ? arrives : fails;
        for (std::uint32_t const passed : way) {
            state[passed] = end;
            if (end == fails) set_arc(d, passed, none);
        }
    }
    plant(d);
}

void Trees::cut_undelivered(model::ForwardingTables const& tables) {
    std::vector<std::uint32_t> const nowhere(graph_->switches(), none);
    for (std::uint32_t d = 0; d < targets_.size(); ++d)
        if (own_entry_differs(d, tables)) take(d, nowhere);
}

void Trees::write_arcs(StateWords& words) const {
    words.reserve(words.size() + (next_.size() + 3) / 4);
    for (std::size_t i = 0; i < next_.size(); i += 4) {
        std::uint64_t word = 0;
        for (std::size_t k = i; k < std::min(i + 4, next_.size()); ++k) word |= std::uint64_t{next_[k]} << 16 * (k - i);
        words.push_back(word);
    }
}

void Trees::read_arcs(WordReader& words,
                      std::function<bool(std::uint32_t d, std::uint32_t v, std::uint32_t arc)> const& may) {
    std::uint32_t const switches = graph_->switches();
    auto const packed = words.next_words((next_.size() + 3) / 4);
    std::vector<std::uint32_t> arcs(switches);
    for (std::uint32_t d = 0; d < targets_.size(); ++d) {
        for (std::uint32_t v = 0; v < switches; ++v) {
            std::size_t const at = std::size_t{d} * switches + v;
            auto const local = static_cast<std::uint16_t>(packed[at / 4] >> 16 * (at % 4));
            arcs[v] = local == cut ? none : graph_->first_arc(v) + local;
            if (local != cut && (v == targets_[d].at || local >= graph_->arcs_of(v).size() || !may(d, v, arcs[v])))
                throw UnfitWords("an entry in it is none that the search gives");
        }
        take(d, arcs);
        for (std::uint32_t v = 0; v < switches; ++v)
            if (arc(d, v) != arcs[v]) throw UnfitWords("entries in it lead nowhere");
    }
}

/// What an entry has to be; `no_entry` where it may stay as it is.
model::Port Trees::port_of(std::uint32_t d, std::uint32_t v) const {
    if (v == targets_[d].at)
        return leaves_own_[d] != 0 ? model::ForwardingTables::no_entry : graph_->seats()[targets_[d].seat].port;
    std::uint32_t const out = arc(d, v);
    return out == none ? model::ForwardingTables::no_entry : graph_->network()[(*graph_)[out].link].from_port;
}

std::uint64_t Trees::write(model::ForwardingTables& tables) const {
    std::uint64_t changed = 0;
    for (std::uint32_t v = 0; v < graph_->switches(); ++v) {
        model::Node const node = graph_->node(v);
        tables.add_table(node);
        for (std::uint32_t d = 0; d < targets_.size(); ++d) {
            model::Port const port = port_of(d, v);
            if (port == model::ForwardingTables::no_entry || tables.port(node, targets_[d].lid) == port) continue;
            tables.set(node, targets_[d].lid, port);
            ++changed;
        }
    }
    return changed;
}

std::uint64_t Trees::count_differing(std::uint32_t d, model::ForwardingTables const& tables) const {
    std::uint64_t count = 0;
    for (std::uint32_t v = 0; v < graph_->switches(); ++v) {
        if (v == targets_[d].at) continue;
        model::Port const port = port_of(d, v);
        count += port != model::ForwardingTables::no_entry && tables.port(graph_->node(v), targets_[d].lid) != port;
    }
    return count;
}

bool Trees::own_entry_differs(std::uint32_t d, model::ForwardingTables const& tables) const {
    Target const& target = targets_[d];
    return tables.port(graph_->node(target.at), target.lid) != graph_->seats()[target.seat].port;
}

void Trees::lift(std::uint32_t d) {
    forget();
    std::size_t const first = std::size_t{d} * graph_->switches();
    for (std::uint32_t v = 0; v < graph_->switches(); ++v)
        if (std::uint32_t const weight = weight_[first + v]; weight > 0) {
            load_[arc(d, v)] -= weight;
            weight_.set(first + v, 0);
        }
    lost_ -= lost_of_[d];
    lost_of_[d] = 0;
}

void Trees::plant(std::uint32_t d) {
    forget();
    std::uint32_t const at = targets_[d].at;
    std::size_t const first = std::size_t{d} * graph_->switches();
    for (Sender const& sender : senders_to(d)) {
        if (sender.at == at) continue;
        if (arc(d, sender.at) == none) {  // whoever has an arc arrives
            lost_of_[d] += sender.amount;
            continue;
        }
        for (std::uint32_t v = sender.at; v != at;) {
            std::uint32_t const out = arc(d, v);
            weight_.set(first + v, weight_[first + v] + sender.amount);
            load_[out] += sender.amount;
            v = heads_[out];
        }
    }
    lost_ += lost_of_[d];
}

void Trees::plant(std::uint32_t d, std::span<std::uint32_t const> nearest_first) {
    forget();
    std::uint32_t const at = targets_[d].at;
    std::size_t const first = std::size_t{d} * graph_->switches();
    for (Sender const& sender : senders_to(d)) {
        if (sender.at == at) continue;
        if (arc(d, sender.at) == none) lost_of_[d] += sender.amount;
        else weight_.set(first + sender.at, weight_[first + sender.at] + sender.amount);
    }
    lost_ += lost_of_[d];
    for (std::size_t i = nearest_first.size(); i-- > 0;) {
        std::uint32_t const v = nearest_first[i], weight = weight_[first + v];
        if (weight == 0) continue;
        std::uint32_t const out = arc(d, v), head = heads_[out];
        load_[out] += weight;
        if (head != at) weight_.set(first + head, weight_[first + head] + weight);
    }
}

void Trees::replace(std::uint32_t d, Trees const& other) {
    lift(d);
    std::size_t const first = std::size_t{d} * graph_->switches();
    std::copy_n(other.next_.begin() + std::ptrdiff_t(first), graph_->switches(), next_.begin() + std::ptrdiff_t(first));
    plant(d);
}

void Trees::take(Trees const& other) {
    for (std::uint32_t d = 0; d < targets_.size(); ++d) replace(d, other);
}

Trees::Collisions const& Trees::counted() const {
    if (!collisions_) collisions_ = count_collisions();
    return *collisions_;
}
WideCount Trees::collisions() const { return counted().once; }
WideCount Trees::collisions_by_link() const { return counted().by_link; }

namespace {

/// What sources send over links and turns, one source after the other: sums over these of the squared numbers of its
/// targets, times what they cost.
template <class Count>
class SourceSquares {
public:
    /// @param costs by place; empty: all are 1
    SourceSquares(std::size_t count, std::vector<std::uint32_t> costs) : here_(count), costs_(std::move(costs)) {}

    /// @param places a place for each of the source's targets and link, or turn
    WideCount of(std::span<std::uint32_t const> places) {
        std::uint64_t sum = 0;
        if (costs_.empty())
            for (std::uint32_t const place : places) sum += 2 * std::uint64_t{here_[place]++} + 1;
        else
            for (std::uint32_t const place : places) sum += (2 * std::uint64_t{here_[place]++} + 1) * costs_[place];
        for (std::uint32_t const place : places) here_[place] = 0;
        return sum;
    }

private:
    std::vector<Count> here_;
    std::vector<std::uint32_t> costs_;
};

/// The places that routes take, one after the other.
class Places {
public:
    void clear() { count_ = 0; }
    /// Room for so many more.
    void make_room(std::size_t more) {
        if (count_ + more > all_.size()) all_.resize(2 * all_.size() + more);
    }
    void add(std::size_t place) { all_[count_++] = static_cast<std::uint32_t>(place); }
    std::span<std::uint32_t const> all() const { return std::span(all_).first(count_); }

private:
    std::vector<std::uint32_t> all_;
    std::size_t count_ = 0;
};

}  // namespace

/// Sums over sources of the squared numbers of targets that they send to over links, and over turns.
template <class Count>
Trees::Collisions Trees::same_sources(TurnNumbers const& turns, std::vector<std::uint32_t> turn_costs) const {
    constexpr std::size_t together = 8;
    bool const turned = turns.count() > 0;
    SourceSquares<Count> of_links(load_.size(), turn_costs.empty() ? turn_costs : costs_),
        of_turns(turns.count(), std::move(turn_costs));
    std::vector<Places> links(together), turned_at(together);  // of sources that go through a target's tree together
    std::uint32_t const switches = graph_->switches();
    std::vector<std::uint32_t> firsts(switches);
    for (std::uint32_t v = 0; v < switches; ++v) firsts[v] = graph_->first_arc(v);
    Collisions sum;
    for (std::size_t first = 0; first < everybody_.size(); first += together) {
        auto const sources = std::span(everybody_).subspan(first, std::min(together, everybody_.size() - first));
        for (std::size_t k = 0; k < together; ++k) {
            links[k].clear();
            turned_at[k].clear();
        }
        for (std::uint32_t d = 0; d < targets_.size(); ++d) {
            std::uint16_t const* const next = next_.data() + std::size_t{d} * switches;
            std::uint32_t const at = targets_[d].at;
            for (std::size_t k = 0; k < sources.size(); ++k) {
                std::uint32_t v = sources[k].at;
                if (v == at || next[v] == cut) continue;
                links[k].make_room(switches);
                turned_at[k].make_room(switches);
                for (std::uint32_t before = none; v != at;) {
                    std::uint32_t const out = firsts[v] + next[v];
                    links[k].add(out);
                    if (turned && before != none) turned_at[k].add(turns.of(before, out));
                    before = out;
                    v = heads_[out];
                }
            }
        }
        for (std::size_t k = 0; k < sources.size(); ++k) {
            sum.by_link += of_links.of(links[k].all()) * sources[k].amount;
            sum.once += of_turns.of(turned_at[k].all()) * sources[k].amount;
        }
    }
    return sum;
}

Trees::Collisions Trees::count_collisions() const {
    std::uint32_t const arcs = static_cast<std::uint32_t>(load_.size()), switches = graph_->switches();
    TurnNumbers const turns(*graph_);
    bool const turned = turns.count() > 0;
    std::vector<std::uint32_t> costs;  // of turns, where not all are 1
    if (std::ranges::any_of(costs_, [](std::uint32_t cost) { return cost != 1; })) {
        costs.resize(turns.count() + 1);
        for (std::uint32_t a = 0; a < arcs && turned; ++a)
            for (std::uint32_t then = graph_->first_arc(heads_[a]); then < graph_->first_arc(heads_[a] + 1); ++then)
                costs[turns.of(a, then)] = std::min(costs_[a], costs_[then]);
    }
    auto const cost_of = [&](std::size_t turn) { return costs.empty() ? 1 : costs[turn]; };
    std::vector<std::uint64_t> flows(turns.count());
    Collisions twice;
    for (std::uint32_t d = 0; d < targets_.size(); ++d)
        for (std::uint32_t v = 0; v < switches; ++v)
            if (std::uint64_t const x = weight(d, v); x > 0) {
                std::uint32_t const out = arc(d, v);
                twice.by_link -= x * x * costs_[out];
                if (!turned || heads_[out] == targets_[d].at) continue;
                std::size_t const turn = turns.of(out, arc(d, heads_[out]));
                flows[turn] += x;
                twice.once -= x * x * cost_of(turn);
            }
    for (std::uint32_t a = 0; a < arcs; ++a) twice.by_link += (WideCount(load_[a]) * load_[a] + load_[a]) * costs_[a];
    for (std::size_t t = 0; t < flows.size(); ++t)
        twice.once += (WideCount(flows[t]) * flows[t] + flows[t]) * cost_of(t);
    Collisions const same = targets_.size() <= UINT16_MAX ? same_sources<std::uint16_t>(turns, std::move(costs))
                                                          : same_sources<std::uint32_t>(turns, std::move(costs));
    WideCount const by_link = (twice.by_link - same.by_link) / 2;
    return {by_link, by_link - (twice.once - same.once) / 2};
}

WideCount Trees::objective() const { return is_by_traffic_ ? objective_by_link() : collisions(); }

WideCount Trees::objective_by_link() const {
    if (!is_by_traffic_) return collisions_by_link();
    WideCount sum = 0;
    for (std::size_t a = 0; a < load_.size(); ++a) sum += WideCount(load_[a]) * load_[a] * costs_[a];
    return sum / 2;
}

double Trees::per_permutation(WideCount collisions) const {
    double const hosts = double(graph_->seats().size());
    return hosts < 2 ? 0 : double(collisions) / graph_->denominator() / (hosts * (hosts - 1));
}

std::uint64_t Trees::largest_load() const { return load_.empty() ? 0 : *std::max_element(load_.begin(), load_.end()); }

std::uint64_t Trees::largest_priced_load() const {
    std::uint64_t largest = 0;
    for (std::size_t a = 0; a < load_.size(); ++a) largest = std::max(largest, load_[a] * costs_[a]);
    return largest;
}

}  // namespace tailback::search
