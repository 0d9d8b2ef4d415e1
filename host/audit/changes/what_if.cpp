// Pairs break where their route first meets something that is gone; the trees of destinations tell for all sources at
// once.
#include "host/audit/changes/what_if.hpp"

#include "host/audit/findings/consistency.hpp"
#include "host/base/error.hpp"
#include "host/model/locate.hpp"
#include "host/model/routes/for_each_destination.hpp"

#include <algorithm>

namespace tailback::audit {
namespace {

constexpr std::uint32_t stays = 0xFFFFFFFFu;

/// `, for example swp49`: the first port of a node with a cable.
std::string example_of(model::Network const& net, model::Node node) {
    if (net.link_count(node) == 0) return "";
    return ", for example " + net.port_name(node, net[net.first_link(node)].from_port);
}

/// By link and by node, the number of the removal that takes it away, or `stays`.
struct Gone {
    std::vector<std::uint32_t> link, node;

    Gone(model::Network const& net, std::vector<Removal> const& removals)
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
        loss.broken += count;
    }

    model::Forwarding const& forwarding_;
    Gone const& gone_;
    Sources const& sources_;
    std::vector<WhatIf::Destination>& losses_;
    std::vector<std::uint32_t> first_;  // by row: the removal its packets meet first
};

}  // namespace

Removal cable_removal(model::Network const& network, std::string const& word) {
    std::size_t colon = word.rfind(':');
    for (std::size_t at = colon; at != std::string::npos && at > 0;
         at = word.rfind(':', at - 1))  // names have some, too
        if (model::Node const node = network.node_by_name(word.substr(0, at));
            node.exists() && network.port_called(node, std::string_view(word).substr(at + 1)) != 0)
            colon = at;
    // As reports print a port: `switch "leaf 1" (0x0002c90300000001) port 7`, `leaf 1 [7]`.
    std::string port_word = colon == word.npos ? "" : word.substr(colon + 1);
    for (std::string const mark : {"\" port ", ") port ", " ["})
        if (std::size_t const at = word.rfind(mark); at != word.npos && at > 0) {
            std::string_view const rest = std::string_view(word).substr(at + mark.size());
            if (mark == " [" && !rest.ends_with(']')) continue;
            colon = at + (mark == " [" ? 0 : 1);
            port_word = rest.substr(0, rest.find_first_of(mark == " [" ? "]" : " "));
        }
    if (colon == std::string::npos || colon == 0)
        throw base::InputError({}, "--without-cable \"" + word + "\" names no port",
                               "a cable is a node and its port, NODE:PORT", "for example leaf-07:31 or leaf-07:swp49");
    model::Node const node = model::locate(network, word.substr(0, colon)).node;
    if (!node.exists())
        throw base::InputError({}, "--without-cable \"" + word + "\" names no node", "nobody owns that LID",
                               "give a name or a GUID");
    model::Port const port = network.port_called(node, port_word);
    if (port == 0)
        throw base::InputError({}, "--without-cable \"" + word + "\" names no port",
                               network.describe(node) + " has no port \"" + port_word + "\"",
                               "give the number or the name of a port with a cable" + example_of(network, node));
    model::Link const link = network.link_at(node, port);
    if (!link.exists())
        throw base::InputError({}, "--without-cable \"" + word + "\" names no cable",
                               port_location(network, node, port) + " has none",
                               "give a port with a cable" + example_of(network, node));
    return {"the cable from " + port_location(network, node, port) + " to " +
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
    Gone const gone(net, removals);
    Sources const from(forwarding, sources, gone);
    std::vector<model::Destination> const towards = model::destinations_of(net, destinations);
    std::vector<WhatIf::Destination> losses(towards.size());
    auto const broken = model::for_each_destination(forwarding, from.all, model::TreeRows::met, towards, threads, [&] {
        return BrokenPairs(forwarding, gone, from, removals.size(), losses);
    });

    WhatIf answer;
    answer.removals = std::move(removals);
    std::vector<std::uint64_t> from_node(net.nodes().size());
    for (BrokenPairs const& one : broken) {
        for (std::size_t r = 0; r < answer.removals.size(); ++r) answer.removals[r].pairs += one.pairs[r];
        for (std::uint32_t row = 0; row < forwarding.rows(); ++row)
            from_node[forwarding.node_of(row).value] += one.from_row[row];
    }
    for (WhatIf::Destination const& loss : losses) {
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

std::vector<CablePairs> criticality(model::Network const& network, std::span<std::uint64_t const> load) {
    std::vector<CablePairs> cables;
    for (std::size_t i = 0; i < network.links().size(); ++i) {
        model::Link const back = network[model::Link{i}].reverse;
        if (back.exists() && back.value < i) continue;
        cables.push_back({model::Link{i}, load[i] + (back.exists() && back.value != i ? load[back.value] : 0)});
    }
    std::stable_sort(cables.begin(), cables.end(),
                     [](CablePairs const& a, CablePairs const& b) { return a.pairs > b.pairs; });
    return cables;
}

}  // namespace tailback::audit
