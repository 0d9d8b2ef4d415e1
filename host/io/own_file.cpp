#include "host/io/own_file.hpp"

#include "host/base/numbers.hpp"
#include "version.hpp"

namespace tailback {
namespace {

[[noreturn]] void refuse_version(OwnFile const& file, SourceLocation const& place, std::string const& why) {
    throw InputError(place, std::string("the ") + file.kind + " is of another version of the program", why,
                     file.start_anew);
}

}  // namespace

void OwnFile::check_form(SourceLocation const& place, std::string_view text) const {
    if (!text.starts_with(family))
        throw InputError(place, std::string("this is not a ") + kind, "it does not begin as one", leave_alone);
    if (!text.substr(family.size()).starts_with(form)) refuse_version(*this, place, "its form is another");
}

void OwnFile::check_version(SourceLocation const& place, std::string_view there) const {
    if (there != version)
        refuse_version(*this, place, printable(shortened(std::string(there), 60)) + " there, " + version + " here");
}

}  // namespace tailback
