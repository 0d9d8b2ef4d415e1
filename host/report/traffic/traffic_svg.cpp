// A picture of a matrix as SVG that opens in any browser: no script, no font, nothing fetched.
#include "host/base/numbers.hpp"
#include "host/report/traffic/traffic_report.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace tailback::report {
namespace traffic_picture {
namespace {

constexpr double side = 640, left = 84, top = 124, page_width = 900, page_height = 790;
constexpr std::uint32_t most_cells = 320;  ///< along a side
constexpr int levels = 24;

std::string hundredths(double value) { return base::fixed_text(value, 2); }

/// From light to dark, by way of orange.
std::string colour(int level) {
    constexpr double stops[4][3] = {{254, 232, 178}, {253, 141, 60}, {189, 26, 38}, {60, 0, 32}};
    double const at = 3.0 * level / (levels - 1);
    int const from = std::min(int(at), 2);
    auto const part = [&](int c) {
        return int(std::lround(stops[from][c] + (at - from) * (stops[from + 1][c] - stops[from][c])));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", part(0), part(1), part(2));
}

/// The bytes of squares of ranks, and the logarithmic scale they are coloured by.
class Cells {
public:
    explicit Cells(traffic::TrafficMatrix const& matrix)
        : group_((matrix.ranks + most_cells - 1) / most_cells),
          count_((matrix.ranks + group_ - 1) / group_),
          bytes_(std::size_t{count_} * count_) {
        for (traffic::Entry const& entry : matrix.entries)
            bytes_[std::size_t{entry.source / group_} * count_ + entry.destination / group_] += double(entry.bytes);
        for (double const bytes : bytes_) {
            if (bytes == 0) continue;
            most_ = std::max(most_, bytes);
            least_ = least_ == 0 ? bytes : std::min(least_, bytes);
        }
    }
    std::uint32_t group() const { return group_; }
    std::uint32_t count() const { return count_; }
    double least() const { return least_; }
    double most() const { return most_; }
    /// -1 where nothing is sent.
    int level(std::uint32_t row, std::uint32_t column) const {
        double const bytes = bytes_[std::size_t{row} * count_ + column];
        if (bytes == 0) return -1;
        if (most_ == least_) return levels - 1;
        return int(std::lround((levels - 1) * std::log(bytes / least_) / std::log(most_ / least_)));
    }

private:
    std::uint32_t group_, count_;
    std::vector<double> bytes_;
    double least_ = 0, most_ = 0;
};

void draw_cells(std::ostream& out, Cells const& cells) {
    double const size = side / cells.count();
    for (std::uint32_t row = 0; row < cells.count(); ++row)
        for (std::uint32_t column = 0; column < cells.count();) {
            int const level = cells.level(row, column);
            std::uint32_t end = column + 1;
            while (end < cells.count() && cells.level(row, end) == level) ++end;
            if (level >= 0)
                fmt::print(out, "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                           hundredths(left + column * size), hundredths(top + row * size),
                           hundredths((end - column) * size), hundredths(size), colour(level));
            column = end;
        }
}

/// Ranks along both sides, five or so.
void draw_axes(std::ostream& out, traffic::TrafficMatrix const& matrix) {
    double const scale = side / matrix.ranks;
    std::uint32_t step = 1;
    for (std::uint32_t const unit : {1u, 10u, 100u, 1000u, 10'000u, 100'000u, 1'000'000u})
        for (std::uint32_t const factor : {1u, 2u, 5u})
            if (matrix.ranks / step > 8) step = unit * factor;
    for (std::uint32_t rank = 0; rank < matrix.ranks; rank += step) {
        double const at = (rank + 0.5) * scale;
        fmt::print(out,
                   "<text x=\"{0}\" y=\"{1}\" text-anchor=\"middle\" fill=\"#555\">{4}</text>"
                   "<text x=\"{2}\" y=\"{3}\" text-anchor=\"end\" fill=\"#555\">{4}</text>\n",
                   hundredths(left + at), hundredths(top - 8), hundredths(left - 8), hundredths(top + at + 4), rank);
    }
    fmt::print(out,
               "<text x=\"{0}\" y=\"{1}\" text-anchor=\"middle\" fill=\"#555\">destination rank</text>\n"
               "<text x=\"20\" y=\"{2}\" text-anchor=\"middle\" transform=\"rotate(-90 20 {2})\" fill=\"#555\">source "
               "rank</text>\n",
               hundredths(left + side / 2), hundredths(top - 28), hundredths(top + side / 2));
}

void draw_scale(std::ostream& out, Cells const& cells, std::string const& unit) {
    constexpr double x = left + side + 40, width = 18, height = 240;
    for (int level = 0; level < levels; ++level)
        fmt::print(out, "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", hundredths(x),
                   hundredths(top + height * (levels - 1 - level) / levels), hundredths(width),
                   hundredths(height / levels + 0.3), colour(level));
    fmt::print(out,
               "<text x=\"{0}\" y=\"{1}\" fill=\"#555\">{2}</text><text x=\"{0}\" y=\"{3}\" fill=\"#555\">{4}</text>\n"
               "<text x=\"{5}\" y=\"{6}\" fill=\"#555\">{7}</text>\n",
               hundredths(x + width + 8), hundredths(top + 10), base::three_digits(cells.most()),
               hundredths(top + height), base::three_digits(cells.least()), hundredths(x),
               hundredths(top + height + 22), unit);
}

}  // namespace
}  // namespace traffic_picture

void write_traffic_svg(std::ostream& out, TrafficReport const& report) {
    using namespace traffic_picture;
    traffic::TrafficMatrix const& matrix = report.matrix;
    Cells const cells(matrix);
    std::string const unit = traffic::name_of(matrix.unit);
    std::string const subtitle = fmt::format("{}: {} {} between {} ranks", matrix.format, base::grouped(matrix.bytes),
                                             unit, base::grouped(matrix.ranks));
    std::string const scale =
        fmt::format("the darker the more, on a logarithmic scale{}",
                    cells.group() > 1 ? fmt::format("; a square is {0} x {0} ranks", cells.group()) : "");
    fmt::print(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" height=\"{1:g}\" "
        "font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#222\">\n<title>Traffic between ranks"
        "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        "<text x=\"{2:g}\" y=\"30\" font-size=\"19\" font-weight=\"600\">Traffic between ranks</text>\n"
        "<text x=\"{2:g}\" y=\"52\" fill=\"#555\">{3}</text>\n<text x=\"{2:g}\" y=\"70\" fill=\"#555\">{6}</text>\n"
        "<rect x=\"{2:g}\" y=\"{4:g}\" width=\"{5:g}\" height=\"{5:g}\" fill=\"#f4f4f4\" stroke=\"#bbb\"/>\n",
        page_width, page_height, left, base::xml_text(subtitle), top, side, scale);
    fmt::print(out, "<g shape-rendering=\"crispEdges\">\n");
    draw_cells(out, cells);
    fmt::print(out, "</g>\n");
    draw_axes(out, matrix);
    if (cells.most() > 0) draw_scale(out, cells, unit);
    fmt::print(out, "</svg>\n");
}

}  // namespace tailback::report
