#include "host/diagnosis/code.hpp"

#include "host/diagnosis/code_rows.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailback::diagnosis {
namespace {

std::vector<CodeInfo> rows_in_order() {
    std::vector<CodeInfo> rows;
    for (std::span<CodeInfo const> const part :
         {codes_of_files(), codes_of_tables(), codes_of_routers(), codes_of_routes()})
        rows.insert(rows.end(), part.begin(), part.end());
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (std::size_t(rows[i].code) != i)
            throw std::logic_error("the row of code " + std::string(rows[i].id) + " is not in the enumeration's order");
    return rows;
}

}  // namespace

std::span<CodeInfo const> all_codes() {
    static std::vector<CodeInfo> const rows = rows_in_order();
    return rows;
}

CodeInfo const& info_of(Code code) { return all_codes()[std::size_t(code)]; }

std::optional<Code> code_of(std::string_view id) {
    auto const at = std::ranges::find_if(all_codes(), [&](CodeInfo const& row) { return row.id == id; });
    return at == all_codes().end() ? std::nullopt : std::optional(at->code);
}

FindingKind kind_of(Code code) {
    CodeInfo const& row = info_of(code);
    if (!row.kind) throw std::logic_error("code " + std::string(row.id) + " has no findings");
    return *row.kind;
}

Disagreement disagreement_of(Code code) {
    CodeInfo const& row = info_of(code);
    if (!row.noted) throw std::logic_error("no reader notes code " + std::string(row.id));
    return *row.noted;
}

}  // namespace tailback::diagnosis
