// tailback trace: one route, link by link, as ibtracert prints it; and what went wrong when it breaks off.
#include "host/commands/command.hpp"

#include "host/commands/cxxopts.hpp"
#include "host/commands/input.hpp"
#include "host/error.hpp"
#include "host/output_file.hpp"
#include "host/route_text.hpp"

#include <algorithm>

namespace tailback {
namespace {

constexpr char const* examples = R"(
SRC and DST are LIDs (14 or 0xe; any of a host's 2^LMC), GUIDs of a port or a node (0x0002c90300100071), or names
("node0008 HCA-1"; in an ORCS dot graph H07). Either may be a switch.

Exit code: 0 when the route is delivered, 1 when it is not, 2 for bad input.

Examples:
  tailback trace --network ibnetdiscover.out --tables opensm-lfts.dump 12 10
  tailback trace --network ibnetdiscover.out --tables opensm.fdbs "node0006 HCA-1" 0x0002c90300100031
  tailback trace --network fabric.dot H00 H07
  tailback trace --network torus:4x4x4 --routing dor H1 H64
)";

}  // namespace

int run_trace(std::vector<std::string> const& arguments) try {
    cxxopts::Options options("tailback trace", "Prints one route, link by link, with its fate.");
    options.custom_help("--network FILE|SPEC [--tables FILE | --routing NAME] SRC DST");
    declare_network(options, "", true);
    options.add_options()
        ("o,output", "where to (- = standard output)", cxxopts::value<std::string>()->default_value("-"), "FILE")
        ("strict", "refuse input that disagrees with itself instead of warning")
        ("h,help", "this text");
    std::vector<std::string> words{"tailback trace"}, ends;
    // Names may hold commas, at which cxxopts would divide positional words: it gets to see options alone.
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string const& word = arguments[i];
        if (word == "--") {
            ends.insert(ends.end(), arguments.begin() + std::ptrdiff_t(i) + 1, arguments.end());
            break;
        }
        std::vector<std::string> const& names = network_option_names();
        bool const takes_value = std::find(names.begin(), names.end(), word) != names.end() || word == "--output" || word == "-o";
        if (!word.empty() && word.front() == '-' && word != "-") {
            words.push_back(word);
            if (takes_value && i + 1 < arguments.size()) words.push_back(arguments[++i]);
        } else {
            ends.push_back(word);
        }
    }
    std::vector<char const*> pointers;
    for (std::string const& word : words) pointers.push_back(word.c_str());
    auto const given = options.parse(static_cast<int>(pointers.size()), pointers.data());
    if (given.count("help") > 0) {
        write_standard_output(options.help() + examples);
        return success;
    }
    std::string const help = "`tailback trace --help` shows examples";
    if (given.count("network") == 0) throw InputError({}, "--network is missing", "", help);
    if (ends.size() != 2)
        throw InputError({}, "a source and a destination are wanted", std::to_string(ends.size()) + " words are given",
                         "quote names with blanks; " + help);
    std::string const network_path = given["network"].as<std::string>();
    std::string const output = given["output"].as<std::string>();
    NetworkChoice choice = network_choice([&](std::string const& name) -> std::optional<std::string> {
        if (given.count(name) == 0) return std::nullopt;
        return given[name].as<std::string>();
    });
    choice.network = network_path;
    choice.strict = given.count("strict") > 0;

    Fabric const fabric = obtain_fabric(choice, true);
    if (!fabric.routed)
        throw InputError({network_path, 0}, "there are no forwarding tables", "the file holds the network alone",
                         "give them with --tables, or a way to make them with --routing");
    Located const source = locate(fabric.network, ends[0]);
    Located const destination = locate(fabric.network, ends[1]);
    if (destination.lid == 0)
        throw InputError({}, "\"" + ends[1] + "\" has no LID", fabric.network.describe(destination.node), "choose a destination that tables can name");
    Route const route = trace_between(fabric, source, destination.lid);
    std::string text = ibtracert_text(fabric, source, destination.lid, route);
    if (route.fate != Fate::delivered) text += failure_text(fabric, destination.lid, route) + "\n";
    OutputFile file(output);
    file.stream() << text;
    file.commit();
    return route.fate == Fate::delivered ? success : faults_found;
} catch (cxxopts::exceptions::exception const& error) {
    throw InputError({}, error.what(), "", "`tailback trace --help` shows the options");
}

}  // namespace tailback
