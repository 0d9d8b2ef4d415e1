// The audit on a CUDA device: one block a destination, the tree in shared memory while it fits, in global memory
// beyond.
#include "kernels/audit/audit_body.hpp"
#include "kernels/audit_executor.hpp"
#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/team.cuh"

#include <algorithm>

namespace tailback::kernels {
namespace {

constexpr std::uint32_t most_threads = 512;

/// A destination's column where it lies: one entry of every table.
template <class Entry>
struct TableColumn {
    Entry const* entries;  ///< [table][lids]
    std::uint32_t const* table_of_row;
    std::size_t lids;
    std::uint32_t lid = 0;

    __device__ Entry operator[](std::uint32_t row) const {
        std::uint32_t const table = table_of_row[row];
        if (table == no_row - 1) return Entry{1};
        return table == no_row || lid >= lids ? Entry(~Entry{0}) : entries[table * lids + lid];
    }
};

/// How many blocks of a kernel the device holds at once, and where each has its scratch: in shared memory while it
/// fits, in global memory beyond.
class BlockScratch {
public:
    BlockScratch(void const* kernel, std::uint32_t block_threads, std::size_t scratch_bytes) : threads(block_threads) {
        int ordinal = 0;
        check(cudaGetDevice(&ordinal), "finding the current device");
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, ordinal), "reading the device's properties");
        // The collectives' words are static shared memory and count against the limit as well.
        bool const shared =
            scratch_bytes + sizeof(std::uint64_t) * BlockTeam::exchange_words <= properties.sharedMemPerBlockOptin;
        shared_bytes = shared ? scratch_bytes : 0;
        allow_shared(kernel, shared_bytes);
        std::size_t const of_all = 2048 / threads * (shared_bytes + properties.reservedSharedMemPerBlock + 800);
        prefer_shared(kernel, of_all, properties.sharedMemPerMultiprocessor);
        int per_processor = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, static_cast<int>(threads),
                                                            shared_bytes),
              "asking for the occupancy");
        blocks = static_cast<std::uint32_t>(std::max(1, per_processor) * properties.multiProcessorCount);
        if (!shared) global_.make_room(scratch_bytes * blocks);
    }
    /// Null when the scratch is in shared memory.
    std::byte* global() { return reinterpret_cast<std::byte*>(global_.data()); }

    std::uint32_t threads = 0, blocks = 0;
    std::size_t shared_bytes = 0;

private:
    DeviceArray<unsigned char> global_;
};

/// What is asked of the kernel, and where its answers go.
struct AuditRun {
    AuditDestination const* destinations;
    std::uint32_t count;
    AuditTally* tallies;
    AuditTotals totals;
    std::byte* global_scratch;  ///< null: it is in shared memory
    std::size_t scratch_bytes;
};

template <class Entry>
__global__ void __launch_bounds__(most_threads) audit_kernel(AuditView view, TableColumn<Entry> column, AuditRun run) {
    __shared__ std::uint64_t exchange[BlockTeam::exchange_words];
    BlockTeam team{exchange};
    std::byte* const base =
        run.global_scratch != nullptr ? run.global_scratch + blockIdx.x * run.scratch_bytes : kernel::shared_memory();
    AuditScratch scratch;
    scratch.lay_out(view.forwarding.rows, base);
    kernel::zero(base, run.scratch_bytes);
    team.sync("scratch cleared");
    for (std::uint32_t i = blockIdx.x; i < run.count; i += gridDim.x) {
        column.lid = run.destinations[i].lid;
        AuditTally const tally = audit_destination(team, view, column, run.destinations[i], scratch, run.totals);
        if (team.leads()) run.tallies[i] = tally;
        team.sync("tally told");
    }
}

/// The view's arrays in device memory, and a view that points to them.
class DeviceView {
public:
    DeviceView(AuditView const& v, std::size_t arrivals, std::size_t groups)
        : view(v),
          slots_(std::size_t{v.forwarding.rows} * v.forwarding.ports),
          targets_(upload(v.forwarding.targets, slots_)),
          row_of_arrival_(upload(v.forwarding.row_of_arrival, arrivals)),
          sources_(upload(v.starts.sources, v.forwarding.rows)),
          starts_(upload(v.starts.rows, v.starts.count)),
          is_start_(upload(v.starts.is_start, v.forwarding.rows)),
          entry_links_(upload(v.entry_links, v.forwarding.rows)),
          directions_(upload(v.directions, slots_)),
          in_port8_(upload(v.in_port8, slots_)),
          distances8_(upload(v.distances8, groups * v.forwarding.rows)),
          distances16_(upload(v.distances16, groups * v.forwarding.rows)),
          in_port16_(upload(v.in_port16, slots_)) {
        view.forwarding.targets = targets_.data();
        view.forwarding.row_of_arrival = row_of_arrival_.data();
        view.starts.sources = sources_.data();
        view.starts.rows = starts_.data();
        view.starts.is_start = is_start_.data();
        view.entry_links = entry_links_.data();
        view.directions = directions_.data();
        view.in_port8 = in_port8_.data();
        view.in_port16 = in_port16_.data();
        view.distances8 = distances8_.data();
        view.distances16 = distances16_.data();
    }
    AuditView view;

private:
    std::size_t slots_;
    DeviceArray<Target> targets_;
    DeviceArray<std::uint32_t> row_of_arrival_, sources_, starts_;
    DeviceArray<std::uint8_t> is_start_, entry_links_, directions_, in_port8_, distances8_;
    DeviceArray<std::uint16_t> distances16_, in_port16_;
};

/// The sums in device memory, all zero.
class DeviceSums {
public:
    explicit DeviceSums(AuditSums const& like)
        : hops_(decltype(hops_)::zeros(like.hops.size())),
          excess_(decltype(excess_)::zeros(like.excess.size())),
          load_(decltype(load_)::zeros(like.load.size())),
          destinations_(decltype(destinations_)::zeros(like.destinations.size())),
          reached_(decltype(reached_)::zeros(like.reached.size())),
          detours_(decltype(detours_)::zeros(like.detours.size())),
          wrong_turns_(decltype(wrong_turns_)::zeros(like.wrong_turns.size())),
          turns_(decltype(turns_)::zeros(like.turns.size())) {}
    AuditTotals view() {
        return {hops_.data(),    excess_.data(),  load_.data(),        destinations_.data(),
                reached_.data(), detours_.data(), wrong_turns_.data(), turns_.data()};
    }
    void fetch(AuditSums& sums) const {
        auto const copy = [](auto const& from, auto& to) { from.fetch(to.data()); };
        copy(hops_, sums.hops);
        copy(excess_, sums.excess);
        copy(load_, sums.load);
        copy(destinations_, sums.destinations);
        copy(reached_, sums.reached);
        copy(detours_, sums.detours);
        copy(wrong_turns_, sums.wrong_turns);
        copy(turns_, sums.turns);
    }

private:
    DeviceArray<std::uint64_t> hops_, excess_, load_, destinations_, reached_, detours_, wrong_turns_;
    DeviceArray<std::uint32_t> turns_;
};

template <class Entry>
void run_audit(AuditView const& host_view, AuditTables const& tables, std::span<AuditDestination const> destinations,
               std::span<AuditTally> tallies, AuditSums& sums) {
    std::uint32_t arrivals = 0, groups = 0;
    for (std::size_t slot = 0; slot < std::size_t{host_view.forwarding.rows} * host_view.forwarding.ports; ++slot)
        if (Target const target = host_view.forwarding.targets[slot]; target >= arrival_bit && target < foreign_port)
            arrivals = std::max(arrivals, (target & ~arrival_bit) + 1);
    for (AuditDestination const& d : destinations) groups = std::max(groups, d.group + 1);

    DeviceView device(host_view, arrivals, groups);
    DeviceArray<Entry> const entries = upload(static_cast<Entry const*>(tables.entries), tables.tables * tables.lids);
    DeviceArray<std::uint32_t> const table_of_row = upload(tables.table_of_row, host_view.forwarding.rows);
    DeviceArray<AuditDestination> const asked = upload(destinations.data(), destinations.size());
    DeviceArray<AuditTally> answers(destinations.size());
    DeviceSums totals(sums);

    AuditScratch measure;
    std::size_t const scratch_bytes = measure.lay_out(host_view.forwarding.rows, nullptr);
    auto const kernel = reinterpret_cast<void const*>(audit_kernel<Entry>);
    BlockScratch scratch(
        kernel, std::clamp<std::uint32_t>((host_view.forwarding.rows + 31) / 32 * 32, 32, most_threads), scratch_bytes);
    auto const count = static_cast<std::uint32_t>(destinations.size());
    TableColumn<Entry> const column{entries.data(), table_of_row.data(), tables.lids};
    launch(audit_kernel<Entry>, std::min(scratch.blocks, count), scratch.threads, scratch.shared_bytes, nullptr,
           device.view, column,
           AuditRun{asked.data(), count, answers.data(), totals.view(), scratch.global(), scratch_bytes});
    check(cudaDeviceSynchronize(), "the audit's kernel");
    answers.fetch(tallies.data());
    totals.fetch(sums);
}

}  // namespace

void audit_on_cuda(AuditView const& view, AuditTables const& tables, std::span<AuditDestination const> destinations,
                   std::span<AuditTally> tallies, AuditSums& sums) {
    if (destinations.empty()) return;
    told_when_full("the audit", [&] {
        if (tables.wide) run_audit<std::uint16_t>(view, tables, destinations, tallies, sums);
        else run_audit<std::uint8_t>(view, tables, destinations, tallies, sums);
    });
}

}  // namespace tailback::kernels
