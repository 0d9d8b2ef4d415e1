#include "host/formats/plan/cable_plan.hpp"

#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/formats/interface_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace tailback::formats {
namespace {

enum Column : std::size_t { from_device, from_port, to_device, to_port, rack, rate, columns };

/// What planners call them, in small letters and without what is neither letter nor digit.
constexpr std::array<std::array<std::string_view, 9>, columns> column_names = {{
    {"startdevice", "from", "fromdevice", "source", "sourcedevice", "devicea", "adevice", "localdevice", "srcdevice"},
    {"startport", "fromport", "sourceport", "srcport", "porta", "aport", "localport", "startdeviceport", "portstart"},
    {"enddevice", "to", "todevice", "destination", "destinationdevice", "deviceb", "bdevice", "remotedevice",
     "dstdevice"},
    {"endport", "toport", "destinationport", "dstport", "portb", "bport", "remoteport", "enddeviceport", "portend"},
    {"rack", "racknumber", "startrack", "fromrack", "sourcerack", "racka", "location", "cabinet", "rackname"},
    {"speed", "rate", "linkspeed", "linkrate", "bandwidth", "", "", "", ""},
}};
constexpr std::size_t most_lines_before = 100;

struct RowFields {
    std::vector<std::string> fields;
    bool is_open = false;  ///< a quote at the beginning of a field has no end
};

/// Of one line (RFC 4180): a field in quotes may hold the separator, and quotes, doubled; other quotes are themselves.
RowFields fields_of_row(std::string_view line, char separator) {
    RowFields found{{""}};
    bool& quoted = found.is_open;
    for (std::size_t i = 0; i < line.size(); ++i) {
        std::string& field = found.fields.back();
        bool const begins = base::trimmed(field, " \t\r").empty();
        if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') field += line[++i];
        else if (line[i] == '"' && (quoted || begins)) quoted = !quoted;
        else if (line[i] == separator && !quoted) found.fields.emplace_back();
        else field += line[i];
    }
    for (std::string& field : found.fields) field = std::string(base::trimmed(field, " \t\r"));
    return found;
}

std::string bare_word(std::string_view text) {
    if (std::size_t const at = text.find("ields:"); at != text.npos) text.remove_prefix(at + 6);  // `#Fields:`
    std::string word;
    for (char const c : base::lower_case(std::string(text)))
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) word += c;
    return word;
}

struct PlanHeader {
    char separator = ',';
    std::array<std::size_t, columns> at;  ///< field of each column; npos = it is not there
    bool has(Column column) const { return at[column] != std::string::npos; }
};

std::optional<PlanHeader> header_of(std::string_view line) {
    for (char const separator : {',', ';', '\t'}) {
        PlanHeader header{separator, {}};
        header.at.fill(std::string::npos);
        std::vector<std::string> const fields = fields_of_row(line, separator).fields;
        for (std::size_t f = 0; f < fields.size(); ++f)
            for (std::size_t c = 0; c < columns; ++c)
                if (std::string const word = bare_word(fields[f]);
                    !word.empty() && !header.has(Column(c)) &&
                    std::find(column_names[c].begin(), column_names[c].end(), word) != column_names[c].end())
                    header.at[c] = f;
        if (header.has(from_device) && header.has(from_port) && header.has(to_device) && header.has(to_port))
            return header;
    }
    return std::nullopt;
}

bool takes_number(base::Scanner& scan, std::uint64_t& number) {
    return scan.decimal(number) && number <= greatest_port;
}

bool has_letter(std::string_view text) {
    return std::ranges::any_of(text, [](unsigned char c) { return (c >= 'a' && c <= 'z') || c >= 0x80; });
}

/// `Port 21`, `P21`, `21`, `Blade 16_Port 2/20`, `L16/U2/P20`: the unit of a director and the number; a label of digits
/// and slashes (`1/31/2`, `1/1:2`) is a switch's port, too. False: it has a name.
/// @throws InputError for numbers out of range, and for what has neither a number nor a letter
bool read_switch_port(std::string const& port, PlannedEnd& end, base::SourceLocation const& place) {
    auto const refuse = [&] {
        throw base::InputError(
            place, "\"" + base::printable(port) + "\" is no port", "of device " + base::printable(end.device),
            fmt::format("write a number from 1 to {} or a label (1/31/2) for a port of a switch, and "
                        "the name of the adapter (eth0, HCA-1/1) for a port of a host",
                        greatest_port));
    };
    std::string const small = base::lower_case(port);
    base::Scanner scan(small);
    std::uint64_t first = 0, second = 0;
    char kind = 'l';
    bool const blade = scan.accept("blade") || scan.accept("leaf");
    if (!blade && (scan.rest().starts_with('l') || scan.rest().starts_with('s')) && scan.rest().size() > 1 &&
        scan.rest()[1] >= '0' && scan.rest()[1] <= '9') {
        kind = scan.rest()[0];
        scan.accept(kind);
        if (!takes_number(scan, first) || !scan.accept("/u") || !takes_number(scan, second) || !scan.accept('/'))
            return false;
        scan.accept('p');
        std::uint64_t number = 0;
        if (!takes_number(scan, number) || !scan.at_end() || number == 0) refuse();
        end.unit = fmt::format("{}{}/u{}", kind, first, second);
        end.number = static_cast<model::Port>(number);
        return true;
    }
    if (blade) {
        std::uint64_t blade_number = 0;
        if (!takes_number(scan.blanks(), blade_number)) return false;
        while (scan.accept('_') || scan.accept(' ') || scan.accept('/')) {
        }
        bool const says_port = scan.accept("port");
        if (!takes_number(scan.blanks(), first)) {
            if (says_port) refuse();
            return false;
        }
        bool const chip = scan.accept('/');
        if (chip && !takes_number(scan, second)) refuse();
        if (!scan.at_end() || (chip ? second : first) == 0) refuse();
        end.unit = fmt::format("l{}/u{}", blade_number, chip ? first : 1);
        end.number = static_cast<model::Port>(chip ? second : first);
        return true;
    }
    if (!scan.accept("port")) scan.accept('p');
    std::string_view const rest = scan.blanks().rest();
    if (rest.empty() || has_letter(rest)) return false;
    if (rest.find_first_not_of("0123456789/:") != rest.npos) refuse();
    bool const label = rest.find_first_of("/:") != rest.npos;
    if (!label && (!takes_number(scan, first) || first == 0)) refuse();
    if (!label) end.number = static_cast<model::Port>(first);
    return true;
}

/// The number behind `node01/` where a host's port is called as its device, as those are that have no adapter's name;
/// none: it is not.
std::optional<model::Port> number_of_own_port(PlannedEnd const& end) {
    std::string const device = base::lower_case(end.device), port = base::lower_case(end.port);
    if (!has_letter(device) || !port.starts_with(device + "/")) return std::nullopt;
    base::Scanner scan(std::string_view(port).substr(device.size() + 1));
    std::uint64_t number = 0;
    if (!takes_number(scan, number) || !scan.at_end() || number == 0) return std::nullopt;
    return static_cast<model::Port>(number);
}

/// Without blanks at the end.
std::size_t length_of(std::string_view text) { return text.find_last_not_of(" \t") + 1; }

/// Of a host's port in small letters, how much of it is its adapter, and the number behind that: `hca-1` and 1 of
/// `hca-1/1`; 0 = it has none.
std::pair<std::size_t, model::Port> adapter_and_number(std::string_view port) {
    for (std::string_view const mark : {" port ", "/p", "/", " p"})
        if (std::size_t const at = port.rfind(mark); at != port.npos && at > 0) {
            base::Scanner scan(port.substr(at + mark.size()));
            std::uint64_t number = 0;
            if (!takes_number(scan, number) || !scan.at_end() || number == 0) continue;
            return {length_of(port.substr(0, at)), static_cast<model::Port>(number)};
        }
    return {port.size(), model::Port{0}};
}

/// `node01 ibp11s0f0` of device node01; `ibp11s0f0`, `HCA-1/1`, `mlx5_0 Port 1`; `node01/1`.
void read_host_port(PlannedEnd& end) {
    if (std::optional const number = number_of_own_port(end)) {
        end.number = *number;
        return;
    }
    std::string port = base::lower_case(end.port);
    if (port.starts_with(end.name) && port.size() > end.name.size() && port[end.name.size()] == ' ')
        port = std::string(base::trimmed(std::string_view(port).substr(end.name.size())));
    auto const [adapter, number] = adapter_and_number(port);
    end.number = number;
    end.name += " " + port.substr(0, adapter);
}

PlannedEnd end_of(std::string device, std::string port, base::SourceLocation const& place) {
    PlannedEnd end{std::move(device), std::move(port), {}, {}, 0, false};
    end.name = folded_name(end.device);
    if (std::size_t const slash = chip_at(end.name); slash != std::string::npos) {  // a chip by its whole name
        end.unit = end.name.substr(slash + 1);
        end.name.resize(slash);
    }
    std::string const unit = end.unit;
    if (!number_of_own_port(end))
        end.of_switch = read_switch_port(end.port, end, place) || is_router_interface(base::lower_case(end.port));
    if (end.unit.empty()) end.unit = unit;
    return end;
}

/// A row of the plan, before it is known which devices are switches.
struct Row {
    PlannedCable cable;
    base::SourceLocation place;
};

/// Devices by folded names.
std::set<std::string> switches_by_ports(std::vector<Row> const& rows) {
    std::set<std::string> switches;
    for (Row const& row : rows)
        for (PlannedEnd const* end : {&row.cable.from, &row.cable.to})
            if (end->of_switch) switches.insert(end->name);
    return switches;
}

/// The others that are, as they have cables to several others where no switch is at either end.
std::set<std::string> switches_by_cables(std::vector<Row> const& rows, std::set<std::string> const& switches) {
    std::map<std::string, std::set<std::string>> others;  // by device: where cables without a switch lead
    for (auto const& [cable, place] : rows) {
        if (switches.contains(cable.from.name) || switches.contains(cable.to.name)) continue;
        if (cable.from.name == cable.to.name) continue;
        others[cable.from.name].insert(cable.to.name);
        others[cable.to.name].insert(cable.from.name);
    }
    std::set<std::string> found;
    for (auto const& [device, neighbours] : others)
        if (neighbours.size() > 1) found.insert(device);
    return found;
}

bool is_management(PlannedEnd const& end) {
    return end.of_switch && end.number == 0 && is_management_interface(base::lower_case(end.port));
}

/// Says of all ends whether they are of switches; leaves management ports of devices out that have other ports.
/// @return how many
std::uint64_t tell_switches_apart(std::vector<Row>& rows) {
    std::set<std::string> const by_ports = switches_by_ports(rows), by_cables = switches_by_cables(rows, by_ports);
    for (Row& row : rows)
        for (PlannedEnd* end : {&row.cable.from, &row.cable.to}) {
            end->of_switch = by_ports.contains(end->name) || by_cables.contains(end->name);
            if (!end->of_switch) read_host_port(*end);
        }
    return std::erase_if(rows, [&](Row const& row) {
        auto const manages = [&](PlannedEnd const& end) { return is_management(end) && by_ports.contains(end.name); };
        return manages(row.cable.from) || manages(row.cable.to);
    });
}

/// Takes each cable once, and leaves those out that are at a port which has another.
void take_rows(CablePlan& plan, std::vector<Row>&& rows) {
    std::map<std::string, std::size_t> line_of;                        // by key of a port
    std::map<std::pair<std::string, std::string>, std::size_t> known;  // cables, the smaller key first
    for (auto& [cable, place] : rows) {
        std::string const from = cable.from.key(), to = cable.to.key();
        if (from == to)
            throw base::InputError(place, "a cable is planned from a port to itself", cable.from.text(),
                                   "write two ports");
        if (!known.emplace(std::minmax(from, to), cable.line).second) continue;  // told from its other end
        bool doubled = false;
        for (PlannedEnd const* end : {&cable.from, &cable.to})
            if (auto const at = line_of.find(end->key()); at != line_of.end()) {
                plan.doubles.push_back(
                    {cable, place, fmt::format("{} has a cable in line {} already", end->text(), at->second)});
                doubled = true;
            }
        if (doubled) continue;  // and takes no port from a later one
        line_of.emplace(from, cable.line);
        line_of.emplace(to, cable.line);
        plan.cables.push_back(std::move(cable));
    }
}

}  // namespace

std::string PlannedEnd::key() const {
    std::string const last = number > 0 ? std::to_string(number) : of_switch ? folded_interface(port) : "";
    return name + "|" + unit + "|" + last;
}

std::string PlannedEnd::text() const {
    std::string const shown = number > 0 && of_switch ? std::to_string(number) : port;
    if (!of_switch && (shown.starts_with(device + " ") || number_of_own_port(*this))) return shown;
    return device + (unit.empty() ? "" : " " + unit) + " [" + shown + "]";
}

std::string PlannedEnd::node_name() const {
    if (!of_switch && number_of_own_port(*this)) return device;
    if (!of_switch) {  // its ports have numbers, and it has none
        bool const says_device = base::lower_case(port).starts_with(base::lower_case(device) + " ");
        std::string_view const own =
            says_device ? base::trimmed(std::string_view(port).substr(device.size())) : std::string_view(port);
        std::string_view const adapter = own.substr(0, adapter_and_number(base::lower_case(std::string(own))).first);
        return fmt::format("{} {}", says_device ? port.substr(0, device.size()) : device, adapter);
    }
    if (unit.empty() || chip_at(bare_name(device)) != std::string::npos) return device;
    std::string upper = unit;
    for (char& c : upper) c = c == 'l' || c == 'u' || c == 's' ? static_cast<char>(c - 32) : c;
    return device + "/" + upper;
}

bool is_plan_header(std::string_view line) { return header_of(line).has_value(); }

CablePlan read_cable_plan(io::LineReader& lines) {
    CablePlan plan;
    std::optional<PlanHeader> header;
    std::vector<Row> rows;
    std::string_view line;
    while (lines.next(line)) {
        std::string_view const text = base::trimmed(line);
        if (text.empty()) continue;
        if (!header) {
            header = header_of(line);
            if (!header && lines.line() > most_lines_before) break;
            continue;
        }
        if (text.front() == '#') continue;
        RowFields const row = fields_of_row(line, header->separator);
        if (row.is_open)
            throw base::InputError(lines.place(), "a quote has no end in its line",
                                   base::printable(std::string(text.substr(0, 60))),
                                   "close it; a cable is one line of the plan");
        auto const field = [&](Column column) {
            return header->has(column) && header->at[column] < row.fields.size() ? row.fields[header->at[column]]
                                                                                 : std::string();
        };
        bool const has_from = !field(from_device).empty(), has_to = !field(to_device).empty();
        if (!has_from && !has_to) continue;  // a line between blocks
        if (!has_from || !has_to) {
            ++plan.open;
            continue;
        }
        if (field(from_port).empty() || field(to_port).empty())
            throw base::InputError(lines.place(), "a planned cable lacks a port",
                                   field(from_device) + " to " + field(to_device),
                                   "write a device and a port for both ends");
        rows.push_back(
            {{end_of(field(from_device), field(from_port), lines.place()),
              end_of(field(to_device), field(to_port), lines.place()), field(rack), field(rate), lines.line()},
             lines.place()});
    }
    plan.management = tell_switches_apart(rows);
    take_rows(plan, std::move(rows));
    if (!header)
        throw base::InputError({lines.name(), 0}, "no line names the columns of a plan of cables",
                               "the first 100 lines were looked at",
                               "write a header with StartDevice, StartPort, EndDevice and EndPort (or From, From Port, "
                               "To, To Port)");
    if (plan.cables.empty())
        throw base::InputError({lines.name(), 0}, "the plan has no cable", "",
                               "write a row for each, with a device and a port for both ends");
    return plan;
}

}  // namespace tailback::formats
