#include "host/evaluation.hpp"

#include "host/findings.hpp"
#include "kernels/cpu_threads.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace tailback {
namespace {

using Clock = std::chrono::steady_clock;

/// How many mappings to evaluate at once: as the user said, or so many that a batch takes a tenth of a second, because
/// between batches it is seen that somebody wants to stop.
class Pace {
public:
    Pace(std::uint64_t wanted, std::uint64_t good) : batch_(wanted > 0 ? wanted : std::max<std::uint64_t>(1, good / 256)), most_(wanted > 0 ? wanted : good) {}
    std::uint64_t batch() const { return batch_; }
    void start() { started_ = Clock::now(); }
    void stop() {
        if (Clock::now() - started_ < std::chrono::milliseconds(50)) batch_ = std::min(2 * batch_, most_);
    }

private:
    std::uint64_t batch_, most_;
    Clock::time_point started_;
};

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

/// Turns the integers into metrics.
void conclude(StudyPlan const& plan, Findings findings, Evaluation& result) {
    result.mappings = findings.mappings;
    result.delivered = findings.delivered;
    result.unreachable = findings.unreachable;
    result.loop = findings.loop;
    result.misdelivered = findings.misdelivered;
    result.local = findings.local;
    Totals const& totals = findings.totals;
    if (plan.study.wants(Metric::hist_max_cong)) {
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
    if (plan.study.wants(Metric::get_cable_cong)) {
        std::vector<std::uint64_t> by_link = sums_by_link(plan, totals.link_sums);
        for (std::uint64_t const sum : by_link) result.largest_link_sum = std::max(result.largest_link_sum, sum);
        for (std::size_t l = 0; l < by_link.size(); ++l)
            if (is_link(plan, l)) result.links.push_back({Link{l}, by_link[l],
                                    result.largest_link_sum == 0 ? 0 : double(by_link[l]) / double(result.largest_link_sum)});
    }
    result.hops = static_cast<std::uint64_t>(std::llround(double(result.delivered) * plan.mean_links));
    result.sum_max_cong = std::move(findings.sum_max_cong);
    result.hist_acc_band = std::move(findings.hist_acc_band);
    result.dep_max_delay = std::move(findings.dep_max_delay);
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
    auto const started = Clock::now();
    Study const& study = plan.study;
    Evaluation result;
    std::unique_ptr<Executor> const executor = choose_executor(plan, options);
    result.device = executor->device();
    result.threads = executor->threads();

    Findings findings(plan);
    Pace pace(options.batch, executor->good_batch());
    std::vector<MappingTally> tallies;
    for (;;) {
        std::uint64_t const done = findings.mappings;
        if (study.until && is_look(done, study.mappings)) {
            result.until = judge(*study.until, findings.of(study.until->metric), possible_values(plan, study.until->metric));
            if (result.until->reached) break;
        }
        if (done == study.mappings) break;
        if (done > 0 && options.stop && options.stop()) {
            result.interrupted = true;
            break;
        }
        std::uint64_t const stage = study.until ? next_look(done, study.mappings) : study.mappings;
        tallies.resize(std::min(pace.batch(), stage - done));
        pace.start();
        executor->evaluate(study.first_mapping + done, tallies);
        pace.stop();
        for (std::size_t i = 0; i < tallies.size(); ++i) {
            std::uint64_t const m = study.first_mapping + done + i;
            findings.add(plan, m, tallies[i]);
            if (options.per_mapping) options.per_mapping(m, tallies[i]);
        }
        if (options.progress) options.progress(findings.mappings);
    }
    findings.add_totals(executor->totals());
    if (study.until && result.interrupted)
        result.until = judge(*study.until, findings.of(study.until->metric), possible_values(plan, study.until->metric));
    conclude(plan, std::move(findings), result);
    result.evaluate_s = std::chrono::duration<double>(Clock::now() - started).count();
    return result;
}

}  // namespace tailback
