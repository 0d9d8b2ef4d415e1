#include "host/options/registry.hpp"

#include "host/base/extensions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace tailback::options {

Commands Registry::add(CommandName command, std::string_view before) {
    Commands taken = sweep_key;
    for (CommandName const& other : commands) taken |= other.command;
    int const bit = std::countr_one(taken);
    if (bit == std::numeric_limits<Commands>::digits)
        throw std::logic_error("more commands than options::Commands has bits");
    command.command = Commands{1} << bit;
    base::insert_before(commands, before, command);
    return command.command;
}

void Registry::share(Commands command, Commands as, char const* names) {
    for (std::string const& name : divided(names, ',')) {
        auto const row = std::find_if(rows.begin(), rows.end(),
                                      [&](Option const& option) { return option.name == name && option.is_of(as); });
        if (row == rows.end()) throw std::logic_error("there is no option " + name + " to be shared");
        row->commands |= command;
    }
}

void Registry::add(Option row) {
    auto place = std::find_if(rows.begin(), rows.end(),
                              [&](Option const& other) { return std::string_view(other.name) == row.name; });
    rows.insert(place == rows.end() ? place : place + 1, row);
}

void Registry::add_after(std::string_view name, Option row) {
    auto const place = std::find_if(rows.rbegin(), rows.rend(), [&](Option const& other) {
        return other.name == name && (other.commands & row.commands) != 0;
    });
    if (place == rows.rend()) throw std::logic_error(fmt::format("there is no option {} to come before another", name));
    rows.insert(place.base(), row);
}

void Registry::add_before(std::string_view name, Option row) { base::insert_before(rows, name, row); }

}  // namespace tailback::options
