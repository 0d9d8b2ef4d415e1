// A GPU without a GPU: kernels/cuda/ compiled by g++ and run by the CPU, as CUDA allows it to be run and no more
// kindly.
//
// What:  every thread of a block is a fiber that runs until it meets others; a block is an operating-system thread, so
// that blocks of a
//        cluster run at once. Streams do nothing until somebody waits for them.
// Why so: what is left open by CUDA is decided against the program. Fibers go in changing order and give way before
// atomics, so a
//        missing barrier gives other numbers; work of a stream is done as late as can be, so what is read without
//        waiting is old, and its kernels run beside another stream's where no event forbids; new memory is full of
//        rubbish; device memory cannot be read by the host, nor be passed its pointers (most are noticed); barriers
//        that not all reach are an error, not a hang.
// Needs: no more of a GPU's memory model than barriers and atomics: fences, caches and alignment are not emulated, nor
// is time.
//        Static shared memory holds what the last block left there, and its ends are not watched; arrays' ends are, to
//        16 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace emulated_gpu {

/// What there is of one; a test may change it before executors are made.
struct Device {
    std::string name = "emulated GPU";
    unsigned multiprocessors = 20;
    unsigned generation = 9;     ///< major number of its compute capability
    unsigned compiled_for = 90;  ///< architecture of the code that its driver found in the program; 0: there is none
    int refuses_context = 0;     ///< CUDA's number of the error of every call that needs a context
    std::size_t shared_a_block = 227 << 10;  ///< at most, when asked for
    std::size_t shared_a_multiprocessor = 228 << 10;
    std::size_t l2_bytes = 50 << 20;
    std::size_t memory = std::size_t{4} << 30;
    unsigned largest_cluster = 16;
};
/// The device, as if new: nothing asked for, no error.
void reset(Device const& device = {});
/// Several, or none.
void reset(std::vector<Device> const& devices);

/// An error of the device at the `call`-th call from now on. Like every such error it lasts until the next reset: all
/// calls fail, those that give back among them. The environment's TAILBACK_EMULATED_GPU_BREAKS_AT does the same for a
/// whole program.
void break_at(std::uint64_t call);
/// The driver is older than the program needs, until the next reset.
void use_old_driver();
/// Name of the call that it broke at; empty: none yet.
std::string broken_call();

/// What went wrong on the device since the last reset; empty: nothing.
std::string failure();
/// How often a device's properties were read since the last reset.
std::uint64_t property_queries();
/// On how many devices there is a context: a call that needs one was made since the last reset.
std::size_t contexts();
/// Bytes of device memory in use.
std::size_t memory_in_use();
/// Arrays of pinned host memory that were not given back; a broken device takes them back, too.
std::size_t pinned_arrays();

/// What the host has done since the last reset, of what decides about overlap.
struct Step {
    enum class What : std::uint8_t { start, wait } what;
    void const* kernel;  ///< that was started; null: a wait for a stream, or for the device
    int priority;        ///< of the stream; lower numbers go first
};
std::vector<Step> steps();

/// What kernels have done since the last reset.
struct Counts {
    std::uint64_t kernels = 0;
    std::uint64_t atomics = 0;           ///< of threads
    std::uint64_t wide_atomics = 0;      ///< those of 64 bits among them
    std::uint64_t warp_operations = 0;   ///< of warps
    std::uint64_t block_barriers = 0;    ///< of blocks
    std::uint64_t cluster_barriers = 0;  ///< of blocks

    Counts& operator+=(Counts const& other);
};
Counts counts();

// ---- the device, for the headers under include/
// -----------------------------------------------------------------------------
struct Stream;
struct Event;

struct Launch {
    struct Bytes {
        void const* first;
        std::size_t count;
    };
    void const* function = nullptr;
    std::function<void()> body;  ///< what each thread does
    std::vector<Bytes> arguments;
    unsigned blocks = 1, threads = 1, cluster = 1;
    std::size_t shared_bytes = 0;
};

/// @return CUDA's number of the error.
int start(Launch launch, Stream* stream);
/// Work with device memory, in its turn. Null: the default stream.
void enqueue(Stream* stream, std::function<void()> work);

// ---- the threads
// ------------------------------------------------------------------------------------------------------------
enum class WarpOperation : std::uint8_t { sync, add, max, bits_or, match };
unsigned meet_warp(WarpOperation operation, unsigned mask, unsigned value);
/// @return whether any thread came with true.
bool meet_block(bool value);
void meet_cluster();
/// The two halves of it.
void arrive_at_cluster();
void wait_for_cluster();
unsigned blocks_of_cluster();
unsigned block_of_cluster();
void* shared_of(void* own, unsigned block);
void before_atomic(std::size_t bytes);

/// Of the thread that asks; null in host code.
struct Where {
    void const* kernel = nullptr;  ///< Launch::function
    std::uint64_t meetings = 0;    ///< barriers and operations of its warp that it has come from
};
Where where();

struct Outcome {
    std::string failure;  ///< empty: none
    Counts counts;
};
/// Runs a kernel to its end, or until it fails.
Outcome run(Launch const& launch);

}  // namespace emulated_gpu
