#include "host/commands/options/network_options.hpp"

#include "host/base/error.hpp"
#include "host/commands/options/cxxopts.hpp"
#include "host/commands/options/options.hpp"
#include "host/io/output_file.hpp"

#include <algorithm>

namespace tailback::commands {

api::Listener listener() { return {tell_note, tell_warning}; }

void check_places(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs) {
    if (std::count(inputs.begin(), inputs.end(), "-") > 1)
        throw base::InputError({}, "standard input is given twice", "it can be read only once",
                               "name a file for one of them");
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            if (io::same_target(outputs[i], outputs[j]))
                throw base::InputError({outputs[i] == "-" ? "standard output" : outputs[i], 0},
                                       "two outputs go to the same place", "", "give each its own");
        for (std::string const& input : inputs)
            if (input != "-" && outputs[i] != "-" && io::same_target(outputs[i], input))
                throw base::InputError({outputs[i], 0}, "an output would replace an input", "",
                                       "choose another place for the output");
    }
}

void check_files(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs) {
    check_places(inputs, outputs);
    for (std::string const& output : outputs) io::check_writable(output);
}

void declare_network(cxxopts::Options& options, std::string const& group, bool with_network) {
    using cxxopts::value;
    using std::string;
    auto add = options.add_options(group);
    // clang-format off
    if (with_network)
        add("network", "the network: a file (ibnetdiscover output, opensm-subnet.lst, ibdiagnet2.db_csv, GraphML or ORCS dot; .xz and .gz are unpacked; - is standard input), the output folder of ibdiagnet2, a folder of routers (frr:DIR), or a spec like torus:8x8x8 (see `tailback list topologies`)", value<string>(), "FILE|SPEC");
    add("tables", "forwarding tables: LFT dump or .fdbs; ORCS dot files contain their own", value<string>(), "FILE")
       ("routing", "compute the routes instead of reading tables: minhop, updn, dmodk, ... (see `tailback list routings`)", value<string>(), "NAME")
       ("routing-seed", "seed of the routing's random choices", value<string>()->default_value("1"), "S")
       ("lmc", "with a routing by destination that is computed: every host gets 2^N LIDs, with a route to each", value<string>(), "N")
       ("fail-cables", "let random cables fail: a number (12) or a share (2%, rounded to the nearest whole number); switch:2% fails only cables between switches", value<string>(), "N|P%")
       ("fail-switches", "let random switches fail with all their cables: a number or a share", value<string>(), "N|P%")
       ("fail-seed", "seed of the random failures", value<string>()->default_value("1"), "S");
    // clang-format on
}

std::vector<std::string> const& network_option_names() {
    static std::vector<std::string> const names = {"--network", "--tables",      "--routing",       "--routing-seed",
                                                   "--lmc",     "--fail-cables", "--fail-switches", "--fail-seed"};
    return names;
}

api::NetworkChoice network_choice(std::string network,
                                  std::function<std::optional<std::string>(std::string const&)> const& text) {
    api::NetworkChoice choice(std::move(network));
    choice.tables = text("tables");
    if (auto const seed = text("routing-seed"))
        choice.routing_seed = whole_number("--routing-seed", *seed, 0, UINT64_MAX);
    if (auto const lmc = text("lmc")) choice.lmc = static_cast<std::uint8_t>(whole_number("--lmc", *lmc, 0, 7));
    if (auto const routing = text("routing")) choice.routing.emplace(*routing, choice.routing_seed);
    if (auto const cables = text("fail-cables"))
        choice.failures.cables = topologies::parse_failures("--fail-cables", *cables, true);
    if (auto const switches = text("fail-switches"))
        choice.failures.switches = topologies::parse_failures("--fail-switches", *switches, false);
    if (auto const seed = text("fail-seed")) choice.failures.seed = whole_number("--fail-seed", *seed, 0, UINT64_MAX);
    if (choice.tables && choice.routing)
        throw base::InputError({}, "--tables and --routing are both given", "each of them decides the routes",
                               "give only one of them");
    return choice;
}

std::string group_by_of(ParsedOptions const& options) {
    std::string const words = options.text("group-by").value_or("");
    if (options.given("group-by") && words.empty())
        throw base::InputError({}, "--group-by is empty", "", "write leaf, name:REGEX or file:PATH");
    return words;
}

}  // namespace tailback::commands
