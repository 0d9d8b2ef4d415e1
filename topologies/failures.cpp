#include "topologies/failures.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/model/locate.hpp"
#include "topologies/draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include <fnmatch.h>

namespace tailback::topologies {
namespace {

constexpr std::uint64_t million = 1'000'000;

/// `count` of the things, without repetition: the beginning of a Fisher-Yates shuffle.
template <class Thing>
void draw_some(std::vector<Thing>& things, std::uint64_t count, Draws draws) {
    for (std::size_t i = 0; i < count; ++i)
        std::swap(things[i], things[i + draws.below(static_cast<std::uint32_t>(things.size() - i))]);
    things.resize(count);
}

std::uint64_t checked_count(FailureCount const& wanted, std::uint64_t all, char const* what) {
    std::uint64_t const count = wanted.of(all);
    if (count > all)
        throw base::InputError({}, fmt::format("{} {} cannot fail", count, what), fmt::format("there are {}", all),
                               "ask for fewer");
    return count;
}

/// What a word names: a glob all switches whose names it matches, another word one.
void add_named_switches(model::Network const& network, std::string const& word, std::vector<model::Node>& named) {
    if (word.find_first_of("*?[") != word.npos && !network.node_by_name(word).exists()) {
        std::size_t const before = named.size();
        for (std::size_t n = 0; n < network.nodes().size(); ++n)
            if (model::Node const node{n};
                network.is_switch(node) && ::fnmatch(word.c_str(), network[node].name.c_str(), 0) == 0)
                named.push_back(node);
        if (named.size() > before) return;
    }
    model::Node const node = model::locate(network, word).node;
    if (!node.exists() || !network.is_switch(node))
        throw base::InputError({}, "--fail-switches \"" + base::printable(word) + "\" is not a switch",
                               node.exists() ? network.describe(node) : "nobody owns that LID",
                               "give the name, GUID or LID (0x11) of a switch, or a glob of names: spine-*");
    named.push_back(node);
}

/// Drawn and named; a switch may stand there twice. @param all how many there are; 0 = none was asked for
std::vector<model::Node> failed_switches(model::Network const& network, Failures const& failures, std::uint64_t& all) {
    if (!failures.switches && failures.named_switches.empty()) return {};
    std::vector<model::Node> switches;
    for (std::size_t n = 0; n < network.nodes().size(); ++n)
        if (network.is_switch(model::Node{n})) switches.push_back(model::Node{n});
    all = switches.size();
    draw_some(switches, failures.switches ? checked_count(*failures.switches, switches.size(), "switches") : 0,
              Draws(failures.seed, BuildStream::failed_switches));
    for (std::string const& word : failures.named_switches) add_named_switches(network, word, switches);
    return switches;
}

}  // namespace

std::uint64_t FailureCount::of(std::uint64_t all) const {
    return is_share ? (all * number + million / 2) / million : number;
}

FailureCount parse_failures(std::string const& option, std::string const& text, bool of_cables) {
    FailureCount count;
    std::string_view rest = text;
    if (of_cables && rest.starts_with("switch:")) {
        count.between_switches = true;
        rest.remove_prefix(7);
    }
    if (rest.ends_with('%')) {
        count.is_share = true;
        rest.remove_suffix(1);
    }
    auto const refuse = [&](std::string const& why) {
        throw base::InputError(
            {}, fmt::format("\"{}\" is not a value for {}", text, option), why,
            of_cables
                ? "write a number or a share, such as 12 or 0.5%; for cables between switches only, switch:12; for "
                  "cables by name NODE:PORT,NODE:PORT"
                : "write a number or a share, such as 12 or 0.5%; for switches by name NAME,NAME or a glob, spine-*");
    };
    char const* const end = rest.data() + rest.size();
    auto const [whole_end, error] = std::from_chars(rest.data(), end, count.number);
    if (error != std::errc{}) refuse("");
    if (!count.is_share) {
        if (whole_end != end) refuse("");
        return count;
    }
    if (count.number > 100) refuse("more than all");
    count.number *= million / 100;
    if (whole_end != end) {
        if (*whole_end != '.' || whole_end + 1 == end || end - whole_end > 5)
            refuse("up to four places after the point");
        std::uint64_t unit = million / 1000;
        for (char const* c = whole_end + 1; c != end; ++c, unit /= 10) {
            if (*c < '0' || *c > '9') refuse("");
            count.number += unit * std::uint64_t(*c - '0');
        }
    }
    if (count.number > million) refuse("more than all");
    return count;
}

DegradedNetwork degrade(model::Network const& network, Failures const& failures, model::Lags const* lags) {
    DegradedNetwork result;
    std::vector<std::uint8_t> dead_link(network.links().size()), dead_node(network.nodes().size());
    for (model::Node const node : failed_switches(network, failures, result.switches)) {
        result.failed_switches += dead_node[node.value] == 0;
        dead_node[node.value] = 1;
    }
    auto const fail_cable = [&](model::Link cable) {
        if (dead_link[cable.value] == 0) ++result.failed_cables;
        dead_link[cable.value] = 1;
        if (network[cable].reverse.exists()) dead_link[network[cable].reverse.value] = 1;
    };
    if (!failures.named_cables.empty()) {
        for (std::string const& word : failures.named_cables)
            fail_cable(model::locate_cable(network, word, "--fail-cables"));
        for (std::size_t l = 0; l < network.links().size(); ++l) {
            model::Link const back = network[model::Link{l}].reverse;
            result.cables += !back.exists() || back.value >= l;
        }
    }
    if (failures.cables) {
        auto const forwards = [&](model::Node n) { return network.is_switch(n); };
        std::vector<model::Link> cables;
        for (std::size_t l = 0; l < network.links().size(); ++l) {
            model::LinkRecord const& link = network[model::Link{l}];
            if (link.reverse.exists() && link.reverse.value < l) continue;
            if (failures.cables->between_switches && !(forwards(link.from) && forwards(link.to))) continue;
            cables.push_back(model::Link{l});
        }
        result.cables = cables.size();
        draw_some(cables, checked_count(*failures.cables, cables.size(), "cables"),
                  Draws(failures.seed, BuildStream::failed_cables));
        for (model::Link const cable : cables) fail_cable(cable);
    }
    auto const stays = [&](model::Link link) {
        return dead_link[link.value] == 0 && dead_node[network[link].from.value] == 0 &&
               dead_node[network[link].to.value] == 0;
    };
    auto const others_take_over = [&](model::Link link) {
        if (lags == nullptr || stays(link) || lags->is_idle(network[link])) return false;
        return std::ranges::any_of(lags->sharers(network, link),
                                   [&](model::Link one) { return stays(one) && !lags->is_idle(network[one]); });
    };
    for (std::size_t l = 0; l < network.links().size(); ++l) {
        model::Link const link{l}, back = network[link].reverse;
        result.failed_members += (!back.exists() || back.value >= l) && others_take_over(link);
    }
    model::NetworkBuilder builder(network.named());
    for (model::NodeRecord const& node : network.nodes()) builder.add_node(node);
    for (std::size_t h = 0; h < network.hosts().size(); ++h) {
        model::Host const host{h};
        if (model::Link const up = network.up_link(host); up.exists() && others_take_over(up))
            result.on_others.push_back(host);
        else builder.add_host(network[host]);
    }
    for (std::size_t l = 0; l < network.links().size(); ++l) {
        model::LinkRecord link = network[model::Link{l}];
        builder.set_port_label(link.from, link.from_port, network.port_label(link.from, link.from_port));
        if (!stays(model::Link{l})) continue;
        link.reverse = model::Link{};
        builder.add_link(link);
    }
    model::Disagreements unsaid;  // hosts without cable are what was asked for
    result.network = builder.finish(unsaid, "");
    return result;
}

}  // namespace tailback::topologies
