// A timeline as SVG: above how many flows run, below how busy the hottest links are, part by part. No script, no font,
// nothing fetched.
#include "host/base/numbers.hpp"
#include "host/report/forms.hpp"
#include "host/report/pictures/svg.hpp"
#include "host/report/timeline/timeline_files.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace tailback::report {
namespace timeline_picture {
namespace {

using simulation::Timeline;

constexpr double page_width = 980, left = 300, right = 950, top = 92, flows_height = 170, row = 24, gap = 34;

/// From nothing to busy: white to dark red.
std::string colour(double utilisation) {
    double const u = std::clamp(utilisation, 0.0, 1.0);
    auto const between = [&](int from, int to) { return int(std::lround(from + (to - from) * u)); };
    return fmt::format("#{:02x}{:02x}{:02x}", between(250, 150), between(246, 20), between(240, 30));
}

class Picture {
public:
    Picture(std::ostream& out, TimelineReport const& report)
        : out_(out),
          report_(report),
          timeline_(report.timeline),
          end_(report.time(report.timeline.makespan)),
          bottom_(top + flows_height + gap + row * double(report.timeline.hottest.size())) {}

    void write() {
        open();
        draw_running();
        for (std::size_t l = 0; l < timeline_.hottest.size(); ++l) draw_link(timeline_.hottest[l], l);
        draw_time_axis();
        out_ << "</svg>\n";
    }

private:
    double x(double part) const { return left + (right - left) * part / double(Timeline::parts); }

    void open() {
        std::string const title = fmt::format("{} on {} ranks, mapping {}", report_.plan.study.traffic.pattern,
                                              base::grouped(report_.plan.study.placement.ranks), timeline_.mapping);
        fmt::print(out_,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
                   "height=\"{1:g}\" font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#222\">\n"
                   "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
                   "<text x=\"24\" y=\"34\" font-size=\"19\" font-weight=\"600\">{2}</text>\n"
                   "<text x=\"24\" y=\"57\" fill=\"#555\">{3} in {4} {5}</text>\n",
                   page_width, bottom_ + 64, base::xml_text(title),
                   base::counted(timeline_.flows.size(), "flow", "flows"), base::plain_text(end_), report_.unit());
    }
    void draw_running() {
        double const most = std::max(1e-9, *std::max_element(timeline_.running.begin(), timeline_.running.end()));
        double const scale = flows_height / most, base_line = top + flows_height;
        for (double tick = 0; tick <= most * 1.0001; tick += tick_step(most))
            fmt::print(out_,
                       "<line x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\" stroke=\"#e3e3e3\"/><text x=\"{3}\" "
                       "y=\"{4}\" text-anchor=\"end\" fill=\"#555\">{5}</text>\n",
                       px(left), px(base_line - tick * scale), px(right), px(left - 8),
                       px(base_line - tick * scale + 4), base::plain_text(base::rounded(tick)));
        fmt::print(out_, "<text x=\"24\" y=\"{}\" fill=\"#555\">flows that run</text>\n", px(top + 12));
        fmt::print(out_, "<path fill=\"#4a7ab5\" d=\"M{} {}", px(left), px(base_line));
        for (std::size_t p = 0; p < timeline_.running.size(); ++p)
            fmt::print(out_, "V{}H{}", px(base_line - timeline_.running[p] * scale), px(x(double(p + 1))));
        fmt::print(out_, "V{}Z\"/>\n", px(base_line));
    }
    void draw_link(Timeline::HotLink const& hot, std::size_t place) {
        double const y = top + flows_height + gap + row * double(place);
        std::string const label = link_label(report_.ends(hot.link), 34);
        std::string const tip = fmt::format("{}: busy {} % of the time", link_label(report_.ends(hot.link)),
                                            base::fixed_text(100 * hot.mean, 1));
        fmt::print(out_, "<g><title>{}</title><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                   base::xml_text(tip), px(left - 8), px(y + 15), base::xml_text(label));
        for (std::size_t p = 0; p < hot.by_part.size();) {
            std::size_t end = p + 1;
            while (end < hot.by_part.size() && colour(hot.by_part[end]) == colour(hot.by_part[p])) ++end;
            fmt::print(out_, "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>", px(x(double(p))),
                       px(y), px(x(double(end)) - x(double(p))), px(row - 4), colour(hot.by_part[p]));
            p = end;
        }
        out_ << "</g>\n";
    }
    void draw_time_axis() {
        fmt::print(out_, "<text x=\"24\" y=\"{}\" fill=\"#555\">utilisation of the hottest links</text>\n",
                   px(top + flows_height + gap - 12));
        if (end_ > 0)
            for (double tick = 0, step = tick_step(end_); tick <= end_ * 1.0001; tick += step)
                fmt::print(out_, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{}</text>\n",
                           px(left + (right - left) * tick / end_), px(bottom_ + 20),
                           base::plain_text(base::rounded(tick)));
        fmt::print(out_, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">time in {}</text>\n",
                   px((left + right) / 2), px(bottom_ + 44), report_.unit());
    }

    std::ostream& out_;
    TimelineReport const& report_;
    Timeline const& timeline_;
    double const end_;
    double const bottom_;
};

}  // namespace
}  // namespace timeline_picture

void write_timeline_svg(std::ostream& out, TimelineReport const& report) {
    using namespace timeline_picture;
    Picture(out, report).write();
}

}  // namespace tailback::report
