// When options change nothing beside the values of others.
#include "host/base/error.hpp"
#include "host/formats/registry.hpp"
#include "host/model/locate.hpp"
#include "host/options/parsed_options.hpp"
#include "host/options/rows.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace tailback::options {
namespace {

/// A folder of another kind may have seeds of its own, and draws those that it lacks.
bool may_draw(std::string const& network) {
    std::error_code ignored;
    return formats::folder_named(network) != nullptr || std::filesystem::is_directory(network, ignored);
}

/// Why mappings of `evaluate` draw nothing, where words alone say so; empty: they may.
std::string draws_nothing(ValueOf const& value_of) {
    std::string const mapping = value_of("mapping").value_or(""), pattern = value_of("pattern").value_or("");
    bool const is_read = mapping.starts_with("file:");
    if (mapping != "identity" && !is_read) return "";
    if (value_of("subset") == "rand" || value_of("nodes").value_or("").find("any") != std::string::npos) return "";
    if (pattern.find("rand") != std::string::npos || pattern.starts_with("ptrnvsptrn")) return "";
    return is_read ? "ranks run where the file says, and the traffic draws nothing"
                   : "ranks run in the order of the hosts, and the traffic draws nothing";
}

/// @param formats that do not have it
std::string not_in_format(ValueOf const& value_of, std::initializer_list<std::string_view> formats) {
    std::string const format = value_of("format").value_or("text");
    for (std::string_view const one : formats)
        if (format == one) return fmt::format("--format {} does not have it", format);
    return "";
}

}  // namespace

std::string routing_seed_idle(ValueOf const& value_of) {
    if (std::optional<std::string> const tables = value_of("tables")) return "the routes are those of --tables";
    std::optional<std::string> const routing = value_of("routing");
    std::string const network = value_of("network").value_or("");
    if (!routing && !topologies::is_topology_spec(network))
        return network.empty() || may_draw(network) ? "" : "the routes are those of the network's files";
    if (!routing) return "the usual routings of networks draw nothing; name one that does with --routing";
    try {
        if (topologies::RoutingSpec(*routing).draws()) return "";
    } catch (base::InputError const&) {
        return "";  // it is refused where it is read
    }
    if (may_draw(network)) return "";  // which members of LAGs flows take
    return fmt::format("the routing {} draws nothing", *routing);
}

std::string fail_seed_idle(ValueOf const& value_of) {
    bool is_named = false;
    for (char const* const option : {"fail-cables", "fail-switches"}) {
        std::optional<std::string> const what = value_of(option);
        if (!what) continue;
        if (what->find_first_not_of("0123456789.%") == what->npos || what->starts_with("switch:")) {
            if (what->find_first_of("123456789") != what->npos) return "";
        } else if (option == std::string("fail-switches") || model::names_a_port(*what)) {
            is_named = true;
        } else {
            return "";  // it is refused where it is read
        }
    }
    return is_named ? "what fails is named, and nothing of it is drawn" : "nothing fails";
}

std::string seed_idle(ValueOf const& value_of) { return draws_nothing(value_of); }

std::string mappings_idle(ValueOf const& value_of) {
    if (value_of("mapping").value_or("").starts_with("file:")) return "";  // so many of the file's
    std::string const why = draws_nothing(value_of);
    return why.empty() || value_of("mappings") == "1" ? "" : why + ": all mappings are the same";
}

std::string optimal_mappings_idle(ValueOf const& value_of) {
    if (value_of("until") && !value_of("mappings")) return "";  // as many as that needs
    std::string const mappings = value_of("mappings").value_or(find_option(bracket, "mappings")->fallback);
    std::uint64_t const most = whole_number("--mappings", mappings, 1, UINT64_MAX),
                        wanted = whole_number("--optimal-mappings", *value_of("optimal-mappings"), 0, UINT32_MAX);
    return wanted <= most ? ""
                          : fmt::format("{} mappings are more than the {} of --mappings, and the optimum is of those",
                                        wanted, most);
}

std::string worst_case_idle(ValueOf const& value_of) {
    return value_of("worst-case") == "none" || value_of("write-worst-permutation")
               ? ""
               : not_in_format(value_of, {"dot", "svg"});
}

std::string beside_jobs_idle(ValueOf const& value_of) {
    bool const is_of_one = value_of("pattern") || value_of("traffic") || !(value_of("job") || value_of("jobs"));
    return is_of_one ? "" : "without --pattern or --traffic of a new job, those of --job are ordered together";
}

std::string shifts_idle(ValueOf const& value_of) {
    return value_of("shifts") == "none" ? "" : not_in_format(value_of, {"dot", "svg"});
}

std::string shift_order_idle(ValueOf const& value_of) {
    if (value_of("shifts") == "none") return "--shifts none looks at no shift";
    return not_in_format(value_of, {"dot", "svg"});
}

}  // namespace tailback::options
