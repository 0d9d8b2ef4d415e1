// The files of a command: its report, in the form that --format asks for, and what appears with it.
#pragma once

#include "host/io/output_file.hpp"
#include "host/options/parsed_options.hpp"
#include "host/report/html/page.hpp"

#include <list>
#include <string>
#include <utility>
#include <vector>

namespace tailback::commands {

/// @throws InputError for a page where this program has none
inline report::Form format_of(options::ParsedOptions const& options) {
    report::Form const form = report::form_named(*options.text("format"));
    if (form == report::Form::html) report::require_pages();
    return form;
}

/// Files that appear together, or none of them.
class OutputFiles {
public:
    io::OutputFile& add(std::string const& path) { return files_.emplace_back(path); }
    io::OutputFile& add(io::OutputFile&& file) { return files_.emplace_back(std::move(file)); }
    /// Null where the path is empty: the file is not asked for.
    io::OutputFile* asked(std::string const& path) { return path.empty() ? nullptr : &add(path); }
    void commit() {
        std::vector<io::OutputFile*> all;
        for (io::OutputFile& file : files_) all.push_back(&file);
        io::commit_together(all);
    }

private:
    std::list<io::OutputFile> files_;
};

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
