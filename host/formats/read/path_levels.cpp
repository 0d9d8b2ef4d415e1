// Reads service levels of paths: `SLID DLID SL`, or ibdiagnet.psl's `0xNODEGUID DLID SL`.
#include "host/base/scanner.hpp"
#include "host/formats/lane_files.hpp"

#include <cstdio>

namespace tailback::formats {
namespace {

class PathLevelsReader {
public:
    PathLevelsReader(io::LineReader& lines, model::Network const& network, model::Disagreements& disagreements)
        : lines_(lines), network_(network), disagreements_(disagreements), levels_(network) {
        for (std::size_t h = 0; h < network.hosts().size(); ++h)
            if (std::uint64_t const guid = network[model::Host{h}].port_guid; guid != 0)
                host_of_.try_emplace(guid, model::Host{h});
    }

    model::ServiceLevels read() {
        std::string_view line;
        bool whole = true;
        while (lines_.next(line)) whole = take(line);
        if (!lines_.terminated() && !whole)
            throw base::InputError(lines_.place(), "the last line is cut off", "",
                                   "the file is truncated; copy or make it again");
        if (paths_ == 0)
            throw base::InputError({lines_.name(), 0}, "the file has no service level of a path",
                                   "no line is `SLID DLID SL` or `0xNODEGUID DLID SL`",
                                   "give a list of paths with their levels, or ibdiagnet.psl");
        if (!lines_.terminated())
            disagreements_.note(diagnosis::Code::lane_file_cut_off, lines_.place(),
                                "the last line has no end; the file may be cut off");
        return std::move(levels_);
    }

private:
    /// False for a line that may have been cut.
    bool take(std::string_view line) {
        base::Scanner scan(line);
        scan.blanks();
        if (scan.at_end() || scan.rest().front() == '#') return true;
        std::uint64_t source = 0, destination = 0, level = 0;
        bool const by_guid = scan.accept("0x");
        bool const sound = (by_guid ? scan.hex(source) : scan.decimal(source)) && lid(scan, destination) &&
                           blank(scan) && scan.decimal(level) && scan.blanks().at_end();
        if (!sound) {
            disagreements_.note(diagnosis::Code::line_not_understood, lines_.place(),
                                "\"" + std::string(line.substr(0, 60)) + "\" is not a path with its service level");
            return false;
        }
        if (level >= model::service_level_count)
            throw base::InputError(lines_.place(), "service level " + std::to_string(level), "levels go from 0 to 15",
                                   "the line is damaged; make the file again");
        enter(by_guid, source, destination, level);
        return true;
    }

    void enter(bool by_guid, std::uint64_t source, std::uint64_t destination, std::uint64_t level) {
        ++paths_;
        std::span<model::Host const> const senders = by_guid ? senders_of_guid(source) : senders_of_lid(source);
        model::LidOwner const owner = destination <= network_.max_lid()
                                          ? network_.owner(static_cast<model::Lid>(destination))
                                          : model::LidOwner{};
        if (!owner.node.exists())
            return note_unknown("a path to LID " + std::to_string(destination) + ", which nobody owns");
        if (!owner.host.exists()) return;
        for (model::Host const host : senders)
            if (!levels_.add(host, static_cast<model::Lid>(destination), static_cast<unsigned>(level)) &&
                (by_guid || network_[host].lmc == 0))
                disagreements_.note(diagnosis::Code::level_told_twice, lines_.place(),
                                    "a second service level for the path from " +
                                        network_.describe(network_[host].node) + " to LID " +
                                        std::to_string(destination) + "; both count",
                                    1, {"", network_[host].node, 0, network_[host].port});
    }

    static bool blank(base::Scanner& scan) {
        bool const is_blank = !scan.at_end() && (scan.rest().front() == ' ' || scan.rest().front() == '\t');
        scan.blanks();
        return is_blank;
    }
    static bool lid(base::Scanner& scan, std::uint64_t& value) { return blank(scan) && scan.decimal(value); }

    void note_unknown(std::string const& example) {
        disagreements_.note(diagnosis::Code::level_of_unknown_path, lines_.place(), example);
    }

    std::span<model::Host const> senders_of_lid(std::uint64_t source) {
        model::LidOwner const owner =
            source <= network_.max_lid() ? network_.owner(static_cast<model::Lid>(source)) : model::LidOwner{};
        if (!owner.node.exists()) note_unknown("a path from LID " + std::to_string(source) + ", which nobody owns");
        if (!owner.host.exists()) return {};
        one_ = owner.host;
        return {&one_, 1};
    }

    /// ibdiagnet names the node: a path is every port's.
    std::span<model::Host const> senders_of_guid(std::uint64_t guid) {
        if (guid == last_guid_) return last_senders_;
        last_guid_ = guid;
        last_senders_ = {};
        if (model::Node const node = network_.node_by_guid(guid); node.exists()) {
            last_senders_ = network_.hosts_of(node);
        } else if (auto const host = host_of_.find(guid); host != host_of_.end()) {
            one_of_guid_ = host->second;
            last_senders_ = {&one_of_guid_, 1};
        } else {
            char text[24];
            std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(guid));
            note_unknown(std::string("paths from ") + text + ", which the topology does not have");
        }
        return last_senders_;
    }

    io::LineReader& lines_;
    model::Network const& network_;
    model::Disagreements& disagreements_;
    model::ServiceLevels levels_;
    std::unordered_map<std::uint64_t, model::Host> host_of_;  // by port GUID
    model::Host one_, one_of_guid_;
    std::uint64_t last_guid_ = 0;
    std::span<model::Host const> last_senders_;
    std::size_t paths_ = 0;
};

}  // namespace

model::ServiceLevels read_service_levels(io::LineReader& lines, model::Network const& network,
                                         model::Disagreements& disagreements) {
    return PathLevelsReader(lines, network, disagreements).read();
}

}  // namespace tailback::formats
