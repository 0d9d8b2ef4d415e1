// Work of a moment, shared between threads of its own: for code that may run beside OpenMP's, or in a thread of its
// own.
#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace tailback::kernels {

/// Calls run(k) for 0 .. parts - 1, each in a thread of its own as far as the system has them. None may throw.
template <class Run>
void by_threads(std::size_t parts, Run const& run) {
    std::vector<std::thread> others;
    std::size_t next = 1;
    try {
        for (others.reserve(parts); next < parts; ++next) others.emplace_back([&run, next] { run(next); });
    } catch (std::exception const&) {  // no more of them
    }
    run(0);
    for (; next < parts; ++next) run(next);
    for (std::thread& other : others) other.join();
}

}  // namespace tailback::kernels
