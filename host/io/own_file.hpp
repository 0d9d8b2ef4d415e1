// Files that the program writes for itself and reads again: is this one, of this version?
#pragma once

#include "host/base/error.hpp"

#include <string>
#include <string_view>

namespace tailback::io {

/// A file begins with `family` and the number of its form; whatever its form, that much stays.
struct OwnFile {
    char const* kind;         ///< `checkpoint`
    std::string_view family;  ///< `tailback checkpoint `
    std::string_view form;    ///< `2`, with what divides it from the rest
    char const* start_anew;   ///< what somebody can do who needs nothing of it
    char const* leave_alone;  ///< what somebody can do whose other file it may be

    std::string first_words() const { return std::string(family) + std::string(form); }
    /// @param text begins as the file does. @throws InputError when the file is another one,
    /// or of another form.
    void check_form(base::SourceLocation const& place, std::string_view text) const;
    /// @throws InputError unless the program of this version wrote it.
    void check_version(base::SourceLocation const& place, std::string_view there) const;
};

}  // namespace tailback::io
