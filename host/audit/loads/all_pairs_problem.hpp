// The question about all pairs laid out for the kernel: the arrays behind an AuditView.
#pragma once

#include "host/audit/loads/all_pairs.hpp"
#include "host/audit/loads/distances.hpp"
#include "kernels/audit_executor.hpp"

#include <span>
#include <vector>

namespace tailback::audit {

/// Owns what the view points to. The forwarding must outlive it.
class AuditProblem {
public:
    AuditProblem(model::Forwarding const& forwarding, AllPairsRequest const& request,
                 std::span<model::Destination const> destinations, unsigned threads);
    AuditProblem(AuditProblem const&) = delete;

    kernels::AuditView const& view() const { return view_; }
    /// As many as `destinations`.
    std::span<kernels::AuditDestination const> asked() const { return asked_; }
    kernels::AuditTables tables() const;

private:
    model::Forwarding const& forwarding_;
    model::Senders senders_;
    std::vector<std::uint8_t> entry_links_;
    std::vector<std::uint32_t> table_of_row_;
    Distances distances_;
    std::vector<std::uint8_t> in_port8_;
    std::vector<std::uint16_t> in_port16_;
    kernels::AuditView view_;
    std::vector<kernels::AuditDestination> asked_;
};

}  // namespace tailback::audit
