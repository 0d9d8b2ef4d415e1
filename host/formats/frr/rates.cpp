// Rates of interfaces: `ethtool` (Speed: 400000Mb/s), and the kernel's /sys/class/net/*/speed, in Mb/s.
#include "host/base/scanner.hpp"
#include "host/formats/frr/frr.hpp"

#include <algorithm>
#include <iterator>

namespace tailback::formats {
namespace {

/// The interface of `/sys/class/net/swp49/speed`, `swp49/speed`; empty: it is no such path.
std::string interface_of_path(std::string_view path) {
    if (!path.ends_with("/speed")) return {};
    path.remove_suffix(6);
    path = path.substr(path.rfind('/') + 1);
    return path.find_first_of(" \t:") == path.npos ? std::string(path) : std::string();
}

}  // namespace

InterfaceRates read_interface_rates(io::LineReader& lines, std::string const& of_file) {
    InterfaceRates found;
    std::string interface = of_file;
    std::string_view line;
    auto const take = [&](base::Scanner scan, std::string const& name) {
        std::uint64_t megabits = 0;
        if (name.empty() || !scan.blanks().decimal(megabits) || megabits == 0 || megabits >= 10'000'000) return;
        scan.accept("Mb/s");
        if (scan.blanks().at_end()) found[name] = megabits;
    };
    while (lines.next(line)) {
        base::Scanner scan(base::trimmed(line, " \t\r"));
        if (scan.accept("Settings for ")) {  // ethtool
            interface = std::string(base::trimmed(scan.rest(), " :"));
        } else if (scan.accept("Speed:")) {
            take(scan, interface);
        } else if (scan.accept("==> ")) {  // tail -n +1
            std::string_view const path = scan.rest();
            interface = interface_of_path(path.substr(0, path.find(" <==")));
        } else if (std::size_t const colon = scan.rest().rfind(':'); colon != std::string_view::npos) {  // grep .
            if (std::string const name = interface_of_path(scan.rest().substr(0, colon)); !name.empty())
                take(base::Scanner(scan.rest().substr(colon + 1)), name);
        } else {
            take(scan, interface);
        }
    }
    return found;
}

}  // namespace tailback::formats
