// Numbers and names as reports print them: the same characters on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tailback::base {

/// Rounded to 12 significant digits, so that 0.1 + 0.7 prints as 0.8. NaN stays NaN.
double rounded(double value);
/// `%.12g`; empty for NaN.
std::string exact_text(double value);
/// With `decimals` digits after the point, of no more than the 12 digits of `rounded`; from 10^12 on with an exponent;
/// `-` for NaN.
std::string fixed_text(double value, int decimals);
/// Decimals that show `digits` significant ones of the value, within `least` and 15; `least` for 0 and what is no
/// number.
int decimals_for(double value, int digits, int least);
/// With four significant digits at least, and `least` decimals: 0.25 -> `0.2500`, 0.0000610352 -> `0.00006104`; `-` for
/// NaN.
std::string significant_text(double value, int least);
/// Six significant digits, without zeros behind them and never with an exponent: 0.00006103515 -> `0.0000610352`, 2.5
/// -> `2.5`.
std::string plain_text(double value);
/// 1234567 -> `1,234,567`.
std::string grouped(std::uint64_t value);
/// So many, grouped, and the word for it: `1 host`, `1,024 hosts`.
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);
/// Three digits of it, grouped: 18765.4 -> `18,800`, 1.2345 -> `1.23`.
std::string three_digits(double value);
/// How many decimals show `step` (0.05 -> 2, 0.025 -> 3, 5 -> 0).
int decimals_of(double step);

/// Valid UTF-8 that steers and hides nothing: other bytes become `\x1b`, other characters `\u{202e}` (docs/report.md).
std::string printable(std::string_view text);
/// Columns a terminal gives to valid UTF-8 text, one a code point.
std::size_t columns(std::string_view text);
/// Padded with blanks to `width` columns; never cut.
std::string padded(std::string const& text, std::size_t width);
std::string right_aligned(std::string const& text, std::size_t width);
/// Shortened to `width` columns, with an ellipsis where something was left out.
std::string shortened(std::string const& text, std::size_t width);
/// The same, left out in the middle: of names, which begin and end with what tells them apart.
std::string shortened_within(std::string const& text, std::size_t width);

/// A field of CSV (RFC 4180), quoted where needed; `'` goes before what a spreadsheet would take for a formula.
std::string csv_field(std::string_view text);
/// Escaped for XML text and attributes.
std::string xml_text(std::string_view text);

}  // namespace tailback::base
