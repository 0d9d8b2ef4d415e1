// A kernel in the shape that suits a problem on a device.
#pragma once

#include "kernels/cuda/kernels.cuh"
#include "kernels/cuda/memory.cuh"
#include "kernels/executor.hpp"
#include "kernels/shape.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tailback::kernels {

/// The current device's.
struct Device {
    Device() {
        int ordinal = 0;
        check(cudaGetDevice(&ordinal), "finding the current device");
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, ordinal), "reading the device's properties");
        name = properties.name;
        limits.multiprocessors = static_cast<std::uint32_t>(properties.multiProcessorCount);
        limits.shared_a_block = properties.sharedMemPerBlockOptin;
        limits.shared_a_multiprocessor = properties.sharedMemPerMultiprocessor;
        limits.shared_kept_back = properties.reservedSharedMemPerBlock;
        limits.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
        limits.largest_cluster = properties.major >= 9 ? 16 : 1;
    }
    DeviceLimits limits;
    std::string name;
};

/// A kernel, ready to be started in a shape.
class Launch {
public:
    Launch() = default;
    /// No blocks where the device cannot hold even one team.
    Launch(CudaKernel kernel, CudaShape const& shape, DeviceLimits const& limits)
        : kernel_(std::move(kernel)), shape_(shape) {
        allow_shared(kernel_.function, shape.shared_bytes);
        std::uint32_t const side_by_side = std::max(1u, shape.blocks_wanted / limits.multiprocessors);
        prefer_shared(kernel_.function, side_by_side * shared_of_block(shape.shared_bytes, limits),
                      limits.shared_a_multiprocessor);
        int at_once = 0;
        if (shape.blocks_a_team > 1) {
            if (shape.blocks_a_team > 8)
                check(cudaFuncSetAttribute(kernel_.function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
                      "asking for large clusters");
            cudaLaunchAttribute cluster;
            cudaLaunchConfig_t const config = configuration(shape.blocks_wanted, nullptr, cluster);
            if (cudaOccupancyMaxActiveClusters(&at_once, kernel_.function, &config) != cudaSuccess) {
                cudaGetLastError();  // the device does not make clusters of that size
                check(cudaDeviceSynchronize(), "asking for clusters");  // or it is broken
                at_once = 0;
            }
        } else {
            check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, kernel_.function,
                                                                static_cast<int>(shape.threads), shape.shared_bytes),
                  "asking for the occupancy");
            at_once *= static_cast<int>(limits.multiprocessors);
        }
        blocks_ = std::min(shape.blocks_wanted, static_cast<std::uint32_t>(at_once) * shape.blocks_a_team);
    }

    void operator()(KernelArguments const& arguments, cudaStream_t stream) const {
        std::uint32_t const teams_a_block = shape_.teams_a_block;
        std::uint32_t const useful = (arguments.count + teams_a_block - 1) / teams_a_block * shape_.blocks_a_team;
        cudaLaunchAttribute cluster;
        std::uint32_t const in_turns =
            shape_.kind == CudaTeamKind::global ? 1 : shape_.turns;  // scratch is a block's there
        cudaLaunchConfig_t const config = configuration(std::min(blocks_ * in_turns, useful), stream, cluster);
        check(kernel_.start(config, arguments), "starting the kernel");
    }
    std::uint32_t blocks() const { return blocks_; }
    std::uint32_t teams() const { return blocks_ * shape_.teams_a_block / shape_.blocks_a_team; }
    CudaShape const& shape() const { return shape_; }
    LaunchFacts facts() const {
        cudaFuncAttributes code{};
        check(cudaFuncGetAttributes(&code, kernel_.function), "reading a kernel's attributes");
        return {shape_.kind,         blocks_,
                shape_.threads,      teams(),
                shape_.shared_bytes, static_cast<std::uint32_t>(code.numRegs),
                code.localSizeBytes};
    }

private:
    cudaLaunchConfig_t configuration(std::uint32_t blocks, cudaStream_t stream, cudaLaunchAttribute& cluster) const {
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(shape_.threads);
        config.dynamicSmemBytes = shape_.shared_bytes;
        config.stream = stream;
        if (shape_.blocks_a_team > 1) {
            cluster = {};
            cluster.id = cudaLaunchAttributeClusterDimension;
            cluster.val.clusterDim.x = shape_.blocks_a_team;
            cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
            config.attrs = &cluster;
            config.numAttrs = 1;
        }
        return config;
    }
    CudaKernel kernel_;
    CudaShape shape_;
    std::uint32_t blocks_ = 0;
};

}  // namespace tailback::kernels
