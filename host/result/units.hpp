// Numbers with their units, as people read them.
#pragma once

#include <string>

namespace tailback::result {

/// Three digits: `2.05 us`, `59.9 s`, `3 min 20 s`, `38 h 9 min`, `4 d 4 h`; `-` for what is no number.
std::string time_text(double seconds);
/// `512 bytes`, `1.5 MiB`, `126.6 GiB`; `-` for what is no number.
std::string bytes_text(double bytes);
/// Three digits, of 1e9 bytes a second: `6.25 GB/s`; below 1 GB/s `850 MB/s`.
std::string rate_text(double gigabytes_per_s);

/// A number of pairs, flows, ..: grouped where it is whole, else with one decimal.
std::string amount_text(double amount);

/// A unit for several numbers that stand together: number / size, and the unit's name.
struct Unit {
    double size = 1;
    std::string name;
};
/// The one in which the largest of them has one to three digits before the point; seconds from 1 s on.
Unit unit_of_times(double largest_s);
/// `bytes`, `KiB`, ..: the one in which the largest of them is below 1024.
Unit unit_of_bytes(double largest);

}  // namespace tailback::result
