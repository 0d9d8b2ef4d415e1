#include "host/audit/choices/choice_failures.hpp"

#include "host/model/routes/trace.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::audit {

using model::ChoiceGraph;
using model::ChoiceWalk;
using model::Fate;

bool ChoiceFailures::StaticFailures::have(Place const& place) const {
    if (place.fate != Fate::loop) return ends.contains({place.fate, place.at.front()});
    return std::all_of(place.at.begin(), place.at.end(), [&](Step const& step) { return circles.contains(step); });
}

ChoiceFailures::StaticFailures ChoiceFailures::static_failures(model::Lid lid,
                                                               std::span<std::uint32_t const> starts) const {
    model::Forwarding const& forwarding = graph_->forwarding();
    model::Network const& network = forwarding.fabric().network;
    StaticFailures found;
    for (std::uint32_t const start : starts) {
        model::Route const route = model::trace_from_node(forwarding.fabric(), forwarding.node_of(start), lid);
        if (route.fate == Fate::unreachable) {
            model::Port const port = route.entry == model::ForwardingTables::no_entry ? 0 : route.entry;
            found.ends.insert({route.fate, {forwarding.row_of(route.end), port}});
        } else if (route.fate == Fate::misdelivered && !route.links.empty()) {
            model::LinkRecord const& last = network[route.links.back()];
            found.ends.insert({route.fate, {forwarding.row_of(last.from), last.from_port}});
        } else if (route.fate == Fate::loop) {
            for (model::Link const link : route.links)
                found.circles.insert({forwarding.row_of(network[link].from), network[link].from_port});
        }
    }
    return found;
}

bool ChoiceFailures::fail_always(Fate fate, ChoiceGraph::Class const& one, ChoiceWalk const& walk,
                                 std::span<std::uint32_t const> starts) const {
    model::Forwarding const& forwarding = graph_->forwarding();
    for (ChoiceGraph::Member const& member : graph_->members(one))
        for (std::uint32_t const row : starts)
            if ((walk.fates(row) & ChoiceWalk::bit(fate)) != 0 &&
                model::trace_from_node(forwarding.fabric(), forwarding.node_of(row), member.to.lid).fate != fate)
                return false;
    return true;
}

void ChoiceFailures::add(ChoiceGraph::Class const& one, ChoiceWalk const& walk, std::span<std::uint32_t const> starts,
                         std::vector<std::uint32_t> const& senders) {
    std::uint64_t pairs[4] = {};
    for (std::uint32_t const row : starts)
        for (unsigned fate = 1; fate < 4; ++fate)
            if ((walk.fates(row) >> fate & 1) != 0) pairs[fate] += std::uint64_t{senders[row]} * one.count;
    std::span const column = graph_->column(one);
    StaticFailures const known = static_failures(graph_->members(one)[0].to.lid, starts);
    std::map<Fate, bool> always;
    auto const is_told = [&](Place const& place) {
        if (!known.have(place)) return false;
        auto const [at, is_first] = always.try_emplace(place.fate);
        if (is_first) at->second = fail_always(place.fate, one, walk, starts);
        return at->second;
    };
    auto const take = [&](Place const& place) {
        bool const is_new = pairs[unsigned(place.fate)] > 0 && !is_told(place);
        if (is_new) note(place, one, pairs[unsigned(place.fate)], column, starts);
        return is_new;
    };
    ChoiceGraph::Member const& member = graph_->members(one)[0];
    bool circle = false;
    for (std::uint32_t const row : walk.order()) {
        std::uint32_t const group = column[row];
        if (group == ChoiceGraph::no_way) {
            take({Fate::unreachable, {{row, 0}}});
            continue;
        }
        if (ChoiceGraph::is_mark(group)) continue;
        for (ChoiceGraph::Option const& option : graph_->options(group)) {
            if (option.target < kernels::arrival_bit || graph_->delivers(option, member)) continue;
            take({option.target == kernels::nothing ? Fate::unreachable : Fate::misdelivered, {{row, option.port}}});
        }
        if (!circle && (walk.fates(row) & ChoiceWalk::bit(Fate::loop)) != 0)
            circle = take(circle_through(row, column, walk));
    }
}

/// From a row that some choice leads from into a circle: that circle, from its lowest row on.
ChoiceFailures::Place ChoiceFailures::circle_through(std::uint32_t row, std::span<std::uint32_t const> column,
                                                     ChoiceWalk const& walk) const {
    std::vector<std::pair<std::uint32_t, model::Port>> way;
    for (;;) {
        auto const again = std::find_if(way.begin(), way.end(), [&](auto const& step) { return step.first == row; });
        if (again != way.end()) {
            way.erase(way.begin(), again);
            std::rotate(way.begin(), std::min_element(way.begin(), way.end()), way.end());
            return {Fate::loop, way};
        }
        for (ChoiceGraph::Option const& option : graph_->options(column[row])) {
            if (option.target >= kernels::arrival_bit || (walk.fates(option.target) & ChoiceWalk::bit(Fate::loop)) == 0)
                continue;
            way.emplace_back(row, option.port);
            row = option.target;
            break;
        }
    }
}

void ChoiceFailures::note(Place place, ChoiceGraph::Class const& one, std::uint64_t pairs,
                          std::span<std::uint32_t const> column, std::span<std::uint32_t const> starts) {
    Trouble& trouble = found_[place];
    if (trouble.lids.empty()) trouble.way = way_to(place.at.front().first, column, starts);
    trouble.pairs += pairs;
    for (ChoiceGraph::Member const& member : graph_->members(one)) trouble.lids.push_back(member.to.lid);
}

/// The shortest way by choices from where packets enter.
std::string ChoiceFailures::way_to(std::uint32_t row, std::span<std::uint32_t const> column,
                                   std::span<std::uint32_t const> starts) const {
    std::map<std::uint32_t, std::pair<std::uint32_t, model::Port>> before;
    std::vector<std::uint32_t> queue(starts.begin(), starts.end());
    for (std::uint32_t const start : starts) before[start] = {start, 0};
    for (std::size_t i = 0; i < queue.size() && !before.contains(row); ++i) {
        if (ChoiceGraph::is_mark(column[queue[i]])) continue;
        for (ChoiceGraph::Option const& option : graph_->options(column[queue[i]]))
            if (option.target < kernels::arrival_bit && before.try_emplace(option.target, queue[i], option.port).second)
                queue.push_back(option.target);
    }
    std::vector<std::string> way;
    for (std::uint32_t at = row; before.contains(at) && before[at].second != 0; at = before[at].first)
        way.push_back(port_text(before[at].first, before[at].second));
    std::string text;
    for (auto it = way.rbegin(); it != way.rend(); ++it) text += (text.empty() ? "" : ", then ") + *it;
    return text;
}

std::string ChoiceFailures::port_text(std::uint32_t row, model::Port port) const {
    model::Network const& network = graph_->forwarding().fabric().network;
    model::Node const node = graph_->forwarding().node_of(row);
    return network.describe(node) + (port > 0 ? network.port_text(node, port) : "");
}

std::string ChoiceFailures::text_of(Place const& place) const {
    if (place.fate == Fate::loop) {
        std::string circle;
        for (auto const& [row, port] : place.at) circle += (circle.empty() ? "" : ", ") + port_text(row, port);
        return "some choices run in a circle: " + circle;
    }
    auto const [row, port] = place.at.front();
    if (port == 0) return "some choices end here: there is no entry";
    if (place.fate == Fate::misdelivered) return fmt::format("port {} of a group leads to another host", port);
    model::Network const& network = graph_->forwarding().fabric().network;
    return port > network[graph_->forwarding().node_of(row)].ports
               ? fmt::format("a group has port {}, which the switch does not have", port)
               : fmt::format("port {} of a group has no cable", port);
}

void ChoiceFailures::add(ChoiceFailures const& more) {
    for (auto const& [place, trouble] : more.found_) {
        Trouble& sum = found_[place];
        if (sum.lids.empty()) sum.way = trouble.way;
        sum.pairs += trouble.pairs;
        sum.lids.insert(sum.lids.end(), trouble.lids.begin(), trouble.lids.end());
    }
}

std::vector<Finding> ChoiceFailures::findings() const {
    std::vector<Finding> findings;
    for (auto const& [place, trouble] : found_) {
        Finding finding;
        finding.kind = FindingKind::choices;
        auto const [row, port] = place.at.front();
        finding.node = graph_->forwarding().node_of(row);
        finding.port = port;
        finding.where = port_text(row, port);
        finding.pairs = trouble.pairs;
        std::vector<model::Lid> lids = trouble.lids;
        std::sort(lids.begin(), lids.end());
        for (model::Lid const lid : lids) finding.lids.add(lid);
        finding.message = text_of(place) + "; it concerns packets for " + finding.lids.text();
        if (!trouble.way.empty()) finding.message += ", by the choices " + trouble.way;
        findings.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace tailback::audit
