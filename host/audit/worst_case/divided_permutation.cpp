#include "host/audit/worst_case/divided_permutation.hpp"

#include "host/evaluation/adaptive/split_plan.hpp"
#include "host/search/assignment.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

namespace tailback::audit {
namespace {

constexpr double most_walks = 1e9, most_parts = 2e7;  // about a second, and half a gigabyte

/// What a link carries of a flow from a source of the row to a destination of the class.
struct Part {
    std::uint32_t link, row, to;
    double units;
};

/// How many hosts a row has, and a class of destinations.
struct Counts {
    std::vector<std::uint32_t> of_row, of_class;
};

/// Of every row and class.
class PartsOfFlows {
public:
    PartsOfFlows(evaluation::SplitPlan const& plan, Counts const& counts)
        : plan_(plan), counts_(counts), here_(plan.graph().rows() + std::size_t{1}) {}
    /// False where there are too many.
    bool find() {
        model::ChoiceGraph const& graph = plan_.graph();
        for (std::uint32_t c = 0; c < graph.classes().size(); ++c) {
            wish_.heed();
            if (counts_.of_class[c] == 0) continue;
            for (std::uint32_t row = 0; row < graph.rows(); ++row)
                if (counts_.of_row[row] > 0 && plan_.fates(c, row) == model::ChoiceWalk::bit(model::Fate::delivered))
                    divide(c, row);
            if (double(parts.size()) > most_parts) return false;
        }
        std::sort(parts.begin(), parts.end(), [](Part const& a, Part const& b) {
            return std::tuple(a.link, a.row, a.to) < std::tuple(b.link, b.row, b.to);
        });
        std::size_t end = 0;
        for (Part const& one : parts) {
            bool const is_same = end > 0 && parts[end - 1].link == one.link && parts[end - 1].row == one.row &&
                                 parts[end - 1].to == one.to;
            if (is_same) parts[end - 1].units += one.units;
            else parts[end++] = one;
        }
        parts.resize(end);
        return true;
    }
    std::vector<Part> parts;  ///< by link, between switches

private:
    void divide(std::uint32_t to, std::uint32_t from) {
        model::ChoiceGraph const& graph = plan_.graph();
        model::Fabric const& fabric = graph.forwarding().fabric();
        here_[from] = double(plan_.unit());
        for (evaluation::SplitPlan::Step const& step : plan_.steps(to)) {
            double const units = std::exchange(here_[step.row], 0);
            if (units == 0 || model::ChoiceGraph::is_mark(step.group)) continue;
            std::span const options = graph.options(step.group);
            std::span const targets = plan_.targets(step.group);
            for (std::size_t k = 0; k < options.size(); ++k) {
                here_[targets[k]] += units / double(options.size());
                if (fabric.between_switches(options[k].link))
                    parts.push_back({options[k].link.value, from, to, units / double(options.size())});
            }
        }
        here_[plan_.sink()] = 0;
    }

    evaluation::SplitPlan const& plan_;
    Counts const& counts_;
    std::vector<double> here_;
    kernels::StopWish const wish_ = kernels::StopWish::now();
};

/// The parts of one link: rows as sources, classes as destinations.
class Matching {
public:
    Matching(std::span<Part const> parts, Counts const& counts) : parts_(parts.begin(), parts.end()), counts_(counts) {
        std::stable_sort(parts_.begin(), parts_.end(), [](Part const& a, Part const& b) { return a.units > b.units; });
    }
    /// The most that sources could have if they shared destinations, or destinations if they shared sources.
    double bound() const { return std::min(bound_of<true>(), bound_of<false>()); }
    double greedy() const {
        std::map<std::uint32_t, std::uint32_t> rows, classes;
        double sum = 0;
        for (Part const& one : parts_) {
            std::uint32_t &row = rows.try_emplace(one.row, counts_.of_row[one.row]).first->second,
                          &to = classes.try_emplace(one.to, counts_.of_class[one.to]).first->second;
            std::uint32_t const pairs = std::min(row, to);
            row -= pairs, to -= pairs;
            sum += one.units * pairs;
        }
        return sum;
    }
    double steps() const {
        double const n = size();
        return n * n * n;
    }
    double best() const {
        std::map<std::uint32_t, std::size_t> row_at, class_at;
        std::size_t rows = 0, classes = 0;
        for (Part const& one : parts_) {
            if (row_at.try_emplace(one.row, rows).second) rows += counts_.of_row[one.row];
            if (class_at.try_emplace(one.to, classes).second) classes += counts_.of_class[one.to];
        }
        std::size_t const n = std::max(rows, classes);
        std::vector<double> weight(n * n);
        for (Part const& one : parts_)
            for (std::size_t s = row_at[one.row]; s < row_at[one.row] + counts_.of_row[one.row]; ++s)
                std::fill_n(weight.begin() + std::ptrdiff_t(s * n + class_at[one.to]), counts_.of_class[one.to],
                            one.units);
        std::vector<std::uint32_t> chosen;
        return search::largest_assignment(weight, n, chosen);
    }

private:
    template <bool by_row>
    double bound_of() const {
        std::map<std::uint32_t, std::uint32_t> left;
        double sum = 0;
        for (Part const& one : parts_) {
            std::uint32_t& hosts =
                left.try_emplace(by_row ? one.row : one.to, by_row ? counts_.of_row[one.row] : counts_.of_class[one.to])
                    .first->second;
            std::uint32_t const pairs = std::min(hosts, by_row ? counts_.of_class[one.to] : counts_.of_row[one.row]);
            hosts -= pairs;
            sum += one.units * pairs;
        }
        return sum;
    }
    double size() const {
        std::map<std::uint32_t, char> rows, classes;
        double sources = 0, destinations = 0;
        for (Part const& one : parts_) {
            if (rows.try_emplace(one.row).second) sources += counts_.of_row[one.row];
            if (classes.try_emplace(one.to).second) destinations += counts_.of_class[one.to];
        }
        return std::max(sources, destinations);
    }

    std::vector<Part> parts_;  // the largest first
    Counts const& counts_;
};

bool is_less(double a, double b) { return a < b * (1 - 1e-12); }

}  // namespace

std::optional<DividedWorst> worst_divided_permutation(model::ChoiceGraph const& graph,
                                                      std::span<model::Host const> hosts, unsigned threads,
                                                      double most_matching) {
    Counts counts{std::vector<std::uint32_t>(graph.rows()), std::vector<std::uint32_t>(graph.classes().size())};
    for (model::Host const host : hosts) {
        if (std::uint32_t const row = graph.forwarding().entry_of(host).row; row != kernels::no_row)
            ++counts.of_row[row];
        if (std::uint32_t const to = graph.class_of(host); to != model::ChoiceGraph::none) ++counts.of_class[to];
    }
    auto const rows = double(counts.of_row.size()) - double(std::count(counts.of_row.begin(), counts.of_row.end(), 0u));
    if (rows * double(graph.classes().size()) * double(graph.rows()) > most_walks) return std::nullopt;
    evaluation::SplitPlan const plan(graph, hosts, threads);
    PartsOfFlows flows(plan, counts);
    if (!flows.find()) return std::nullopt;
    struct OfLink {
        std::size_t first, end;
        double bound;
    };
    std::vector<OfLink> links;
    for (std::size_t i = 0; i < flows.parts.size(); i = links.back().end) {
        std::size_t end = i;
        while (end < flows.parts.size() && flows.parts[end].link == flows.parts[i].link) ++end;
        links.push_back({i, end, 0});
    }
    auto const matching_of = [&](OfLink const& one) {
        return Matching(std::span(flows.parts).subspan(one.first, one.end - one.first), counts);
    };
    for (OfLink& one : links) one.bound = matching_of(one).bound();
    std::stable_sort(links.begin(), links.end(), [](OfLink const& a, OfLink const& b) { return a.bound > b.bound; });
    auto const wish = kernels::StopWish::now();
    DividedWorst worst;
    double best = 0, attained = 0, steps = 0;
    for (OfLink const& one : links) {
        wish.heed();
        if (is_less(one.bound, best) && (worst.exact || one.bound <= attained)) break;
        Matching const matching = matching_of(one);
        double load = matching.greedy();
        attained = std::max(attained, load);
        if (is_less(one.bound, best)) continue;  // what can be had, where the most is a bound
        if (is_less(load, one.bound)) {
            steps += matching.steps();
            if (steps > most_matching) {
                worst.exact = false;
                load = one.bound;
            } else {
                load = matching.best();
                attained = std::max(attained, load);
            }
        }
        model::Link const link{flows.parts[one.first].link};
        if (is_less(best, load)) best = load, worst.link = link, worst.links = 1;
        else if (!is_less(load, best)) ++worst.links, worst.link = std::min(worst.link, link);
    }
    worst.flows = best / double(plan.unit());
    worst.at_least = worst.exact ? worst.flows : attained / double(plan.unit());
    return worst;
}

}  // namespace tailback::audit
