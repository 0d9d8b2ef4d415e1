// Reads ibdiagnet2.net_dump: for every switch a line that names it and a table of its ports, a cable a row.
#include "host/base/scanner.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/read/lid_range.hpp"
#include "host/formats/read/port_states.hpp"
#include "host/formats/read/rate_words.hpp"
#include "host/formats/read/told_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace tailback::formats {
namespace {

/// Cells between colons; the last holds the rest of the line, as names have colons of their own.
std::vector<std::string_view> cells_of(std::string_view line, std::size_t most) {
    std::vector<std::string_view> cells;
    while (cells.size() + 1 < most) {
        std::size_t const end = line.find(" :");
        if (end == std::string_view::npos) break;
        cells.push_back(base::trimmed(line.substr(0, end)));
        line.remove_prefix(end + 2);
    }
    cells.push_back(base::trimmed(line));
    return cells;
}

/// No adapter has a port of a higher number.
constexpr model::Port most_adapter_ports = 8;

class NetDumpReader {
public:
    NetDumpReader(io::LineReader& lines, model::Disagreements& disagreements)
        : lines_(lines), disagreements_(disagreements) {}

    model::Network read() {
        std::string_view line;
        while (lines_.next(line)) take(line);
        add_cables();
        take_most_told(lids_, ToldValue::lid, lines_.name(), builder_, disagreements_);
        return builder_.finish(disagreements_, lines_.name());
    }

private:
    struct Row {
        model::Node node;
        model::Port port = 0;
        std::uint64_t far_guid = 0;
        model::Port far_port = 0;
        model::Lid far_lid = 0;
        std::string far_name;
        model::LinkRate rate;
        std::string_view state;  // where it is not active
        std::size_t line = 0;
    };

    void take(std::string_view line) {
        std::string_view const text = base::trimmed(line);
        if (text.empty()) return;
        if (text.find("Neighbor Guid") != std::string_view::npos) return take_heading(text);
        if (text.front() == '"' && text.find(", LID ") != std::string_view::npos) return take_switch(text);
        if (current_.exists() && !columns_.empty()) take_row(text);
    }

    void take_heading(std::string_view text) {
        columns_.clear();
        std::size_t number = 0;
        for (std::string_view const cell : cells_of(text, 64)) columns_.emplace(std::string(cell), number++);
        cells_ = number;
    }

    bool unparsed(std::string const& what) {
        disagreements_.note(diagnosis::Code::line_not_understood, lines_.place(), what);
        return false;
    }

    /// `"MF0;leaf-1:MQM9700/U1", Mellanox, 0xb0cf0e0300d33fc0, LID 180`
    void take_switch(std::string_view text) {
        current_ = {};
        std::size_t const end = text.rfind('"'), lid_at = text.rfind(", LID ");
        std::uint64_t guid = 0, lid = 0;
        base::Scanner behind(text.substr(lid_at + 6));
        std::size_t const guid_at = text.rfind("0x", lid_at);
        if (end == 0 || guid_at == std::string_view::npos || guid_at < end ||
            !base::Scanner(text.substr(guid_at + 2)).hex(guid) || guid == 0 || !behind.decimal(lid) || lid > no_lid) {
            unparsed("this is not a whole line of a switch; its ports are left out");
            return;
        }
        if (model::Node const other = builder_.node_by_guid(guid); other.exists()) {
            disagreements_.note(diagnosis::Code::node_listed_twice, lines_.place(),
                                builder_.describe(other) + " is listed twice; the first list counts", 1,
                                builder_.place_of(other));
            return;
        }
        current_ = builder_.add_node({.kind = model::NodeKind::switch_node,
                                      .name = std::string(text.substr(1, end - 1)),
                                      .guid = guid,
                                      .lid = lid == no_lid || lid > model::max_unicast_lid ? 0 : model::Lid(lid)},
                                     lines_.place());
        lids_.add(current_, 0, builder_.nodes()[current_].lid, lines_.place().line);
    }

    std::string_view cell(std::vector<std::string_view> const& cells, char const* name) const {
        auto const at = columns_.find(name);
        return at == columns_.end() || at->second >= cells.size() ? std::string_view{} : cells[at->second];
    }

    void take_row(std::string_view text) {
        std::vector<std::string_view> const cells = cells_of(text, cells_);
        if (cells.size() < cells_ && !lines_.terminated()) {
            unparsed("the file ends within this row of a port");
            return;
        }
        if (cells.size() < 2) {
            if (text.find_first_not_of("-=_") != std::string_view::npos && text.front() != '#')
                unparsed("this is not a row of a port");
            return;
        }
        std::string_view const far = cell(cells, "Neighbor Guid");
        if (far.empty() || far == "N/A" || far == "0x0000000000000000") return;  // no cable
        Row row{.node = current_, .line = lines_.place().line};
        std::uint64_t port = 0, far_port = 0, lid = 0;
        base::Scanner guid(far), own(cell(cells, "IB#")), other(cell(cells, "N#")), far_lid(cell(cells, "NLID"));
        if (cells.size() < cells_ || !own.decimal(port) || !guid.accept("0x") || !guid.hex(row.far_guid) ||
            !other.decimal(far_port) || port == 0 || far_port == 0 || port > max_port || far_port > max_port) {
            unparsed("this is not a whole row of a port");
            return;
        }
        if (far_lid.decimal(lid) && lid <= model::max_unicast_lid) row.far_lid = static_cast<model::Lid>(lid);
        row.state = idle_state(cell(cells, "Sta"));
        row.port = static_cast<model::Port>(port);
        row.far_port = static_cast<model::Port>(far_port);
        std::string_view name = cell(cells, "Neighbor Description");
        if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
        row.far_name = std::string(name);
        std::uint64_t width = 0;
        base::Scanner(cell(cells, "LWA")).decimal(width);
        row.rate = rate_of_words(width, cell(cells, "LSA"));
        builder_.set_port_label(current_, row.port, cell(cells, "#"));
        rows_.push_back(std::move(row));
    }

    /// Neighbours without a list of their own that are switches all the same: of one LID at several ports, which an
    /// adapter has not, or of more ports. Their lists are lost.
    void add_unlisted_switches() {
        struct Ports {
            model::Port first = 0, highest = 0;
            model::Lid lid = 0;
            bool one_lid_at_several = false;
            std::size_t cables = 0;
        };
        std::map<std::uint64_t, Ports> unlisted;
        for (Row const& row : rows_) {
            if (builder_.node_by_guid(row.far_guid).exists()) continue;
            Ports& ports = unlisted[row.far_guid];
            if (ports.cables++ == 0) ports.first = row.far_port, ports.lid = row.far_lid;
            else if (row.far_port != ports.first && row.far_lid == ports.lid && ports.lid != 0)
                ports.one_lid_at_several = true;
            ports.highest = std::max(ports.highest, row.far_port);
        }
        for (Row const& row : rows_) {
            auto const at = unlisted.find(row.far_guid);
            if (at == unlisted.end() || builder_.node_by_guid(row.far_guid).exists()) continue;
            Ports const& ports = at->second;
            if (!ports.one_lid_at_several && ports.highest <= most_adapter_ports) continue;
            model::Node const node = builder_.add_node({.kind = model::NodeKind::switch_node,
                                                        .name = row.far_name,
                                                        .guid = row.far_guid,
                                                        .ports = ports.highest,
                                                        .lid = ports.lid});
            unlisted_.insert(node.value);
            model::FabricPlace where = builder_.place_of(node);
            where.nodes = {node};
            disagreements_.note(
                diagnosis::Code::node_without_record, {lines_.name(), 0},
                fmt::format("it has no list of its own; its {} taken from the other ends",
                            ports.cables == 1 ? std::string("cable is") : fmt::format("{} cables are", ports.cables)),
                1, where);
        }
    }

    /// Neighbours that are no switch of the file are adapters.
    void add_cables() {
        add_unlisted_switches();
        std::unordered_set<std::uint64_t> listed;
        for (Row const& row : rows_) listed.insert(std::uint64_t{row.node.value} << 8 | row.port);
        for (Row const& row : rows_) {
            model::Node far = builder_.node_by_guid(row.far_guid);
            if (!far.exists())
                far = builder_.add_node({.kind = model::NodeKind::adapter, .name = row.far_name, .guid = row.far_guid});
            bool const to_switch = builder_.nodes()[far].kind == model::NodeKind::switch_node;
            lids_.add(far, to_switch ? 0 : row.far_port, row.far_lid, row.line);
            if (!to_switch && hosts_.insert(std::uint64_t{far.value} << 8 | row.far_port).second)
                builder_.add_host({.node = far, .port = row.far_port, .lid = row.far_lid});
            builder_.add_link(
                {.from = row.node, .from_port = row.port, .to = far, .to_port = row.far_port, .rate = row.rate});
            bool const both_listed = listed.contains(std::uint64_t{far.value} << 8 | row.far_port);
            std::uint64_t const end = std::uint64_t{row.node.value} << 8 | row.port;
            if (!row.state.empty() && idle_.insert(end).second) {
                idle_.insert(std::uint64_t{far.value} << 8 | row.far_port);  // one note a cable
                note_idle_port(disagreements_, {lines_.name(), row.line}, row.state,
                               builder_.place_of(row.node, row.port));
            }
            if (both_listed) continue;
            if (to_switch && !unlisted_.contains(far.value))
                disagreements_.note(
                    diagnosis::Code::cable_from_one_end, {lines_.name(), 0},
                    fmt::format("the cable to port {} of \"{}\" is not listed there; taken as plugged in", row.far_port,
                                builder_.nodes()[far].name),
                    1, builder_.place_of(far, row.far_port));
            builder_.add_link(
                {.from = far, .from_port = row.far_port, .to = row.node, .to_port = row.port, .rate = row.rate});
        }
    }

    io::LineReader& lines_;
    model::Disagreements& disagreements_;
    model::NetworkBuilder builder_;
    model::Node current_;
    std::map<std::string, std::size_t, std::less<>> columns_;
    std::size_t cells_ = 0;
    std::vector<Row> rows_;
    std::unordered_set<std::uint64_t> hosts_;     // (node, port)
    std::unordered_set<std::uint64_t> idle_;      // (node, port), told
    std::unordered_set<std::uint32_t> unlisted_;  // switches without a list of their own
    ToldValues lids_;
};

}  // namespace

model::Network read_net_dump(io::LineReader& lines, model::Disagreements& disagreements) {
    return NetDumpReader(lines, disagreements).read();
}

}  // namespace tailback::formats
