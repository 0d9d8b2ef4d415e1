#include "host/report/adaptive/columns_picture.hpp"

#include "host/base/numbers.hpp"
#include "host/report/evaluate/evaluate_report.hpp"
#include "host/report/pictures/svg.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

namespace tailback::report {

void write_svg_columns(std::ostream& out, study::StudyPlan const& plan,
                       std::span<evaluation::StudyColumn const> columns, study::Metric metric) {
    constexpr double width = 860, height = 480;  // of a histogram
    FabricFacts const facts = facts_of(plan);
    std::vector<evaluation::StudyColumn const*> shown;
    for (evaluation::StudyColumn const& column : columns)
        if (column.number(metric) != nullptr) shown.push_back(&column);
    fmt::print(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
               "height=\"{1:g}\" font-family=\"system-ui, sans-serif\" fill=\"#222\">\n",
               width, height * double(shown.size()));
    for (std::size_t c = 0; c < shown.size(); ++c) {
        fmt::print(out, "<g transform=\"translate(0 {:g})\">\n", height * double(c));
        write_svg_histogram(out, make_report(plan, shown[c]->result, facts), metric);
        fmt::print(
            out, "<text x=\"836\" y=\"34\" font-size=\"19\" font-weight=\"600\" text-anchor=\"end\">{}</text>\n</g>\n",
            base::xml_text(shown[c]->name));
    }
    fmt::print(out, "</svg>\n");
}

}  // namespace tailback::report
