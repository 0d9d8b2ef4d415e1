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
    for (std::uint32_t d = 0; d < targets_.size(); ++d) take(d, arcs_of_entries(d, tables));
}

std::vector<std::uint32_t> arcs_of_entries(SwitchGraph const& graph, Target const& target,
                                           model::ForwardingTables const& tables) {
    std::vector<std::uint32_t> arcs(graph.switches(), SwitchGraph::none);
    for (std::uint32_t v = 0; v < graph.switches(); ++v) {
        if (v == target.at) continue;
        model::Port const port = tables.port(graph.node(v), target.lid);
        if (port == model::ForwardingTables::no_entry) continue;
        model::Link const link = graph.network().link_at(graph.node(v), port);
        if (link.exists()) arcs[v] = graph.arc_of(link);
    }
    return arcs;
}

void Trees::take(std::uint32_t d, std::span<std::uint32_t const> arcs) {
    enum : std::uint8_t { unseen, on_way, arrives, fails };
    std::uint32_t const switches = graph_->switches();
    std::vector<std::uint8_t> state(switches, unseen);
    std::vector<std::uint32_t> way;
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

/// Pairs of flows over something (links, turns) that share a source or a target. Sources are counted some at a time.
class SamePairs {
public:
    SamePairs(std::size_t count, std::size_t together)
        : together_(together), flows_(count), same_(count), here_(count * together) {}

    void add_target(std::size_t at, std::uint64_t flows) {
        flows_[at] += flows;
        same_[at] += flows * flows;
    }
    /// Of source number `k` of those that are counted now: one target more.
    void meet(std::size_t at, std::size_t k) {
        std::size_t const place = at * together_ + k;
        if (here_[place]++ == 0) met_.push_back(place);
    }
    /// Ends these sources: of number `k` so many hosts send alike.
    void end_sources(std::span<Sender const> sources) {
        for (std::size_t const place : met_) {
            std::uint64_t const here = here_[place];
            same_[place / together_] += here * here * sources[place % together_].amount;
            here_[place] = 0;
        }
        met_.clear();
    }
    /// Pairs of flows that can both be in a permutation.
    WideCount collisions(std::size_t at) const {
        return (WideCount(flows_[at]) * flows_[at] + flows_[at] - same_[at]) / 2;
    }

private:
    std::size_t together_;
    std::vector<std::uint64_t> flows_, same_;
    std::vector<std::uint32_t> here_;
    std::vector<std::size_t> met_;
};

}  // namespace

Trees::Collisions Trees::count_collisions() const {
    std::uint32_t const arcs = static_cast<std::uint32_t>(load_.size()), switches = graph_->switches();
    TurnNumbers const turns(*graph_);
    bool const turned = turns.count() > 0;
    // Sources go through a target's tree together, as long as what they meet stays near.
    std::size_t const together = std::clamp<std::size_t>((std::size_t{1} << 23) / (turns.count() + arcs + 1), 1, 8);
    SamePairs links(arcs, together), pairs(turns.count(), together);
    for (std::uint32_t d = 0; d < targets_.size(); ++d)
        for (std::uint32_t v = 0; v < switches; ++v)
            if (std::uint64_t const x = weight(d, v); x > 0) {
                std::uint32_t const out = arc(d, v);
                links.add_target(out, x);
                if (turned && heads_[out] != targets_[d].at) pairs.add_target(turns.of(out, arc(d, heads_[out])), x);
            }
    for (std::size_t first = 0; first < everybody_.size(); first += together) {
        auto const sources = std::span(everybody_).subspan(first, std::min(together, everybody_.size() - first));
        for (std::uint32_t d = 0; d < targets_.size(); ++d)
            for (std::size_t k = 0; k < sources.size(); ++k) {
                if (arc(d, sources[k].at) == none) continue;
                for (std::uint32_t v = sources[k].at, before = none; v != targets_[d].at;) {
                    std::uint32_t const out = arc(d, v);
                    links.meet(out, k);
                    if (turned && before != none) pairs.meet(turns.of(before, out), k);
                    before = out;
                    v = heads_[out];
                }
            }
        links.end_sources(sources);
        pairs.end_sources(sources);
    }
    Collisions sum;
    for (std::uint32_t a = 0; a < arcs; ++a) sum.by_link += links.collisions(a) * costs_[a];
    sum.once = sum.by_link;
    for (std::uint32_t a = 0; a < arcs && turned; ++a)
        for (std::uint32_t then = graph_->first_arc(heads_[a]); then < graph_->first_arc(heads_[a] + 1); ++then)
            sum.once -= pairs.collisions(turns.of(a, then)) * std::min(costs_[a], costs_[then]);
    return sum;
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
