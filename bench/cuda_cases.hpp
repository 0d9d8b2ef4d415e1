// What cuda_bench measures: studies by name, each with its network, traffic, metrics and shape.
#pragma once

#include "bench/rooms.hpp"
#include "host/study/plan/study_plan.hpp"
#include "kernels/executor.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tailback::bench {

/// How much is done: on a GPU, or on an emulated device, where networks are small and figures mean nothing.
enum class BenchSize { whole, small };

/// How switches whose networks have candidate sets send flows: by their tables, equally over all candidate ports, or by
/// one that a hash draws.
enum class CaseDivision { none, equal, hashed };
struct DividedPlan;
struct HashedPlan;

struct StudyCase {
    std::string name;     ///< group/network/what
    std::string network;  ///< of `fabric_named`
    std::function<Study(Fabric const&)> study;
    std::optional<CudaTeamKind> kind;
    ShapeWishes wishes;
    bool beside_cpu = true;  ///< measured on the host's cores too
    CaseDivision division = CaseDivision::none;
};

/// A case's study, planned as a long one, and who evaluates it.
class PlannedCase {
public:
    PlannedCase(StudyCase const& one, BenchSize size);
    ~PlannedCase();
    PlannedCase(PlannedCase const&) = delete;

    StudyPlan const& plan() const;
    std::unique_ptr<Executor> on_cuda() const;
    std::unique_ptr<Executor> on_cpu(unsigned threads) const;
    /// By the body that the device runs, where it does not walk flow by flow what others have as rows.
    std::unique_ptr<Executor> by_another_way() const;

private:
    StudyCase const& one_;
    StudyPlan whole_;
    std::unique_ptr<DividedPlan const> divided_;
    std::unique_ptr<HashedPlan const> hashed_;
};

/// All of them, those that matter most first within a group.
std::vector<StudyCase> study_cases();

/// Why a network cannot be had here; empty: it can.
std::string reason_against(std::string const& network);

/// The network of that name with its routes. The last one asked for is kept: those of 524,288 hosts take seconds.
/// @throws InputError when files cannot be read
Fabric const& fabric_named(std::string const& network, BenchSize size);

/// The case's study, planned as a long one.
StudyPlan plan_of(StudyCase const& one, BenchSize size);

}  // namespace tailback::bench
