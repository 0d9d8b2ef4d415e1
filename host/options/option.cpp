#include "host/options/option.hpp"

#include "host/options/registry.hpp"
#include "host/options/rows.hpp"

#include <algorithm>
#include <iterator>

namespace tailback::options {
namespace {

constexpr CommandName command_names[] = {
    {evaluate, "evaluate"},
    {jobs, "jobs", "every job has its own traffic, ranks and nodes (NAME:traffic=..,nodes=..)"},
    {bracket, "bracket", "it tells of columns side by side, by numbers of mappings", "bracket"},
    {multipath, "multipath", "it tells of columns side by side, by numbers of mappings", "multipath"},
    {sweep, "sweep", "options of its points are keys of its file"},
    {audit, "audit"},
    {diff, "diff"},
    {trace, "trace"},
    {traffic, "traffic"},
    {convert, "convert"},
    {generate, "generate"},
    {improve, "improve"},
    {place, "place"},
};

/// Why one option has no place in a command, where that is not what the command as a whole says.
struct OptionLacked {
    Commands command;
    std::string_view option;
    char const* reason;
};
constexpr char const* flows_by_pairs =
    "flows are divided or hashed between the adapters that their ranks have, not by the rail of their destination";
constexpr OptionLacked options_lacked[] = {
    {audit, "strict", "what contradicts is a finding of an audit, and --fail-on says which findings are faults"},
    {bracket, "rail-aligned", flows_by_pairs},
    {multipath, "rail-aligned", flows_by_pairs},
};

/// `option`, `option=value` or `option=value|value`, as it is given; empty: it is not.
std::string met(std::string const& one, ValueOf const& value_of) {
    std::size_t const equal = std::min(one.find('='), one.size());
    std::string const name = one.substr(0, equal);
    std::optional<std::string> const value = value_of(name);
    if (!value) return "";
    if (equal == one.size()) return name;
    std::vector<std::string> const values = divided(one.c_str() + equal + 1, '|');
    return std::find(values.begin(), values.end(), *value) != values.end() ? name + " " + *value : "";
}

/// Those of the core and of its extensions.
Registry const& tables() {
    static Registry const all = [] {
        Registry registry{{std::begin(command_names), std::end(command_names)}, {}};
        for (auto const& part : {network_rows(), study_rows(), audit_rows(), improve_rows(), output_rows()})
            registry.rows.insert(registry.rows.end(), part.begin(), part.end());
        register_extensions(registry);
        return registry;
    }();
    return all;
}

CommandName const& named(Commands command) {
    std::vector<CommandName> const& all = tables().commands;
    return *std::find_if(all.begin(), all.end(), [&](CommandName const& one) { return one.command == command; });
}

}  // namespace

std::span<Option const> all_options() { return tables().rows; }

std::vector<Option const*> options_of(Commands command) {
    std::vector<Option const*> found;
    for (Option const& option : all_options())
        if (option.is_of(command)) found.push_back(&option);
    std::stable_sort(found.begin(), found.end(), [](Option const* a, Option const* b) { return a->group < b->group; });
    return found;
}

std::span<Option const* const> sweep_keys() {
    static std::vector<Option const*> const keys = [] {
        std::vector<Option const*> found;
        Commands swept = evaluate | sweep_key;
        for (CommandName const& command : tables().commands)
            if (*command.swept_by != 0) swept |= command.command;
        for (Option const& option : all_options()) {
            bool const is_key = option.is_of(swept) && option.stage < Stage::output;
            bool const is_new = std::none_of(found.begin(), found.end(), [&](Option const* other) {
                return std::string_view(other->name) == option.name;
            });
            if (is_key && is_new) found.push_back(&option);
        }
        return found;
    }();
    return keys;
}

Option const* find_option(Commands command, std::string_view name) {
    for (Option const& option : all_options())
        if (option.is_of(command) && option.name == name) return &option;
    return nullptr;
}

std::string_view name_of(Commands command) { return named(command).name; }

std::vector<Commands> commands_with_options() {
    std::vector<Commands> all;
    for (CommandName const& one : tables().commands) all.push_back(one.command);
    return all;
}

Commands command_named(std::string_view name) {
    std::vector<CommandName> const& all = tables().commands;
    return std::find_if(all.begin(), all.end(), [&](CommandName const& one) { return one.name == name; })->command;
}

Commands command_of_point(ValueOf const& value_of) {
    for (bool const flags : {false, true})  // a point with a workload is of it, whatever else it sets
        for (CommandName const& command : tables().commands) {
            if (*command.swept_by == 0 || find_option(sweep_key, command.swept_by)->takes_value() == flags) continue;
            std::optional<std::string> const value = value_of(command.swept_by);
            if (flags ? value == "true" : value.has_value()) return command.command;
        }
    return evaluate;
}

char const* name_of(Group group) {
    constexpr char const* names[] = {"Network", "Study", "Time", "What if", "Worst case", "Output", "Running"};
    return names[static_cast<std::size_t>(group)];
}

char const* reason_to_lack(Commands command, std::string_view option) {
    for (OptionLacked const& lacked : options_lacked)
        if (lacked.command == command && lacked.option == option) return lacked.reason;
    return named(command).reason_to_lack;
}

bool is_met(char const* needs, ValueOf const& value_of) {
    std::vector<std::string> const all = divided(needs, ',');
    return all.empty() ||
           std::any_of(all.begin(), all.end(), [&](std::string const& one) { return !met(one, value_of).empty(); });
}

bool has_effect(Option const& option, ValueOf const& value_of) {
    return is_met(option.needs, value_of) && (option.idle == nullptr || option.idle(value_of).empty());
}

std::string excluded_by(Option const& option, ValueOf const& value_of) {
    for (std::string const& one : divided(option.excludes, ','))
        if (std::string const found = met(one, value_of); !found.empty()) return found;
    return "";
}

std::vector<std::string> divided(char const* list, char divider) {
    std::vector<std::string> parts;
    for (std::string_view rest = list; !rest.empty();) {
        std::size_t const end = std::min(rest.find(divider), rest.size());
        parts.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return parts;
}

}  // namespace tailback::options
