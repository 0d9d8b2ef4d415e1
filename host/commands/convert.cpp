// tailback convert: a network and its tables in another format.
#include "host/commands/command.hpp"

#include "host/commands/cxxopts.hpp"
#include "host/commands/input.hpp"
#include "host/edge_forwarding_index.hpp"
#include "host/error.hpp"
#include "host/formats/formats.hpp"
#include "host/nearest.hpp"
#include "host/output_file.hpp"

#include <array>
#include <ostream>

namespace tailback {
namespace {

struct Target {
    char const* name;
    bool wants_tables;
    void (*write)(std::ostream&, Fabric const&);
};

constexpr std::array targets = {
    Target{"orcs-dot", true, [](std::ostream& out, Fabric const& fabric) { write_orcs_dot(out, fabric); }},
    Target{"ibnetdiscover", false, [](std::ostream& out, Fabric const& fabric) { write_ibnetdiscover(out, fabric.network); }},
    Target{"lft-dump", true, [](std::ostream& out, Fabric const& fabric) { write_lft_dump(out, fabric); }},
    Target{"graphml", false,
           [](std::ostream& out, Fabric const& fabric) {
               write_graphml(out, fabric.network, fabric.routed ? edge_forwarding_index(fabric) : std::vector<std::uint64_t>{});
           }},
};

constexpr char const* examples = R"(
Formats to write:
  orcs-dot       ORCS's annotated dot: the network with its routes as edge comments
  ibnetdiscover  the network, as ibnetdiscover prints it and ibsim reads it
  lft-dump       the tables, as opensm-lfts.dump, which `opensm -R file -U FILE` loads
  graphml        the network for Gephi, igraph, networkx or yEd; with tables each link's `load` is the number of
                 ordered host pairs routed over it

GUIDs and LIDs that the network does not have are made up, the same in every format: ibnetdiscover and lft-dump
written from one input fit each other.

Examples:
  tailback convert --network fabric.dot --to ibnetdiscover --output fabric.net
  tailback convert --network fabric.dot --to lft-dump --output fabric.lfts
  tailback convert --network ibnetdiscover.out --tables opensm-lfts.dump --to orcs-dot | head
  tailback convert --network opensm-subnet.lst --tables opensm.fdbs --to graphml --output fabric.graphml
)";

Target const& find_target(std::string const& name) {
    std::vector<std::string> names;
    for (Target const& target : targets) {
        if (name == target.name) return target;
        names.push_back(target.name);
    }
    std::string const meant = meant_name(name, names);
    throw InputError({}, "unknown format \"" + name + "\" after --to", meant.empty() ? "" : "the nearest is \"" + meant + "\"",
                     "choose orcs-dot, ibnetdiscover, lft-dump or graphml");
}

}  // namespace

int run_convert(std::vector<std::string> const& arguments) try {
    cxxopts::Options options("tailback convert", "Writes a network and its tables in another format.");
    options.custom_help("--network FILE [--tables FILE] --to FORMAT [--output FILE]");
    options.add_options()
        ("network", "the network, in any format that is read (- = standard input)", cxxopts::value<std::string>(), "FILE")
        ("tables", "its forwarding tables, where the network file holds none", cxxopts::value<std::string>(), "FILE")
        ("to", "orcs-dot, ibnetdiscover, lft-dump or graphml", cxxopts::value<std::string>(), "FORMAT")
        ("o,output", "where to (- = standard output)", cxxopts::value<std::string>()->default_value("-"), "FILE")
        ("strict", "refuse input that disagrees with itself instead of warning")
        ("h,help", "this text");
    std::vector<char const*> words{"tailback convert"};
    for (std::string const& argument : arguments) words.push_back(argument.c_str());
    auto const given = options.parse(static_cast<int>(words.size()), words.data());
    if (given.count("help") > 0) {
        write_standard_output(options.help() + examples);
        return success;
    }
    auto const need = [&](char const* name) {
        if (given.count(name) == 0)
            throw InputError({}, std::string("--") + name + " is missing", "", "`tailback convert --help` shows examples");
        return given[name].as<std::string>();
    };
    if (!given.unmatched().empty())
        throw InputError({}, "unexpected argument \"" + given.unmatched().front() + "\"", "", "`tailback convert --help` shows examples");
    std::string const network = need("network");
    Target const& target = find_target(need("to"));
    std::string const output = given["output"].as<std::string>();
    check_writable(output);

    std::optional<std::string> tables;
    if (given.count("tables") > 0) tables = given["tables"].as<std::string>();
    Fabric const fabric = read_and_tell(network, tables, given.count("strict") > 0);
    if (target.wants_tables && !fabric.routed)
        throw InputError({network, 0}, std::string("no tables to write as ") + target.name, "the file holds the network alone",
                         "give them with --tables");
    OutputFile file(output);
    target.write(file.stream(), fabric);
    file.commit();
    return success;
} catch (cxxopts::exceptions::exception const& error) {
    throw InputError({}, error.what(), "", "`tailback convert --help` shows the options");
}

}  // namespace tailback
