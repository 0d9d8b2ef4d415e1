#include "host/report/bound_report.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tailback::report {
namespace {

constexpr std::size_t most_named = 4;  // links, in a sentence

/// `9,175`; with decimals where it is no whole number.
std::string load_text(search::Fraction const& load) {
    return load.q == 1 ? base::grouped(load.rounded_up()) : base::fixed_text(load.value(), 2);
}

/// So that no report depends on the last digits of logarithms.
double rounded_to_six(double value) { return std::round(value * 1e6) / 1e6; }

std::string whole_text(model::Network const& network, search::FabricBound const& bound) {
    search::TableBound const& whole = bound.whole;
    std::string const links =
        bound.next.exists()
            ? fmt::format("{} from {} to {}", base::counted(whole.links, "link", "links"),
                          base::printable(network[bound.at].name), base::printable(network[bound.next].name))
            : fmt::format("{} from {} to other switches", base::counted(whole.links, "link", "links"),
                          base::printable(network[bound.at].name));
    return fmt::format("What {} to each of {} leaves by {}, and all that goes to one destination takes one of these.",
                       base::counted(whole.sources, "host sends", "hosts send"),
                       base::counted(whole.destinations, "destination", "destinations"), links);
}

/// Links that have a large part of the price.
std::string carriers_text(model::Network const& network, search::FabricBound const& bound) {
    char const* const no_routing = bound.routes == search::BoundRoutes::shortest ? "no shortest routes" : "no routing";
    std::vector<search::PricedLink> const& links = bound.prices;
    auto const many = std::size_t(std::count_if(links.begin(), links.end(), [&](search::PricedLink const& one) {
        return one.price * 2 >= links.front().price;
    }));
    if (many > most_named)
        return fmt::format("{} carry that bound: {} can relieve them all.", base::counted(many, "link", "links"),
                           no_routing);
    std::string text;
    for (std::size_t i = 0; i < many; ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == many ? " and " : ", ", link_label(network, links[i].link));
    return fmt::format("{} {} that bound: {} can relieve {}.", text, many == 1 ? "carries" : "carry", no_routing,
                       many == 1 ? "it" : "them all");
}

}  // namespace

std::vector<std::string> bound_sentences(model::Network const& network, search::FabricBound const& bound,
                                         double largest, bool divided, bool delivered) {
    std::vector<std::string> sentences;
    if (bound.least == 0) return sentences;
    bool const shortest = bound.routes == search::BoundRoutes::shortest;
    double const least = divided ? bound.divided.value() : double(bound.least);
    double const near = divided ? 1e-9 * least : 0;
    sentences.push_back(fmt::format("No {}{}{} have less than {} there{}.", divided ? "flows that divide" : "tables",
                                    shortest ? divided ? " over shortest routes" : " of shortest routes" : "",
                                    delivered ? "" : " that deliver all pairs",
                                    divided ? load_text(bound.divided) : base::grouped(bound.least),
                                    std::abs(largest - least) <= near ? ", so none are better"
                                    : largest < least                 ? "; these have other routes"
                                                                      : ""));
    if (divided && least <= 0) return {};
    if (!divided && bound.is_by_whole()) {
        sentences.push_back(whole_text(network, bound));
        sentences.push_back(
            fmt::format("Flows that may divide, as adaptive routing lets them, need {}.", load_text(bound.divided)));
    }
    sentences.push_back(carriers_text(network, bound));
    if (divided) {  // cables were tried for tables
    } else if (!bound.cables.empty())
        sentences.push_back(fmt::format("One more cable beside {} would lower it to {}.",
                                        link_label(network, bound.cables.front().beside),
                                        base::grouped(bound.cables.front().least)));
    else if (bound.tried_cables) sentences.push_back("One more cable beside one of them would not lower it.");
    if (bound.upper == 0) sentences.push_back("How near to that divided flows come was not sought: too many ways.");
    else if (bound.gap() > 0.001)
        sentences.push_back(fmt::format("Divided flows with {} were found, so the bound is within {} % of the best.",
                                        base::fixed_text(bound.upper, 1),
                                        base::fixed_text(std::max(0.1, bound.gap() * 100), 1)));
    return sentences;
}

std::string bisection_sentence(search::ExpectedBisection const& expected, std::optional<double> most) {
    std::string const limit =
        most ? fmt::format("no tables can give more than {} here", base::fixed_text(*most, 3)) : "";
    if (!expected.missing.empty())
        return fmt::format("not known by formula: {}{}", expected.missing, limit.empty() ? "." : "; " + limit + ".");
    std::string text =
        fmt::format("{} by formula{}.", base::fixed_text(expected.mean, 3), limit.empty() ? "" : "; " + limit);
    double alone = expected.congestion[1], few = 0;
    for (std::size_t c = 2; c < std::min<std::size_t>(expected.congestion.size(), 4); ++c)
        few += expected.congestion[c];
    text += fmt::format(" {} % of the flows share no link, {} % share one with 1 or 2 others, {} % with more.",
                        base::fixed_text(100 * alone, 1), base::fixed_text(100 * few, 1),
                        base::fixed_text(std::max(0.0, 100 * (1 - alone - few)), 1));
    constexpr double near = 0.97;
    if (most && expected.mean < near * *most) text += " `tailback improve` looks for better tables.";
    return text;
}

Json bisection_json(search::ExpectedBisection const& expected, std::optional<double> most) {
    bool const known = expected.missing.empty();
    Json congestion = Json::array();
    for (std::size_t c = 1; known && c < expected.congestion.size(); ++c)
        congestion.push_back(real(rounded_to_six(expected.congestion[c])));
    return {{"expected", or_null(known, real(rounded_to_six(expected.mean)))},
            {"missing", or_null(!known, expected.missing)},
            {"most", most ? real(rounded_to_six(*most)) : Json(nullptr)},
            {"congestion", std::move(congestion)},
            {"pairs_followed", expected.pairs},
            {"pairs", expected.all}};
}

Json bound_json(model::Network const& network, search::FabricBound const& bound) {
    Json cables = Json::array(), carriers = Json::array();
    for (search::ExtraCable const& one : bound.cables)
        cables.push_back({{"least", one.least}, {"beside", link_json(network, one.beside)}});
    for (search::PricedLink const& one : bound.prices) {
        if (one.price * 2 < bound.prices.front().price || carriers.size() == 16) break;
        carriers.push_back({{"share", real(one.share)}, {"link", link_json(network, one.link)}});
    }
    Json whole = nullptr;
    if (bound.at.exists())
        whole = {{"load", bound.whole.load.rounded_up()},
                 {"sources", bound.whole.sources},
                 {"destinations", bound.whole.destinations},
                 {"links", bound.whole.links},
                 {"from", node_json(network, bound.at)},
                 {"to", bound.next.exists() ? node_json(network, bound.next) : Json(nullptr)}};
    return {{"routes", bound.routes == search::BoundRoutes::shortest ? "shortest" : "any"},
            {"least", bound.least},
            {"divided",
             {{"bound", real(bound.divided.value())},
              {"fraction", search::text_of(bound.divided.p) + "/" + search::text_of(bound.divided.q)},
              {"found", bound.upper == 0 ? Json(nullptr) : real(bound.upper)},
              {"gap", bound.upper == 0 ? Json(nullptr) : real(bound.gap())}}},
            {"whole", std::move(whole)},
            {"priced_links", bound.prices.size()},
            {"carriers", std::move(carriers)},
            {"extra_cables", bound.tried_cables ? std::move(cables) : Json(nullptr)}};
}

}  // namespace tailback::report
