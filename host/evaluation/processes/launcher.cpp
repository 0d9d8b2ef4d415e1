// What launchers leave in the environment of the processes they start.
#include "host/evaluation/processes/processes.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include <sched.h>
#include <unistd.h>

namespace tailback::evaluation {

Launch launched_together() {
    // Open MPI's mpirun; MPICH's and others' mpiexec; srun where it speaks PMI or PMIx itself.
    for (char const* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
        char const* const value = std::getenv(name);
        unsigned count = 0;
        if (value != nullptr && std::from_chars(value, value + std::strlen(value), count).ec == std::errc() &&
            count > 0)
            return {count, name};
    }
    if (std::getenv("PMIX_RANK") != nullptr)
        if (char const* const value = std::getenv("SLURM_NTASKS")) {
            unsigned count = 0;
            if (std::from_chars(value, value + std::strlen(value), count).ec == std::errc() && count > 0)
                return {count, "PMIX_RANK"};
        }
    return {};
}

unsigned threads_of_process(unsigned local_count) {
    unsigned const cores = std::max(1u, static_cast<unsigned>(::sysconf(_SC_NPROCESSORS_ONLN)));
    cpu_set_t mine;
    CPU_ZERO(&mine);
    unsigned const bound =
        ::sched_getaffinity(0, sizeof mine, &mine) == 0 ? static_cast<unsigned>(CPU_COUNT(&mine)) : cores;
    if (bound > 0 && bound < cores) return bound;
    return std::max(1u, cores / std::max(1u, local_count));
}

}  // namespace tailback::evaluation
