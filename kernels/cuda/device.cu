// Which of several CUDA devices a process uses.
#include "kernels/common/team.hpp"
#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/team.cuh"
#include "kernels/executor.hpp"

namespace tailback::kernels {

static_assert(Team<WarpTeam> && TeamOfCounters<WarpTeam>);
static_assert(TeamOfLanes<LaneTeam<FindBy::cells>> && TeamOfLanes<LaneTeam<FindBy::match>> &&
              TeamOfLanes<LaneTeam<FindBy::ballots>>);
static_assert(lane_cells == 0 || lane_cells == 128);  // claim_cells(32)
static_assert(Team<BlockTeam> && TeamOfCounters<BlockTeam> && TeamWithClaims<BlockTeam> && !TeamOfLanes<BlockTeam>);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
static_assert(Team<ClusterTeam> && TeamOfCounters<ClusterTeam>);  // it does not draw
#endif

namespace {

thread_local int preferred = 0;

__global__ void probe_kernel(std::uint32_t* out) { out[threadIdx.x] = 3 * threadIdx.x + 1; }

/// Runs a kernel on the current device. @throws DeviceError with the reason when that is not possible.
void probe() {
    constexpr std::uint32_t count = 32;
    DeviceArray<std::uint32_t> const out(count);
    launch(probe_kernel, 1, count, 0, nullptr, out.data());
    std::uint32_t found[count];
    out.fetch(found);
    for (std::uint32_t i = 0; i < count; ++i)
        if (found[i] != 3 * i + 1) throw DeviceError("CUDA: a kernel came to wrong numbers");
}

/// Makes a device current and tries it. @return why it cannot be used; empty: it can.
std::string reason_against(int ordinal) {
    try {
        check(cudaSetDevice(ordinal), "choosing the device");
        probe();
    } catch (std::exception const& error) {
        return error.what();
    }
    return "";
}

std::string name_of(int ordinal) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, ordinal) != cudaSuccess) return "device " + std::to_string(ordinal);
    return std::string(properties.name) + ", compute capability " + std::to_string(properties.major) + "." +
           std::to_string(properties.minor);
}

/// Tries devices from `first` on, counted round, until `most` can be used.
CudaDevices try_devices(int first, std::size_t most) {
    CudaDevices found;
    int count = 0, driver = 0;
    if (cudaError_t const error = cudaGetDeviceCount(&count); error != cudaSuccess) {  // leaves `count` alone
        cudaGetLastError();
        found.reason = cudaGetErrorString(error);
        if (error != cudaErrorNoDevice && cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0)
            found.refused.push_back("the driver: " + found.reason);
        return found;
    }
    for (int i = 0; i < count && found.names.size() < most; ++i) {
        int const ordinal =
            static_cast<int>((static_cast<unsigned>(first) + static_cast<unsigned>(i)) % static_cast<unsigned>(count));
        std::string const name = name_of(ordinal), reason = reason_against(ordinal);
        if (reason.empty()) found.names.push_back(name.substr(0, name.find(", compute")));
        else found.refused.push_back(name + ": " + reason);
    }
    if (!found.names.empty()) return found;
    for (std::string const& refused : found.refused) found.reason += (found.reason.empty() ? "" : "; ") + refused;
    if (count == 0) found.reason = "the driver lists no device";
    return found;
}

}  // namespace

CudaDevices find_cuda_devices() {
    CudaDevices found = try_devices(0, ~std::size_t{0});
    if (!found.names.empty()) use_cuda_device();  // the one that was tried last need not be the one to use
    return found;
}

CudaDevices use_cuda_device() { return try_devices(preferred, 1); }

bool lists_cuda_device() {
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess) return count > 0;
    cudaGetLastError();
    return false;
}

void prefer_cuda_device(unsigned wanted) { preferred = static_cast<int>(wanted % 1024); }

}  // namespace tailback::kernels
