// Who runs the audit's kernel over all destinations: the CPU's cores, or a CUDA device.
#pragma once

#include "kernels/audit/audit_problem.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tailback::kernels {

/// The tables as they lie in memory, for a device: [table][lid], and where the CPU gets whole columns from.
struct AuditTables {
    void const* entries = nullptr;  ///< [table][lids], 8 or 16 bits each
    bool wide = false;
    std::size_t lids = 0;
    std::size_t tables = 0;
    std::uint32_t const* table_of_row = nullptr;  ///< [row] no_row: it has none; no_row - 1: it always sends by port 1
    /// columns(first, count, out): out[lid - first][row], entries of the same width.
    std::function<void(std::uint32_t, std::uint32_t, void*)> columns;
    std::atomic<std::uint64_t>* audited = nullptr;  ///< counts destinations that are done; null = nobody asks
};

/// What the audit counted, as AuditTotals lays it out.
struct AuditSums {
    std::vector<std::uint64_t> hops, excess, load, destinations, reached, detours, wrong_turns;
    std::vector<std::uint32_t> turns;

    AuditSums() = default;
    /// All zero, of the sizes that `view` needs.
    explicit AuditSums(AuditView const& view, bool with_turns = true);
    AuditTotals view();
    /// All but the turns, which threads share.
    void add(AuditSums const& other);
};

/// `destinations` by LID; `tallies` as many. The sums are added to. Equal results whatever runs it.
void audit_on_cpu(AuditView const& view, AuditTables const& tables, std::span<AuditDestination const> destinations,
                  std::span<AuditTally> tallies, AuditSums& sums, unsigned threads);
/// @throws DeviceError when there is no device or memory does not suffice.
void audit_on_cuda(AuditView const& view, AuditTables const& tables, std::span<AuditDestination const> destinations,
                   std::span<AuditTally> tallies, AuditSums& sums);

}  // namespace tailback::kernels
