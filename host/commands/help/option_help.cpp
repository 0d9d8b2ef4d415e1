#include "host/commands/help/option_help.hpp"

#include "host/commands/options/cxxopts.hpp"
#include "host/study/metrics/metrics.hpp"
#include "patterns/pattern.hpp"
#include "topologies/routing.hpp"

#include <algorithm>

namespace tailback::commands {
namespace {

/// `text|json` is the list of them; of others the tables of the program know the names.
std::vector<std::string> choices_of(std::string const& name, std::string const& argument) {
    std::vector<std::string> words;
    if (name == "pattern" || name == "first" || name == "second") {
        for (patterns::PatternInfo const& pattern : patterns::all_patterns()) words.emplace_back(pattern.name);
    } else if (name == "routing") {
        for (topologies::RoutingAlgorithm const& routing : topologies::all_routings()) words.emplace_back(routing.name);
    } else if (name == "metric") {
        for (study::MetricInfo const& metric : study::all_metrics()) words.emplace_back(metric.name);
        words.emplace_back("all");
    } else if (std::all_of(argument.begin(), argument.end(),
                           [](char c) { return (c >= 'a' && c <= 'z') || c == '|' || c == '-' || c == '_'; })) {
        for (std::size_t at = 0; at < argument.size();) {
            std::size_t const end = std::min(argument.find('|', at), argument.size());
            words.push_back(argument.substr(at, end - at));
            at = end + 1;
        }
    }
    return words;
}

}  // namespace

std::vector<OptionHelp> options_of(Command const& command) {
    std::vector<OptionHelp> options;
    if (command.options == nullptr) return options;
    cxxopts::Options const declared = command.options();
    for (std::string const& group : declared.groups())
        for (cxxopts::HelpOptionDetails const& option : declared.group_help(group).options) {
            OptionHelp help;
            help.name = option.l.empty() ? option.s : option.l.front();
            help.letter = option.s;
            help.argument = option.is_boolean ? "" : option.arg_help;
            help.text = option.desc;
            if (option.has_default && !option.is_boolean) help.default_value = option.default_value;
            help.group = group;
            help.choices = choices_of(help.name, help.argument);
            options.push_back(std::move(help));
        }
    return options;
}

}  // namespace tailback::commands
