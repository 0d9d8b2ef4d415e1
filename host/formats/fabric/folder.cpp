#include "host/formats/fabric/folder.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/formats/fabric/read_fabric.hpp"
#include "host/formats/folder_entry.hpp"
#include "host/formats/ibdiagnet2/descriptions.hpp"
#include "host/formats/ibdiagnet2/private_tables.hpp"
#include "host/formats/ibdiagnet2/table_comparison.hpp"
#include "host/model/routes/group_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>

namespace tailback::formats {
namespace {

constexpr std::size_t most_files = 1000;

/// The less, the better; -1 = no topology.
int rank_of(Format format) {
    switch (format) {
        case Format::db_csv: return 0;
        case Format::ibnetdiscover: return 1;
        case Format::subnet_list: return 2;
        case Format::net_dump: return 3;
        case Format::lft_dump: return 4;
        case Format::fdbs: return 5;
        default: return -1;
    }
}

void sort_by_rank(std::vector<std::pair<std::string, Format>>& files) {
    std::stable_sort(files.begin(), files.end(), [](auto const& a, auto const& b) {
        int const left = rank_of(a.second), right = rank_of(b.second);
        return left != right ? left < right : a.first.size() < b.first.size();
    });
}

/// What is wrong with a file is kept whole as long as it is not known whether the file is used.
constexpr std::size_t most_noted = 1000;

model::Disagreements own_notes() { return model::Disagreements(false, most_noted); }

/// Switches whose table has lost entries, by what a reader noted.
std::set<std::uint32_t> damaged_tables(model::Disagreements const& told) {
    std::set<std::uint32_t> nodes;
    for (model::NotedDisagreement const& noted : told.noted())
        if (noted.where.node.exists()) nodes.insert(noted.where.node.value);
    return nodes;
}

bool is_packed(std::filesystem::path const& path) {
    static constexpr std::array<std::string_view, 4> packers = {".xz", ".gz", ".bz2", ".zst"};
    return std::ranges::find(packers, path.extension().string()) != packers.end();
}

/// Without that of a packer, as `.xz`.
std::string ending_of(std::filesystem::path path) {
    if (is_packed(path)) path.replace_extension();
    return path.extension().string();
}

/// Is the same file there as it is, too?
bool is_packed_copy(std::filesystem::path path) {
    std::error_code ignored;
    return is_packed(path) && std::filesystem::exists(path.replace_extension(), ignored);
}

/// opensm-lfts.dump, dump_fts.out, dump_lfts.txt
bool is_named_as_dump(std::string const& path) {
    std::string const name = name_of(path);
    return name.starts_with("opensm-lft") || name.starts_with("dump_fts") || name.starts_with("dump_lft");
}

/// Do such files describe the fabric? Others of ibdiagnet2's are logs.
bool is_named_as_description(std::string const& path) {
    static constexpr std::array<std::string_view, 7> endings = {".db_csv", ".far",      ".fdbs", ".ibnetdiscover",
                                                                ".lst",    ".net_dump", ".plft"};
    std::string const ending = ending_of(path);
    return std::find(endings.begin(), endings.end(), ending) != endings.end() ||
           name_of(path).starts_with("ibnetdiscover") || is_named_as_dump(path);
}

/// Logs, which may quote tables, and tables of multicast.
bool is_beside_the_tables(std::string const& path) {
    std::string const name = name_of(path);
    return ending_of(path) == ".log" || name.starts_with("dump_mft");
}

void note_unreadable(model::Disagreements& disagreements, std::string const& path, std::string const& why) {
    disagreements.note(diagnosis::Code::file_unreadable, {path, 0}, "it cannot be read: " + why, 1,
                       {name_of(path), {}, 0, 0});
}

template <class Read>
void try_reading(std::string const& path, model::Disagreements& disagreements, Read read) {
    try {
        io::LineReader lines(io::open_source(path), path);
        read(lines);
    } catch (base::InputError const& error) {
        note_unreadable(disagreements, path, error.what());
    }
}

bool is_named_as_tables(std::string const& path) {
    std::string const ending = ending_of(path);
    return ending == ".fdbs" || ending == ".far" || is_named_as_dump(path);
}

/// `a, b`; nothing for no files.
void add_names(model::NamedFiles& names, char const* what, std::vector<std::string> const& files) {
    std::string text;
    for (std::string const& file : files) text += (text.empty() ? "" : ", ") + name_of(file);
    if (!text.empty()) names.emplace_back(what, text);
}

/// The tables of a folder: the best file that is whole, held against the others; where none is whole, what there is of
/// one. A folder all of whose tables are lost has none, and that is one note.
class TablesOfFolder {
public:
    TablesOfFolder(FabricFolder const& folder, model::Fabric& fabric, model::Disagreements& disagreements)
        : folder_(folder), fabric_(fabric), disagreements_(disagreements) {
        for (auto const& [file, why] : folder.damaged)
            if (is_named_as_tables(file)) refused_.push_back({file, Format::unknown, why});
    }

    /// Adds to `names` what is used for what, to `beside` what is held against it.
    void read(model::NamedFiles& names, std::vector<std::string>& beside) {
        for (auto const& [file, format] : folder_.tables)
            if (!take(file, format, CutOff::is_refused)) refused_.push_back({file, format, why_});
        read_adaptive();
        for (Refused& one : refused_)
            if (!used_ && one.format != Format::unknown && take(one.file, one.format, CutOff::is_data))
                one.file.clear();
        for (Refused const& one : refused_)
            if (!one.file.empty()) note_refused(one);
        if (used_) add_names(names, "tables", {used_->file});
        add_names(names, "groups", groups_from_);
        if (!groups_from_.empty() && !folder_.private_tables.empty())
            add_names(names, "private tables", {folder_.private_tables.front()});
        for (std::string const& file : taken_)
            if (file != used_->file && (groups_from_.empty() || file != groups_from_.front())) beside.push_back(file);
        fabric_.tables = used_ ? std::move(used_->tables) : model::ForwardingTables(fabric_.network, 0);
        fabric_.routed = used_.has_value() || !refused_.empty();
    }

private:
    struct Refused {
        std::string file;  ///< empty: it was used after all
        Format format = Format::unknown;
        std::string why;
        bool has_groups = false;
    };

    /// False for a file that cannot be read; `why_` says why.
    bool take(std::string const& file, Format format, CutOff cut_off) {
        try {
            io::LineReader lines(io::open_source(file), file);
            model::Disagreements own = own_notes();
            Tables found{file, read_tables_as(format, lines, fabric_.network, own, cut_off), {}};
            found.damaged = damaged_tables(own);
            if (!used_) disagreements_.take(own);
            hold_against_used(std::move(found));
            taken_.push_back(file);
            return true;
        } catch (base::InputError const& error) {
            why_ = error.what();
            return false;
        }
    }

    void hold_against_used(Tables found) {
        bool const has_more = used_ && used_->is_of_one_switch() && !found.is_of_one_switch();
        if (used_ && (has_more || fits_better(fabric_.network, found, *used_))) std::swap(*used_, found);
        if (used_) compare_tables(fabric_.network, *used_, found, disagreements_);
        else used_ = std::move(found);
    }

    /// Groups of adaptive routing, and the tables where no other file has them.
    void read_adaptive() {
        std::optional<PrivateTables> map;
        for (std::string const& file : folder_.private_tables)
            try_reading(file, disagreements_, [&](io::LineReader& lines) {
                PrivateTables found = read_private_tables(lines, fabric_.network, disagreements_);
                if (!map) map = std::move(found);
            });
        for (std::string const& file : folder_.adaptive) {
            try {
                io::LineReader lines(io::open_source(file), file);
                take_adaptive(file, lines, map ? &*map : nullptr);
            } catch (base::InputError const& error) {
                refused_.push_back({file, Format::unknown, error.what(), true});
            }
        }
    }

    void take_adaptive(std::string const& file, io::LineReader& lines, PrivateTables const* map) {
        bool const first = fabric_.candidates == nullptr;
        model::Disagreements own = own_notes();
        AdaptiveTables found = read_far(lines, fabric_.network, own, map);
        disagreements_.take(own);
        if (map)
            compare_private_tables(fabric_.network, *map, found.numbers, folder_.private_tables.front(),
                                   disagreements_);
        if (first) fabric_.candidates = std::move(found.sets), groups_from_ = {file};
        else compare_groups(*found.sets, file);
        Tables tables{file, std::move(found.tables), damaged_tables(own), true};
        hold_against_used(std::move(tables));
        taken_.push_back(file);
    }

    /// One note for all switches whose groups another file has otherwise.
    void compare_groups(model::CandidateSets const& other, std::string const& file) {
        model::Network const& net = fabric_.network;
        std::size_t entries = 0, switches = 0;
        model::Node first;
        model::Lid first_lid = 0;
        for (std::size_t n = 0; n < net.nodes().size(); ++n) {
            model::Node const node{n};
            if (!fabric_.candidates->has_row(node) || !other.has_row(node)) continue;  // told with the tables
            model::GroupsOfSwitch const used{fabric_.candidates.get(), node}, others{&other, node};
            model::GroupComparison groups(used, others);
            std::size_t const before = entries;
            for (model::Lid lid = 1; lid <= net.max_lid(); ++lid)
                if (net.owner(lid).node.exists() && groups.differ(used.group(lid), others.group(lid)) && entries++ == 0)
                    first = node, first_lid = lid;
            switches += entries > before;
        }
        if (entries == 0) return;
        disagreements_.note(
            diagnosis::Code::groups_of_another_run, {file, 0},
            fmt::format("its groups differ from those of {}, which are used, for {} at {}; the first is "
                        "for LID {} at {}",
                        name_of(groups_from_.front()), base::counted(entries, "entry", "entries"),
                        base::counted(switches, "switch", "switches"), first_lid, net.describe(first)),
            1, {name_of(file), {}, 0, 0});
    }

    /// Where no switch has a table for that reason, all that follows is explained.
    void note_refused(Refused const& one) {
        model::FabricPlace where{name_of(one.file), {}, 0, 0};
        for (std::size_t n = 0; !used_ && n < fabric_.network.nodes().size(); ++n)
            if (fabric_.network.is_switch(model::Node{n})) where.nodes.emplace_back(n);
        disagreements_.note(one.has_groups ? diagnosis::Code::groups_unreadable : diagnosis::Code::file_unreadable,
                            {one.file, 0}, "it cannot be read: " + one.why, 1, where);
    }

    FabricFolder const& folder_;
    model::Fabric& fabric_;
    model::Disagreements& disagreements_;
    std::optional<Tables> used_;
    std::vector<Refused> refused_;
    std::vector<std::string> taken_, groups_from_;  // files that were read; that of the groups
    std::string why_;
};

/// Says why, where files have the names of descriptions.
[[noreturn]] void refuse_without_topology(std::string const& path, std::size_t files, FabricFolder const& folder) {
    std::string why = base::counted(files, "file", "files") + ", none a db_csv, ibnetdiscover, lst or net_dump";
    if (!folder.damaged.empty()) {
        std::string names;
        for (auto const& [file, reason] : folder.damaged) names += (names.empty() ? "" : ", ") + name_of(file);
        why += fmt::format("; not read: {}; the first: {}", names, folder.damaged.front().second);
    }
    throw base::InputError({path, 0}, "the folder has no topology", why,
                           "give ibdiagnet2's output folder (--output_dir), or a file");
}

}  // namespace

bool is_folder(std::string const& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

FabricFolder look_into(std::string const& path) {
    FabricFolder folder;
    std::vector<std::string> files;
    std::error_code error;
    ReadFolder const root(path);
    for (std::filesystem::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
        ReadFolder::Entry const entry = root.look_at(*at);
        std::string const name = at->path().string();
        bool const could_be_read =
            is_named_as_description(name) || (entry.leads_out && entry.is_file && !is_beside_the_tables(name));
        if (entry.is_file && entry.refused.empty()) files.push_back(name);
        else if (could_be_read && !is_packed_copy(name))
            folder.damaged.emplace_back(name, "it " + (entry.refused.empty() ? "is a folder" : entry.refused));
    }
    if (error) throw base::InputError({path, 0}, "the folder cannot be read", error.message(), "check its permissions");
    if (files.size() > most_files)
        throw base::InputError({path, 0}, "the folder has " + std::to_string(files.size()) + " files",
                               "a folder of dumps has some twenty", "name a folder that holds one run alone");
    std::sort(files.begin(), files.end());
    std::sort(folder.damaged.begin(), folder.damaged.end());
    for (std::string const& file : files) {
        if (is_beside_the_tables(file)) continue;
        Format format = Format::unknown;
        std::string why = "it is empty, or not what its name says";
        try {
            std::error_code ignored;  // files of the kernel that have no end have no size
            if (std::filesystem::file_size(file, ignored) > 0) {
                io::LineReader lines(io::open_source(file), file);
                format = recognise(lines.peek());
            }
        } catch (base::InputError const& refused) {
            why = refused.what();  // logs, binary files: none of ours but for their names
        }
        if (format == Format::unknown && is_named_as_description(file) && !is_packed_copy(file))
            folder.damaged.emplace_back(file, why);
        switch (format) {
            case Format::lft_dump:
            case Format::fdbs: folder.tables.emplace_back(file, format); break;
            case Format::lane_maps: folder.lane_maps.push_back(file); break;
            case Format::adaptive: folder.adaptive.push_back(file); break;
            case Format::private_tables: folder.private_tables.push_back(file); break;
            default:
                if (rank_of(format) >= 0) folder.topologies.emplace_back(file, format);
        }
    }
    for (std::vector<std::string>* const named : {&folder.adaptive, &folder.private_tables, &folder.lane_maps})
        std::stable_sort(named->begin(), named->end(),
                         [](std::string const& a, std::string const& b) { return a.size() < b.size(); });
    sort_by_rank(folder.topologies);
    sort_by_rank(folder.tables);
    if (folder.topologies.empty()) refuse_without_topology(path, files.size(), folder);
    return folder;
}

model::Fabric read_folder(std::string const& path, model::Disagreements& disagreements, bool with_tables,
                          model::NamedFiles* used) {
    FabricFolder const folder = look_into(path);
    std::vector<Description> descriptions;
    for (std::size_t i = 0; i < folder.topologies.size(); ++i) {
        std::string const& file = folder.topologies[i].first;
        auto const read = [&](io::LineReader& lines) {
            model::Disagreements own = own_notes();
            std::string dumped = date_of_dump(lines.peek());
            model::Network network = read_topology_as(folder.topologies[i].second, lines, own);
            Format const format = folder.topologies[i].second;
            bool const tells_lmc = format == Format::db_csv || format == Format::ibnetdiscover;
            descriptions.push_back({file, std::move(network), std::move(own), tells_lmc, std::move(dumped)});
        };
        if (!descriptions.empty() || i + 1 < folder.topologies.size()) {
            try_reading(file, disagreements, read);
        } else {  // the last that could be the topology: why it is not is what to mend
            io::LineReader lines(io::open_source(file), file);
            read(lines);
        }
    }
    std::size_t const best = best_of(descriptions);
    fill_lids(descriptions, best);
    disagreements.take(descriptions[best].told);
    for (auto const& [file, why] : folder.damaged)
        if (!with_tables || !is_named_as_tables(file)) note_unreadable(disagreements, file, why);
    compare_descriptions(descriptions, best, disagreements);
    model::Fabric fabric;
    fabric.network = std::move(descriptions[best].network);
    fabric.origin.dumped = descriptions[best].dumped;
    for (Description const& other : descriptions)
        if (fabric.origin.dumped.empty()) fabric.origin.dumped = other.dumped;
    std::vector<std::string> beside;  // what is held against the files that are used
    for (std::size_t i = 0; i < descriptions.size(); ++i)
        if (i != best) beside.push_back(descriptions[i].file);
    model::NamedFiles names;
    add_names(names, "network", {descriptions[best].file});
    descriptions.clear();
    if (with_tables) TablesOfFolder(folder, fabric, disagreements).read(names, beside);
    else fabric.tables = model::ForwardingTables(fabric.network, 0);
    add_names(names, "compared with them", beside);
    if (used != nullptr) *used = std::move(names);
    return fabric;
}

}  // namespace tailback::formats
