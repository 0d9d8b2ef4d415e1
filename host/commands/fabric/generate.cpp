// tailback generate: from a spec to the files of a fabric, network and tables.
#include "host/commands/command.hpp"

#include "host/api/write_formats.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/output_folder.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/io/disk_room.hpp"
#include "host/io/progress.hpp"
#include "host/model/service_levels.hpp"
#include "host/options/parsed_options.hpp"

#include <algorithm>
#include <filesystem>

namespace tailback::commands {
namespace {

constexpr char const* generate_text = R"(
SPEC names a network (`tailback list topologies`), or a network file that is to be routed anew. The
files in DIR are ibnetdiscover.out, opensm-lfts.dump, fabric.dot (orcs-dot) and fabric.graphml. They
appear together, once all are complete. `ibsim` and `opensm -R file -U` load the first two. A
routing with virtual lanes (dfsssp, dor:lanes=dateline) adds opensm-sl2vl.dump and path-sl.txt,
which `tailback audit --sl2vl --path-sl` reads.

Examples:
  tailback generate xgft:m=18x36,w=1x18 --routing dmodk --output tree648
  tailback generate dragonfly:a=4,p=2,h=2 --routing updn --output dragonfly72 --to orcs-dot,graphml
)";

/// Tells of a file that will be large; throws when the disk cannot hold it.
void check_room(std::string const& path, api::WriteFormat const& format, model::Fabric const& fabric) {
    constexpr std::uint64_t large = 1'000'000'000;
    std::uint64_t const bytes = format.least_bytes != nullptr ? format.least_bytes(fabric) : 0;
    io::require_room(path, bytes);
    if (bytes >= large) tell("note", path + " will have " + base::three_digits(double(bytes) * 1e-9) + " GB or more");
}

struct Wanted {
    std::vector<api::WriteFormat const*> formats;
    std::vector<api::WriteFormat const*> named;  ///< written whether a fabric has anything for them or not
    bool tables = false;                         ///< some format needs tables
};

Wanted wanted_formats(std::vector<std::string> const& names) {
    Wanted wanted;
    for (std::string const& name : names) {
        auto const formats = api::find_write_formats(name, "--to");
        for (api::WriteFormat const* const format : formats) {
            if (std::find(wanted.formats.begin(), wanted.formats.end(), format) == wanted.formats.end())
                wanted.formats.push_back(format);
            wanted.tables = wanted.tables || format->wants_tables;
        }
        if (name != "ibdiagnet2") wanted.named.push_back(formats.front());
    }
    return wanted;
}

/// Lanes are found once for all files. @param by_itself their formats were not named
void add_lanes(Wanted& wanted, model::Fabric& fabric, bool by_itself) {
    for (api::WriteFormat const& format : api::all_write_formats())
        if (by_itself && format.wants_lanes) wanted.formats.push_back(&format);
    if (std::none_of(wanted.formats.begin(), wanted.formats.end(),
                     [](api::WriteFormat const* format) { return format->wants_lanes; }))
        return;
    std::shared_ptr<model::RoutingLanes const> const lanes = fabric.find_lanes(fabric);
    if (lanes && !lanes->left_over.empty()) tell("note", lanes->left_over);
    fabric.find_lanes = [lanes](model::Fabric const&) { return lanes; };
}

/// All of them, or none.
void write_files(Wanted const& wanted, model::Fabric const& fabric, std::string const& output) {
    OutputFolder folder(output, OutputFolder::Parents::exist);
    for (api::WriteFormat const* const format : wanted.formats) check_room(folder / format->file_name, *format, fabric);
    OutputFiles files;
    for (api::WriteFormat const* const format : wanted.formats) {
        io::OutputFile& file = files.add(folder / format->file_name);
        io::Progress const progress(std::string("writing ") + format->file_name);
        format->write(file.stream(), fabric);
    }
    files.commit();
    folder.keep();
}

}  // namespace

std::string generate_notes() { return generate_text; }

int run_generate(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::generate, arguments);
    std::string const spec =
        options.word("only one network is made at a time", "quote a spec that has blanks or semicolons");
    if (spec.empty())
        throw base::InputError({}, "the spec is missing", "it says which network to make",
                               "`tailback generate --help` shows examples");

    api::NetworkChoice choice = network_choice(spec, options);
    std::string const output = options.required("output", "it says where to write the files");
    Wanted wanted = wanted_formats(options.list("to"));
    std::vector<std::string> possible;
    auto const may_write = [&](api::WriteFormat const& format) {
        possible.push_back((std::filesystem::path(output) / format.file_name).string());
    };
    for (api::WriteFormat const* const format : wanted.formats) may_write(*format);
    if (!options.given("to"))  // lanes add theirs
        for (api::WriteFormat const& format : api::all_write_formats())
            if (format.wants_lanes) may_write(format);
    check_places(choice.files(), possible);

    Threads const threads(0);
    model::Fabric fabric =
        api::obtain({choice, wanted.tables ? api::Wanted::tables : api::Wanted::network, "the format"}, listener());
    if (fabric.find_lanes) add_lanes(wanted, fabric, !options.given("to"));
    std::erase_if(wanted.formats, [&](api::WriteFormat const* format) {
        return std::ranges::find(wanted.named, format) == wanted.named.end() && !api::has_content(*format, fabric);
    });
    for (std::string const& lost : api::lost_parts(wanted.formats, fabric)) tell("note", lost);
    if (choice.link_rate && std::ranges::any_of(wanted.formats, [](api::WriteFormat const* format) {
            return format->name == std::string("orcs-dot");
        }))
        tell("note", "ORCS's dot files have no rates: --link-rate is in the other files alone");
    write_files(wanted, fabric, output);
    return success;
}

}  // namespace tailback::commands
