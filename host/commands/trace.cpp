// tailback trace: one route, link by link, as ibtracert prints it; and what went wrong when it breaks off.
#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/cxxopts.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/options.hpp"
#include "host/commands/threads.hpp"
#include "host/io/output_file.hpp"
#include "host/model/routes/route_text.hpp"

#include <algorithm>

namespace tailback::commands {
namespace {

constexpr char const* examples = R"(
SRC and DST are LIDs (14 or 0xe; any of a host's 2^LMC), GUIDs of a port or a node
(0x0002c90300100071), or names ("node0008 HCA-1"; in an ORCS dot graph H07). Either may be a switch.

Exit code: 0 if the route is delivered, 1 if it is not, 2 bad input or usage.

Examples:
  tailback trace --network ibnetdiscover.out --tables opensm-lfts.dump 12 10
  tailback trace --network ibnetdiscover.out --tables opensm.fdbs "node0006 HCA-1" 0x0002c90300100031
  tailback trace --network fabric.dot H00 H07
  tailback trace --network torus:4x4x4 --routing dor H1 H64
)";

}  // namespace

cxxopts::Options declare_trace() {
    cxxopts::Options declared("tailback trace", "Prints one route, link by link, and whether it is delivered.\n");
    declared.custom_help("--network FILE|SPEC [--tables FILE | --routing NAME] SRC DST");
    declared.set_width(100);
    declare_network(declared, "", true);
    declared.add_options()("o,output", "output file; - is standard output",
                           cxxopts::value<std::string>()->default_value("-"), "FILE")(
        "strict", "treat input files that contradict each other as an error instead of a warning")("h,help",
                                                                                                   "show this help");
    return declared;
}

std::string trace_help() { return declare_trace().help() + examples; }

int run_trace(std::vector<std::string> const& arguments) {
    cxxopts::Options declared = declare_trace();
    std::vector<std::string> words, ends;
    // Names may hold commas, at which cxxopts would divide positional words: it gets to see options alone.
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string const& word = arguments[i];
        if (word == "--") {
            ends.insert(ends.end(), arguments.begin() + std::ptrdiff_t(i) + 1, arguments.end());
            break;
        }
        std::vector<std::string> const& names = network_option_names();
        bool const takes_value =
            std::find(names.begin(), names.end(), word) != names.end() || word == "--output" || word == "-o";
        if (!word.empty() && word.front() == '-' && word != "-") {
            words.push_back(word);
            if (takes_value && i + 1 < arguments.size()) words.push_back(arguments[++i]);
        } else {
            ends.push_back(word);
        }
    }
    ParsedOptions const options(std::move(declared), words);
    if (options.flag("help")) return io::write_standard_output(trace_help()), success;
    api::NetworkChoice choice = network_choice(options.required("network", "it says in which network to trace"),
                                               [&](std::string const& name) { return options.text(name); });
    choice.strict = options.flag("strict");
    if (ends.size() != 2)
        throw base::InputError({}, "a source and a destination are needed",
                               std::to_string(ends.size()) + (ends.size() == 1 ? " word is given" : " words are given"),
                               "quote names with blanks; `tailback trace --help` shows examples");
    std::string const output = *options.text("output");
    check_files(choice.files(), {output});

    Threads const threads(0);
    model::Fabric const fabric = api::obtain_fabric(choice, true, listener());
    if (!fabric.routed)
        throw base::InputError({choice.network, 0}, "there are no forwarding tables",
                               "the file contains only the network",
                               "give them with --tables, or have them computed with --routing");
    model::Located const source = model::locate(fabric.network, ends[0]);
    model::Located const destination = model::locate(fabric.network, ends[1]);
    if (destination.lid == 0)
        throw base::InputError({}, "\"" + ends[1] + "\" has no LID", fabric.network.describe(destination.node),
                               "choose a destination that has a LID");
    model::Route const route = model::trace_between(fabric, source, destination.lid);
    std::string text = model::ibtracert_text(fabric, source, destination.lid, route);
    if (route.fate != model::Fate::delivered) text += model::failure_text(fabric, destination.lid, route) + "\n";
    io::OutputFile file(output);
    file.stream() << text;
    file.commit();
    return route.fate == model::Fate::delivered ? success : faults_found;
}

}  // namespace tailback::commands
