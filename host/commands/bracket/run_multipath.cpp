// tailback multipath: flows spread over the 2^LMC LIDs of hosts, in several ways side by side.
#include "host/commands/command.hpp"
#include "host/commands/run/evaluate_run.hpp"

namespace tailback::commands {

int run_multipath(std::vector<std::string> const& arguments) { return run_study(options::multipath, arguments); }

std::string multipath_notes() {
    return R"(
For fabrics whose hosts have several LIDs (LMC above 0): dumps, or --lmc with a routing.

Example:
  tailback multipath --network xgft:m=8x8,w=1x4 --routing minhop --lmc 2 --spread connection,all --pattern bisect
)";
}

}  // namespace tailback::commands
