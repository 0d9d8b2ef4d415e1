#include "host/audit/findings/cables.hpp"

#include "host/model/routes/fabric_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tailback::audit {
namespace {

/// Each cable with two rates, one of its links: the one from the lower node, or the lower port.
bool is_first(model::Network const& net, model::Link link) {
    model::LinkRecord const& record = net[link];
    return !record.reverse.exists() || link < record.reverse || record.reverse == link;
}

/// The slower of the two where they differ.
model::LinkRate rate_of(model::Network const& net, model::LinkRecord const& link) {
    if (!link.reverse.exists() || !net[link.reverse].rate.stated()) return link.rate;
    model::LinkRate const back = net[link.reverse].rate;
    return !link.rate.stated() || back.elevenths_of_gbps() < link.rate.elevenths_of_gbps() ? back : link.rate;
}

/// The fastest rate of the cables of each switch to other switches.
std::vector<model::LinkRate> fastest_of_switches(model::Network const& net) {
    std::vector<model::LinkRate> fastest(net.nodes().size());
    for (model::LinkRecord const& link : net.links())
        if (model::LinkRate const rate = rate_of(net, link);
            between_switches(net, link) && rate.elevenths_of_gbps() > fastest[link.from.value].elevenths_of_gbps())
            fastest[link.from.value] = rate;
    return fastest;
}

/// The width of nine out of ten hosts' cables; 0 where none is that common.
unsigned usual_width(model::Network const& net) {
    std::map<unsigned, std::size_t> hosts;
    std::size_t all = 0;
    for (std::size_t h = 0; h < net.hosts().size(); ++h) {
        model::Link const up = net.up_link(model::Host{h});
        if (net[model::Host{h}].role == model::HostRole::aggregation || !up.exists() || !net[up].rate.stated())
            continue;
        ++hosts[net[up].rate.width];
        ++all;
    }
    for (auto const& [width, count] : hosts)
        if (count * 10 >= all * 9) return width;
    return 0;
}

bool is_of_aggregation(model::Network const& net, model::Node node) {
    return std::ranges::any_of(net.hosts_of(node),
                               [&](model::Host h) { return net[h].role == model::HostRole::aggregation; });
}

/// How a cable is slower than others of its kind; nothing = it is not.
std::string why_slow(model::Fabric const& fabric, model::LinkRecord const& link,
                     std::vector<model::LinkRate> const& fastest, unsigned width) {
    model::Network const& net = fabric.network;
    model::LinkRate const rate = rate_of(net, link);
    if (!rate.stated()) return {};
    if (between_switches(net, link)) {
        model::LinkRate const could =
            std::min(fastest[link.from.value], fastest[link.to.value],
                     [](auto const& a, auto const& b) { return a.elevenths_of_gbps() < b.elevenths_of_gbps(); });
        return rate.elevenths_of_gbps() < could.elevenths_of_gbps()
                   ? fmt::format(", where both have cables of {}", model::rate_text(fabric, could))
                   : std::string();
    }
    bool const is_apart = is_of_aggregation(net, link.from) || is_of_aggregation(net, link.to);
    bool const has_lanes = fabric.ip == nullptr;  // Ethernet tells its rate alone
    return has_lanes && rate.width < width && !is_apart ? fmt::format("; hosts have {}x", width) : std::string();
}

}  // namespace

bool between_switches(model::Network const& net, model::LinkRecord const& link) {
    return net.is_switch(link.from) && net.is_switch(link.to);
}

std::vector<Finding> find_odd_cables(model::Fabric const& fabric) {
    model::Network const& network = fabric.network;
    std::vector<Finding> found;
    std::vector<model::LinkRate> const fastest = fastest_of_switches(network);
    unsigned const width = usual_width(network);
    for (std::size_t l = 0; l < network.links().size(); ++l) {
        model::LinkRecord const& link = network[model::Link{l}];
        if (!is_first(network, model::Link{l})) continue;
        std::string const slow = why_slow(fabric, link, fastest, width);
        std::string const far = port_location(network, link.to, link.to_port);
        bool const ends_differ = link.reverse.exists() && link.rate.stated() && network[link.reverse].rate.stated() &&
                                 link.rate != network[link.reverse].rate;
        if (ends_differ)
            found.push_back(finding_at(
                Code::rates_of_ends_differ, network, link.from, link.from_port,
                fmt::format("its end of the cable is {}, that at {} is {}", model::rate_text(fabric, link.rate), far,
                            model::rate_text(fabric, network[link.reverse].rate))));
        if (slow.empty()) continue;
        Finding degraded = finding_at(
            Code::slow_cable, network, link.from, link.from_port,
            fmt::format("its cable to {} runs at {}{}", far, model::rate_text(fabric, rate_of(network, link)), slow));
        (ends_differ ? found.back().symptoms : found).push_back(std::move(degraded));
    }
    return found;
}

}  // namespace tailback::audit
