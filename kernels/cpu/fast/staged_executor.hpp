// The executor that goes through a mapping in stages, compiled apart for narrow and wide seats.
#pragma once

#include "kernels/cpu/fast/stages.hpp"
#include "kernels/cpu/workers.hpp"

namespace tailback {

/// Stage by stage: problems that is_staged() holds for and whose routes are rows.
template <class Finder, class Seat>
class StagedWorker {
public:
    StagedWorker(Problem const& p, Finder const& finder, stages::FinderTables const& tables)
        : sums(p), tables_(tables), mapping_(p, finder) {}
    MappingTally evaluate(std::uint64_t m) { return mapping_.evaluate(m, sums.view()); }
    Totals sums;

private:
    stages::FinderTables tables_;
    stages::Mapping<Finder, Seat> mapping_;
};

/// Null where the stages do not apply (stages::with_stages). Seat: std::uint16_t, where it suffices for seats and
/// ranks, or std::uint32_t.
template <class Seat>
std::unique_ptr<Executor> make_staged_executor(Problem const& problem, unsigned threads) {
    std::unique_ptr<Executor> executor;
    stages::FinderTables tables;
    stages::with_stages_of<Seat>(problem, tables, [&]<class Finder>(Finder const& finder) {
        executor = std::make_unique<CpuExecutor<StagedWorker<Finder, Seat>>>(threads, problem, finder, tables);
    });
    return executor;
}

extern template std::unique_ptr<Executor> make_staged_executor<std::uint16_t>(Problem const&, unsigned);
extern template std::unique_ptr<Executor> make_staged_executor<std::uint32_t>(Problem const&, unsigned);

}  // namespace tailback
