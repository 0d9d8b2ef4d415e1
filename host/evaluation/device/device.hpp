// Where work runs: the CPU, or a CUDA device that was tried and is worth its start.
#pragma once

#include "host/evaluation/device/device_rates.hpp"
#include "host/evaluation/processes/processes.hpp"
#include "kernels/route_packer.hpp"

#include <cstdint>
#include <string>

namespace tailback::evaluation {

enum class DeviceChoice : std::uint8_t { automatic, cpu, cuda };

/// @throws InputError when `cuda` is asked for and no device can be used, with the reason of each.
void check_device(DeviceChoice choice);

/// One of several processes takes the CUDA device that is its own, where it takes one.
void choose_device(DeviceChoice choice, Processes const& processes);

/// Where work runs.
struct ChosenDevice {
    std::string cuda;  ///< name of the device; empty: the CPU
    std::string note;  ///< why a CUDA device that is there is not used; empty: there is none, or work is too small
};

/// `automatic` takes a CUDA device when one can be used and is expected to end sooner than the CPU (`advise`).
/// @param threads that the CPU would have for it
/// @throws InputError as check_device
ChosenDevice chosen_device(DeviceChoice choice, Work const& work, unsigned threads);

/// What is told of a device that failed while the CPU can still do the work.
std::string note_of_failure(std::exception const& error);

/// Who packs the routes of a study that this choice evaluates.
kernels::MakeRoutePacker route_packer_on(DeviceChoice choice);

}  // namespace tailback::evaluation
