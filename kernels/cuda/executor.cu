// The CUDA executor: batches of mappings, on three sides by turns.
//
// What:  batches go to three sides by turns. A side has a stream for its kernels, another, more urgent one for what
//        becomes of their tallies, and where these are reduced or copied to. While one side's kernels run, the next
//        side's wait in line, and the results of the one before are sorted, copied and taken up by the host.
// Why three: a kernel's blocks fill the device, and a reduction of ten small kernels gets in between only where blocks
//        end. So blocks have a part of the batch each, several after the other on a multiprocessor, and what ends
//        makes room for the urgent ones first. With two sides nothing would be in line when a side is waited for.
// Why so: a batch keeps the chip busy for milliseconds and is 2 to 14 launches of microseconds. A CUDA graph would save
//        what does not show.
#include "kernels/cuda/evaluator.cuh"
#include "kernels/cuda/reduction.cuh"
#include "kernels/executor.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace tailback::kernels {
namespace {

static_assert(sizeof(MappingTally) == 144);

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
