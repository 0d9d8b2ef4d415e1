// Jellyfish (Singla, Hong, Popa, Godfrey, NSDI 2012): a random regular graph of switches.
#include "topologies/draws.hpp"
#include "topologies/families/families.hpp"
#include "topologies/families/parameters.hpp"
#include "topologies/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::topologies {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// A simple graph in the making.
class RandomGraph {
public:
    RandomGraph(std::uint32_t switches, std::uint32_t degree, Draws draws)
        : degree_(degree), neighbours_(switches), draws_(draws) {
        for (std::uint32_t s = 0; s < switches; ++s) open_.push_back(s);
        while (!open_.empty())
            if (!join_some() && !make_room()) break;
    }

    std::vector<Edge> const& edges() const { return edges_; }
    bool connected() const {
        std::vector<std::uint8_t> met(neighbours_.size());
        std::vector<std::uint32_t> queue{0};
        met[0] = 1;
        for (std::size_t at = 0; at < queue.size(); ++at)
            for (std::uint32_t const n : neighbours_[queue[at]])
                if (!met[n]) {
                    met[n] = 1;
                    queue.push_back(n);
                }
        return queue.size() == neighbours_.size();
    }

private:
    bool adjacent(std::uint32_t a, std::uint32_t b) const {
        return std::find(neighbours_[a].begin(), neighbours_[a].end(), b) != neighbours_[a].end();
    }
    void add(std::uint32_t a, std::uint32_t b) {
        neighbours_[a].push_back(b);
        neighbours_[b].push_back(a);
        edges_.emplace_back(a, b);
    }
    void close_full() {
        std::erase_if(open_, [&](std::uint32_t s) { return neighbours_[s].size() >= degree_; });
    }

    /// Joins two random switches with free ports; false when no two of them may be joined.
    bool join_some() {
        auto const count = static_cast<std::uint32_t>(open_.size());
        for (int tries = 0; tries < 64 && count > 1; ++tries) {
            std::uint32_t const a = open_[draws_.below(count)], b = open_[draws_.below(count)];
            if (a == b || adjacent(a, b)) continue;
            add(a, b);
            if (neighbours_[a].size() >= degree_ || neighbours_[b].size() >= degree_) close_full();
            return true;
        }
        std::vector<Edge> possible;
        for (std::size_t i = 0; i < open_.size(); ++i)
            for (std::size_t j = i + 1; j < open_.size(); ++j)
                if (!adjacent(open_[i], open_[j])) possible.emplace_back(open_[i], open_[j]);
        if (possible.empty()) return false;
        Edge const edge = possible[draws_.below(static_cast<std::uint32_t>(possible.size()))];
        add(edge.first, edge.second);
        close_full();
        return true;
    }

    /// The open switches are all joined to each other: breaks a random edge x-y elsewhere and joins its ends to them
    /// instead.
    bool make_room() {
        std::uint32_t const a = open_.front(), b = open_.size() > 1 ? open_[1] : a;
        if (a == b && neighbours_[a].size() + 2 > degree_) return false;  // one port is left over
        for (std::size_t tries = 0; tries < 64 * edges_.size(); ++tries) {
            std::size_t const at = draws_.below(static_cast<std::uint32_t>(edges_.size()));
            auto const [x, y] = edges_[at];
            if (x == a || x == b || y == a || y == b || adjacent(a, x) || adjacent(b, y)) continue;
            std::erase(neighbours_[x], y);
            std::erase(neighbours_[y], x);
            edges_[at] = edges_.back();
            edges_.pop_back();
            add(a, x);
            add(b, y);
            close_full();
            return true;
        }
        return false;
    }

    std::uint32_t degree_;
    std::vector<std::vector<std::uint32_t>> neighbours_;
    std::vector<std::uint32_t> open_;  // with free ports
    std::vector<Edge> edges_;
    Draws draws_;
};

Topology make_jellyfish(Arguments const& a) {
    std::uint32_t const switches = a.number("switches"), degree = a.number("degree"), hosts = a.number("hosts");
    if (degree >= switches)
        a.refuse(fmt::format("{} switches cannot each be joined to {} others", switches, degree), "",
                 "choose a smaller degree");
    if (capped_product(switches, degree) > std::uint64_t{1} << 26)
        a.refuse("it is too large", "more than 2^26 links", "choose smaller parameters");
    std::uint64_t const all = capped_product(switches, hosts);
    Layout layout(a, {all, switches, capped_sum(all, capped_product(switches, degree) / 2)});
    layout.attach_hosts(hosts);
    for (std::uint32_t attempt = 0; attempt < 100; ++attempt) {
        RandomGraph graph(switches, degree, Draws(a.long_number("seed"), BuildStream::jellyfish, attempt));
        if (!graph.connected()) continue;
        std::vector<Edge> edges = graph.edges();
        std::sort(edges.begin(), edges.end(), [](Edge const& x, Edge const& y) {
            return std::minmax(x.first, x.second) < std::minmax(y.first, y.second);
        });
        PortsInOrder ports(layout, hosts);
        for (auto const& [x, y] : edges) ports.cable(x, y);
        Topology topology;
        topology.network = layout.finish();
        return topology;
    }
    a.refuse("no connected graph was drawn in 100 attempts", fmt::format("degree {}", degree),
             "choose a larger degree");
}

}  // namespace

Family jellyfish_family() {
    return {"jellyfish",
            "random regular graph of switches, connected; a function of its seed (one port stays free where "
            "switches*degree is odd)",
            "switches, of degree each; hosts each",
            {number_parameter("switches", "switches", 1, 1 << 24),
             number_parameter("degree", "ports of a switch to other switches", 1, 65000), hosts_parameter(),
             number_parameter("seed", "of the graph", 0, UINT64_MAX, "1")},
            "jellyfish:switches=20,degree=4,hosts=2",
            make_jellyfish};
}

}  // namespace tailback::topologies
