// The audit of a fabric as a function: what to look for goes in, what was found comes out. Nothing is printed.
#pragma once

#include "host/api/obtain.hpp"
#include "host/audit/audit.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback::api {

struct WorstCaseWishes {
    audit::WorstCaseChoice permutations = audit::WorstCaseChoice::automatic;
    audit::ShiftChoice shifts = audit::ShiftChoice::automatic;
    audit::ShiftOrder order = audit::ShiftOrder::file;
    bool name_permutation = false;  ///< the permutation itself, where `permutations` comes to exact
};

/// Which fabric to audit and what to look for. Nothing is read yet.
struct AuditChoice {
    NetworkChoice network;
    std::string sl2vl, path_sl;      ///< files with virtual lanes and service levels; empty = one lane, level 0
    bool no_service_levels = false;  ///< every path has level 0: nobody needs to tell more
    std::string roots;               ///< a file with the roots of up*/down*; empty = inferred
    std::string hosts;               ///< a glob on names; empty = all
    bool aggregation_nodes_are_hosts = false;
    std::vector<std::string> without_cables, without_switches;  ///< `NODE:PORT`, `NODE`: what if these were gone
    std::string group_by;                                       ///< see audit::group_nodes; empty = no sums
    audit::MissingNodes missing_nodes = audit::MissingNodes::are_refused;  ///< of a file of groups
    bool criticality = false;                                              ///< pairs of every cable
    /// What cables would bring that are missing: `uneven` (those that most switches alike have), `failed` (those that
    /// the network loses here), or an older dump of the network; empty = not asked.
    std::string return_cables;
    std::vector<std::string>
        returned_names;  ///< in place of that: those of `failed`, as model::locate_cable finds them
    bool returns_failed() const { return return_cables == "failed" || !returned_names.empty(); }
    bool returns_cables() const { return !return_cables.empty() || !returned_names.empty(); }
    bool try_routings = false;  ///< what other routings would give
    /// What no tables can beat: by shortest routes or by any; none = not asked.
    std::optional<search::BoundRoutes> bound = search::BoundRoutes::shortest;
    bool circles = true;    ///< where packets can wait for each other, beside the verdict
    bool bisection = true;  ///< the bisection bandwidth to expect, and the most that tables can give
    WorstCaseWishes worst_case;
    evaluation::DeviceChoice device = evaluation::DeviceChoice::automatic;
    unsigned threads = 0;  ///< 0 = all cores

    /// Every file that is read.
    model::NamedFiles named_files() const;
    std::vector<std::string> files() const { return paths_of(named_files()); }
};

/// Hears notes and warnings, and of long work how far it is.
struct AuditListener : Listener {
    using Progress = std::function<void(std::uint64_t done)>;
    /// Work of `total` units begins; what it returns is called with the units done so far.
    std::function<Progress(std::uint64_t total, char const* unit)> start_progress = [](std::uint64_t, char const*) {
        return [](std::uint64_t) {};
    };
};

/// The fabric of an audit; disagreements of dumps are findings of it.
struct AuditedFabric {
    /// @param wanted Wanted::tables, or Wanted::routes for who can do with routes of pairs. @throws InputError
    AuditedFabric(AuditChoice const& choice, Wanted wanted, Listener const& listener);

    std::shared_ptr<model::Fabric const> fabric;
    model::Disagreements disagreements;
    model::NamedFiles used;  ///< files of a folder that were read
    double read_s = 0;
};

/// A fabric that was read or made, and everything an audit found.
class FabricAudit {
public:
    /// @throws InputError for anything wrong with the choice or its files, and for routes that tables cannot hold.
    explicit FabricAudit(AuditChoice const& choice, AuditListener const& listener = {});
    /// The same on a fabric of tables that is there.
    FabricAudit(AuditChoice const& choice, AuditedFabric audited, AuditListener const& listener);
    /// The same of a fabric that is there already, whatever `choice.network` says.
    /// @param disagreements that its readers noted, audit::kept_disagreements of them
    FabricAudit(AuditChoice const& choice, std::shared_ptr<model::Fabric const> fabric,
                model::Disagreements disagreements, AuditListener const& listener);

    model::Fabric const& fabric() const { return *fabric_; }
    audit::Audit const& found() const { return *audit_; }
    /// `cpu`, or the name of the device that counted all pairs.
    std::string const& device() const { return device_; }
    double read_s() const { return read_s_; }
    double audit_s() const { return audit_s_; }
    double worst_case_s() const { return worst_case_s_; }

private:
    void audit_fabric(AuditChoice const& choice, model::Disagreements& disagreements, AuditListener const& listener);

    std::shared_ptr<model::Fabric const> fabric_;
    std::unique_ptr<audit::Audit> audit_;  ///< points to the fabric
    std::string device_ = "cpu";
    double read_s_ = 0, audit_s_ = 0, worst_case_s_ = 0;
};

}  // namespace tailback::api
