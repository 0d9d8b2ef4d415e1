#include "host/audit/choices/choice_failures.hpp"

#include "host/model/routes/fabric_words.hpp"
#include "host/model/routes/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tailback::audit {

using model::ChoiceGraph;
using model::ChoiceWalk;
using model::Fate;

/// Where the static entries fail for destinations of one class: those places are findings of their own.
class ChoiceFailures::StaticFailures {
public:
    StaticFailures(ChoiceGraph const& graph, ChoiceGraph::Class const& one, ChoiceWalk const& walk,
                   std::span<std::uint32_t const> starts)
        : graph_(graph), one_(one), walk_(walk), starts_(starts) {}

    /// Do they fail there for every pair that some choice leads there?
    bool always_at(Place const& place) {
        std::vector<Failure> const& of_first = failures_of(0);
        if (std::none_of(of_first.begin(), of_first.end(), [&](Failure const& one) { return one.is_at(place); }))
            return false;
        std::vector<bool> const leads = leads_to(place);
        for (std::size_t m = 0; m < graph_.members(one_).size(); ++m)
            for (std::size_t i = 0; i < starts_.size(); ++i)
                if (leads[starts_[i]] && !failures_of(m)[i].is_at(place)) return false;
        return true;
    }

private:
    /// A route's end, or the circle it runs in.
    struct Failure {
        Fate fate = Fate::delivered;
        std::set<Step> steps;

        bool is_at(Place const& place) const {
            return fate == place.fate && std::all_of(place.at.begin(), place.at.end(),
                                                     [&](Step const& step) { return steps.contains(step); });
        }
    };

    Failure failure_of(std::uint32_t start, model::Lid lid) const {
        model::Forwarding const& forwarding = graph_.forwarding();
        model::Network const& network = forwarding.fabric().network;
        model::Route const route = model::trace_from_node(forwarding.fabric(), forwarding.node_of(start), lid);
        Failure failure{route.fate, {}};
        if (route.fate == Fate::unreachable) {
            model::Port const port = route.entry == model::ForwardingTables::no_entry ? 0 : route.entry;
            failure.steps.insert({forwarding.row_of(route.end), port});
        } else if (route.fate == Fate::misdelivered && !route.links.empty()) {
            model::LinkRecord const& last = network[route.links.back()];
            failure.steps.insert({forwarding.row_of(last.from), last.from_port});
        } else if (route.fate == Fate::loop) {
            for (model::Link const link : route.links)
                failure.steps.insert({forwarding.row_of(network[link].from), network[link].from_port});
        }
        return failure;
    }

    /// By start, of a destination of the class: traced when it is asked for.
    std::vector<Failure> const& failures_of(std::size_t member) {
        if (failures_.size() <= member) {
            failures_.emplace_back();
            for (std::uint32_t const start : starts_)
                failures_.back().push_back(failure_of(start, graph_.members(one_)[member].to.lid));
        }
        return failures_[member];
    }

    /// By row: some choice leads from there to the place.
    std::vector<bool> leads_to(Place const& place) {
        if (before_.empty()) {
            before_.resize(graph_.rows());
            std::span const column = graph_.column(one_);
            for (std::uint32_t const row : walk_.order())
                if (!ChoiceGraph::is_mark(column[row]))
                    for (ChoiceGraph::Option const& option : graph_.options(column[row]))
                        if (option.target < kernels::arrival_bit) before_[option.target].push_back(row);
        }
        std::vector<bool> leads(graph_.rows());
        std::vector<std::uint32_t> open;
        auto const take = [&](std::uint32_t row) {
            if (!leads[row]) leads[row] = true, open.push_back(row);
        };
        for (Step const& step : place.at) take(step.first);
        while (!open.empty()) {
            std::uint32_t const row = open.back();
            open.pop_back();
            for (std::uint32_t const from : before_[row]) take(from);
        }
        return leads;
    }

    ChoiceGraph const& graph_;
    ChoiceGraph::Class const& one_;
    ChoiceWalk const& walk_;
    std::span<std::uint32_t const> starts_;
    std::vector<std::vector<Failure>> failures_;      // by member, the first ones; by start
    std::vector<std::vector<std::uint32_t>> before_;  // by row: rows whose choices lead there
};

void ChoiceFailures::add(ChoiceGraph::Class const& one, ChoiceWalk const& walk, std::span<std::uint32_t const> starts,
                         std::vector<std::uint32_t> const& senders) {
    std::uint64_t pairs[4] = {};
    for (std::uint32_t const row : starts)
        for (unsigned fate = 1; fate < 4; ++fate)
            if ((walk.fates(row) >> fate & 1) != 0) pairs[fate] += std::uint64_t{senders[row]} * one.count;
    std::span const column = graph_->column(one);
    StaticFailures static_failures(*graph_, one, walk, starts);
    auto const take = [&](Place const& place) {
        bool const is_new = pairs[unsigned(place.fate)] > 0 && !static_failures.always_at(place);
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
    return network.place_of(node, port).text;
}

Code ChoiceFailures::code_of(Place const& place) const {
    if (place.fate == Fate::loop) return Code::choice_loop;
    auto const [row, port] = place.at.front();
    if (port == 0) return Code::choice_ends;
    if (place.fate == Fate::misdelivered) return Code::choice_to_wrong_host;
    model::Forwarding const& forwarding = graph_->forwarding();
    return port > forwarding.fabric().network[forwarding.node_of(row)].ports ? Code::choice_beyond_ports
                                                                             : Code::choice_to_no_cable;
}

std::string ChoiceFailures::text_of(Place const& place) const {
    if (place.fate == Fate::loop) {
        std::string circle;
        for (auto const& [row, port] : place.at) circle += (circle.empty() ? "" : ", ") + port_text(row, port);
        return "some choices run in a circle: " + circle;
    }
    auto const [row, port] = place.at.front();
    if (port == 0)
        return std::string("some choices end here: there is no ") +
               model::words_of(graph_->forwarding().fabric()).entry;
    model::Network const& network = graph_->forwarding().fabric().network;
    model::Node const node = graph_->forwarding().node_of(row);
    std::string const name = network.port_name(node, port);
    if (place.fate == Fate::misdelivered) return fmt::format("port {} of a group leads to another host", name);
    return port > network[node].ports ? fmt::format("a group has port {}, which the switch does not have", name)
                                      : fmt::format("port {} of a group has no cable", name);
}

void ChoiceFailures::add(ChoiceFailures const& more) {
    for (auto const& [place, trouble] : more.found_) {
        Trouble& sum = found_[place];
        if (sum.lids.empty()) sum.way = trouble.way;
        sum.pairs += trouble.pairs;
        sum.lids.insert(sum.lids.end(), trouble.lids.begin(), trouble.lids.end());
    }
}

std::vector<ChoiceFailures::Failure> ChoiceFailures::failures() const {
    std::vector<Failure> failures;
    for (auto const& [circle, trouble] : found_) {
        Place place = circle;
        begin_with_detour(graph_->forwarding(), trouble.lids.front(), place.at);
        Failure failure{Finding(code_of(place)), {}};
        Finding& finding = failure.finding;
        auto const [row, port] = place.at.front();
        finding.node = graph_->forwarding().node_of(row);
        finding.port = port;
        finding.where = port_text(row, port);
        finding.pairs = trouble.pairs;
        for (auto const& step : place.at) failure.switches.push_back(graph_->forwarding().node_of(step.first));
        std::vector<model::Lid> lids = trouble.lids;
        std::sort(lids.begin(), lids.end());
        for (model::Lid const lid : lids) finding.lids.add(lid);
        finding.message =
            text_of(place) + "; it concerns packets for " + finding.lids.text(graph_->forwarding().fabric());
        if (!trouble.way.empty()) finding.message += ", by the choices " + trouble.way;
        failures.push_back(std::move(failure));
    }
    return failures;
}

}  // namespace tailback::audit
