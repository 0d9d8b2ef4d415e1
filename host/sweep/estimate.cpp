// The cost of a point is its flows: ranks and pattern give those of a mapping. The time is a rate of experience, no
// promise.
#include "host/sweep/estimate.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/io/progress.hpp"
#include "host/sweep/shared_network.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace tailback::sweep {
namespace {

/// What one core does, between small networks in cache (more) and large ones (less); docs/performance.md has
/// measurements.
constexpr double flows_per_second_and_core = 5e7;

class Estimator {
public:
    explicit Estimator(api::TakeSentence const& warn) : warn_(warn), network_(warn) {}

    /// Flows of all mappings. @throws InputError for a point that cannot be run, as far as that shows without routing.
    double flows(CheckedPoint const& point) {
        turn_to(point);
        study::Study study = api::complete_study(
            point.request, fabric_.formula ? study::NamedHosts(*fabric_.formula) : fabric_.input->network(), warn_);
        std::size_t const hosts = study.placement.subset == study::SubsetKind::listed
                                      ? study.placement.subset_hosts.size()
                                      : fabric_.usable_hosts(study.placement.aggregation_nodes_are_hosts).size();
        if (study.placement.ranks == 0)
            study.placement.ranks = study.traffic.pattern == patterns::listed_pattern
                                        ? study.traffic.listed_flows.ranks
                                        : static_cast<std::uint32_t>(hosts);
        if (study.placement.mapping != study::MappingKind::listed && study.placement.ranks > hosts)
            throw base::InputError({}, fmt::format("{} ranks do not fit on {} hosts", study.placement.ranks, hosts),
                                   "every rank needs a host of its own", "");
        return double(flows_of_a_mapping(study)) * double(study.sample.mappings);
    }

private:
    void turn_to(CheckedPoint const& point) {
        if (fabric_number_ == point.fabric) return network_.tell_warnings();
        fabric_number_.reset();  // this one may turn out to be none
        fabric_ = {};
        network_.turn_to(point.network);
        fabric_ = api::obtain_unrouted(request_of(point), {}, [&](api::FabricRequest const& request, auto const&) {
            return network_.read(request);
        });
        fabric_number_ = point.fabric;
    }

    std::uint64_t flows_of_a_mapping(study::Study const& study) {
        auto const key =
            std::tuple(study.traffic.pattern, study.placement.ranks, study.traffic.first, study.traffic.first_ranks,
                       study.traffic.second, study.traffic.level.value_or(UINT32_MAX));
        if (study.traffic.pattern == patterns::listed_pattern) return count(study.traffic.listed_flows);
        auto const [at, is_new] = known_.try_emplace(key);
        if (is_new) {
            patterns::FlowList const list =
                study.traffic.pattern == "ptrnvsptrn"
                    ? patterns::make_pattern_vs_pattern(study.traffic.first, study.traffic.first_ranks,
                                                        study.traffic.second, study.placement.ranks)
                    : patterns::make_pattern(study.traffic.pattern, study.placement.ranks, {1, {0}, "", true});
            at->second = count(study.traffic.level ? patterns::only_level(list, *study.traffic.level) : list);
        }
        return at->second;
    }
    static std::uint64_t count(patterns::FlowList const& list) {
        std::uint64_t flows = list.flows.size();
        for (patterns::Level const& level : list.levels)
            for (patterns::RandomFlows const& random : level.random) flows += random.ranks;
        return flows;
    }

    api::TakeSentence warn_;
    SharedNetwork network_;
    api::UnroutedFabric fabric_;
    std::optional<std::size_t> fabric_number_;
    std::map<std::tuple<std::string, std::uint32_t, std::string, std::uint32_t, std::string, std::uint32_t>,
             std::uint64_t>
        known_;
};

/// What all points have in common is told once.
std::set<std::string> common_settings(std::vector<CheckedPoint> const& points) {
    std::map<std::string, std::size_t> met;
    for (CheckedPoint const& point : points)
        for (SweepSetting const& setting : *point.point)
            ++met[std::string(setting.name()) + "=" + base::printable(setting.value)];
    std::set<std::string> common;
    for (auto const& [words, times] : met)
        if (times == points.size()) common.insert(words);
    return common;
}

}  // namespace

SweepEstimate estimate_sweep(std::vector<CheckedPoint> const& points, unsigned threads, SweepListener const& listener) {
    Estimator estimator(listener.warn);
    std::set<std::size_t> networks, fabrics;
    double all = 0;
    std::size_t impossible = 0, others = 0;
    OtherPoint const* other = nullptr;
    std::set<std::string> const common = common_settings(points);
    std::string text = common.empty() ? "" : "all points:";
    for (std::string const& words : common) text += " " + words;
    if (!common.empty()) text += "\n";
    for (std::size_t p = 0; p < points.size(); ++p) {
        listener.turn_to(p);
        networks.insert(points[p].network);
        fabrics.insert(points[p].fabric);
        text += fmt::format("{:>6} ", p);
        for (SweepSetting const& setting : *points[p].point)
            if (std::string const words = std::string(setting.name()) + "=" + base::printable(setting.value);
                !common.contains(words))
                text += " " + words;
        if (points[p].other != nullptr) {
            ++others;
            other = points[p].other.get();
            text += fmt::format("  {}\n", base::counted(other->parts(), other->unit().first, other->unit().second));
            continue;
        }
        try {
            double const flows = estimator.flows(points[p]);
            all += flows;
            text += fmt::format("  {:.3g} flows\n", flows);
        } catch (base::InputError const& error) {
            ++impossible;
            text += fmt::format("  cannot be run: {}\n", error.what());
        }
    }
    unsigned const cores = kernels::threads_to_use(threads);
    text += fmt::format(
        "{} on {} network{}, routed {} time{}: {:.3g} flows, roughly {} on {} core{}, making and routing networks "
        "not counted\n",
        base::counted(points.size(), "point", "points"), networks.size(), networks.size() == 1 ? "" : "s",
        fabrics.size(), fabrics.size() == 1 ? "" : "s", all, io::duration_text(all / flows_per_second_and_core / cores),
        cores, cores == 1 ? "" : "s");
    if (others > 0) text += fmt::format("{} of them are {}, whose time is not in it\n", others, other->unit().second);
    if (impossible > 0) text += fmt::format("{} of them cannot be run\n", base::grouped(impossible));
    return {text, impossible};
}

}  // namespace tailback::sweep
