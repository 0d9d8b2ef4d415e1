#include "host/search/tables/trees.hpp"

#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"

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

std::uint64_t Trees::largest_load() const { return load_.empty() ? 0 : *std::max_element(load_.begin(), load_.end()); }

std::uint64_t Trees::largest_priced_load() const {
    std::uint64_t largest = 0;
    for (std::size_t a = 0; a < load_.size(); ++a) largest = std::max(largest, load_[a] * costs_[a]);
    return largest;
}

}  // namespace tailback::search
