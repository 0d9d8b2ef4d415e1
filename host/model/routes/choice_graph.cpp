#include "host/model/routes/choice_graph.hpp"

#include "host/base/memory.hpp"

#include <algorithm>
#include <unordered_map>

namespace tailback::model {

ChoiceGraph::ChoiceGraph(Forwarding const& forwarding, ChoicesOf what, std::span<Host const> hosts)
    : forwarding_(forwarding),
      sets_(what == ChoicesOf::sets ? forwarding.fabric().candidates.get() : nullptr),
      group_of_set_(forwarding.rows()),
      single_(std::size_t{forwarding.rows()} * forwarding.ports(), none),
      column_(forwarding.rows()),
      class_of_(forwarding.fabric().network.hosts().size(), none),
      member_of_(class_of_) {
    for (std::uint32_t row = 0; sets_ != nullptr && row < rows(); ++row)
        if (!forwarding.is_pseudo(row)) group_of_set_[row].assign(sets_->groups(forwarding.node_of(row)), none);
    classify(destinations_of(forwarding.fabric().network, hosts));
}

std::uint32_t ChoiceGraph::add_group(std::uint32_t row, std::span<Port const> ports) {
    kernels::ForwardingView const& view = forwarding_.view();
    for (Port const port : ports) {
        bool const there = port > 0 && port < view.ports;
        options_.push_back({there ? forwarding_.link_behind(row, port) : Link{},
                            there ? view.targets[std::size_t{row} * view.ports + port] : kernels::nothing, port});
    }
    first_option_.push_back(static_cast<std::uint32_t>(options_.size()));
    return groups() - 1;
}

std::uint32_t ChoiceGraph::single(std::uint32_t row, Port port) {
    if (port == 0 || port >= forwarding_.ports()) return no_way;
    std::uint32_t& group = single_[std::size_t{row} * forwarding_.ports() + port];
    if (group == none) group = add_group(row, std::span(&port, 1));
    return group;
}

std::uint32_t ChoiceGraph::entry(std::uint32_t row, Destination const& to) {
    if (forwarding_.view().row_of_arrival[forwarding_.arrival_of(to.host)] == row) return arrived;
    if (sets_ != nullptr && !forwarding_.is_pseudo(row)) {
        Node const node = forwarding_.node_of(row);
        CandidateSets::Group const set = sets_->group(node, to.lid);
        if (set != CandidateSets::no_group && !sets_->ports(node, set).empty()) {
            std::uint32_t& group = group_of_set_[row][set];
            if (group == none) group = add_group(row, sets_->ports(node, set));
            return group;
        }
    }
    Port const port = forwarding_.port(row, to.lid);
    return port == ForwardingTables::no_entry ? no_way : single(row, port);
}

std::uint32_t ChoiceGraph::read_column(Destination const& to, Link& exit_link) {
    std::uint32_t exit_row = kernels::no_row;
    bool clean = true;
    for (std::uint32_t row = 0; row < rows(); ++row) {
        std::uint32_t const group = column_[row] = entry(row, to);
        if (is_mark(group)) continue;
        for (Option const& option : options(group)) {
            if (option.target < kernels::arrival_bit || option.target >= kernels::foreign_port) continue;
            clean = clean && exit_row == kernels::no_row && options(group).size() == 1 &&
                    delivers(option, {to, option.link});
            exit_row = row;
            exit_link = option.link;
        }
    }
    return clean ? exit_row : kernels::no_row;
}

void ChoiceGraph::classify(std::span<Destination const> destinations) {
    std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash;
    std::vector<std::uint32_t> class_of_member;
    std::vector<Member> found;
    for (Destination const& to : destinations) {
        Link exit_link;
        std::uint32_t const exit_row = read_column(to, exit_link);
        if (exit_row != kernels::no_row) column_[exit_row] = exit;
        std::uint64_t hash = exit_row;
        for (std::uint32_t const group : column_) hash = (hash ^ group) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
        std::uint32_t own = none;
        auto const [begin, end] = by_hash.equal_range(hash);
        for (auto it = begin; it != end && exit_row != kernels::no_row; ++it)
            if (classes_[it->second].exit_row == exit_row && std::ranges::equal(column(classes_[it->second]), column_))
                own = it->second;
        if (own == none) {
            own = static_cast<std::uint32_t>(classes_.size());
            if (columns_.size() + rows() > columns_.capacity())
                base::require_memory("the choices of all switches", (columns_.size() + rows()) * 8,
                                     "choose a smaller network");
            classes_.push_back({0, 0, exit_row, columns_.size()});
            columns_.insert(columns_.end(), column_.begin(), column_.end());
            if (exit_row != kernels::no_row) by_hash.emplace(hash, own);
        }
        ++classes_[own].count;
        class_of_member.push_back(own);
        found.push_back({to, exit_link});
    }
    for (std::size_t c = 1; c < classes_.size(); ++c) classes_[c].first = classes_[c - 1].first + classes_[c - 1].count;
    members_.resize(found.size());
    std::vector<std::uint32_t> next(classes_.size());
    Network const& network = forwarding_.fabric().network;
    for (std::size_t i = 0; i < found.size(); ++i) {
        std::uint32_t const c = class_of_member[i], at = classes_[c].first + next[c]++;
        members_[at] = found[i];
        if (found[i].to.lid != network[found[i].to.host].lid) continue;
        class_of_[found[i].to.host.value] = c;
        member_of_[found[i].to.host.value] = at - classes_[c].first;
    }
}

ChoiceWalk::ChoiceWalk(ChoiceGraph const& graph)
    : graph_(graph), state_(graph.rows()), fates_(graph.rows()), shortest_(graph.rows()), longest_(graph.rows()) {}

void ChoiceWalk::grow(ChoiceGraph::Class const& one, std::span<std::uint32_t const> starts) {
    for (std::uint32_t const row : order_) state_[row] = 0;
    order_.clear();
    circular_ = false;
    column_ = graph_.column(one);
    member_ = graph_.members(one).data();
    for (std::uint32_t const row : starts)
        if (state_[row] == 0) visit(row);
    judge();
    std::reverse(order_.begin(), order_.end());
}

void ChoiceWalk::visit(std::uint32_t start) {
    constexpr std::uint8_t open = 1, done = 2;
    state_[start] = open;
    stack_.assign(1, {start, 0});
    while (!stack_.empty()) {
        std::uint32_t const row = stack_.back().row, group = column_[row];
        std::uint32_t next = kernels::no_row;
        if (!ChoiceGraph::is_mark(group)) {
            auto const options = graph_.options(group);
            for (std::uint32_t& i = stack_.back().next; i < options.size() && next == kernels::no_row; ++i) {
                kernels::Target const target = options[i].target;
                if (target >= kernels::arrival_bit) continue;
                if (state_[target] == 0) next = target;
                circular_ = circular_ || state_[target] == open;
            }
        }
        if (next != kernels::no_row) {
            state_[next] = open;
            stack_.push_back({next, 0});
        } else {
            state_[row] = done;
            order_.push_back(row);
            stack_.pop_back();
        }
    }
}

std::uint8_t ChoiceWalk::fate_of(std::uint32_t row) const {
    std::uint32_t const group = column_[row];
    if (group == ChoiceGraph::no_way) return bit(Fate::unreachable);
    if (ChoiceGraph::is_mark(group)) return bit(Fate::delivered);
    std::uint8_t fates = 0;
    for (ChoiceGraph::Option const& option : graph_.options(group)) {
        if (option.target < kernels::arrival_bit) fates |= fates_[option.target];
        else if (option.target == kernels::nothing) fates |= bit(Fate::unreachable);
        else fates |= graph_.delivers(option, *member_) ? bit(Fate::delivered) : bit(Fate::misdelivered);
    }
    return fates;
}

/// In order of finishing: all that a row leads to is judged before it, unless there are circles.
void ChoiceWalk::judge() {
    if (circular_) return judge_circles();
    for (std::uint32_t const row : order_) {
        fates_[row] = fate_of(row);
        if (always_delivered(row)) measure(row);
    }
}

void ChoiceWalk::judge_circles() {
    // What is left when rows whose choices all lead to rows taken away are taken away, one after the other, may run in
    // a circle.
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> into;
    std::unordered_map<std::uint32_t, std::uint32_t> left;
    std::vector<std::uint32_t> ready;
    auto const each_next = [&](std::uint32_t row, auto&& take) {
        if (ChoiceGraph::is_mark(column_[row])) return;
        for (ChoiceGraph::Option const& option : graph_.options(column_[row]))
            if (option.target < kernels::arrival_bit) take(option.target);
    };
    for (std::uint32_t const row : order_) {
        std::uint32_t count = 0;
        each_next(row, [&](std::uint32_t next) { into[next].push_back(row), ++count; });
        left[row] = count;
        if (count == 0) ready.push_back(row);
    }
    for (std::size_t i = 0; i < ready.size(); ++i)
        for (std::uint32_t const before : into[ready[i]])
            if (--left[before] == 0) ready.push_back(before);
    for (std::uint32_t const row : order_) fates_[row] = left[row] > 0 ? bit(Fate::loop) : 0;
    for (std::uint32_t const row : ready) {
        fates_[row] = fate_of(row);
        if (always_delivered(row)) measure(row);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (std::uint32_t const row : order_) {
            std::uint8_t const fates = fates_[row] | fate_of(row);
            changed = changed || fates != fates_[row];
            fates_[row] = fates;
        }
    }
}

void ChoiceWalk::measure(std::uint32_t row) {
    std::uint32_t const group = column_[row];
    shortest_[row] = longest_[row] = group == ChoiceGraph::exit ? 1 : 0;
    if (ChoiceGraph::is_mark(group)) return;
    std::uint32_t least = ChoiceGraph::none, most = 0;
    for (ChoiceGraph::Option const& option : graph_.options(group)) {
        bool const on = option.target < kernels::arrival_bit;
        least = std::min(least, 1 + (on ? shortest_[option.target] : 0));
        most = std::max(most, 1 + (on ? longest_[option.target] : 0));
    }
    shortest_[row] = least;
    longest_[row] = most;
}

}  // namespace tailback::model
