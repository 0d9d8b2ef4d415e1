// The processes that share a study: those that mpirun started, or this one alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tailback::evaluation {

/// What they say to each other. All of them must make the same calls in the same order; alone, all of them return at
/// once.
class Processes {
public:
    /// Joins the others where mpirun (or srun) started more than one of this, and then may be made once in a program.
    /// @throws InputError when they cannot be joined because this program was built without MPI.
    Processes();
    ~Processes();
    Processes(Processes const&) = delete;
    Processes& operator=(Processes const&) = delete;

    unsigned rank() const { return rank_; }
    unsigned count() const { return count_; }
    bool shared() const { return count_ > 1; }
    /// Rank 0 writes what is written.
    bool leads() const { return rank_ == 0; }
    /// Among those on this machine.
    unsigned local_rank() const { return local_rank_; }
    unsigned local_count() const { return local_count_; }

    /// Everybody gets the largest of everybody's, word by word.
    void largest(std::span<std::uint64_t> words) const;
    std::uint64_t largest(std::uint64_t word) const {
        largest(std::span(&word, 1));
        return word;
    }
    /// Rank 0 gets the sums, word by word; elsewhere they are of no use afterwards.
    void sum(std::span<std::uint64_t> words) const;
    /// Rank 0 gets everybody's words by rank; elsewhere it is empty.
    std::vector<std::vector<std::uint64_t>> gather(std::span<std::uint64_t const> words) const;
    /// Everybody gets the words that rank 0 has.
    void spread(std::vector<std::uint64_t>& words) const;
    /// Ends all of them with this exit code.
    [[noreturn]] void abort(int code) const;

private:
    unsigned rank_ = 0, count_ = 1, local_rank_ = 0, local_count_ = 1;
};

/// How many processes a launcher says it started together with this one, and the variable of the environment that says
/// so; 1 without a launcher.
struct Launch {
    unsigned count = 1;
    char const* variable = nullptr;
};
Launch launched_together();

/// How many threads suit each of so many processes on this machine: the cores it is bound to, or its share of all.
unsigned threads_of_process(unsigned local_count);

}  // namespace tailback::evaluation
