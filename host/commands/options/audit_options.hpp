// The command line of `tailback audit`, as values.
#pragma once

#include "host/api/audit.hpp"
#include "host/audit/findings/finding.hpp"
#include "host/commands/options/worst_case_options.hpp"
#include "host/report/forms.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tailback::commands {

struct AuditOptions {
    api::AuditChoice choice;
    WorstCaseOptions worst_case;  ///< what of it is written

    std::vector<audit::FindingKind> fail_on;
    std::vector<audit::Code> fail_on_codes;
    report::Form format = report::Form::text;
    std::uint64_t top = 10;  ///< findings of each kind, and links, that the text names
    std::string output;
    std::string picture, run_info, certificate;  ///< empty = not asked for

    bool asks_bounds = false;                ///< --bound or --ebb is given
    result::OtherCommands others;            ///< for next steps
    std::vector<std::string> network_words;  ///< as given: what tells `evaluate` of the same fabric

    std::vector<std::string> outputs() const;
};

/// @throws InputError for anything that is not right in itself; files are not opened.
AuditOptions parse_audit_options(std::vector<std::string> const& arguments);

}  // namespace tailback::commands
