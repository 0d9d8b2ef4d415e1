#include "host/formats/ibdiagnet2/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace tailback::formats {
namespace {

class Comparison {
public:
    Comparison(Description const& used, Description const& other, Matching const& match)
        : net_(used.network),
          used_(name_of(used.file)),
          other_(other.network),
          tell_lmc_(used.tells_lmc && other.tells_lmc),
          match_(match),
          told_here_(used.told),
          told_there_(other.told) {}

    std::vector<Difference> run() {
        std::vector<bool> met(net_.nodes().size());
        for (std::size_t n = 0; n < other_.nodes().size(); ++n) {
            model::Node const node = match_.here(model::Node{n});
            if (node.exists()) {
                met[node.value] = true;
            } else if (model::Link const place = place_taken(model::Node{n}); place.exists()) {
                met[net_[place].to.value] = true;
                add(Difference::Kind::cable, net_.place_of(net_[place].from, net_[place].from_port),
                    "its cable leads to " + other_.describe(model::Node{n}) + " by",
                    "to " + net_.describe(net_[place].to) + " by " + used_);
                found_.back().far = net_[place].to;
            } else {
                model::FabricPlace where;
                where.text = other_.describe(model::Node{n});
                where.guid = other_[model::Node{n}].guid;
                add(Difference::Kind::only_there, where, "it is only in", "");
            }
        }
        for (std::size_t n = 0; n < net_.nodes().size(); ++n)
            if (!met[n] && net_.link_count(model::Node{n}) > 0)
                add(Difference::Kind::missing_there, net_.place_of(model::Node{n}), "it is missing in", "");
        compare_links(met);
        compare_ports();
        compare_names();
        compare_states();
        return std::move(found_);
    }

private:
    void add(Difference::Kind kind, model::FabricPlace where, std::string before, std::string after) {
        found_.push_back({kind, std::move(where), std::move(before), std::move(after)});
    }

    /// A cable is told at one of its ends.
    bool is_news(model::Node from, model::Port from_port, model::Node to, model::Port to_port) {
        auto const a = std::pair(from.value, from_port), b = std::pair(to.value, to_port);
        return told_.insert(std::minmax(a, b)).second;
    }

    void compare_links(std::vector<bool> const& met) {
        std::vector<bool> told(net_.links().size());
        for (model::LinkRecord const& link : other_.links()) {
            model::Node const from = match_.here(link.from), to = match_.here(link.to);
            if (!from.exists() || !to.exists()) {  // of a node that is only there
                take_as_told(told, from, link.from_port);
                take_as_told(told, to, link.to_port);
                continue;
            }
            model::Link const here = net_.link_at(from, link.from_port);
            model::FabricPlace where = net_.place_of(from, link.from_port);
            if (!here.exists() || net_[here].to != to || net_[here].to_port != link.to_port) {
                take_as_told(told, from, link.from_port);
                if (!is_news(from, link.from_port, to, link.to_port)) continue;
                if (!here.exists()) where.nodes = {from, to};  // what goes by it is lost
                add(Difference::Kind::cable, where,
                    "its cable leads to " + net_.place_of(to, link.to_port).text + " by",
                    (here.exists() ? "to " + net_.place_of(net_[here].to, net_[here].to_port).text
                                   : std::string("nowhere")) +
                        " by " + used_);
                found_.back().far = to;
                continue;
            }
            told[here.value] = true;
            if (link.rate.stated() && net_[here].rate.stated() && link.rate != net_[here].rate &&
                !is_rate_of_other_end(here, link.rate))
                add(Difference::Kind::rate, where, "its rate is " + link.rate.text() + " by",
                    net_[here].rate.text() + " by " + used_);
        }
        for (std::size_t l = 0; l < told.size(); ++l) {
            model::LinkRecord const& link = net_[model::Link{l}];
            if (!told[l] && met[link.from.value] && met[link.to.value] &&
                is_news(link.from, link.from_port, link.to, link.to_port))
                add(Difference::Kind::missing_cable, net_.place_of(link.from, link.from_port),
                    "its cable is missing in", "");
        }
    }

    /// Of a cable with two rates a file that tells one rate a cable has either: that they are two is a finding.
    bool is_rate_of_other_end(model::Link link, model::LinkRate const& rate) const {
        return net_[link].reverse.exists() && net_[net_[link].reverse].rate == rate;
    }

    /// The cable that leads to another node here, which is in the place of a node that is only there; none for others.
    model::Link place_taken(model::Node only_there) const {
        for (model::Link link = other_.first_link(only_there);
             link.value < other_.first_link(only_there).value + other_.link_count(only_there); ++link.value) {
            model::Node const far = match_.here(other_[link].to);
            model::Link const here = far.exists() ? net_.link_at(far, other_[link].to_port) : model::Link{};
            if (here.exists() && !match_.is_met(net_[here].to) &&
                net_.is_switch(net_[here].to) == other_.is_switch(only_there))
                return here;
        }
        return {};
    }

    void take_as_told(std::vector<bool>& told, model::Node node, model::Port port) const {
        model::Link const link = node.exists() ? net_.link_at(node, port) : model::Link{};
        if (!link.exists()) return;
        told[link.value] = true;
        if (net_[link].reverse.exists()) told[net_[link].reverse.value] = true;
    }

    void compare_ports() {
        for (std::size_t n = 0; n < other_.nodes().size(); ++n) {
            model::NodeRecord const& there = other_[model::Node{n}];
            model::Node const node = match_.here(model::Node{n});
            if (node.exists() && there.kind == model::NodeKind::switch_node)
                compare_port(net_.place_of(node), net_[node], there);
        }
        for (model::HostRecord const& there : other_.hosts()) {
            model::Node const node = match_.here(there.node);
            if (!node.exists()) continue;
            for (model::Host const here : net_.hosts_of(node))
                if (net_[here].port == there.port) compare_port(net_.place_of(node, there.port), net_[here], there);
        }
    }

    model::Link cable_at(model::Node node, model::Port port) const {
        model::Link const link = node.exists() ? net_.link_at(node, port) : model::Link{};
        return link.exists() && net_[link].reverse.exists() ? std::min(link, net_[link].reverse) : link;
    }
    void compare_states() {
        std::set<model::Link> idle;
        for (model::NotedDisagreement const& noted : told_here_.noted())
            if (noted.code == diagnosis::Code::port_not_active)
                idle.insert(cable_at(noted.where.node, noted.where.port));
        for (model::NotedDisagreement const& noted : told_there_.noted()) {
            if (noted.code != diagnosis::Code::port_not_active || !noted.where.node.exists()) continue;
            model::Link const cable = cable_at(match_.here(noted.where.node), noted.where.port);
            if (cable.exists() && idle.insert(cable).second)
                add(Difference::Kind::state, net_.place_of(net_[cable].from, net_[cable].from_port),
                    "its state is " + noted.where.state + " by", "not by " + used_);
        }
    }

    /// Where many names differ, one file goes by a map of names.
    void compare_names() {
        std::vector<Difference> names;
        for (std::size_t n = 0; n < other_.nodes().size(); ++n) {
            model::Node const node = match_.here(model::Node{n});
            std::string const& there = other_[model::Node{n}].name;
            if (!node.exists() || there.empty() || net_[node].name.empty() || there == net_[node].name) continue;
            names.push_back({Difference::Kind::name, net_.place_of(node), fmt::format("its name is \"{}\" by", there),
                             fmt::format("\"{}\" by {}", net_[node].name, used_)});
            if (names.size() > most_apart) return;
        }
        std::ranges::move(names, std::back_inserter(found_));
    }

    /// @param here, there records of a switch or of a host
    template <class Record>
    void compare_port(model::FabricPlace const& where, Record const& here, Record const& there) {
        compare_lid(where, here.lid, there.lid);
        if (tell_lmc_ && here.lid == there.lid && here.lmc != there.lmc && here.lid != 0)
            add(Difference::Kind::lid, where, fmt::format("its LMC is {} by", there.lmc),
                fmt::format("{} by {}", here.lmc, used_));
        if (here.port_guid != there.port_guid && here.port_guid != 0 && there.port_guid != 0)
            add(Difference::Kind::port_guid, where, fmt::format("its port GUID is {:#018x} by", there.port_guid),
                fmt::format("{:#018x} by {}", here.port_guid, used_));
    }

    void compare_lid(model::FabricPlace where, model::Lid here, model::Lid there) {
        if (here == there || here == 0 || there == 0) return;
        where.lids = {std::min(here, there), std::max(here, there)};
        add(Difference::Kind::lid, where, fmt::format("its LID is {} by", there), fmt::format("{} by {}", here, used_));
    }

    model::Network const& net_;
    std::string used_;
    model::Network const& other_;
    bool tell_lmc_;
    Matching const& match_;
    model::Disagreements const &told_here_, &told_there_;
    std::vector<Difference> found_;
    std::set<std::pair<std::pair<std::uint32_t, model::Port>, std::pair<std::uint32_t, model::Port>>> told_;
};

}  // namespace

Matching::Matching(model::Network const& network, model::Network const& other) {
    for (model::HostRecord const& host : network.hosts())
        if (host.port_guid != 0) by_port_.emplace(host.port_guid, host.node);
    for (std::size_t n = 0; n < other.nodes().size(); ++n) {
        std::uint64_t const guid = other[model::Node{n}].guid;
        model::Node node = network.node_by_guid(guid);
        if (auto const port = by_port_.find(guid); !node.exists() && port != by_port_.end()) node = port->second;
        here_.push_back(node);
        if (node.exists()) met_.insert(node.value);
    }
}

std::vector<Difference> differences(Description const& used, Description const& other, Matching const& match) {
    return Comparison(used, other, match).run();
}

}  // namespace tailback::formats
