#include "host/formats/ibdiagnet2/folder.hpp"

#include "host/base/error.hpp"
#include "host/formats/ibdiagnet2/private_tables.hpp"
#include "host/formats/read/read_fabric.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <unordered_map>

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
    std::stable_sort(files.begin(), files.end(),
                     [](auto const& a, auto const& b) { return rank_of(a.second) < rank_of(b.second); });
}

/// A node of one description in the other.
class Matching {
public:
    Matching(model::Network const& network, model::Network const& other) {
        for (model::HostRecord const& host : network.hosts())
            if (host.port_guid != 0) by_port_.emplace(host.port_guid, host.node);
        for (std::size_t n = 0; n < other.nodes().size(); ++n) {
            std::uint64_t const guid = other[model::Node{n}].guid;
            model::Node node = network.node_by_guid(guid);
            if (auto const port = by_port_.find(guid); !node.exists() && port != by_port_.end()) node = port->second;
            here_.push_back(node);
        }
    }
    model::Node here(model::Node other) const { return here_[other.value]; }

private:
    std::unordered_map<std::uint64_t, model::Node> by_port_;
    std::vector<model::Node> here_;
};

class Comparison {
public:
    Comparison(model::Network const& network, model::Network const& other, std::string const& file,
               model::Disagreements& disagreements)
        : net_(network), other_(other), file_(file), disagreements_(disagreements), match_(network, other) {}

    void run() {
        std::vector<bool> met(net_.nodes().size());
        for (std::size_t n = 0; n < other_.nodes().size(); ++n) {
            model::Node const node = match_.here(model::Node{n});
            if (node.exists()) met[node.value] = true;
            else note(other_.describe(model::Node{n}), {}, "only this file has it");
        }
        for (std::size_t n = 0; n < net_.nodes().size(); ++n)
            if (!met[n] && net_.link_count(model::Node{n}) > 0)
                note(net_.describe(model::Node{n}), net_.place_of(model::Node{n}), "this file does not have it");
        compare_links(met);
        compare_lids();
    }

private:
    void note(std::string const& what, model::FabricPlace where, std::string const& text) {
        if (where.text.empty()) where.text = what;
        disagreements_.note(model::Disagreement::descriptions_differ, {file_, 0}, text + " (" + file_name() + ")", 1,
                            where);
    }
    std::string file_name() const { return std::filesystem::path(file_).filename().string(); }

    void compare_links(std::vector<bool> const& met) {
        std::vector<bool> told(net_.links().size());
        for (model::LinkRecord const& link : other_.links()) {
            model::Node const from = match_.here(link.from), to = match_.here(link.to);
            if (!from.exists() || !to.exists()) continue;
            model::Link const here = net_.link_at(from, link.from_port);
            model::FabricPlace const where = net_.place_of(from, link.from_port);
            if (!here.exists() || net_[here].to != to || net_[here].to_port != link.to_port) {
                if (here.exists()) told[here.value] = true;
                note("", where,
                     "its cable leads to " + net_.place_of(to, link.to_port).text + " by this file, " +
                         (here.exists() ? "to " + net_.place_of(net_[here].to, net_[here].to_port).text
                                        : std::string("nowhere")) +
                         " by the file that is used");
                continue;
            }
            told[here.value] = true;
            if (link.rate.stated() && net_[here].rate.stated() && link.rate != net_[here].rate)
                note("", where,
                     "its rate is " + link.rate.text() + " by this file, " + net_[here].rate.text() +
                         " by the file that is used");
        }
        for (std::size_t l = 0; l < told.size(); ++l) {
            model::LinkRecord const& link = net_[model::Link{l}];
            if (!told[l] && met[link.from.value] && met[link.to.value])
                note("", net_.place_of(link.from, link.from_port), "this file does not have its cable");
        }
    }

    void compare_lids() {
        for (std::size_t n = 0; n < other_.nodes().size(); ++n) {
            model::Node const node = match_.here(model::Node{n});
            if (!node.exists() || other_[model::Node{n}].kind != model::NodeKind::switch_node) continue;
            compare_lid(net_.place_of(node), net_[node].lid, other_[model::Node{n}].lid);
        }
        for (model::HostRecord const& host : other_.hosts()) {
            model::Node const node = match_.here(host.node);
            if (!node.exists()) continue;
            for (model::Host const here : net_.hosts_of(node))
                if (net_[here].port == host.port) compare_lid(net_.place_of(node, host.port), net_[here].lid, host.lid);
        }
    }

    void compare_lid(model::FabricPlace where, model::Lid here, model::Lid there) {
        if (here == there || here == 0 || there == 0) return;
        where.lids = {std::min(here, there), std::max(here, there)};
        note("", where,
             "its LID is " + std::to_string(there) + " by this file, " + std::to_string(here) +
                 " by the file that is used");
    }

    model::Network const& net_;
    model::Network const& other_;
    std::string const& file_;
    model::Disagreements& disagreements_;
    Matching match_;
};

/// Entries that differ, a note a switch.
void compare_tables(model::Fabric const& fabric, model::ForwardingTables const& other, std::string const& file,
                    model::Disagreements& disagreements) {
    model::Network const& net = fabric.network;
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        model::Node const node{n};
        if (!fabric.tables.has_table(node) || !other.has_table(node)) continue;
        std::uint64_t differing = 0;
        model::Lid first = 0;
        for (model::Lid lid = 1; lid <= net.max_lid(); ++lid) {
            if (!net.owner(lid).node.exists() || fabric.tables.port(node, lid) == other.port(node, lid)) continue;
            if (differing++ == 0) first = lid;
        }
        if (differing == 0) continue;
        disagreements.note(model::Disagreement::descriptions_differ, {file, 0},
                           std::to_string(differing) + (differing == 1 ? " entry" : " entries") +
                               " of its table differ (" + std::filesystem::path(file).filename().string() +
                               "), the first for LID " + std::to_string(first),
                           1, net.place_of(node));
    }
}

/// Do such files describe the fabric? Others of ibdiagnet2's are logs.
bool is_named_as_description(std::string const& path) {
    static constexpr std::array<std::string_view, 7> endings = {".db_csv", ".far",      ".fdbs", ".ibnetdiscover",
                                                                ".lst",    ".net_dump", ".plft"};
    std::string const ending = std::filesystem::path(path).extension().string();
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

void note_unreadable(model::Disagreements& disagreements, std::string const& path, std::string const& why) {
    disagreements.note(model::Disagreement::descriptions_differ, {path, 0}, "it cannot be read: " + why, 1,
                       {std::filesystem::path(path).filename().string(), {}, 0, 0});
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

}  // namespace

/// Groups of adaptive routing, and the tables where no other file has them.
void read_adaptive(FabricFolder const& folder, model::Fabric& fabric, model::Disagreements& disagreements) {
    std::optional<PrivateTables> map;
    for (std::string const& file : folder.private_tables)
        try_reading(file, disagreements, [&](io::LineReader& lines) {
            PrivateTables found = read_private_tables(lines, fabric.network, disagreements);
            if (!map) map = std::move(found);
        });
    for (std::string const& file : folder.adaptive)
        try_reading(file, disagreements, [&](io::LineReader& lines) {
            bool const first = fabric.candidates == nullptr;
            AdaptiveTables found = read_far(lines, fabric.network, disagreements, map ? &*map : nullptr);
            if (map)
                compare_private_tables(fabric.network, *map, found.numbers, folder.private_tables.front(),
                                       disagreements);
            if (first) fabric.candidates = std::move(found.sets);
            if (fabric.routed) return compare_tables(fabric, found.tables, file, disagreements);
            fabric.tables = std::move(found.tables);
            fabric.routed = true;
        });
}

bool is_folder(std::string const& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

FabricFolder look_into(std::string const& path) {
    FabricFolder folder;
    std::vector<std::string> files;
    std::error_code error;
    for (std::filesystem::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
        if (std::error_code ignored; at->is_regular_file(ignored)) files.push_back(at->path().string());
    if (error) throw base::InputError({path, 0}, "the folder cannot be read", error.message(), "check its permissions");
    if (files.size() > most_files)
        throw base::InputError({path, 0}, "the folder has " + std::to_string(files.size()) + " files",
                               "a folder of dumps has some twenty", "name a folder that holds one run alone");
    std::sort(files.begin(), files.end());
    for (std::string const& file : files) {
        Format format = Format::unknown;
        std::string why = "it is empty, or not what its name says";
        try {
            io::LineReader lines(io::open_source(file), file);
            format = recognise(lines.peek());
        } catch (base::InputError const& refused) {
            why = refused.what();  // logs, binary files: none of ours but for their names
        }
        if (format == Format::unknown && is_named_as_description(file)) folder.damaged.emplace_back(file, why);
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
    sort_by_rank(folder.topologies);
    sort_by_rank(folder.tables);
    if (folder.topologies.empty())
        throw base::InputError({path, 0}, "the folder has no topology",
                               std::to_string(files.size()) + " files, none a db_csv, ibnetdiscover, lst or net_dump",
                               "give ibdiagnet2's output folder (--output_dir), or a file");
    return folder;
}

void compare_networks(model::Network const& network, model::Network const& other, std::string const& file,
                      model::Disagreements& disagreements) {
    Comparison(network, other, file, disagreements).run();
}

model::Fabric read_folder(std::string const& path, model::Disagreements& disagreements, bool with_tables) {
    FabricFolder const folder = look_into(path);
    model::Fabric fabric;
    std::size_t best = 0;
    for (bool done = false; !done; ++best) {  // the first that can be read; what is wrong with it counts
        std::string const& file = folder.topologies[best].first;
        auto const format = folder.topologies[best].second;
        if (best + 1 == folder.topologies.size()) {
            io::LineReader lines(io::open_source(file), file);
            fabric.network = read_topology_as(format, lines, disagreements);
            done = true;
        } else {
            try_reading(file, disagreements, [&](io::LineReader& lines) {
                fabric.network = read_topology_as(format, lines, disagreements);
                done = true;
            });
        }
    }
    for (auto const& [file, why] : folder.damaged) note_unreadable(disagreements, file, why);
    for (std::size_t i = best; i < folder.topologies.size(); ++i)
        try_reading(folder.topologies[i].first, disagreements, [&](io::LineReader& lines) {
            model::Disagreements own;  // each description's own faults are told of the best alone
            compare_networks(fabric.network, read_topology_as(folder.topologies[i].second, lines, own),
                             folder.topologies[i].first, disagreements);
        });
    fabric.tables = model::ForwardingTables(fabric.network, 0);
    for (std::size_t i = 0; with_tables && i < folder.tables.size(); ++i) {
        std::string const& file = folder.tables[i].first;
        auto const format = folder.tables[i].second;
        auto const read = [&](io::LineReader& lines) {
            if (fabric.routed) {
                model::Disagreements own;
                compare_tables(fabric, read_tables_as(format, lines, fabric.network, own), file, disagreements);
            } else {
                fabric.tables = read_tables_as(format, lines, fabric.network, disagreements);
                fabric.routed = true;
            }
        };
        if (fabric.routed || i + 1 < folder.tables.size()) {
            try_reading(file, disagreements, read);
        } else {  // the last that could be the tables: why it is not is what to mend
            io::LineReader lines(io::open_source(file), file);
            read(lines);
        }
    }
    if (with_tables) read_adaptive(folder, fabric, disagreements);
    if (with_tables && !fabric.routed)
        for (auto const& [file, why] : folder.damaged)
            if (std::filesystem::path(file).extension() == ".fdbs")
                throw base::InputError({file, 0}, "the tables cannot be read", why, "give others with --tables");
    return fabric;
}

}  // namespace tailback::formats
