// A network as SVG: switches by levels, cables between them coloured by their hotter direction, hosts as what hangs off
// a switch. No script, no font, nothing fetched. Every switch and cable tells its numbers as a tooltip.
#include "host/base/numbers.hpp"
#include "host/report/forms.hpp"
#include "host/report/pictures/fabric_picture.hpp"
#include "host/report/pictures/svg.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <ostream>

namespace tailback::report {
namespace fabric_picture {
namespace {

constexpr double page_width = 1400, margin = 48, head = 96, list_line = 19;
constexpr std::size_t most_named = 80;   // switches; more would write over each other
constexpr std::size_t most_listed = 10;  // hottest cables, where switches have no names

struct Position {
    double x = 0, y = 0;
};

/// Cables between the same two switches, drawn as one line.
struct Bundle {
    std::uint64_t cables = 0, most = 0, total = 0;
    double ratio = 0;  ///< of the hottest link to the ideal of its stage
    double ideal = 0;  ///< of that link
    model::Link hottest;
};

class Drawing {
public:
    explicit Drawing(FabricPicture const& picture) : picture_(picture), net_(picture.network), faults_(picture.faults) {
        for (std::size_t n = 0; n < net_.nodes().size(); ++n)
            if (net_.is_switch(model::Node{n})) switches_.emplace_back(n);
        gather();
        std::uint64_t within = 0;
        for (auto const& [ends, bundle] : bundles_) within += level(ends.first) == level(ends.second);
        ring_ = bundles_.empty() || 2 * within > bundles_.size();
        if (ring_) place_in_a_ring();
        else place_by_levels();
        for (auto const& [ends, bundle] : bundles_) order_.emplace_back(ends, &bundle);
        std::stable_sort(order_.begin(), order_.end(),
                         [](auto const& a, auto const& b) { return a.second->ratio < b.second->ratio; });
        if (switches_.size() > most_named)
            while (listed_ < std::min(most_listed, order_.size()) &&
                   order_[order_.size() - 1 - listed_].second->ratio > 1)
                ++listed_;
    }

    void write(std::ostream& out) const {
        double const drawn = ring_ ? 2 * ring_y_ - head : bottom_;
        double const height = drawn + margin + (listed_ > 0 ? list_line * double(listed_ + 1) : 0);
        fmt::print(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1}\" width=\"{0:g}\" height=\"{1}\" "
                   "font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#222\">\n"
                   "<title>Load of the links</title>\n<desc>network digest {2}</desc>\n<rect width=\"100%\" "
                   "height=\"100%\" fill=\"#fff\"/>\n",
                   page_width, px(height), picture_.digest);
        fmt::print(out,
                   "<text x=\"{0}\" y=\"34\" font-size=\"19\" font-weight=\"600\">Load of the links: {1} hosts, {2} "
                   "switches</text>\n"
                   "<text x=\"{0}\" y=\"57\" fill=\"#555\">{3}</text>\n",
                   px(margin), base::grouped(picture_.hosts.size()), base::grouped(switches_.size()),
                   base::xml_text(picture_.sentence));
        if (!faults_.empty())
            fmt::print(out, "<text x=\"{}\" y=\"77\" fill=\"#c00\">red frame: faults found at this switch</text>\n",
                       px(margin));
        write_legend(out);
        write_cables(out);
        write_switches(out);
        write_list(out, drawn + margin / 2);
        out << "</svg>\n";
    }

private:
    std::uint32_t level(model::Node node) const { return picture_.levels.of_node[node.value]; }

    void gather() {
        hosts_.resize(net_.nodes().size());
        for (model::Host const host : picture_.hosts)
            if (model::Link const up = net_.up_link(host); up.exists() && net_.is_switch(net_[up].to))
                ++hosts_[net_[up].to.value];
        for (std::size_t l = 0; l < net_.links().size(); ++l) {
            model::LinkRecord const& link = net_[model::Link{l}];
            if (!net_.is_switch(link.from) || !net_.is_switch(link.to) || link.from == link.to) continue;
            Bundle& bundle = bundles_[std::minmax(link.from, link.to)];
            std::uint64_t const load = picture_.load[l];
            bundle.cables += !link.reverse.exists() || link.reverse > model::Link{l};
            bundle.total += load;
            double const ideal = picture_.ideal[l];
            double const ratio = ideal > 0 ? double(load) / ideal : 0;
            if (ratio > bundle.ratio || bundle.ideal == 0) {
                bundle.ratio = ratio;
                bundle.ideal = ideal;
                bundle.most = load;
                bundle.hottest = model::Link{l};
            }
        }
    }

    void place_in_a_ring() {
        places_.resize(net_.nodes().size());
        double const radius = (page_width - 2 * margin) / 2 - 110, centre_x = page_width / 2,
                     centre_y = head + radius + 110;
        ring_y_ = centre_y;
        for (std::size_t i = 0; i < switches_.size(); ++i) {
            double const angle = 2 * std::numbers::pi * double(i) / double(switches_.size()) - std::numbers::pi / 2;
            places_[switches_[i].value] = {centre_x + radius * std::cos(angle), centre_y + radius * std::sin(angle)};
        }
    }

    /// Top level above. Within a level by the mean place of the neighbours above, so that groups stand together.
    void place_by_levels() {
        places_.resize(net_.nodes().size());
        std::map<std::uint32_t, std::vector<model::Node>, std::greater<>> levels;
        for (model::Node const node : switches_) levels[level(node)].push_back(node);
        double y = head + (switches_.size() <= most_named ? 80 : 30);
        std::map<model::Node, std::vector<model::Node>> neighbours;
        for (auto const& [ends, bundle] : bundles_) {
            neighbours[ends.first].push_back(ends.second);
            neighbours[ends.second].push_back(ends.first);
        }
        std::vector<bool> placed(net_.nodes().size());
        for (auto& [number, nodes] : levels) {
            std::map<model::Node, double> wanted;
            for (model::Node const node : nodes) {
                double sum = 0, count = 0;
                for (model::Node const other : neighbours[node])
                    if (placed[other.value]) sum += places_[other.value].x, ++count;
                wanted[node] = count > 0 ? sum / count : 0;
            }
            std::stable_sort(nodes.begin(), nodes.end(), [&](model::Node a, model::Node b) {
                return std::lround(wanted[a]) < std::lround(wanted[b]);
            });
            double const pitch = (page_width - 2 * margin) / double(nodes.size());
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                places_[nodes[i].value] = {margin + pitch * (double(i) + 0.5), y};
                pitches_[nodes[i]] = pitch;
                placed[nodes[i].value] = true;
            }
            labels_.emplace_back(
                y, number == audit::Levels::unreached ? "not connected" : fmt::format("level {}", number));
            y += 230;
        }
        bottom_ = y - 230 + 70;
    }

    void write_legend(std::ostream& out) const {
        static constexpr std::pair<double, char const*> samples[] = {{0, "unused"}, {0.5, "half"}, {1, "ideal"},
                                                                     {1.5, "1.5"},  {2, "twice"},  {4, "4 times"}};
        double x = page_width - margin - 6 * 76;
        fmt::print(
            out,
            "<text x=\"{}\" y=\"34\" fill=\"#555\">hottest link of a cable against the ideal of its stage</text>\n",
            px(x));
        for (auto const& [ratio, label] : samples) {
            fmt::print(out,
                       "<line x1=\"{0}\" y1=\"48\" x2=\"{1}\" y2=\"48\" stroke=\"{2}\" stroke-width=\"4\"/><text "
                       "x=\"{0}\" y=\"66\" fill=\"#555\">{3}</text>\n",
                       px(x), px(x + 60), load_colour(ratio == 0 ? 0 : std::uint64_t(ratio * 1000), 1000), label);
            x += 76;
        }
    }

    void write_cables(std::ostream& out) const {
        double const thin = order_.size() > 4000 ? 0.4 : order_.size() > 800 ? 0.8 : 1.4;
        out << "<g fill=\"none\">\n";
        for (auto const& [ends, of_ends] : order_) {  // the hottest on top
            Bundle const& bundle = *of_ends;
            Position const &a = places_[ends.first.value], &b = places_[ends.second.value];
            bool const level_line = !ring_ && a.y == b.y;
            std::string const path = level_line ? fmt::format("M{} {}Q{} {} {} {}", px(a.x), px(a.y),
                                                              px((a.x + b.x) / 2), px(a.y - 60), px(b.x), px(b.y))
                                                : fmt::format("M{} {}L{} {}", px(a.x), px(a.y), px(b.x), px(b.y));
            fmt::print(out,
                       "<path d=\"{}\" stroke=\"{}\" stroke-width=\"{}\"{}><title>{} - {}: {} cable{}, hottest link {} "
                       "{}, {} of its stage's ideal</title></path>\n",
                       path, load_colour(bundle.most, bundle.ideal), px(bundle.ratio > 1.5 ? thin * 2 : thin),
                       bundle.most == 0 ? " stroke-dasharray=\"3 3\"" : "", base::xml_text(net_[ends.first].name),
                       base::xml_text(net_[ends.second].name), bundle.cables, bundle.cables == 1 ? "" : "s",
                       amount_text(double(bundle.most) / double(picture_.parts)), picture_.unit,
                       base::fixed_text(bundle.ratio, 2));
        }
        out << "</g>\n";
    }

    void write_switches(std::ostream& out) const {
        for (auto const& [y, label] : labels_)
            fmt::print(
                out,
                "<text x=\"8\" y=\"{0}\" fill=\"#555\" font-size=\"11\" transform=\"rotate(-90 14 {0})\">{1}</text>\n",
                px(y), label);
        bool const named = switches_.size() <= most_named;
        for (model::Node const node : switches_) {
            Position const& place = places_[node.value];
            double const half = std::clamp((ring_ ? 26.0 : pitches_.at(node)) / 2 - 2, 1.5, 9.0);
            fmt::print(out,
                       "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"12\" rx=\"2\" fill=\"#fff\" "
                       "stroke=\"{}\"{}><title>{}{}{}</title></rect>\n",
                       px(place.x - half), px(place.y - 6), px(2 * half), faults_.contains(node) ? "#c00" : "#333",
                       faults_.contains(node) ? " stroke-width=\"3\"" : "", base::xml_text(net_.describe(node)),
                       hosts_[node.value] > 0 ? fmt::format(", {} hosts", hosts_[node.value]) : "",
                       faults_.contains(node) ? fmt::format(", faults found here: {}", faults_.at(node)) : "");
            if (hosts_[node.value] > 0 && !ring_)
                fmt::print(out, "<line x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{2}\" stroke=\"#333\"/>\n", px(place.x),
                           px(place.y + 6), px(place.y + 14));
            if (!named) continue;
            if (ring_) {
                double const angle = std::atan2(place.y - ring_y_, place.x - page_width / 2) * 180 / std::numbers::pi;
                bool const right = std::abs(angle) <= 90;
                fmt::print(out,
                           "<text x=\"{0}\" y=\"{1}\" font-size=\"10\" text-anchor=\"{2}\" transform=\"rotate({3} {4} "
                           "{5})\">{6}</text>\n",
                           px(place.x + (right ? 14 : -14)), px(place.y + 4), right ? "start" : "end",
                           px(right ? angle : angle - 180), px(place.x), px(place.y),
                           base::xml_text(base::shortened_within(base::printable(net_[node].name), 20)));
            } else {
                bool const above = !has_above(node);
                fmt::print(out,
                           "<text x=\"{0}\" y=\"{1}\" font-size=\"10\" transform=\"rotate({2} {0} {1})\">{3}</text>\n",
                           px(place.x + 3), px(place.y + (above ? -10 : 20)), above ? -40 : 50,
                           base::xml_text(base::shortened_within(base::printable(net_[node].name), 24)));
            }
        }
    }

    /// The hottest cables with the names of their ends, and their numbers beside them: names at the switches would
    /// write over each other.
    void write_list(std::ostream& out, double y) const {
        if (listed_ == 0) return;
        auto const ties = std::count_if(order_.begin(), order_.end(), [&](auto const& one) {
            return one.second->ratio == order_.back().second->ratio;
        });
        fmt::print(out, "<text x=\"{}\" y=\"{}\" font-weight=\"600\">The hottest cables{}</text>\n", px(margin), px(y),
                   std::size_t(ties) > listed_
                       ? fmt::format(" ({} are as hot as the first)", base::grouped(std::uint64_t(ties)))
                       : "");
        std::vector<Position> numbers;
        for (std::size_t i = 0; i < listed_; ++i) {
            auto const& [ends, bundle] = order_[order_.size() - 1 - i];
            Position const at = place_of_number(ends, numbers);
            numbers.push_back(at);
            fmt::print(out,
                       "<text x=\"{}\" y=\"{}\" font-size=\"12\" font-weight=\"700\" text-anchor=\"middle\" "
                       "stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\">{}</text>\n",
                       px(at.x), px(at.y + 4), i + 1);
            fmt::print(out, "<text x=\"{}\" y=\"{}\">{}. {}: {} {}, {} times its share</text>\n", px(margin),
                       px(y + list_line * double(i + 1)), i + 1, base::xml_text(label(bundle->hottest)),
                       amount_text(double(bundle->most) / double(picture_.parts)), picture_.unit,
                       base::fixed_text(bundle->ratio, 2));
        }
    }

    /// On the middle part of a cable, clear of the numbers that stand already, if there is room.
    Position place_of_number(std::pair<model::Node, model::Node> const& ends,
                             std::vector<Position> const& others) const {
        Position const &a = places_[ends.first.value], &b = places_[ends.second.value];
        double const bow = !ring_ && a.y == b.y ? 30 : 0;  // between switches of one level
        Position at;
        for (double const part : {0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7}) {
            at = {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y) - bow};
            if (std::none_of(others.begin(), others.end(), [&](Position const& other) {
                    return std::abs(other.x - at.x) < 18 && std::abs(other.y - at.y) < 14;
                }))
                break;
        }
        return at;
    }

    std::string label(model::Link link) const { return link_label(net_.ends(link), 120); }

    bool has_above(model::Node node) const { return level(node) < picture_.levels.top; }

    FabricPicture const& picture_;
    model::Network const& net_;
    std::map<model::Node, std::uint64_t> const& faults_;  // findings that count, at a node
    std::vector<model::Node> switches_;
    std::vector<std::uint32_t> hosts_;  // [node] of a switch
    std::map<std::pair<model::Node, model::Node>, Bundle> bundles_;
    std::vector<std::pair<std::pair<model::Node, model::Node>, Bundle const*>> order_;  // the hottest last
    std::size_t listed_ = 0;                                                            // of them
    std::vector<Position> places_;                                                      // [node]
    std::map<model::Node, double> pitches_;
    std::vector<std::pair<double, std::string>> labels_;
    double bottom_ = 0, ring_y_ = 0;
    bool ring_ = false;
};

}  // namespace
}  // namespace fabric_picture

void write_fabric_svg(std::ostream& out, FabricPicture const& picture) {
    using namespace fabric_picture;
    Drawing(picture).write(out);
}

}  // namespace tailback::report
