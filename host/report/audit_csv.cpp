// The audit's links as CSV, a row each; empty fields where there is nothing to say.
#include "host/base/numbers.hpp"
#include "host/report/audit_report.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

namespace tailback::report {

namespace {

/// A row a group, where groups are asked for.
void write_groups_csv(std::ostream& out, AuditReport const& report) {
    model::Network const& net = report.network();
    auto const link = [&](model::Link which) {
        if (!which.exists()) return std::string(",");
        return fmt::format("{},{}", base::csv_field(net[net[which].from].name),
                           base::csv_field(net.port_name(net[which].from, net[which].from_port)));
    };
    out << "group,hosts,switches,faults,fault_pairs,other_findings,links,load_within,load_out,load_in,largest_x_ideal,"
           "hottest_from,hottest_from_port,critical_pairs,critical_from,critical_from_port\n";
    for (audit::GroupSum const& sum : report.audit.groups)
        fmt::print(out, "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", base::csv_field(sum.name), sum.hosts,
                   sum.switches, sum.faults, sum.fault_pairs, sum.others, sum.links, sum.load_within, sum.load_out,
                   sum.load_in, base::exact_text(sum.largest), link(sum.hottest), sum.critical_pairs,
                   link(sum.critical));
}

}  // namespace

void write_audit_csv(std::ostream& out, AuditReport const& report) {
    audit::Audit const& audit = report.audit;
    if (!audit.groups.empty()) return write_groups_csv(out, report);
    model::Network const& network = report.network();
    out << "from,from_guid,from_port,to,to_guid,to_port,rate,from_level,to_level,efi,ideal,destinations,worst_"
           "permutation,bound_price\n";
    std::vector<std::uint64_t> price;  // by link; empty where there is no bound
    if (audit.bound) {
        price.resize(network.links().size());
        for (search::PricedLink const& one : audit.bound->prices) price[one.link.value] = one.price;
    }
    for (std::size_t l = 0; l < network.links().size(); ++l) {
        model::LinkRecord const& link = network[model::Link{l}];
        auto const guid = [&](model::Node node) {
            return network[node].guid == 0 ? "" : fmt::format("{:#018x}", network[node].guid);
        };
        std::string levels = ",", ideal;
        if (std::uint32_t const place = audit.balance.stage_of[l]; place != audit::Balance::no_stage) {
            audit::Stage const& stage = audit.balance.stages[place];
            levels = fmt::format("{},{}", stage.from, stage.to);
            ideal = base::exact_text(stage.ideal());
        }
        fmt::print(out, "{},{},{},{},{},{},{},{},{},{},{},{},{}\n", base::csv_field(network[link.from].name),
                   guid(link.from), base::csv_field(network.port_name(link.from, link.from_port)),
                   base::csv_field(network[link.to].name), guid(link.to),
                   base::csv_field(network.port_name(link.to, link.to_port)), link.rate.text(), levels,
                   audit.all_pairs.load[l], ideal, audit.all_pairs.destinations[l],
                   audit.worst_case.flows.empty() ? "" : std::to_string(audit.worst_case.flows[l]),
                   price.empty() ? "" : std::to_string(price[l]));
    }
}

}  // namespace tailback::report
