// The report of a command in the form that --format asks for.
#pragma once

#include "host/io/output_file.hpp"
#include "host/options/parsed_options.hpp"
#include "host/report/html/page.hpp"

#include <string>

namespace tailback::commands {

/// @throws InputError for a page where this program has none
inline report::Form format_of(options::ParsedOptions const& options) {
    report::Form const form = report::form_named(*options.text("format"));
    if (form == report::Form::html) report::require_pages();
    return form;
}

/// To be committed with others.
template <class Report>
void write_report(io::OutputFile& file, Report const& report, report::Form form) {
    report::write_as(file.stream(), report, form, file.columns());
}

template <class Report>
void put_report(std::string const& output, Report const& report, report::Form form) {
    io::OutputFile file(output);
    write_report(file, report, form);
    file.commit();
}

}  // namespace tailback::commands
