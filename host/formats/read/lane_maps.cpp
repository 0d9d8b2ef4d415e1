// Reads SL2VL tables: opensm-sl2vl.dump (a block a node, `in out : 16 lanes` a line) and ibdiagnet.slvl (all in one
// line).
#include "host/base/scanner.hpp"
#include "host/formats/lane_files.hpp"

#include <cstdio>

namespace tailback::formats {
namespace {

std::string hex_text(std::uint64_t guid) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(guid));
    return text;
}

/// Where packets of a record come from: a switch, or endpoints of an adapter; nowhere for a GUID nobody has.
struct Owner {
    model::Node node;
    model::Host host;
};

class LaneMapsReader {
public:
    LaneMapsReader(io::LineReader& lines, model::Network const& network, model::Disagreements& disagreements)
        : lines_(lines), network_(network), disagreements_(disagreements), maps_(network) {
        for (std::size_t h = 0; h < network.hosts().size(); ++h)
            if (std::uint64_t const guid = network[model::Host{h}].port_guid; guid != 0)
                host_of_.try_emplace(guid, model::Host{h});
    }

    model::LaneMaps read() {
        std::string_view line;
        bool whole = true;
        while (lines_.next(line)) whole = take(line);
        if (!lines_.terminated() && !whole)
            throw base::InputError(lines_.place(), "the last record is cut off", "",
                                   "the file is truncated; copy or dump it again");
        if (records_ == 0)
            throw base::InputError({lines_.name(), 0}, "the file has no SL2VL table",
                                   "no line is a record of opensm-sl2vl.dump or ibdiagnet.slvl",
                                   "give one of these files");
        if (!lines_.terminated())
            disagreements_.note(diagnosis::Code::lane_file_cut_off, lines_.place(),
                                "the last line has no end; the file may be cut off");
        return std::move(maps_);
    }

private:
    /// False for a line that may have been cut.
    bool take(std::string_view line) {
        base::Scanner scan(line);
        scan.blanks();
        if (scan.at_end() || scan.rest().front() == '#') return true;
        if (scan.accept("0x")) return take_slvl(scan, line);
        for (std::string_view const kind : {"Switch", "Channel Adapter", "Router"})
            if (base::Scanner header = scan; header.accept(kind) && header.blanks().accept("0x")) {
                std::uint64_t guid = 0;
                if (!header.hex(guid)) break;
                in_block_ = true;
                block_ = owner_of(guid);
                return true;
            }
        return take_row(scan, line);
    }

    /// `1   2   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7`
    bool take_row(base::Scanner scan, std::string_view line) {
        std::uint64_t in = 0, out = 0;
        bool sound = in_block_ && scan.decimal(in) && scan.blanks().decimal(out) && scan.blanks().accept(':');
        model::LaneMap map;
        for (unsigned level = 0; sound && level < model::service_level_count; ++level) {
            std::uint64_t lane = 0;
            sound = scan.blanks().decimal(lane);
            if (sound) map.set(level, checked(lane));
        }
        if (!sound || !scan.blanks().at_end()) return not_understood(line);
        enter(block_, in, out, map);
        return true;
    }

    /// `0x0002c90200400008 1 2 -raw_vl_by_sl 0x01 0x23 ..`: two lanes a byte, the even level in the upper half.
    bool take_slvl(base::Scanner scan, std::string_view line) {
        std::uint64_t guid = 0, in = 0, out = 0;
        bool sound = scan.hex(guid) && scan.blanks().decimal(in) && scan.blanks().decimal(out);
        scan.blanks().accept("-raw_vl_by_sl");
        model::LaneMap map;
        for (unsigned level = 0; sound && level < model::service_level_count; level += 2) {
            std::uint64_t two = 0;
            sound = scan.blanks().accept("0x") && scan.hex(two);
            if (!sound) break;
            if (two > 0xFF)
                throw base::InputError(lines_.place(), "a byte of the SL2VL record is above 0xff",
                                       "two lanes of 4 bits make one", "the line is damaged; make the file again");
            map.set(level, static_cast<unsigned>(two >> 4));
            map.set(level + 1, static_cast<unsigned>(two & 15));
        }
        if (!sound || !scan.blanks().at_end()) return not_understood(line);
        enter(owner_of(guid), in, out, map);
        return true;
    }

    bool not_understood(std::string_view line) {
        disagreements_.note(diagnosis::Code::line_not_understood, lines_.place(),
                            "\"" + std::string(line.substr(0, 60)) + "\" is not an SL2VL record");
        return false;
    }

    unsigned checked(std::uint64_t lane) const {
        if (lane > model::dropping_lane)
            throw base::InputError(lines_.place(), "virtual lane " + std::to_string(lane), "lanes go from 0 to 15",
                                   "the line is damaged; make the file again");
        return static_cast<unsigned>(lane);
    }

    Owner owner_of(std::uint64_t guid) {
        if (guid == last_guid_) return last_owner_;
        last_guid_ = guid;
        last_owner_ = {};
        if (auto const host = host_of_.find(guid); host != host_of_.end())
            last_owner_ = {network_[host->second].node, host->second};
        else last_owner_.node = network_.node_by_guid(guid);
        if (!last_owner_.node.exists())
            note_unknown("SL2VL table of " + hex_text(guid) + ", which the topology does not have", {"", {}, guid, 0});
        return last_owner_;
    }

    void note_unknown(std::string const& example, model::FabricPlace const& where) {
        disagreements_.note(diagnosis::Code::lanes_of_unknown_port, lines_.place(), example, 1, where);
    }

    void enter(Owner const& owner, std::uint64_t in, std::uint64_t out, model::LaneMap map) {
        ++records_;
        if (!owner.node.exists()) return;
        bool agrees = true;
        if (network_.is_switch(owner.node)) {
            if (in > 255 || out > 255 || !maps_.has_port(owner.node, model::Port(in)) ||
                !maps_.has_port(owner.node, model::Port(out)))
                return note_unknown("SL2VL record from port " + std::to_string(in) + " to port " + std::to_string(out) +
                                        " of " + network_.describe(owner.node) + ", which has " +
                                        std::to_string(network_[owner.node].ports) + " ports",
                                    {"", owner.node, 0, 0});
            agrees = maps_.set(owner.node, model::Port(in), model::Port(out), map, lines_.place());
        } else if (owner.host.exists()) {
            agrees = maps_.set(owner.host, map, lines_.place());
        } else {
            for (model::Host const host : network_.hosts_of(owner.node))
                if (out == 0 || network_[host].port == out) agrees &= maps_.set(host, map, lines_.place());
        }
        if (!agrees)
            disagreements_.note(diagnosis::Code::lanes_told_twice, lines_.place(),
                                "a second SL2VL record from port " + std::to_string(in) + " to port " +
                                    std::to_string(out) + " of " + network_.describe(owner.node),
                                1, {"", owner.node, 0, static_cast<model::Port>(out)});
    }

    io::LineReader& lines_;
    model::Network const& network_;
    model::Disagreements& disagreements_;
    model::LaneMaps maps_;
    std::unordered_map<std::uint64_t, model::Host> host_of_;  // by port GUID
    bool in_block_ = false;
    Owner block_;
    std::uint64_t last_guid_ = 0;
    Owner last_owner_;
    std::size_t records_ = 0;
};

}  // namespace

model::LaneMaps read_lane_maps(io::LineReader& lines, model::Network const& network,
                               model::Disagreements& disagreements) {
    return LaneMapsReader(lines, network, disagreements).read();
}

}  // namespace tailback::formats
