#include "host/report/pictures/fabric_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tailback::report {

LinkPictureForm link_picture_form(std::string const& file) {
    if (file.ends_with(".dot")) return LinkPictureForm::dot;
    if (file.ends_with(".csv")) return LinkPictureForm::csv;
    return LinkPictureForm::svg;
}

std::string stage_name(std::uint32_t from, std::uint32_t to) {
    auto const level = [](std::uint32_t number) {
        return number == 0                          ? std::string("hosts")
               : number == audit::Levels::unreached ? std::string("not connected")
                                                    : fmt::format("level {}", number);
    };
    return level(from) + " -> " + level(to);
}

std::string load_colour(std::uint64_t load, double ideal) {
    if (load == 0 || ideal <= 0) return "#c9c9c9";
    struct Stop {
        double ratio;
        int red, green, blue;
    };
    // No two neighbours mix to grey, which means unused.
    static constexpr Stop stops[] = {{0.0, 158, 202, 225}, {0.8, 66, 126, 180}, {1.0, 52, 120, 160},
                                     {1.15, 70, 150, 110}, {1.5, 240, 170, 50}, {2.0, 205, 30, 30},
                                     {4.0, 90, 0, 20}};
    double const ratio = std::min(double(load) / ideal, 4.0);
    for (std::size_t i = 1; i < std::size(stops); ++i) {
        if (ratio > stops[i].ratio) continue;
        Stop const &a = stops[i - 1], &b = stops[i];
        double const part = (ratio - a.ratio) / (b.ratio - a.ratio);
        auto const mix = [&](int from, int to) { return int(std::lround(from + part * (to - from))); };
        return fmt::format("#{:02x}{:02x}{:02x}", mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue));
    }
    return "#5a0014";
}

}  // namespace tailback::report
