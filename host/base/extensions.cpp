#include "host/base/extensions.hpp"

#include <fmt/format.h>

namespace tailback::base {

void refuse_left_out(std::string_view kind, std::string_view name, SourceLocation const& place) {
    for (LeftOut const& one : left_out())
        if (kind == one.kind && name == one.name)
            throw InputError(place, fmt::format("this build has no {} \"{}\"", kind, name),
                             fmt::format("it was configured without the extension {}", one.extension),
                             fmt::format("build it with {} in -DTAILBACK_EXTENSIONS, or with all", one.extension));
}

std::string left_out_hint(std::string_view kind) {
    std::string hint;
    std::string_view extension;
    for (LeftOut const& one : left_out()) {
        if (kind != one.kind) continue;
        if (one.extension == extension) hint += fmt::format(", {}", one.name);
        else hint += fmt::format("; this build was configured without the extension {}: {}", one.extension, one.name);
        extension = one.extension;
    }
    return hint;
}

}  // namespace tailback::base
