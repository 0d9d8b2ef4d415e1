// The question about all pairs laid out for the kernel: the arrays behind an AuditView.
#pragma once

#include "host/audit/loads/all_pairs.hpp"
#include "host/audit/loads/distances.hpp"
#include "kernels/audit_executor.hpp"

#include <span>
#include <vector>

namespace tailback {

/// Owns what the view points to. The forwarding must outlive it.
class AuditProblem {
public:
    AuditProblem(Forwarding const& forwarding, AllPairsRequest const& request,
                 std::span<Destination const> destinations, unsigned threads);
    AuditProblem(AuditProblem const&) = delete;

    AuditView const& view() const { return view_; }
    /// As many as `destinations`.
    std::span<AuditDestination const> asked() const { return asked_; }
    AuditTables tables() const;

private:
    Forwarding const& forwarding_;
    Senders senders_;
    std::vector<std::uint8_t> entry_links_;
    std::vector<std::uint32_t> table_of_row_;
    Distances distances_;
    std::vector<std::uint8_t> in_port8_;
    std::vector<std::uint16_t> in_port16_;
    AuditView view_;
    std::vector<AuditDestination> asked_;
};

}  // namespace tailback
