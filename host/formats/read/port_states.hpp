// States of ports, as several formats tell them.
#pragma once

#include "host/model/disagreements.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace tailback::formats {

/// `Down`, `Init` or `Armed` for the words that begin like these (`DWN`, `INI`, `ARM`); empty for all others.
inline std::string_view idle_state(std::string_view word) {
    if (word.starts_with("DWN") || word.starts_with("DOWN")) return "Down";
    if (word.starts_with("INI")) return "Init";
    return word.starts_with("ARM") ? "Armed" : "";
}

/// Of a port that is not active: the subnet manager sends nobody over its cable. `more` ends the sentence.
inline void note_idle_port(model::Disagreements& disagreements, base::SourceLocation const& place,
                           std::string_view state, model::FabricPlace where, std::string const& more = "") {
    where.state = state;
    disagreements.note(
        diagnosis::Code::port_not_active, place,
        fmt::format("its state is {}, not Active, and it has a cable, which carries nothing{}", state, more), 1, where);
}

}  // namespace tailback::formats
