// Reads ORCS's annotated dot with Graphviz's cgraph. Which edge wins, and the number of a port, follow from the order
// in which nodes and edges appear in the file, so that order is kept throughout.
#include "host/formats/read/orcs_dot.hpp"

#include "host/formats/formats.hpp"
#include "host/formats/read/dot_graph.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace tailback::formats {

#ifdef TAILBACK_HAS_CGRAPH
namespace {

constexpr std::uint64_t most_entries = std::uint64_t{1} << 35;  // tables of 64 GiB

struct Edge {
    std::uint32_t tail, head;
    std::uint64_t seq;    ///< order in the file
    char const* comment;  ///< cgraph keeps one copy of equal strings: equal pointers are equal comments
};

bool is_host_name(std::string_view name) { return !name.empty() && name.front() == 'H'; }

/// The GUID that `H0002c90200400028` carries at its end; 0 when there is none.
std::uint64_t guid_in_name(std::string_view name) {
    constexpr std::size_t digits = 16;
    if (name.size() < digits) return 0;
    std::uint64_t guid = 0;
    std::string_view const tail = name.substr(name.size() - digits);
    auto const [end, error] = std::from_chars(tail.data(), tail.data() + digits, guid, 16);
    return error == std::errc{} && end == tail.data() + digits ? guid : 0;
}

/// What a comment means, worked out once for all edges that carry it.
struct Destinations {
    bool any = false;
    std::vector<model::Lid> lids;
};

class OrcsDotReader {
public:
    OrcsDotReader(Agraph_t* graph, std::string const& file, model::Disagreements& disagreements)
        : graph_(graph), file_(file), disagreements_(disagreements) {}

    model::Fabric read() {
        comment_ = agattr(graph_, AGEDGE, const_cast<char*>("comment"), nullptr);
        if (comment_ == nullptr)
            throw base::InputError({file_, 0}, "a dot file without routes", "no edge has a `comment`",
                                   "an ORCS file names in each edge's comment the hosts that are reached over it");
        number_nodes();
        collect_edges();
        add_nodes_and_links();
        model::Fabric fabric{.network = builder_.finish(disagreements_, file_), .routed = true};
        fill_tables(fabric);
        return fabric;
    }

private:
    void number_nodes() {
        node_of_seq_.assign(std::size_t(agnnodes(graph_)) + 1, 0);
        for (Agnode_t* n = agfstnode(graph_); n != nullptr; n = agnxtnode(graph_, n)) {
            if (AGSEQ(n) >= node_of_seq_.size()) node_of_seq_.resize(std::size_t(AGSEQ(n)) + 1, 0);
            node_of_seq_[AGSEQ(n)] = std::uint32_t(names_.size());
            names_.emplace_back(agnameof(n));
        }
        // Side by side the names stay in the cache while the comments are looked up.
        std::size_t characters = 0;
        for (std::string_view const name : names_) characters += name.size();
        name_text_.reserve(characters);
        for (std::string_view& name : names_) {
            name_text_ += name;
            name = std::string_view(name_text_).substr(name_text_.size() - name.size());
        }
        index_.reserve(names_.size());
        for (std::size_t i = 0; i < names_.size(); ++i) index_.emplace(names_[i], std::uint32_t(i));
    }

    void collect_edges() {
        edges_.reserve(std::size_t(agnedges(graph_)));
        for (Agnode_t* n = agfstnode(graph_); n != nullptr; n = agnxtnode(graph_, n))
            for (Agedge_t* e = agfstout(graph_, n); e != nullptr; e = agnxtout(graph_, e))
                edges_.push_back(
                    {node_of_seq_[AGSEQ(agtail(e))], node_of_seq_[AGSEQ(aghead(e))], AGSEQ(e), agxget(e, comment_)});
        std::sort(edges_.begin(), edges_.end(), [](Edge const& a, Edge const& b) {
            return std::tie(a.tail, a.head, a.seq) < std::tie(b.tail, b.head, b.seq);
        });
        first_edge_.assign(names_.size() + 1, 0);
        for (Edge const& e : edges_) ++first_edge_[e.tail + 1];
        for (std::size_t n = 0; n < names_.size(); ++n) first_edge_[n + 1] += first_edge_[n];
    }

    std::size_t out_edges(std::size_t node) const { return first_edge_[node + 1] - first_edge_[node]; }

    /// The port at the other end: the k-th edge u -> v and the k-th edge v -> u are the two directions of one cable.
    model::Port port_of_reverse(std::size_t e) const {
        Edge const& edge = edges_[e];
        if (edge.tail == edge.head) return 0;
        std::size_t k = 0;
        while (e > k && edges_[e - k - 1].tail == edge.tail && edges_[e - k - 1].head == edge.head) ++k;
        auto const begin = edges_.begin() + std::ptrdiff_t(first_edge_[edge.head]);
        auto const end = edges_.begin() + std::ptrdiff_t(first_edge_[edge.head + 1]);
        auto const first =
            std::lower_bound(begin, end, edge.tail, [](Edge const& a, std::uint32_t head) { return a.head < head; });
        if (std::size_t(end - first) <= k || first[std::ptrdiff_t(k)].head != edge.tail) return 0;
        return model::Port(first - begin) + model::Port(k) + 1;
    }

    void add_nodes_and_links() {
        hosts_ = model::Lid(std::count_if(names_.begin(), names_.end(), is_host_name));
        model::Lid next_host = 1, next_switch = hosts_ + 1;
        for (std::size_t n = 0; n < names_.size(); ++n) {
            if (out_edges(n) > model::ForwardingTables::largest_port)
                throw base::InputError(
                    {file_, 0},
                    "node \"" + std::string(names_[n]) + "\" has " + std::to_string(out_edges(n)) + " edges",
                    "a table entry holds ports up to " + std::to_string(model::ForwardingTables::largest_port),
                    "split the node");
            bool const is_host = is_host_name(names_[n]);
            std::uint64_t guid = guid_in_name(names_[n]);
            if (guid != 0 && builder_.node_by_guid(guid).exists()) guid = 0;  // names count here, GUIDs only help
            lids_.push_back(is_host ? next_host++ : next_switch++);
            model::Node const node =
                builder_.add_node({.kind = is_host ? model::NodeKind::adapter : model::NodeKind::switch_node,
                                   .name = std::string(names_[n]),
                                   .guid = guid,
                                   .lid = is_host ? 0 : lids_.back()});
            if (is_host) builder_.add_host({.node = node, .port = 1, .lid = lids_.back()});
        }
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            Edge const& edge = edges_[e];
            builder_.add_link({.from = model::Node{edge.tail},
                               .from_port = model::Port(e - first_edge_[edge.tail] + 1),
                               .to = model::Node{edge.head},
                               .to_port = port_of_reverse(e)});
        }
    }

    bool is_host(std::size_t node) const { return is_host_name(names_[node]); }

    /// A host whose only edge takes everything just sends; any other may choose and forward.
    bool needs_table(std::size_t node) const {
        if (!is_host(node)) return true;
        std::size_t const edges = out_edges(node);
        return edges > 1 || (edges == 1 && std::string_view(edges_[first_edge_[node]].comment) != "*");
    }

    Destinations const& destinations(char const* comment) {
        auto const [at, is_new] = known_comments_.try_emplace(comment);
        Destinations& result = at->second;
        if (!is_new) return result;
        std::string_view rest = comment;
        if (rest == "*") {
            result.any = true;
            return result;
        }
        while (!rest.empty()) {
            std::size_t const end = std::min(rest.find_first_of(orcs_comment_separators), rest.size());
            std::string_view const token = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            if (token.empty()) continue;
            if (std::uint32_t const node = find(token); node != none) {
                if (is_host(node)) result.lids.push_back(lids_[node]);
            } else if (disagreements_.wants_example(diagnosis::Code::comment_names_no_node)) {
                disagreements_.note(
                    diagnosis::Code::comment_names_no_node, {file_, 0},
                    "a comment routes \"" + std::string(token.substr(0, 100)) + "\", which is not a node");
            } else {
                disagreements_.count(diagnosis::Code::comment_names_no_node);
            }
        }
        if (!std::is_sorted(result.lids.begin(), result.lids.end())) std::sort(result.lids.begin(), result.lids.end());
        result.lids.erase(std::unique(result.lids.begin(), result.lids.end()), result.lids.end());
        return result;
    }

    /// The node of that name. Lists of destinations mostly go up in steps of one size, so the next step is tried first:
    /// a look at the hash table is a cache miss, and these look-ups are most of the time it takes to read a large file.
    std::uint32_t find(std::string_view name) {
        std::uint32_t const guess = last_found_ + step_;
        if (guess < names_.size() && names_[guess] == name) {
            last_found_ = guess;
            return guess;
        }
        auto const found = index_.find(name);
        if (found == index_.end()) return none;
        step_ = found->second - last_found_;
        last_found_ = found->second;
        return found->second;
    }

    void fill_tables(model::Fabric& fabric) {
        std::size_t tables = 0;
        for (std::size_t n = 0; n < names_.size(); ++n) tables += needs_table(n);
        if (std::uint64_t{tables} * (names_.size() + 1) > most_entries)
            throw base::InputError({file_, 0}, "forwarding tables beyond 2^35 entries",
                                   std::to_string(tables) + " of " + std::to_string(names_.size()) + " nodes have one",
                                   "evaluate a part of the network");
        fabric.tables = model::ForwardingTables(fabric.network, tables);
        for (std::size_t n = 0; n < names_.size(); ++n) {
            if (needs_table(n)) fabric.tables.add_table(model::Node{n});
            fill_table(fabric.tables, n);
        }
    }

    void fill_table(model::ForwardingTables& tables, std::size_t n) {
        model::Node const node{n};
        bool all_taken = !tables.has_table(node);  // then the comments are read, for what they say wrong, but not used
        for (std::size_t e = first_edge_[n]; e < first_edge_[n + 1]; ++e) {
            model::Port const port = model::Port(e - first_edge_[n] + 1);
            Destinations const& to = destinations(edges_[e].comment);
            if (all_taken) continue;
            auto take = [&](model::Lid lid) {
                if (tables.port(node, lid) == model::ForwardingTables::no_entry) tables.set(node, lid, port);
            };
            if (to.any)
                for (model::Lid lid = 1; lid <= hosts_; ++lid) take(lid);
            else
                for (model::Lid const lid : to.lids) take(lid);
            all_taken = to.any;
        }
    }

    static constexpr std::uint32_t none = 0xFFFFFFFF;

    Agraph_t* graph_;
    std::string const& file_;
    model::Disagreements& disagreements_;
    Agsym_t* comment_ = nullptr;
    model::NetworkBuilder builder_{true};
    std::vector<std::uint32_t> node_of_seq_;
    std::string name_text_;
    std::vector<std::string_view> names_;  // into name_text_
    std::unordered_map<std::string_view, std::uint32_t> index_;
    std::vector<Edge> edges_;  // by (tail, first appearance of the head, order in the file)
    std::vector<std::size_t> first_edge_;
    std::vector<model::Lid> lids_;
    model::Lid hosts_ = 0;
    std::uint32_t last_found_ = 0;
    std::uint32_t step_ = 1;  // modulo 2^32: steps go down as well
    std::unordered_map<char const*, Destinations> known_comments_;
};

}  // namespace

model::Fabric parse_orcs_dot(std::string const& text, std::string const& file, model::Disagreements& disagreements) {
    DotGraph const graph = parse_dot(text, file);
    return OrcsDotReader(graph.get(), file, disagreements).read();
}

#else

model::Fabric parse_orcs_dot(std::string const&, std::string const& file, model::Disagreements&) {
    throw base::InputError({file, 0}, "ORCS dot files cannot be read", "this build is without Graphviz",
                           "install Graphviz's development files (libgraphviz-dev) and build again");
}

#endif

model::Fabric read_orcs_dot(io::LineReader& lines, model::Disagreements& disagreements) {
    std::string const text = lines.rest(most_orcs_dot_bytes);
    return parse_orcs_dot(text, lines.name(), disagreements);
}

}  // namespace tailback::formats
