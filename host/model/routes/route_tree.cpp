#include "host/model/routes/route_tree.hpp"

#include <algorithm>

namespace tailback {

RouteTree::RouteTree(Fabric const& fabric, std::vector<ExtraRow> const& extra)
    : fabric_(fabric), extra_(extra), met_(fabric.network.nodes().size() + extra.size(), 0), steps_(met_.size()) {}

Link RouteTree::link_from(std::uint32_t row, Lid lid) const {
    std::size_t const nodes = fabric_.network.nodes().size();
    if (row >= nodes) return extra_[row - nodes].first;
    return lid == 0 ? Link{} : next_hop_to(fabric_, Node{row}, lid).link;
}

void RouteTree::resolve(Host destination, std::span<std::uint32_t const> starts) {
    Network const& net = fabric_.network;
    HostRecord const& target = net[destination];
    bool const owned = target.lid != 0 && net.owner(target.lid).host == destination;
    if (++turn_ == 0x7FFFFFFF) {
        std::fill(met_.begin(), met_.end(), 0);
        turn_ = 1;
    }
    std::uint32_t const on_path = turn_ * 2, done = on_path + 1;
    passed_.clear();

    for (std::uint32_t const start : starts) {
        if (met_[start] == done) continue;
        path_.clear();
        std::uint32_t at = start;
        Fate fate = Fate::delivered;
        std::uint32_t left = 0;  // links from the end of the path on
        for (;;) {
            if (met_[at] == done) {
                fate = steps_[at].fate;
                left = steps_[at].left;
                break;
            }
            if (met_[at] == on_path) {
                fate = Fate::loop;
                break;
            }
            bool const is_node = at < net.nodes().size();
            bool const ends_here =
                is_node && net[Node{at}].kind != NodeKind::switch_node && !fabric_.tables.has_table(Node{at});
            Link const link = ends_here ? Link{} : link_from(at, target.lid);
            passed_.push_back(at);
            if (!link.exists()) {  // fails here; the next look at this row passes that on to the path
                steps_[at] = {ends_here ? Fate::misdelivered : Fate::unreachable, Link{}, 0};
                met_[at] = done;
                continue;
            }
            steps_[at].link = link;
            met_[at] = on_path;
            path_.push_back(at);
            LinkRecord const& record = net[link];
            if (owned && leads_into(net, record, destination)) break;
            at = record.to.value;
        }
        for (std::size_t i = path_.size(); i-- > 0;) {
            Step& step = steps_[path_[i]];
            step.fate = fate;
            step.left = ++left;
            if (fate != Fate::delivered) step.link = Link{};
            met_[path_[i]] = done;
        }
    }
}

}  // namespace tailback
