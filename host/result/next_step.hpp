// What a report advises to do next, and the command that does it.
#pragma once

#include "host/result/document.hpp"
#include "host/result/json_values.hpp"

#include <string>
#include <vector>

namespace tailback::result {

struct NextStep {
    std::string what;                       ///< begins small, ends without a dot
    std::vector<std::string> command = {};  ///< words after `tailback`; empty: none is known
};

/// Words as a shell takes them.
std::string shell_line(std::vector<std::string> const& words);

/// A heading and a sentence a step; nothing for none.
void add_next_steps(Document& document, std::vector<NextStep> const& steps);
/// [{what, command or null}].
Json next_steps_json(std::vector<NextStep> const& steps);

}  // namespace tailback::result
