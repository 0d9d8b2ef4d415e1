// The threads of the emulated device.
#include "tests/support/rooms.hpp"

#include <cuda_runtime.h>

#include <boost/context/fiber.hpp>
#include <boost/context/stack_context.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <thread>

constinit thread_local uint3 threadIdx{}, blockIdx{};
constinit thread_local dim3 blockDim{}, gridDim{};

namespace tailback::kernels::kernel {
/// The dynamic shared memory of a block (kernels/cuda/team.cuh), as large as any device's.
thread_local uint4 shared_words[(228 << 10) / sizeof(uint4)];
}  // namespace tailback::kernels::kernel

namespace emulated_gpu {
namespace {

/// Stacks with a page below each that cannot be touched. They are kept for the next threads.
class Stacks {
public:
    boost::context::stack_context allocate() {
        std::lock_guard const lock(mutex());
        boost::context::stack_context stack;
        stack.size = bytes;
        if (kept().empty()) {
            void* const pages = mmap(nullptr, guard + bytes, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (pages == MAP_FAILED) throw std::bad_alloc();
            mprotect(pages, guard, PROT_NONE);
            stack.sp = static_cast<std::byte*>(pages) + guard + bytes;
        } else {
            stack.sp = kept().back();
            kept().pop_back();
        }
        return stack;
    }
    void deallocate(boost::context::stack_context& stack) noexcept {
        std::lock_guard const lock(mutex());
        kept().push_back(stack.sp);
    }

private:
    static constexpr std::size_t bytes = 128 << 10, guard = 4 << 10;
    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }
    static std::vector<void*>& kept() {
        static std::vector<void*> all;
        return all;
    }
};

constexpr std::byte rubbish{0xA5};

/// Unwinds a thread.
struct Failed {};

/// What all blocks of a launch know.
struct Run {
    Launch const& launch;
    std::mutex mutex;
    Outcome outcome;
    std::atomic<bool> failed = false;

    void fail(std::string const& why) {
        std::lock_guard const lock(mutex);
        if (outcome.failure.empty()) outcome.failure = why;
        failed = true;
    }
    void add(Counts const& block) {
        std::lock_guard const lock(mutex);
        outcome.counts += block;
    }
};

/// Blocks that run at once and wait for each other.
class Cluster {
public:
    explicit Cluster(unsigned blocks)
        : pointers(blocks), ended(std::make_unique<std::atomic<bool>[]>(blocks)), blocks_(blocks) {}
    /// @return false when a block has ended, which therefore never comes.
    bool wait() {
        std::unique_lock lock(mutex_);
        unsigned const turn = turn_;
        if (++arrived_ + 1 >= blocks_) changed_.notify_all();
        if (arrived_ == blocks_) {
            arrived_ = 0;
            ++turn_;
            changed_.notify_all();
            return true;
        }
        changed_.wait(lock, [&] { return turn_ != turn || left_ > 0; });
        return turn_ != turn;
    }
    /// After a barrier one block, each in its turn, goes on when the others have come to the next one: what they write
    /// on the way is there before it reads what they wrote earlier. Not longer than they take as a rule: they may wait
    /// for it elsewhere.
    void fall_behind(unsigned rank) {
        std::unique_lock lock(mutex_);
        unsigned const turn = turn_;
        if (rank != turn % blocks_) return;
        changed_.wait_for(lock, std::chrono::milliseconds(20),
                          [&] { return turn_ != turn || arrived_ + 1 == blocks_ || left_ > 0; });
    }
    /// Returns when all have: until then a block's memory is there.
    void leave(unsigned rank) {
        std::unique_lock lock(mutex_);
        ended[rank] = true;
        ++left_;
        changed_.notify_all();
        changed_.wait(lock, [&] { return left_ == blocks_; });
    }
    std::vector<std::byte*> pointers;  ///< each block's thread pointer, known after the first wait
    std::unique_ptr<std::atomic<bool>[]> ended;

private:
    unsigned const blocks_;
    unsigned arrived_ = 0, turn_ = 0, left_ = 0;
    std::mutex mutex_;
    std::condition_variable changed_;
};

/// xorshift: orders are to change, not to be random.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : state_(seed * 2654435761u | 1) {}
    std::uint32_t roll() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        return state_;
    }

private:
    std::uint32_t state_;
};

class Block {
public:
    Block(Run& run, unsigned index, Cluster& cluster, unsigned rank)
        : run_(run),
          cluster_(cluster),
          rank_(rank),
          count_(run.launch.threads),
          dice_(index + 1),
          threads_(count_),
          warps_(count_ / 32) {
        threadIdx = {};
        blockIdx = {index, 0, 0};
        blockDim = dim3(count_);
        gridDim = dim3(run.launch.blocks);
        auto* const shared = reinterpret_cast<std::byte*>(tailback::kernels::kernel::shared_words);
        std::fill_n(shared, sizeof tailback::kernels::kernel::shared_words, rubbish);
        cluster_.pointers[rank] = static_cast<std::byte*>(__builtin_thread_pointer());
    }

    /// Needs: `current` is this.
    void go() {
        if (!cluster_.wait()) return;
        for (std::uint32_t id = 0; id < count_; ++id)
            threads_[id].fiber = Fiber(std::allocator_arg, Stacks(), [this](Fiber&& scheduler) {
                scheduler_ = std::move(scheduler);
                try {
                    run_.launch.body();
                } catch (Failed const&) {
                }
                return std::move(scheduler_);
            });
        release(everybody());
        std::uint32_t ended = 0;
        while (!run_.failed) {
            if (ready_.empty()) {
                if (at_cluster_ < count_) break;
                if (!cluster_.wait()) break;
                cluster_.fall_behind(rank_);
                at_cluster_ = 0;
                ++counts_.cluster_barriers;
                release(everybody());
            }
            Thread& thread = threads_[ready_.front()];
            threadIdx.x = now_ = ready_.front();
            ready_.pop_front();
            thread.fiber = std::move(thread.fiber).resume();
            ended += !thread.fiber;
        }
        if (ended < count_ && !run_.failed) run_.fail(describe_waiting(ended));
        auto const* const shared = reinterpret_cast<std::byte const*>(tailback::kernels::kernel::shared_words);
        if (!std::all_of(shared + run_.launch.shared_bytes, shared + sizeof tailback::kernels::kernel::shared_words,
                         [](std::byte b) { return b == rubbish; }))
            run_.fail("block " + std::to_string(blockIdx.x) + " wrote beyond its shared memory");
        threads_.clear();  // unwinds those that wait
        run_.add(counts_);
    }

    unsigned meet_warp(WarpOperation operation, unsigned mask, unsigned value) {
        Warp& warp = warps_[now_ / 32];
        if (mask != emulated_warp) fail("a warp operation names some lanes only, which is not emulated");
        if (warp.arrived != 0 && warp.operation != operation) fail("lanes of a warp meet in different operations");
        warp.operation = operation;
        threads_[now_].value = value;
        if (++warp.arrived == 32) {
            warp.arrived = 0;
            ++counts_.warp_operations;
            finish(operation, now_ / 32 * 32);
        }
        Thread const& me = threads_[now_];
        suspend();
        return me.value;
    }

    bool meet_block(bool value) {
        any_ |= value;
        std::uint32_t const me = now_;
        if (++at_block_ == count_) {
            for (Thread& thread : threads_) thread.value = any_;
            at_block_ = 0;
            any_ = false;
            ++counts_.block_barriers;
            release(everybody());
        }
        suspend();
        return threads_[me].value != 0;
    }

    void meet_cluster() {
        arrive_at_cluster();
        wait_for_cluster();
    }
    void arrive_at_cluster() {
        if (threads_[now_].arrived) fail("arrives twice at a barrier of the cluster");
        threads_[now_].arrived = true;
    }
    void wait_for_cluster() {
        if (!threads_[now_].arrived) fail("waits for a barrier of the cluster without having arrived");
        threads_[now_].arrived = false;
        ++at_cluster_;
        suspend();
    }

    void before_atomic(std::size_t bytes) {
        ++counts_.atomics;
        counts_.wide_atomics += bytes == 8;
        if (dice_.roll() % 8 != 0) return;
        ready_.push_back(now_);
        scheduler_ = std::move(scheduler_).resume();
    }

    unsigned blocks_of_cluster() const { return static_cast<unsigned>(cluster_.pointers.size()); }
    unsigned rank() const { return rank_; }
    Where where() const { return {run_.launch.function, threads_[now_].meetings}; }
    /// The same place in another block's thread-local memory, which is laid out alike.
    void* shared_of(void* own, unsigned block) {
        if (cluster_.ended[block]) fail("reaches into the memory of a block that has ended");
        return cluster_.pointers[block] + (static_cast<std::byte*>(own) - cluster_.pointers[rank_]);
    }

private:
    using Fiber = boost::context::fiber;
    struct Thread {
        Fiber fiber;
        unsigned value = 0;
        std::uint64_t meetings = 0;  ///< that it has come from
        bool arrived = false;        ///< at a barrier of the cluster, and not yet waiting for it
    };
    struct Warp {
        unsigned arrived = 0;
        WarpOperation operation{};
    };

    [[noreturn]] void fail(std::string const& why) {
        run_.fail("thread " + std::to_string(now_) + " of block " + std::to_string(blockIdx.x) + ": " + why);
        throw Failed();
    }
    void suspend() {
        std::uint32_t const me = now_;
        scheduler_ = std::move(scheduler_).resume();
        ++threads_[me].meetings;
    }

    std::vector<std::uint32_t> everybody() const {
        std::vector<std::uint32_t> all(count_);
        std::iota(all.begin(), all.end(), 0u);
        return all;
    }
    void release(std::vector<std::uint32_t> ids) {
        switch (dice_.roll() % 3) {
            case 0: break;
            case 1: std::reverse(ids.begin(), ids.end()); break;
            default:
                for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[dice_.roll() % i]);
        }
        ready_.insert(ready_.end(), ids.begin(), ids.end());
    }

    void finish(WarpOperation operation, std::uint32_t first) {
        unsigned values[32], together = 0;
        std::vector<std::uint32_t> ids(32);
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            ids[lane] = first + lane;
            values[lane] = threads_[first + lane].value;
            if (operation == WarpOperation::add) together += values[lane];
            if (operation == WarpOperation::max) together = std::max(together, values[lane]);
            if (operation == WarpOperation::bits_or) together |= values[lane];
        }
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            unsigned& mine = threads_[first + lane].value;
            mine = together;
            if (operation == WarpOperation::match)
                for (std::uint32_t other = 0; other < 32; ++other)
                    mine |= unsigned{values[other] == values[lane]} << other;
        }
        release(std::move(ids));
    }

    std::string describe_waiting(std::uint32_t ended) const {
        unsigned at_warps = 0;
        for (Warp const& warp : warps_) at_warps += warp.arrived;
        return "block " + std::to_string(blockIdx.x) + " waits for ever: of " + std::to_string(count_) + " threads " +
               std::to_string(ended) + " have ended, " + std::to_string(at_warps) + " wait for their warp, " +
               std::to_string(at_block_) + " for the block, " + std::to_string(at_cluster_) + " for the cluster";
    }

    Run& run_;
    Cluster& cluster_;
    unsigned const rank_;
    std::uint32_t const count_;
    Dice dice_;
    std::vector<Thread> threads_;
    std::vector<Warp> warps_;
    std::deque<std::uint32_t> ready_;
    Fiber scheduler_;
    std::uint32_t now_ = 0, at_block_ = 0, at_cluster_ = 0;
    bool any_ = false;
    Counts counts_;
};

thread_local Block* current = nullptr;

void run_block(Run& run, unsigned index, Cluster& cluster, unsigned rank) {
    Block block(run, index, cluster, rank);
    current = &block;
    block.go();
    current = nullptr;
    cluster.leave(rank);
}

}  // namespace

unsigned meet_warp(WarpOperation operation, unsigned mask, unsigned value) {
    return current->meet_warp(operation, mask, value);
}
bool meet_block(bool value) { return current->meet_block(value); }
void meet_cluster() { current->meet_cluster(); }
void arrive_at_cluster() { current->arrive_at_cluster(); }
void wait_for_cluster() { current->wait_for_cluster(); }
unsigned blocks_of_cluster() { return current->blocks_of_cluster(); }
unsigned block_of_cluster() { return current->rank(); }
void* shared_of(void* own, unsigned block) { return current->shared_of(own, block); }
void before_atomic(std::size_t bytes) { current->before_atomic(bytes); }
Where where() { return current == nullptr ? Where{} : current->where(); }

Outcome run(Launch const& launch) {
    Run run{launch, {}, {}, {}};
    run.outcome.counts.kernels = 1;
    unsigned const clusters = launch.blocks / launch.cluster;
    // Blocks of a cluster at once, else as many as there are cores.
    unsigned const together = launch.cluster > 1
                                  ? launch.cluster
                                  : std::min(launch.blocks, std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::thread> workers;
    if (launch.cluster > 1) {
        for (unsigned c = 0; c < clusters && !run.failed; ++c) {
            Cluster cluster(together);
            for (unsigned rank = 0; rank < together; ++rank)
                workers.emplace_back([&, rank] { run_block(run, c * together + rank, cluster, rank); });
            for (std::thread& worker : workers) worker.join();
            workers.clear();
        }
    } else {
        std::atomic<unsigned> next = 0;
        for (unsigned w = 0; w < together; ++w)
            workers.emplace_back([&] {
                for (unsigned index; (index = next++) < launch.blocks && !run.failed;) {
                    Cluster alone(1);
                    run_block(run, index, alone, 0);
                }
            });
        for (std::thread& worker : workers) worker.join();
    }
    return run.outcome;
}

}  // namespace emulated_gpu
