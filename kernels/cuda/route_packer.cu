// Routes packed on a CUDA device: the tables go there as they are, a block takes some
// destinations of a group of sources.
#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/team.cuh"
#include "kernels/route_packer.hpp"
#include "kernels/routes/step_column.hpp"

#include <algorithm>

namespace tailback::kernels {
namespace {

constexpr std::uint32_t most_packing_threads = 256;
constexpr std::uint32_t step_threads =
    64;  ///< a thread has work for long: few a block, that all multiprocessors have some
constexpr std::uint32_t most_blocks = 4096;  ///< enough for any device; each goes on with the next pairs

/// `all`: the destinations, of which a block takes `tile` of one group at a time. Blocks beside each other read the
/// same columns of the tables.
template <class Entry, class LinkWord>
__global__ void __launch_bounds__(most_packing_threads)
    pack_rows_kernel(PackView view, TablesView<Entry> tables, PairBlock all, std::uint32_t tile, RowsOut<LinkWord> out,
                     PairSums* sums) {
    __shared__ std::uint64_t exchange[BlockTeam::exchange_words];
    BlockTeam team{exchange};
    PairSums mine;
    std::uint32_t const tiles = (all.count + tile - 1) / tile;
    std::uint64_t const blocks = std::uint64_t{tiles} * view.group_count;
    for (std::uint64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
        auto const at = static_cast<std::uint32_t>(b / view.group_count);
        PairBlock pairs = all;
        pairs.group = static_cast<std::uint32_t>(b % view.group_count);
        pairs.first = at * tile * all.step;
        pairs.count = all.count - at * tile < tile ? all.count - at * tile : tile;
        mine.add(pack_pairs(team, view, tables, pairs, out));
    }
    if (!team.leads()) return;
    team.add_total(sums->delivered, mine.delivered);
    team.add_total(sums->failed, mine.failed);
    team.add_total(sums->links, mine.links);
    team.raise(sums->longest, mine.longest);
}

/// A thread a column, in the order of destinations: threads beside each other read and write words beside each other.
/// @param ends [row][threads of all blocks]
template <class Entry>
__global__ void __launch_bounds__(step_threads)
    pack_steps_kernel(PackView view, TablesView<Entry> tables, std::uint8_t* ends, std::uint32_t* steps) {
    std::uint32_t const thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    for (std::uint32_t d = thread; d < view.destination_count; d += threads)
        StepColumn<Entry>{view, tables, ends + thread, threads, steps + d, view.destination_count}.pack(d, steps);
}

class RowsInDeviceMemory final : public DeviceRows {
public:
    explicit RowsInDeviceMemory(std::size_t bytes) : bytes_(bytes) {
        check(cudaGetDevice(&device_), "finding the current device");
    }
    void const* rows() const override { return bytes_.data(); }
    int device() const override { return device_; }
    unsigned char* data() { return bytes_.data(); }

private:
    DeviceArray<unsigned char> bytes_;
    int device_ = 0;
};

template <class Entry>
class CudaRoutePacker final : public RoutePacker {
public:
    explicit CudaRoutePacker(PackProblem const& p)
        : view_(p.view),
          slots_(std::size_t{p.view.forwarding.rows} * p.view.forwarding.ports),
          targets_(upload(p.view.forwarding.targets, slots_)),
          slot_behind_(upload(p.view.slots, slots_)),
          row_of_arrival_(upload(p.view.forwarding.row_of_arrival, p.arrivals)),
          table_of_row_(upload(p.table_of_row, p.view.forwarding.rows)),
          groups_(upload(p.view.groups, p.view.group_count)),
          destinations_(upload(p.view.destinations, p.view.destination_count)),
          entries_(upload(static_cast<Entry const*>(p.entries), p.tables * p.lids)),
          tables_{entries_.data(), table_of_row_.data(), p.lids} {
        view_.forwarding.targets = targets_.data();
        view_.forwarding.row_of_arrival = row_of_arrival_.data();
        view_.slots = slot_behind_.data();
        view_.groups = groups_.data();
        view_.destinations = destinations_.data();
    }

    PairSums look(std::uint32_t step) override { return walk_all(step, RowsOut<std::uint16_t>{}); }
    PairSums pack_rows(std::byte* rows, std::uint32_t width, bool slots32) override {
        std::size_t const bytes = std::size_t{view_.group_count} * view_.destination_count * width * (slots32 ? 4 : 2);
        return told_when_full("the routes", [&] {
            rows_.reset();
            rows_ = std::make_shared<RowsInDeviceMemory>(bytes);
            unsigned char* const there = rows_->data();
            PairSums const sums =
                slots32 ? walk_all(1, RowsOut<std::uint32_t>{reinterpret_cast<std::uint32_t*>(there), width})
                        : walk_all(1, RowsOut<std::uint16_t>{reinterpret_cast<std::uint16_t*>(there), width});
            copy_to_host(reinterpret_cast<unsigned char*>(rows), there, bytes, nullptr);
            check(cudaDeviceSynchronize(), "copying rows to the host");
            return sums;
        });
    }
    void pack_steps(std::uint32_t* steps) override {
        told_when_full("the routes", [&] {
            DeviceArray<std::uint32_t> there(std::size_t{step_rows(view_)} * view_.destination_count);
            std::uint32_t const blocks =
                std::min((view_.destination_count + step_threads - 1) / step_threads, most_blocks);
            DeviceArray<std::uint8_t> ends(std::size_t{view_.forwarding.rows} * blocks * step_threads);
            launch(pack_steps_kernel<Entry>, blocks, step_threads, 0, nullptr, view_, tables_, ends.data(),
                   there.data());
            check(cudaDeviceSynchronize(), "packing steps");
            there.fetch(steps);
        });
    }
    std::shared_ptr<DeviceRows const> on_device() const override { return rows_; }

private:
    static std::uint32_t threads(std::uint32_t destinations) {
        return std::clamp((destinations + 31) / 32 * 32, 32u, most_packing_threads);
    }
    template <class LinkWord>
    PairSums walk_all(std::uint32_t step, RowsOut<LinkWord> const& out) {
        PairBlock const all{.count = (view_.destination_count + step - 1) / step, .step = step};
        std::uint32_t const tile = threads(all.count), tiles = (all.count + tile - 1) / tile;
        auto const blocks = std::min<std::uint64_t>(std::uint64_t{tiles} * view_.group_count, most_blocks);
        auto const sums = DeviceArray<PairSums>::zeros(1);
        launch(pack_rows_kernel<Entry, LinkWord>, static_cast<std::uint32_t>(blocks), tile, 0, nullptr, view_, tables_,
               all, tile, out, sums.data());
        check(cudaDeviceSynchronize(), "packing routes");
        PairSums found;
        sums.fetch(&found);
        return found;
    }

    PackView view_;
    std::size_t slots_;
    DeviceArray<Target> targets_;
    DeviceArray<std::uint32_t> slot_behind_, row_of_arrival_, table_of_row_;
    DeviceArray<PackGroup> groups_;
    DeviceArray<PackDestination> destinations_;
    DeviceArray<Entry> entries_;
    TablesView<Entry> tables_;
    std::shared_ptr<RowsInDeviceMemory> rows_;
};

}  // namespace

std::unique_ptr<RoutePacker> make_cuda_route_packer(PackProblem const& problem) {
    return told_when_full("the forwarding tables", [&]() -> std::unique_ptr<RoutePacker> {
        if (problem.wide) return std::make_unique<CudaRoutePacker<std::uint16_t>>(problem);
        return std::make_unique<CudaRoutePacker<std::uint8_t>>(problem);
    });
}

}  // namespace tailback::kernels
