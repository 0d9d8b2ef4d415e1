// tailback evaluate: a network, its tables, a study; out comes a report.
#include "host/commands/command.hpp"
#include "host/commands/run/evaluate_run.hpp"

namespace tailback::commands {
int run_evaluate(std::vector<std::string> const& arguments) { return run_study(options::evaluate, arguments); }

std::string evaluate_notes() {
    return R"(
Ctrl-C, SIGTERM, SIGUSR1, SIGXCPU and SIGHUP stop the evaluation with a report on the mappings done
so far (exit code 130); a second Ctrl-C or SIGTERM ends it at once, without a report.
Exit codes: 0 success, 1 flows failed and none was delivered, or the goal of --until was not
reached, 2 bad input or usage, 3 internal error.

`mpirun -n R tailback evaluate ..` shares the mappings among R processes (in builds with MPI).

The options under Running never change a report: it is the same, byte for byte, on every device.
CSV reports have the columns section,statistic,key,value, and from,from_port,to,to_port if links are
listed.

Examples:
  effective bisection bandwidth of a 648-host tree over 10,000 random mappings, and a picture of it
  tailback evaluate --network examples/fat-tree-648/ibnetdiscover.out.xz \
                    --tables examples/fat-tree-648/opensm-lfts.dump.xz \
                    --pattern bisect --mappings 10000 --picture ebb.svg
  a dragonfly that does not exist yet, with 1 % of its cables failed, routed around them
  tailback evaluate --network dragonfly:a=8,p=4,h=4 --routing minhop --fail-cables 1%
  a long study that survives interruptions (run the same command again to continue)
  tailback evaluate --network dragonfly:a=16,p=8,h=8 --until ci=0.00001 \
                    --mappings 1000000000 --checkpoint df.checkpoint
)";
}

}  // namespace tailback::commands
