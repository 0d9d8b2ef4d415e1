#include "host/audit/loads/balance.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tailback::audit {
namespace {

std::uint64_t most_at_one_switch(model::Network const& net, std::vector<model::Host> const& hosts) {
    std::vector<std::uint64_t> at(net.nodes().size());
    std::uint64_t most = 0;
    for (model::Host const host : hosts)
        if (model::Link const up = net.up_link(host); up.exists() && net.is_switch(net[up].to))
            most = std::max(most, ++at[net[up].to.value]);
    return most;
}

}  // namespace

double even_share(double total, std::uint64_t links, std::uint64_t together) {
    return total <= 0 ? 0 : std::max(total / double(links), double(together));
}

Stage const* Balance::least_even() const {
    bool const inner = largest_between_switches > 0;
    Stage const* worst = nullptr;
    for (Stage const& stage : stages)
        if (stage.total > 0 && (!inner || (stage.from > 0 && stage.to > 0)) &&
            (worst == nullptr || stage.imbalance() > worst->imbalance()))
            worst = &stage;
    return worst;
}

Balance balance_of(model::Network const& network, Levels const& levels, AllPairsRequest const& request,
                   AllPairsResult const& all_pairs, std::vector<bool> const& usable, PairLoads const* divided) {
    Balance balance;
    std::vector<std::uint64_t> const& load_of = divided != nullptr ? divided->load : all_pairs.load;
    if (divided != nullptr) balance.unit = divided->unit;
    else balance.together = most_at_one_switch(network, request.sources);
    std::vector<bool> endpoint(network.nodes().size());
    for (auto const* const hosts : {&request.sources, &request.destinations})
        for (model::Host const host : *hosts) endpoint[network[host].node.value] = true;
    auto const counts = [&](model::Node node) {
        return levels.of_node[node.value] != Levels::unreached && (network.is_switch(node) || endpoint[node.value]);
    };

    // Upwards before downwards: by the lower level, then by direction.
    using Key = std::tuple<std::uint32_t, std::uint32_t, bool>;
    std::map<Key, std::uint32_t> places;
    auto const key_of = [&](model::LinkRecord const& link) {
        std::uint32_t const from = levels.of_node[link.from.value], to = levels.of_node[link.to.value];
        return Key{std::min(from, to), std::max(from, to), from > to};
    };
    auto const is_looked_at = [&](std::size_t l) { return usable.empty() || usable[l] || load_of[l] > 0; };
    for (std::size_t l = 0; l < network.links().size(); ++l)
        if (model::LinkRecord const& link = network[model::Link{l}];
            counts(link.from) && counts(link.to) && is_looked_at(l))
            places[key_of(link)] = 0;
    for (auto& [key, place] : places) {
        auto const [low, high, down] = key;
        place = static_cast<std::uint32_t>(balance.stages.size());
        balance.stages.push_back(
            {.from = down ? high : low, .to = down ? low : high, .together = low > 0 ? balance.together : 0});
    }

    std::vector<SwitchLoad> loads(network.nodes().size());
    std::uint64_t links = 0, inner_links = 0;
    balance.stage_of.assign(network.links().size(), Balance::no_stage);
    for (std::size_t l = 0; l < network.links().size(); ++l) {
        model::LinkRecord const& link = network[model::Link{l}];
        if (!counts(link.from) || !counts(link.to)) continue;
        bool const inner = network.is_switch(link.from) && network.is_switch(link.to);
        ++links;
        inner_links += inner;
        if (!is_looked_at(l)) continue;
        std::uint64_t const load = load_of[l];
        std::uint32_t const place = places[key_of(link)];
        balance.stage_of[l] = place;
        Stage& stage = balance.stages[place];
        stage.least = stage.links == 0 ? load : std::min(stage.least, load);
        if (stage.links == 0 || load > stage.most) {
            stage.most = load;
            stage.hottest = model::Link{l};
        }
        ++stage.links;
        stage.unused += load == 0;
        stage.total += double(load);
        balance.hops += double(load);
        balance.largest = std::max(balance.largest, load);
        if (!inner) continue;
        balance.largest_between_switches = std::max(balance.largest_between_switches, load);
        if (load == 0) balance.unused.emplace_back(l);
        else balance.hottest.emplace_back(l);
        SwitchLoad& at = loads[link.from.value];
        at.node = link.from;
        at.level = levels.of_node[link.from.value];
        ++at.links;
        at.unused += load == 0;
        at.total += double(load);
        at.together = balance.together;
        at.most = std::max(at.most, load);
    }
    if (inner_links == 0)
        for (std::size_t l = 0; l < network.links().size(); ++l)
            if (load_of[l] > 0) balance.hottest.emplace_back(l);
    std::stable_sort(balance.hottest.begin(), balance.hottest.end(),
                     [&](model::Link a, model::Link b) { return load_of[a.value] > load_of[b.value]; });
    for (SwitchLoad const& load : loads)
        if (load.links > 0) balance.switches.push_back(load);

    // Σ distances = Σ lengths - Σ links too many.
    std::uint64_t distances = 0;
    for (std::size_t k = 0; k < all_pairs.hops.size(); ++k) distances += k * all_pairs.hops[k];
    for (std::size_t k = 0; k < all_pairs.excess.size(); ++k) distances -= k * all_pairs.excess[k];
    if (links > 0) balance.lower_bound = double(distances) / double(links);
    return balance;
}

}  // namespace tailback::audit
