// The command line of `tailback audit`, as values.
#pragma once

#include "host/audit/findings/finding.hpp"
#include "host/commands/input.hpp"
#include "host/commands/worst_case.hpp"
#include "host/evaluation/evaluation.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tailback {

enum class AuditFormat : std::uint8_t { text, json, csv, dot, svg };

struct AuditOptions {
    bool help = false;

    NetworkChoice input;
    std::string sl2vl, path_sl;  ///< files; empty = one lane
    std::vector<std::string> without_cables, without_switches;
    bool criticality = false;
    std::string roots;  ///< a file; empty = inferred
    std::string hosts;  ///< a glob; empty = all
    bool aggregation_nodes_are_hosts = false;

    std::vector<FindingKind> fail_on;
    AuditFormat format = AuditFormat::text;
    std::uint64_t top = 10;  ///< findings of each kind, and links, that the text names
    std::string output;
    std::string picture, run_info;  ///< empty = not asked for

    WorstCaseOptions worst_case;
    std::vector<std::string> network_words;  ///< as given: what tells `evaluate` of the same fabric

    DeviceChoice device = DeviceChoice::automatic;
    unsigned threads = 0;

    std::vector<std::string> outputs() const;
};

/// @throws InputError for anything that is not right in itself; files are not opened.
AuditOptions parse_audit_options(std::vector<std::string> const& arguments);

/// What `--help` prints.
std::string audit_help();

}  // namespace tailback
