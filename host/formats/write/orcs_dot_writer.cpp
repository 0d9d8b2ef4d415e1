// Writes ORCS's annotated dot: one node a host or switch, one edge a directed link, the hosts routed over it in its
// comment.
#include "host/formats/formats.hpp"
#include "host/formats/read/orcs_dot.hpp"

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <string_view>
#include <unordered_set>

namespace tailback::formats {
namespace {

std::string hex16(std::uint64_t guid) {
    char text[20];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(guid));
    return text;
}

/// Backslashes stay as they are: Graphviz keeps them in what it reads.
std::string in_quotes(std::string_view name) {
    std::string text = "\"";
    for (char const c : name) {
        if (c == '"') text += '\\';
        text += c;
    }
    return text + "\"";
}

std::string quoted_label(std::string_view label) {
    std::string doubled;
    for (char const c : label) {
        if (c == '\\') doubled += c;
        doubled += c;
    }
    return in_quotes(doubled);
}

/// Whether `in_quotes` keeps it: dot has no way to write an odd number of backslashes before a quote or at the end.
bool quotable(std::string_view name) {
    bool odd = false;
    for (char const c : name) {
        if (c == '"' && odd) return false;
        odd = c == '\\' && !odd;
    }
    return !odd;
}

bool is_study_host(model::HostRecord const& host) { return host.role == model::HostRole::compute; }

/// A dot node: a switch, or one endpoint of an adapter (ORCS knows no second port of a host).
struct DotNode {
    model::Node node;
    model::Host host;  ///< none = the node as a whole
    std::string id;
};

class OrcsDotWriter {
public:
    OrcsDotWriter(std::ostream& out, model::Fabric const& fabric) : out_(out), fabric_(fabric), net_(fabric.network) {}

    void write() {
        collect_nodes();
        out_ << "digraph network {\n";
        bool const labelled = !names_are_ids();
        for (DotNode const& n : nodes_) {
            out_ << "  " << in_quotes(n.id);
            if (labelled) out_ << " [ label = " << quoted_label(net_[n.node].name) << " ]";
            out_ << ";\n";
        }
        for (DotNode const& n : nodes_) write_edges(n);
        out_ << "}\n";
    }

private:
    /// Names can be used as they are when ORCS would read the same out of them.
    bool names_are_ids() {
        if (checked_names_) return names_are_ids_;
        checked_names_ = true;
        if (!net_.named()) return names_are_ids_ = false;
        std::unordered_set<std::string_view> seen;
        for (std::size_t n = 0; n < net_.nodes().size(); ++n) {
            std::string const& name = net_[model::Node{n}].name;
            auto const hosts = net_.hosts_of(model::Node{n});
            bool const is_host = !name.empty() && name.front() == 'H';
            if (!quotable(name)) return names_are_ids_ = false;
            if (is_host != (hosts.size() == 1) || !seen.insert(name).second) return names_are_ids_ = false;
            if (is_host && (!is_study_host(net_[hosts[0]]) || !nameable(hosts[0]))) return names_are_ids_ = false;
        }
        return names_are_ids_ = true;
    }

    /// A name with a separator in it fits no comment but `*`, so no switch may need to name it.
    bool nameable(model::Host host) const {
        if (net_[net_[host].node].name.find_first_of(orcs_comment_separators) == std::string::npos) return true;
        model::Lid const lid = net_[host].lid;
        for (std::size_t n = 0; n < net_.nodes().size(); ++n)
            if (fabric_.tables.tables() > 0 &&
                fabric_.tables.port(model::Node{n}, lid) != model::ForwardingTables::no_entry &&
                !takes_all(model::Node{n}))
                return false;
        return true;
    }

    /// Whether one port of a switch takes every host: its comment is `*`.
    bool takes_all(model::Node node) const {
        if (!net_.is_switch(node) || !fabric_.tables.has_table(node)) return false;
        model::Port const port = fabric_.tables.port(node, net_[model::Host{0}].lid);
        if (port == model::ForwardingTables::no_entry) return false;
        for (model::HostRecord const& host : net_.hosts())
            if (fabric_.tables.port(node, host.lid) != port) return false;
        return true;
    }

    void collect_nodes() {
        // Hosts in their order, switches between them as in the file where both orders agree.
        bool const as_in_file =
            std::is_sorted(net_.hosts().begin(), net_.hosts().end(),
                           [](model::HostRecord const& a, model::HostRecord const& b) { return a.node < b.node; });
        std::unordered_set<std::string> taken;
        auto add = [&](model::Node node, model::Host host) {
            std::string id = names_are_ids() ? net_[node].name : made_up_id(node, host);
            if (!taken.insert(id).second) {
                id += "_n" + std::to_string(node.value);
                taken.insert(id);
            }
            nodes_.push_back({node, host, std::move(id)});
        };
        host_id_.resize(net_.hosts().size());
        node_id_.resize(net_.nodes().size(), none);
        if (!as_in_file)
            for (std::size_t h = 0; h < net_.hosts().size(); ++h) add(net_[model::Host{h}].node, model::Host{h});
        for (std::size_t n = 0; n < net_.nodes().size(); ++n) {
            if (net_.hosts_of(model::Node{n}).empty()) add(model::Node{n}, model::Host{});
            else if (as_in_file)
                for (model::Host const h : net_.hosts_of(model::Node{n})) add(model::Node{n}, h);
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (nodes_[i].host.exists()) host_id_[nodes_[i].host.value] = i;
            if (node_id_[nodes_[i].node.value] == none) node_id_[nodes_[i].node.value] = i;
        }
    }

    std::string made_up_id(model::Node node, model::Host host) const {
        model::NodeRecord const& record = net_[node];
        std::string const number = record.guid != 0 ? hex16(record.guid) : std::to_string(node.value + 1);
        if (!host.exists()) return (record.kind == model::NodeKind::switch_node ? "S" : "A") + number;
        std::string id = (is_study_host(net_[host]) ? "H" : "A") + number;
        if (net_.hosts_of(node).size() > 1) id += "_" + std::to_string(net_[host].port);
        return id;
    }

    /// The dot node that has `port` of `node`.
    std::string const& id_of(model::Node node, model::Port port) const {
        auto const hosts = net_.hosts_of(node);
        if (hosts.size() > 1)
            for (model::Host const h : hosts)
                if (net_[h].port == port) return nodes_[host_id_[h.value]].id;
        return nodes_[node_id_[node.value]].id;
    }

    void write_edges(DotNode const& dot_node) {
        model::Node const node = dot_node.node;
        bool const split = net_.hosts_of(node).size() > 1;
        bool const has_table = fabric_.tables.tables() > 0 && fabric_.tables.has_table(node);
        if (has_table) sort_out_destinations(node);
        for (std::size_t i = 0; i < net_.link_count(node); ++i) {
            model::LinkRecord const& link = net_[model::Link{net_.first_link(node).value + i}];
            if (split && link.from_port != net_[dot_node.host].port) continue;
            out_ << "  " << in_quotes(dot_node.id) << " -> " << in_quotes(id_of(link.to, link.to_port))
                 << " [ comment = ";
            if (has_table) write_destinations(link.from_port);
            else out_ << (dot_node.host.exists() ? "\"*\"" : "\"\"");
            out_ << " ];\n";
        }
    }

    /// The hosts behind each port of `node`, in host order: by counting, since there may be many of both.
    void sort_out_destinations(model::Node node) {
        std::size_t const ports = std::size_t(net_[node].ports) + 1;
        first_.assign(ports + 1, 0);
        auto port_to = [&](model::HostRecord const& host) -> std::size_t {
            model::Port const port =
                host.lid == 0 ? model::ForwardingTables::no_entry : fabric_.tables.port(node, host.lid);
            return port < ports ? port : std::size_t{0};  // entry 0 and entries that lead nowhere: no edge has them
        };
        for (model::HostRecord const& host : net_.hosts()) ++first_[port_to(host) + 1];
        for (std::size_t p = 0; p < ports; ++p) first_[p + 1] += first_[p];
        sorted_.resize(net_.hosts().size());
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for (std::size_t h = 0; h < net_.hosts().size(); ++h)
            sorted_[next[port_to(net_[model::Host{h}])]++] = model::Host{h};
        may_say_any_ = net_.is_switch(node);  // a host with one `*` would lose its table
    }

    void write_destinations(model::Port port) {
        std::size_t const begin = first_[port], end = first_[port + 1];
        if (may_say_any_ && end - begin == net_.hosts().size()) {
            out_ << "\"*\"";
            return;
        }
        std::string list;
        for (std::size_t i = begin; i < end; ++i) {
            if (i > begin) list += ',';
            list += nodes_[host_id_[sorted_[i].value]].id;
        }
        out_ << in_quotes(list);
    }

    static constexpr std::size_t none = ~std::size_t{0};

    std::ostream& out_;
    model::Fabric const& fabric_;
    model::Network const& net_;
    bool checked_names_ = false;
    bool names_are_ids_ = false;
    std::vector<DotNode> nodes_;
    std::vector<std::size_t> host_id_;  // by host, into nodes_
    std::vector<std::size_t> node_id_;  // by node, the first of its dot nodes
    std::vector<std::size_t> first_;    // by port of the node at hand, into sorted_
    std::vector<model::Host> sorted_;
    bool may_say_any_ = false;
};

}  // namespace

void write_orcs_dot(std::ostream& out, model::Fabric const& fabric) { OrcsDotWriter(out, fabric).write(); }

}  // namespace tailback::formats
