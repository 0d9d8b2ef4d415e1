// What reports are made of: each has `value_of`, which JSON, CSV and pages are written from, and `document_of`, for
// people.
#pragma once

#include "host/result/csv.hpp"
#include "host/result/document.hpp"
#include "host/result/head.hpp"
#include "host/result/json_values.hpp"
#include "host/result/link_label.hpp"
#include "host/result/units.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <ostream>
#include <string_view>

namespace tailback::report {

using namespace result;

enum class Form : std::uint8_t { text, json, csv, html, dot, svg };
/// Of what --format is given.
inline Form form_named(std::string_view name) {
    constexpr std::string_view names[] = {"text", "json", "csv", "html", "dot", "svg"};
    return Form(std::find(std::begin(names), std::end(names) - 1, name) - std::begin(names));
}

/// Lists of a report that are too long to be held; those that have some overload it.
inline std::vector<LongList> long_lists_of(auto const&) { return {}; }

/// @param width columns of the text
template <class Report>
void write_as(std::ostream& out, Report const& report, Form form, std::size_t width) {
    switch (form) {
        case Form::json: return write_json(out, value_of(report), long_lists_of(report));
        case Form::csv: return write_csv(out, value_of(report), long_lists_of(report));
        case Form::html:
            if constexpr (requires { write_html(out, report); }) return write_html(out, report);
            break;
        case Form::dot:
            if constexpr (requires { picture_of(report); }) return write_fabric_dot(out, picture_of(report));
            break;
        case Form::svg:
            if constexpr (requires { picture_of(report); }) return write_fabric_svg(out, picture_of(report));
            break;
        case Form::text: break;
    }
    write_text(out, document_of(report), width);
}

}  // namespace tailback::report
