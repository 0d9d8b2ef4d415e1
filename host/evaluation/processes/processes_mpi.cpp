// MPI, all of it: the one file that knows it.
#ifdef TAILBACK_HAS_MPI

#include "host/evaluation/processes/processes.hpp"

#include <algorithm>
#include <cstdlib>

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

namespace tailback::evaluation {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 27;  // MPI counts in int

/// Calls act(first word, how many) for pieces that MPI can count.
template <class Act>
void in_pieces(std::size_t words, Act&& act) {
    for (std::size_t at = 0; at < words; at += most_at_once)
        act(at, static_cast<int>(std::min(most_at_once, words - at)));
}

}  // namespace

Processes::Processes() {
    if (launched_together().count <= 1) return;
    int given = 0, rank = 0, count = 1;
    // Only the thread that called this speaks MPI; OpenMP's others do not. Errors end the job: MPI's default.
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    rank_ = static_cast<unsigned>(rank);
    count_ = static_cast<unsigned>(count);
    MPI_Comm local;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &local);
    MPI_Comm_rank(local, &rank);
    MPI_Comm_size(local, &count);
    local_rank_ = static_cast<unsigned>(rank);
    local_count_ = static_cast<unsigned>(count);
    MPI_Comm_free(&local);
}

Processes::~Processes() {
    int begun = 0, ended = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    if (begun != 0 && ended == 0) MPI_Finalize();
}

void Processes::largest(std::span<std::uint64_t> words) const {
    if (count_ == 1) return;
    in_pieces(words.size(), [&](std::size_t at, int n) {
        MPI_Allreduce(MPI_IN_PLACE, words.data() + at, n, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    });
}

void Processes::sum(std::span<std::uint64_t> words) const {
    if (count_ == 1) return;
    in_pieces(words.size(), [&](std::size_t at, int n) {
        if (leads()) MPI_Reduce(MPI_IN_PLACE, words.data() + at, n, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
        else MPI_Reduce(words.data() + at, nullptr, n, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    });
}

std::vector<std::vector<std::uint64_t>> Processes::gather(std::span<std::uint64_t const> words) const {
    if (count_ == 1) return {{words.begin(), words.end()}};
    std::uint64_t const size = words.size();
    std::vector<std::uint64_t> sizes(leads() ? count_ : 0);
    MPI_Gather(&size, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (!leads()) {
        in_pieces(words.size(),
                  [&](std::size_t at, int n) { MPI_Send(words.data() + at, n, MPI_UINT64_T, 0, 0, MPI_COMM_WORLD); });
        return {};
    }
    std::vector<std::vector<std::uint64_t>> all(count_);
    all[0].assign(words.begin(), words.end());
    for (unsigned r = 1; r < count_; ++r) {
        all[r].resize(sizes[r]);
        in_pieces(all[r].size(), [&](std::size_t at, int n) {
            MPI_Recv(all[r].data() + at, n, MPI_UINT64_T, static_cast<int>(r), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        });
    }
    return all;
}

void Processes::spread(std::vector<std::uint64_t>& words) const {
    if (count_ == 1) return;
    std::uint64_t size = words.size();
    MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    words.resize(size);
    in_pieces(words.size(),
              [&](std::size_t at, int n) { MPI_Bcast(words.data() + at, n, MPI_UINT64_T, 0, MPI_COMM_WORLD); });
}

void Processes::abort(int code) const {
    if (count_ > 1) MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
}

}  // namespace tailback::evaluation

#endif
