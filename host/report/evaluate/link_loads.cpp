#include "host/report/evaluate/link_loads.hpp"

#include "host/audit/loads/groups.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cmath>
#include <map>
#include <ostream>
#include <tuple>

namespace tailback::report {
namespace {

/// Adds up numbers for their mean and deviation.
class Sums {
public:
    void add(double value) {  // Welford, Technometrics 1962: squares of large loads would cancel
        ++count_;
        double const off = value - mean_;
        mean_ += off / double(count_);
        squares_ += off * (value - mean_);
        largest_ = std::max(largest_, value);
    }
    Spread spread() const { return {mean_, count_ < 2 ? 0 : std::sqrt(squares_ / double(count_ - 1)), largest_}; }

private:
    std::uint64_t count_ = 0;
    double mean_ = 0, squares_ = 0, largest_ = 0;
};

class GroupSums {
public:
    void add(double load, double flows, double time) {
        ++links_;
        used_ += flows > 0;
        load_.add(load);
        flows_.add(flows);
        time_.add(time);
    }
    double mean_time() const { return time_.spread().mean; }
    double largest_time() const { return time_.spread().largest; }
    LinkGroup group(std::string name, double largest_time) const {
        return {std::move(name), links_,          used_,
                load_.spread(),  flows_.spread(), largest_time > 0 ? mean_time() / largest_time : 0};
    }

private:
    std::uint64_t links_ = 0, used_ = 0;
    Sums load_, flows_, time_;
};

/// Upwards before downwards: by the lower level, then by direction.
using StageKey = std::tuple<std::uint32_t, std::uint32_t, bool>;

StageKey stage_of(audit::Levels const& levels, model::LinkRecord const& link) {
    std::uint32_t const from = levels.of_node[link.from.value], to = levels.of_node[link.to.value];
    return {std::min(from, to), std::max(from, to), from > to};
}

std::string name_of(StageKey const& key) {
    auto const [low, high, down] = key;
    return down ? stage_name(high, low) : stage_name(low, high);
}

/// Bytes that all mappings delivered; none where flows of different weights failed.
std::optional<double> delivered_weight(Report const& report) {
    if (report.plan.problem.traffic.weights == nullptr)
        return double(report.result.delivered) * double(report.plan.common_weight);
    if (report.failed_flows() > 0) return std::nullopt;
    std::uint64_t const drawn =
        report.result.delivered - report.result.mappings * report.plan.problem.traffic.flow_count;
    return double(report.plan.bytes) * double(report.result.mappings) + double(drawn);
}

}  // namespace

LinkLoads link_loads(Report const& report) {
    bool const kept = report.plan.fabric->formula == nullptr;
    model::Network const& network = report.network();
    audit::Levels const levels = kept ? audit::levels_of(network) : audit::Levels{};
    model::LinkCosts const costs =
        kept ? model::link_costs(network, report.study().measures.capacities) : model::LinkCosts{};
    GroupSums all, inner;
    std::map<StageKey, GroupSums> stages;
    std::vector<GroupSums> groups(report.groups != nullptr ? report.groups->names.size() : 0);
    double const mappings = double(report.result.mappings);
    for (evaluation::LinkSum const& sum : report.result.links) {
        double const load = double(sum.sum) / mappings, flows = double(sum.flows) / mappings;
        double const time = costs.cost.empty() ? load : load * costs.cost[sum.link.value] / double(costs.denominator);
        all.add(load, flows, time);
        if (report.between_switches(sum.link)) inner.add(load, flows, time);
        if (kept) stages[stage_of(levels, network[sum.link])].add(load, flows, time);
        if (!groups.empty()) groups[report.groups->of_node[network[sum.link].from.value]].add(load, flows, time);
    }
    // A formula's links of hosts that take no part are not listed: they carry nothing.
    for (std::uint64_t l = report.result.links.size(); !kept && l < report.plan.fabric->links(); ++l) all.add(0, 0, 0);
    double const largest = all.largest_time();
    LinkLoads loads{all.group("all", largest), inner.group("between switches", largest), {}, {}, {}};
    for (auto const& [key, sums] : stages) loads.stages.push_back(sums.group(name_of(key), largest));
    for (std::size_t g = 0; g < groups.size(); ++g)
        loads.groups.push_back(groups[g].group(report.groups->names[g], largest));
    std::optional<double> const weight = delivered_weight(report);
    if (weight && all.mean_time() > 0) loads.unrestricted_throughput = *weight / mappings / all.mean_time();
    return loads;
}

void check_link_picture(study::StudyPlan const& plan, LinkPictureForm form) {
    if (plan.fabric->formula != nullptr && form != LinkPictureForm::csv)
        throw base::InputError({}, "there is no picture of a network that is a formula",
                               "its links are not kept in memory", "add --routes tables");
}

FabricPicture picture_of(Report const& report) {
    model::Network const& network = report.network();
    check_link_picture(report.plan, LinkPictureForm::svg);
    FabricPicture picture{.network = network,
                          .levels = audit::levels_of(network),
                          .hosts = report.plan.study_hosts,
                          .load = std::vector<std::uint64_t>(network.links().size()),
                          .ideal = std::vector<double>(network.links().size()),
                          .faults = {},
                          .unit = report.plan.has_bytes() ? "bytes" : "flows",
                          .sentence = study_sentence(report),
                          .digest = report.digest};
    std::map<StageKey, std::pair<double, double>> stages;  // load, links
    for (evaluation::LinkSum const& sum : report.result.links) {
        picture.load[sum.link.value] = sum.sum;
        auto& [load, links] = stages[stage_of(picture.levels, network[sum.link])];
        load += double(sum.sum);
        ++links;
    }
    for (evaluation::LinkSum const& sum : report.result.links) {
        auto const& [load, links] = stages[stage_of(picture.levels, network[sum.link])];
        picture.ideal[sum.link.value] = load / links;
    }
    return picture;
}

void write_links_csv(std::ostream& out, Report const& report) {
    bool const kept = report.plan.fabric->formula == nullptr;
    audit::Levels const levels = kept ? audit::levels_of(report.network()) : audit::Levels{};
    double const mappings = double(report.result.mappings);
    CsvTable table(out, {"from", "from_port", "to", "to_port", "stage", "load", "flows", "scaled"});
    for (evaluation::LinkSum const& sum : report.result.links) {
        Json row = ends_json(report.ends(sum.link));
        if (kept) row["stage"] = name_of(stage_of(levels, report.network()[sum.link]));
        row.update({{"load", double(sum.sum) / mappings}, {"flows", double(sum.flows) / mappings}});
        row["scaled"] = sum.scaled;
        table.item(row);
    }
}

}  // namespace tailback::report
