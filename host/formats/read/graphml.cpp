// GraphML: what networkx, igraph, Gephi and this program write, and the cluster files of PFSim. The meaning of
// attributes is not part of the format; those that are known by their names count.
#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/formats/formats.hpp"
#include "host/io/xml_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>

namespace tailback::formats {
namespace {

constexpr std::size_t largest_graph = std::size_t{1} << 30;

struct Value {
    std::string text;
    mutable bool read = false;  ///< it has a meaning here
};
using Data = std::map<std::string, Value, std::less<>>;  ///< by name of the attribute, in lower case

struct GraphNode {
    std::string id;
    Data data;
    base::SourceLocation place;
};
struct GraphEdge {
    std::uint32_t from, to;
    bool directed;
    Data data;
    base::SourceLocation place;
};

/// The file as a graph of nodes and edges with attributes.
class GraphReader : public io::XmlHandler {
public:
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
    Data of_graph;
    std::map<std::string, std::uint64_t> in_tags;  ///< `type="host"` inside <node>: attributes that GraphML has not

    /// A name of an attribute as the file has it.
    std::string spelled(std::string const& name) const {
        auto const at = spelled_.find(name);
        return at == spelled_.end() ? name : at->second;
    }

    void begin(std::string_view element, io::XmlAttributes const& attributes) override {
        if (element == "graphml") in_graphml_ = true;
        if (!in_graphml_) refuse("there is no <graphml>", "the first element is <" + std::string(element) + ">");
        if (element == "key") begin_key(attributes);
        if (element == "default") start_text();
        if (element == "graph") begin_graph(attributes);
        if (element == "node") begin_node(attributes);
        if (element == "edge") begin_edge(attributes);
        if (element == "data" && owner_ != nullptr) {
            data_key_ = key_named(required(attributes, "key", element));
            start_text();
        }
        if (element == "hyperedge") refuse("the graph has hyperedges", "a cable joins two nodes");
    }
    void text(std::string_view piece) override {
        if (takes_text_) text_ += piece;
    }
    void end(std::string_view element) override {
        if (element == "default" && key_in_hand_) key_in_hand_->fallback = base::trimmed(text_, " \t\r\n");
        if (element == "key") key_in_hand_ = nullptr;
        if (element == "data" && owner_ != nullptr && takes_text_)
            (*owner_)[data_key_->name].text = base::trimmed(text_, " \t\r\n");
        if (element == "data" || element == "default") takes_text_ = false;
        if (element == "node" || element == "edge") owner_ = &of_graph;
        if (element == "graph") owner_ = nullptr;
    }
    /// Once the file has ended: the ends of edges as numbers of nodes, what keys say where elements do not.
    void finish() {
        for (std::size_t e = 0; e < edges.size(); ++e) {
            edges[e].from = node_named(ends_[e].first, edges[e].place);
            edges[e].to = node_named(ends_[e].second, edges[e].place);
        }
        for (auto const& [id, key] : keys_) {
            if (!key.fallback) continue;
            if (key.of != "edge")
                for (GraphNode& node : nodes) node.data.try_emplace(key.name, Value{*key.fallback});
            if (key.of != "node")
                for (GraphEdge& edge : edges) edge.data.try_emplace(key.name, Value{*key.fallback});
        }
    }

private:
    struct Key {
        std::string name, of;
        std::optional<std::string> fallback;
    };

    [[noreturn]] void refuse(std::string const& problem, std::string const& why) const {
        throw base::InputError(place(), problem, why, "check that this is a GraphML file of a network");
    }
    std::string required(io::XmlAttributes const& attributes, char const* name, std::string_view element) const {
        if (auto const value = attributes.find(name)) return std::string(*value);
        refuse(fmt::format("<{}> has no `{}`", element, name), "GraphML wants one");
    }
    void begin_key(io::XmlAttributes const& attributes) {
        std::string const id = required(attributes, "id", "key");
        key_in_hand_ = &keys_[id];
        std::string const name(attributes.find("attr.name").value_or(id));
        *key_in_hand_ = {base::lower_case(name), std::string(attributes.find("for").value_or("all")), {}};
        spelled_.try_emplace(base::lower_case(name), name);
    }
    /// A key that nobody declared goes by its id.
    Key const* key_named(std::string const& id) {
        spelled_.try_emplace(base::lower_case(id), id);
        return &keys_.try_emplace(id, Key{base::lower_case(id), "all", {}}).first->second;
    }
    void begin_graph(io::XmlAttributes const& attributes) {
        if (in_graph_) refuse("the file has several graphs, or one inside another", "a network is one graph");
        in_graph_ = true;
        directed_ = attributes.find("edgedefault").value_or("directed") == "directed";
        owner_ = &of_graph;
    }
    void begin_node(io::XmlAttributes const& attributes) {
        if (!in_graph_) refuse("<node> outside <graph>", "");
        std::string const id = required(attributes, "id", "node");
        if (!number_.emplace(id, nodes.size()).second)
            refuse("two nodes have the id \"" + base::printable(id) + "\"", "ids name nodes");
        nodes.push_back({id, {}, place()});
        count_in_tag(attributes, "node", {"id"});
        owner_ = &nodes.back().data;
    }
    void begin_edge(io::XmlAttributes const& attributes) {
        if (!in_graph_) refuse("<edge> outside <graph>", "");
        std::string_view const own = attributes.find("directed").value_or("");
        edges.push_back({0, 0, own.empty() ? directed_ : own == "true", {}, place()});
        ends_.emplace_back(required(attributes, "source", "edge"), required(attributes, "target", "edge"));
        count_in_tag(attributes, "edge", {"id", "source", "target", "directed"});
        owner_ = &edges.back().data;
    }
    void count_in_tag(io::XmlAttributes const& attributes, char const* element,
                      std::initializer_list<std::string_view> known) {
        attributes.for_each([&](std::string_view name, std::string_view) {
            bool const of_xml = name.starts_with("xml") || name.starts_with("xsi:") || name.starts_with("parse.");
            if (!of_xml && std::ranges::find(known, name) == known.end())
                ++in_tags[fmt::format("<{} {}=..>", element, name)];
        });
    }
    void start_text() {
        text_.clear();
        takes_text_ = true;
    }
    std::uint32_t node_named(std::string const& id, base::SourceLocation const& place) const {
        if (auto const at = number_.find(id); at != number_.end()) return at->second;
        throw base::InputError(place, "an edge ends at \"" + base::printable(id) + "\"", "no node has that id",
                               "check that the file is complete");
    }

    std::map<std::string, Key> keys_;
    std::map<std::string, std::string> spelled_;  ///< by name in lower case
    std::unordered_map<std::string, std::uint32_t> number_;
    std::vector<std::pair<std::string, std::string>> ends_;
    Key* key_in_hand_ = nullptr;
    Key const* data_key_ = nullptr;
    Data* owner_ = nullptr;  ///< what <data> belongs to
    std::string text_;
    bool in_graphml_ = false, in_graph_ = false, directed_ = true, takes_text_ = false;
};

/// The first of the names that has a value; nullptr where none has one.
Value const* first_of(Data const& data, std::initializer_list<std::string_view> names) {
    for (std::string_view const name : names)
        if (auto const at = data.find(name); at != data.end() && !at->second.text.empty()) return &at->second;
    return nullptr;
}
std::string_view text_of(Data const& data, std::initializer_list<std::string_view> names) {
    Value const* const value = first_of(data, names);
    return value == nullptr ? std::string_view() : std::string_view(value->text);
}
/// The same, which counts as read.
std::string_view value_of(Data const& data, std::initializer_list<std::string_view> names) {
    Value const* const value = first_of(data, names);
    if (value == nullptr) return {};
    value->read = true;
    return value->text;
}

/// Attributes of one meaning: the first that has a value counts.
std::initializer_list<std::string_view> const words_for_kinds = {"kind", "typ", "type", "role", "node_type"};
std::initializer_list<std::string_view> const words_for_names = {"name", "label"};
std::initializer_list<std::string_view> const words_for_capacities = {"capacity", "bandwidth"};
std::initializer_list<std::string_view> const words_for_speeds = {"linkspeedraw", "speed", "linkspeed", "link_speed",
                                                                  "rate"};

/// A whole number that an attribute gives. @throws InputError where it is none, or above `most`.
std::uint64_t whole(std::string_view text, char const* what, std::uint64_t most, base::SourceLocation const& place) {
    std::uint64_t value = 0;
    int const base = text.substr(0, 2) == "0x" ? 16 : 10;
    std::string_view const digits = base == 16 ? text.substr(2) : text;
    auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size() || value > most)
        throw base::InputError(place,
                               fmt::format("{} is \"{}\"", what, base::printable(std::string(text.substr(0, 40)))),
                               fmt::format("it is a whole number up to {}", most), "correct it");
    return value;
}

std::string word_of(GraphNode const& node) {
    return base::lower_case(std::string(value_of(node.data, words_for_kinds)));
}

/// What a node is: by its own word, where it has one that is known.
std::optional<model::NodeKind> kind_of(GraphNode const& node) {
    std::string const word = word_of(node);
    for (char const* const host : {"host", "server", "compute", "node", "terminal", "endpoint", "adapter", "hca", "ca"})
        if (word == host) return model::NodeKind::adapter;
    if (word == "router" && node.data.contains("guid")) return model::NodeKind::router;  // of InfiniBand
    for (char const* const inner : {"switch", "router", "sw", "edge", "core", "leaf", "spine", "aggregation"})
        if (word == inner) return model::NodeKind::switch_node;
    return std::nullopt;
}

/// The graph as a network.
class NetworkOfGraph {
public:
    NetworkOfGraph(GraphReader const& graph, std::string const& file, model::Disagreements& disagreements)
        : graph_(graph), file_(file), disagreements_(disagreements) {}

    model::Network make() {
        find_kinds();
        list_links();
        number_ports();
        mark_ports_told_twice();
        bool const named = goes_by_names();
        model::NetworkBuilder builder(named);
        add_nodes(builder, named);
        std::vector<std::uint32_t> const capacities = find_capacities();
        for (std::size_t l = 0; l < links_.size(); ++l) {
            OneLink const& link = links_[l];
            GraphEdge const& edge = graph_.edges[link.edge];
            builder.add_link({.from = model::Node{link.from},
                              .from_port = link.port,
                              .to = model::Node{link.to},
                              .to_port = link.reverse == none ? 0 : links_[link.reverse].port,
                              .rate = model::parse_link_rate(text_of(edge.data, {"rate"})),
                              .capacity = static_cast<std::uint16_t>(capacities.empty() ? 0 : capacities[link.edge])});
        }
        model::Network network = builder.finish(disagreements_, file_);
        mark_rates(network);
        tell_unknown_kinds();
        tell_unread();
        return network;
    }

private:
    static constexpr std::uint32_t none = UINT32_MAX;
    struct OneLink {
        std::uint32_t from, to, edge;
        std::uint32_t reverse = none;
        model::Port port = 0;
    };

    void find_kinds() {
        degree_.resize(graph_.nodes.size());
        std::set<std::pair<std::uint32_t, std::uint32_t>> neighbours;
        for (GraphEdge const& edge : graph_.edges)
            if (neighbours.insert(std::minmax(edge.from, edge.to)).second) ++degree_[edge.from], ++degree_[edge.to];
        kinds_are_told_ = std::any_of(graph_.nodes.begin(), graph_.nodes.end(),
                                      [](GraphNode const& node) { return kind_of(node).has_value(); });
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
            GraphNode const& node = graph_.nodes[n];
            bool const has_own_word = !word_of(node).empty();  // `storage`, `gpu`: with one neighbour it is an end
            bool const is_end = degree_[n] == 1 && (!kinds_are_told_ || has_own_word);
            kinds_.push_back(kind_of(node).value_or(is_end ? model::NodeKind::adapter : model::NodeKind::switch_node));
        }
        if (std::count(kinds_.begin(), kinds_.end(), model::NodeKind::adapter) == 0)
            throw base::InputError({file_, 0}, "the network has no hosts",
                                   kinds_are_told_ ? "no node has kind=\"host\""
                                                   : "no node has an attribute `kind`, and none has a single neighbour",
                                   "give hosts an attribute kind=\"host\", or write the links as an edge list "
                                   "and give edge-list:PATH,hosts=1 as the network");
    }
    bool goes_by_names() const {
        return std::none_of(graph_.nodes.begin(), graph_.nodes.end(),
                            [](GraphNode const& node) { return node.data.contains("guid"); });
    }
    /// A directed edge is a link; its reverse is the edge that goes back, the k-th of several the k-th. An edge without
    /// direction is two.
    void list_links() {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<std::uint32_t>> waiting;
        for (std::uint32_t e = 0; e < graph_.edges.size(); ++e) {
            GraphEdge const& edge = graph_.edges[e];
            auto const at = static_cast<std::uint32_t>(links_.size());
            links_.push_back({edge.from, edge.to, e});
            if (!edge.directed) {
                links_.back().reverse = at + 1;
                links_.push_back({edge.to, edge.from, e, at});
            } else if (auto& back = waiting[{edge.to, edge.from}]; !back.empty() && edge.from != edge.to) {
                links_[at].reverse = back.front();
                links_[back.front()].reverse = at;
                back.pop_front();
            } else {
                waiting[{edge.from, edge.to}].push_back(at);
            }
        }
        auto const one_way = std::size_t(
            std::count_if(links_.begin(), links_.end(), [](OneLink const& link) { return link.reverse == none; }));
        if (one_way == 0 || (one_way < links_.size() && !goes_by_names())) return;  // others are told cable by cable
        auto const first = std::ranges::find(links_, none, &OneLink::reverse);
        disagreements_.note(diagnosis::Code::cable_from_one_end, {file_, 0},
                            one_way == links_.size()
                                ? "the graph is directed, and no edge has one that goes back"
                                : fmt::format("{} no edge that goes back (the first: \"{}\" to \"{}\")",
                                              base::counted(one_way, "directed edge has", "directed edges have"),
                                              base::printable(graph_.nodes[first->from].id),
                                              base::printable(graph_.nodes[first->to].id)),
                            one_way);
    }
    /// Ports that edges name, then the free ones in the order of the file.
    void number_ports() {
        std::vector<std::set<model::Port>> taken(graph_.nodes.size());
        for (OneLink& link : links_) {
            GraphEdge const& edge = graph_.edges[link.edge];
            bool const backwards = link.from != edge.from;
            std::string_view const text = backwards       ? value_of(edge.data, {"to_port"})
                                          : edge.directed ? value_of(edge.data, {"from_port", "port"})
                                                          : value_of(edge.data, {"from_port"});
            if (text.empty()) continue;
            link.port =
                static_cast<model::Port>(whole(text, "the port", model::ForwardingTables::largest_port, edge.place));
            if (link.port == 0) continue;
            if (!taken[link.from].insert(link.port).second)
                throw base::InputError(edge.place,
                                       fmt::format("two links leave port {} of \"{}\"", link.port,
                                                   base::printable(graph_.nodes[link.from].id)),
                                       "a port takes one cable", "correct one of them, or leave the ports out");
        }
        std::vector<model::Port> next(graph_.nodes.size(), 1);
        for (OneLink& link : links_) {
            if (link.port != 0) continue;
            while (taken[link.from].contains(next[link.from])) ++next[link.from];
            link.port = next[link.from]++;
            if (link.port > model::ForwardingTables::largest_port)
                throw base::InputError(
                    graph_.nodes[link.from].place,
                    "node \"" + base::printable(graph_.nodes[link.from].id) + "\" has too many edges",
                    fmt::format("a table entry holds ports up to {}", model::ForwardingTables::largest_port),
                    "split the node");
        }
    }
    /// A directed edge may repeat the port that its way back leaves from.
    void mark_ports_told_twice() const {
        for (OneLink const& link : links_) {
            Data const& data = graph_.edges[link.edge].data;
            if (link.reverse != none && text_of(data, {"to_port"}) == std::to_string(links_[link.reverse].port))
                value_of(data, {"to_port"});
        }
    }

    /// Rates of hosts' links go before capacities (link_costs), and mean nothing where hosts have none.
    void mark_rates(model::Network const& network) const {
        bool const rates_count = std::ranges::any_of(network.links(), [&](model::LinkRecord const& link) {
            return !network.is_switch(link.from) && link.rate.elevenths_of_gbps() > 0;
        });
        if (!rates_count) return;
        for (GraphEdge const& edge : graph_.edges) {
            for (std::string_view const name : words_for_capacities)
                if (Value const* const value = first_of(edge.data, {name})) value->read = false;
            if (model::parse_link_rate(text_of(edge.data, {"rate"})).stated()) value_of(edge.data, {"rate"});
        }
    }

    /// Words for kinds that nobody knows, and ends without a word: what they were taken as.
    void tell_unknown_kinds() const {
        struct Taken {
            std::uint64_t hosts = 0, switches = 0;
        };
        std::map<std::string, Taken> by_word;
        std::uint64_t nodes = 0;
        base::SourceLocation first;
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
            GraphNode const& node = graph_.nodes[n];
            bool const is_end_without_word = kinds_are_told_ && degree_[n] == 1;
            if (kind_of(node) || (word_of(node).empty() && !is_end_without_word)) continue;
            Taken& taken = by_word[std::string(text_of(node.data, words_for_kinds))];
            ++(kinds_[n] == model::NodeKind::switch_node ? taken.switches : taken.hosts);
            if (nodes++ == 0) first = node.place;
        }
        std::vector<std::string> parts;
        for (auto const& [word, taken] : by_word) {
            std::string const what = taken.hosts == 0 ? "switches"
                                     : taken.switches == 0
                                         ? "hosts"
                                         : fmt::format("{} as hosts, {} as switches", taken.hosts, taken.switches);
            std::string const kind =
                word.empty() ? "no kind" : fmt::format("kind \"{}\"", base::printable(word.substr(0, 40)));
            std::string const of = base::counted(taken.hosts + taken.switches, "node", "nodes");
            parts.push_back(fmt::format("{} of {}, taken{}", kind, of,
                                        taken.hosts > 0 && taken.switches > 0 ? ": " + what : " as " + what));
        }
        if (nodes > 0) disagreements_.note(diagnosis::Code::node_kind_unknown, first, enumerated(parts, "; "), nodes);
    }

    /// Attributes that nothing has read, each once.
    void tell_unread() const {
        struct Attributes {
            std::map<std::string, std::uint64_t> unread;  ///< by name: how often
            std::set<std::string_view> read;
        };
        auto const look = [](Attributes& at, Data const& data) {
            for (auto const& [name, value] : data)
                if (value.read) at.read.insert(name);
                else if (!value.text.empty()) ++at.unread[name];
        };
        Attributes of_nodes, of_edges, of_graph;
        for (GraphNode const& node : graph_.nodes) look(of_nodes, node.data);
        for (GraphEdge const& edge : graph_.edges) look(of_edges, edge.data);
        look(of_graph, graph_.of_graph);
        std::vector<std::string> parts;
        auto const tell = [&](Attributes const& at, char const* one, char const* many) {
            for (auto const& [name, times] : at.unread) {
                std::string_view const before = goes_before(name, at.read);
                parts.push_back(fmt::format(
                    "`{}` of {}{}", base::printable(graph_.spelled(name).substr(0, 40)),
                    base::counted(times, one, many),
                    before.empty() ? "" : fmt::format(" (`{}` goes before it)", graph_.spelled(std::string(before)))));
            }
        };
        tell(of_nodes, "node", "nodes");
        tell(of_edges, "edge", "edges");
        for (auto const& [name, times] : of_graph.unread)
            parts.push_back(fmt::format("`{}` of the graph", base::printable(graph_.spelled(name).substr(0, 40))));
        for (auto const& [name, times] : graph_.in_tags)
            parts.push_back(fmt::format("{}, {} (attributes are read from <data> alone)", base::printable(name),
                                        base::counted(times, "time", "times")));
        if (!parts.empty())
            disagreements_.note(diagnosis::Code::attribute_not_read, {file_, 0}, enumerated(parts, ", "), parts.size());
    }
    /// What was read in place of an attribute: another of the same meaning.
    static std::string_view goes_before(std::string_view name, std::set<std::string_view> const& read) {
        std::vector<std::string_view> loads(words_for_capacities);
        loads.insert(loads.end(), words_for_speeds);
        for (std::vector<std::string_view> const& words :
             {std::vector<std::string_view>(words_for_kinds), std::vector<std::string_view>(words_for_names), loads})
            if (std::ranges::find(words, name) != words.end())
                for (std::string_view const other : words)
                    if (read.contains(other) && other != name) return other;
        return {};
    }
    static std::string enumerated(std::vector<std::string> const& parts, char const* between) {
        constexpr std::size_t most = 20;
        std::span<std::string const> const first(parts.data(), std::min(parts.size(), most));
        return fmt::format("{}{}", fmt::join(first, between),
                           parts.size() > most ? fmt::format("{}and {} more", between, parts.size() - most) : "");
    }

    void add_nodes(model::NetworkBuilder& builder, bool named) {
        std::vector<std::set<model::Port>> ports(graph_.nodes.size());  // of hosts
        for (OneLink const& link : links_)
            if (kinds_[link.from] != model::NodeKind::switch_node) ports[link.from].insert(link.port);
        std::size_t hosts = 0;
        for (std::size_t n = 0; n < ports.size(); ++n)
            if (kinds_[n] != model::NodeKind::switch_node) hosts += std::max<std::size_t>(1, ports[n].size());
        model::Lid next_host = 1, next_switch = static_cast<model::Lid>(hosts + 1);
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
            GraphNode const& node = graph_.nodes[n];
            bool const is_switch = kinds_[n] == model::NodeKind::switch_node;
            std::string_view const lid = value_of(node.data, {"lid"}), guid = value_of(node.data, {"guid"});
            std::string_view const name = value_of(node.data, words_for_names);
            model::Lid own = named         ? (is_switch ? next_switch++ : next_host)
                             : lid.empty() ? 0
                                           : model::Lid(whole(lid, "the LID", 0xFFFFFF, node.place));
            model::Node const added =
                builder.add_node({.kind = kinds_[n],
                                  .name = std::string(name.empty() ? std::string_view(node.id) : name),
                                  .guid = guid.empty() ? 0 : whole(guid, "the GUID", UINT64_MAX, node.place),
                                  .lid = is_switch ? own : 0},
                                 node.place);
            if (is_switch) continue;
            if (ports[n].empty()) ports[n].insert(1);
            for (model::Port const port : ports[n]) {
                builder.add_host({.node = added, .port = port, .lid = named ? next_host++ : own});
                own = 0;  // the other ports of an adapter have LIDs that GraphML does not tell
            }
        }
    }
    /// By edge: capacities as whole numbers, as small as their ratios allow. Empty where no edge has one.
    std::vector<std::uint32_t> find_capacities() const {
        bool const has_capacities = std::ranges::any_of(graph_.edges, [](GraphEdge const& edge) {
            return first_of(edge.data, words_for_capacities) != nullptr ||
                   model::parse_link_rate(text_of(edge.data, {"rate"})).stated();
        });
        return has_capacities ? told_capacities() : capacities_by_speeds();
    }

    /// The first attribute that edges have and that looks like a speed.
    std::vector<std::uint32_t> capacities_by_speeds() const {
        for (std::string_view const name : words_for_speeds) {
            std::size_t edges = 0;
            for (GraphEdge const& edge : graph_.edges) edges += first_of(edge.data, {name}) != nullptr;
            if (edges == 0) continue;
            std::string why;
            std::vector<std::uint32_t> capacities = capacities_by(std::string(name), why);
            if (!why.empty())
                disagreements_.note(
                    diagnosis::Code::speed_unknown, {file_, 0},
                    fmt::format("attribute `{}` of the edges is not used: {}; give `capacity` as a number", name, why),
                    edges);
            return capacities;
        }
        return {};
    }

    /// Whole numbers in the ratio of an attribute's values; none, and why, where it is of no use.
    std::vector<std::uint32_t> capacities_by(std::string const& name, std::string& why) const {
        std::vector<std::uint64_t> speeds;
        std::uint64_t common = 0, most = 0;
        std::set<bool> with_units;
        for (GraphEdge const& edge : graph_.edges) value_of(edge.data, {name});  // told, where it is of no use
        for (GraphEdge const& edge : graph_.edges) {
            std::string text(text_of(edge.data, {name}));
            if (name == "linkspeed" && !text.empty()) text += value_of(edge.data, {"linkspeedunits"});
            std::optional<Speed> const speed = text.empty() ? Speed{} : speed_of(text);
            if (!speed) {
                why = fmt::format("\"{}\" is not a number with a unit of bits a second",
                                  base::printable(text.substr(0, 40)));
                return {};
            }
            if (!text.empty()) with_units.insert(speed->has_unit);
            speeds.push_back(speed->thousandths);
            common = std::gcd(common, speeds.back());
            most = std::max(most, speeds.back());
        }
        if (with_units.size() > 1) why = "some of its values have a unit, and others have none";
        else if (common == 0 || most / common > UINT16_MAX) why = "its values differ too much";
        std::vector<std::uint32_t> capacities;
        for (std::uint64_t const one : speeds)
            if (why.empty()) capacities.push_back(static_cast<std::uint32_t>(one / common));
        return capacities;
    }

    struct Speed {
        std::uint64_t thousandths = 0;  ///< of bits a second, or of what the file counts in
        bool has_unit = false;
    };
    /// `100`, `10G`, `2.5 Gbps`, `400 Gb/s`, `1e9`
    static std::optional<Speed> speed_of(std::string_view text) {
        double value = 0;
        auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{}) return std::nullopt;
        std::string unit =
            base::lower_case(std::string(base::trimmed(std::string_view(end, text.data() + text.size()), " \t\r\n")));
        Speed speed{0, !unit.empty()};
        for (char const* const bits : {"bit/s", "bits/s", "bps", "b/s", "bit", "b"})
            if (unit.ends_with(bits)) {
                unit.resize(unit.size() - std::string_view(bits).size());
                break;
            }
        if (unit == "k") value *= 1e3;
        else if (unit == "m") value *= 1e6;
        else if (unit == "g") value *= 1e9;
        else if (unit == "t") value *= 1e12;
        else if (!unit.empty()) return std::nullopt;
        double const thousandths = std::round(value * 1000);
        if (!(value > 0) || !(thousandths >= 1) || value > 1e15) return std::nullopt;
        speed.thousandths = static_cast<std::uint64_t>(thousandths);
        return speed;
    }

    std::vector<std::uint32_t> told_capacities() const {
        constexpr double units = 1000;  // three digits behind the point
        std::vector<std::uint64_t> thousandths;
        std::uint64_t common = 0;
        for (GraphEdge const& edge : graph_.edges) {
            std::string_view const text = value_of(edge.data, words_for_capacities);
            thousandths.push_back(text.empty() ? 0 : in_thousandths(text, edge.place));
            common = std::gcd(common, thousandths.back());
        }
        std::vector<std::uint32_t> capacities;
        for (std::size_t e = 0; common != 0 && e < thousandths.size(); ++e) {
            if (thousandths[e] / common > UINT16_MAX)
                throw base::InputError(graph_.edges[e].place, "the capacities of the edges differ too much",
                                       fmt::format("{} is {} times what all have in common",
                                                   double(thousandths[e]) / units, thousandths[e] / common),
                                       "round them, or leave them out");
            capacities.push_back(static_cast<std::uint32_t>(thousandths[e] / common));
        }
        return capacities;
    }
    static std::uint64_t in_thousandths(std::string_view text, base::SourceLocation const& place) {
        double value = 0;
        auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        double const thousandths = std::round(value * 1000);
        if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) || !(thousandths >= 1) ||
            value > 1e15)
            throw base::InputError(
                place, fmt::format("the capacity is \"{}\"", base::printable(std::string(text.substr(0, 40)))),
                "it is a number from 0.001 to 10^15", "correct it, or leave it out");
        return static_cast<std::uint64_t>(thousandths);
    }

    GraphReader const& graph_;
    std::string const& file_;
    model::Disagreements& disagreements_;
    std::vector<model::NodeKind> kinds_;
    std::vector<std::uint32_t> degree_;
    bool kinds_are_told_ = false;
    std::vector<OneLink> links_;
};

}  // namespace

model::Network read_graphml(io::LineReader& lines, model::Disagreements& disagreements) {
    std::string const name = lines.name();
    GraphReader graph;
    io::read_xml(lines, largest_graph, graph);
    graph.finish();
    return NetworkOfGraph(graph, name, disagreements).make();
}

}  // namespace tailback::formats
