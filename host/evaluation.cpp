#include "host/evaluation.hpp"

#include "kernels/cpu_threads.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace tailback {
namespace {

/// Bandwidths of mappings are kept in units of 2^-52.
constexpr unsigned bandwidth_bits = 52;

/// Mean bandwidth of a mapping's delivered flows, rounded to the nearest unit. Needs delivered > 0.
std::uint64_t mean_share(StudyPlan const& plan, MappingTally const& tally) {
    unsigned __int128 const sum = static_cast<unsigned __int128>(tally.share_sum) << (bandwidth_bits - plan.share_bits);
    return static_cast<std::uint64_t>((sum + tally.delivered / 2) / tally.delivered);
}

std::unique_ptr<Executor> choose_executor(StudyPlan const& plan, ExecutionOptions const& options) {
    check_device(options.device);
    if (options.device != DeviceChoice::cpu && !find_cuda_devices().names.empty()) return make_cuda_executor(plan.problem);
    // A thread holds counters for the whole network: none that would stay without work.
    return make_cpu_executor(plan.problem, static_cast<unsigned>(std::min<std::uint64_t>(threads_to_use(options.threads), plan.study.mappings)));
}

std::vector<std::uint64_t> sums_by_link(StudyPlan const& plan, std::vector<std::uint64_t> const& sums) {
    if (plan.regular != nullptr) return sums;  // there a link's number is its slot
    std::vector<std::uint64_t> by_link(plan.fabric->network.links().size());
    for (std::size_t slot = 0; slot < sums.size(); ++slot)
        if (Link const link = plan.slot_link[slot]; link.exists()) by_link[link.value] += sums[slot];
    return by_link;
}

/// False for slots of a regular network that stand for no link.
bool is_link(StudyPlan const& plan, std::size_t link) {
    if (plan.regular == nullptr) return true;
    if (link < plan.problem.inner) return !plan.regular->ends(static_cast<std::uint32_t>(link)).from.empty();
    return link >= std::size_t{plan.problem.inner} + 4;
}

}  // namespace

void check_device(DeviceChoice choice) {
    if (choice != DeviceChoice::cuda) return;
    CudaDevices const devices = find_cuda_devices();
    if (devices.names.empty())
        throw InputError({}, "there is no CUDA device", devices.reason, "use --device cpu or --device auto");
}

MappingNumbers numbers_of(StudyPlan const& plan, MappingTally const& tally) {
    double const unit = plan.denominator;
    return {double(tally.congestion_sum) / unit,
            tally.delivered == 0 ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(double(mean_share(plan, tally)), -int(bandwidth_bits)),
            double(tally.delay) / unit};
}

Evaluation evaluate(StudyPlan const& plan, ExecutionOptions const& options) {
    auto const started = std::chrono::steady_clock::now();
    Study const& study = plan.study;
    Evaluation result;
    result.sum_max_cong = Distribution(plan.denominator, true);
    result.dep_max_delay = Distribution(plan.denominator, true);
    result.hist_acc_band = Distribution(std::ldexp(1.0, bandwidth_bits), false);

    std::unique_ptr<Executor> const executor = choose_executor(plan, options);
    result.device = executor->device();
    result.threads = executor->threads();
    std::uint64_t local_per_mapping = 0;
    for (Level const& level : plan.flow_list.levels) local_per_mapping += level.local;

    bool const wants_sum = study.wants(Metric::sum_max_cong), wants_band = study.wants(Metric::hist_acc_band);
    bool const wants_delay = study.wants(Metric::dep_max_delay);
    std::uint64_t const batch = options.batch > 0 ? options.batch : executor->good_batch();
    std::vector<MappingTally> tallies(std::min(batch, study.mappings));
    for (std::uint64_t first = 0; first < study.mappings; first += batch) {
        std::span<MappingTally> const part(tallies.data(), std::min(batch, study.mappings - first));
        executor->evaluate(study.first_mapping + first, part);
        for (std::size_t i = 0; i < part.size(); ++i) {
            MappingTally const& tally = part[i];
            std::uint64_t const m = study.first_mapping + first + i;
            result.delivered += tally.delivered;
            result.unreachable += tally.unreachable;
            result.loop += tally.loop;
            result.misdelivered += tally.misdelivered;
            result.local += tally.local + local_per_mapping;
            if (wants_sum) result.sum_max_cong.add(tally.congestion_sum, m);
            if (wants_delay) result.dep_max_delay.add(tally.delay, m);
            if (wants_band) {
                if (tally.delivered == 0) result.hist_acc_band.add_undefined();
                else result.hist_acc_band.add(mean_share(plan, tally), m);
            }
            if (options.per_mapping) options.per_mapping(m, tally);
        }
        if (options.progress) options.progress(first + part.size());
    }

    Totals const totals = executor->totals();
    if (study.wants(Metric::hist_max_cong)) {
        double bandwidth = 0;
        std::uint64_t flows = 0;
        for (std::size_t c = 0; c < totals.histogram.size(); ++c) {
            if (totals.histogram[c] == 0) continue;
            double const congestion = double(c) / plan.denominator;
            result.congestion_histogram.emplace_back(congestion, totals.histogram[c]);
            bandwidth += double(totals.histogram[c]) * (double(plan.denominator) / double(c));
            flows += totals.histogram[c];
        }
        result.bw = flows == 0 ? std::numeric_limits<double>::quiet_NaN() : bandwidth / double(flows);
    }
    if (study.wants(Metric::get_cable_cong)) {
        std::vector<std::uint64_t> by_link = sums_by_link(plan, totals.link_sums);
        for (std::uint64_t const sum : by_link) result.largest_link_sum = std::max(result.largest_link_sum, sum);
        for (std::size_t l = 0; l < by_link.size(); ++l)
            if (is_link(plan, l)) result.links.push_back({Link{l}, by_link[l],
                                    result.largest_link_sum == 0 ? 0 : double(by_link[l]) / double(result.largest_link_sum)});
    }
    result.hops = static_cast<std::uint64_t>(std::llround(double(result.delivered) * plan.mean_links));
    result.evaluate_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return result;
}

}  // namespace tailback
