#include "host/audit/causes/idle_nodes.hpp"

#include "host/audit/findings/consistency.hpp"
#include "host/audit/findings/folding.hpp"
#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace tailback::audit {
namespace {

class IdleNodes {
public:
    IdleNodes(model::Fabric const& fabric, std::vector<Finding>& findings)
        : fabric_(fabric), net_(fabric.network), findings_(findings), is_taken_(findings.size()) {
        for (std::size_t f = 0; f < findings.size(); ++f) {
            Finding const& one = findings[f];
            if (one.code != Code::port_not_active || !one.node.exists() || one.port == 0) continue;
            model::Link const link = net_.link_at(one.node, one.port);
            if (!link.exists()) continue;
            for (model::Node const end : {one.node, net_[link].to}) cables_[end.value].insert(f);
        }
        std::erase_if(cables_,
                      [&](auto const& one) { return one.second.size() < net_.link_count(model::Node{one.first}); });
    }

    void fold() {
        for (bool const switches : {true, false})  // the cable of a host belongs to its switch, if that is idle, too
            for (auto const& [node, cables] : cables_)
                if (net_.is_switch(model::Node{node}) == switches) fold(group_of(model::Node{node}));
        keep_rest(findings_, is_taken_);
        findings_.insert(findings_.begin(), std::make_move_iterator(causes_.begin()),
                         std::make_move_iterator(causes_.end()));
    }

private:
    /// The node, and of a switch the idle ones that idle switches join with it; nothing where it is in a group already.
    std::vector<model::Node> group_of(model::Node first) {
        if (!grouped_.insert(first.value).second) return {};
        std::vector<model::Node> group = {first};
        for (std::size_t i = 0; i < group.size() && net_.is_switch(first); ++i)
            for (std::uint32_t l = 0; l < net_.link_count(group[i]); ++l) {
                model::Node const to = net_[model::Link{net_.first_link(group[i]).value + l}].to;
                if (net_.is_switch(to) && cables_.contains(to.value) && grouped_.insert(to.value).second)
                    group.push_back(to);
            }
        return group;
    }

    void fold(std::vector<model::Node> const& group) {
        std::set<std::size_t> cables;
        for (model::Node const one : group)
            for (std::size_t const f : cables_.at(one.value))
                if (!is_taken_[f]) cables.insert(f);
        if (cables.size() == 1) {
            std::vector<model::Node>& explains = findings_[*cables.begin()].explains_nodes;
            explains.insert(explains.end(), group.begin(), group.end());
        }
        if (cables.size() < 2) return;
        Finding cause = cause_of(group);
        for (std::size_t const f : cables) {
            is_taken_[f] = true;
            take_in(cause, std::move(findings_[f]));
        }
        causes_.push_back(std::move(cause));
    }

    Finding cause_of(std::vector<model::Node> const& group) const {
        model::Node const first = group.front();
        std::size_t const cables = cables_.at(first.value).size();
        Finding cause{Code::node_not_up, net_.describe(first), 0, "", first};
        cause.message = fmt::format(
            "it is not up: none of its {} is active{}; it was booted just now, or the subnet manager has not reached "
            "it",
            base::counted(cables, "cable", "cables"),
            group.size() == 1
                ? ""
                : ", nor any of " + base::counted(group.size() - 1, "more switch", "more switches") + " beside it");
        cause.explains_nodes = group;
        for (model::Node const one : group)
            if (model::Lid const lid = former_lid(fabric_, one); lid != 0) cause.explains_lids.push_back(lid);
        return cause;
    }

    model::Fabric const& fabric_;
    model::Network const& net_;
    std::vector<Finding>& findings_;
    std::map<std::uint32_t, std::set<std::size_t>> cables_;  // of nodes whose cables are all idle: their findings
    std::set<std::uint32_t> grouped_;
    std::vector<bool> is_taken_;
    std::vector<Finding> causes_;
};

}  // namespace

void fold_idle_nodes(model::Fabric const& fabric, std::vector<Finding>& findings) {
    IdleNodes(fabric, findings).fold();
}

}  // namespace tailback::audit
