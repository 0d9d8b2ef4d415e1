// The options of all commands, one row each: parsing, refusals, help, manuals, completion, the keys of sweeps and the
// words of the Python module follow from them.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tailback::options {

/// The commands that have options, as bits; extensions get theirs when they register (registry.hpp).
using Commands = std::uint32_t;
inline constexpr Commands none = 0, evaluate = 1 << 0, jobs = 1 << 1, bracket = 1 << 2, multipath = 1 << 3,
                          sweep = 1 << 4, audit = 1 << 5, diff = 1 << 6, trace = 1 << 7, traffic = 1 << 8,
                          convert = 1 << 9, generate = 1 << 10, improve = 1 << 11, place = 1 << 12,
                          sweep_key = 1 << 13;  ///< no command: a key of a sweep's file alone
inline constexpr Commands studies = evaluate | jobs | bracket | multipath;

/// Where help shows it; in this order.
enum class Group : std::uint8_t { network, study, time, what_if, worst_case, output, running };

/// What its value is: none, a whole number within bounds, one of a few words, a spec like `torus:8x8` or `file:PATH`,
/// any text, words divided by commas (may be given several times), texts (the same, but commas divide nothing), the
/// name of a file or of a folder.
enum class Kind : std::uint8_t { flag, number, choice, spec, text, words, texts, file, folder };

/// The first thing that it changes.
enum class Stage : std::uint8_t { network, routes, hosts, study, output, run };

/// What an option is given; none: it is not. "network" may also be a word of its own.
using ValueOf = std::function<std::optional<std::string>(std::string const& name)>;

struct Option {
    char const* name;
    char letter = 0;
    char const* metavar = "";
    Group group;
    char const* brief;  ///< one line
    char const* text;   ///< all that there is to say
    Kind kind;
    std::uint64_t least = 0, most = std::numeric_limits<std::uint64_t>::max();  ///< of a number
    char const* choices = "";  ///< divided by |; of a file: the ends that its name may have, the first if it has none
    /// Words that it may begin with, for completion; null: none are known.
    std::vector<std::string> (*values)() = nullptr;
    char const* fallback = nullptr;  ///< what it is when it is not given; null: nothing
    Commands commands;
    Stage stage;
    char const* needs = "";     ///< has no effect without one of these (or `option=value`); divided by commas
    char const* excludes = "";  ///< does not go with any of these (or `option=value|value`)
    char const* reason = "";    ///< why it needs or excludes them
    /// For what names of options cannot say: why it has no effect beside what else is given; empty: it has one.
    std::string (*idle)(ValueOf const& value_of) = nullptr;
    bool in_short_help = false;

    bool takes_value() const { return kind != Kind::flag; }
    bool is_repeatable() const { return kind == Kind::words || kind == Kind::texts; }
    bool is_of(Commands command) const { return (commands & command) != 0; }
};

/// All rows: those of a command in the order of its help, the keys of sweeps in the order of their loops.
std::span<Option const> all_options();
/// Those of a command (one bit).
std::vector<Option const*> options_of(Commands command);
/// Keys of a sweep's file, outermost loop first, none twice: what a study, its columns or a schedule is made of. Points
/// that share a network, then those that share its routes, are neighbours.
std::span<Option const* const> sweep_keys();
/// Null: the command has none of this name.
Option const* find_option(Commands command, std::string_view name);
/// What a command is called.
std::string_view name_of(Commands command);
/// All commands that have options.
std::vector<Commands> commands_with_options();
/// The command of this name. @pre there is one: for the code of an extension itself
Commands command_named(std::string_view name);
/// Which command a sweep's point is of, by its keys: `evaluate` where none says another.
Commands command_of_point(ValueOf const& value_of);
char const* name_of(Group group);
/// Why a command lacks an option that others have; empty: it needs no reason.
char const* reason_to_lack(Commands command, std::string_view option);

/// Is one of the things met that Option::needs lists: `option`, or `option=value`?
bool is_met(char const* needs, ValueOf const& value_of);
/// Does it change anything beside what else is given?
bool has_effect(Option const& option, ValueOf const& value_of);
/// The first thing given that it excludes, as it was written: `routing`, `format csv`; empty: none.
std::string excluded_by(Option const& option, ValueOf const& value_of);

/// The words of a list like Option::choices.
std::vector<std::string> divided(char const* list, char divider);

}  // namespace tailback::options
