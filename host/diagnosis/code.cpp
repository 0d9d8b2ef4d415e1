#include "host/diagnosis/code.hpp"

#include "host/base/extensions.hpp"
#include "host/diagnosis/code_rows.hpp"
#include "host/diagnosis/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailback::diagnosis {
namespace {

Registry const& added() {
    static Registry const all = base::with_extensions(Registry{});
    return all;
}

/// A code of an extension that is not built has no row.
std::vector<CodeInfo> rows_in_order() {
    std::vector<CodeInfo> rows;
    for (std::span<CodeInfo const> const part : {codes_of_files(), codes_of_tables(), codes_of_routes(),
                                                 std::span(added().codes), std::span(added().codes_of_ip)}) {
        for (std::size_t i = 1; i < part.size(); ++i)
            if (part[i - 1].code >= part[i].code)
                throw std::logic_error(fmt::format("the row of code {} is not in the enumeration's order", part[i].id));
        rows.insert(rows.end(), part.begin(), part.end());
    }
    std::ranges::sort(rows, {}, &CodeInfo::code);
    return rows;
}

}  // namespace

std::span<CodeInfo const> all_codes() {
    static std::vector<CodeInfo> const rows = rows_in_order();
    return rows;
}

CodeInfo const& info_of(Code code) {
    auto const at = std::ranges::lower_bound(all_codes(), code, {}, &CodeInfo::code);
    if (at == all_codes().end() || at->code != code)
        throw std::logic_error(fmt::format("there is no row of code {}", int(code)));
    return *at;
}

bool is_of_ip(Code code) {
    return std::ranges::any_of(added().codes_of_ip, [&](CodeInfo const& row) { return row.code == code; });
}

WordsOfIp const* words_of_ip(Code code) {
    auto const at = std::ranges::find(added().words_of_ip, code, &WordsOfIp::code);
    return at == added().words_of_ip.end() ? nullptr : &*at;
}

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
