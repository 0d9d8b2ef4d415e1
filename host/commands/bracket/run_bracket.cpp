// tailback bracket: a study under every way to use candidate sets, side by side.
#include "host/commands/command.hpp"
#include "host/commands/run/evaluate_run.hpp"

namespace tailback::commands {

int run_bracket(std::vector<std::string> const& arguments) { return run_study(options::bracket, arguments); }

std::string bracket_notes() {
    return R"(
Columns: static (by the static entries), equal division at every switch, a hash that picks a port
for every flow, and at best. For routings with candidate sets: ar:minimal, ar:updn, ar:ftree, a folder
with .far, a folder of routers.

Examples:
  tailback bracket --network torus:8x8 --routing ar:minimal --pattern rand
  tailback bracket --network frr:examples/roce --hash linux --queue-pairs 4
)";
}

}  // namespace tailback::commands
