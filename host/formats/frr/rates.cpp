// Rates of interfaces: `ethtool` (Speed: 400000Mb/s), and the kernel's /sys/class/net/*/speed, in Mb/s.
#include "host/base/scanner.hpp"
#include "host/formats/frr/frr.hpp"
#include "host/formats/frr/odd_values.hpp"

#include <optional>

namespace tailback::formats {
namespace {

/// The interface of `/sys/class/net/swp49/speed`, `swp49/speed`; empty: it is no such path.
std::string interface_of_path(std::string_view path) {
    if (!path.ends_with("/speed")) return {};
    path.remove_suffix(6);
    path = path.substr(path.rfind('/') + 1);
    return path.find_first_of(" \t:") == path.npos ? std::string(path) : std::string();
}

/// A value that the kernel and ethtool give an interface that has no rate, as one that is down.
bool is_no_rate(std::string_view value) {
    return value.empty() || value.starts_with("Unknown!") || value == "-1" || value == "0" || value == "65535" ||
           value == "4294967295";
}

std::optional<std::uint64_t> megabits_of(std::string_view value) {
    base::Scanner scan(value);
    std::uint64_t megabits = 0;
    if (!scan.decimal(megabits) || megabits == 0 || megabits >= 10'000'000) return std::nullopt;
    scan.accept("Mb/s");
    return scan.at_end() ? std::optional(megabits) : std::nullopt;
}

}  // namespace

InterfaceRates read_interface_rates(io::LineReader& lines, model::Disagreements& disagreements,
                                    std::string const& of_file) {
    InterfaceRates found;
    OddValues odd;
    auto const take = [&](std::string_view text, std::string const& name) {
        std::string_view const value = base::trimmed(text, " \t\r");
        if (name.empty() || is_no_rate(value)) return;
        if (std::optional<std::uint64_t> const megabits = megabits_of(value)) found[name] = *megabits;
        else odd.count("\"" + base::printable(value.substr(0, 40)) + "\" of " + base::printable(name.substr(0, 40)));
    };
    std::string interface = of_file;
    bool is_bare = !of_file.empty();  // a line is a rate
    std::string_view line;
    while (lines.next(line)) {
        base::Scanner scan(base::trimmed(line, " \t\r"));
        if (scan.accept("Settings for ")) {  // ethtool
            interface = std::string(base::trimmed(scan.rest(), " :"));
            is_bare = false;
        } else if (scan.accept("Speed:")) {
            take(scan.rest(), interface);
        } else if (scan.accept("==> ")) {  // tail -n +1
            std::string_view const path = scan.rest();
            interface = interface_of_path(path.substr(0, path.find(" <==")));
            is_bare = true;
        } else if (std::size_t const colon = scan.rest().rfind(':'); colon != std::string_view::npos) {  // grep .
            take(scan.rest().substr(colon + 1), interface_of_path(scan.rest().substr(0, colon)));
        } else if (is_bare) {
            take(scan.rest(), interface);
        }
    }
    odd.note(disagreements, lines, diagnosis::Code::file_damaged,
             {"rate of an interface is none", "rates of interfaces are none", "left out, as if not told"});
    return found;
}

}  // namespace tailback::formats
