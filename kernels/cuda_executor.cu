// The CUDA executor: one block a mapping, scratch in shared memory while it fits, in global memory beyond.
#include "kernels/cuda_memory.cuh"
#include "kernels/cuda_team.cuh"
#include "kernels/dispatch.hpp"
#include "kernels/evaluate.hpp"
#include "kernels/executor.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace tailback {
namespace {

static_assert(sizeof(MappingTally) == 64);

template <bool plain, class Routes>
__global__ void evaluate_kernel(Problem problem, Routes routes, std::uint64_t first, std::uint32_t count,
                                MappingTally* tallies, TotalsView totals, std::byte* global_scratch,
                                std::size_t scratch_bytes) {
    extern __shared__ uint4 shared_scratch[];
    __shared__ std::uint64_t exchange[33];
    CudaTeam team{exchange};
    std::byte* const base = global_scratch != nullptr ? global_scratch + blockIdx.x * scratch_bytes
                                                      : reinterpret_cast<std::byte*>(shared_scratch);
    Scratch<std::uint32_t, typename Routes::Kept> scratch;
    scratch.lay_out(problem, base, false);
    for (std::uint32_t const word : team.each(static_cast<std::uint32_t>(scratch_bytes / sizeof(std::uint32_t))))
        reinterpret_cast<std::uint32_t*>(base)[word] = 0;
    team.sync();
    for (std::uint32_t m = blockIdx.x; m < count; m += gridDim.x) {
        MappingTally const tally = evaluate_mapping<plain>(team, problem, routes, first + m, scratch, totals);
        if (team.leads()) tallies[m] = tally;
        team.sync();
    }
}

/// The problem's arrays in device memory, and a Problem that points to them.
class DeviceProblem {
public:
    explicit DeviceProblem(Problem const& p)
        : view(p), listed_(upload(p.listed, p.listed_mappings * p.ranks)), flows_(upload(p.flows, p.flow_count)),
          floors_(upload(p.floors, p.flow_count)), levels_(upload(p.levels, p.level_count)), group_(upload(p.group, p.seats)),
          head_(upload(p.head, p.form == RouteForm::steps ? p.inner : 0)),
          steps_(upload(p.steps, std::size_t(p.node_rows) * p.seats)), cost_(upload(p.cost, p.slots)),
          share_(upload(p.share, std::size_t(p.max_congestion) + 1)),
          port_to_(upload(p.dragonfly.port_to, std::size_t(p.dragonfly.groups) * p.dragonfly.groups * p.dragonfly.rounds)),
          far_(upload(p.dragonfly.far, std::size_t(p.dragonfly.groups) * p.dragonfly.ports_in_use)),
          rows_(upload(static_cast<unsigned char const*>(p.rows), row_bytes(p))) {
        view.listed = raw(listed_);
        view.flows = raw(flows_);
        view.floors = raw(floors_);
        view.levels = raw(levels_);
        view.group = raw(group_);
        view.head = raw(head_);
        view.steps = raw(steps_);
        view.cost = p.cost ? raw(cost_) : nullptr;
        view.share = raw(share_);
        view.dragonfly.port_to = raw(port_to_);
        view.dragonfly.far = raw(far_);
        view.rows = raw(rows_);
        view.sums = {};  // a read of a row costs a GPU no more than two of its parts
    }
    Problem view;

private:
    static std::size_t row_bytes(Problem const& p) {
        if (p.rows == nullptr) return 0;
        return std::size_t(p.groups) * p.seats * p.row_width * (p.form == RouteForm::rows16 ? 2 : 4);
    }
    thrust::device_vector<std::uint32_t> listed_;
    thrust::device_vector<RankPair> flows_;
    thrust::device_vector<std::uint32_t> floors_;
    thrust::device_vector<LevelView> levels_;
    thrust::device_vector<std::uint32_t> group_, head_, steps_, cost_, port_to_;
    thrust::device_vector<GlobalEnd> far_;
    thrust::device_vector<std::uint64_t> share_;
    thrust::device_vector<unsigned char> rows_;
};

template <class Routes>
class CudaExecutor final : public Executor {
public:
    explicit CudaExecutor(Problem const& p) : device_(p) {
        histogram_.assign(p.wants_histogram ? std::size_t(p.max_congestion) + 1 : 0, 0);
        link_sums_.assign(p.wants_link_sums ? p.slots : 0, 0);

        Scratch<std::uint32_t, typename Routes::Kept> measure;
        scratch_bytes_ = measure.lay_out(p, nullptr, false);
        std::uint32_t const work = std::max(p.max_kept, p.ranks);
        std::uint32_t const threads = std::clamp<std::uint32_t>((work + 31) / 32 * 32, 32, 256);
        plain_ = is_plain(p);
        auto const kernel = reinterpret_cast<void const*>(plain_ ? evaluate_kernel<true, Routes> : evaluate_kernel<false, Routes>);
        scratch_.emplace(kernel, threads, scratch_bytes_);
    }

    void evaluate(std::uint64_t first, std::span<MappingTally> tallies) override {
        for (std::size_t done = 0; done < tallies.size();) {
            auto const count = static_cast<std::uint32_t>(std::min<std::size_t>(tallies.size() - done, 1u << 24));
            run(first + done, tallies.subspan(done, count));
            done += count;
        }
    }
    Totals totals() override {
        Totals sums;
        sums.histogram.resize(histogram_.size());
        sums.link_sums.resize(link_sums_.size());
        thrust::copy(histogram_.begin(), histogram_.end(), sums.histogram.begin());
        thrust::copy(link_sums_.begin(), link_sums_.end(), sums.link_sums.begin());
        return sums;
    }
    std::string device() const override { return scratch_->name; }
    unsigned threads() const override { return scratch_->blocks * scratch_->threads; }
    std::uint64_t good_batch() const override { return std::uint64_t{scratch_->blocks} * 64; }

private:
    void run(std::uint64_t first, std::span<MappingTally> tallies) {
        auto const count = static_cast<std::uint32_t>(tallies.size());
        if (tallies_.size() < count) tallies_.resize(count);
        std::uint32_t const blocks = std::min(scratch_->blocks, count);
        TotalsView const totals{raw(histogram_), raw(link_sums_)};
        Routes const routes(device_.view);
        if (plain_)
            evaluate_kernel<true><<<blocks, scratch_->threads, scratch_->shared_bytes>>>(device_.view, routes, first, count, raw(tallies_), totals, scratch_->global(), scratch_bytes_);
        else
            evaluate_kernel<false><<<blocks, scratch_->threads, scratch_->shared_bytes>>>(device_.view, routes, first, count, raw(tallies_), totals, scratch_->global(), scratch_bytes_);
        check(cudaGetLastError(), "starting the kernel");
        check(cudaDeviceSynchronize(), "the kernel");
        thrust::copy(tallies_.begin(), tallies_.begin() + count, tallies.begin());
    }

    DeviceProblem device_;
    std::size_t scratch_bytes_ = 0;
    bool plain_ = false;
    std::optional<BlockScratch> scratch_;
    thrust::device_vector<MappingTally> tallies_;
    thrust::device_vector<std::uint64_t> histogram_, link_sums_;
};

}  // namespace

CudaDevices find_cuda_devices() {
    CudaDevices found;
    int count = 0;
    cudaError_t const error = cudaGetDeviceCount(&count);  // leaves `count` alone when it fails
    if (error != cudaSuccess) {
        cudaGetLastError();
        found.reason = cudaGetErrorString(error);
        return found;
    }
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties{};
        if (cudaGetDeviceProperties(&properties, i) == cudaSuccess) found.names.emplace_back(properties.name);
    }
    if (found.names.empty()) found.reason = "the driver lists no device";
    return found;
}

std::unique_ptr<Executor> make_cuda_executor(Problem const& problem) {
    std::unique_ptr<Executor> executor;
    try {
        with_routes(problem, [&]<class Routes>(Routes const&) { executor = std::make_unique<CudaExecutor<Routes>>(problem); });
    } catch (std::bad_alloc const&) {
        cudaGetLastError();
        throw std::runtime_error("CUDA: the study does not fit into the device's memory");
    }
    return executor;
}

}  // namespace tailback
