// The CUDA executor: batches of mappings, on three sides by turns.
//
// What:  batches go to three sides by turns. A side has a stream for its kernels and another, more urgent one that is
//        done when its tallies are free. While one side's kernels run, the next side's wait in line, and the tallies of
//        the one before are copied, or their numbers held on the device. What is held of several batches is sorted,
//        copied, and merged by a thread of its own, and by several where lists are long, while further batches run.
// Why three: a kernel's blocks fill the device, and a reduction of ten small kernels gets in between only where blocks
//        end. So blocks have a part of the batch each, several after the other on a multiprocessor, and what ends
//        makes room for the urgent ones first. With two sides nothing would be in line when a side is waited for.
// Why so: a batch keeps the chip busy for milliseconds and is 2 to 14 launches of microseconds. A CUDA graph would save
//        what does not show.
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/cuda/evaluator.cuh"
#include "kernels/cuda/reduction.cuh"
#include "kernels/executor.hpp"

#include <algorithm>
#include <cstring>
#include <future>
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
        wait_for_sides();
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
        auto const finish = [&](Side& side) {
            wait_for(side);
            // When what is sorted comes to be, two batches are in line.
            if (reduction_.sorts() && ++batches_since_sort_ == 2) take_up(reduction_.fetch());
        };
        in_batches(first, count, finish, [&](Side& side) {
            if (!reduction_.has_room(side.first, side.count)) sort_held();
            side.evaluated.hold(reduction_.stream());
            reduction_.hold(side.tallies.data(), side.first, side.count, wanted);
            side.taken.record(reduction_.stream());
            side.taken.hold(side.results.get());
        });
    }
    Reduction take_reduction() override {
        wait_for_sides();
        sort_held();
        if (reduction_.sorts()) take_up(reduction_.fetch());
        wait_for_merge();
        return std::exchange(reduced_, {});
    }
    /// What is merged lies in the host's memory, but no more than the caller is to keep.
    std::uint64_t most_reduced() const override { return 1 << 28; }
    Totals totals() override {
        wait_for_sides();
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
        CudaEvent evaluated, taken;
        DeviceArray<MappingTally> tallies;
        PinnedArray<MappingTally> host;
        std::uint64_t first = 0;
        std::uint32_t count = 0;  ///< 0: nothing under way
    };

    void wait_for(Side& side) {
        if (side.count == 0) return;
        side.results.wait();
        side.count = 0;
    }
    void wait_for_sides() {
        for (Side& side : sides_) wait_for(side);
    }
    void sort_held() {
        if (!reduction_.holds()) return;
        if (reduction_.sorts()) take_up(reduction_.fetch());
        reduction_.sort();
        batches_since_sort_ = 0;
    }
    void wait_for_merge() {
        if (merging_.valid()) merging_.get();
    }
    /// Lists of values that nearly all differ take the host as long as the device takes for the mappings.
    void take_up(Reduction more) {
        wait_for_merge();
        constexpr std::uint64_t many = 1 << 16;
        bool const is_long = more.mappings >= many;
        auto merge = [this, more = std::move(more)]() mutable { reduced_.merge(std::move(more), threads_to_use(0)); };
        if (is_long) merging_ = std::async(std::launch::async, std::move(merge));
        else merge();
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
    DeviceReduction reduction_;
    unsigned batches_since_sort_ = 0;
    Reduction reduced_;          ///< what was fetched
    std::future<void> merging_;  ///< while it runs `reduced_` is its own; ends first
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
