// The rows of the codes, in the order of the enumeration.
#pragma once

#include "host/diagnosis/code.hpp"

namespace tailback::diagnosis {

std::span<CodeInfo const> codes_of_files();
std::span<CodeInfo const> codes_of_tables();
std::span<CodeInfo const> codes_of_routers();
std::span<CodeInfo const> codes_of_routes();

// What is to be done about several.
inline constexpr char const* dump_again = "Make the file again.";
inline constexpr char const* collect_again = "Collect both again, one right after the other.";

/// What a reader notes, which is inconsistent.
constexpr CodeInfo noted(Code code, char const* id, Disagreement as, char const* title, char const* meaning,
                         char const* remedy) {
    return {code, id, FindingKind::inconsistent, as, title, meaning, remedy};
}
/// What a reader warns of, and no finding.
constexpr CodeInfo warned(Code code, char const* id, Disagreement as, char const* title, char const* meaning,
                          char const* remedy) {
    return {code, id, std::nullopt, as, title, meaning, remedy};
}
/// What an audit finds in the fabric.
constexpr CodeInfo found(Code code, char const* id, FindingKind kind, char const* title, char const* meaning,
                         char const* remedy) {
    return {code, id, kind, std::nullopt, title, meaning, remedy};
}

/// What a code of tables is called, and what is to be done, where routers have them: no subnet manager, no LIDs.
struct RouterWords {
    Code code;
    char const *title, *remedy;
};
/// Null for codes whose rows are of routers, or say all for both.
RouterWords const* words_of_routers(Code code);

}  // namespace tailback::diagnosis
