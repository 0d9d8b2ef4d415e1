#include "host/commands/input.hpp"

#include "host/formats/formats.hpp"
#include "host/report/numbers.hpp"

#include <cstdio>

namespace tailback {

void tell(std::string const& kind, std::string const& text) {
    std::fputs(("tailback: " + kind + ": " + printable(text) + "\n").c_str(), stderr);
}

void tell_warnings(Disagreements const& disagreements) {
    for (std::string const& warning : disagreements.warnings()) tell("warning", warning);
}

Fabric read_and_tell(std::string const& network_path, std::optional<std::string> const& tables_path, bool strict) {
    Disagreements disagreements(strict);
    Fabric fabric = read_fabric(network_path, tables_path, disagreements);
    tell_warnings(disagreements);
    return fabric;
}

}  // namespace tailback
