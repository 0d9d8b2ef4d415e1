// Stands in for MPI in a build without it: one process is fine, several are refused.
#ifndef TAILBACK_HAS_MPI

#include "host/base/error.hpp"
#include "host/evaluation/processes/processes.hpp"

#include <cstdlib>

namespace tailback::evaluation {

Processes::Processes() {
    if (unsigned const count = launched_together().count; count > 1)
        throw base::InputError(
            {}, std::to_string(count) + " processes were started together, and cannot share the work",
            "this program was built without MPI", "run one, or build where CMake finds MPI (libopenmpi-dev)");
}
Processes::~Processes() = default;
void Processes::largest(std::span<std::uint64_t>) const {}
void Processes::sum(std::span<std::uint64_t>) const {}
std::vector<std::vector<std::uint64_t>> Processes::gather(std::span<std::uint64_t const> words) const {
    return {{words.begin(), words.end()}};
}
void Processes::spread(std::vector<std::uint64_t>&) const {}
void Processes::abort(int code) const { std::_Exit(code); }

}  // namespace tailback::evaluation

#endif
