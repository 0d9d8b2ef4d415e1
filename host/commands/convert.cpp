// tailback convert: a network and its tables in another format.
#include "host/api/write_formats.hpp"
#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/cxxopts.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/options.hpp"
#include "host/commands/threads.hpp"
#include "host/io/disk_room.hpp"
#include "host/io/output_file.hpp"
#include "host/io/progress.hpp"

namespace tailback::commands {
namespace {

constexpr char const* examples = R"(
Formats to write:
  orcs-dot       ORCS's annotated dot: the network with its routes as edge comments
  ibnetdiscover  the network, as ibnetdiscover prints it and ibsim reads it
  lft-dump       the tables, as opensm-lfts.dump, which `opensm -R file -U FILE` loads
  graphml        the network for Gephi, igraph, networkx or yEd; with tables each link's `load` is
                 the number of ordered host pairs routed over it

Missing GUIDs and LIDs are made up, the same ones in every format, so that ibnetdiscover and
lft-dump written from one input fit together.

Examples:
  tailback convert --network fabric.dot --to ibnetdiscover --output fabric.net
  tailback convert --network fabric.dot --to lft-dump --output fabric.lfts
  tailback convert --network ibnetdiscover.out --tables opensm-lfts.dump --to orcs-dot | head
  tailback convert --network opensm-subnet.lst --tables opensm.fdbs --to graphml --output fabric.graphml
  tailback convert --network ibnetdiscover.out --routing updn --to lft-dump --output fabric.lfts
)";

}  // namespace

cxxopts::Options declare_convert() {
    cxxopts::Options declared("tailback convert", "Writes a network and its tables in another format.\n");
    declared.custom_help("--network FILE|SPEC [--tables FILE | --routing NAME] --to FORMAT [--output FILE]");
    declared.set_width(100);
    declare_network(declared, "", true);
    declared.add_options()("to", "orcs-dot, ibnetdiscover, lft-dump or graphml", cxxopts::value<std::string>(),
                           "FORMAT")("o,output", "output file; - is standard output",
                                     cxxopts::value<std::string>()->default_value("-"), "FILE")(
        "strict", "treat input files that contradict each other as an error instead of a warning")("h,help",
                                                                                                   "show this help");
    return declared;
}

std::string convert_help() { return declare_convert().help() + examples; }

int run_convert(std::vector<std::string> const& arguments) {
    cxxopts::Options declared = declare_convert();
    ParsedOptions const options(std::move(declared), arguments);
    if (options.flag("help")) return io::write_standard_output(convert_help()), success;

    api::NetworkChoice choice = network_choice(options.required("network", "it says which network to convert"),
                                               [&](std::string const& name) { return options.text(name); });
    choice.strict = options.flag("strict");
    api::WriteFormat const& format =
        api::find_write_format(options.required("to", "it says which format to write"), "--to");
    std::string const output = *options.text("output");
    check_files(choice.files(), {output});

    Threads const threads(0);
    model::Fabric const fabric = api::obtain_fabric(choice, format.wants_tables, listener());
    if (format.wants_tables && !fabric.routed)
        throw base::InputError({choice.network, 0}, std::string("no tables to write as ") + format.name,
                               "the file contains only the network",
                               "give them with --tables, or have them computed with --routing");
    if (format.wants_tables) api::require_tables(fabric, format.name);
    if (format.least_bytes != nullptr) io::require_room(output, format.least_bytes(fabric));
    io::OutputFile file(output);
    io::Progress const progress(std::string("writing ") + format.name);
    format.write(file.stream(), fabric);
    file.commit();
    return success;
}

}  // namespace tailback::commands
