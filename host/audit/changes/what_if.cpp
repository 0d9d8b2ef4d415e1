// Pairs break where their route first meets something that is gone; the trees of destinations tell for all sources at
// once.
#include "host/audit/changes/what_if.hpp"

#include "host/base/scanner.hpp"
#include "host/model/locate.hpp"
#include "host/model/routes/destination_tree.hpp"
#include "kernels/cpu/threads.hpp"

#include <algorithm>
#include <memory>

namespace tailback {
namespace {

constexpr std::uint32_t stays = 0xFFFFFFFFu;

std::string end_text(Network const& net, Node node, Port port) {
    return net.describe(node) + " port " + std::to_string(port);
}

/// By link and by node, the number of the removal that takes it away, or `stays`.
struct Gone {
    std::vector<std::uint32_t> link, node;

    Gone(Network const& net, std::vector<Removal> const& removals)
        : link(net.links().size(), stays), node(net.nodes().size(), stays) {
        for (std::uint32_t r = 0; r < removals.size(); ++r) {
            Removal const& removal = removals[r];
            if (removal.switch_node.exists()) {
                if (node[removal.switch_node.value] == stays) node[removal.switch_node.value] = r;
                continue;
            }
            for (Link const one : {removal.cable, net[removal.cable].reverse})
                if (one.exists() && link[one.value] == stays) link[one.value] = r;
        }
    }
};

class Worker {
public:
    Worker(Forwarding const& forwarding, Gone const& gone, std::vector<std::uint32_t> const& in_row,
           std::vector<std::uint32_t> const& staying, std::vector<Host> const& unplugged, std::size_t removals)
        : pairs(removals),
          from_row(forwarding.rows()),
          forwarding_(forwarding),
          gone_(gone),
          staying_(staying),
          unplugged_(unplugged),
          tree_(forwarding, in_row),
          first_(forwarding.rows()) {}

    void take(Destination destination, bool is_source, WhatIf::Destination& loss) {
        tree_.grow(destination, is_source);
        std::uint32_t const own_row = is_source ? forwarding_.entry_of(destination.host).row : no_row;
        bool const own_unplugged =
            std::find(unplugged_.begin(), unplugged_.end(), destination.host) != unplugged_.end();
        for (std::size_t i = tree_.order().size(); i-- > 0;) {
            std::uint32_t const row = tree_.order()[i];
            if (tree_.fate(row) != Fate::delivered) continue;
            first_[row] = gone_.node[forwarding_.node_of(row).value];
            if (first_[row] == stays) first_[row] = gone_.link[tree_.link(row).value];
            if (first_[row] == stays && !tree_.arrives(row)) first_[row] = first_[tree_.next(row)];
            std::uint64_t const sources = staying_[row] - (row == own_row && !own_unplugged ? 1 : 0);
            loss.delivered += sources;
            if (first_[row] != stays) lose(row, first_[row], sources, loss);
        }
        for (Host const host : unplugged_) {
            Forwarding::Entry const& entry = forwarding_.entry_of(host);
            if (host == destination.host || tree_.fate(entry.row) != Fate::delivered) continue;
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
        loss.broken += count;
    }

    Forwarding const& forwarding_;
    Gone const& gone_;
    std::vector<std::uint32_t> const& staying_;
    std::vector<Host> const& unplugged_;
    DestinationTree tree_;
    std::vector<std::uint32_t> first_;
};

}  // namespace

Removal cable_removal(Network const& network, std::string const& word) {
    std::size_t const colon = word.rfind(':');
    std::uint64_t port = 0;
    Scanner scan(colon == std::string::npos ? std::string_view() : std::string_view(word).substr(colon + 1));
    if (!scan.decimal(port) || !scan.at_end() || port == 0 || port > 0xFFFF || colon == 0)
        throw InputError({}, "--without-cable \"" + word + "\" names no port",
                         "a cable is a node and its port, NODE:PORT", "for example leaf-07:31");
    Node const node = locate(network, word.substr(0, colon)).node;
    if (!node.exists())
        throw InputError({}, "--without-cable \"" + word + "\" names no node", "nobody owns that LID",
                         "give a name or a GUID");
    Link const link = network.link_at(node, static_cast<Port>(port));
    if (!link.exists())
        throw InputError({}, "--without-cable \"" + word + "\" names no cable",
                         end_text(network, node, static_cast<Port>(port)) + " has none", "give a port with a cable");
    return {"the cable from " + end_text(network, node, static_cast<Port>(port)) + " to " +
                end_text(network, network[link].to, network[link].to_port),
            link, Node{}, 0};
}

Removal switch_removal(Network const& network, std::string const& word) {
    Node const node = locate(network, word).node;
    if (!node.exists() || network[node].kind != NodeKind::switch_node)
        throw InputError({}, "--without-switch \"" + word + "\" is not a switch",
                         node.exists() ? network.describe(node) : "nobody owns that LID",
                         "give the name, GUID or LID of a switch");
    return {network.describe(node), Link{}, node, 0};
}

WhatIf what_if(Forwarding const& forwarding, std::span<Host const> sources, std::span<Host const> destinations,
               std::vector<Removal> removals, unsigned threads) {
    Network const& net = forwarding.fabric().network;
    Gone const gone(net, removals);
    std::vector<std::uint32_t> const in_row = sources_by_row(forwarding, sources);
    std::vector<std::uint32_t> staying = in_row;  // those whose own cable stays
    std::vector<Host> unplugged;
    std::vector<bool> sends(net.hosts().size());
    for (Host const host : sources) {
        sends[host.value] = true;
        Forwarding::Entry const& entry = forwarding.entry_of(host);
        if (entry.row == no_row || !entry.up.exists() || gone.link[entry.up.value] == stays) continue;
        unplugged.push_back(host);
        --staying[entry.row];
    }
    std::vector<Destination> const towards = destinations_of(net, destinations);
    std::vector<WhatIf::Destination> losses(towards.size());
    threads = threads_to_use(threads);
    std::vector<std::unique_ptr<Worker>> workers;
    for (unsigned t = 0; t < threads; ++t)
        workers.push_back(std::make_unique<Worker>(forwarding, gone, in_row, staying, unplugged, removals.size()));
    auto const count = static_cast<std::ptrdiff_t>(towards.size());
#pragma omp parallel for schedule(dynamic, 64) num_threads(static_cast <int>(threads))
    for (std::ptrdiff_t d = 0; d < count; ++d) {
        auto const at = static_cast<std::size_t>(d);
        Worker& worker = *workers[static_cast<std::size_t>(this_thread())];
        losses[at].lid = towards[at].lid;
        losses[at].host = towards[at].host;
        worker.take(towards[at], sends[towards[at].host.value], losses[at]);
    }

    WhatIf answer;
    answer.removals = std::move(removals);
    std::vector<std::uint64_t> from_node(net.nodes().size());
    for (auto const& worker : workers) {
        for (std::size_t r = 0; r < answer.removals.size(); ++r) answer.removals[r].pairs += worker->pairs[r];
        for (std::uint32_t row = 0; row < forwarding.rows(); ++row)
            from_node[forwarding.node_of(row).value] += worker->from_row[row];
    }
    for (WhatIf::Destination const& loss : losses) {
        answer.delivered += loss.delivered;
        answer.broken += loss.broken;
        if (loss.broken > 0) answer.destinations.push_back(loss);
    }
    for (std::size_t n = 0; n < from_node.size(); ++n)
        if (from_node[n] > 0) answer.sources.push_back({Node{n}, from_node[n]});
    auto const more = [](auto const& a, auto const& b) { return a.broken > b.broken; };
    std::stable_sort(answer.destinations.begin(), answer.destinations.end(), more);
    std::stable_sort(answer.sources.begin(), answer.sources.end(), more);
    return answer;
}

std::vector<CablePairs> criticality(Network const& network, std::span<std::uint64_t const> load) {
    std::vector<CablePairs> cables;
    for (std::size_t i = 0; i < network.links().size(); ++i) {
        Link const back = network[Link{i}].reverse;
        if (back.exists() && back.value < i) continue;
        cables.push_back({Link{i}, load[i] + (back.exists() && back.value != i ? load[back.value] : 0)});
    }
    std::stable_sort(cables.begin(), cables.end(),
                     [](CablePairs const& a, CablePairs const& b) { return a.pairs > b.pairs; });
    return cables;
}

}  // namespace tailback
