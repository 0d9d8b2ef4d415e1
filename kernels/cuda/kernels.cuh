// The kernels that evaluate mappings, one template a kind of team, and how they are found for a problem's routes. All
// kernels take the same arguments and their routes, so that one place starts them (executor.cu).
#pragma once

#include "kernels/cuda/team.cuh"
#include "kernels/evaluate/dispatch.hpp"
#include "kernels/evaluate/evaluate.hpp"
#include "kernels/evaluate/summed_rows.hpp"
#include "kernels/shape.hpp"
#include "kernels/sharing/contended_state.hpp"

#include <cuda_runtime.h>

#include <functional>
#include <type_traits>

namespace tailback::kernels {

struct KernelArguments {
    Problem problem;
    std::uint32_t summed_words = 0;  ///< of rows as sums, to copy to shared memory first
    std::uint32_t near_sums = 0;     ///< links that a block sums up in shared memory, behind its scratch; 0: none
    std::uint64_t first = 0;         ///< number of the first mapping
    std::uint32_t count = 0;
    MappingTally* tallies = nullptr;
    TotalsView totals;
    ScratchLayout layout;
    ScratchPlaces places;           ///< of the kinds that keep their scratch in shared memory
    ContendedSizes contended;       ///< of kernels that share links by these
    std::size_t scratch_bytes = 0;  ///< a team
    std::byte* global_scratch = nullptr;
    std::uint32_t const* weights = nullptr;  ///< of flows, for kinds that count them in narrow counters
    ListedFlow const* flows = nullptr;       ///< with their weights, for ListedFlowCounters
    std::uint32_t* placed = nullptr;         ///< [mapping][placed_words(problem)], of kinds that do not draw
};
static_assert(sizeof(KernelArguments) <= 2800);  // with routes, a kernel's arguments take 4 KB at most

/// A kernel, and how it is started with its routes. These are an argument of their own, because arrays in it that are
/// indexed at run time then stay in constant memory, while a copy that a kernel made for itself would lie in local
/// memory.
struct CudaKernel {
    void const* function = nullptr;
    std::function<cudaError_t(cudaLaunchConfig_t const&, KernelArguments const&)> start;
    explicit operator bool() const { return function != nullptr; }
};

/// Words a mapping: seats of ranks, and the patterns' permutations.
TAILBACK_HD std::size_t placed_words(Problem const& p) {
    return std::size_t{p.placement.ranks} + p.traffic.drawn_ranks[0] + p.traffic.drawn_ranks[1];
}

/// None where there is none for the problem, whose pointers are the device's. `summed`: null pointers, or its rows as
/// sums.
/// @param hot for studies of shares alone with counters of 8 bits, where routes are kept; needs that they are so narrow
CudaKernel warp_kernel_for(Problem const& p, SummedView const& summed, bool hot);
CudaKernel block_kernel_for(Problem const& p, SummedView const& summed);
CudaKernel cluster_kernel_for(Problem const& p, SummedView const& summed);
/// Shares and congestions, and nothing else that has to be found flow by flow.
inline bool wants_shares_alone(Problem const& p) {
    return is_plain(p) && !p.measures.wants_histogram && !p.measures.wants_route_links && !passes_delays(p) &&
           !p.measures.wants_link_sums;
}
/// How weights of flows are summed up: in 32 bits or fewer; in 32 with KernelArguments::flows at hand; in 64.
enum class WeightSums : std::uint8_t { narrow, listed, wide };
/// The same for flows with weights. None for `global`.
CudaKernel weight_kernel_for(CudaTeamKind kind, Problem const& p, SummedView const& summed, WeightSums sums);
CudaKernel global_kernel_for(Problem const& p, SummedView const& summed);
/// Shares the links of mappings that kernels of that kind have evaluated, for studies that want max-min rates. None for
/// routes by formula.
CudaKernel sharing_kernel_for(Problem const& p);
/// The same by contended links, where shares_contended(p); mappings of which nothing else is wanted need no other
/// kernel.
CudaKernel contended_kernel_for(Problem const& p, bool in_shared);
/// For an all-to-all whose flows are not listed, in place of the kernel of that kind. `in_shared`: with its loads.
CudaKernel all_to_all_kernel_for(Problem const& p, bool in_shared);
/// Draws places for kinds that do not, 16 bits wide in shared memory, or in global memory.
CudaKernel place_kernel_for(bool in_shared);

namespace kernel {

template <class Scratch>
__device__ __forceinline__ void find_places(Problem const& p, Scratch& scratch, std::uint32_t* placed,
                                            std::uint32_t m) {
    scratch.host_index_of_rank = placed + m * placed_words(p);
    scratch.drawn[0] = scratch.host_index_of_rank + p.placement.ranks;
    scratch.drawn[1] = scratch.drawn[0] + p.traffic.drawn_ranks[0];
}

/// A team's scratch in shared memory. Its subset has been filled.
template <class Counters, class Kept, class HostWord = std::uint16_t>
__device__ __forceinline__ Scratch<Counters, Kept, HostWord> scratch_at(KernelArguments const& a, std::byte* base) {
    Scratch<Counters, Kept, HostWord> scratch;
    scratch.lie_at(base + unknown(0u), a.places, a.layout);
    if constexpr (requires { scratch.counters.weight; }) scratch.counters.weight = a.weights;
    if constexpr (requires { scratch.counters.flow; }) scratch.counters.flow = a.flows;
    scratch.subset_is_whole = true;
    return scratch;
}

/// A block's own sums of links, for as long as it lives: a mapping has a thousand links with flows, and an atomic in
/// shared memory costs a fraction of one of 64 bits in L2.
struct NearLinkSums {
    TotalsView totals;
    std::uint32_t count;

    /// By all threads; a barrier has to follow.
    __device__ NearLinkSums(KernelArguments const& a, std::byte* memory) : totals(a.totals), count(a.near_sums) {
        // Null or known to be shared: not what the arguments have, which would be asked at each atomic.
        totals.near_link_sums = count == 0 ? nullptr : reinterpret_cast<std::uint32_t*>(memory);
        for (std::uint32_t k = threadIdx.x; k < count; k += blockDim.x) totals.near_link_sums[k] = 0;
    }
    /// By all threads, when all mappings of the block are done.
    __device__ void hand_over() const {
        if (count == 0) return;
        __syncthreads();
        for (std::uint32_t k = threadIdx.x; k < count; k += blockDim.x)
            if (std::uint32_t const sum = totals.near_link_sums[k]; sum != 0)
                atomicAdd(reinterpret_cast<unsigned long long*>(&totals.link_sums[k]),
                          static_cast<unsigned long long>(sum));
    }
};

/// True for routes whose kernels of the smaller kinds are worth their room in the program.
template <class Routes>
inline constexpr bool has_warp_kernel =
    Routes::pads && !std::is_same_v<Routes, RememberedRoutes<DragonflyByMiddle, 6>> &&
    sizeof(typename Routes::Kept) <= 24;
template <>
inline constexpr bool has_warp_kernel<ComputedRoutes<TorusFormula>> = true;
template <>
inline constexpr bool has_warp_kernel<ComputedRoutes<TreeFormula>> = true;

/// Rows short enough to be kept.
template <class Routes>
inline constexpr bool has_hot_kernel = false;
template <class LinkWord, std::uint32_t width>
inline constexpr bool has_hot_kernel<RouteRows<LinkWord, width>> = sizeof(LinkWord) * width <= 8;

/// Of studies too large for a block: slots need 32 bits, or there is no table.
template <class Routes>
inline constexpr bool has_cluster_kernel = std::is_same_v<Routes, RouteRows<std::uint32_t, 4>> ||
                                           std::is_same_v<Routes, RouteRows<std::uint16_t, 4>> ||
                                           std::is_same_v<Routes, RouteRows<std::uint16_t, 2>> ||
                                           (!Routes::stored && has_warp_kernel<Routes>);

/// Rows too long for registers: read word by word where they are, each time.
template <class LinkWord, std::uint32_t width>
struct LongRows {
    using Rows = RouteRows<LinkWord, width>;
    using Kept = typename Rows::Row const*;
    Rows rows;
    TAILBACK_HD explicit LongRows(Rows const& all) : rows(all) {}

    TAILBACK_KERNEL Kept find(std::uint32_t group, std::uint32_t destination) const {
        return rows.place(group, destination);
    }
    TAILBACK_KERNEL std::uint32_t fate(Kept row) const {
        auto const first = static_cast<LinkWord>(row->word[0]);
        return first > rows.inner ? first - rows.inner : 0;
    }
    template <class Visit>
    TAILBACK_KERNEL void each(Kept row, Visit&& visit) const {
#pragma unroll 1
        for (std::uint32_t w = 0; w < Rows::words; ++w) {
            typename Rows::Word const word = row->word[w];
            for (std::uint32_t k = 0; k < Rows::links_a_word; ++k)
                visit(std::uint32_t{static_cast<LinkWord>(word >> (k * 8 * sizeof(LinkWord)))});
        }
    }
    static constexpr bool pads = true;
    static constexpr bool stored = true;
};

/// The type that kernels look routes up by, where they are no sums.
template <class Routes>
struct LookedUp {
    using Type = Routes;
};
template <class LinkWord, std::uint32_t width>
requires(sizeof(LinkWord) * width > 16) struct LookedUp<RouteRows<LinkWord, width>> {
    using Type = LongRows<LinkWord, width>;
};

/// The type of the rows as sums, or of the routes themselves.
template <class Routes>
struct Summed {
    using Type = Routes;
};
template <class LinkWord, std::uint32_t width>
requires(sizeof(LinkWord) * width <= 16) struct Summed<RouteRows<LinkWord, width>> {
    using Type = SummedRows<LinkWord, width>;
};

/// With `routes`, that is the further arguments, fixed. Null gives none.
template <class... Routes>
CudaKernel ready(void (*function)(KernelArguments, Routes...), Routes const&... routes) {
    if (function == nullptr) return {};
    return {reinterpret_cast<void const*>(function),
            [=](cudaLaunchConfig_t const& config, KernelArguments const& arguments) {
                return cudaLaunchKernelEx(&config, function, arguments, routes...);
            }};
}

/// Rows as sums are looked up by seats.
template <class Routes>
inline constexpr bool is_summed = requires {
    Routes::by_seat;
};

/// A kernel whose routes are `Routes`.
template <class Routes>
using KernelOf = void (*)(KernelArguments, Routes);

/// pick.operator()<routes as the problem has them, as they are looked up>() tells the kernel, or null.
template <class Pick>
CudaKernel kernel_for(Problem const& p, SummedView const& summed, Pick&& pick) {
    CudaKernel found;
    with_routes(p, [&]<class Routes>(Routes const& routes) {
        using Sums = typename Summed<Routes>::Type;
        if constexpr (!std::is_same_v<Sums, Routes>)
            if (summed.from != nullptr) {
                found = ready(pick.template operator()<Routes, Sums>(), Sums(p, summed));
                return;
            }
        using Single = typename LookedUp<Routes>::Type;
        found = ready(pick.template operator()<Routes, Single>(), Single(routes));
    });
    return found;
}

}  // namespace kernel
}  // namespace tailback::kernels
