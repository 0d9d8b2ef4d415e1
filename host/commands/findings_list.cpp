#include "host/commands/findings_list.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/diagnosis/code.hpp"

#include <fmt/format.h>

#include <vector>

namespace tailback::commands {
namespace {

constexpr char const* heading =
    R"(# Findings of an audit, and what to do

What `tailback audit` and the warnings of other commands tell, code by code: what a finding means, where it usually
comes from, and what to do. A report has the code behind the place, in brackets, and in JSON as `code`.
`tailback list findings CODE` shows one; `--fail-on` takes codes and kinds. Kinds with a star count as faults unless
`--fail-on` says otherwise. Causes stand before their symptoms: what follows from a cause stands under it, and once
that is mended the rest usually goes, too. [audit.md](audit.md) goes through an audit from the dumps to a decision.

(This page is what `tailback list findings` writes.)
)";

std::string entry_of(diagnosis::CodeInfo const& row) {
    return fmt::format("- `{}`: {}. {} *To do:* {}\n", row.id, row.title, row.meaning, row.remedy);
}

}  // namespace

std::string list_findings() {
    std::string text = heading;
    for (diagnosis::FindingKindInfo const& kind : diagnosis::finding_kinds()) {
        text += fmt::format(
            "\n## {}{}\n\n{}{}.\n\n", kind.name, kind.fails ? " *" : "",
            char(kind.meaning[0] >= 'a' && kind.meaning[0] <= 'z' ? kind.meaning[0] - 'a' + 'A' : kind.meaning[0]),
            kind.meaning + 1);
        for (diagnosis::CodeInfo const& row : diagnosis::all_codes())
            if (row.kind == kind.kind) text += entry_of(row);
    }
    text += "\n## Warnings alone\n\n";
    for (diagnosis::CodeInfo const& row : diagnosis::all_codes())
        if (!row.kind) text += entry_of(row);
    return text;
}

std::string explain_finding(std::string const& id) {
    std::optional<diagnosis::Code> const code = diagnosis::code_of(id);
    if (!code) {
        std::vector<std::string> ids;
        for (diagnosis::CodeInfo const& row : diagnosis::all_codes()) ids.emplace_back(row.id);
        throw base::InputError({}, "there is no \"" + id + "\" among the findings", base::nearest_hint(id, ids),
                               "`tailback list findings` shows them");
    }
    diagnosis::CodeInfo const& row = diagnosis::info_of(*code);
    std::string kind = "a warning alone, no finding";
    if (row.kind) {
        diagnosis::FindingKindInfo const& info = diagnosis::finding_kinds()[std::size_t(*row.kind)];
        kind = fmt::format("kind {}, {}", info.name, info.fails ? "a fault" : "no fault by itself");
    }
    return fmt::format("{}: {}\n  ({})\n\n{}\n\nTo do: {}\n", row.id, row.title, kind, row.meaning, row.remedy);
}

}  // namespace tailback::commands
