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
        bool const shared = scratch_bytes + 512 <= properties.sharedMemPerBlockOptin;
        shared_bytes = shared ? scratch_bytes : 0;
        allow_shared(kernel, shared_bytes);
        int per_processor = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, static_cast<int>(threads),
                                                            shared_bytes),
              "asking for the occupancy");
        blocks = static_cast<std::uint32_t>(std::max(1, per_processor) * properties.multiProcessorCount);
        if (!shared) global_.resize(scratch_bytes * blocks);
    }
    /// Null when the scratch is in shared memory.
    std::byte* global() { return reinterpret_cast<std::byte*>(raw(global_)); }

    std::uint32_t threads = 0, blocks = 0;
    std::size_t shared_bytes = 0;

private:
    thrust::device_vector<unsigned char> global_;
};

template <class Entry>
__global__ void __launch_bounds__(most_threads)
    audit_kernel(AuditView view, TableColumn<Entry> column, AuditDestination const* destinations, std::uint32_t count,
                 AuditTally* tallies, AuditTotals totals, std::byte* global_scratch, std::size_t scratch_bytes) {
    __shared__ std::uint64_t exchange[33];
    BlockTeam team{exchange};
    std::byte* const base =
        global_scratch != nullptr ? global_scratch + blockIdx.x * scratch_bytes : kernel::shared_memory();
    AuditScratch scratch;
    scratch.lay_out(view.forwarding.rows, base);
    kernel::zero(base, scratch_bytes);
    team.sync("scratch cleared");
    for (std::uint32_t i = blockIdx.x; i < count; i += gridDim.x) {
        column.lid = destinations[i].lid;
        AuditTally const tally = audit_destination(team, view, column, destinations[i], scratch, totals);
        if (team.leads()) tallies[i] = tally;
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
        view.forwarding.targets = raw(targets_);
        view.forwarding.row_of_arrival = raw(row_of_arrival_);
        view.starts.sources = raw(sources_);
        view.starts.rows = raw(starts_);
        view.starts.is_start = raw(is_start_);
        view.entry_links = raw(entry_links_);
        view.directions = raw(directions_);
        view.in_port8 = raw(in_port8_);
        view.in_port16 = raw(in_port16_);
        view.distances8 = raw(distances8_);
        view.distances16 = raw(distances16_);
    }
    AuditView view;

private:
    std::size_t slots_;
    thrust::device_vector<Target> targets_;
    thrust::device_vector<std::uint32_t> row_of_arrival_, sources_, starts_;
    thrust::device_vector<std::uint8_t> is_start_, entry_links_, directions_, in_port8_, distances8_;
    thrust::device_vector<std::uint16_t> distances16_, in_port16_;
};

/// The sums in device memory, all zero.
class DeviceSums {
public:
    explicit DeviceSums(AuditSums const& like)
        : hops_(like.hops.size()),
          excess_(like.excess.size()),
          load_(like.load.size()),
          destinations_(like.destinations.size()),
          reached_(like.reached.size()),
          detours_(like.detours.size()),
          wrong_turns_(like.wrong_turns.size()),
          turns_(like.turns.size()) {}
    AuditTotals view() {
        return {raw(hops_),    raw(excess_),  raw(load_),        raw(destinations_),
                raw(reached_), raw(detours_), raw(wrong_turns_), raw(turns_)};
    }
    void fetch(AuditSums& sums) const {
        auto const copy = [](auto const& from, auto& to) { thrust::copy(from.begin(), from.end(), to.begin()); };
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
    thrust::device_vector<std::uint64_t> hops_, excess_, load_, destinations_, reached_, detours_, wrong_turns_;
    thrust::device_vector<std::uint32_t> turns_;
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
    thrust::device_vector<Entry> const entries =
        upload(static_cast<Entry const*>(tables.entries), tables.tables * tables.lids);
    thrust::device_vector<std::uint32_t> const table_of_row = upload(tables.table_of_row, host_view.forwarding.rows);
    thrust::device_vector<AuditDestination> const asked(destinations.begin(), destinations.end());
    thrust::device_vector<AuditTally> answers(destinations.size());
    DeviceSums totals(sums);

    AuditScratch measure;
    std::size_t const scratch_bytes = measure.lay_out(host_view.forwarding.rows, nullptr);
    auto const kernel = reinterpret_cast<void const*>(audit_kernel<Entry>);
    BlockScratch scratch(
        kernel, std::clamp<std::uint32_t>((host_view.forwarding.rows + 31) / 32 * 32, 32, most_threads), scratch_bytes);
    auto const count = static_cast<std::uint32_t>(destinations.size());
    TableColumn<Entry> const column{thrust::raw_pointer_cast(entries.data()),
                                    thrust::raw_pointer_cast(table_of_row.data()), tables.lids};
    launch(audit_kernel<Entry>, std::min(scratch.blocks, count), scratch.threads, scratch.shared_bytes, nullptr,
           device.view, column, thrust::raw_pointer_cast(asked.data()), count, raw(answers), totals.view(),
           scratch.global(), scratch_bytes);
    check(cudaDeviceSynchronize(), "the audit's kernel");
    thrust::copy(answers.begin(), answers.end(), tallies.begin());
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
