// Who runs the kernel: the CPU's cores, or a CUDA device. Both give the same tallies, bit for bit.
#pragma once

#include "kernels/division/division_view.hpp"
#include "kernels/evaluate/problem.hpp"
#include "kernels/evaluate/reduction.hpp"
#include "kernels/evaluate/weights.hpp"
#include "kernels/found_routes.hpp"
#include "kernels/shape.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailback::kernels {

/// Sums over all mappings evaluated so far.
struct Totals {
    std::vector<std::uint64_t> histogram;    ///< flows by congestion
    std::vector<std::uint64_t> link_sums;    ///< by slot; with weights then flows by slot
    std::vector<std::uint64_t> lengths;      ///< flows by the links of their routes
    std::vector<std::uint64_t> share_parts;  ///< with weights and a histogram: see kernels::share_part
    std::vector<std::uint64_t> rates;        ///< flows by max-min rate: see kernels::rate_bin
    std::vector<std::uint64_t> times;        ///< flows by completion time: by kernels::weighted_bin

    Totals() = default;
    /// Of no mapping yet: zeros where the problem wants sums, empty where not.
    explicit Totals(Problem const& p)
        : histogram(!p.measures.wants_histogram    ? 0
                    : p.traffic.weights != nullptr ? weighted_bins
                                                   : p.measures.congestion_bins),
          link_sums(p.measures.wants_link_sums || p.measures.sharing.bottlenecks
                        ? std::size_t{p.routes.slots} * (p.measures.wants_link_flows ? 2 : 1)
                        : 0),
          lengths(p.measures.wants_route_links ? std::size_t(p.routes.longest_route) + 1 : 0),
          share_parts(p.measures.wants_histogram && p.traffic.weights != nullptr ? kernels::share_parts : 0),
          rates(p.measures.sharing.bins),
          times(p.measures.sharing.times ? weighted_bins : 0) {}

    TotalsView view() {
        return {histogram.data(), link_sums.data(), lengths.data(), share_parts.data(), rates.data(), times.data()};
    }
    std::array<std::vector<std::uint64_t>*, 6> parts() {
        return {&histogram, &link_sums, &lengths, &share_parts, &rates, &times};
    }
    std::array<std::vector<std::uint64_t> const*, 6> parts() const {
        return {&histogram, &link_sums, &lengths, &share_parts, &rates, &times};
    }
    /// Adds those of other mappings of the same problem, part by part.
    void add(Totals const& more);
    bool operator==(Totals const&) const = default;
};

/// How a device's kernels are started, for tests and benchmarks.
struct LaunchFacts {
    CudaTeamKind kind = CudaTeamKind::global;
    std::uint32_t blocks = 0;      ///< on the whole device at once
    std::uint32_t threads = 0;     ///< of a block
    std::uint32_t teams = 0;       ///< mappings at once
    std::size_t shared_bytes = 0;  ///< dynamic, a block
    std::uint32_t registers = 0;   ///< a thread
    std::size_t local_bytes = 0;   ///< a thread: its stack, and registers that are spilled
};

class Executor {
public:
    virtual ~Executor() = default;
    /// Evaluates mappings first .. first + tallies.size() - 1.
    virtual void evaluate(std::uint64_t first, std::span<MappingTally> tallies) = 0;
    /// Evaluates `count` mappings from `first` on of which nobody asks for single tallies: they are added up where they
    /// come about. `wanted` stays the same until what was found is taken.
    virtual void evaluate_and_reduce(std::uint64_t first, std::uint64_t count, WantedNumbers const& wanted);
    /// What all calls of `evaluate_and_reduce` since the last `take_reduction` came to.
    virtual Reduction take_reduction();
    /// How many mappings it may have reduced before that is taken: what threads hold for themselves takes memory.
    virtual std::uint64_t most_reduced() const { return 1 << 22; }
    /// The sums of all mappings evaluated so far, either way.
    virtual Totals totals() = 0;
    /// `cpu`, or the CUDA device's name.
    virtual std::string device() const = 0;
    virtual unsigned threads() const = 0;
    /// How many mappings a call to `evaluate` should have to keep everything busy.
    virtual std::uint64_t good_batch() const = 0;
    /// Of the kernel that evaluates; none on a CPU.
    virtual std::optional<LaunchFacts> launch_facts() const { return std::nullopt; }

private:
    Reduction reduction_;
    std::vector<MappingTally> tallies_;
};

/// Which of the CPU's ways: the one meant for the problem, or the body that a GPU runs too. Both give the same tallies.
enum class CpuVariant : std::uint8_t { fastest, kernel_body };

/// `threads` = 0: all cores. The problem's views must outlive the executor.
std::unique_ptr<Executor> make_cpu_executor(Problem const& problem, unsigned threads,
                                            CpuVariant way = CpuVariant::fastest);

/// For routes that are found before: `routes` says where, and may change between calls of the executor.
std::unique_ptr<Executor> make_cpu_executor(Problem const& problem, unsigned threads, FoundRoutes const& routes);
/// For flows that are divided equally, by the body that a GPU runs too (kernels/division). Both views must outlive it.
std::unique_ptr<Executor> make_cpu_executor(Problem const& problem, unsigned threads, DivisionView const& division);
class FlowRouteFinder;
/// Makes one for each thread.
using MakeFinder = std::function<std::unique_ptr<FlowRouteFinder>()>;
/// For routes that every thread finds when it has placed a mapping (kernels/cpu/flow_routes.hpp).
std::unique_ptr<Executor> make_cpu_executor(Problem const& problem, unsigned threads, MakeFinder const& make_finder);

/// What there is of CUDA. A device can be used when a kernel of this program has run on it.
struct CudaDevices {
    std::vector<std::string> names;    ///< of those that can be used
    std::vector<std::string> refused;  ///< of the others, and of a driver that is there: what it is, and why
    std::string reason;                ///< why none can be used, when none can
};
/// Tries every device, which makes a context on each. Does not fail.
CudaDevices find_cuda_devices();

/// Executors that this thread makes from now on run on its preferred device, or on the next that can be used, counted
/// round. `names` is that device, or empty. Does not fail.
CudaDevices use_cuda_device();
/// Does the driver list a device? It may be one that cannot be used: none is tried, and no context made. Does not fail.
bool lists_cuda_device();
/// The device that this thread prefers, counted round where there are fewer; 0 unless said.
void prefer_cuda_device(unsigned wanted);

/// @param kind the kind of team, for tests; none: the best. One that does not fit the problem or the device gives null.
/// @param wishes of its shape, for tests and benchmarks
/// @param division of a problem whose flows are divided equally, which is copied; null: they go by its routes
/// @throws DeviceError when there is no device, memory does not suffice or a wish cannot be met.
std::unique_ptr<Executor> make_cuda_executor(Problem const& problem, std::optional<CudaTeamKind> kind = {},
                                             ShapeWishes const& wishes = {}, DivisionView const* division = nullptr);

}  // namespace tailback::kernels
