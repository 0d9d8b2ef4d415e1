#include "host/evaluation/adaptive/equal_split.hpp"

#include "host/base/error.hpp"
#include "kernels/cpu/threads.hpp"

#include <algorithm>

namespace tailback::evaluation {
namespace {

/// Divides what has come to a row among the ports of its group: the first ports take one unit more of a remainder.
/// Calls `more(option)` for those. @return what every port gets at least
template <class More>
std::uint64_t divide(std::uint64_t units, std::span<std::uint32_t const> to, std::uint64_t* here, More&& more) {
    // Most quotients fit 32 bits, where a division takes half as long.
    std::uint64_t const size = to.size();
    std::uint64_t const each =
        (units | size) >> 32 == 0 ? static_cast<std::uint32_t>(units) / static_cast<std::uint32_t>(size) : units / size;
    for (std::uint32_t const next : to) here[next] += each;
    std::uint64_t const rest = units - each * size;
    for (std::size_t i = 0; i < rest; ++i) ++here[to[i]], more(i);
    return each;
}

}  // namespace

std::uint64_t FlowLoads::largest() const {
    return congestion.empty() ? 0 : *std::max_element(congestion.begin(), congestion.end());
}

EqualSplit::EqualSplit(SplitPlan const& plan, model::LinkCosts const& costs)
    : plan_(plan),
      graph_(plan.graph()),
      costs_(costs),
      here_(graph_.rows() + std::size_t{1}),
      by_group_(graph_.groups()),
      worst_group_(graph_.groups()),
      worst_row_(here_.size()) {
    result_.loads.resize(graph_.forwarding().fabric().network.links().size());
}

FlowLoads const& EqualSplit::carry(std::span<HostFlow const> flows) {
    std::uint64_t weight = 0, most = INT64_MAX / plan_.unit();
    if (!costs_.cost.empty()) most /= *std::max_element(costs_.cost.begin(), costs_.cost.end());
    for (HostFlow const& flow : flows) {
        if (flow.weight > most - weight)
            throw base::InputError({}, "loads of equally split flows could pass 2^63 units",
                                   "a flow of weight 1 is " + std::to_string(plan_.unit()) + " units",
                                   "give smaller weights");
        weight += flow.weight;
    }
    std::fill(result_.loads.begin(), result_.loads.end(), 0);
    result_.congestion.assign(flows.size(), 0);
    result_.failed = 0;
    sort_by_class(flows);
    reached_.clear();
    first_reached_.assign(1, 0);
    std::uint32_t const classes = static_cast<std::uint32_t>(graph_.classes().size());
    for (std::uint32_t c = 0; c < classes; ++c) {
        for (std::uint32_t i = first_flow_[c]; i < first_flow_[c + 1]; ++i)
            start(flows[flow_order_[i]], c, flow_order_[i]);
        if (first_flow_[c] < first_flow_[c + 1]) pour(c);
        first_reached_.push_back(reached_.size());
    }
    add_groups();
    for (std::uint32_t c = 0; c < classes; ++c)
        if (first_flow_[c] < first_flow_[c + 1]) read_back(flows, c);
    return result_;
}

void EqualSplit::sort_by_class(std::span<HostFlow const> flows) {
    std::size_t const classes = graph_.classes().size();
    first_flow_.assign(classes + 2, 0);
    auto const place = [&](HostFlow const& flow) {  // of destinations that nobody serves: behind all others
        std::uint32_t const c = graph_.class_of(flow.destination);
        return c == model::ChoiceGraph::none ? classes : std::size_t{c};
    };
    for (HostFlow const& flow : flows) ++first_flow_[place(flow)];
    std::uint32_t sum = 0;
    for (std::uint32_t& count : first_flow_) sum += std::exchange(count, sum);
    flow_order_.resize(flows.size());
    for (std::uint32_t f = 0; f < flows.size(); ++f) flow_order_[first_flow_[place(flows[f])]++] = f;
    for (std::size_t c = classes + 1; c > 0; --c) first_flow_[c] = first_flow_[c - 1];
    first_flow_[0] = 0;
    result_.failed += flows.size() - first_flow_[classes];
}

/// Puts a flow where it enters, and on its host links. Its congestion is 1 until it is read back.
void EqualSplit::start(HostFlow const& flow, std::uint32_t one, std::size_t number) {
    model::Forwarding::Entry const& entry = graph_.forwarding().entry_of(flow.source);
    if (entry.row == kernels::no_row || plan_.fates(one, entry.row) != model::ChoiceWalk::bit(model::Fate::delivered)) {
        ++result_.failed;
        return;
    }
    std::uint64_t const units = flow.weight * plan_.unit();
    here_[entry.row] += units;
    if (entry.up.exists()) result_.loads[entry.up.value] += units;
    model::ChoiceGraph::Class const& to = graph_.classes()[one];
    if (to.exit_row != kernels::no_row)
        result_.loads[graph_.members(to)[graph_.member_of(flow.destination)].exit.value] += units;
    result_.congestion[number] = 1;
}

void EqualSplit::pour(std::uint32_t one) {
    for (SplitPlan::Step const& step : plan_.steps(one)) {
        std::uint64_t const units = here_[step.row];
        if (units == 0) continue;
        here_[step.row] = 0;
        reached_.push_back({step.row, step.group});
        if (model::ChoiceGraph::is_mark(step.group)) continue;
        by_group_[step.group] += divide(units, plan_.targets(step.group), here_.data(), [&](std::size_t i) {
            ++result_.loads[graph_.options(step.group)[i].link.value];
        });
    }
    here_[plan_.sink()] = 0;
}

/// From units by group to loads of links, and the largest congestion of a port of each group.
void EqualSplit::add_groups() {
    for (std::uint32_t group = 0; group < graph_.groups(); ++group)
        if (std::uint64_t const units = std::exchange(by_group_[group], 0); units > 0)
            for (model::ChoiceGraph::Option const& option : graph_.options(group))
                result_.loads[option.link.value] += units;
    worst_of_all_ = 0;
    for (std::uint32_t group = 0; group < graph_.groups(); ++group) {
        std::uint64_t worst = 0;
        for (model::ChoiceGraph::Option const& option : graph_.options(group))
            if (option.link.exists()) worst = std::max(worst, result_.loads[option.link.value] * cost(option.link));
        worst_group_[group] = worst;
        worst_of_all_ = std::max(worst_of_all_, worst);
    }
}

/// The largest congestion of every flow: of its host links, and, unless no link at all has more, of what is ahead.
void EqualSplit::read_back(std::span<HostFlow const> flows, std::uint32_t one) {
    model::ChoiceGraph::Class const& to = graph_.classes()[one];
    bool enough = true;
    for (std::uint32_t f = first_flow_[one]; f < first_flow_[one + 1]; ++f) {
        HostFlow const& flow = flows[flow_order_[f]];
        std::uint64_t& congestion = result_.congestion[flow_order_[f]];
        if (congestion == 0) continue;
        auto const see = [&](model::Link link) {
            if (link.exists()) congestion = std::max(congestion, result_.loads[link.value] * cost(link));
        };
        congestion = 0;
        see(graph_.forwarding().entry_of(flow.source).up);
        if (to.exit_row != kernels::no_row) see(graph_.members(to)[graph_.member_of(flow.destination)].exit);
        enough = enough && congestion >= worst_of_all_;
        congestion = std::max<std::uint64_t>(congestion, 1);
    }
    if (enough) return;
    read_rows(one);
    for (std::uint32_t f = first_flow_[one]; f < first_flow_[one + 1]; ++f)
        if (std::uint64_t& congestion = result_.congestion[flow_order_[f]]; congestion > 0)
            congestion =
                std::max(congestion, worst_row_[graph_.forwarding().entry_of(flows[flow_order_[f]].source).row]);
}

/// The largest congestion ahead of every row that was met, from the destination back.
void EqualSplit::read_rows(std::uint32_t one) {
    worst_row_[plan_.sink()] = 0;
    for (std::uint64_t i = first_reached_[one + 1]; i-- > first_reached_[one];) {
        Reached const& at = reached_[i];
        worst_row_[at.row] = 0;
        if (model::ChoiceGraph::is_mark(at.group)) continue;
        std::uint64_t worst = worst_group_[at.group];
        for (std::uint32_t const next : plan_.targets(at.group)) worst = std::max(worst, worst_row_[next]);
        worst_row_[at.row] = worst;
    }
}

std::vector<std::uint64_t> EqualSplit::all_pairs(std::span<model::Host const> senders, unsigned threads) const {
    std::vector<std::uint64_t> senders_of_row(graph_.rows());
    std::vector<std::uint32_t> row_of_sender(graph_.forwarding().fabric().network.hosts().size(), kernels::no_row);
    for (model::Host const host : senders)
        if (std::uint32_t const row = graph_.forwarding().entry_of(host).row; row != kernels::no_row)
            ++senders_of_row[row], row_of_sender[host.value] = row;
    auto const links = static_cast<std::int64_t>(result_.loads.size());
    std::vector<std::uint64_t> sum(result_.loads.size());
#pragma omp parallel num_threads(static_cast <int>(kernels::threads_to_use(threads)))
    {
        std::vector<std::uint64_t> here(here_.size()), groups(graph_.groups()), loads(result_.loads.size());
#pragma omp for schedule(dynamic, 8)
        for (std::uint32_t c = 0; c < graph_.classes().size(); ++c) {
            for (model::ChoiceGraph::Member const& member : graph_.members(graph_.classes()[c])) {
                if (graph_.class_of(member.to.host) != c) continue;
                if (graph_.forwarding().fabric().network[member.to.host].lid != member.to.lid) continue;
                for (std::uint32_t row = 0; row < graph_.rows(); ++row) here[row] += senders_of_row[row];
                if (std::uint32_t const own = row_of_sender[member.to.host.value]; own != kernels::no_row) --here[own];
            }
            for (std::uint32_t row = 0; row < graph_.rows(); ++row)
                here[row] = plan_.fates(c, row) == model::ChoiceWalk::bit(model::Fate::delivered)
                                ? here[row] * plan_.unit()
                                : 0;
            for (SplitPlan::Step const& step : plan_.steps(c)) {
                std::uint64_t const units = std::exchange(here[step.row], 0);
                if (units == 0 || model::ChoiceGraph::is_mark(step.group)) continue;
                groups[step.group] += divide(units, plan_.targets(step.group), here.data(),
                                             [&](std::size_t i) { ++loads[graph_.options(step.group)[i].link.value]; });
            }
            std::fill(here.begin(), here.end(), 0);
        }
        for (std::uint32_t group = 0; group < graph_.groups(); ++group)
            for (model::ChoiceGraph::Option const& option : graph_.options(group))
                if (option.link.exists()) loads[option.link.value] += groups[group];
#pragma omp critical
        for (std::int64_t l = 0; l < links; ++l) sum[std::size_t(l)] += loads[std::size_t(l)];
    }
    return sum;
}

}  // namespace tailback::evaluation
