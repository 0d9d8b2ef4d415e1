// The CUDA executor: a problem in device memory, the shape that suits it, batches on two streams.
//
// What:  batches go to three sides by turns. A side has a stream for its kernels, another, more urgent one for what
//        becomes of their tallies, and where these are reduced or copied to. While one side's kernels run, the next
//        side's wait in line, and the results of the one before are sorted, copied and taken up by the host.
// Why three: a kernel's blocks fill the device, and a reduction of ten small kernels gets in between only where blocks
//        end. So blocks have a part of the batch each, several after the other on a multiprocessor, and what ends
//        makes room for the urgent ones first. With two sides nothing would be in line when a side is waited for.
// Why so: a batch keeps the chip busy for milliseconds and is 2 to 14 launches of microseconds. A CUDA graph would save
// what
//        does not show.
#include "kernels/all_to_all/all_to_all.hpp"
#include "kernels/cuda/division.cuh"
#include "kernels/cuda/kernels.cuh"
#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/reduction.cuh"
#include "kernels/evaluate/load_bound.hpp"
#include "kernels/executor.hpp"
#include "kernels/route_packer.hpp"
#include "kernels/sharing/max_min.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

namespace tailback::kernels {
namespace {

static_assert(sizeof(MappingTally) == 144);

/// The problem's arrays in device memory, and a Problem that points to them.
class DeviceProblem {
public:
    explicit DeviceProblem(Problem const& p)
        : view(p),
          listed_(upload(p.placement.listed, p.placement.listed_mappings * p.placement.ranks)),
          node_(upload(p.placement.nodes.node, p.placement.nodes.node != nullptr ? p.placement.study_hosts : 0)),
          rail_(upload(p.placement.nodes.rail, p.placement.nodes.aligned != nullptr ? p.placement.study_hosts : 0)),
          aligned_(upload(p.placement.nodes.aligned, p.placement.nodes.aligned != nullptr ? aligned_entries(p) : 0)),
          flows_(upload(p.traffic.flows, p.traffic.flow_count)),
          floors_(upload(p.traffic.min_congestions, p.traffic.flow_count)),
          weights_(upload(p.traffic.weights, p.traffic.flow_count)),
          min_loads_(upload(p.traffic.min_loads, p.traffic.flow_count)),
          levels_(upload(p.traffic.levels, p.traffic.level_count)),
          group_(upload(p.routes.group, p.placement.study_hosts)),
          head_(upload(p.routes.head, p.routes.form == RouteForm::steps ? p.routes.inner : 0)),
          steps_(upload(p.routes.steps, std::size_t(p.routes.node_rows) * p.placement.study_hosts)),
          cost_(upload(p.routes.cost, p.routes.slots)),
          capacity_(upload(p.measures.sharing.capacity, p.measures.sharing.capacity != nullptr ? p.routes.slots : 0)),
          share_(
              upload(p.measures.share, p.measures.share != nullptr ? std::size_t(p.measures.max_congestion) + 1 : 0)),
          class_of_host_(
              upload(p.traffic.all_to_all.class_of_host, p.traffic.all_to_all ? p.placement.study_hosts : 0)),
          first_of_class_(
              upload(p.traffic.all_to_all.first, p.traffic.all_to_all ? p.traffic.all_to_all.classes + 1 : 0)),
          hosts_by_class_(upload(p.traffic.all_to_all.hosts, p.traffic.all_to_all ? p.placement.study_hosts : 0)),
          global_links_(has_global_links(p)
                            ? upload(p.routes.formula.dragonfly.links, std::size_t(p.routes.formula.dragonfly.groups) *
                                                                           p.routes.formula.dragonfly.groups *
                                                                           p.routes.formula.dragonfly.rounds)
                            : DeviceArray<GlobalLink>()),
          rows_(is_here(p.routes.rows_on_device)
                    ? DeviceArray<unsigned char>()
                    : upload(static_cast<unsigned char const*>(p.routes.rows), row_bytes(p))) {
        view.placement.listed = listed_.data();
        if (p.placement.nodes.node != nullptr) view.placement.nodes.node = node_.data();
        if (p.placement.nodes.aligned != nullptr)
            view.placement.nodes.rail = rail_.data(), view.placement.nodes.aligned = aligned_.data();
        view.traffic.flows = flows_.data();
        view.traffic.min_congestions = floors_.data();
        view.traffic.weights = weights_.data();
        view.traffic.min_loads = min_loads_.data();
        view.traffic.levels = levels_.data();
        view.routes.group = group_.data();
        view.routes.head = head_.data();
        view.routes.steps = steps_.data();
        view.routes.cost = p.routes.cost ? cost_.data() : nullptr;
        if (p.measures.sharing.capacity != nullptr) view.measures.sharing.capacity = capacity_.data();
        view.measures.share = share_.data();
        view.traffic.all_to_all.class_of_host = class_of_host_.data();
        view.traffic.all_to_all.first = first_of_class_.data();
        view.traffic.all_to_all.hosts = hosts_by_class_.data();
        if (has_global_links(p)) view.routes.formula.dragonfly.links = global_links_.data();
        view.routes.rows = is_here(p.routes.rows_on_device) ? p.routes.rows_on_device->rows() : rows_.data();
        view.routes.rows_on_device = nullptr;  // the host's way to them
        view.routes.sums = {};                 // they come as SummedView
    }
    Problem view;

private:
    static bool has_global_links(Problem const& p) {
        return p.routes.form == RouteForm::dragonfly || p.routes.form == RouteForm::dragonfly_by_middle;
    }
    /// Whether rows lie in the current device's memory.
    static bool is_here(DeviceRows const* rows) {
        int current = 0;
        check(cudaGetDevice(&current), "finding the current device");
        return rows != nullptr && rows->device() == current;
    }
    static std::size_t aligned_entries(Problem const& p) {
        return (std::size_t{
                    *std::max_element(p.placement.nodes.node, p.placement.nodes.node + p.placement.study_hosts)} +
                1) *
               p.placement.nodes.rails;
    }
    static std::size_t row_bytes(Problem const& p) {
        if (p.routes.rows == nullptr) return 0;
        return std::size_t(p.routes.groups) * p.placement.study_hosts * p.routes.row_width *
               (p.routes.form == RouteForm::rows16 ? 2 : 4);
    }
    DeviceArray<std::uint32_t> listed_, node_, rail_, aligned_;
    DeviceArray<RankPair> flows_;
    DeviceArray<std::uint32_t> floors_;
    DeviceArray<std::uint64_t> weights_, min_loads_;
    DeviceArray<LevelView> levels_;
    DeviceArray<std::uint32_t> group_, head_, steps_, cost_;
    DeviceArray<std::uint64_t> capacity_, share_;
    DeviceArray<std::uint32_t> class_of_host_, first_of_class_, hosts_by_class_;
    DeviceArray<GlobalLink> global_links_;
    DeviceArray<unsigned char> rows_;
};

/// The current device's.
struct Device {
    Device() {
        int ordinal = 0;
        check(cudaGetDevice(&ordinal), "finding the current device");
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, ordinal), "reading the device's properties");
        name = properties.name;
        limits.multiprocessors = static_cast<std::uint32_t>(properties.multiProcessorCount);
        limits.shared_a_block = properties.sharedMemPerBlockOptin;
        limits.shared_a_multiprocessor = properties.sharedMemPerMultiprocessor;
        limits.shared_kept_back = properties.reservedSharedMemPerBlock;
        limits.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
        limits.largest_cluster = properties.major >= 9 ? 16 : 1;
    }
    DeviceLimits limits;
    std::string name;
};

ScratchLayout layout_of(CudaTeamKind kind, std::uint32_t threads, std::uint32_t claims, std::uint32_t packing) {
    ScratchLayout layout;
    layout.packing = packing;
    layout.members = kind == CudaTeamKind::warp ? 32 : threads;
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

/// A kernel, ready to be started in a shape.
class Launch {
public:
    Launch() = default;
    /// No blocks where the device cannot hold even one team.
    Launch(CudaKernel kernel, CudaShape const& shape, DeviceLimits const& limits)
        : kernel_(std::move(kernel)), shape_(shape) {
        allow_shared(kernel_.function, shape.shared_bytes);
        std::uint32_t const side_by_side = std::max(1u, shape.blocks_wanted / limits.multiprocessors);
        prefer_shared(kernel_.function, side_by_side * shared_of_block(shape.shared_bytes, limits),
                      limits.shared_a_multiprocessor);
        int at_once = 0;
        if (shape.blocks_a_team > 1) {
            if (shape.blocks_a_team > 8)
                check(cudaFuncSetAttribute(kernel_.function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
                      "asking for large clusters");
            cudaLaunchAttribute cluster;
            cudaLaunchConfig_t const config = configuration(shape.blocks_wanted, nullptr, cluster);
            if (cudaOccupancyMaxActiveClusters(&at_once, kernel_.function, &config) != cudaSuccess) {
                cudaGetLastError();  // the device does not make clusters of that size
                check(cudaDeviceSynchronize(), "asking for clusters");  // or it is broken
                at_once = 0;
            }
        } else {
            check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, kernel_.function,
                                                                static_cast<int>(shape.threads), shape.shared_bytes),
                  "asking for the occupancy");
            at_once *= static_cast<int>(limits.multiprocessors);
        }
        blocks_ = std::min(shape.blocks_wanted, static_cast<std::uint32_t>(at_once) * shape.blocks_a_team);
    }

    void operator()(KernelArguments const& arguments, cudaStream_t stream) const {
        std::uint32_t const teams_a_block = shape_.teams_a_block;
        std::uint32_t const useful = (arguments.count + teams_a_block - 1) / teams_a_block * shape_.blocks_a_team;
        cudaLaunchAttribute cluster;
        std::uint32_t const in_turns =
            shape_.kind == CudaTeamKind::global ? 1 : shape_.turns;  // scratch is a block's there
        cudaLaunchConfig_t const config = configuration(std::min(blocks_ * in_turns, useful), stream, cluster);
        check(kernel_.start(config, arguments), "starting the kernel");
    }
    std::uint32_t blocks() const { return blocks_; }
    std::uint32_t teams() const { return blocks_ * shape_.teams_a_block / shape_.blocks_a_team; }
    CudaShape const& shape() const { return shape_; }
    LaunchFacts facts() const {
        cudaFuncAttributes code{};
        check(cudaFuncGetAttributes(&code, kernel_.function), "reading a kernel's attributes");
        return {shape_.kind,         blocks_,
                shape_.threads,      teams(),
                shape_.shared_bytes, static_cast<std::uint32_t>(code.numRegs),
                code.localSizeBytes};
    }

private:
    cudaLaunchConfig_t configuration(std::uint32_t blocks, cudaStream_t stream, cudaLaunchAttribute& cluster) const {
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(shape_.threads);
        config.dynamicSmemBytes = shape_.shared_bytes;
        config.stream = stream;
        if (shape_.blocks_a_team > 1) {
            cluster = {};
            cluster.id = cudaLaunchAttributeClusterDimension;
            cluster.val.clusterDim.x = shape_.blocks_a_team;
            cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
            config.attrs = &cluster;
            config.numAttrs = 1;
        }
        return config;
    }
    CudaKernel kernel_;
    CudaShape shape_;
    std::uint32_t blocks_ = 0;
};

/// Kernels that bring a problem's mappings from number to tally: one where teams draw their places, else two.
class Evaluator {
public:
    /// @param division of problems whose flows are divided equally, else null
    Evaluator(Problem const& host, DivisionView const* division, Device const& device)
        : problem_(host),
          sums_(host),
          summed_words_(upload(sums_.words().data(), sums_.words().size())),
          device_(device) {
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
        } else {
            load_bound_ = load_bound(host);
        }
        packing_ = packing_for(load_bound_);
    }

    /// Makes ready for teams of that kind, or the best. @return false when they do not fit.
    bool prepare(std::optional<CudaTeamKind> wanted, ShapeWishes const& wishes) {
        if (division_) return prepare_division(wanted, wishes);
        if (shares_contended(problem_.view)) return prepare_sharing(wanted, wishes);
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
        if (problem_.view.traffic.all_to_all)
            arguments_.scratch_bytes = AllToAllScratch{}.lay_out(problem_.view, nullptr);
        if (shape.kind == CudaTeamKind::global && !shape.loads_in_shared)
            scratch_ = DeviceArray<unsigned char>::zeros(arguments_.scratch_bytes *
                                                         std::max(evaluate_.blocks(), share_.blocks()));
        prepare_placing();
        return true;
    }

    /// How many mappings a batch should have.
    std::uint32_t batch() const {
        std::uint32_t const a_team = division_ ? 2 : evaluate_.shape().kind == CudaTeamKind::warp ? 256 : 32;
        return std::clamp(evaluate_.teams() * a_team, 1u << 10, 1u << 20);
    }
    Launch const& launch() const { return evaluate_; }

    /// Starts all kernels for a batch.
    void start(std::uint64_t first, std::uint32_t count, MappingTally* tallies, TotalsView const& totals,
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

private:
    /// Whether 32 bits hold what one of 32 members or more counts: its flows, and the links of their routes.
    static bool members_can_count(Problem const& p) {
        std::uint64_t most = 0;
        for (std::uint32_t l = 0; l < p.traffic.level_count; ++l)
            most += p.traffic.levels[l].routes_to_keep / 32 + 3;  // three lists of flows, dealt out one by one
        return most <= ~0u / std::max(1u, p.routes.longest_route);
    }
    CudaShape shape_of(std::optional<CudaTeamKind> wanted, TeamNeeds const& needs, DeviceLimits const& limits,
                       ShapeWishes const& wishes) const {
        Problem const& p = problem_.view;
        if (p.traffic.all_to_all)
            return all_to_all_shape(needs, limits, AllToAllScratch{}.lay_out_histograms(p, nullptr),
                                    AllToAllScratch{}.lay_out(p, nullptr));
        return wanted ? cuda_shape_of(*wanted, needs, limits, wishes) : choose_cuda_shape(needs, limits, wishes);
    }
    /// For studies that share contended links: kind `block` in shared memory, `global` beyond. A kernel evaluates the
    /// mappings first where they are asked for other things, too.
    bool prepare_sharing(std::optional<CudaTeamKind> wanted, ShapeWishes const& wishes) {
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
        arguments_.scratch_bytes = std::max(alone ? 0 : bytes_of<std::uint32_t>(p, arguments_.layout, weighted_),
                                            volumes + (is_near ? 0 : far));
        scratch_ = DeviceArray<unsigned char>::zeros(arguments_.scratch_bytes *
                                                     std::max(evaluate_.blocks(), sharing.blocks()));
        prepare_placing();
        return true;
    }
    /// For flows that are divided equally: kind `block` with what is passed on in shared memory, `global` beyond. With
    /// as many blocks as memory has room for.
    bool prepare_division(std::optional<CudaTeamKind> wanted, ShapeWishes const& wishes) {
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
        arguments_.scratch_bytes = State{}.lay_out(problem_.view, d, shape->threads / division_lanes, 0, nullptr,
                                                   in_shared ? &aside : nullptr);
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
    TeamNeeds measure() const {
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
        needs.narrow_places = std::max(p.placement.study_hosts, p.placement.ranks) <= 0x10000;
        return needs;
    }
    Launch sharing_launch(CudaShape const& shape) const {
        CudaKernel const kernel = sharing_kernel_for(problem_.view);
        if (!kernel)
            throw DeviceError(
                "CUDA: no kernel shares the links of routes by formula; use --routes tables or --device cpu");
        return Launch(kernel, shape, device_.limits);
    }
    static std::size_t sharing_bytes(Problem const& p) {
        return p.measures.sharing.wanted ? SharingScratch{}.lay_out(p, nullptr) : 0;
    }
    /// Bytes of a block's own sums of links, in 32 bits, where no batch passes these.
    static std::size_t near_sums_of(Problem const& p, std::uint32_t most_load) {
        constexpr std::uint64_t most_mappings = 1 << 20;  // of a batch
        bool const fits = most_load * std::max<std::uint64_t>(p.traffic.level_count, 1) <= ~0u / most_mappings;
        return p.measures.wants_link_sums && fits ? (p.routes.slots * sizeof(std::uint32_t) + 15) / 16 * 16 : 0;
    }
    /// The driver may have made the kernel from code for sm_80, where its body is empty, on a device that has clusters.
    static bool knows_clusters(CudaKernel const& kernel) {
        if (!kernel) return false;
        cudaFuncAttributes code{};
        check(cudaFuncGetAttributes(&code, kernel.function), "reading a kernel's attributes");
        return code.ptxVersion >= 90;
    }
    CudaKernel kernel_of(CudaShape const& shape) const {
        if (problem_.view.traffic.all_to_all) return all_to_all_kernel_for(problem_.view, shape.loads_in_shared);
        bool const near = shape.kind != CudaTeamKind::warp || shape.tables_in_shared;
        return kernel_for(shape.kind, near ? summed_ : SummedView{}, shape.hot);
    }
    CudaKernel kernel_for(CudaTeamKind kind, SummedView const& summed, bool hot) const {
        Problem const& p = problem_.view;
        if (kind == CudaTeamKind::global) return global_kernel_for(p, summed);
        if (weighted_) return weight_kernel_for(kind, p, summed, wide_);
        switch (kind) {
            case CudaTeamKind::warp: return warp_kernel_for(p, summed, hot);
            case CudaTeamKind::block: return block_kernel_for(p, summed);
            default: return cluster_kernel_for(p, summed);
        }
    }

    void prepare_placing() {
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
        placed_batch_ = mappings_placed_at_once(place_.blocks(), evaluate_.teams(),
                                                placed_words(p) * sizeof(std::uint32_t), device_.limits);
        placed_.make_room(std::size_t{placed_batch_} * placed_words(p));
    }
    void place(KernelArguments const& batch, cudaStream_t stream) {
        KernelArguments arguments = batch;
        arguments.problem = placing_;
        arguments.layout = place_layout_;
        arguments.scratch_bytes = place_bytes_;
        arguments.global_scratch = reinterpret_cast<std::byte*>(place_scratch_.data());
        place_(arguments, stream);
    }

    DeviceProblem problem_;
    std::optional<DeviceDivision> division_;
    SummedTables sums_;
    DeviceArray<std::uint64_t> summed_words_;
    SummedView summed_;
    Device const& device_;
    bool weighted_ = false;
    bool wide_ = false;  ///< with weights whose sums may pass 32 bits
    std::uint32_t packing_ = 0, load_bound_ = 0;
    DeviceArray<std::uint32_t> narrow_weights_;
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

class CudaExecutor final : public Executor {
public:
    CudaExecutor(Problem const& p, DivisionView const* division) : evaluator_(p, division, device_) {
        Totals const none(p);
        for (std::size_t k = 0; k < none.parts().size(); ++k)
            sums_[k] = DeviceArray<std::uint64_t>::zeros(none.parts()[k]->size());
    }
    bool prepare(std::optional<CudaTeamKind> kind, ShapeWishes const& wishes) {
        if (!evaluator_.prepare(kind, wishes)) return false;
        check(cudaDeviceSynchronize(), "uploading the problem");
        return true;
    }

    void evaluate(std::uint64_t first, std::span<MappingTally> tallies) override {
        finish_reductions();
        auto const finish = [&](Side& side) {
            if (side.count == 0) return;
            side.results.wait();
            std::memcpy(tallies.data() + (side.first - first), side.host.data(), side.count * sizeof(MappingTally));
            side.count = 0;
        };
        in_batches(first, tallies.size(), finish, [](Side& side) {
            side.host.make_room(side.count);
            copy_to_host(side.host.data(), side.tallies.data(), side.count, side.results.get());
        });
        for (Side& side : sides_) finish(side);
    }
    /// Returns while the last three batches are under way: what the caller does meanwhile costs no time.
    void evaluate_and_reduce(std::uint64_t first, std::uint64_t count, WantedNumbers const& wanted) override {
        in_batches(
            first, count, [&](Side& side) { finish_reduction(side); },
            [&](Side& side) { side.reduction.start(side.tallies.data(), side.count, wanted, side.results.get()); });
    }
    Reduction take_reduction() override {
        finish_reductions();
        return std::exchange(reduced_, {});
    }
    Totals totals() override {
        finish_reductions();
        Totals sums;
        for (std::size_t k = 0; k < sums.parts().size(); ++k) {
            sums.parts()[k]->resize(sums_[k].size());
            sums_[k].fetch(sums.parts()[k]->data());
        }
        return sums;
    }
    std::string device() const override { return device_.name; }
    unsigned threads() const override { return evaluator_.launch().blocks() * evaluator_.launch().shape().threads; }
    std::uint64_t good_batch() const override { return std::uint64_t{evaluator_.batch()} * 8; }
    std::optional<LaunchFacts> launch_facts() const override { return evaluator_.launch().facts(); }

private:
    struct Side {
        CudaStream kernels, results{true};
        CudaEvent evaluated;
        DeviceArray<MappingTally> tallies;
        PinnedArray<MappingTally> host;
        DeviceReduction reduction;
        std::uint64_t first = 0;
        std::uint32_t count = 0;  ///< 0: nothing under way
    };

    void finish_reduction(Side& side) {
        if (side.count == 0) return;
        reduced_.merge(side.reduction.finish(side.first));
        side.count = 0;
    }
    void finish_reductions() {
        for (Side& side : sides_) finish_reduction(side);
    }

    /// Starts batch after batch, on the sides by turns: `finish` waits for what a side did before, `send` starts what
    /// becomes of the new tallies.
    template <class Finish, class Send>
    void in_batches(std::uint64_t first, std::uint64_t count, Finish&& finish, Send&& send) {
        TotalsView const totals{sums_[0].data(), sums_[1].data(), sums_[2].data(),
                                sums_[3].data(), sums_[4].data(), sums_[5].data()};
        auto const start = [&](Side& side, std::uint64_t from, std::uint32_t batch) {
            side.tallies.make_room(batch);
            side.first = from;
            side.count = batch;
            evaluator_.start(from, batch, side.tallies.data(), totals, side.kernels.get());
            side.evaluated.record(side.kernels.get());
            side.evaluated.hold(side.results.get());
            send(side);
        };
        for (std::uint64_t done = 0; done < count; next_ = (next_ + 1) % std::size(sides_)) {
            Side& side = sides_[next_];
            finish(side);
            auto const batch = static_cast<std::uint32_t>(std::min<std::uint64_t>(evaluator_.batch(), count - done));
            told_when_full("the study", [&] { start(side, first + done, batch); });
            done += batch;
        }
    }

    Device device_;
    Evaluator evaluator_;
    DeviceArray<std::uint64_t> sums_[6];  ///< by part of Totals
    Side sides_[3];
    std::size_t next_ = 0;  ///< side
    Reduction reduced_;     ///< what finished reductions came to
};

}  // namespace

std::unique_ptr<Executor> make_cuda_executor(Problem const& problem, std::optional<CudaTeamKind> kind,
                                             ShapeWishes const& wishes, DivisionView const* division) {
    return told_when_full("the study", [&]() -> std::unique_ptr<Executor> {
        auto executor = std::make_unique<CudaExecutor>(problem, division);
        if (!executor->prepare(kind, wishes)) return nullptr;
        return executor;
    });
}

}  // namespace tailback::kernels
