#include "host/evaluation/adaptive/equal_split.hpp"

#include "host/base/error.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>

namespace tailback::evaluation {
namespace {

/// Divides what has come to every row of a class among the ports of its group: of a remainder the first ports take one
/// unit more. Empties `here`.
/// @param by_group what each of a group's ports gets at least is added @param loads by link: units beyond that are
/// added
/// @param reach is told every step that something came to
/// @return whether somewhere less came than there are ports, so that some get nothing
template <class Reach>
bool divide_at_all_rows(SplitPlan const& plan, std::uint32_t one, std::uint64_t* here, std::uint64_t* by_group,
                        std::uint64_t* loads, Reach&& reach) {
    std::span const steps = plan.steps(one);
    bool is_thin = false;
    for (std::size_t i = 0; i < steps.size();) {
        std::uint32_t const group = steps[i].group, after = plan.rows_after(group);
        bool const arrives = model::ChoiceGraph::is_mark(group);
        std::span const next = arrives ? std::span<std::uint32_t const>() : plan.targets(group);
        std::uint64_t const size = next.size();
        std::uint64_t together = 0;  // for each of the next rows
        for (; i < steps.size() && plan.rows_after(steps[i].group) == after; ++i) {
            std::uint64_t const units = std::exchange(here[steps[i].row], 0);
            if (units == 0) continue;
            reach(steps[i]);
            if (arrives) continue;
            // Most quotients fit 32 bits, where a division takes half as long.
            std::uint64_t const each = (units | size) >> 32 == 0
                                           ? static_cast<std::uint32_t>(units) / static_cast<std::uint32_t>(size)
                                           : units / size;
            together += each;
            by_group[steps[i].group] += each;
            for (std::size_t rest = units - each * size, k = 0; k < rest; ++k) {
                is_thin |= each == 0;
                ++here[plan.targets(steps[i].group)[k]], ++loads[plan.graph().options(steps[i].group)[k].link.value];
            }
        }
        if (together > 0)
            for (std::uint32_t const row : next) here[row] += together;
    }
    here[plan.sink()] = 0;
    return is_thin;
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
        if (first_flow_[c] < first_flow_[c + 1] &&
            divide_at_all_rows(plan_, c, here_.data(), by_group_.data(), result_.loads.data(),
                               [&](SplitPlan::Step const& step) { reached_.push_back(step); })) {
            reached_.resize(first_reached_.back());  // a flow uses links too that less than a unit of it takes
            reached_.insert(reached_.end(), plan_.steps(c).begin(), plan_.steps(c).end());
        }
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
    std::uint32_t after = model::ChoiceGraph::no_way;  // the rows after a group of this number have `worst` at most
    std::uint64_t worst = 0;
    for (std::uint64_t i = first_reached_[one + 1]; i-- > first_reached_[one];) {
        auto const [row, group] = reached_[i];
        if (model::ChoiceGraph::is_mark(group)) {
            worst_row_[row] = 0;
            continue;
        }
        if (std::uint32_t const here = plan_.rows_after(group); here != after) {
            after = here;
            worst = 0;
            for (std::uint32_t const next : plan_.targets(group)) worst = std::max(worst, worst_row_[next]);
        }
        worst_row_[row] = std::max(worst_group_[group], worst);
    }
}

std::vector<std::uint64_t> EqualSplit::all_pairs(std::span<model::Host const> senders, unsigned threads) const {
    std::vector<std::uint64_t> senders_of_row(graph_.rows());
    std::vector<std::uint32_t> row_of_sender(graph_.forwarding().fabric().network.hosts().size(), kernels::no_row);
    for (model::Host const host : senders)
        if (std::uint32_t const row = graph_.forwarding().entry_of(host).row; row != kernels::no_row)
            ++senders_of_row[row], row_of_sender[host.value] = row;
    std::vector<std::uint64_t> sum(result_.loads.size());
    std::mutex adding;
    kernels::NextOf next(graph_.classes().size());
    kernels::in_threads(kernels::threads_to_use(threads), [&] {
        std::vector<std::uint64_t> here(here_.size()), groups(graph_.groups()), loads(result_.loads.size());
        std::vector<std::uint64_t> sent(graph_.rows()), kept(row_of_sender.size());  // a sender of a row; of it less
        for (std::size_t number; next.take(number);) {
            auto const c = static_cast<std::uint32_t>(number);
            model::ChoiceGraph::Class const& one = graph_.classes()[c];
            std::uint64_t arriving = 0;
            for (std::uint32_t row = 0; row < graph_.rows(); ++row) {
                if (plan_.fates(c, row) != model::ChoiceWalk::bit(model::Fate::delivered)) continue;
                here[row] = senders_of_row[row] * one.count;
                sent[row] += one.count;
                arriving += senders_of_row[row];
            }
            for (model::ChoiceGraph::Member const& member : graph_.members(one)) {
                std::uint32_t const own = row_of_sender[member.to.host.value];
                bool const is_own = own != kernels::no_row && here[own] > 0;
                if (is_own) --here[own], ++kept[member.to.host.value];
                if (one.exit_row != kernels::no_row && member.exit.exists())
                    loads[member.exit.value] += (arriving - is_own) * plan_.unit();
            }
            for (std::uint32_t row = 0; row < graph_.rows(); ++row) here[row] *= plan_.unit();
            divide_at_all_rows(plan_, c, here.data(), groups.data(), loads.data(), [](SplitPlan::Step const&) {});
            std::fill(here.begin(), here.end(), 0);
        }
        for (model::Host const host : senders)
            if (model::Link const up = graph_.forwarding().entry_of(host).up;
                up.exists() && row_of_sender[host.value] != kernels::no_row)
                loads[up.value] += (sent[row_of_sender[host.value]] - kept[host.value]) * plan_.unit();
        for (std::uint32_t group = 0; group < graph_.groups(); ++group)
            for (model::ChoiceGraph::Option const& option : graph_.options(group))
                if (option.link.exists()) loads[option.link.value] += groups[group];
        std::lock_guard const lock(adding);
        for (std::size_t l = 0; l < sum.size(); ++l) sum[l] += loads[l];
    });
    return sum;
}

}  // namespace tailback::evaluation
