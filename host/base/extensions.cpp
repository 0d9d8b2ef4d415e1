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

}  // namespace tailback::base
