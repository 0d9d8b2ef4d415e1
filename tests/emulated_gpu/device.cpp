// The emulated device as the host sees it: properties, memory, streams, launches.
#include <cuda_runtime.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace emulated_gpu {

/// A piece of a stream's work: a kernel, or anything else.
struct Work {
    std::function<void()> other;
    std::shared_ptr<Launch const> kernel;
};

struct Stream {
    std::deque<Work> waiting;
    std::uint64_t done = 0;  ///< pieces of work, the one under way among them
    bool busy = false;       ///< one is under way, or held back by an event
    int priority = 0;
    std::uint64_t asked() const { return done + waiting.size(); }
};

struct Event {
    Stream* stream = nullptr;
    std::uint64_t number = 0;
};

namespace {

constexpr std::size_t static_shared = 800;  ///< at most, of our kernels

struct State {
    std::vector<Device> devices = {Device{}};
    std::size_t current = 0;
    Device const& device() const { return devices[current]; }
    Stream main;  ///< the default stream
    std::vector<Stream*> streams = {&main};
    std::set<Event*> events;
    struct Region {
        std::size_t mapped, bytes;
        std::byte* first_page;
    };
    std::map<std::byte*, Region> regions;
    std::size_t in_use = 0;
    std::set<void*> pinned;  ///< memory of the host
    std::map<void const*, std::size_t> shared_allowed;
    std::map<void const*, int> carveouts;
    std::set<void const*> large_clusters;
    std::string failure;
    Counts counts;
    cudaError_t last = cudaSuccess;
    unsigned working = 0;
    std::uint64_t calls = 0, breaks_at = 0;
    std::string broken_call;
    std::vector<Step> steps;
    std::uint64_t property_queries = 0;
    std::set<std::size_t> contexts;  ///< of which devices
    bool driver_is_old = false;
};
State& state() {
    static State* const one = [] {
        auto* const made = new State;  // never destroyed: arrays that outlive main may still free
        if (char const* const at = std::getenv("TAILBACK_EMULATED_GPU_BREAKS_AT"))
            made->breaks_at = std::strtoull(at, nullptr, 10);
        return made;
    }();
    return *one;
}

/// Null: the default stream.
Stream& stream_of(Stream* stream) { return stream == nullptr ? state().main : *stream; }

/// Can a kernel have clusters of so many blocks?
bool makes_clusters(void const* function, unsigned blocks) {
    return state().device().generation >= 9 && blocks <= state().device().largest_cluster &&
           (blocks <= 8 || state().large_clusters.contains(function));
}

std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

cudaError_t tell(cudaError_t error) {
    if (error != cudaSuccess) state().last = error;
    return error;
}
cudaError_t told() { return tell(state().failure.empty() ? cudaSuccess : cudaErrorLaunchFailure); }
/// Every call begins with this. An error of the device lasts: all calls fail from then on.
cudaError_t begin(char const* call) {
    if (++state().calls == state().breaks_at && state().failure.empty()) {
        state().failure = std::string("the device was broken on purpose at ") + call;
        state().broken_call = call;
    }
    return told();
}
/// Of the current device, where there is none yet.
cudaError_t make_context() {
    if (state().device().refuses_context == 0) state().contexts.insert(state().current);
    return tell(static_cast<cudaError_t>(state().device().refuses_context));
}
/// Of calls that need a context.
cudaError_t begin_in_context(char const* call) {
    if (cudaError_t const error = begin(call); error != cudaSuccess) return error;
    return make_context();
}
/// Of calls about a kernel.
cudaError_t begin_with_kernel(char const* call) {
    if (cudaError_t const error = begin_in_context(call); error != cudaSuccess) return error;
    return tell(state().device().compiled_for == 0 ? cudaErrorNoKernelImageForDevice : cudaSuccess);
}
#define TAILBACK_BEGIN(how) \
    if (cudaError_t const error_before = how(__func__); error_before != cudaSuccess) return error_before

/// Device memory can be touched while one lives.
class Working {
public:
    Working() {
        if (state().working++ == 0) protect(PROT_READ | PROT_WRITE);
    }
    ~Working() {
        if (--state().working == 0) protect(PROT_NONE);
    }

private:
    static void protect(int how) {
        for (auto const& [memory, region] : state().regions) mprotect(region.first_page, region.mapped - page(), how);
    }
};

/// A file of rubbish, of which large arrays are copies: pages that nobody writes to cost nothing. -1: there is none.
constexpr std::size_t rubbish_bytes = 4 << 20;
int rubbish_file() {
    static int const file = [] {
        int const made = memfd_create("rubbish", MFD_CLOEXEC);
        std::vector<char> const rubbish(rubbish_bytes, '\xA5');
        return made >= 0 && write(made, rubbish.data(), rubbish.size()) == ssize_t(rubbish.size()) ? made : -1;
    }();
    return file;
}

/// So many bytes, whole pages. Null: there is no room.
std::byte* pages_of_rubbish(std::size_t bytes) {
    constexpr int writable = PROT_READ | PROT_WRITE, own = MAP_PRIVATE | MAP_NORESERVE;
    void* const pages = mmap(nullptr, bytes, writable, own | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return nullptr;
    auto* const first = static_cast<std::byte*>(pages);
    bool copied = bytes >= rubbish_bytes && rubbish_file() >= 0;
    for (std::size_t at = 0; at < bytes && copied; at += rubbish_bytes)
        copied = mmap(first + at, std::min(rubbish_bytes, bytes - at), writable, own | MAP_FIXED, rubbish_file(), 0) !=
                 MAP_FAILED;
    if (!copied) std::memset(first, 0xA5, bytes);
    return first;
}

/// Words that begin like flags or small numbers are let pass: behind those may lie padding, in which old pointers may
/// lie. So one pointer in 256 is missed; and all where AddressSanitizer maps half of the addresses there are.
bool is_mapped_host_memory(std::uintptr_t word) {
#ifdef __SANITIZE_ADDRESS__
    word = 0;
#endif
    bool const like_flags = (word & 0xFEFE) == 0, like_a_number = (word & 0xFFFFFFFF) < 1 << 24;
    if (like_flags || like_a_number || word % 8 != 0 || word >> 47 != 0) return false;
    auto* const at = reinterpret_cast<std::byte*>(word);
    auto const after = state().regions.upper_bound(at);
    if (after != state().regions.begin())
        if (auto const& [memory, region] = *std::prev(after); at <= memory + region.bytes) return false;
    unsigned char resident = 0;
    return mincore(reinterpret_cast<void*>(word / page() * page()), 1, &resident) == 0;
}

/// Words of kernel arguments that look like pointers are the device's.
void check_arguments(Launch const& launch) {
    std::size_t number = 0;
    for (Launch::Bytes const& bytes : launch.arguments) {
        ++number;
        for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= bytes.count; at += sizeof(std::uintptr_t)) {
            std::uintptr_t word = 0;
            std::memcpy(&word, static_cast<std::byte const*>(bytes.first) + at, sizeof word);
            if (is_mapped_host_memory(word)) {
                state().failure = "argument " + std::to_string(number) +
                                  " of a kernel holds a pointer to host memory at byte " + std::to_string(at);
                return;
            }
        }
    }
}

Work next_of(Stream& stream) {
    Work work = std::move(stream.waiting.front());
    stream.waiting.pop_front();
    ++stream.done;
    return work;
}

/// Runs a kernel, and at the same time one of another stream that nothing holds back.
void run_kernels(std::shared_ptr<Launch const> const& kernel) {
    Working const working;
    check_arguments(*kernel);
    if (!state().failure.empty()) return;
    Outcome beside;
    std::thread other;
    for (Stream* const stream : state().streams) {
        if (stream->busy || stream->waiting.empty() || stream->waiting.front().kernel == nullptr) continue;
        std::shared_ptr<Launch const> const second = next_of(*stream).kernel;
        check_arguments(*second);
        if (state().failure.empty()) other = std::thread([&beside, second] { beside = run(*second); });
        break;
    }
    Outcome const outcome = run(*kernel);
    if (other.joinable()) other.join();
    (state().counts += outcome.counts) += beside.counts;
    if (state().failure.empty()) state().failure = outcome.failure.empty() ? beside.failure : outcome.failure;
}

/// Does a stream's work up to piece `number`.
void drain(Stream& stream, std::uint64_t number) {
    if (stream.done >= number || stream.waiting.empty()) return;
    Working const working;  // the program goes on when all of it is done
    while (stream.done < number && !stream.waiting.empty()) {
        Work const work = next_of(stream);
        if (!state().failure.empty()) continue;
        stream.busy = true;
        if (work.kernel != nullptr) run_kernels(work.kernel);
        else work.other();
        stream.busy = false;
    }
}
void drain(Stream& stream) { drain(stream, stream.asked()); }
/// The youngest stream first.
void drain_all() {
    auto const& streams = state().streams;
    if (std::all_of(streams.begin(), streams.end(), [](Stream const* each) { return each->waiting.empty(); })) return;
    Working const working;
    for (std::size_t s = streams.size(); s-- > 0;) drain(*streams[s]);
}

/// Bytes of dynamic shared memory that blocks of a kernel may have.
std::size_t shared_allowed(void const* function) {
    auto const asked = state().shared_allowed.find(function);
    return asked == state().shared_allowed.end() ? (48 << 10) - static_shared : asked->second;
}

std::size_t shared_of_block(std::size_t dynamic) { return dynamic + static_shared + (1 << 10); }

}  // namespace

void reset(Device const& device) { reset(std::vector{device}); }
void reset(std::vector<Device> const& devices) {
    drain_all();
    if (!state().failure.empty()) {  // what could not be given back
        for (auto const& [memory, region] : state().regions) munmap(region.first_page, region.mapped);
        state().regions.clear();
        state().in_use = 0;
        for (Stream* const stream : state().streams)
            if (stream != &state().main) delete stream;
        state().streams = {&state().main};
        for (Event* const event : state().events) delete event;
        state().events.clear();
    }
    state().devices = devices;
    state().current = 0;
    state().contexts.clear();
    state().failure.clear();
    state().counts = {};
    state().last = cudaSuccess;
    state().shared_allowed.clear();
    state().large_clusters.clear();
    state().carveouts.clear();
    state().calls = state().breaks_at = 0;
    state().broken_call.clear();
    state().steps.clear();
    state().property_queries = 0;
    state().driver_is_old = false;
}
void break_at(std::uint64_t call) { state().breaks_at = state().calls + call; }
void use_old_driver() { state().driver_is_old = true; }
std::vector<Step> steps() { return state().steps; }
std::string broken_call() { return state().broken_call; }
std::string failure() { return state().failure; }
std::uint64_t property_queries() { return state().property_queries; }
std::size_t contexts() { return state().contexts.size(); }
std::size_t memory_in_use() { return state().in_use; }
std::size_t pinned_arrays() { return state().pinned.size(); }
Counts counts() { return state().counts; }
Counts& Counts::operator+=(Counts const& other) {
    kernels += other.kernels;
    atomics += other.atomics;
    wide_atomics += other.wide_atomics;
    warp_operations += other.warp_operations;
    block_barriers += other.block_barriers;
    cluster_barriers += other.cluster_barriers;
    return *this;
}

void enqueue(Stream* stream, std::function<void()> work) {
    stream_of(stream).waiting.push_back({[work = std::move(work)] {
                                             Working const working;
                                             work();
                                         },
                                         nullptr});
}

int start(Launch launch, Stream* stream) {
    if (cudaError_t const error = begin_with_kernel("cudaLaunchKernelEx"); error != cudaSuccess) return error;
    if (launch.blocks == 0 || launch.threads == 0 || launch.threads > 1024 || launch.threads % 32 != 0 ||
        launch.shared_bytes > shared_allowed(launch.function))
        return tell(cudaErrorInvalidConfiguration);
    if (launch.cluster > 1 && (!makes_clusters(launch.function, launch.cluster) || launch.blocks % launch.cluster != 0))
        return tell(cudaErrorInvalidConfiguration);
    state().steps.push_back({Step::What::start, launch.function, stream_of(stream).priority});
    stream_of(stream).waiting.push_back({{}, std::make_shared<Launch const>(std::move(launch))});
    return cudaSuccess;
}

}  // namespace emulated_gpu

using namespace emulated_gpu;

cudaError_t cudaGetDeviceCount(int* count) {
    TAILBACK_BEGIN(begin);
    if (state().driver_is_old) return tell(cudaErrorInsufficientDriver);
    if (state().devices.empty()) return tell(cudaErrorNoDevice);
    *count = static_cast<int>(state().devices.size());
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
    *version = state().driver_is_old ? 11000 : 13000;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* ordinal) {
    TAILBACK_BEGIN(begin);
    *ordinal = static_cast<int>(state().current);
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int ordinal) {
    TAILBACK_BEGIN(begin);
    if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= state().devices.size()) return tell(cudaErrorInvalidValue);
    state().current = static_cast<std::size_t>(ordinal);
    return make_context();  // since CUDA 12
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int ordinal) {
    TAILBACK_BEGIN(begin);
    if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= state().devices.size()) return tell(cudaErrorInvalidValue);
    Device const& device = state().devices[static_cast<std::size_t>(ordinal)];
    ++state().property_queries;
    *properties = {};
    device.name.copy(properties->name, sizeof properties->name - 1);
    properties->major = static_cast<int>(device.generation);
    properties->multiProcessorCount = static_cast<int>(device.multiprocessors);
    properties->l2CacheSize = static_cast<int>(device.l2_bytes);
    properties->sharedMemPerBlockOptin = device.shared_a_block;
    properties->sharedMemPerMultiprocessor = device.shared_a_multiprocessor;
    properties->reservedSharedMemPerBlock = 1 << 10;
    return cudaSuccess;
}
cudaError_t cudaGetLastError() {
    cudaError_t const last = std::exchange(state().last, cudaSuccess);
    return state().failure.empty() ? last : cudaErrorLaunchFailure;
}
char const* cudaGetErrorString(cudaError_t error) {
    switch (error) {
        case cudaSuccess: return "no error";
        case cudaErrorInvalidValue: return "invalid argument";
        case cudaErrorMemoryAllocation: return "out of memory";
        case cudaErrorInvalidConfiguration: return "invalid configuration argument";
        case cudaErrorInsufficientDriver: return "CUDA driver version is insufficient for CUDA runtime version";
        case cudaErrorDevicesUnavailable: return "CUDA-capable device(s) is/are busy or unavailable";
        case cudaErrorNoDevice: return "no CUDA-capable device is detected";
        case cudaErrorNoKernelImageForDevice: return "no kernel image is available for execution on the device";
        case cudaErrorLaunchFailure: return state().failure.c_str();
    }
    return "unknown error";
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
    TAILBACK_BEGIN(begin_in_context);
    *memory = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (bytes > state().device().memory || state().in_use > state().device().memory - bytes)
        return tell(cudaErrorMemoryAllocation);
    // It ends where an untouchable page begins, but for the alignment.
    std::size_t const rounded = (bytes + 15) / 16 * 16, mapped = (rounded + page() - 1) / page() * page() + page();
    std::byte* const first_page = pages_of_rubbish(mapped);
    if (first_page == nullptr) return tell(cudaErrorMemoryAllocation);
    std::byte* const first = first_page + (mapped - page() - rounded);
    mprotect(first_page, mapped, PROT_NONE);
    if (state().working > 0) mprotect(first_page, mapped - page(), PROT_READ | PROT_WRITE);
    state().regions[first] = {mapped, bytes, first_page};
    state().in_use += bytes;
    *memory = first;
    return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
    if (memory == nullptr) return cudaSuccess;
    TAILBACK_BEGIN(begin_in_context);
    drain_all();
    auto const found = state().regions.find(static_cast<std::byte*>(memory));
    if (found == state().regions.end()) return tell(cudaErrorInvalidValue);
    munmap(found->second.first_page, found->second.mapped);
    state().in_use -= found->second.bytes;
    state().regions.erase(found);
    return cudaSuccess;
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
    TAILBACK_BEGIN(begin_in_context);
    *memory = std::malloc(bytes);
    if (*memory == nullptr) return tell(cudaErrorMemoryAllocation);
    std::memset(*memory, 0xA5, bytes);
    state().pinned.insert(*memory);
    return cudaSuccess;
}
/// It is the host's memory: a broken device tells its error, and the memory is given back all the same.
cudaError_t cudaFreeHost(void* memory) {
    if (memory == nullptr) return cudaSuccess;
    cudaError_t const error = begin_in_context(__func__);
    drain_all();
    if (state().pinned.erase(memory) == 0) return error != cudaSuccess ? error : tell(cudaErrorInvalidValue);
    std::free(memory);
    return error;
}
cudaError_t cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) {
    TAILBACK_BEGIN(begin_in_context);
    if (kind == cudaMemcpyHostToDevice) {  // the host's memory is free, and the copy under way
        auto const* const first = static_cast<std::byte const*>(from);
        enqueue(nullptr, [to, kept = std::vector(first, first + bytes)] { std::memcpy(to, kept.data(), kept.size()); });
        return cudaSuccess;
    }
    drain(state().main);
    if (cudaError_t const error = told(); error != cudaSuccess) return error;
    Working const working;
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
    TAILBACK_BEGIN(begin_in_context);
    enqueue(nullptr, [=] { std::memset(memory, value, bytes); });
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
    TAILBACK_BEGIN(begin_in_context);
    enqueue(stream, [=] { std::memcpy(to, from, bytes); });
    return told();
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
    TAILBACK_BEGIN(begin_in_context);
    enqueue(stream, [=] { std::memset(memory, value, bytes); });
    return told();
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    TAILBACK_BEGIN(begin_in_context);
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    TAILBACK_BEGIN(begin_in_context);
    if (flags != cudaStreamNonBlocking) return tell(cudaErrorInvalidValue);  // the one kind that is emulated
    *stream = new Stream;
    (*stream)->priority = priority;
    state().streams.push_back(*stream);
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    TAILBACK_BEGIN(begin_in_context);
    drain_all();  // others may wait for it
    if (std::erase(state().streams, stream) == 0) return tell(cudaErrorInvalidValue);
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    TAILBACK_BEGIN(begin_in_context);
    state().steps.push_back({Step::What::wait, nullptr, stream_of(stream).priority});
    drain(stream_of(stream));
    return told();
}
cudaError_t cudaDeviceSynchronize() {
    TAILBACK_BEGIN(begin_in_context);
    state().steps.push_back({Step::What::wait, nullptr, 0});
    drain_all();
    return told();
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    TAILBACK_BEGIN(begin_in_context);
    if (event->stream != nullptr)
        stream->waiting.push_back(
            {[other = event->stream, number = event->number] { drain(*other, number); }, nullptr});
    return told();
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    TAILBACK_BEGIN(begin_in_context);
    *event = new Event;
    state().events.insert(*event);
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    TAILBACK_BEGIN(begin_in_context);
    if (state().events.erase(event) == 0) return tell(cudaErrorInvalidValue);
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    TAILBACK_BEGIN(begin_in_context);
    *event = {stream, stream->asked()};
    return told();
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const* function) {
    TAILBACK_BEGIN(begin_with_kernel);
    *attributes = {static_cast<int>(state().device().compiled_for), static_cast<int>(shared_allowed(function))};
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(void const* function, cudaFuncAttribute attribute, int value) {
    TAILBACK_BEGIN(begin_with_kernel);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
        state().carveouts[function] = value;
        return cudaSuccess;
    }
    if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) {
        if (value != 0) state().large_clusters.insert(function);
        else state().large_clusters.erase(function);
        return cudaSuccess;
    }
    if (value < 0 || static_cast<std::size_t>(value) + static_shared > state().device().shared_a_block)
        return tell(cudaErrorInvalidValue);
    state().shared_allowed[function] = static_cast<std::size_t>(value);
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const* function, int threads,
                                                          std::size_t dynamic_shared) {
    TAILBACK_BEGIN(begin_with_kernel);
    // 65,536 registers, of which a thread of our kernels may have 64.
    // The first cache gets what is not preferred as shared memory, where one block does not need it.
    std::size_t const a_block = shared_of_block(dynamic_shared), all = state().device().shared_a_multiprocessor;
    auto const preferred = static_cast<std::size_t>(state().carveouts[function]);
    std::size_t const room = std::max(all * preferred / 100, a_block);
    std::size_t const by_shared = std::min(room, all) / a_block;
    *blocks = static_cast<int>(std::min<std::size_t>(by_shared, 1024 / static_cast<std::size_t>(threads)));
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, void const* function, cudaLaunchConfig_t const* config) {
    TAILBACK_BEGIN(begin_with_kernel);
    unsigned const blocks = config->attrs[0].val.clusterDim.x;
    if (!makes_clusters(function, blocks)) return tell(cudaErrorInvalidConfiguration);
    *clusters = static_cast<int>(state().device().multiprocessors / blocks);
    return cudaSuccess;
}
