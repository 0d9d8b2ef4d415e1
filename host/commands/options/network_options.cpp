#include "host/commands/options/network_options.hpp"

#include "host/base/error.hpp"
#include "host/base/scanner.hpp"
#include "host/io/output_file.hpp"
#include "host/model/ethernet.hpp"
#include "host/model/locate.hpp"
#include "topologies/routings/hashed_sets.hpp"

#include <algorithm>
#include <filesystem>

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

namespace {

model::LinkRate link_rate_of(std::string const& words) {
    model::LinkRate rate = model::parse_link_rate(words);
    base::Scanner scan(words);
    std::uint64_t number = 0;
    if (!rate.stated() && scan.decimal(number) && number < 10'000'000) {
        std::string_view const unit = scan.blanks().rest();
        bool const giga = unit == "Gb/s" || unit == "Gbit/s" || unit == "G";
        if (giga || unit == "Mb/s" || unit == "Mbit/s" || unit == "M")
            rate = model::ethernet_rate(giga ? number * 1000 : number);
    }
    if (!rate.stated())
        throw base::InputError({}, "--link-rate \"" + words + "\" is no rate of a link", "",
                               "write 2, 10, 25, 40, 50, 100, 200, 400, 800 or 1600 with Gb/s behind it (400Gb/s), or "
                               "lanes and their speed (4xHDR)",
                               "link-rate");
    return rate;
}

}  // namespace

api::NetworkChoice network_choice(options::ParsedOptions const& options, std::string const& why) {
    std::string const word = options.word("a command looks at one network", "give one FILE or SPEC");
    if (word.empty()) return network_choice(options.required("network", why), options);
    if (options.given("network"))
        throw base::InputError({}, "\"" + word + "\" and --network " + *options.text("network") + " are both given",
                               "a word that belongs to no option is a network, too", "leave one of them out");
    return network_choice(word, options);
}

api::NetworkChoice network_choice(std::string network, options::ParsedOptions const& options) {
    api::NetworkChoice choice(std::move(network));
    choice.strict = options.given("strict");
    if (options.has("tables")) choice.tables = options.text("tables");
    if (options.has("link-rate"))
        if (auto const rate = options.text("link-rate")) choice.link_rate = link_rate_of(*rate);
    if (options.has("routing")) {
        choice.routing_seed = options.number("routing-seed");
        choice.wants_draws = options.given("routing-seed");
        if (options.given("lmc")) choice.lmc = static_cast<std::uint8_t>(options.number("lmc"));
        if (auto const routing = options.text("routing")) choice.routing.emplace(*routing, choice.routing_seed);
    }
    if (auto const cables = options.text("fail-cables")) {
        bool const counts = cables->find_first_not_of("0123456789.%") == cables->npos || cables->starts_with("switch:");
        if (!counts && model::names_a_port(*cables))
            choice.failures.named_cables = options::divided(cables->c_str(), ',');
        else choice.failures.cables = topologies::parse_failures("--fail-cables", *cables, true);
    }
    if (auto const switches = options.text("fail-switches")) {
        bool const counts =
            switches->find_first_not_of("0123456789.%") == switches->npos || switches->starts_with("switch:");
        if (counts) choice.failures.switches = topologies::parse_failures("--fail-switches", *switches, false);
        else choice.failures.named_switches = options::divided(switches->c_str(), ',');
    }
    choice.failures.seed = options.number("fail-seed");
    return choice;
}

std::vector<std::string> network_words(options::ParsedOptions const& options, options::Commands command) {
    std::vector<std::string> words = options.words_for(command, {options::Stage::network, options::Stage::routes});
    if (!options.words().empty()) words.insert(words.begin(), {"--network", options.words().front()});
    return words;
}

result::OtherCommands other_commands(options::ParsedOptions const& options, options::Commands command,
                                     options::Commands others) {
    result::OtherCommands found;
    std::string const network =
        options.text("network").value_or(options.words().empty() ? "" : options.words().front());
    found.tables_apart = options.given("tables") || std::filesystem::is_directory(network);
    auto const all = network_words(options, command);
    if (std::find(all.begin(), all.end(), "-") != all.end()) return found;  // it is read once
    for (options::Commands one = 1; one <= others; one <<= 1) {
        // A command that lacks an option which was given would be of another fabric.
        std::vector<std::string> words = network_words(options, one);
        // The rate of links changes no route.
        std::size_t const left_out =
            options.given("link-rate") && options::find_option(one, "link-rate") == nullptr ? 2 : 0;
        if ((others & one) == 0 || words.size() + left_out != all.size()) continue;
        if (options.given("hosts")) {  // of an audit, or of improve: others look at all hosts
            if (options::find_option(one, "hosts") == nullptr) continue;
            words.insert(words.end(), {"--hosts", *options.text("hosts")});
        }
        bool const is_study = one == options::place || one == options::multipath;
        if (!is_study && options.given("capacities") && options::find_option(one, "capacities") != nullptr)
            words.insert(words.end(), {"--capacities", *options.text("capacities")});
        if (is_study) {
            auto const hosts = options.words_for(one, {options::Stage::hosts});
            if (hosts.size() != options.words_for(command, {options::Stage::hosts}).size()) continue;
            auto const study = options.words_for(one, {options::Stage::study}, {"queue-pairs"});
            words.insert(words.end(), study.begin(), study.end());
            words.insert(words.end(), hosts.begin(), hosts.end());
        }
        found.words[std::string(options::name_of(one))] = std::move(words);
    }
    return found;
}

std::string group_by_of(options::ParsedOptions const& options) {
    return options.not_empty("group-by", "write leaf, name:REGEX or file:PATH");
}

topologies::FlowHashOptions hash_of(options::ParsedOptions const& options, std::uint64_t seed) {
    if (!options.given("hash")) return {};
    topologies::RoutingSpec const spec("ecmp:hash=" + *options.text("hash"), seed);
    return topologies::hash_options(spec.arguments(), spec.seed());
}

model::CapacityKind capacities_of(options::ParsedOptions const& options) {
    return options.choice("capacities") == 0 ? model::CapacityKind::from_rates : model::CapacityKind::unit;
}

std::uint32_t small_number(options::ParsedOptions const& options, std::string const& name) {
    return static_cast<std::uint32_t>(options.number(name));
}

std::string listed_file(options::ParsedOptions const& options, std::string const& name) {
    std::string const kind = options.text(name).value_or("");
    if (kind == "file" || kind == "file:")
        throw base::InputError({}, "--" + name + " " + kind + " names no file", "", "write --" + name + " file:PATH",
                               name);
    return kind.starts_with("file:") ? kind.substr(5) : "";
}

api::PlacementRequest placement_of(options::ParsedOptions const& options, std::string const& what_to_do) {
    api::PlacementRequest placement;
    placement.nodes = options.not_empty("nodes", what_to_do);
    placement.adapters = api::read_node_grouping(options.not_empty("adapters", what_to_do));
    if (std::string const rail = options.not_empty("rail", what_to_do); !rail.empty())
        placement.rail = study::read_rail_rule(rail);
    placement.rail_aligned = options.given("rail-aligned");
    if (options.given("ranks-per-node")) placement.ranks_per_node = small_number(options, "ranks-per-node");
    return placement;
}

}  // namespace tailback::commands
