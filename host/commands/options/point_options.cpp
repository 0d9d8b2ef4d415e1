#include "host/commands/options/point_options.hpp"

#include "host/commands/command.hpp"
#include "host/commands/options/evaluate_options.hpp"

namespace tailback::commands {

sweep::AskedPoint parse_point(options::Commands command, std::vector<std::string> const& words) {
    for (Command const& one : all_commands())
        if (one.synopsis.command == command && one.point != nullptr) return {{}, one.point(words)};
    return {parse_study_options(command, words).request, nullptr};
}

}  // namespace tailback::commands
