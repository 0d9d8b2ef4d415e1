#include "host/study/placement/compute_nodes.hpp"

#include "host/base/error.hpp"
#include "host/base/scanner.hpp"
#include "host/model/host_order.hpp"
#include "host/model/locate.hpp"
#include "host/study/placement/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>
#include <unordered_map>

namespace tailback::study {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// `mlx5_0`, `HCA-2`, `hfi1_0`: letters, then digits and marks, a digit last.
bool is_adapter_word(std::string_view word) {
    if (word.empty() || !is_letter(word.front()) || !is_digit(word.back())) return false;
    std::size_t letters = 0;
    while (letters < word.size() && is_letter(word[letters])) ++letters;
    return std::all_of(word.begin() + std::ptrdiff_t(letters), word.end(),
                       [](char c) { return is_digit(c) || c == '_' || c == '-'; });
}

std::string const& description_of(model::Network const& network, model::Host host) {
    return network[network[host].node].name;
}

/// Nodes that are still without their order.
class NodeBuilder {
public:
    explicit NodeBuilder(model::Network const& network) : network_(network) {
        result_.node_of_host.assign(network.hosts().size(), ComputeNodes::none);
        result_.rail_of_host.assign(network.hosts().size(), 0);
    }
    std::uint32_t add_node(std::string name) {
        result_.nodes.push_back({std::move(name), {}});
        return static_cast<std::uint32_t>(result_.nodes.size() - 1);
    }
    void add_adapter(std::uint32_t node, model::Host host) {
        result_.nodes[node].adapters.push_back(host);
        result_.node_of_host[host.value] = node;
    }
    bool has_node(model::Host host) const { return result_.node_of_host[host.value] != ComputeNodes::none; }
    /// Puts nodes and adapters in order, and adapters on their rails.
    ComputeNodes take(bool sort_nodes) {
        if (sort_nodes)
            std::stable_sort(result_.nodes.begin(), result_.nodes.end(),
                             [](auto const& a, auto const& b) { return natural_less(a.name, b.name); });
        for (std::uint32_t n = 0; n < result_.nodes.size(); ++n)
            for (model::Host const host : result_.nodes[n].adapters) result_.node_of_host[host.value] = n;
        choose_rails();
        return std::move(result_);
    }

private:
    /// Adapters of one name are on one rail; where a node has two of a name, or one without, all are counted.
    void choose_rails() {
        std::map<std::string, std::uint32_t, bool (*)(std::string_view, std::string_view)> rail(natural_less);
        bool named = true;
        for (ComputeNodes::Node const& node : result_.nodes) {
            std::vector<std::string> words;
            for (model::Host const host : node.adapters) words.push_back(word_of(host));
            std::sort(words.begin(), words.end());
            named = named && (words.size() < 2 || (!words.front().empty() && is_set(words)));
            for (std::string const& word : words)
                if (!word.empty()) rail.emplace(word, 0);
        }
        std::uint32_t number = 0;
        for (auto& [word, rail_number] : rail) rail_number = number++;
        result_.rails = named ? std::max(1u, number) : 0;
        auto const rail_of = [&](model::Host host) {
            auto const at = rail.find(word_of(host));
            return at == rail.end() ? 0 : at->second;
        };
        for (ComputeNodes::Node& node : result_.nodes) {
            if (named)
                std::stable_sort(node.adapters.begin(), node.adapters.end(),
                                 [&](model::Host a, model::Host b) { return rail_of(a) < rail_of(b); });
            for (std::uint32_t k = 0; k < node.adapters.size(); ++k)
                result_.rail_of_host[node.adapters[k].value] = named ? rail_of(node.adapters[k]) : k;
            if (!named) result_.rails = std::max(result_.rails, static_cast<std::uint32_t>(node.adapters.size()));
        }
    }
    static bool is_set(std::vector<std::string> const& sorted) {
        return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    }
    /// The adapter, and its port beyond the first; empty: the description names none.
    std::string word_of(model::Host host) const {
        std::string word = split_adapter_name(description_of(network_, host)).adapter;
        if (!word.empty() && network_[host].port > 1) word += fmt::format(" port {}", network_[host].port);
        return word;
    }

    model::Network const& network_;
    ComputeNodes result_;
};

ComputeNodes by_name(model::Network const& network, std::vector<model::Host> const& hosts) {
    NodeBuilder builder(network);
    std::unordered_map<std::string, std::uint32_t> known;
    std::unordered_map<std::uint32_t, std::uint32_t> known_adapters;  // model::Node -> compute node
    for (model::Host const host : hosts) {
        AdapterName const name = split_adapter_name(description_of(network, host));
        // Descriptions that name no adapter may be the same everywhere: such an adapter is a node of its own.
        if (name.adapter.empty()) {
            auto const [at, is_new] = known_adapters.try_emplace(network[host].node.value, 0);
            if (is_new) at->second = builder.add_node(name.node);
            builder.add_adapter(at->second, host);
            continue;
        }
        auto const [at, is_new] = known.try_emplace(name.node, 0);
        if (is_new) at->second = builder.add_node(name.node);
        builder.add_adapter(at->second, host);
    }
    return builder.take(true);
}

ComputeNodes by_system(model::Network const& network, std::vector<model::Host> const& hosts) {
    NodeBuilder builder(network);
    std::unordered_map<std::uint64_t, std::uint32_t> known;
    for (model::Host const host : hosts) {
        model::NodeRecord const& record = network[network[host].node];
        std::uint64_t const system = record.system_guid != 0 ? record.system_guid : record.guid;
        auto const [at, is_new] = known.try_emplace(system, 0);
        if (is_new || system == 0) at->second = builder.add_node(split_adapter_name(record.name).node);
        builder.add_adapter(at->second, host);
    }
    return builder.take(true);
}

ComputeNodes by_number(model::Network const& network, std::vector<model::Host> const& hosts, std::uint32_t each) {
    if (each == 0 || hosts.size() % each != 0)
        throw base::InputError({}, fmt::format("{} hosts do not make nodes of {} adapters", hosts.size(), each),
                               "every node has as many", "give a number that divides the hosts, or a file of nodes");
    NodeBuilder builder(network);
    for (std::size_t h = 0; h < hosts.size(); ++h) {
        if (h % each == 0)
            builder.add_node(each == 1 ? split_adapter_name(description_of(network, hosts[h])).node
                                       : fmt::format("N{}", h / each + 1));
        builder.add_adapter(static_cast<std::uint32_t>(h / each), hosts[h]);
    }
    return builder.take(false);
}

/// A node a line: its name, then the LIDs, GUIDs or names of its adapters, divided by tabs or commas.
ComputeNodes by_file(model::Network const& network, std::string const& path) {
    io::LineReader lines(io::open_source(path), path);
    NodeBuilder builder(network);
    std::unordered_map<std::string, std::size_t> known;
    for (std::string_view line; lines.next(line);) {
        std::string_view text = base::trimmed(line);
        if (text.empty() || text.front() == '#') continue;
        if (text.front() == ',')
            throw base::InputError(lines.place(), "a node without a name", "", "write NAME, HOST, HOST");
        std::vector<std::string> words;
        while (!text.empty()) {
            std::size_t const end = std::min(text.find_first_of("\t,"), text.size());
            if (std::string_view const word = base::trimmed(text.substr(0, end)); !word.empty())
                words.emplace_back(word);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        if (words.size() < 2)
            throw base::InputError(lines.place(), "a node without adapters", "a line is a name and at least one host",
                                   "divide them by tabs or commas: NAME, HOST, HOST");
        if (!known.emplace(words.front(), lines.place().line).second)
            throw base::InputError(lines.place(), "node \"" + words.front() + "\" is there twice", "",
                                   "write all its adapters in one line");
        std::uint32_t const node = builder.add_node(words.front());
        for (std::size_t w = 1; w < words.size(); ++w) {
            model::Host const host = model::locate_host(network, words[w], lines.place());
            if (builder.has_node(host))
                throw base::InputError(lines.place(), "host \"" + words[w] + "\" belongs to two nodes", "",
                                       "name every host once");
            builder.add_adapter(node, host);
        }
    }
    if (known.empty())
        throw base::InputError({path, 0}, "the file names no node", "", "write a node a line: NAME, HOST, HOST");
    return builder.take(false);
}

}  // namespace

AdapterName split_adapter_name(std::string_view description) {
    std::string_view const text = base::trimmed(description);
    std::size_t const blank = text.find_last_of(" \t");
    if (blank == std::string_view::npos || !is_adapter_word(text.substr(blank + 1)))
        return {std::string(text), std::string()};
    return {std::string(base::trimmed(text.substr(0, blank))), std::string(text.substr(blank + 1))};
}

bool natural_less(std::string_view a, std::string_view b) {
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (is_digit(a[i]) && is_digit(b[j])) {
            std::size_t const from_i = i, from_j = j;
            while (i < a.size() && is_digit(a[i])) ++i;
            while (j < b.size() && is_digit(b[j])) ++j;
            auto const number = [](std::string_view digits) {
                return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
            };
            std::string_view const x = number(a.substr(from_i, i - from_i)), y = number(b.substr(from_j, j - from_j));
            if (x != y) return std::tuple(x.size(), x) < std::tuple(y.size(), y);
            continue;
        }
        if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
        ++i, ++j;
    }
    if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
    return a < b;
}

ComputeNodes find_compute_nodes(model::Fabric const& fabric, NodeGroupingChoice const& choice,
                                bool aggregation_nodes_are_hosts) {
    if (fabric.formula && fabric.network.nodes().empty())
        throw base::InputError({}, "compute nodes need a network that is kept in memory",
                               "this one is computed by a formula", "add --routes tables");
    model::Network const& network = fabric.network;
    std::vector<model::Host> const hosts = model::usable_hosts(network, aggregation_nodes_are_hosts);
    switch (choice.kind) {
        case NodeGrouping::name: return by_name(network, hosts);
        case NodeGrouping::system: return by_system(network, hosts);
        case NodeGrouping::number: return by_number(network, hosts, choice.number);
        case NodeGrouping::file: return by_file(network, choice.file);
    }
    return {};
}

}  // namespace tailback::study
