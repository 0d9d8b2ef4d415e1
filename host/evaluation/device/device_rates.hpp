// What a CUDA device is worth beside the cores of a CPU, by kind of work: `--device auto` goes by it.
#pragma once

#include "host/study/plan/study_plan.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace tailback::evaluation {

enum class WorkKind : std::uint8_t {
    equal_flows,
    flows_with_bytes,
    max_min_rates,
    completion_times,
    all_to_all,            ///< whose flows are not listed
    all_to_all_histogram,  ///< the same with a histogram of congestions
    equal_division,        ///< of flows among candidate ports, at every switch
    audit,
    packing
};

enum class Source : std::uint8_t { estimated, measured };

struct DeviceRate {
    WorkKind kind;
    char const* name;     ///< what is told to users: something that takes time, in the plural
    std::uint32_t hosts;  ///< the study that it was found with; of a kind's rows the nearest is taken, by ratio
    double core_ns;       ///< what a core takes for a unit of work
    double cores;         ///< so many cores take as long as the device; 0: nobody knows
    Source source;        ///< of `cores`
    char const* device;   ///< that it was estimated for, or measured on
    bool waits = false;   ///< a device is not taken until its rate is measured
};

std::span<DeviceRate const> device_rates();
/// @param hosts nobody asks for where a kind has one row
DeviceRate const& rate_of(WorkKind kind, std::uint32_t hosts = 0);

/// What is to be done, in units of its kind: of a study a unit for every rank that is placed and every link that is
/// met, of an audit for every row and destination, of packing for every pair.
struct Work {
    DeviceRate const& rate;
    double units = 0;
    double core_seconds() const { return units * rate.core_ns * 1e-9; }
};

WorkKind kind_of(study::StudyPlan const& plan);
/// Of a study's share that one of so many processes has. A goal may be reached long before the most mappings.
Work work_of(study::StudyPlan const& plan, unsigned processes = 1);

/// What takes the CPU so many seconds is worth a line about the device, and a device whose rate nobody knows.
inline constexpr double long_work_s = 10;
/// Making a context and loading the program's kernels takes a few tenths of a second.
inline constexpr double device_start_s = 0.5;

struct Advice {
    bool cuda = false;         ///< the device is expected to end sooner than the CPU
    std::string against = {};  ///< why not, where the work takes long; empty: it is short
};
Advice advise(DeviceRate const& rate, double core_seconds, unsigned threads);

}  // namespace tailback::evaluation
