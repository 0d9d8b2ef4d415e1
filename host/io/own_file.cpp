#include "host/io/own_file.hpp"

#include "host/base/numbers.hpp"
#include "version.hpp"

namespace tailback::io {
namespace {

[[noreturn]] void refuse_version(OwnFile const& file, base::SourceLocation const& place, std::string const& why) {
    throw base::InputError(place, std::string("the ") + file.kind + " is of another version of the program", why,
                           file.start_anew);
}

}  // namespace

void OwnFile::check_form(base::SourceLocation const& place, std::string_view text) const {
    if (!text.starts_with(family))
        throw base::InputError(place, std::string("this is not a ") + kind, "it does not begin as one", leave_alone);
    if (!text.substr(family.size()).starts_with(form)) refuse_version(*this, place, "its form is another");
}

void OwnFile::check_version(base::SourceLocation const& place, std::string_view there) const {
    if (there != version)
        refuse_version(*this, place,
                       base::printable(base::shortened(std::string(there), 60)) + " there, " + version + " here");
}

}  // namespace tailback::io
