#include "host/options/option.hpp"

#include "host/options/rows/rows.hpp"

#include <algorithm>
#include <iterator>

namespace tailback::options {
namespace {

struct CommandName {
    Commands command;
    std::string_view name;
    char const* reason_to_lack = "";
};
constexpr CommandName command_names[] = {
    {evaluate, "evaluate"},
    {jobs, "jobs", "every job has its own traffic, ranks and nodes (NAME:traffic=..,nodes=..)"},
    {bracket, "bracket", "its columns have a fixed number of mappings and metrics of their own, on the CPU"},
    {multipath, "multipath", "its columns have a fixed number of mappings and metrics of their own, on the CPU"},
    {sweep, "sweep", "options of its points are keys of its file"},
    {audit, "audit"},
    {diff, "diff"},
    {estimate, "estimate"},
    {trace, "trace"},
    {traffic, "traffic"},
    {convert, "convert"},
    {generate, "generate"},
    {compare, "compare"},
    {topology, "topology"},
    {schedule, "schedule"},
    {improve, "improve"},
};

CommandName const* named(Commands command) {
    auto const at = std::find_if(std::begin(command_names), std::end(command_names),
                                 [&](CommandName const& one) { return one.command == command; });
    return at == std::end(command_names) ? nullptr : at;
}

}  // namespace

std::span<Option const> all_options() {
    static std::vector<Option> const all = [] {
        std::vector<Option> rows;
        for (auto const& part : {network_rows(), study_rows(), audit_rows(), improve_rows(), output_rows()})
            rows.insert(rows.end(), part.begin(), part.end());
        return rows;
    }();
    return all;
}

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
        for (Option const& option : all_options()) {
            bool const is_key = option.is_of(evaluate | bracket | schedule | sweep_key) && option.stage < Stage::output;
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

std::string_view name_of(Commands command) { return named(command)->name; }

char const* name_of(Group group) {
    constexpr char const* names[] = {"Network", "Study", "Time", "What if", "Worst case", "Output", "Running"};
    return names[static_cast<std::size_t>(group)];
}

char const* reason_to_lack(Commands command) { return named(command)->reason_to_lack; }

bool is_met(char const* needs, std::function<std::optional<std::string>(std::string const& name)> const& value_of) {
    std::vector<std::string> const all = divided(needs, ',');
    return all.empty() || std::any_of(all.begin(), all.end(), [&](std::string const& one) {
               std::size_t const equal = std::min(one.find('='), one.size());
               std::optional<std::string> const value = value_of(one.substr(0, equal));
               return value && (equal == one.size() || *value == one.substr(equal + 1));
           });
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
