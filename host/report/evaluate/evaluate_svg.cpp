// The histogram over mappings as an SVG that opens in any browser: no script, no font, nothing fetched.
#include "host/base/bins.hpp"
#include "host/base/numbers.hpp"
#include "host/report/evaluate/evaluate_report.hpp"
#include "host/report/pictures/svg.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace tailback::report {
namespace histogram_picture {
namespace {

constexpr double page_width = 860, page_height = 480;
constexpr double left = 104, right = 836, top = 92, bottom = 404;

/// With what a reader has to be warned of in a line of its own.
void draw_frame(std::ostream& out, std::string const& title, std::string const& subtitle, std::string const& warning,
                std::string const& description) {
    fmt::print(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" height=\"{1:g}\" "
               "font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#222\">\n"
               "<title>{2}</title>\n<desc>{5}</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
               "<text x=\"{3:g}\" y=\"{6}\" font-size=\"19\" font-weight=\"600\">{2}</text>\n"
               "<text x=\"{3:g}\" y=\"{7}\" fill=\"#555\">{4}</text>\n",
               page_width, page_height, base::xml_text(title), left, base::xml_text(subtitle),
               base::xml_text(description), warning.empty() ? 34 : 28, warning.empty() ? 57 : 48);
    if (!warning.empty())
        fmt::print(out, "<text x=\"{:g}\" y=\"66\" font-weight=\"600\" fill=\"#b00020\">{}</text>\n", left,
                   base::xml_text(warning));
}

void draw_counts_axis(std::ostream& out, double most, double scale) {
    double const step = std::max(1.0, tick_step(most));  // of whole mappings
    for (double tick = 0; tick <= most * 1.0001; tick += step) {
        double const y = bottom - tick * scale;
        fmt::print(out,
                   "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#e3e3e3\"/>"
                   "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#555\">{}</text>\n",
                   px(left), px(y), px(right), px(y), px(left - 8), px(y + 4),
                   base::grouped(static_cast<std::uint64_t>(tick + 0.5)));
    }
    double const middle = (top + bottom) / 2;
    fmt::print(out,
               "<text x=\"18\" y=\"{0}\" text-anchor=\"middle\" transform=\"rotate(-90 18 {0})\" "
               "fill=\"#555\">mappings</text>\n",
               px(middle));
}

/// A vertical line with a label above the bars.
void draw_mark(std::ostream& out, double x, std::string const& label, char const* colour, double height,
               char const* anchor) {
    double const at = x + (anchor[0] == 's' ? 6 : anchor[0] == 'e' ? -6 : 0);
    fmt::print(out,
               "<line x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{2}\" stroke=\"{3}\" stroke-width=\"1.5\"/>"
               "<text x=\"{4}\" y=\"{5}\" fill=\"{3}\" text-anchor=\"{6}\">{7}</text>\n",
               px(x), px(height), px(bottom), colour, px(at), px(height + 11), anchor, base::xml_text(label));
}

/// Where the bars of bins stand.
class Bars {
public:
    explicit Bars(base::Bins const& bins)
        : bins_(bins),
          single_(bins.width == 0),
          centred_(single_ || (bins.whole && bins.width == 1)),
          pitch_(std::min((right - left) / count(), 120.0)),
          start_(left + ((right - left) - pitch_ * count()) / 2),
          scale_((bottom - top) / double(std::max<std::uint64_t>(1, bins.largest()))) {}

    /// Of a value on the axis.
    double x_of(double value) const {
        if (single_) {
            for (std::size_t b = 0; b + 1 < bins_.bins.size(); ++b) {
                double const low = bins_.bins[b].low, high = bins_.bins[b + 1].low;
                if (value <= high) return start_ + pitch_ * (double(b) + 0.5 + (value - low) / (high - low));
            }
            return start_ + pitch_ * (count() - 0.5);
        }
        double const middle = centred_ ? 0.5 : 0;  // a bar of one whole number stands over that number
        return start_ + pitch_ * ((value - bins_.bins.front().low) / bins_.width + middle);
    }
    double scale() const { return scale_; }

    void draw(std::ostream& out) const {
        fmt::print(out, "<g fill=\"#3b78b5\">\n");
        for (std::size_t b = 0; b < bins_.bins.size(); ++b) {
            base::Bin const& bin = bins_.bins[b];
            if (bin.count == 0) continue;
            double const height = std::max(double(bin.count) * scale_, 1.0);
            bool const one = bin.low == bin.high || (bins_.whole && bins_.width == 1);
            fmt::print(
                out, "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}: {}</title></rect>\n",
                px(start_ + pitch_ * double(b) + 0.5), px(bottom - height), px(std::max(pitch_ - 1, 1.0)), px(height),
                one ? base::exact_text(bin.low) : base::exact_text(bin.low) + " .. " + base::exact_text(bin.high),
                base::counted(bin.count, "mapping", "mappings"));
        }
        fmt::print(out, "</g>\n");
    }
    void draw_axis(std::ostream& out, std::string const& label) const {
        fmt::print(out, "<line x1=\"{0}\" y1=\"{2}\" x2=\"{1}\" y2=\"{2}\" stroke=\"#222\"/>\n", px(left), px(right),
                   px(bottom));
        auto const every = static_cast<std::size_t>(std::ceil(count() / 10));
        for (std::size_t b = 0; b < bins_.bins.size(); b += every)
            fmt::print(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{}</text>\n",
                       px(start_ + pitch_ * (double(b) + (centred_ ? 0.5 : 0))), px(bottom + 20),
                       centred_ ? base::plain_text(bins_.bins[b].low)
                                : base::fixed_text(bins_.bins[b].low, base::decimals_of(bins_.width)));
        fmt::print(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{}</text>\n",
                   px((left + right) / 2), px(bottom + 44), base::xml_text(label));
    }

private:
    double count() const { return double(bins_.bins.size()); }
    base::Bins const& bins_;
    bool const single_, centred_;
    double const pitch_, start_, scale_;
};

/// The mean as a mark, and a line of numbers below.
void draw_statistics(std::ostream& out, evaluation::Distribution const& values, study::NumberOfMapping const& number,
                     double mean_x) {
    bool const fractions = number.bins.has_value();
    auto const text = [&](double value) {
        return fractions ? base::significant_text(value, 4) : base::exact_text(base::rounded(value));
    };
    draw_mark(out, mean_x, "mean " + base::significant_text(values.mean(), fractions ? 4 : 3), "#b5452b", top - 20,
              mean_x > (left + right) / 2 ? "end" : "start");
    auto const [low, high] = values.ci99();
    int const least = fractions ? 5 : 3;
    int const decimals = std::max(std::min(base::decimals_for(values.standard_error(), 2, least), 9),
                                  base::decimals_for(values.mean(), 4, least));
    fmt::print(out,
               "<text x=\"{}\" y=\"{}\" fill=\"#555\">mean {} .. {} with 99 % confidence; worst {}: mapping {}; "
               "median {}</text>\n",
               px(left), px(page_height - 12), base::fixed_text(low, decimals), base::fixed_text(high, decimals),
               text(number.higher_is_worse ? values.max() : values.min()), *values.worst_mapping(),
               text(values.quantile(0.5)));
}

}  // namespace
}  // namespace histogram_picture

void write_svg_histogram(std::ostream& out, Report const& report, study::Metric metric) {
    using namespace histogram_picture;
    study::MetricInfo const& info = info_of(metric);
    evaluation::Distribution const& values = report.number(info);
    draw_frame(out, info.title(report.study()) + report.in_unit(info), study_sentence(report), ending_words(report),
               "network digest " + report.digest);
    if (values.count() == 0) {
        char const* const why = why_no_number(report.plan);
        fmt::print(out, "<text x=\"{:g}\" y=\"{:g}\">{}</text>\n</svg>\n", left, (top + bottom) / 2,
                   why != nullptr ? why : "no mapping has a delivered flow");
        return;
    }
    base::Bins const bins = base::sensible_bins(values.values(), 50, values.error());
    Bars const bars(bins);
    draw_counts_axis(out, double(bins.largest()), bars.scale());
    bars.draw(out);
    bars.draw_axis(out, (report.failed_flows() > 0 ? "delivered flows alone: " : "") + report.axis(info));
    if (values.count() > 1) draw_statistics(out, values, *info.number, bars.x_of(values.mean()));
    fmt::print(out, "</svg>\n");
}

}  // namespace tailback::report
