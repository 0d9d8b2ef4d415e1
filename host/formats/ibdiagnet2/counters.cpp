#include "host/formats/ibdiagnet2/counters.hpp"

#include "host/base/error.hpp"
#include "host/base/scanner.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/ibdiagnet2/sections.hpp"
#include "host/formats/read/lid_range.hpp"

#include <map>

namespace tailback::formats {
namespace {

constexpr std::uint64_t full_32 = 0xFFFFFFFFu, full_64 = ~std::uint64_t{0};

class CounterReader {
public:
    CounterReader(io::LineReader& lines, model::Network const& network, model::Disagreements& disagreements)
        : lines_(lines), network_(network), disagreements_(disagreements) {}

    Counters read() {
        if (recognise(lines_.peek()) == Format::db_csv) read_sections();
        else read_text();
        Counters counters;
        for (auto const& [key, raw] : ports_) {
            PortCounters port{raw.node, raw.port, raw.sent_long ? raw.sent_long : raw.sent,
                              raw.waited_long ? raw.waited_long : raw.waited};
            if (is_full(raw.sent_long, raw.sent)) {
                port.sent.reset();
                ++counters.saturated;
            }
            port.waited_longer = is_full(raw.waited_long, raw.waited);
            counters.saturated += port.waited_longer;
            counters.saturated_waits += port.waited_longer;
            counters.missing += !raw.sent_long && !raw.sent;
            counters.ports.push_back(port);
        }
        counters.unknown = unknown_;
        if (counters.ports.empty())
            throw base::InputError(
                {lines_.name(), 0}, "the file has no counters of this network",
                unknown_ > 0 ? std::to_string(unknown_) + " records are of ports it does not have" : "",
                "give ibdiagnet2.db_csv, perfquery's or ibqueryerrors' output");
        return counters;
    }

private:
    struct Raw {
        model::Node node;
        model::Port port = 0;
        std::optional<std::uint64_t> sent, sent_long, waited, waited_long;
    };

    static bool is_full(std::optional<std::uint64_t> const& wide, std::optional<std::uint64_t> const& narrow) {
        return wide ? *wide == full_64 : narrow == full_32 || narrow == full_64;
    }

    Raw* port_at(model::Node node, std::uint64_t port) {
        if (!node.exists() || port == 0 || port > max_port ||
            !network_.link_at(node, static_cast<model::Port>(port)).exists()) {
            ++unknown_;
            return nullptr;
        }
        Raw& raw = ports_[std::uint64_t{node.value} << 8 | port];
        raw.node = node;
        raw.port = static_cast<model::Port>(port);
        return &raw;
    }

    void read_sections() {
        SectionReader sections(lines_, disagreements_);
        bool delta = false;
        while (sections.next_section()) {
            bool const is_delta = sections.name() == "PM_DELTA";
            if (!is_delta && (sections.name() != "PM_INFO" || delta)) continue;
            if (is_delta) ports_.clear(), unknown_ = 0;
            delta |= is_delta;
            auto const guid = sections.column("NodeGUID"), number = sections.column("PortNumber");
            if (!guid || !number) continue;
            struct Column {
                char const* name;
                std::optional<std::uint64_t> Raw::*to;
            };
            std::vector<std::pair<std::size_t, std::optional<std::uint64_t> Raw::*>> columns;
            for (Column const& column : {Column{"PortXmitData", &Raw::sent},
                                         {"PortXmitDataExtended", &Raw::sent_long},
                                         {"PortXmitWait", &Raw::waited},
                                         {"PortXmitWaitExt", &Raw::waited_long}})
                if (auto const at = sections.column(column.name)) columns.emplace_back(*at, column.to);
            SectionRow row;
            while (sections.next_row(row)) {
                Raw* const raw = port_at(network_.node_by_guid(number_in(row.text(*guid)).value),
                                         number_in(row.text(*number)).value);
                if (raw == nullptr) continue;
                for (auto const& [at, to] : columns) {
                    CellNumber const value = number_in(row.text(at));
                    if (value.kind == CellNumber::Kind::number) raw->*to = value.value;
                    if (value.kind == CellNumber::Kind::odd)
                        disagreements_.note(
                            diagnosis::Code::odd_number, lines_.place(),
                            "a counter is \"" + std::string(row.text(at).substr(0, 40)) + "\", which is not a number",
                            1, network_.place_of(raw->node, raw->port));
                }
            }
        }
        sections.check_index();
    }

    void read_text() {
        std::string_view line;
        Raw* current = nullptr;
        bool extended = false;
        while (lines_.next(line)) {
            base::Scanner scan(line);
            std::uint64_t lid = 0, port = 0;
            if (scan.blanks().accept("# Port ") && scan.behind(": Lid ")) {
                extended = line.find("extended") != std::string_view::npos;
                current =
                    scan.decimal(lid) && scan.blanks().accept("port ") && scan.decimal(port)
                        ? port_at(lid <= model::max_unicast_lid ? network_.owner(model::Lid(lid)).node : model::Node{},
                                  port)
                        : nullptr;
            } else if (base::Scanner whole(line); whole.behind("GUID 0x")) {
                take_query_errors(whole);
            } else if (current != nullptr) {
                take_value(base::Scanner(line).blanks(), *current, extended);
            }
        }
    }

    /// `PortXmitData:....................123`
    static void take_value(base::Scanner scan, Raw& raw, bool extended) {
        auto& sent = extended ? raw.sent_long : raw.sent;
        auto& waited = extended ? raw.waited_long : raw.waited;
        std::uint64_t value = 0;
        std::optional<std::uint64_t>* const to = scan.accept("PortXmitData:")   ? &sent
                                                 : scan.accept("PortXmitWait:") ? &waited
                                                                                : nullptr;
        if (to == nullptr) return;
        while (scan.accept('.')) {
        }
        if (scan.decimal(value)) *to = value;
    }

    /// Behind `GUID 0x`: `2c9.. port 1: [PortXmitData == 123 (1.2KB)] [PortXmitWait == 5]`
    void take_query_errors(base::Scanner scan) {
        std::uint64_t guid = 0, port = 0;
        if (!scan.hex(guid) || !scan.behind("port ") || !scan.decimal(port)) return;
        model::Node node = network_.node_by_guid(guid);
        for (std::size_t h = 0; h < network_.hosts().size() && !node.exists(); ++h)
            if (network_[model::Host{h}].port_guid == guid) node = network_[model::Host{h}].node;
        Raw* const raw = port_at(node, port);
        if (raw == nullptr) return;
        auto const value = [&](char const* name, std::optional<std::uint64_t>& to) {
            base::Scanner at = scan;
            std::uint64_t number = 0;
            if (at.behind(std::string("[") + name + " == ") && at.decimal(number)) to = number;
        };
        value("PortXmitData", raw->sent_long);  // the tool adds up extended counters
        value("PortXmitWait", raw->waited);
    }

    io::LineReader& lines_;
    model::Network const& network_;
    model::Disagreements& disagreements_;
    std::map<std::uint64_t, Raw> ports_;  // by node and port
    std::uint64_t unknown_ = 0;
};

}  // namespace

Counters read_counters(io::LineReader& lines, model::Network const& network, model::Disagreements& disagreements) {
    return CounterReader(lines, network, disagreements).read();
}

}  // namespace tailback::formats
