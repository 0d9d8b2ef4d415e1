#include "host/evaluation/adaptive/division_tables.hpp"

#include "host/base/memory.hpp"

#include <algorithm>
#include <bit>

namespace tailback::evaluation {
namespace {

using kernels::DivisionStart;
using kernels::DivisionView;

std::uint32_t number_of(model::Link link) {
    return link.exists() ? static_cast<std::uint32_t>(link.value) : DivisionView::none;
}

/// x with odd * x = 1 modulo 2^64: each step of Newton's doubles the bits that are right, of which odd itself has 3.
std::uint64_t inverse_of(std::uint64_t odd) {
    std::uint64_t x = odd;
    for (int step = 0; step < 5; ++step) x *= 2 - odd * x;
    return x;
}

template <class Item>
std::uint32_t count_of(std::vector<Item> const& list) {
    return static_cast<std::uint32_t>(list.size());
}

}  // namespace

DivisionTables::DivisionTables(SplitPlan const& split, model::LinkCosts const& costs,
                               std::span<model::Host const> hosts)
    : split_(split), graph_(split.graph()), cost_(costs.cost) {
    view_.unit = split.unit();
    view_.rounded = split.error() > 0;
    list_hosts(hosts);
    list_groups();
    list_classes();
    point();
}

void DivisionTables::list_hosts(std::span<model::Host const> hosts) {
    model::Forwarding const& forwarding = graph_.forwarding();
    entry_of_row_.assign(graph_.rows(), DivisionView::none);
    for (model::Host const host : hosts) {
        model::Forwarding::Entry const& entry = forwarding.entry_of(host);
        bool const enters = entry.row != kernels::no_row;
        if (enters && entry_of_row_[entry.row] == DivisionView::none) {
            entry_of_row_[entry.row] = count_of(entry_rows_);
            entry_rows_.push_back(entry.row);
        }
        entry_of_host_.push_back(enters ? entry_of_row_[entry.row] : DivisionView::none);
        up_link_.push_back(number_of(entry.up));
        std::uint32_t const c = graph_.class_of(host);
        class_of_host_.push_back(c == model::ChoiceGraph::none ? DivisionView::none : c);
        bool const leaves_alone = c != model::ChoiceGraph::none && graph_.classes()[c].exit_row != kernels::no_row;
        exit_link_.push_back(leaves_alone ? number_of(graph_.members(graph_.classes()[c])[graph_.member_of(host)].exit)
                                          : DivisionView::none);
    }
}

void DivisionTables::list_groups() {
    first_group_.assign(graph_.forwarding().fabric().network.links().size() + 1, 0);
    for (std::uint32_t group = 0; group < graph_.groups(); ++group) {
        first_port_.push_back(count_of(link_of_port_));
        for (std::size_t k = 0; k < graph_.options(group).size(); ++k) {
            model::Link const link = graph_.options(group)[k].link;
            link_of_port_.push_back(number_of(link));
            target_of_port_.push_back(split_.targets(group)[k]);
            if (link.exists()) ++first_group_[link.value + 1];
        }
    }
    first_port_.push_back(count_of(link_of_port_));
    for (std::size_t l = 1; l < first_group_.size(); ++l) first_group_[l] += first_group_[l - 1];
    group_of_link_.resize(first_group_.back());
    std::vector<std::uint32_t> next(first_group_.begin(), first_group_.end() - 1);
    for (std::uint32_t group = 0; group < graph_.groups(); ++group)
        for (std::uint32_t k = first_port_[group]; k < first_port_[group + 1]; ++k)
            if (link_of_port_[k] != DivisionView::none) group_of_link_[next[link_of_port_[k]]++] = group;
}

void DivisionTables::list_classes() {
    auto const classes = static_cast<std::uint32_t>(graph_.classes().size());
    std::uint64_t steps = 0;
    for (std::uint32_t c = 0; c < classes; ++c) steps += split_.steps(c).size();
    base::require_memory("the divisions of all switches", steps * 48 + std::uint64_t{classes} * entry_rows_.size(),
                         "choose a smaller network");
    bundle_of_row_.assign(graph_.rows(), DivisionView::none);
    group_of_row_.resize(graph_.rows());
    from_.resize(graph_.rows());
    for (std::uint32_t c = 0; c < classes; ++c) {
        first_bundle_.push_back(count_of(bundles_));
        add_class(c);
        view_.most_bundles = std::max(view_.most_bundles, count_of(bundles_) - first_bundle_.back());
        for (std::uint32_t const row : entry_rows_) {
            bool const delivered = split_.fates(c, row) == model::ChoiceWalk::bit(model::Fate::delivered);
            bool const is_last = model::ChoiceGraph::is_mark(graph_.column(graph_.classes()[c])[row]);
            start_.push_back(!delivered ? DivisionStart::fails
                             : is_last  ? DivisionStart::arrives
                                        : DivisionStart::divided);
        }
    }
    first_bundle_.push_back(count_of(bundles_));
    bundles_.push_back({.first_step = count_of(steps_), .first_ahead = count_of(ahead_)});
    steps_.push_back({.first_pull = count_of(pulls_)});
}

void DivisionTables::add_class(std::uint32_t one) {
    std::span const steps = split_.steps(one);
    for (SplitPlan::Step const& step : steps) bundle_of_row_[step.row] = DivisionView::none;
    std::uint32_t after = model::ChoiceGraph::no_way;
    for (SplitPlan::Step const& step : steps) {
        if (model::ChoiceGraph::is_mark(step.group)) continue;
        if (std::uint32_t const now = split_.rows_after(step.group); now != after) {
            after = now;
            auto const ports = static_cast<std::uint32_t>(split_.targets(step.group).size());
            auto const twos = static_cast<std::uint32_t>(std::countr_zero(ports));
            bundles_.push_back({inverse_of(ports >> twos), ports, twos, count_of(steps_), 0});
            std::uint32_t const number = count_of(bundles_) - 1 - first_bundle_.back();
            for (std::uint32_t const row : split_.targets(step.group))
                if (row != split_.sink()) from_[row].push_back(number);
        }
        bundle_of_row_[step.row] = count_of(bundles_) - 1 - first_bundle_.back();
        group_of_row_[step.row] = step.group;
        steps_.push_back({step.group, entry_of_row_[step.row], step.row, count_of(pulls_)});
        pulls_.insert(pulls_.end(), from_[step.row].begin(), from_[step.row].end());
    }
    for (SplitPlan::Step const& step : steps) from_[step.row].clear();
    for (std::uint32_t b = first_bundle_.back(); b < bundles_.size(); ++b) add_ahead(bundles_[b]);
}

/// What the rows after a bundle send on by: each group of ports once.
void DivisionTables::add_ahead(kernels::DivisionBundle& bundle) {
    bundle.first_ahead = count_of(ahead_);
    std::vector<std::uint32_t> rows;
    for (std::uint32_t const row : split_.targets(steps_[bundle.first_step].group))
        if (row != split_.sink() && bundle_of_row_[row] != DivisionView::none) rows.push_back(row);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    for (std::uint32_t const row : rows) ahead_.push_back({group_of_row_[row], bundle_of_row_[row]});
}

void DivisionTables::point() {
    view_.hosts = count_of(class_of_host_);
    view_.classes = static_cast<std::uint32_t>(graph_.classes().size());
    view_.entries = count_of(entry_rows_);
    view_.rows = graph_.rows();
    view_.groups = graph_.groups();
    view_.links = count_of(first_group_) - 1;
    view_.bundles = count_of(bundles_) - 1;
    view_.steps = count_of(steps_) - 1;
    view_.pulls = count_of(pulls_);
    view_.aheads = count_of(ahead_);
    view_.ports = count_of(link_of_port_);
    view_.ports_of_links = count_of(group_of_link_);
    view_.class_of_host = class_of_host_.data();
    view_.entry_of_host = entry_of_host_.data();
    view_.up_link = up_link_.data();
    view_.exit_link = exit_link_.data();
    view_.start = start_.data();
    view_.first_bundle = first_bundle_.data();
    view_.bundle = bundles_.data();
    view_.step = steps_.data();
    view_.pull = pulls_.data();
    view_.ahead = ahead_.data();
    view_.first_port = first_port_.data();
    view_.link_of_port = link_of_port_.data();
    view_.target_of_port = target_of_port_.data();
    view_.first_group = first_group_.data();
    view_.group_of_link = group_of_link_.data();
    view_.cost = cost_.empty() ? nullptr : cost_.data();
}

}  // namespace tailback::evaluation
