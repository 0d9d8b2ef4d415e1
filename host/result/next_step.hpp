// What a report advises to do next, and the command that does it.
#pragma once

#include "host/result/document.hpp"
#include "host/result/json_values.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tailback::result {

struct NextStep {
    std::string what;                       ///< begins small, ends without a dot
    std::vector<std::string> command = {};  ///< words after `tailback`; empty: none is known
};

/// Other commands about the same network and routes, each with the words that tell these. One that cannot be told them
/// is not there.
struct OtherCommands {
    std::map<std::string, std::vector<std::string>, std::less<>> words = {};
    bool tables_apart = false;  ///< tables are a file of their own, so others can stand in its place

    /// The words after `tailback`; none where the command is not there.
    std::vector<std::string> with(std::string_view command, std::vector<std::string> const& more) const;
    /// Of `improve`: what it writes can stand in the place of the tables, where these are apart.
    std::vector<std::string> better_tables() const;
};

/// Words as a shell takes them.
std::string shell_line(std::vector<std::string> const& words);

/// `find better tables: tailback improve ..`
std::string line_of(NextStep const& step);
/// A heading and a sentence a step; nothing for none.
void add_next_steps(Document& document, std::vector<NextStep> const& steps);
/// [{what, command or null}].
Json next_steps_json(std::vector<NextStep> const& steps);

}  // namespace tailback::result
