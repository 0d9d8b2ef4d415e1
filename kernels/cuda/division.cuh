// Equal division on a CUDA device: its plan in device memory, and its kernels.
#pragma once

#include "kernels/cuda/kernels.cuh"
#include "kernels/cuda/memory.cuh"
#include "kernels/division/division_state.hpp"

#include <type_traits>
#include <vector>

namespace tailback::kernels {

/// Mappings side by side in a block: the lanes of its warps, which share the classes of each.
inline constexpr std::uint32_t division_lanes = 32;
/// Bytes of shared memory a warp for their teams' collectives, at the beginning.
inline constexpr std::size_t division_exchange = division_lanes * sizeof(std::uint64_t);

/// The plan's arrays in device memory, and a view of them.
class DeviceDivision {
public:
    explicit DeviceDivision(DivisionView const& d) : view(d) {
        view.each_array([&]<class Item>(Item const*& array, std::size_t count) {
            arrays_.push_back(upload(reinterpret_cast<unsigned char const*>(array), count * sizeof(Item)));
            array = reinterpret_cast<Item const*>(arrays_.back().data());
        });
    }
    DivisionView view;

private:
    std::vector<DeviceArray<unsigned char>> arrays_;
};

/// A kernel of 32 mappings a block. `in_shared`: what classes pass on lies in shared memory, else in global memory.
CudaKernel division_kernel_for(DivisionView const& on_device, bool in_shared);

}  // namespace tailback::kernels
