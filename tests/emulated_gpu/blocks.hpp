// What the blocks of a launch of the emulated device share: those of a cluster wait for each other.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace emulated_gpu {

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

}  // namespace emulated_gpu
