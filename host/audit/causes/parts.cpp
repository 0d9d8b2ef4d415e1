#include "host/audit/causes/parts.hpp"

#include "host/audit/findings/folding.hpp"
#include "host/base/numbers.hpp"
#include "host/model/routes/forwarding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace tailback::audit {
namespace {

class Parts {
public:
    Parts(model::Fabric const& fabric, std::vector<model::Host> const& hosts)
        : fabric_(fabric), net_(fabric.network), part_of_(net_.nodes().size(), none) {
        for (std::size_t n = 0; n < part_of_.size(); ++n)
            if (model::Node const node{n}; net_.is_switch(node) && part_of_[n] == none) spread(node);
        for (model::Host const host : hosts)
            if (std::uint32_t const part = part_of(host); part != none) ++parts_[part].hosts;
        for (model::Destination const& to : model::destinations_of(net_, hosts))
            if (std::uint32_t const part = part_of(to.host); part != none) ++parts_[part].lids[0], ++lids_[0];
    }

    bool are_several() const {
        return 1 < std::count_if(parts_.begin(), parts_.end(), [](Part const& part) { return part.hosts > 0; });
    }

    /// Is it about packets in one part for other parts alone?
    bool explains(Finding const& one) const {
        bool const of_switches = one.kind == FindingKind::switch_lids;
        if (one.kind != FindingKind::unreachable && one.kind != FindingKind::choices && !of_switches) return false;
        if (!one.symptoms.empty())
            return std::ranges::all_of(one.symptoms, [&](Finding const& symptom) { return explains(symptom); });
        if (!one.node.exists() || one.lids.count() == 0) return false;
        std::uint32_t const here = part_of_[one.node.value];
        if (here == none) return false;
        std::uint64_t listed = 0;
        for (auto const& [first, last] : one.lids.ranges())
            for (model::Lid lid = first; lid <= last; ++lid, ++listed) {
                std::uint32_t const there = part_of(lid);
                if (there == none || there == here) return false;
            }
        // Of very many the list keeps the first alone.
        return listed == one.lids.count() || one.lids.count() == lids_[of_switches] - parts_[here].lids[of_switches];
    }

    Finding cause() const {
        std::vector<Part> order;
        for (Part const& part : parts_)
            if (part.hosts > 0) order.push_back(part);
        std::stable_sort(order.begin(), order.end(),
                         [](Part const& a, Part const& b) { return a.switches > b.switches; });
        constexpr std::size_t most_named = 4;
        std::string text;
        for (std::size_t p = 0; p < std::min(most_named, order.size()); ++p)
            text += fmt::format("{}{}{} with {}", p > 0 ? ", " : "", net_[order[p].first].name,
                                order[p].switches > 1 ? fmt::format(" and {} more", order[p].switches - 1) : "",
                                base::counted(order[p].hosts, "endpoint", "endpoints"));
        if (order.size() > most_named) text += fmt::format(" and {} more", order.size() - most_named);
        return Finding(
            Code::parts_not_joined, "the cables", 0,
            fmt::format("the {} are in {} parts that no cable joins: {}{}",
                        fabric_.ip != nullptr ? "routers" : "switches", order.size(), text,
                        joins_by_hosts() ? "; hosts have cables to several, and do not forward: if these are "
                                           "planes, audit each on its own"
                                         : ""));
    }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    struct Part {
        model::Node first;
        std::uint64_t switches = 0, hosts = 0;
        std::uint64_t lids[2] = {};  // of hosts, of switches
    };

    void spread(model::Node start) {
        auto const part = static_cast<std::uint32_t>(parts_.size());
        Part& found = parts_.emplace_back();
        found.first = start;
        std::vector<model::Node> queue = {start};
        part_of_[start.value] = part;
        for (std::size_t i = 0; i < queue.size(); ++i) {
            ++found.switches;
            if (net_[queue[i]].lid != 0) ++found.lids[1], ++lids_[1];
            for (std::uint32_t l = 0; l < net_.link_count(queue[i]); ++l) {
                model::Node const to = net_[model::Link{net_.first_link(queue[i]).value + l}].to;
                if (!forwards(to) || part_of_[to.value] != none) continue;
                part_of_[to.value] = part;
                queue.push_back(to);
            }
        }
    }
    bool forwards(model::Node node) const { return net_.is_switch(node) || fabric_.tables.has_table(node); }

    std::uint32_t part_of(model::Host host) const {
        model::Link const up = net_.up_link(host);
        return up.exists() ? part_of_[net_[up].to.value] : none;
    }
    std::uint32_t part_of(model::Lid lid) const {
        model::LidOwner const owner = net_.owner(lid);
        if (owner.host.exists()) return part_of(owner.host);
        return owner.node.exists() ? part_of_[owner.node.value] : none;
    }

    bool joins_by_hosts() const {
        for (std::size_t n = 0; n < part_of_.size(); ++n) {
            std::set<std::uint32_t> parts;
            for (model::Host const host : net_.hosts_of(model::Node{n})) parts.insert(part_of(host));
            parts.erase(none);
            if (parts.size() > 1) return true;
        }
        return false;
    }

    model::Fabric const& fabric_;
    model::Network const& net_;
    std::vector<std::uint32_t> part_of_;  // by node
    std::vector<Part> parts_;
    std::uint64_t lids_[2] = {};
};

}  // namespace

void fold_parts(model::Fabric const& fabric, std::vector<model::Host> const& hosts, std::vector<Finding>& findings) {
    if (!fabric.routed) return;
    Parts const parts(fabric, hosts);
    if (!parts.are_several()) return;
    Finding cause = parts.cause();
    std::vector<Finding> left;
    for (Finding& one : findings)
        if (parts.explains(one)) take_in(cause, std::move(one));
        else left.push_back(std::move(one));
    if (!cause.symptoms.empty()) left.push_back(std::move(cause));
    findings = std::move(left);
}

}  // namespace tailback::audit
