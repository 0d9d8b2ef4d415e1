#include "host/report/counters/counters_report.hpp"

#include "host/base/numbers.hpp"
#include "host/report/pictures/svg.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>

namespace tailback::report {
namespace counters_picture {
namespace {

constexpr double width = 720, height = 640, left = 96, top = 64, right = 32, bottom = 72;
constexpr std::size_t most_circled = 10;

class Picture {
public:
    Picture(model::Network const& network, audit::Measured const& measured) : net_(network), measured_(measured) {
        for (audit::MeasuredPort const& port : measured.ports) {
            most_ = std::max({most_, double(port.sent), port.expected});
            wait_ = std::max(wait_, double(port.waited.value_or(0)));
        }
    }

    void write(std::ostream& out) const {
        fmt::print(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                   "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" "
                   "fill=\"#ffffff\"/>\n",
                   width, height);
        fmt::print(
            out, "<text x=\"{}\" y=\"28\" font-size=\"16\">{} of {} links with counters; rank correlation {}</text>\n",
            left, base::grouped(measured_.ports.size()), base::grouped(measured_.links),
            measured_.rank_correlation ? base::fixed_text(*measured_.rank_correlation, 4) : "not known");
        write_axes(out);
        for (std::size_t i = 0; i < measured_.ports.size(); ++i) write_port(out, measured_.ports[i]);
        for (std::size_t i = 0; i < std::min(most_circled, measured_.differing); ++i) {
            audit::MeasuredPort const& port = measured_.ports[measured_.by_difference[i]];
            fmt::print(out, "<circle cx=\"{}\" cy=\"{}\" r=\"7\" fill=\"none\" stroke=\"#b3261e\"/>\n",
                       px(x(port.expected)), px(y(double(port.sent))));
        }
        out << "</svg>\n";
    }

private:
    double x(double value) const { return left + (width - left - right) * (most_ > 0 ? value / most_ : 0); }
    double y(double value) const { return height - bottom - (height - top - bottom) * (most_ > 0 ? value / most_ : 0); }

    void write_axes(std::ostream& out) const {
        fmt::print(out, "<path d=\"M{} {}V{}H{}\" fill=\"none\" stroke=\"#333333\"/>\n", left, top, height - bottom,
                   width - right);
        fmt::print(out, "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#999999\" stroke-dasharray=\"4 4\"/>\n",
                   px(x(0)), px(y(0)), px(x(most_)), px(y(most_)));
        for (int i = 0; i <= 4; ++i) {
            double const value = most_ * i / 4;
            std::string const text = fmt::format("{:.3g}", value);
            fmt::print(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", px(x(value)),
                       height - bottom + 20, text);
            fmt::print(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", left - 8, px(y(value) + 4),
                       text);
        }
        fmt::print(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">expected (words of 4 bytes)</text>\n",
                   px((left + width - right) / 2), height - 24);
        fmt::print(
            out,
            "<text transform=\"translate(20 {}) rotate(-90)\" text-anchor=\"middle\">sent (words of 4 bytes)</text>\n",
            px((top + height - bottom) / 2));
    }

    void write_port(std::ostream& out, audit::MeasuredPort const& port) const {
        model::LinkRecord const& link = net_[port.link];
        double const dark = wait_ > 0 && port.waited ? std::sqrt(double(*port.waited) / wait_) : 0;
        fmt::print(out,
                   "<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" fill=\"#1a5fb4\" fill-opacity=\"{}\"><title>{} -&gt; "
                   "{}&#10;sent {}, "
                   "expected {}{}</title></circle>\n",
                   px(x(port.expected)), px(y(double(port.sent))), base::fixed_text(0.35 + 0.65 * dark, 2),
                   base::xml_text(net_.place_of(link.from, link.from_port).text),
                   base::xml_text(net_.place_of(link.to, link.to_port).text), base::grouped(port.sent),
                   base::fixed_text(port.expected, 1),
                   port.waited ? ", waited " + base::grouped(*port.waited) : std::string());
    }

    model::Network const& net_;
    audit::Measured const& measured_;
    double most_ = 0, wait_ = 0;
};

}  // namespace
}  // namespace counters_picture

void write_counters_svg(std::ostream& out, CountersReport const& report) {
    using namespace counters_picture;
    Picture(report.network(), report.measured).write(out);
}

}  // namespace tailback::report
