#include "host/audit/audit.hpp"
#include "host/audit/loads/groups.hpp"

namespace tailback::audit {

std::vector<GroupSum> sum_groups(Audit const& audit, NodeGroups const& groups) {
    model::Network const& net = audit.network();
    std::vector<GroupSum> sums(groups.names.size());
    for (std::size_t g = 0; g < sums.size(); ++g) sums[g].name = groups.names[g];
    auto const of = [&](model::Node node) -> GroupSum& { return sums[groups.of_node[node.value]]; };
    for (std::size_t n = 0; n < net.nodes().size(); ++n) of(model::Node{n}).switches += net.is_switch(model::Node{n});
    for (model::Host const host : audit.request.hosts) ++of(net[host].node).hosts;
    for (Finding const& finding : audit.findings) {
        if (!finding.node.exists()) continue;
        GroupSum& sum = of(finding.node);
        bool const fails = finding_kinds()[std::size_t(finding.kind)].fails;
        ++(fails ? sum.faults : sum.others);
        if (fails) sum.fault_pairs += finding.pairs;
    }
    auto const pairs = [&](std::size_t l) { return audit.pairs_over(model::Link{l}); };
    for (std::size_t l = 0; l < net.links().size(); ++l) {
        model::LinkRecord const& link = net[model::Link{l}];
        GroupSum &from = of(link.from), &to = of(link.to);
        ++from.links;
        if (&from == &to) from.load_within += pairs(l);
        else from.load_out += pairs(l), to.load_in += pairs(l);
        std::uint32_t const stage = audit.balance.stage_of[l];
        if (stage == Balance::no_stage || audit.balance.stages[stage].ideal() <= 0) continue;
        double const ratio = double(audit.load()[l]) / audit.balance.stages[stage].ideal();
        if (!from.hottest.exists() || ratio > from.largest) from.largest = ratio, from.hottest = model::Link{l};
        bool const between = net.is_switch(link.from) && net.is_switch(link.to);
        double const both = pairs(l) + (link.reverse.exists() ? pairs(link.reverse.value) : 0);
        if (between && both > from.critical_pairs) from.critical_pairs = both, from.critical = model::Link{l};
    }
    return sums;
}

}  // namespace tailback::audit
