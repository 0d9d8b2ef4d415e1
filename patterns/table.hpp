// The table of patterns: what people are told, what a spec may say, and who writes the flows.
#pragma once

#include "patterns/families.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tailback::patterns {

struct PatternRow {
    using Write = void (*)(FlowListWriter&, base::Arguments const&);

    PatternInfo info;
    Write write = nullptr;      ///< null: `file` and `ptrnvsptrn` are written otherwise
    std::string spec = {};      ///< an example of a spec; empty: the name
    bool each_has_size = true;  ///< `size` is the bytes of each flow; false: sizes are the writer's business

    std::string spec_example() const { return spec.empty() ? std::string(info.name) + ":size=1MiB" : spec; }
};

inline std::string_view name_of_row(PatternRow const& row) { return row.info.name; }

/// `size`, the bytes of each flow.
base::Parameter size_parameter();
/// In the order of `tailback list patterns`.
std::span<PatternRow const> pattern_rows();
/// Null: there is none of that name.
PatternRow const* find_row(std::string const& name);

}  // namespace tailback::patterns
