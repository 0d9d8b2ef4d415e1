// tailback convert: a network and its tables in another format.
#include "host/api/write_formats.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/output_folder.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/io/disk_room.hpp"
#include "host/io/progress.hpp"
#include "host/options/parsed_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace tailback::commands {
namespace {

constexpr char const* convert_text = R"(
Formats to write:
  orcs-dot       ORCS's annotated dot: the network with its routes as edge comments
  ibnetdiscover  the network, as ibnetdiscover prints it and ibsim reads it
  lft-dump       the tables, as opensm-lfts.dump, which `opensm -R file -U FILE` loads
  ibdiagnet2     a folder (--output DIR) as ibdiagnet2 fills it: db_csv, lst, ibnetdiscover, net_dump,
                 with tables fdbs, and far (groups of adaptive routing) where switches choose; each also
                 alone: db-csv, lst, net-dump, fdbs, far
  graphml        the network for Gephi, igraph, networkx or yEd; with tables each link's `load` is
                 the number of ordered host pairs routed over it
  plan           the network's cables as a plan of cables (NDT's columns, with LinkType and Speed), which
                 `tailback compare --plan` holds a fabric against
What a format has no room for (rates, LMC, choices of switches) is told.

Missing GUIDs and LIDs are made up, the same ones in every format of InfiniBand, so that
ibnetdiscover and lft-dump written from one input fit together; graphml gets none and goes by names.

Examples:
  tailback convert --network fabric.dot --to ibnetdiscover --output fabric.net
  tailback convert --network fabric.dot --to lft-dump --output fabric.lfts
  tailback convert --network ibnetdiscover.out --tables opensm-lfts.dump --to orcs-dot | head
  tailback convert --network opensm-subnet.lst --tables opensm.fdbs --to graphml --output fabric.graphml
  tailback convert --network ibnetdiscover.out --to plan --output plan.csv
  tailback convert --network ibnetdiscover.out --routing updn --to lft-dump --output fabric.lfts
)";

}  // namespace

std::string convert_notes() { return convert_text; }

namespace {

/// What a file without a LID for every port is routed as gets LIDs (model::with_lids): what is written of its network
/// alone has the same, so that it goes with tables that are written of it another time.
model::Fabric with_written_lids(model::Fabric fabric) {
    if (fabric.routed) return fabric;
    model::Network const& before = fabric.network;
    model::Network after = model::with_lids(before);
    std::uint64_t given = 0;
    for (std::size_t h = 0; h < before.hosts().size(); ++h)
        given += before[model::Host{h}].lid != after[model::Host{h}].lid;
    for (std::size_t n = 0; n < before.nodes().size(); ++n)
        given += before[model::Node{n}].lid != after[model::Node{n}].lid;
    if (given == 0) return fabric;
    if (before.max_lid() > 0)
        tell_note(fmt::format("{} without a LID {} one: from {} on, as in tables that are computed for this network",
                              base::counted(given, "port", "ports"), given == 1 ? "gets" : "get",
                              before.max_lid() + 1));
    fabric.network = std::move(after);
    return fabric;
}

}  // namespace

int run_convert(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::convert, arguments);

    api::NetworkChoice choice = network_choice(options, "it says which network to convert");
    std::string const to = options.required("to", "it says which format to write");
    bool const is_folder = to == "ibdiagnet2";
    std::vector<api::WriteFormat const*> formats = api::find_write_formats(to, "--to");
    std::string const output = *options.text("output");
    if (is_folder && output == "-")
        throw base::InputError({}, "--to ibdiagnet2 writes a folder", "standard output is none", "give --output DIR");
    auto const place_of = [&](api::WriteFormat const& format) {
        return is_folder ? (std::filesystem::path(output) / format.file_name).string() : output;
    };
    std::vector<std::string> places;
    for (api::WriteFormat const* const format : formats) places.push_back(place_of(*format));
    if (is_folder) check_places(choice.files(), places);
    else check_files(choice.files(), places);

    Threads const threads(0);
    // A folder has those of the network's files, if they have any.
    bool const wants_tables =
        is_folder ? choice.tables || choice.routing || choice.spec : formats.front()->wants_tables;
    if (!is_folder && !wants_tables && (choice.tables || choice.routing))
        tell_note("the routes are not written: " + to + " holds the network alone");
    model::Fabric const fabric = with_written_lids(
        api::obtain({choice, wants_tables ? api::Wanted::tables : api::Wanted::network, to}, listener()));
    std::optional<OutputFolder> folder;
    if (is_folder) folder.emplace(output, OutputFolder::Parents::are_made);
    if (is_folder) std::erase_if(formats, [&](auto const* format) { return !api::has_content(*format, fabric); });
    for (std::string const& lost : api::lost_parts(formats, fabric)) tell_note(lost);
    for (api::WriteFormat const* const format : formats)
        if (format->least_bytes != nullptr) io::require_room(place_of(*format), format->least_bytes(fabric));
    OutputFiles files;
    for (api::WriteFormat const* const format : formats) {
        io::OutputFile& file = files.add(place_of(*format));
        io::Progress const progress(std::string("writing ") + format->name);
        format->write(file.stream(), fabric);
    }
    files.commit();
    if (folder) folder->keep();
    return success;
}

}  // namespace tailback::commands
