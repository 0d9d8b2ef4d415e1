#include "host/api/write_formats.hpp"

#include "host/audit/loads/edge_forwarding_index.hpp"
#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/lane_files.hpp"
#include "host/formats/write/cable_plan_writer.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/model/routes/lags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <vector>

namespace tailback::api {
namespace {

std::shared_ptr<model::RoutingLanes const> lanes_of(model::Fabric const& fabric) {
    if (!fabric.find_lanes)
        throw base::InputError({}, "there are no virtual lanes to write", "the routing has none",
                               "choose one with lanes, dfsssp or dor:lanes=dateline");
    return fabric.find_lanes(fabric);
}

constexpr std::array formats = {
    WriteFormat{"orcs-dot",
                "fabric.dot",
                true,
                false,
                {.network = true},
                [](std::ostream& out, model::Fabric const& fabric) { formats::write_orcs_dot(out, fabric); }},
    WriteFormat{
        "ibnetdiscover",
        "ibnetdiscover.out",
        false,
        false,
        {.network = true, .rates = true, .lmc = true, .unknown_rates = false},
        [](std::ostream& out, model::Fabric const& fabric) { formats::write_ibnetdiscover(out, fabric.network); }},
    WriteFormat{"lft-dump",
                "opensm-lfts.dump",
                true,
                false,
                {},
                [](std::ostream& out, model::Fabric const& fabric) { formats::write_lft_dump(out, fabric); },
                [](model::Fabric const& fabric) {  // a line an entry
                    return std::uint64_t{fabric.tables.tables()} * fabric.tables.lids() * 60;
                }},
    WriteFormat{"db-csv",
                "ibdiagnet2.db_csv",
                false,
                false,
                {.network = true, .rates = true, .lmc = true},
                [](std::ostream& out, model::Fabric const& fabric) { formats::write_db_csv(out, fabric.network); }},
    WriteFormat{"net-dump",
                "ibdiagnet2.net_dump",
                false,
                false,
                {.network = true, .rates = true},
                [](std::ostream& out, model::Fabric const& fabric) { formats::write_net_dump(out, fabric.network); }},
    WriteFormat{
        "lst",
        "ibdiagnet2.lst",
        false,
        false,
        {.network = true, .rates = true, .unknown_rates = false},
        [](std::ostream& out, model::Fabric const& fabric) { formats::write_subnet_list(out, fabric.network); }},
    WriteFormat{"fdbs",
                "ibdiagnet2.fdbs",
                true,
                false,
                {},
                [](std::ostream& out, model::Fabric const& fabric) { formats::write_fdbs(out, fabric); },
                [](model::Fabric const& fabric) {  // a line an entry
                    return std::uint64_t{fabric.tables.tables()} * fabric.tables.lids() * 25;
                }},
    WriteFormat{"far",
                "ibdiagnet2.far",
                true,
                false,
                {.choices = true},
                [](std::ostream& out, model::Fabric const& fabric) { formats::write_far(out, fabric); },
                [](model::Fabric const& fabric) {  // a line an entry
                    return std::uint64_t{fabric.tables.tables()} * fabric.tables.lids() * 20;
                }},
    WriteFormat{"graphml",
                "fabric.graphml",
                false,
                false,
                {.network = true, .rates = true, .capacities = true},
                [](std::ostream& out, model::Fabric const& fabric) {
                    formats::write_graphml(
                        out, fabric.network,
                        fabric.routed ? audit::edge_forwarding_index(fabric) : std::vector<std::uint64_t>{});
                }},
    WriteFormat{"plan",
                "plan.csv",
                false,
                false,
                {.network = true, .rates = true},
                [](std::ostream& out, model::Fabric const& fabric) { formats::write_cable_plan(out, fabric.network); },
                nullptr,
                [](model::Fabric const& fabric) {
                    std::vector<std::string> sentences = formats::left_out_of_plan(fabric.network);
                    if (auto const lags = model::lags_of(fabric); lags != nullptr && !lags->empty())
                        sentences.push_back(
                            fmt::format("which cables make a LAG is not written: {}", model::lag_members_count_alone));
                    return sentences;
                }},
    WriteFormat{"sl2vl",
                "opensm-sl2vl.dump",
                true,
                true,
                {},
                [](std::ostream& out, model::Fabric const& fabric) {
                    auto const lanes = lanes_of(fabric);
                    formats::write_lane_maps(out, fabric.network, lanes->maps ? &*lanes->maps : nullptr);
                }},
    WriteFormat{"path-sl",
                "path-sl.txt",
                true,
                true,
                {},
                [](std::ostream& out, model::Fabric const& fabric) {
                    formats::write_service_levels(out, fabric.network, lanes_of(fabric)->levels);
                },
                [](model::Fabric const& fabric) {  // a line a pair
                    return std::uint64_t{fabric.network.hosts().size()} * fabric.network.hosts().size() * 8;
                }},
};

}  // namespace

std::span<WriteFormat const> all_write_formats() { return formats; }

WriteFormat const& find_write_format(std::string const& name, std::string const& option) {
    std::vector<std::string> names;
    for (WriteFormat const& format : formats) {
        if (name == format.name) return format;
        names.push_back(format.name);
    }
    names.emplace_back("ibdiagnet2");
    throw base::InputError(
        {}, "unknown format \"" + name + "\" after " + option, base::nearest_hint(name, names),
        "choose orcs-dot, ibnetdiscover, lft-dump, graphml, plan, ibdiagnet2 (a folder), db-csv, net-dump, lst, fdbs, "
        "far, sl2vl or path-sl");
}

std::vector<WriteFormat const*> find_write_formats(std::string const& name, std::string const& option) {
    if (name != "ibdiagnet2") return {&find_write_format(name, option)};
    std::vector<WriteFormat const*> all;
    for (char const* one : {"db-csv", "lst", "ibnetdiscover", "net-dump", "fdbs", "far"})
        all.push_back(&find_write_format(one, option));
    return all;
}

bool has_content(WriteFormat const& format, model::Fabric const& fabric) {
    return (!format.wants_tables || fabric.routed) && (!format.holds.choices || model::traits_of(fabric).by_load);
}

namespace {

/// Names of those that say a rate where none is known. Of an ibdiagnet2.lst beside a db_csv the latter's rates count.
std::string that_make_up_rates(std::span<WriteFormat const* const> formats) {
    auto const is = [](char const* name) {
        return [name](WriteFormat const* one) { return one->name == std::string_view(name); };
    };
    bool const is_folder = std::ranges::any_of(formats, is("db-csv"));
    std::string names;
    for (WriteFormat const* const one : formats)
        if (one->holds.network && !one->holds.unknown_rates && !(is_folder && is("lst")(one)))
            names += (names.empty() ? "" : ", ") + std::string(one->name);
    return names;
}

}  // namespace

std::vector<std::string> lost_parts(std::span<WriteFormat const* const> formats, model::Fabric const& fabric) {
    auto const holds = [&](bool Holds::*part) {
        return std::ranges::any_of(formats, [&](WriteFormat const* one) { return one->holds.*part; });
    };
    std::vector<std::string> lost;
    model::FabricTraits const traits = model::traits_of(fabric);
    if (std::ranges::any_of(formats, [](WriteFormat const* one) { return one->wants_tables; }) &&
        !holds(&Holds::choices)) {
        if (traits.by_hash)
            lost.emplace_back("tables hold one next hop a host: the others of equal cost are not written");
        else if (traits.by_load)
            lost.emplace_back(
                "tables hold one port a host: those that switches choose among are not written (--to far)");
    }
    if (!holds(&Holds::network)) return lost;
    model::Network const& network = fabric.network;
    auto const has_link = [&](auto const& has) { return std::ranges::any_of(network.links(), has); };
    bool const has_rates = has_link([](model::LinkRecord const& link) { return link.rate.stated(); });
    if (has_rates && !holds(&Holds::rates))
        lost.emplace_back("the links' rates are not written: read again, all links count alike");
    if (std::string const invented = that_make_up_rates(formats);
        !has_rates && !network.links().empty() && !invented.empty())
        lost.push_back("no rate of links is known: " + invented +
                       " says 4xSDR (8 Gb/s) of all; --link-rate sets another");
    if (!holds(&Holds::capacities) && has_link([](model::LinkRecord const& link) { return link.capacity > 0; }))
        lost.emplace_back("the links' capacities are not written (--to graphml): read again, all links count alike");
    for (WriteFormat const* const one : formats)
        if (one->left_out != nullptr) std::ranges::move(one->left_out(fabric), std::back_inserter(lost));
    if (!holds(&Holds::lmc) && traits.lmc > 0)
        lost.emplace_back(
            "the LMC is not written (a file of ibnetdiscover has it): read again, every host has one LID");
    return lost;
}

}  // namespace tailback::api
