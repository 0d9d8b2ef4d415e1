// Reports as commands write them, in a string.
#pragma once

#include "host/io/terminal.hpp"
#include "host/report/forms.hpp"

#include <sstream>
#include <string>

namespace tailback::python {

/// @param format json, csv or text @throws InputError
template <class Report>
std::string text_in(Report const& report, std::string const& format) {
    std::ostringstream out;
    report::write_as(out, report, report::form_named(format), io::file_columns);
    return out.str();
}

}  // namespace tailback::python
