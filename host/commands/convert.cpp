// tailback convert: a network and its tables in another format.
#include "host/commands/command.hpp"

#include "host/base/error.hpp"
#include "host/commands/cxxopts.hpp"
#include "host/commands/input.hpp"
#include "host/commands/options.hpp"
#include "host/commands/targets.hpp"
#include "host/io/output_file.hpp"

namespace tailback {
namespace {

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
  tailback convert --network ibnetdiscover.out --routing updn --to lft-dump --output fabric.lfts
)";

}  // namespace

int run_convert(std::vector<std::string> const& arguments) {
    cxxopts::Options declared("tailback convert", "Writes a network and its tables in another format.");
    declared.custom_help("--network FILE|SPEC [--tables FILE | --routing NAME] --to FORMAT [--output FILE]");
    declare_network(declared, "", true);
    declared.add_options()("to", "orcs-dot, ibnetdiscover, lft-dump or graphml", cxxopts::value<std::string>(),
                           "FORMAT")("o,output", "where to (- = standard output)",
                                     cxxopts::value<std::string>()->default_value("-"), "FILE")(
        "strict", "refuse input that disagrees with itself instead of warning")("h,help", "this text");
    std::string const help = declared.help();
    ParsedOptions const options(std::move(declared), arguments);
    if (options.flag("help")) return write_standard_output(help + examples), success;

    NetworkChoice choice = network_choice(options.required("network", "it is what is converted"),
                                          [&](std::string const& name) { return options.text(name); });
    choice.strict = options.flag("strict");
    Target const& target = find_target(options.required("to", "it says which format to write"), "--to");
    std::string const output = *options.text("output");
    check_files(choice.files(), {output});

    Fabric const fabric = obtain_fabric(choice, target.wants_tables, listener());
    if (target.wants_tables && !fabric.routed)
        throw InputError({choice.network, 0}, std::string("no tables to write as ") + target.name,
                         "the file holds the network alone",
                         "give them with --tables, or a way to make them with --routing");
    if (target.wants_tables) require_tables(fabric, target.name);
    OutputFile file(output);
    target.write(file.stream(), fabric);
    file.commit();
    return success;
}

}  // namespace tailback
