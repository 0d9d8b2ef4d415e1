// Which kernels evaluate a problem on a device, in which shape and with which memory.
#include "kernels/cuda/evaluator.cuh"

#include "kernels/all_to_all/all_to_all.hpp"
#include "kernels/device_error.hpp"
#include "kernels/evaluate/load_bound.hpp"
#include "kernels/sharing/max_min.hpp"

namespace tailback::kernels {
namespace {

ScratchLayout layout_of(CudaTeamKind kind, std::uint32_t threads, std::uint32_t claims, std::uint32_t packing) {
    ScratchLayout layout;
    layout.packing = packing;
    layout.members = kind == CudaTeamKind::warp ? 32 : threads;
    layout.borrows = kind == CudaTeamKind::warp;
    layout.claims = claims;
    layout.counts = kind != CudaTeamKind::cluster;
    layout.places = kind == CudaTeamKind::warp || kind == CudaTeamKind::block;
    return layout;
}

/// `wide`: counters of 64 bits.
template <class HostWord>
ScratchPlaces places_of(Problem const& p, ScratchLayout const& layout, bool wide = false) {
    if (wide) return Scratch<std::uint64_t, std::uint32_t, HostWord>::places(p, layout);
    if (p.routes.form == RouteForm::rows16 &&
        p.routes.row_width == 2)  // what is kept where it is kept (has_hot_kernel)
        return Scratch<PackedCounters<WholeWords>, std::uint32_t, HostWord>::places(p, layout);
    return Scratch<PackedCounters<WholeWords>, std::uint64_t, HostWord>::places(p, layout);
}
template <class HostWord>
std::size_t bytes_of(Problem const& p, ScratchLayout const& layout, bool wide = false) {
    return places_of<HostWord>(p, layout, wide).bytes;
}

}  // namespace

Evaluator::Evaluator(Problem const& host, DivisionView const* division, Device const& device)
    : problem_(host), sums_(host), summed_words_(upload(sums_.words().data(), sums_.words().size())), device_(device) {
    if (host.traffic.max_kept > most_each || !members_can_count(host))
        throw DeviceError("CUDA: a mapping has too many flows; use --device cpu");
    if (division != nullptr) {
        division_.emplace(*division);
        return;
    }
    if (shares_contended(host)) arguments_.contended = ContendedSizes::of(host);
    summed_ = sums_.view(summed_words_.data());
    weighted_ = host.traffic.weights != nullptr;
    if (weighted_) {
        std::optional<NarrowWeights> const narrow = narrow_weights(host);
        wide_ = !narrow;
        load_bound_ = narrow ? narrow->bound : ~0u;
        if (narrow) narrow_weights_ = upload(narrow->weight.data(), narrow->weight.size());
        arguments_.weights = narrow_weights_.data();
        if (narrow && packing_for(load_bound_) == 0 && wants_shares_alone(host))
            flows_to_list_ = listed_flows(host, *narrow);
    } else {
        load_bound_ = load_bound(host);
    }
    packing_ = packing_for(load_bound_);
    narrow_delays_ = narrow_delays(host, load_bound_);
}

/// Warps alone read the list; it may be long.
void Evaluator::list_flows(CudaTeamKind kind) {
    listed_flows_ = {};
    arguments_.flows = nullptr;
    if (flows_to_list_.empty() || kind != CudaTeamKind::warp) return;
    listed_flows_ = upload(flows_to_list_.data(), flows_to_list_.size());
    arguments_.flows = listed_flows_.data();
}

bool Evaluator::prepare(std::optional<CudaTeamKind> wanted, ShapeWishes const& wishes) {
    if (division_) return prepare_division(wanted, wishes);
    if (shares_contended(problem_.view)) return prepare_sharing(wanted, wishes);
    sum_host_links_near(wanted, wishes);
    TeamNeeds const needs = measure();
    DeviceLimits limits = device_.limits;
    for (;; limits.largest_cluster /= 2) {  // clusters of 16 blocks are not on every device of their generation
        if (wanted && !cuda_kind_fits(*wanted, needs, limits)) return false;
        CudaShape const shape = shape_of(wanted, needs, limits, wishes);
        evaluate_ = Launch(kernel_of(shape), shape, limits);
        if (problem_.view.measures.sharing.wanted) share_ = sharing_launch(shape);
        if (evaluate_.blocks() > 0) break;
        if (shape.kind != CudaTeamKind::cluster)
            throw DeviceError("CUDA: the device cannot hold one block of the kernel");
    }
    CudaShape const& shape = evaluate_.shape();
    list_flows(shape.kind);
    std::uint32_t const claims = shape.kind == CudaTeamKind::warp ? lane_cells : shape.claims;
    ScratchLayout layout = layout_of(shape.kind, shape.threads, claims, packing_);
    layout.keeps = shape.hot;
    arguments_.problem = problem_.view;
    arguments_.layout = layout;
    arguments_.summed_words = shape.tables_in_shared ? static_cast<std::uint32_t>(sums_.words().size()) : 0;
    if (layout.places) {
        arguments_.places = places_of<std::uint16_t>(problem_.view, layout, wide_);
        arguments_.scratch_bytes = arguments_.places.bytes;
        arguments_.near_sums = shape.near_sums ? problem_.view.routes.slots : 0;
        return true;
    }
    arguments_.scratch_bytes = shape.kind == CudaTeamKind::cluster
                                   ? shape.shared_bytes
                                   : bytes_of<std::uint32_t>(problem_.view, layout, weighted_);
    arguments_.scratch_bytes += sharing_bytes(problem_.view);
    if (problem_.view.traffic.all_to_all) arguments_.scratch_bytes = AllToAllScratch{}.lay_out(problem_.view, nullptr);
    if (shape.kind == CudaTeamKind::global && !shape.loads_in_shared)
        scratch_ =
            DeviceArray<unsigned char>::zeros(arguments_.scratch_bytes * std::max(evaluate_.blocks(), share_.blocks()));
    prepare_placing();
    return true;
}

void Evaluator::start(std::uint64_t first, std::uint32_t count, MappingTally* tallies, TotalsView const& totals,
                      cudaStream_t stream) {
    KernelArguments arguments = arguments_;
    arguments.totals = totals;
    arguments.global_scratch = reinterpret_cast<std::byte*>(scratch_.data());
    if (arguments_.layout.places) {
        arguments.first = first;
        arguments.count = count;
        arguments.tallies = tallies;
        evaluate_(arguments, stream);
        return;
    }
    free_.hold(stream);
    for (std::uint32_t done = 0; done < count; done += placed_batch_) {
        arguments.first = first + done;
        arguments.count = std::min(placed_batch_, count - done);
        arguments.tallies = tallies + done;
        arguments.placed = placed_.data();
        place(arguments, stream);
        evaluate_(arguments, stream);
        if (share_.blocks() > 0) share_(arguments, stream);
    }
    free_.record(stream);
}

void Evaluator::sum_host_links_near(std::optional<CudaTeamKind> wanted, ShapeWishes const& wishes) {
    Problem& p = problem_.view;
    bool const for_sums_alone = p.routes.all_delivered && p.routes.cost == nullptr && p.placement.nodes.node == nullptr;
    if (!for_sums_alone || !p.measures.count_host_links || !p.measures.wants_link_sums || weighted_ ||
        p.traffic.all_to_all)
        return;
    MeasuresView const counting = p.measures;
    p.measures.count_host_links = false;
    p.measures.sums_host_links = true;
    TeamNeeds const needs = measure();
    bool const fits = !wanted || cuda_kind_fits(*wanted, needs, device_.limits);
    if (!fits || !shape_of(wanted, needs, device_.limits, wishes).near_sums) p.measures = counting;
}

bool Evaluator::members_can_count(Problem const& p) {
    std::uint64_t most = 0;
    for (std::uint32_t l = 0; l < p.traffic.level_count; ++l)
        most += p.traffic.levels[l].routes_to_keep / 32 + 3;  // three lists of flows, dealt out one by one
    return most <= ~0u / std::max(1u, p.routes.longest_route);
}

CudaShape Evaluator::shape_of(std::optional<CudaTeamKind> wanted, TeamNeeds const& needs, DeviceLimits const& limits,
                              ShapeWishes const& wishes) const {
    Problem const& p = problem_.view;
    if (p.traffic.all_to_all)
        return all_to_all_shape(needs, limits, AllToAllScratch{}.lay_out_histograms(p, nullptr),
                                AllToAllScratch{}.lay_out(p, nullptr));
    return wanted ? cuda_shape_of(*wanted, needs, limits, wishes) : choose_cuda_shape(needs, limits, wishes);
}

bool Evaluator::prepare_sharing(std::optional<CudaTeamKind> wanted, ShapeWishes const& wishes) {
    Problem const& p = problem_.view;
    ContendedSizes const& sizes = arguments_.contended;
    std::size_t const volumes = ContendedVolumes{}.lay_out(sizes, nullptr),
                      near = ContendedState<std::uint16_t>{}.lay_out(sizes, nullptr),
                      far = ContendedState<std::uint32_t>{}.lay_out(sizes, nullptr);
    std::optional<CudaShape> shape;
    if (wanted.value_or(CudaTeamKind::block) == CudaTeamKind::block && sizes.fit<std::uint16_t>() &&
        contended_kernel_for(p, true))
        shape = sharing_shape(true, near, sizes.flows, device_.limits, wishes);
    if (!shape && wanted.value_or(CudaTeamKind::global) == CudaTeamKind::global)
        shape = sharing_shape(false, far + volumes, sizes.flows, device_.limits, wishes);
    if (!shape) return false;
    bool const is_near = shape->kind == CudaTeamKind::block, alone = p.measures.sharing.alone;
    Launch const sharing(contended_kernel_for(p, is_near), *shape, device_.limits);
    CudaShape const evaluating = cuda_shape_of(CudaTeamKind::global, measure(), device_.limits, wishes);
    evaluate_ = alone ? sharing : Launch(kernel_of(evaluating), evaluating, device_.limits);
    if (!alone) share_ = sharing;
    if (evaluate_.blocks() == 0 || sharing.blocks() == 0)
        throw DeviceError("CUDA: the device cannot hold one block of the kernel");
    arguments_.problem = p;
    arguments_.layout = layout_of(CudaTeamKind::global, evaluating.threads, evaluating.claims, packing_);
    arguments_.scratch_bytes =
        std::max(alone ? 0 : bytes_of<std::uint32_t>(p, arguments_.layout, weighted_), volumes + (is_near ? 0 : far));
    scratch_ =
        DeviceArray<unsigned char>::zeros(arguments_.scratch_bytes * std::max(evaluate_.blocks(), sharing.blocks()));
    prepare_placing();
    return true;
}

bool Evaluator::prepare_division(std::optional<CudaTeamKind> wanted, ShapeWishes const& wishes) {
    using State = DivisionState<division_lanes>;
    DivisionView const& d = division_->view;
    std::optional<CudaShape> shape;
    if (wanted.value_or(CudaTeamKind::block) == CudaTeamKind::block)
        shape = division_shape(true, division_exchange + State::near_bytes(d), d.classes, device_.limits, wishes);
    if (!shape && wanted.value_or(CudaTeamKind::global) == CudaTeamKind::global)
        shape = division_shape(false, division_exchange, d.classes, device_.limits, wishes);
    if (!shape) return false;
    bool const in_shared = shape->kind == CudaTeamKind::block;
    arguments_.problem = problem_.view;
    arguments_.layout.places = false;  // they lie in global memory
    std::byte aside;
    arguments_.scratch_bytes =
        State{}.lay_out(problem_.view, d, shape->threads / division_lanes, 0, nullptr, in_shared ? &aside : nullptr);
    for (;; shape->blocks_wanted = evaluate_.blocks() / 2) {
        evaluate_ = Launch(division_kernel_for(d, in_shared), *shape, device_.limits);
        if (evaluate_.blocks() == 0) throw DeviceError("CUDA: the device cannot hold one block of the kernel");
        try {
            scratch_ = {};
            scratch_ = DeviceArray<unsigned char>::zeros(arguments_.scratch_bytes * evaluate_.blocks());
            break;
        } catch (DeviceMemoryFull const&) {
            if (evaluate_.blocks() == 1) throw;
        }
    }
    prepare_placing();
    return true;
}

TeamNeeds Evaluator::measure() const {
    Problem const& p = problem_.view;
    TeamNeeds needs;
    needs.work = std::max(p.traffic.max_kept, p.placement.ranks);
    needs.warp = bytes_of<std::uint16_t>(p, layout_of(CudaTeamKind::warp, 32, lane_cells, packing_), wide_);
    ScratchLayout block = layout_of(CudaTeamKind::block, 32, claim_cells(32), packing_);
    needs.block = bytes_of<std::uint16_t>(p, block, wide_) - target_words(32, block.claims) * sizeof(std::uint32_t);
    needs.besides_counters = bytes_of<std::uint32_t>(p, layout_of(CudaTeamKind::cluster, 32, 0, packing_));
    needs.besides_counters += sharing_bytes(p);
    needs.tables = (sums_.words().size() * sizeof(std::uint64_t) + 15) / 16 * 16;
    // The kind `global` alone has kernels for these.
    bool const only_global = p.measures.sharing.wanted || p.traffic.all_to_all;
    needs.cluster_exists = !only_global && knows_clusters(kernel_for(CudaTeamKind::cluster, {}, false));
    std::uint32_t const counters = p.measures.count_host_links ? p.routes.slots : p.routes.inner + 4;
    needs.counters = weighted_ && !needs.cluster_exists ? PlainCounters<std::uint64_t>::bytes(counters, 0)
                                                        : PackedCounters<WholeWords>::bytes(counters, packing_);
    if (only_global) return needs;
    needs.warp_exists = bool{kernel_for(CudaTeamKind::warp, {}, false)};
    if (!weighted_ && packing_ == 2 && kernel_for(CudaTeamKind::warp, {}, true)) {
        ScratchLayout hot = layout_of(CudaTeamKind::warp, 32, lane_cells, packing_);
        hot.keeps = true;
        needs.hot_warp = bytes_of<std::uint16_t>(p, hot);
    }
    needs.near_sums = weighted_ ? 0 : near_sums_of(p, load_bound_);
    needs.narrow_places = narrow_delays_ && std::max(p.placement.study_hosts, p.placement.ranks) <= 0x10000;
    return needs;
}

Launch Evaluator::sharing_launch(CudaShape const& shape) const {
    CudaKernel const kernel = sharing_kernel_for(problem_.view);
    if (!kernel)
        throw DeviceError("CUDA: no kernel shares the links of routes by formula; use --routes tables or --device cpu");
    CudaShape sharing = shape;
    sharing.threads = std::min(shape.threads, far_sharing_threads);
    return Launch(kernel, sharing, device_.limits);
}

std::size_t Evaluator::sharing_bytes(Problem const& p) {
    return p.measures.sharing.wanted ? SharingScratch{}.lay_out(p, nullptr) : 0;
}

std::size_t Evaluator::near_sums_of(Problem const& p, std::uint32_t most_load) {
    constexpr std::uint64_t most_mappings = 1 << 20;  // of a batch
    bool const fits = most_load * std::max<std::uint64_t>(p.traffic.level_count, 1) <= ~0u / most_mappings;
    return p.measures.wants_link_sums && fits ? (p.routes.slots * sizeof(std::uint32_t) + 15) / 16 * 16 : 0;
}

bool Evaluator::knows_clusters(CudaKernel const& kernel) {
    if (!kernel) return false;
    cudaFuncAttributes code{};
    check(cudaFuncGetAttributes(&code, kernel.function), "reading a kernel's attributes");
    return code.ptxVersion >= 90;
}

CudaKernel Evaluator::kernel_of(CudaShape const& shape) const {
    if (problem_.view.traffic.all_to_all) return all_to_all_kernel_for(problem_.view, shape.loads_in_shared);
    bool const near = shape.kind != CudaTeamKind::warp || shape.tables_in_shared;
    return kernel_for(shape.kind, near ? summed_ : SummedView{}, shape.hot);
}

CudaKernel Evaluator::kernel_for(CudaTeamKind kind, SummedView const& summed, bool hot) const {
    Problem const& p = problem_.view;
    if (kind == CudaTeamKind::global) return global_kernel_for(p, summed);
    WeightSums const sums = flows_to_list_.empty() ? WeightSums::narrow : WeightSums::listed;
    if (weighted_) return weight_kernel_for(kind, p, summed, wide_ ? WeightSums::wide : sums);
    switch (kind) {
        case CudaTeamKind::warp: return warp_kernel_for(p, summed, hot);
        case CudaTeamKind::block: return block_kernel_for(p, summed);
        default: return cluster_kernel_for(p, summed);
    }
}

void Evaluator::prepare_placing() {
    Problem const& p = problem_.view;
    bool narrow = std::max(p.placement.study_hosts, p.placement.ranks) <= 0x10000;
    CudaShape shape;
    shape.threads = std::clamp((p.placement.ranks + 31) / 32 * 32, 32u, 1024u);
    ScratchLayout layout;
    layout.members = shape.threads;
    layout.claims = claim_cells(shape.threads);
    layout.counts = false;
    placing_ = p;
    placing_.measures.wants_delay = placing_.measures.wants_histogram = placing_.measures.wants_route_links =
        false;  // no room for them
    std::size_t const near = bytes_of<std::uint16_t>(placing_, layout);
    narrow = narrow && blocks_side_by_side(near, device_.limits) > 0;
    shape.shared_bytes = narrow ? near : target_words(shape.threads, layout.claims) * sizeof(std::uint32_t);
    std::size_t const but_claims = shape.shared_bytes - layout.claims * sizeof(std::uint32_t);
    std::uint32_t const side_by_side = std::clamp(blocks_side_by_side(shape.shared_bytes, device_.limits), 1u, 2u);
    layout.claims = claims_that_fit(but_claims, shape.threads, side_by_side, device_.limits);
    shape.shared_bytes = but_claims + layout.claims * sizeof(std::uint32_t);
    shape.blocks_wanted = 2 * device_.limits.multiprocessors;
    place_layout_ = layout;
    place_bytes_ = narrow ? shape.shared_bytes : bytes_of<std::uint32_t>(placing_, layout);
    place_ = Launch(place_kernel_for(narrow), shape, device_.limits);
    if (place_.blocks() == 0) throw DeviceError("CUDA: the device cannot hold one block of the kernel");
    if (!narrow) place_scratch_.make_room(place_bytes_ * place_.blocks());
    placed_batch_ = mappings_placed_at_once(place_.blocks(), evaluate_.teams(), placed_words(p) * sizeof(std::uint32_t),
                                            device_.limits);
    placed_.make_room(std::size_t{placed_batch_} * placed_words(p));
}

void Evaluator::place(KernelArguments const& batch, cudaStream_t stream) {
    KernelArguments arguments = batch;
    arguments.problem = placing_;
    arguments.layout = place_layout_;
    arguments.scratch_bytes = place_bytes_;
    arguments.global_scratch = reinterpret_cast<std::byte*>(place_scratch_.data());
    place_(arguments, stream);
}

}  // namespace tailback::kernels
