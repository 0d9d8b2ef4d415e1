// Kernels that bring a problem's mappings from number to tally.
#pragma once

#include "kernels/cuda/device_problem.cuh"
#include "kernels/cuda/division.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/memory.cuh"
#include "kernels/evaluate/summed_rows.hpp"

#include <algorithm>
#include <optional>

namespace tailback::kernels {

/// One kernel where teams draw their places, else two: one that draws, and one that evaluates.
class Evaluator {
public:
    /// @param division of problems whose flows are divided equally, else null
    Evaluator(Problem const& host, DivisionView const* division, Device const& device);

    /// Makes ready for teams of that kind, or the best. @return false when they do not fit.
    bool prepare(std::optional<CudaTeamKind> wanted, ShapeWishes const& wishes);

    /// How many mappings a batch should have.
    std::uint32_t batch() const {
        std::uint32_t const a_team = division_ ? 2 : evaluate_.shape().kind == CudaTeamKind::warp ? 256 : 32;
        return std::clamp(evaluate_.teams() * a_team, 1u << 10, 1u << 20);
    }
    Launch const& launch() const { return evaluate_; }

    /// Starts all kernels for a batch.
    void start(std::uint64_t first, std::uint32_t count, MappingTally* tallies, TotalsView const& totals,
               cudaStream_t stream);

private:
    /// Whether 32 bits hold what one of 32 members or more counts: its flows, and the links of their routes.
    static bool members_can_count(Problem const& p);
    /// Where blocks have sums of links of their own, the links of hosts need no counters: minimum congestions stand for
    /// them, as where no sums are wanted.
    void sum_host_links_near(std::optional<CudaTeamKind> wanted, ShapeWishes const& wishes);
    void list_flows(CudaTeamKind kind);
    CudaShape shape_of(std::optional<CudaTeamKind> wanted, TeamNeeds const& needs, DeviceLimits const& limits,
                       ShapeWishes const& wishes) const;
    /// For studies that share contended links: kind `block` in shared memory, `global` beyond. A kernel evaluates the
    /// mappings first where they are asked for other things, too.
    bool prepare_sharing(std::optional<CudaTeamKind> wanted, ShapeWishes const& wishes);
    /// For flows that are divided equally: kind `block` with what is passed on in shared memory, `global` beyond. With
    /// as many blocks as memory has room for.
    bool prepare_division(std::optional<CudaTeamKind> wanted, ShapeWishes const& wishes);
    TeamNeeds measure() const;
    Launch sharing_launch(CudaShape const& shape) const;
    static std::size_t sharing_bytes(Problem const& p);
    /// Bytes of a block's own sums of links, in 32 bits, where no batch passes these.
    static std::size_t near_sums_of(Problem const& p, std::uint32_t most_load);
    /// The driver may have made the kernel from code for sm_80, where its body is empty, on a device that has clusters.
    static bool knows_clusters(CudaKernel const& kernel);
    CudaKernel kernel_of(CudaShape const& shape) const;
    CudaKernel kernel_for(CudaTeamKind kind, SummedView const& summed, bool hot) const;
    void prepare_placing();
    void place(KernelArguments const& batch, cudaStream_t stream);

    DeviceProblem problem_;
    std::optional<DeviceDivision> division_;
    SummedTables sums_;
    DeviceArray<std::uint64_t> summed_words_;
    SummedView summed_;
    Device const& device_;
    bool weighted_ = false;
    bool wide_ = false;  ///< with weights whose sums may pass 32 bits
    bool narrow_delays_ = true;
    std::uint32_t packing_ = 0, load_bound_ = 0;
    DeviceArray<std::uint32_t> narrow_weights_;
    std::vector<ListedFlow> flows_to_list_;  ///< of studies that have them; warps alone read them, on the device
    DeviceArray<ListedFlow> listed_flows_;
    KernelArguments arguments_;
    Launch evaluate_, share_, place_;
    Problem placing_;
    ScratchLayout place_layout_;
    std::size_t place_bytes_ = 0;
    std::uint32_t placed_batch_ = 0;
    // In global memory, of one batch at a time: `free_` is when the last batch is done with them.
    DeviceArray<unsigned char> scratch_, place_scratch_;
    DeviceArray<std::uint32_t> placed_;
    CudaEvent free_;
};

}  // namespace tailback::kernels
