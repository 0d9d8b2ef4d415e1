// Counts the wavefronts of shared memory that kernels take, for scripts/gpu-wavefronts: kernels/cuda compiled with the
// compiler's calls before each access to memory (-fsanitize=thread), which are answered here instead of by
// ThreadSanitizer.
//
// A wavefront is a cycle of a multiprocessor's shared memory: 32 banks of 4 bytes, one word of each (NVIDIA, CUDA C++
// Programming Guide, Shared Memory). Lanes of a warp that make the same access between the same two meetings of the
// warp make it at once. Reads of one word by many lanes are one; atomics on it go one after the other. Accesses of 8
// and 16 bytes are made by halves and quarters of a warp. g++ keeps other values in registers than nvcc does, so counts
// of plain accesses are near those of a device, not equal.
#include "tests/emulated_gpu/emulated_gpu.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace tailback::kernels::kernel {
extern thread_local uint4 shared_words[(228 << 10) / sizeof(uint4)];
}

namespace {

constexpr std::size_t shared_bytes = 228 << 10;

struct Kind {
    std::uint8_t bytes;
    bool atomic;
};

/// Where in the program: a kernel's function, and the instruction of the access.
using Place = std::pair<void const*, void const*>;

struct Sum {
    Kind kind{};
    std::uint64_t accesses = 0, wavefronts = 0;  ///< of warps
};

/// Prints what all warps have counted when the program ends.
class Book {
public:
    void add(Place const& place, Sum const& sum) {
        std::lock_guard const lock(mutex_);
        Sum& all = sums_[place];
        all.kind = sum.kind;
        all.accesses += sum.accesses;
        all.wavefronts += sum.wavefronts;
    }
    ~Book() {
        char const* const name = std::getenv("TAILBACK_WAVEFRONTS");
        std::FILE* const out = name == nullptr ? stderr : std::fopen(name, "w");
        if (out == nullptr) return;
        for (auto const& [place, sum] : sums_)
            std::fprintf(out, "%p %p %s %u %llu %llu\n", place.first, place.second,
                         sum.kind.atomic ? "atomic" : "plain", unsigned{sum.kind.bytes},
                         static_cast<unsigned long long>(sum.accesses),
                         static_cast<unsigned long long>(sum.wavefronts));
        if (out != stderr) std::fclose(out);
    }

private:
    std::mutex mutex_;
    std::map<Place, Sum> sums_;
};
Book& book() {
    static Book one;
    return one;
}

/// One access of a warp: the offsets in shared memory of the lanes that made it.
struct Access {
    std::array<std::uint32_t, 32> offset;
    std::uint32_t lanes = 0;
};

unsigned wavefronts(Access const& access, Kind kind) {
    unsigned const words = std::max(1, kind.bytes / 4), together = 32 / words;
    unsigned all = 0;
    for (unsigned first = 0; first < 32; first += together) {
        std::array<std::array<std::uint32_t, 32>, 32> met;  // [bank][]: the words of it that are asked for
        std::array<unsigned, 32> count{};
        for (unsigned lane = first; lane < first + together; ++lane)
            for (unsigned w = 0; (access.lanes >> lane & 1) != 0 && w < words; ++w) {
                std::uint32_t const word = access.offset[lane] / 4 + w;
                auto& of_bank = met[word % 32];
                unsigned& n = count[word % 32];
                if (kind.atomic || std::find(of_bank.begin(), of_bank.begin() + n, word) == of_bank.begin() + n)
                    of_bank[n++ % 32] = word;
            }
        all += *std::max_element(count.begin(), count.end());
    }
    return all;
}

/// The accesses of a warp since it last met.
class Warp {
public:
    void note(void const* kernel, void const* at, unsigned lane, std::uint64_t meetings, std::uint32_t offset,
              Kind kind) {
        if (meetings != meetings_ || kernel != kernel_) close();
        meetings_ = meetings;
        kernel_ = kernel;
        Site& site = sites_[at];
        site.kind = kind;
        unsigned const k = site.made[lane]++;
        if (k == site.accesses.size()) site.accesses.emplace_back();
        site.accesses[k].offset[lane] = offset;
        site.accesses[k].lanes |= 1u << lane;
    }
    void close() {
        for (auto const& [at, site] : sites_) {
            Sum sum{site.kind, site.accesses.size(), 0};
            for (Access const& access : site.accesses) sum.wavefronts += wavefronts(access, site.kind);
            book().add({kernel_, at}, sum);
        }
        sites_.clear();
    }
    ~Warp() { close(); }

private:
    struct Site {
        Kind kind{};
        std::array<std::uint32_t, 32> made{};
        std::vector<Access> accesses;
    };
    std::unordered_map<void const*, Site> sites_;
    void const* kernel_ = nullptr;
    std::uint64_t meetings_ = 0;
};

/// A block has an operating-system thread to itself.
thread_local std::array<Warp, 32> warps;

void note(void const* memory, std::uint8_t bytes, bool atomic, void const* at) {
    auto const offset = static_cast<std::uintptr_t>(
        static_cast<std::byte const*>(memory) - reinterpret_cast<std::byte*>(tailback::kernels::kernel::shared_words));
    if (offset >= shared_bytes) return;
    emulated_gpu::Where const where = emulated_gpu::where();
    if (where.kernel == nullptr) return;
    warps[threadIdx.x / 32].note(where.kernel, at, threadIdx.x % 32, where.meetings, static_cast<std::uint32_t>(offset),
                                 {bytes, atomic});
}

}  // namespace

// ---- what the compiler calls (names by GCC and LLVM: tsan_interface.h)
#define PLAIN(bytes)                                                                                               \
    extern "C" void __tsan_read##bytes(void* memory) { note(memory, bytes, false, __builtin_return_address(0)); }  \
    extern "C" void __tsan_write##bytes(void* memory) { note(memory, bytes, false, __builtin_return_address(0)); } \
    extern "C" void __tsan_unaligned_read##bytes(void* memory) {                                                   \
        note(memory, bytes, false, __builtin_return_address(0));                                                   \
    }                                                                                                              \
    extern "C" void __tsan_unaligned_write##bytes(void* memory) {                                                  \
        note(memory, bytes, false, __builtin_return_address(0));                                                   \
    }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_read_range(void*, unsigned long) {}
void __tsan_write_range(void*, unsigned long) {}
void* __tsan_memcpy(void* to, void const* from, unsigned long bytes) { return __builtin_memcpy(to, from, bytes); }
void* __tsan_memset(void* to, int value, unsigned long bytes) { return __builtin_memset(to, value, bytes); }
void* __tsan_memmove(void* to, void const* from, unsigned long bytes) { return __builtin_memmove(to, from, bytes); }
}

// Atomics: an exchange is an access, the look before it (emulated_atomic) is none.
#define ATOMIC(bits)                                                                                              \
    extern "C" std::uint##bits##_t __tsan_atomic##bits##_load(std::uint##bits##_t const volatile* cell, int) {    \
        return __atomic_load_n(cell, __ATOMIC_SEQ_CST);                                                           \
    }                                                                                                             \
    extern "C" void __tsan_atomic##bits##_store(std::uint##bits##_t volatile* cell, std::uint##bits##_t x, int) { \
        __atomic_store_n(cell, x, __ATOMIC_SEQ_CST);                                                              \
    }                                                                                                             \
    extern "C" bool __tsan_atomic##bits##_compare_exchange_strong(                                                \
        std::uint##bits##_t volatile* cell, std::uint##bits##_t* old, std::uint##bits##_t to, int, int) {         \
        note(const_cast<std::uint##bits##_t const*>(cell), bits / 8, true, __builtin_return_address(0));          \
        return __atomic_compare_exchange_n(cell, old, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);             \
    }                                                                                                             \
    extern "C" std::uint##bits##_t __tsan_atomic##bits##_exchange(std::uint##bits##_t volatile* cell,             \
                                                                  std::uint##bits##_t x, int) {                   \
        return __atomic_exchange_n(cell, x, __ATOMIC_SEQ_CST);                                                    \
    }                                                                                                             \
    extern "C" std::uint##bits##_t __tsan_atomic##bits##_fetch_or(std::uint##bits##_t volatile* cell,             \
                                                                  std::uint##bits##_t x, int) {                   \
        return __atomic_fetch_or(cell, x, __ATOMIC_SEQ_CST);                                                      \
    }                                                                                                             \
    extern "C" std::uint##bits##_t __tsan_atomic##bits##_fetch_add(std::uint##bits##_t volatile* cell,            \
                                                                   std::uint##bits##_t x, int) {                  \
        return __atomic_fetch_add(cell, x, __ATOMIC_SEQ_CST);                                                     \
    }                                                                                                             \
    extern "C" std::uint##bits##_t __tsan_atomic##bits##_fetch_sub(std::uint##bits##_t volatile* cell,            \
                                                                   std::uint##bits##_t x, int) {                  \
        return __atomic_fetch_sub(cell, x, __ATOMIC_SEQ_CST);                                                     \
    }
ATOMIC(8)
ATOMIC(32)
ATOMIC(64)
