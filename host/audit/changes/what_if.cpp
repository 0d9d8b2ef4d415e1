// Pairs break where their route first meets something that is gone; the trees of destinations tell for all sources at
// once.
#include "host/audit/changes/what_if.hpp"

#include "host/audit/findings/consistency.hpp"
#include "host/base/error.hpp"
#include "host/evaluation/adaptive/split_plan.hpp"
#include "host/model/locate.hpp"
#include "host/model/routes/for_each_destination.hpp"
#include "host/model/routes/lags.hpp"

#include <algorithm>
#include <numeric>

namespace tailback::audit {
namespace {

constexpr std::uint32_t stays = 0xFFFFFFFFu;

/// By link and by node, the number of the removal that takes it away, or `stays`.
struct Gone {
    std::vector<std::uint32_t> link, node;

    Gone(model::Network const& net, model::Lags const* lags, std::vector<Removal>& removals)
        : link(net.links().size(), stays), node(net.nodes().size(), stays) {
        for (std::uint32_t r = 0; r < removals.size(); ++r) {
            Removal const& removal = removals[r];
            if (removal.switch_node.exists()) {
                if (node[removal.switch_node.value] == stays) node[removal.switch_node.value] = r;
                continue;
            }
            for (model::Link const one : {removal.cable, net[removal.cable].reverse})
                if (one.exists() && link[one.value] == stays) link[one.value] = r;
        }
        if (lags != nullptr) hand_to_members(net, *lags, removals);
    }

private:
    /// The others of a LAG lead to the same node: what went by one of them goes on from there as it did.
    void hand_to_members(model::Network const& net, model::Lags const& lags, std::vector<Removal>& removals) {
        std::vector<std::uint32_t> const pulled = link;
        for (std::uint32_t l = 0; l < pulled.size(); ++l) {
            if (pulled[l] == stays || lags.is_idle(net[model::Link{l}])) continue;
            std::vector<model::Link> const members = lags.sharers(net, model::Link{l});
            auto const left = std::ranges::count_if(
                members, [&](model::Link one) { return pulled[one.value] == stays && !lags.is_idle(net[one]); });
            if (left == 0) continue;
            link[l] = stays;
            removals[pulled[l]].other_members = static_cast<std::uint64_t>(left);
        }
    }
};

/// Sources by where their packets enter, and those whose own cable goes.
struct Sources {
    model::Senders all;
    std::vector<std::uint32_t> staying;  // [row] those whose own cable stays
    std::vector<model::Host> unplugged;

    Sources(model::Forwarding const& forwarding, std::span<model::Host const> hosts, Gone const& gone)
        : all(forwarding, hosts), staying(all.in_row()) {
        for (model::Host const host : hosts) {
            model::Forwarding::Entry const& entry = forwarding.entry_of(host);
            if (entry.row == kernels::no_row || !entry.up.exists() || gone.link[entry.up.value] == stays) continue;
            unplugged.push_back(host);
            --staying[entry.row];
        }
    }
};

/// The pairs that break, destination by destination.
class BrokenPairs {
public:
    BrokenPairs(model::Forwarding const& forwarding, Gone const& gone, Sources const& sources, std::size_t removals,
                std::vector<WhatIf::Destination>& losses)
        : pairs(removals),
          from_row(forwarding.rows()),
          forwarding_(forwarding),
          gone_(gone),
          sources_(sources),
          losses_(losses),
          first_(forwarding.rows()) {}

    void operator()(std::size_t d, model::DestinationTree const& tree) {
        WhatIf::Destination& loss = losses_[d];
        model::Destination const destination = tree.destination();
        loss.lid = destination.lid;
        loss.host = destination.host;
        bool const own_unplugged = std::find(sources_.unplugged.begin(), sources_.unplugged.end(), destination.host) !=
                                   sources_.unplugged.end();
        std::uint32_t const own_row = own_unplugged ? kernels::no_row : sources_.all.row_of(destination.host);
        std::span<std::uint32_t const> const order = tree.order();
        for (std::size_t i = order.size(); i-- > 0;) {
            std::uint32_t const row = order[i];
            if (tree.fate(row) != model::Fate::delivered) continue;
            first_[row] = gone_.node[forwarding_.node_of(row).value];
            if (first_[row] == stays) first_[row] = gone_.link[tree.link(row).value];
            if (first_[row] == stays && !tree.arrives(row)) first_[row] = first_[tree.next(row)];
            std::uint64_t const sources = sources_.staying[row] - (row == own_row ? 1 : 0);
            loss.delivered += sources;
            if (first_[row] != stays) lose(row, first_[row], sources, loss);
        }
        for (model::Host const host : sources_.unplugged) {
            model::Forwarding::Entry const& entry = forwarding_.entry_of(host);
            if (host == destination.host || tree.fate(entry.row) != model::Fate::delivered) continue;
            ++loss.delivered;
            lose(entry.row, gone_.link[entry.up.value], 1, loss);
        }
    }

    std::vector<std::uint64_t> pairs;     // by removal
    std::vector<std::uint64_t> from_row;  // by row where packets enter

private:
    void lose(std::uint32_t row, std::uint32_t removal, std::uint64_t count, WhatIf::Destination& loss) {
        pairs[removal] += count;
        from_row[row] += count;
        loss.broken += double(count);
    }

    model::Forwarding const& forwarding_;
    Gone const& gone_;
    Sources const& sources_;
    std::vector<WhatIf::Destination>& losses_;
    std::vector<std::uint32_t> first_;  // by row: the removal its packets meet first
};

struct Losses {
    std::vector<double> pairs, from_row;  // by removal, by row where packets enter
    std::vector<WhatIf::Destination> of_destination;
};

/// Where switches divide equally: of what starts in a row, the part that meets each removal first, from the destination
/// back. Whole units of the plan, so that sums are exact.
void lose_parts(model::Forwarding const& forwarding, Gone const& gone, Sources const& from,
                std::span<model::Host const> sources, std::span<model::Host const> destinations, unsigned threads,
                Losses& losses, WhatIf& answer) {
    model::ChoiceGraph const graph(forwarding, model::ChoicesOf::sets, destinations);
    evaluation::SplitPlan const plan(graph, sources, threads);
    std::size_t const removals = losses.pairs.size();
    double const unit = double(plan.unit());
    std::vector<std::uint64_t> part((graph.rows() + std::size_t{1}) * removals), lost(removals), sum(removals),
        from_row(graph.rows());
    auto const lose = [&](std::uint32_t row, std::uint64_t count, std::span<std::uint64_t const> parts,
                          WhatIf::Destination& loss) {
        std::uint64_t all = 0;
        for (std::size_t r = 0; r < removals; ++r) sum[r] += count * parts[r], all += parts[r];
        from_row[row] += count * all;
        loss.delivered += count;
        loss.broken += double(count * all) / unit;
        answer.met += all > 0 ? count : 0;
        answer.cut += all == plan.unit() ? count : 0;
    };
    for (std::uint32_t c = 0; c < graph.classes().size(); ++c) {
        model::ChoiceGraph::Class const& one = graph.classes()[c];
        std::span const steps = plan.steps(c);
        for (std::size_t i = steps.size(); i-- > 0;) {
            auto const [row, group] = steps[i];
            std::span const here(part.data() + row * removals, removals);
            std::fill(here.begin(), here.end(), 0);
            if (std::uint32_t const r = gone.node[forwarding.node_of(row).value]; r != stays) here[r] = plan.unit();
            if (model::ChoiceGraph::is_mark(group) || gone.node[forwarding.node_of(row).value] != stays) continue;
            for (model::ChoiceGraph::Option const& option : graph.options(group)) {
                if (std::uint32_t const r = gone.link[option.link.value]; r != stays) here[r] += plan.unit();
                else if (option.target < kernels::arrival_bit)
                    for (std::size_t k = 0; k < removals; ++k) here[k] += part[option.target * removals + k];
            }
            for (std::uint64_t& units : here) units /= graph.options(group).size();
        }
        for (model::ChoiceGraph::Member const& member : graph.members(one)) {
            WhatIf::Destination loss{.lid = member.to.lid, .host = member.to.host};
            bool const own_stays =
                std::find(from.unplugged.begin(), from.unplugged.end(), member.to.host) == from.unplugged.end();
            std::uint32_t const own_row = own_stays ? from.all.row_of(member.to.host) : kernels::no_row;
            std::uint32_t const last =
                member.exit.exists() && one.exit_row != kernels::no_row ? gone.link[member.exit.value] : stays;
            auto const parts_of = [&](std::uint32_t row) -> std::span<std::uint64_t const> {
                std::copy_n(part.begin() + std::ptrdiff_t(row * removals), removals, lost.begin());
                if (last != stays)
                    lost[last] += plan.unit() - std::accumulate(lost.begin(), lost.end(), std::uint64_t{0});
                return lost;
            };
            auto const arrives = [&](std::uint32_t row) {
                return plan.fates(c, row) == model::ChoiceWalk::bit(model::Fate::delivered);
            };
            for (std::uint32_t row = 0; row < graph.rows(); ++row)
                if (std::uint64_t const count = from.staying[row] - (row == own_row); count > 0 && arrives(row))
                    lose(row, count, parts_of(row), loss);
            for (model::Host const host : from.unplugged) {
                model::Forwarding::Entry const& entry = forwarding.entry_of(host);
                if (host == member.to.host || !arrives(entry.row)) continue;
                std::fill(lost.begin(), lost.end(), 0);
                lost[gone.link[entry.up.value]] = plan.unit();
                lose(entry.row, 1, lost, loss);
            }
            losses.of_destination.push_back(loss);
        }
    }
    for (std::size_t r = 0; r < removals; ++r) losses.pairs[r] = double(sum[r]) / unit;
    for (std::uint32_t row = 0; row < graph.rows(); ++row) losses.from_row[row] = double(from_row[row]) / unit;
}

}  // namespace

Removal cable_removal(model::Network const& network, std::string const& word) {
    model::Link const link = model::locate_cable(network, word, "--without-cable");
    return {"the cable from " + port_location(network, network[link].from, network[link].from_port) + " to " +
                port_location(network, network[link].to, network[link].to_port),
            link, model::Node{}, 0};
}

Removal switch_removal(model::Network const& network, std::string const& word) {
    model::Node const node = model::locate(network, word).node;
    if (!node.exists() || !network.is_switch(node))
        throw base::InputError({}, "--without-switch \"" + word + "\" is not a switch",
                               node.exists() ? network.describe(node) : "nobody owns that LID",
                               "give the name, GUID or LID of a switch");
    return {network.describe(node), model::Link{}, node, 0};
}

WhatIf what_if(model::Forwarding const& forwarding, std::span<model::Host const> sources,
               std::span<model::Host const> destinations, std::vector<Removal> removals, unsigned threads) {
    model::Network const& net = forwarding.fabric().network;
    Gone const gone(net, model::lags_of(forwarding.fabric()).get(), removals);
    Sources const from(forwarding, sources, gone);
    WhatIf answer;
    answer.removals = std::move(removals);
    answer.divided = forwarding.fabric().candidates != nullptr;
    Losses losses{std::vector<double>(answer.removals.size()), std::vector<double>(forwarding.rows()), {}};
    if (answer.divided) {
        lose_parts(forwarding, gone, from, sources, destinations, threads, losses, answer);
    } else {
        std::vector<model::Destination> const towards = model::destinations_of(net, destinations);
        losses.of_destination.resize(towards.size());
        for (BrokenPairs const& one : model::for_each_destination(
                 forwarding, from.all, model::TreeRows::met, towards, threads,
                 [&] { return BrokenPairs(forwarding, gone, from, answer.removals.size(), losses.of_destination); })) {
            for (std::size_t r = 0; r < one.pairs.size(); ++r) losses.pairs[r] += double(one.pairs[r]);
            for (std::uint32_t row = 0; row < forwarding.rows(); ++row)
                losses.from_row[row] += double(one.from_row[row]);
        }
    }
    for (std::size_t r = 0; r < answer.removals.size(); ++r) answer.removals[r].pairs = losses.pairs[r];
    std::vector<double> from_node(net.nodes().size());
    for (std::uint32_t row = 0; row < forwarding.rows(); ++row)
        from_node[forwarding.node_of(row).value] += losses.from_row[row];
    for (WhatIf::Destination const& loss : losses.of_destination) {
        answer.delivered += loss.delivered;
        answer.broken += loss.broken;
        if (loss.broken > 0) answer.destinations.push_back(loss);
    }
    for (std::size_t n = 0; n < from_node.size(); ++n)
        if (from_node[n] > 0) answer.sources.push_back({model::Node{n}, from_node[n]});
    auto const more = [](auto const& a, auto const& b) { return a.broken > b.broken; };
    std::stable_sort(answer.destinations.begin(), answer.destinations.end(), more);
    std::stable_sort(answer.sources.begin(), answer.sources.end(), more);
    return answer;
}

std::vector<CablePairs> criticality(model::Network const& network, std::span<std::uint64_t const> load,
                                    std::uint64_t unit) {
    std::vector<CablePairs> cables;
    for (std::size_t i = 0; i < network.links().size(); ++i) {
        model::Link const back = network[model::Link{i}].reverse;
        if (back.exists() && back.value < i) continue;
        std::uint64_t const both = load[i] + (back.exists() && back.value != i ? load[back.value] : 0);
        cables.push_back({model::Link{i}, double(both) / double(unit)});
    }
    std::stable_sort(cables.begin(), cables.end(),
                     [](CablePairs const& a, CablePairs const& b) { return a.pairs > b.pairs; });
    return cables;
}

}  // namespace tailback::audit
