#include "host/audit/changes/planned_cables.hpp"

#include "host/audit/changes/ports_of_names.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace tailback::audit {
namespace {

constexpr std::size_t no_edge = ~std::size_t{0};

/// `Ethernet#/#` of `Ethernet1/12`.
std::string form_of(std::string_view port) {
    std::string form;
    for (char const c : port) {
        bool const is_digit = c >= '0' && c <= '9';
        if (!is_digit || form.empty() || form.back() != '#') form += is_digit ? '#' : c;
    }
    return form;
}

/// Gathers ports that the network does not have under their planned name.
class OtherForms {
public:
    explicit OtherForms(model::Network const& network) : network_(network) {}

    void add(model::Node node, formats::PlannedEnd const& end) {
        std::string const form = form_of(end.port);
        std::string here;  // its first port with a cable
        for (model::Port port = 1; port <= network_[node].ports; ++port) {
            if (!network_.link_at(node, port).exists()) continue;
            std::string const name = network_.port_name(node, port);
            if (form_of(name) == form) return;
            if (here.empty()) here = name;
        }
        if (here.empty()) return;
        auto& [other, nodes] = found_[{form, form_of(here)}];
        if (other.texts.empty()) other.planned = end.port, other.here = here;
        other.texts.push_back(end.text());
        nodes.insert(node.value);
    }
    std::vector<OtherForm> take() {
        std::vector<OtherForm> all;
        for (auto& [forms, found] : found_) {
            auto& [other, nodes] = found;
            other.ports = other.texts.size(), other.devices = nodes.size();
            if (other.ports > 1) all.push_back(std::move(other));
        }
        return all;
    }

private:
    model::Network const& network_;
    std::map<std::pair<std::string, std::string>, std::pair<OtherForm, std::set<std::uint32_t>>> found_;
};

class PlanMatcher {
public:
    PlanMatcher(model::Network const& network, formats::CablePlan const& plan)
        : network_(network), plan_(plan), names_(network) {}

    PlanComparison compare() {
        take_plan();
        take_network();
        for (std::size_t p = 0; p < planned_.size(); ++p) {
            std::size_t const other = found_at(planned_[p].first);
            if (other != no_edge && other == found_at(planned_[p].second)) {
                ++result_.as_planned;
                planned_done_[p] = found_done_[other] = true;
            }
        }
        // Chains from their ends on, then those without.
        for (std::size_t p = 0; p < planned_.size(); ++p)
            for (Key const end : {planned_[p].first, planned_[p].second})
                if (!planned_done_[p] && !is_open(found_at(end), found_done_)) follow(end, true);
        for (std::size_t f = 0; f < found_.size(); ++f)
            for (Key const end : {found_[f].first, found_[f].second})
                if (!found_done_[f] && !is_open(planned_at(end), planned_done_)) follow(end, false);
        for (std::size_t p = 0; p < planned_.size(); ++p)
            if (!planned_done_[p]) follow(planned_[p].first, true);
        std::stable_sort(result_.mistakes.begin(), result_.mistakes.end(), [](auto const& a, auto const& b) {
            auto const rank = [](CableMistake const& one) {
                return std::pair(one.kind, one.planned.empty() ? std::size_t{0} : one.planned.front());
            };
            return rank(a) < rank(b);
        });
        result_.unknown.assign(unknown_.begin(), unknown_.end());
        result_.unknown_ports.assign(unknown_ports_.begin(), unknown_ports_.end());
        return std::move(result_);
    }

private:
    using Key = std::uint64_t;
    using Ends = std::pair<Key, Key>;
    static bool is_open(std::size_t edge, std::vector<bool> const& done) { return edge != no_edge && !done[edge]; }
    static Key key_of(model::Node node, model::Port port) { return Key{node.value} << 32 | port; }
    static std::size_t at(std::unordered_map<Key, std::size_t> const& edges, Key key) {
        auto const found = edges.find(key);
        return found == edges.end() ? no_edge : found->second;
    }
    std::size_t planned_at(Key key) const { return at(planned_of_, key); }
    std::size_t found_at(Key key) const { return at(found_of_, key); }

    void take_plan() {
        std::map<std::string, Key> others;  // ports that the network does not have
        OtherForms other_forms(network_);
        std::vector<Ends> ends;
        for (formats::PlannedCable const& cable : plan_.cables) {
            bool between = true;
            auto const key = [&](formats::PlannedEnd const& end) {
                auto const [node, port] = names_.find(end);
                between = between && (node.exists() ? network_.is_switch(node) : end.of_switch);  // the network knows
                if (port != 0) return key_of(node, port);
                if (!node.exists()) unknown_.insert(end.device);
                else if (unknown_ports_.insert(end.text()).second) other_forms.add(node, end);
                return others.emplace(end.key(), ~Key{0} - others.size()).first->second;
            };
            Key const from = key(cable.from), to = key(cable.to);
            ends.emplace_back(from, to);
            (between ? plans_switches_ : plans_hosts_) = true;
        }
        result_.other_forms = other_forms.take();
        planned_ = std::move(ends);
        planned_done_.assign(planned_.size(), false);
        for (std::size_t p = 0; p < planned_.size(); ++p) {
            planned_of_.emplace(planned_[p].first, p);
            planned_of_.emplace(planned_[p].second, p);
        }
    }

    void take_network() {
        for (std::size_t l = 0; l < network_.links().size(); ++l) {
            model::LinkRecord const& link = network_[model::Link{l}];
            if (link.to_port == 0 || (link.reverse.exists() && link.reverse.value < l)) continue;
            if (network_.is_switch(link.from) && network_.is_switch(link.to) &&
                formats::are_of_one_director(names_.folded(link.from), names_.folded(link.to)))
                continue;
            Ends const ends{key_of(link.from, link.from_port), key_of(link.to, link.to_port)};
            if (planned_at(ends.first) == no_edge && planned_at(ends.second) == no_edge && is_left_out(link)) continue;
            found_of_.emplace(ends.first, found_.size());
            found_of_.emplace(ends.second, found_.size());
            found_.push_back(ends);
            links_.emplace_back(l);
        }
        found_done_.assign(found_.size(), false);
    }

    bool is_left_out(model::LinkRecord const& link) {
        bool const between = network_.is_switch(link.from) && network_.is_switch(link.to);
        for (model::Node const node : {link.from, link.to})
            for (model::Host const host : network_.hosts_of(node))
                if (network_[host].role == model::HostRole::aggregation) return true;
        if (between ? plans_switches_ : plans_hosts_) return false;
        ++(between ? result_.between_switches : result_.of_hosts);
        return true;
    }

    struct Edge {
        bool is_planned;
        std::size_t number;
    };

    /// The chain from this end of a planned or a found cable on.
    void follow(Key end, bool is_planned) {
        std::vector<Edge> chain;
        Key here = end;
        for (;;) {
            std::size_t const edge = is_planned ? planned_at(here) : found_at(here);
            std::vector<bool>& done = is_planned ? planned_done_ : found_done_;
            if (!is_open(edge, done)) break;
            done[edge] = true;
            chain.push_back({is_planned, edge});
            Ends const& ends = is_planned ? planned_[edge] : found_[edge];
            here = ends.first == here ? ends.second : ends.first;
            is_planned = !is_planned;
        }
        if (here == end && chain.size() > 1) return add(Miscabling::swapped, chain);
        // Of an odd number the one stays alone that leaves the others to share ends at hosts.
        std::span<Edge const> const all(chain);
        bool const odd = chain.size() % 2 == 1;
        bool const without_first = odd && shared_hosts(all.subspan(1)) > shared_hosts(all.first(all.size() - 1));
        std::span<Edge const> const pairs = !odd ? all : without_first ? all.subspan(1) : all.first(all.size() - 1);
        for (std::size_t i = 0; i < pairs.size(); i += 2) add(Miscabling::wrong, pairs.subspan(i, 2));
        if (!odd) return;
        std::span<Edge const> const alone = without_first ? all.first(1) : all.last(1);
        add(alone[0].is_planned ? Miscabling::missing : Miscabling::extra, alone);
    }

    Ends ends_of(Edge const& edge) const { return edge.is_planned ? planned_[edge.number] : found_[edge.number]; }

    std::size_t shared_hosts(std::span<Edge const> pairs) const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < pairs.size(); i += 2) {
            Ends const a = ends_of(pairs[i]), b = ends_of(pairs[i + 1]);
            Key const shared = a.first == b.first || a.first == b.second ? a.first : a.second;
            count += (shared >> 32) < network_.nodes().size() && !network_.is_switch(model::Node{shared >> 32});
        }
        return count;
    }

    void add(Miscabling kind, std::span<Edge const> edges) {
        CableMistake mistake{kind, {}, {}, {}};
        for (Edge const& edge : edges) {
            if (edge.is_planned) mistake.planned.push_back(edge.number);
            else mistake.found.push_back(links_[edge.number]);
        }
        std::sort(mistake.planned.begin(), mistake.planned.end());
        name_rack(mistake);
        result_.mistakes.push_back(std::move(mistake));
    }
    void name_rack(CableMistake& mistake) const {
        if (!mistake.planned.empty()) {
            formats::PlannedCable const& cable = plan_.cables[mistake.planned.front()];
            mistake.rack = !cable.rack.empty() ? cable.rack : cable.to.of_switch ? cable.to.device : cable.from.device;
            return;
        }
        model::LinkRecord const& link = network_[mistake.found.front()];
        mistake.rack = network_[network_.is_switch(link.to) ? link.to : link.from].name;
    }

    model::Network const& network_;
    formats::CablePlan const& plan_;
    PortsOfNames names_;
    std::vector<Ends> planned_, found_;
    std::vector<model::Link> links_;  // of found_
    std::vector<bool> planned_done_, found_done_;
    std::unordered_map<Key, std::size_t> planned_of_, found_of_;  // by port
    bool plans_switches_ = false, plans_hosts_ = false;
    std::set<std::string> unknown_, unknown_ports_;
    PlanComparison result_;
};

}  // namespace

std::uint64_t PlanComparison::count(Miscabling kind) const {
    return std::uint64_t(
        std::count_if(mistakes.begin(), mistakes.end(), [&](CableMistake const& one) { return one.kind == kind; }));
}

PlanComparison compare_plan(model::Network const& network, formats::CablePlan const& plan) {
    return PlanMatcher(network, plan).compare();
}

}  // namespace tailback::audit
