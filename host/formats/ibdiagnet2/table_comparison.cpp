#include "host/formats/ibdiagnet2/table_comparison.hpp"

#include "host/base/numbers.hpp"
#include "host/formats/ibdiagnet2/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tailback::formats {
namespace {

/// By LID: has any table an entry for it?
std::vector<bool> known_lids(model::Network const& net, model::ForwardingTables const& tables) {
    std::vector<bool> known(std::size_t{net.max_lid()} + 1);
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        if (model::Node const node{n}; tables.has_table(node))
            for (model::Lid lid = 1; lid < known.size(); ++lid)
                if (tables.port(node, lid) != model::ForwardingTables::no_entry) known[lid] = true;
    return known;
}

/// dump_fts leaves out the last LID of all tables where it begins a block of 64.
bool dump_fts_leaves_out(model::Lid lid, std::vector<bool> const& known) {
    return lid % 64 == 0 && std::find(known.begin() + lid, known.end(), true) == known.end();
}

class TableComparison {
public:
    TableComparison(model::Network const& network, Tables& used, model::Disagreements& disagreements)
        : net_(network), used_(used), disagreements_(disagreements) {}

    void run(Tables const& other) {
        std::string const file = name_of(other.file);
        std::vector<model::Node> missing;
        known_here_ = known_lids(net_, used_.tables), known_there_ = known_lids(net_, other.tables);
        for (std::size_t n = 0; n < net_.nodes().size(); ++n) {
            model::Node const node{n};
            if (!other.tables.has_table(node)) {
                if (used_.tables.has_table(node)) missing.push_back(node);
                continue;
            }
            if (!used_.tables.has_table(node)) adopt(node, other);
            else compare(node, other);
        }
        note_adopted(file);
        note_apart(other);
        note_unknown_lids(used_, known_here_, other, known_there_, "; those are used");
        note_unknown_lids(other, known_there_, used_, known_here_, "");
        if (!missing.empty() && other.damaged.empty() && !other.is_of_one_switch())
            disagreements_.note(diagnosis::Code::table_missing_in_file, {other.file, 0},
                                missing.size() == 1 ? "its table is missing in " + file
                                                    : "its table and those of " + std::to_string(missing.size() - 1) +
                                                          " more switches are missing in " + file,
                                1, net_.place_of(missing.front()));
    }

private:
    void adopt(model::Node node, Tables const& other) {
        used_.tables.add_table(node);
        used_.tables.grow(other.tables.lids() > 0 ? static_cast<model::Lid>(other.tables.lids() - 1) : 0);
        for (model::Lid lid = 1; lid < other.tables.lids(); ++lid)
            if (model::Port const port = other.tables.port(node, lid); port != model::ForwardingTables::no_entry)
                used_.tables.set(node, lid, port);
        adopted_.push_back(node);
    }
    void note_adopted(std::string const& file) {
        if (adopted_.empty()) return;
        std::size_t const more = adopted_.size() - 1;
        model::FabricPlace where = net_.place_of(adopted_.front());
        for (model::Lid lid = 1; lid <= net_.max_lid() && more > 0; ++lid)  // what a file lacks that is cut off
            if (!known_here_[lid] && known_there_[lid]) where.lids.push_back(lid);
        disagreements_.note(
            diagnosis::Code::table_missing_in_file, {used_.file, 0},
            more == 0 ? fmt::format("its table is missing in {}; that of {} is used", name_of(used_.file), file)
                      : fmt::format(
                            "its table is missing in {}, as are those of {} (it may be cut off); those of {} are used",
                            name_of(used_.file), base::counted(more, "more switch", "more switches"), file),
            1, std::move(where));
    }

    void compare(model::Node node, Tables const& other) {
        bool const lost_here = used_.damaged.contains(node.value), lost_there = other.damaged.contains(node.value);
        Apart apart{.node = node};
        for (model::Lid lid = 1; lid <= net_.max_lid(); ++lid) {
            if (!net_.owner(lid).node.exists()) continue;
            model::Port const here = used_.tables.port(node, lid), there = other.tables.port(node, lid);
            bool const unknown_there = lost_there || !known_there_[lid], unknown_here = lost_here || !known_here_[lid];
            if (here == there || (unknown_there && there == model::ForwardingTables::no_entry)) continue;
            if (unknown_here && here == model::ForwardingTables::no_entry) {
                used_.tables.set(node, lid, there);
                continue;
            }
            apart.lids.push_back(lid);
        }
        if (!apart.lids.empty()) apart_.push_back(std::move(apart));
    }

    /// LIDs that no table of one file has an entry for, and some of the other has.
    void note_unknown_lids(Tables const& lacking, std::vector<bool> const& known, Tables const& has,
                           std::vector<bool> const& known_by_it, char const* then) {
        if (!lacking.damaged.empty()) return;
        model::FabricPlace where{name_of(lacking.file), {}, 0, 0};
        for (model::Lid lid = 1; lid <= net_.max_lid(); ++lid)
            if (!known[lid] && known_by_it[lid] && net_.owner(lid).node.exists() && !dump_fts_leaves_out(lid, known))
                where.lids.push_back(lid);
        if (where.lids.empty()) return;
        std::size_t const more = where.lids.size() - 1;
        std::string const text = fmt::format(
            "no table has an entry for LID {}{}, which {} has{}", where.lids.front(),
            more == 0 ? "" : fmt::format(" and {} more", base::counted(more, "LID", "LIDs")), name_of(has.file), then);
        disagreements_.note(diagnosis::Code::lid_missing_in_file, {lacking.file, 0}, text, 1, std::move(where));
    }

    /// A note a switch; of many switches one: the file is of another run.
    void note_apart(Tables const& other) {
        std::string const file = name_of(other.file), used = name_of(used_.file);
        auto const entries = [](std::uint64_t count) {
            return std::to_string(count) + (count == 1 ? " entry" : " entries");
        };
        if (apart_.size() <= most_apart) {
            for (Apart const& one : apart_) {
                model::FabricPlace where = net_.place_of(one.node);
                where.lids = one.lids;
                disagreements_.note(diagnosis::Code::tables_differ, {other.file, 0},
                                    fmt::format("{} of its table differ{} between {}, which is used, and {}; the "
                                                "first is for LID {}",
                                                entries(one.lids.size()), one.lids.size() == 1 ? "s" : "", used, file,
                                                one.lids.front()),
                                    1, std::move(where));
            }
            return;
        }
        std::uint64_t sum = 0;
        for (Apart const& one : apart_) sum += one.lids.size();
        disagreements_.note(
            other.has_groups ? diagnosis::Code::groups_of_another_run : diagnosis::Code::tables_of_another_run,
            {other.file, 0},
            fmt::format("it is of another run: {} in the tables of {} switches differ from {}, which "
                        "is used; the first is for LID {} at {}",
                        entries(sum), apart_.size(), used, apart_.front().lids.front(),
                        net_.describe(apart_.front().node)),
            1, {file, {}, 0, 0});
    }

    struct Apart {
        model::Node node;
        std::vector<model::Lid> lids;  // whose entries differ: what goes wrong with their packets follows
    };
    std::vector<Apart> apart_;
    std::vector<model::Node> adopted_;
    std::vector<bool> known_here_, known_there_;  // by LID: has any table of the file an entry for it?
    model::Network const& net_;
    Tables& used_;
    model::Disagreements& disagreements_;
};

/// Switches whose entries for some of their hosts do not lead to these.
std::size_t switches_that_misplace_hosts(model::Network const& net, model::ForwardingTables const& tables) {
    std::set<std::uint32_t> switches;
    for (std::size_t h = 0; h < net.hosts().size(); ++h) {
        model::HostRecord const& host = net[model::Host{h}];
        model::Link const up = net.up_link(model::Host{h});
        if (host.lid == 0 || !up.exists() || !tables.has_table(net[up].to)) continue;
        model::Port const port = tables.port(net[up].to, host.lid);
        if (port != net[up].to_port && port != model::ForwardingTables::no_entry) switches.insert(net[up].to.value);
    }
    return switches.size();
}

}  // namespace

bool Tables::is_of_one_switch() const { return name_of(file).starts_with("ibroute") && tables.tables() == 1; }

bool fits_better(model::Network const& network, Tables const& other, Tables const& used) {
    return switches_that_misplace_hosts(network, used.tables) > most_apart &&
           switches_that_misplace_hosts(network, other.tables) == 0;
}

void compare_tables(model::Network const& network, Tables& used, Tables const& other,
                    model::Disagreements& disagreements) {
    TableComparison(network, used, disagreements).run(other);
}

}  // namespace tailback::formats
