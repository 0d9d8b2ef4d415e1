// Who makes rows of routes from tables: the CPU's cores, or a CUDA device. Both give the same rows, bit for bit.
#pragma once

#include "kernels/routes/pack.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tailback::kernels {

/// A study's routes as its tables tell them. The arrays must outlive the packer.
struct PackProblem {
    PackView view;
    void const* entries = nullptr;  ///< [tables][lids], 8 or 16 bits each
    bool wide = false;
    std::size_t tables = 0, lids = 0;
    std::uint32_t const* table_of_row = nullptr;   ///< kernels/routes/walk.hpp
    std::uint32_t arrivals = 0;                    ///< entries of the forwarding's row_of_arrival
    std::atomic<std::uint64_t>* walked = nullptr;  ///< counts destinations whose routes were walked; null = nobody asks
};

/// Rows in the memory of the device that made them.
struct DeviceRows {
    virtual ~DeviceRows() = default;
    virtual void const* rows() const = 0;
    /// The number of the device.
    virtual int device() const = 0;
};

class RoutePacker {
public:
    virtual ~RoutePacker() = default;
    /// How the walks to every `step`-th destination end.
    virtual PairSums look(std::uint32_t step) = 0;
    /// Fills `rows`: [group][destination][width], slots of 16 bits or of 32.
    virtual PairSums pack_rows(std::byte* rows, std::uint32_t width, bool slots32) = 0;
    /// Fills `steps`: [step_rows][destination].
    virtual void pack_steps(std::uint32_t* steps) = 0;
    /// The rows that were packed last, where they lie on a device; null otherwise.
    virtual std::shared_ptr<DeviceRows const> on_device() const { return nullptr; }
};

std::unique_ptr<RoutePacker> make_cpu_route_packer(PackProblem const& problem);
/// @throws DeviceError when there is no device or memory does not suffice.
std::unique_ptr<RoutePacker> make_cuda_route_packer(PackProblem const& problem);

/// Which of these.
using MakeRoutePacker = std::unique_ptr<RoutePacker> (*)(PackProblem const&);

}  // namespace tailback::kernels
