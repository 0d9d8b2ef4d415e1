#include "host/formats/ibdiagnet2/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace tailback::formats {
namespace {

class Comparison {
public:
    Comparison(Description const& used, Description const& other, model::NetworkMatch const& match)
        : net_(used.network),
          used_(name_of(used.file)),
          other_(other.network),
          tell_lmc_(used.tells_lmc && other.tells_lmc),
          match_(match),
          found_here_(model::differences(other.network, used.network, match)),
          told_here_(used.told),
          told_there_(other.told) {}

    std::vector<Difference> run() {
        std::vector<bool> replaced(net_.nodes().size());  // by a node that is only there
        for (model::Node const there : found_here_.nodes_gone) {
            if (model::Link const place = place_taken(there); place.exists()) {
                replaced[net_[place].to.value] = true;
                add(Difference::Kind::cable, net_.place_of(net_[place].from, net_[place].from_port),
                    "its cable leads to " + other_.describe(there) + " by",
                    "to " + net_.describe(net_[place].to) + " by " + used_);
                found_.back().far = net_[place].to;
                continue;
            }
            model::FabricPlace where;
            where.text = other_.describe(there);
            where.guid = other_[there].guid;
            add(Difference::Kind::only_there, where, "it is only in", "");
        }
        for (model::Node const node : found_here_.nodes_new)
            if (!replaced[node.value] && net_.link_count(node) > 0)
                add(Difference::Kind::missing_there, net_.place_of(node), "it is missing in", "");
        compare_links(replaced);
        for (model::NetworkDifferences::PortChange const& change : found_here_.ports) compare_port(change);
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

    /// @param replaced nodes in whose place another one is there
    void compare_links(std::vector<bool> const& replaced) {
        std::vector<bool> told(net_.links().size());
        for (std::size_t l = 0; l < other_.links().size(); ++l)
            if (model::Link const here = match_.link_after[model::Link{l}]; here.exists()) told[here.value] = true;
            else compare_cable(other_[model::Link{l}], told);
        for (auto const& [there, here] : found_here_.rates)
            if (model::LinkRate const rate = other_[there].rate;
                rate.stated() && net_[here].rate.stated() && !is_rate_of_other_end(here, rate))
                add(Difference::Kind::rate, net_.place_of(net_[here].from, net_[here].from_port),
                    "its rate is " + rate.text() + " by", net_[here].rate.text() + " by " + used_);
        for (std::size_t l = 0; l < told.size(); ++l) {
            model::LinkRecord const& link = net_[model::Link{l}];
            if (!told[l] && is_there(link.from, replaced) && is_there(link.to, replaced) &&
                is_news(link.from, link.from_port, link.to, link.to_port))
                add(Difference::Kind::missing_cable, net_.place_of(link.from, link.from_port),
                    "its cable is missing in", "");
        }
    }

    bool is_there(model::Node here, std::vector<bool> const& replaced) const {
        return replaced[here.value] || match_.node_before[here].exists();
    }

    /// One that is not here.
    void compare_cable(model::LinkRecord const& link, std::vector<bool>& told) {
        model::Node const from = match_.node_after[link.from], to = match_.node_after[link.to];
        take_as_told(told, from, link.from_port);
        if (!from.exists() || !to.exists()) {  // of a node that is only there
            take_as_told(told, to, link.to_port);
            return;
        }
        if (!is_news(from, link.from_port, to, link.to_port)) return;
        model::Link const here = net_.link_at(from, link.from_port);
        model::FabricPlace where = net_.place_of(from, link.from_port);
        if (!here.exists()) where.nodes = {from, to};  // what goes by it is lost
        add(Difference::Kind::cable, where, "its cable leads to " + net_.place_of(to, link.to_port).text + " by",
            (here.exists() ? "to " + net_.place_of(net_[here].to, net_[here].to_port).text : std::string("nowhere")) +
                " by " + used_);
        found_.back().far = to;
    }

    /// Of a cable with two rates a file that tells one rate a cable has either: that they are two is a finding.
    bool is_rate_of_other_end(model::Link link, model::LinkRate const& rate) const {
        return net_[link].reverse.exists() && net_[net_[link].reverse].rate == rate;
    }

    /// The cable that leads to another node here, which is in the place of a node that is only there; none for others.
    model::Link place_taken(model::Node only_there) const {
        for (model::Link link = other_.first_link(only_there);
             link.value < other_.first_link(only_there).value + other_.link_count(only_there); ++link.value) {
            model::Node const far = match_.node_after[other_[link].to];
            model::Link const here = far.exists() ? net_.link_at(far, other_[link].to_port) : model::Link{};
            if (here.exists() && !match_.node_before[net_[here].to].exists() &&
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
            model::Link const cable = cable_at(match_.node_after[noted.where.node], noted.where.port);
            if (cable.exists() && idle.insert(cable).second)
                add(Difference::Kind::state, net_.place_of(net_[cable].from, net_[cable].from_port),
                    "its state is " + noted.where.state + " by", "not by " + used_);
        }
    }

    /// Where many names differ, one file goes by a map of names.
    void compare_names() {
        std::vector<Difference> names;
        for (auto const& [there, here] : found_here_.renamed) {
            if (other_[there].name.empty() || net_[here].name.empty()) continue;
            names.push_back({Difference::Kind::name, net_.place_of(here),
                             fmt::format("its name is \"{}\" by", other_[there].name),
                             fmt::format("\"{}\" by {}", net_[here].name, used_)});
            if (names.size() > most_apart) return;
        }
        std::ranges::move(names, std::back_inserter(found_));
    }

    void compare_port(model::NetworkDifferences::PortChange const& change) {
        model::FabricPlace const where =
            change.port == 0 ? net_.place_of(change.node_after) : net_.place_of(change.node_after, change.port);
        compare_lid(where, change.after, change.before);
        if (tell_lmc_ && change.after == change.before && change.lmc_after != change.lmc_before && change.after != 0)
            add(Difference::Kind::lid, where, fmt::format("its LMC is {} by", change.lmc_before),
                fmt::format("{} by {}", change.lmc_after, used_));
        if (change.guid_after != change.guid_before && change.guid_after != 0 && change.guid_before != 0)
            add(Difference::Kind::port_guid, where, fmt::format("its port GUID is {:#018x} by", change.guid_before),
                fmt::format("{:#018x} by {}", change.guid_after, used_));
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
    model::NetworkMatch const& match_;
    model::NetworkDifferences found_here_;
    model::Disagreements const &told_here_, &told_there_;
    std::vector<Difference> found_;
    std::set<std::pair<std::pair<std::uint32_t, model::Port>, std::pair<std::uint32_t, model::Port>>> told_;
};

}  // namespace

std::vector<Difference> differences(Description const& used, Description const& other,
                                    model::NetworkMatch const& match) {
    return Comparison(used, other, match).run();
}

}  // namespace tailback::formats
