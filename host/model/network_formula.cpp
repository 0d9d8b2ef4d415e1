#include "host/model/network_formula.hpp"

#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"

namespace tailback::model {

std::uint32_t NetworkFormula::locate_host(std::string const& word, base::SourceLocation const& place) const {
    base::Scanner scan(word);
    bool const named = scan.accept("H");
    bool const hexadecimal = !named && (scan.accept("0x") || scan.accept("0X"));
    std::uint64_t number = 0;
    bool const read = (hexadecimal ? scan.hex(number) : scan.decimal(number)) && scan.at_end();
    bool const as_written = !named || word == "H" + std::to_string(number);  // not H007
    if (read && as_written && number >= 1 && number <= hosts) return static_cast<std::uint32_t>(number - 1);
    throw base::InputError(place, "no host is called \"" + base::shortened(word, 60) + "\"",
                           "they are H1 to H" + std::to_string(hosts), "give the name or the LID of a host");
}

LinkEnds NetworkFormula::up_link(std::uint32_t host) const {
    return {host_name(host), 1, switch_name(host / hosts_each), host % hosts_each + 1};
}

LinkEnds NetworkFormula::down_link(std::uint32_t host) const {
    return {switch_name(host / hosts_each), host % hosts_each + 1, host_name(host), 1};
}

std::vector<std::uint32_t> NetworkFormula::breadth_first_hosts() const {
    std::vector<bool> met(switches);
    std::vector<std::uint32_t> queue{0}, order, next;
    queue.reserve(switches);
    order.reserve(hosts);
    met[0] = true;
    for (std::size_t at = 0; at < queue.size(); ++at) {
        std::uint32_t const here = queue[at];
        if (here < host_switches)
            for (std::uint32_t k = 0; k < hosts_each; ++k) order.push_back(here * hosts_each + k);
        next.clear();
        neighbours(here, next);
        for (std::uint32_t const there : next) {
            if (met[there]) continue;
            met[there] = true;
            queue.push_back(there);
        }
    }
    return order;
}

}  // namespace tailback::model
