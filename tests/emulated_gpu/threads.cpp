// The threads of the emulated device.
#include "tests/emulated_gpu/blocks.hpp"
#include "tests/emulated_gpu/stacks.hpp"
#include "tests/support/rooms.hpp"

#include <cuda_runtime.h>

#include <boost/context/fiber.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

constinit thread_local uint3 threadIdx{}, blockIdx{};
constinit thread_local dim3 blockDim{}, gridDim{};

namespace tailback::kernels::kernel {
/// The dynamic shared memory of a block (kernels/cuda/team.cuh), as large as any device's.
thread_local uint4 shared_words[(228 << 10) / sizeof(uint4)];
}  // namespace tailback::kernels::kernel

namespace emulated_gpu {
namespace {

constexpr std::byte rubbish{0xA5};

/// Bytes of the system's thread's shared memory that are not rubbish, at most.
thread_local std::size_t written_of_shared = sizeof tailback::kernels::kernel::shared_words;

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

/// Threads that can go on, of so many, each once at most. A power of two has room for them, so that numbers may wrap.
class Queue {
public:
    explicit Queue(std::uint32_t most) : ids_(std::bit_ceil(std::max(most, 1u))) {}
    bool empty() const { return first_ == last_; }
    void add(std::uint32_t id) { ids_[last_++ % ids_.size()] = id; }
    std::uint32_t take() { return ids_[first_++ % ids_.size()]; }

private:
    std::vector<std::uint32_t> ids_;
    std::uint32_t first_ = 0, last_ = 0;
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
          warps_(count_ / 32),
          ready_(count_) {
        threadIdx = {};
        blockIdx = {index, 0, 0};
        blockDim = dim3(count_);
        gridDim = dim3(run.launch.blocks);
        fill_shared();
        cluster_.pointers[rank] = static_cast<std::byte*>(__builtin_thread_pointer());
    }

    /// Needs: `current` is this.
    void go() {
        if (!cluster_.wait()) return;
        for (std::uint32_t id = 0; id < count_; ++id)
            threads_[id].fiber = Fiber(std::allocator_arg, Stacks(), [this, id](Fiber&& before) {
                *left_ = std::move(before);
                try {
                    run_.launch.body();
                } catch (Failed const&) {
                }
                ++ended_;
                left_ = &threads_[id].fiber;  // nothing is left there
                return std::move(next());
            });
        release(0, count_);
        while (!run_.failed) {
            if (ready_.empty()) {
                if (at_cluster_ < count_) break;
                if (!cluster_.wait()) break;
                cluster_.fall_behind(rank_);
                at_cluster_ = 0;
                ++counts_.cluster_barriers;
                release(0, count_);
            }
            Fiber& other = next();  // another block may have failed just now
            if (&other != &scheduler_) leave(scheduler_, other);
        }
        if (ended_ < count_ && !run_.failed) run_.fail(describe_waiting());
        if (!is_rubbish_behind(run_.launch.shared_bytes))
            run_.fail("block " + std::to_string(blockIdx.x) + " wrote beyond its shared memory");
        else written_of_shared = run_.launch.shared_bytes;
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
            release(0, count_);
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
        ready_.add(now_);
        go_on();
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
        go_on();
        ++threads_[me].meetings;
    }

    /// Whose turn it is: of a thread that can go on, or, where there is none, of the scheduler.
    Fiber& next() {
        if (ready_.empty() || run_.failed) return scheduler_;
        threadIdx.x = now_ = ready_.take();
        return threads_[now_].fiber;
    }
    /// From a thread to the next; returns when it is its turn again.
    void go_on() {
        std::uint32_t const me = now_;
        Fiber& other = next();
        if (&other != &threads_[me].fiber) leave(threads_[me].fiber, other);
    }
    /// From one to the other directly; `mine` is where others find this one. Who comes back says where it came from.
    void leave(Fiber& mine, Fiber& other) {
        left_ = &mine;
        Fiber before = std::move(other).resume();
        *left_ = std::move(before);
    }

    /// So many threads can go on, in an order that changes.
    void release(std::uint32_t first, std::uint32_t count) {
        std::uint32_t const turn = dice_.roll() % 3;
        if (turn < 2) {
            for (std::uint32_t i = 0; i < count; ++i) ready_.add(turn == 0 ? first + i : first + count - 1 - i);
            return;
        }
        order_.resize(count);
        std::iota(order_.begin(), order_.end(), first);
        for (std::uint32_t i = count; i > 1; --i) std::swap(order_[i - 1], order_[dice_.roll() % i]);
        for (std::uint32_t const id : order_) ready_.add(id);
    }

    void finish(WarpOperation operation, std::uint32_t first) {
        unsigned values[32], together = 0;
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
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
        release(first, 32);
    }

    /// With rubbish, as far as a block before may have written.
    static void fill_shared() {
        std::memset(tailback::kernels::kernel::shared_words, std::to_integer<int>(rubbish), written_of_shared);
        written_of_shared = sizeof tailback::kernels::kernel::shared_words;
    }
    /// Behind so many bytes of shared memory nothing was written.
    static bool is_rubbish_behind(std::size_t bytes) {
        using tailback::kernels::kernel::shared_words;
        auto const* const shared = reinterpret_cast<std::byte const*>(shared_words);
        constexpr std::size_t all = sizeof shared_words;
        return bytes >= all ||
               (shared[bytes] == rubbish && std::memcmp(shared + bytes, shared + bytes + 1, all - bytes - 1) == 0);
    }

    std::string describe_waiting() const {
        unsigned at_warps = 0;
        for (Warp const& warp : warps_) at_warps += warp.arrived;
        return "block " + std::to_string(blockIdx.x) + " waits for ever: of " + std::to_string(count_) + " threads " +
               std::to_string(ended_) + " have ended, " + std::to_string(at_warps) + " wait for their warp, " +
               std::to_string(at_block_) + " for the block, " + std::to_string(at_cluster_) + " for the cluster";
    }

    Run& run_;
    Cluster& cluster_;
    unsigned const rank_;
    std::uint32_t const count_;
    Dice dice_;
    std::vector<Thread> threads_;
    std::vector<Warp> warps_;
    Queue ready_;
    std::vector<std::uint32_t> order_;
    Fiber scheduler_;
    Fiber* left_ = &scheduler_;  ///< of who has gone on to another last
    std::uint32_t now_ = 0, ended_ = 0, at_block_ = 0, at_cluster_ = 0;
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
