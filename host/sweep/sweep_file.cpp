// The product is walked option by option in one fixed order, whatever the order in the file.
#include "host/sweep/sweep_file.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/io/yaml_tree.hpp"

#include <algorithm>
#include <optional>

namespace tailback::sweep {
namespace {

constexpr char const* options[] = {
    "network",       "tables",         "strict",     "routing",      "routing-seed", "fail-cables",
    "fail-switches", "fail-seed",      "routes",     "bracket",      "capacities",   "aggregation-nodes",
    "workload",      "queue",          "select",     "pattern",      "traffic",      "first",
    "first-ranks",   "second",         "level",      "ranks",        "subset",       "nodes",
    "adapters",      "ranks-per-node", "rail",       "rail-aligned", "mapping",      "mappings",
    "until",         "first-mapping",  "seed",       "seeds",        "dependencies", "compute",
    "latency",       "switching",      "priority",   "sharing",      "shared-by",    "optimal-mappings",
    "hash",          "queue-pairs",    "hash-draws", "metric",
};
constexpr std::size_t option_count = std::size(options);
constexpr std::size_t metric_option = option_count - 1, tables_option = 1, routing_option = 3;
constexpr char const* see_help = "`tailback sweep --help` shows an example";

/// Options without a value: given or not.
bool is_flag(std::string_view option) { return option == "strict" || option == "bracket" || option == "rail-aligned"; }

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
    std::vector<std::vector<Entry>> entries = std::vector<std::vector<Entry>>(option_count);
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
                refuse(
                    item.line,
                    std::string("\"") + options[option] + "\" cannot stand in an entry of \"" + options[*inside] + "\"",
                    "its loop is outside of that one",
                    "put both into an entry of \"" + std::string(options[option]) + "\"");
            block.entries[option] = entries(item, option, inside.has_value());
        }
        if (inside && block.entries[*inside].empty())
            refuse(node.line, std::string("an entry of \"") + options[*inside] + "\" does not say which",
                   "the map has no \"" + std::string(options[*inside]) + "\"",
                   std::string("add \"") + options[*inside] + ": ...\"");
        return block;
    }

private:
    [[noreturn]] void refuse(std::size_t line, std::string const& problem, std::string const& why,
                             std::string const& what_to_do) const {
        throw base::InputError({name_, line}, problem, why, what_to_do);
    }

    std::size_t option_of(std::string const& key, std::size_t line) const {
        auto const at = std::find(std::begin(options), std::end(options), key);
        if (at != std::end(options)) return std::size_t(at - std::begin(options));
        std::vector<std::string> const names(std::begin(options), std::end(options));
        std::string all;
        for (std::string const& name : names) all += (all.empty() ? "" : ", ") + name;
        refuse(line, "unknown key \"" + key + "\"", base::nearest_hint(key, names), "keys are " + all);
    }

    std::vector<Entry> entries(io::YamlNode const& node, std::size_t option, bool in_map) {
        if (node.kind != io::YamlNode::Kind::list) return {entry(node, option, in_map)};
        if (node.items.empty())
            refuse(node.line, std::string("the list of \"") + options[option] + "\" is empty", "then there is no point",
                   "add an entry, or leave the key out");
        std::vector<Entry> all;
        for (io::YamlNode const& item : node.items) {
            if (item.kind == io::YamlNode::Kind::list)
                refuse(item.line, std::string("a list in the list of \"") + options[option] + "\"", "",
                       "write its entries one after the other");
            all.push_back(entry(item, option, in_map));
        }
        if (option != metric_option) return all;
        Entry set = all.front();
        for (std::size_t i = 1; i < all.size(); ++i) set.value += "," + all[i].value;
        return {set};
    }

    Entry entry(io::YamlNode const& node, std::size_t option, bool in_map) {
        if (node.kind == io::YamlNode::Kind::none) {
            if (option == 0 || option == metric_option)
                refuse(node.line, std::string("\"") + options[option] + "\" has no value", "", "write one");
            return {.line = node.line, .unset = true};
        }
        if (node.kind == io::YamlNode::Kind::scalar) {
            if (node.text.empty())
                refuse(node.line, std::string("\"") + options[option] + "\" has an empty value", "",
                       "write one, or leave the key out");
            if (is_flag(options[option]) && node.text != "true" && node.text != "false")
                refuse(node.line, std::string("\"") + options[option] + "\" is neither true nor false", node.text,
                       "write one of them");
            return {.value = node.text, .line = node.line};
        }
        if (in_map || option == metric_option)
            refuse(node.line, std::string("a map as an entry of \"") + options[option] + "\"",
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
        if (option == option_count) {
            if (points_.size() == most_sweep_points)
                throw base::InputError({name_, 0}, "the sweep has more than 100,000 points", "",
                                       "divide it into several files");
            points_.push_back(now_);
            return;
        }
        std::vector<Entry> const* entries = nullptr;
        for (Block const* const block : blocks_) {  // the innermost is the last
            if (!block->entries[option].empty()) entries = &block->entries[option];
            else if (option == routing_option && !block->entries[tables_option].empty())
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

std::span<char const* const> sweep_options() { return options; }
std::size_t sweep_network_options() { return 10; }

SweepSetting const* find_setting(SweepPoint const& point, std::string const& option) {
    for (SweepSetting const& setting : point)
        if (option == setting.name()) return &setting;
    return nullptr;
}

std::vector<std::string> evaluate_words(SweepPoint const& point) {
    std::vector<std::string> words;
    for (SweepSetting const& setting : point) {
        std::string const option = std::string("--") + setting.name();
        if (!is_flag(setting.name())) words.push_back(option + "=" + setting.value);
        else if (setting.value == "true") words.push_back(option);
    }
    return words;
}

std::vector<std::string> schedule_words(SweepPoint const& point) {
    std::vector<std::string> words = evaluate_words(point);
    std::string const workload = "--workload=";
    for (std::string& word : words)
        if (word.starts_with(workload)) word = word.substr(workload.size());
    return words;
}

std::vector<SweepPoint> read_sweep(std::string const& text, std::string const& name) {
    io::YamlNode const root = io::read_yaml(text, name);
    if (root.kind != io::YamlNode::Kind::map)
        throw base::InputError({name, root.line}, "the file is not a map of options", "",
                               "write lines like `pattern: [bisect, rand]`; " + std::string(see_help));
    Block const block = SweepReader(name).block(root, std::nullopt);
    if (block.entries[0].empty())
        throw base::InputError({name, 0}, "\"network\" is missing", "it is what is studied", see_help);
    return Product(block, name).take();
}

}  // namespace tailback::sweep
