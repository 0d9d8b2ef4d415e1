// The product is walked option by option in one fixed order, whatever the order in the file.
#include "host/sweep/sweep_file.hpp"

#include "host/base/error.hpp"
#include "host/base/extensions.hpp"
#include "host/base/nearest.hpp"
#include "host/io/yaml_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace tailback::sweep {
namespace {

std::span<options::Option const* const> keys() { return options::sweep_keys(); }

std::size_t place_of(std::string_view name) {
    auto const at =
        std::find_if(keys().begin(), keys().end(), [&](options::Option const* option) { return name == option->name; });
    return std::size_t(at - keys().begin());
}
bool is_metric(std::size_t option) { return option == place_of("metric"); }

constexpr char const* see_help = "`tailback sweep --help` shows an example";

struct Block;

/// A value, or several options at once.
struct Entry {
    std::string value;
    std::size_t line = 0;
    std::vector<Block> map;  ///< one or none
    bool unset = false;      ///< the option is not given, whatever stands outside
};

/// What is said about each option; empty = nothing.
struct Block {
    std::vector<std::vector<Entry>> entries = std::vector<std::vector<Entry>>(keys().size());
};

class SweepReader {
public:
    explicit SweepReader(std::string const& name) : name_(name) {}

    Block block(io::YamlNode const& node, std::optional<std::size_t> inside) {
        Block block;
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            io::YamlNode const& item = node.items[i];
            std::size_t const option = option_of(node.keys[i], item.line);
            if (inside && option < *inside)
                refuse(item.line,
                       std::string("\"") + keys()[option]->name + "\" cannot stand in an entry of \"" +
                           keys()[*inside]->name + "\"",
                       "its loop is outside of that one",
                       "put both into an entry of \"" + std::string(keys()[option]->name) + "\"");
            block.entries[option] = entries(item, option, inside.has_value());
        }
        if (inside && block.entries[*inside].empty())
            refuse(node.line, std::string("an entry of \"") + keys()[*inside]->name + "\" does not say which",
                   "the map has no \"" + std::string(keys()[*inside]->name) + "\"",
                   std::string("add \"") + keys()[*inside]->name + ": ...\"");
        return block;
    }

private:
    [[noreturn]] void refuse(std::size_t line, std::string const& problem, std::string const& why,
                             std::string const& what_to_do) const {
        throw base::InputError({name_, line}, problem, why, what_to_do);
    }

    std::size_t option_of(std::string const& key, std::size_t line) const {
        if (std::size_t const place = place_of(key); place < keys().size()) return place;
        base::refuse_left_out("key of a sweep", key, {name_, line});
        std::vector<std::string> names;
        for (options::Option const* const option : keys()) names.emplace_back(option->name);
        std::string all;
        for (std::string const& name : names) all += (all.empty() ? "" : ", ") + name;
        refuse(line, "unknown key \"" + key + "\"", base::nearest_hint(key, names), "keys are " + all);
    }

    std::vector<Entry> entries(io::YamlNode const& node, std::size_t option, bool in_map) {
        if (node.kind != io::YamlNode::Kind::list) return {entry(node, option, in_map)};
        if (node.items.empty())
            refuse(node.line, std::string("the list of \"") + keys()[option]->name + "\" is empty",
                   "then there is no point", "add an entry, or leave the key out");
        std::vector<Entry> all;
        for (io::YamlNode const& item : node.items) {
            if (item.kind == io::YamlNode::Kind::list)
                refuse(item.line, std::string("a list in the list of \"") + keys()[option]->name + "\"", "",
                       "write its entries one after the other");
            all.push_back(entry(item, option, in_map));
        }
        if (!is_metric(option)) return all;
        Entry set = all.front();
        for (std::size_t i = 1; i < all.size(); ++i) set.value += "," + all[i].value;
        return {set};
    }

    Entry entry(io::YamlNode const& node, std::size_t option, bool in_map) {
        if (node.kind == io::YamlNode::Kind::none) {
            if (option == 0 || is_metric(option))
                refuse(node.line, std::string("\"") + keys()[option]->name + "\" has no value", "", "write one");
            return {.line = node.line, .unset = true};
        }
        if (node.kind == io::YamlNode::Kind::scalar) {
            if (node.text.empty())
                refuse(node.line, std::string("\"") + keys()[option]->name + "\" has an empty value", "",
                       "write one, or leave the key out");
            if (!keys()[option]->takes_value() && node.text != "true" && node.text != "false")
                refuse(node.line, std::string("\"") + keys()[option]->name + "\" is neither true nor false", node.text,
                       "write one of them");
            return {.value = node.text, .line = node.line};
        }
        if (in_map || is_metric(option))
            refuse(node.line, std::string("a map as an entry of \"") + keys()[option]->name + "\"",
                   "there it can only be a value", see_help);
        return {.line = node.line, .map = {block(node, option)}};
    }

    std::string const& name_;
};

class Product {
public:
    Product(Block const& root, std::string const& name) : name_(name), blocks_{&root} {}
    std::vector<SweepPoint> take() {
        walk(0);
        return std::move(points_);
    }

private:
    void walk(std::size_t option) {
        if (option == keys().size()) {
            if (points_.size() == most_sweep_points)
                throw base::InputError({name_, 0}, "the sweep has more than 100,000 points", "",
                                       "divide it into several files");
            points_.push_back(now_);
            return;
        }
        std::vector<Entry> const* entries = nullptr;
        for (Block const* const block : blocks_) {  // the innermost is the last
            if (!block->entries[option].empty()) entries = &block->entries[option];
            else if (option == place_of("routing") && !block->entries[place_of("tables")].empty())
                entries = nullptr;  // its tables are its routing
        }
        if (entries == nullptr) return walk(option + 1);
        for (Entry const& entry : *entries) {
            if (!entry.map.empty()) {
                blocks_.push_back(&entry.map.front());
                walk(option);
                blocks_.pop_back();
                continue;
            }
            if (!entry.unset) now_.push_back({option, entry.value, entry.line});
            walk(option + 1);
            if (!entry.unset) now_.pop_back();
        }
    }

    std::string const& name_;
    std::vector<Block const*> blocks_;
    SweepPoint now_;
    std::vector<SweepPoint> points_;
};

}  // namespace

options::Option const& SweepSetting::row() const { return *keys()[option]; }

SweepSetting const* find_setting(SweepPoint const& point, std::string const& option) {
    for (SweepSetting const& setting : point)
        if (option == setting.name()) return &setting;
    return nullptr;
}

namespace {

options::ValueOf values_of(SweepPoint const& point) {
    return [&point](std::string const& name) -> std::optional<std::string> {
        SweepSetting const* const setting = find_setting(point, name);
        return setting != nullptr ? std::optional(setting->value) : std::nullopt;
    };
}

}  // namespace

options::Commands command_of(SweepPoint const& point) { return options::command_of_point(values_of(point)); }

bool is_word(SweepSetting const& setting) {
    return setting.row().commands == options::sweep_key && setting.row().takes_value();
}

namespace {

/// Why a setting that has no effect has none.
std::string why_idle(SweepPoint const& point, SweepSetting const& setting) {
    options::Option const* const option = options::find_option(command_of(point), setting.name());
    if (option == nullptr) return fmt::format("`tailback {}` does not have it", options::name_of(command_of(point)));
    options::ValueOf const value_of = values_of(point);
    return options::is_met(option->needs, value_of) ? option->idle(value_of) : option->reason;
}

}  // namespace

bool has_effect(SweepPoint const& point, SweepSetting const& setting) {
    if (setting.row().commands == options::sweep_key) return true;
    options::Option const* const option = options::find_option(command_of(point), setting.name());
    return option != nullptr && options::has_effect(*option, values_of(point));
}

std::vector<std::string> words_of(SweepPoint const& point) {
    std::vector<std::string> words;
    for (SweepSetting const& setting : point) {
        std::string const name = setting.name();
        if (is_word(setting)) words.push_back(setting.value);
        else if (setting.row().commands == options::sweep_key) continue;  // says which command
        else if (setting.row().takes_value()) words.push_back("--" + name + "=" + setting.value);
        else if (setting.value == "true") words.push_back("--" + name);
    }
    return words;
}

namespace {

/// Times are measured where an option says what they are made of, whatever `time` says.
void refuse_false_times(SweepPoint const& point, std::string const& name) {
    SweepSetting const* const time = find_setting(point, "time");
    if (time == nullptr || time->value == "true") return;
    for (char const* const other : {"dependencies", "compute", "latency", "switching", "priority"})
        if (find_setting(point, other) != nullptr)
            throw base::InputError({name, time->line}, fmt::format("\"time\" is false beside \"{}\"", other),
                                   "which measures times", "leave one of them out");
}

void refuse_two_commands(SweepPoint const& point, std::string const& name) {
    SweepSetting const *const bracket = find_setting(point, "bracket"), *const multipath =
                                                                            find_setting(point, "multipath");
    if (bracket != nullptr && multipath != nullptr && bracket->value == "true" && multipath->value == "true")
        throw base::InputError({name, multipath->line}, "a point is a bracket and spreads flows over LIDs",
                               "each is a command of its own", "write two entries: {bracket: true}, {multipath: true}");
}

/// An option may be without effect at some points, but not at all that have it.
void refuse_without_effect(std::vector<SweepPoint> const& points, std::string const& name) {
    std::set<std::size_t> of_effect;
    for (SweepPoint const& point : points)
        for (SweepSetting const& setting : point)
            if (has_effect(point, setting)) of_effect.insert(setting.option);
    for (SweepPoint const& point : points)
        for (SweepSetting const& setting : point)
            if (!of_effect.contains(setting.option))
                throw base::InputError({name, setting.line},
                                       fmt::format("\"{}\" has no effect at any point", setting.name()),
                                       why_idle(point, setting), "leave it out");
}

/// Without the settings that have no effect; points that differed in these alone are one.
std::vector<SweepPoint> with_effects_alone(std::vector<SweepPoint> const& points) {
    std::vector<SweepPoint> left;
    std::set<std::string> met;
    for (SweepPoint const& point : points) {
        SweepPoint settings;
        std::string key;
        for (SweepSetting const& setting : point) {
            if (!has_effect(point, setting)) continue;
            settings.push_back(setting);
            key += std::string(setting.name()) + "=" + setting.value + "\n";
        }
        if (settings.size() == point.size() || met.insert(key).second) left.push_back(std::move(settings));
    }
    return left;
}

}  // namespace

std::vector<SweepPoint> read_sweep(std::string const& text, std::string const& name) {
    io::YamlNode const root = io::read_yaml(text, name);
    if (root.kind != io::YamlNode::Kind::map)
        throw base::InputError({name, root.line}, "the file is not a map of options", "",
                               "write lines like `pattern: [bisect, rand]`; " + std::string(see_help));
    Block const block = SweepReader(name).block(root, std::nullopt);
    if (block.entries[0].empty())
        throw base::InputError({name, 0}, "\"network\" is missing", "it is what is studied", see_help);
    std::vector<SweepPoint> const points = Product(block, name).take();
    refuse_without_effect(points, name);
    for (SweepPoint const& point : points) {
        refuse_false_times(point, name);
        refuse_two_commands(point, name);
    }
    return with_effects_alone(points);
}

}  // namespace tailback::sweep
