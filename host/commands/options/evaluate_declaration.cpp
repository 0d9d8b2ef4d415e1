#include "host/commands/options/evaluate_declaration.hpp"

#include "host/commands/options/evaluate_options.hpp"
#include "host/commands/options/network_options.hpp"

namespace tailback::commands {

cxxopts::Options declare_evaluate() {
    using cxxopts::value;
    using std::string;
    cxxopts::Options options(
        "tailback evaluate",
        "Measures the congestion and bandwidth of a traffic pattern over many mappings of ranks to hosts.\n");
    options.set_width(100);
    options.custom_help("--network FILE|SPEC [--tables FILE | --routing NAME] [options]");
    declare_network(options, "Input", true);
    // clang-format off
    options.add_options("Input")
        ("capacities", "link capacities: rates (from link widths and speeds) or unit (all the same)", value<string>()->default_value("rates"), "KIND")
        ("aggregation-nodes", "aggregation nodes inside switches: apart (left out) or hosts (counted as hosts)", value<string>()->default_value("apart"), "apart|hosts")
        ("sharing", "what bandwidth a flow has, in hist_acc_band: linear (1/congestion) or max-min (its max-min fair rate)", value<string>()->default_value("linear"), "linear|max-min")
        ("shared-by", "max-min rates of flows that share a link grow alike, as if each were a connection (connections), or with their bytes (bytes)", value<string>()->default_value("connections"), "connections|bytes")
        ("strict", "treat input files that contradict each other as an error instead of a warning")
        ("routes", "how routes are kept: tables (all in memory); arithmetic (computed by formula, for a spec without failures); trees (computed on demand, one destination at a time); auto (arithmetic if tables and the routes packed from them would take more than 1 GiB, trees if more than 8 GiB). The results are the same, but arithmetic and trees give another network digest, and links in a report may be listed in another order", value<string>()->default_value("auto"), "FORM");
    options.add_options("Study")
        ("pattern", "traffic pattern: a name from `tailback list patterns`, also with arguments (NAME:key=value,..), or file:PATH", value<string>()->default_value("bisect"), "NAME")
        ("pattern-file", "same as --pattern file:PATH; the file has lines `level` and `SOURCE DESTINATION` (ranks)", value<string>(), "PATH")
        ("traffic", "in place of a pattern, the traffic of an application: an edge list, a matrix, a report of mpiP, files of Open MPI's monitoring, ... (see `tailback traffic --help`); one level with a flow for every pair of ranks", value<string>(), "FILE")
        ("first", "for ptrnvsptrn: the first pattern; dep_max_delay measures this one", value<string>(), "NAME")
        ("first-ranks", "for ptrnvsptrn: number of ranks of the first pattern", value<string>(), "Z")
        ("second", "for ptrnvsptrn: the second pattern, on the remaining ranks", value<string>(), "NAME")
        ("level", "evaluate only this level of the pattern (counted from 0)", value<string>(), "L")
        ("ranks", "number of ranks; 0 = one on every host, or as many as the pattern or traffic file has", value<string>()->default_value("0"), "N")
        ("subset", "which hosts take part: linear_bfs (breadth-first from the first host), rand (drawn anew for every mapping) or file:PATH", value<string>()->default_value("linear_bfs"), "KIND")
        ("subset-file", "same as --subset file:PATH; the file has one host per line: LID, GUID or name", value<string>(), "PATH")
        ("mapping", "which rank runs on which host: random, identity or file:PATH; on compute nodes (--nodes, --ranks-per-node) also block (the default there), cyclic, row, column, quadrant, diagonal, shuffle, spread, shift:by=K", value<string>()->default_value("random"), "KIND")
        ("mapping-file", "same as --mapping file:PATH; the file has one mapping per line: a host for every rank", value<string>(), "PATH")
        ("nodes", "which compute nodes take part: a Slurm hostlist (node[001-128,130]), globs (luna-00*), leaf:GLOB (the nodes at these switches), a hostfile or rankfile, 'RANKFILE of LIST' where a rankfile has hosts by number (+n0 is the first of the list), or any:N of all or of a list (any:128,piece=8 of leaf:LG03-*), drawn anew for every mapping", value<string>(), "LIST|FILE")
        ("ranks-per-node", "slots of a compute node, where no hostfile says so (1 unless given)", value<string>(), "K")
        ("adapters", "which hosts are adapters of one compute node: name (descriptions like \"node0001 mlx5_0\"; the default), system (SystemImageGUID), a number (so many in order of the file) or file:PATH (a node a line: NAME, HOST, HOST)", value<string>(), "RULE")
        ("rail", "which adapter of its node a rank uses: local-rank (slot modulo adapters; the default), round-robin, nearest or file:PATH", value<string>(), "RULE")
        ("rail-aligned", "flows leave a node by the adapter on the rail of their destination's adapter")
        ("job", "one of several jobs on the fabric, any number of times: traffic=FILE or pattern=NAME, ranks=N, nodes=.., mapping=ORDER, ranks-per-node=.., rail=.., with=JOB (its first ranks run where that job's do), class=NAME, priority=.. (as the options of these names; ORDER: of ranks on nodes, as block or cyclic). Reports each alone and together, the slowdowns, and the links that jobs share", value<string>(), "NAME:KEY=..,..")
        ("squeue", "the jobs that run, as `squeue -h -t R -o \"%i %N\"` prints them: each with its nodes and the traffic of --squeue-pattern; those of one node are left out. --ranks-per-node says how many ranks they have on a node (1 unless given)", value<string>(), "FILE")
        ("squeue-pattern", "traffic of the jobs of --squeue", value<string>()->default_value("all-to-all"), "NAME")
        ("jobs", "the same from a YAML file: `jobs:`, a list of maps with name and these keys", value<string>(), "FILE")
        ("mappings", "number of mappings; 1 if nothing is random; with --until the maximum (then 10000000 by default, 100000 with --nodes)", value<string>()->default_value("1000"), "M")
        ("until", "stop once the mean is known precisely enough: half the width of its 99 % confidence interval is at most ci=0.0005, or relative=1% of the mean; "
                  "METRIC:ci=.. if several metrics are measured", value<string>(), "GOAL")
        ("first-mapping", "number of the first mapping, to evaluate a part of a study or to repeat one mapping", value<string>()->default_value("0"), "M")
        ("seed", "seed of all random choices; mapping m depends on the seed and m alone", value<string>()->default_value("1"), "S")
        ("metric", "what to measure: names separated by commas, or all (of the linear model); see `tailback list metrics`",
         value<std::vector<string>>()->default_value("hist_acc_band"), "NAME");
    options.add_options("Study")
        ("bracket", "what adaptive routing is worth: the study by the static entries, under equal division at every switch, with a hash that picks a port for every flow, and at best, side by side; for routings with candidate sets (ar:minimal, ar:updn, ar:ftree, a folder with .far)")
        ("optimal-mappings", "with --bracket: the optimum is found of the first so many mappings, within 1 %", value<string>()->default_value("10"), "K")
        ("multipath", "spread flows over the 2^LMC LIDs of their destinations, beside the base LID alone: connection (a LID for every pair), round-robin (a source's messages in turn), random (a LID for every message), all (in equal parts over all); several, separated by commas, side by side; with --job one of them", value<std::vector<string>>(), "KIND")
        ("hash", "with --bracket: how a hash picks a next hop of a flow: per-switch, same (for all switches: polarisation) or linux (the kernel's), with the other options of the routing ecmp behind commas: linux,seed=7", value<string>()->default_value("per-switch"), "KIND[,OPTION=..]")
        ("queue-pairs", "with --bracket: so many queue pairs share the bytes of a flow, each hashed on its own", value<string>()->default_value("1"), "N")
        ("hash-draws", "with --bracket: so many seeds of the hash for every mapping, beginning with --seed", value<string>()->default_value("1"), "N");
    options.add_options("Time")
        ("time", "when do flows end? Measures makespan, completion_time and slowdown at max-min rates; of a GOAL file with its own dependencies")
        ("dependencies", "what a level waits for: barrier (all of the level before), or causal (a rank's next level starts when its own sends and receives of the level before have ended; of a GOAL file what that says)", value<string>()->default_value("barrier"), "barrier|causal")
        ("compute", "time that every rank computes between two levels: 20us; without a unit where times have none", value<string>(), "TIME")
        ("latency", "time that every link, and every switch between two links, adds to a flow: link=100ns,switch=250ns", value<std::vector<string>>(), "link=T,switch=T")
        ("switching", "a flow is on all links of its route at once (cut-through), or on one after the other, whole (store-and-forward)", value<string>()->default_value("cut-through"), "KIND")
        ("priority", "how links treat flows of a class: strict:K (0 first, then 1 on what is left, ..), weight:W (so much more than others of its rank), or strict:K+weight:W. Classes: application and storage, those of a pattern file, and jobs by their names", value<string>(), "CLASS=..,..");
    options.add_options("Output")
        ("format", "report format: text, json, csv or html (a page for a browser)", value<string>()->default_value("text"), "FORMAT")
        ("o,output", "file for the report; - is standard output", value<string>()->default_value("-"), "FILE")
        ("per-mapping", "write the results of every single mapping as CSV", value<string>(), "FILE")
        ("dump-mappings", "write all mappings in the form that --mapping file:PATH reads", value<string>(), "FILE")
        ("write-best", "write the best mapping by the first metric with one number per mapping, for a launcher: hostfile:FILE, rankfile:FILE, slurm:FILE (arbitrary distribution), mapping:FILE", value<string>(), "FORM:FILE")
        ("write-worst", "the same of the worst mapping", value<string>(), "FORM:FILE")
        ("picture", "write a histogram as SVG, of the first metric that has one number per mapping", value<string>(), "FILE")
        ("picture-links", "write the network with the loads of this study's links: a drawing (FILE.svg), a graph for Graphviz (FILE.dot) or a table (FILE.csv); measures get_cable_cong, too", value<string>(), "FILE")
        ("group-by", "sum the loads of links by group of the nodes that they leave: leaf, name:REGEX or file:PATH, as for audit; measures get_cable_cong, too; with --job those that several jobs use", value<string>(), "HOW")
        ("timeline", "write when everything of the first mapping happens: its flows as a table (FILE.csv) or with the hottest links (FILE.json), a picture (FILE.svg), or a trace for Perfetto and chrome://tracing (FILE.trace)", value<string>(), "FILE")
        ("run-info", "write device, threads and timings as JSON", value<string>(), "FILE");
    options.add_options("Running")
        ("device", "where to compute: auto (CUDA where a device works and pays), cpu or cuda", value<string>()->default_value("auto"), "DEVICE")
        ("threads", "number of CPU threads; 0 = all cores", value<string>()->default_value("0"), "T")
        ("batch", "mappings computed between two progress checks; 0 = chosen for the device", value<string>()->default_value("0"), "B")
        ("checkpoint", "save progress to FILE; if FILE exists, continue from it; removed when the study is done", value<string>(), "FILE")
        ("checkpoint-every", "seconds between two checkpoints; 0 = after every batch", value<string>()->default_value("30"), "SECONDS")
        ("h,help", "show this help");
    // clang-format on
    return options;
}

std::string evaluate_help() {
    return declare_evaluate().help({"Input", "Study", "Time", "Output", "Running"}) +
           "\nexample: effective bisection bandwidth of a 648-host tree over 10,000 random mappings, and a picture of "
           "it\n"
           "  tailback evaluate --network examples/fat-tree-648/ibnetdiscover.out.xz \\\n"
           "                    --tables examples/fat-tree-648/opensm-lfts.dump.xz \\\n"
           "                    --pattern bisect --mappings 10000 --picture ebb.svg\n"
           "\nexample: a network that does not exist yet: a dragonfly with 1 % of its cables failed, routed around "
           "them\n"
           "  tailback evaluate --network dragonfly:a=8,p=4,h=4 --routing minhop --fail-cables 1%\n"
           "\nexample: a long study that survives interruptions (run the same command again to continue)\n"
           "  tailback evaluate --network dragonfly:a=16,p=8,h=8 --until ci=0.00001 \\\n"
           "                    --mappings 1000000000 --checkpoint df.checkpoint\n"
           "\nCtrl-C, SIGTERM, SIGUSR1, SIGXCPU and SIGHUP stop the evaluation with a report on the mappings done so "
           "far\n"
           "(exit code 130); a second Ctrl-C or SIGTERM ends it at once, without a report.\n"
           "Exit codes: 0 success, 1 flows failed and none was delivered, or the goal of --until was not reached, 2 "
           "bad input or "
           "usage, "
           "3 internal error.\n"
           "`mpirun -n R tailback evaluate ..` shares the mappings among R processes (in builds with MPI).\n"
           "\nThe options under Running never change a report: it is the same, byte for byte, on every device.\n"
           "CSV reports have the columns metric,statistic,key,value, and from,from_port,to,to_port if links are\n"
           "listed.\n";
}

}  // namespace tailback::commands
