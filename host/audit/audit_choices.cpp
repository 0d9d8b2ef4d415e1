#include "host/audit/choices/choices.hpp"

#include "host/audit/audit.hpp"
#include "host/audit/choices/choice_dependencies.hpp"
#include "host/audit/choices/choice_failures.hpp"
#include "host/evaluation/adaptive/equal_split.hpp"
#include "host/model/routes/for_each_destination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tailback::audit {
namespace {

/// One thread's part of the walk over all classes of destinations.
class ChoicePass {
public:
    ChoicePass(Audit const& audit, model::ChoiceGraph const& graph, std::span<std::uint32_t const> starts,
               std::vector<std::uint32_t> const& senders, ChannelDependencies& dependencies)
        : graph_(graph),
          starts_(starts),
          senders_(senders),
          walk_(graph),
          depend_(graph, dependencies),
          is_sender_(audit.network().hosts().size()),
          failures(graph) {
        for (model::Host const host : audit.request.hosts) is_sender_[host.value] = true;
    }

    void operator()(std::size_t number) {
        model::ChoiceGraph::Class const& one = graph_.classes()[number];
        walk_.grow(one, starts_);
        count(one);
        depend_.add(walk_, graph_.column(one));
        std::uint8_t all = 0;
        for (std::uint32_t const row : starts_) all |= walk_.fates(row);
        if (all != model::ChoiceWalk::bit(model::Fate::delivered)) failures.add(one, walk_, starts_, senders_);
    }

private:
    void count(model::ChoiceGraph::Class const& one) {
        for (std::uint32_t const row : starts_) {
            std::uint64_t pairs = std::uint64_t{senders_[row]} * one.count;
            for (model::ChoiceGraph::Member const& member : graph_.members(one))  // nobody sends to itself
                if (graph_.forwarding().entry_of(member.to.host).row == row && is_sender_[member.to.host.value])
                    --pairs;
            report.pairs += pairs;
            std::uint8_t const fates = walk_.fates(row);
            if (walk_.always_delivered(row)) {
                report.always += pairs;
                // A host's own link comes on top, where packets do not start in the row itself.
                report.lengths[{walk_.shortest(row), walk_.longest(row)}] += pairs;
                continue;
            }
            for (unsigned fate = 1; fate < 4; ++fate) report.some[fate] += (fates >> fate & 1) != 0 ? pairs : 0;
            if ((fates & model::ChoiceWalk::bit(model::Fate::delivered)) == 0) report.never += pairs;
        }
    }

    model::ChoiceGraph const& graph_;
    std::span<std::uint32_t const> starts_;
    std::vector<std::uint32_t> const& senders_;
    model::ChoiceWalk walk_;
    ChoiceDependencies depend_;
    std::vector<bool> is_sender_;  // by host

public:
    ChoiceReport report;
    ChoiceFailures failures;
};

void add(ChoiceReport& sum, ChoiceReport const& more) {
    sum.pairs += more.pairs, sum.always += more.always, sum.never += more.never;
    for (unsigned fate = 0; fate < 4; ++fate) sum.some[fate] += more.some[fate];
    for (auto const& [length, pairs] : more.lengths) sum.lengths[length] += pairs;
}

Finding deadlock_of(model::Network const& network, ChannelCycle const& cycle) {
    Finding finding(Code::choices_cycle);
    model::LinkRecord const& first = network[cycle.channels.front().link];
    finding.node = first.from;
    finding.port = first.from_port;
    finding.where = network.describe(first.from) + network.port_text(first.from, first.from_port);
    finding.message = fmt::format("over all choices of adaptive routing {} links wait for each other in a circle: ",
                                  cycle.channels.size());
    constexpr std::size_t named = 6;
    for (std::size_t i = 0; i < std::min(named, cycle.channels.size()); ++i) {
        model::LinkRecord const& link = network[cycle.channels[i].link];
        finding.message += fmt::format("{}{}{}", i ? ", " : "", network.describe(link.from),
                                       network.port_text(link.from, link.from_port));
    }
    if (cycle.channels.size() > named) finding.message += ", ..";
    return finding;
}

/// An odd group that is about the same LIDs as an earlier one of the switch follows from it; one of a switch where a
/// choice fails, or that is in its circle, is what goes wrong there.
void add_with_odd_groups(Audit& audit, std::vector<ChoiceFailures::Failure> failures, std::vector<Finding> groups) {
    auto const same_lids = [](Finding const& a, Finding const& b) {
        return a.lids.count() == b.lids.count() && a.lids.ranges() == b.lids.ranges();
    };
    std::vector<Finding> others;
    for (Finding& one : groups) {
        auto const fails = std::find_if(failures.begin(), failures.end(), [&](ChoiceFailures::Failure const& failure) {
            std::vector<model::Node> const& at = failure.switches;
            return same_lids(one, failure.finding) && std::find(at.begin(), at.end(), one.node) != at.end();
        });
        auto const before = std::find_if(others.begin(), others.end(), [&](Finding const& other) {
            return other.node == one.node && same_lids(one, other);
        });
        if (fails != failures.end()) fails->finding.symptoms.push_back(std::move(one));
        else if (before != others.end()) before->symptoms.push_back(std::move(one));
        else others.push_back(std::move(one));
    }
    for (ChoiceFailures::Failure& failure : failures) audit.add({std::move(failure.finding)});
    audit.add(std::move(others));
}

/// What says that nobody uses the cable of a finding.
void take_unused(Audit& audit, Finding const& of, std::vector<Finding>& taken) {
    model::Network const& net = audit.network();
    model::Link const link = of.port != 0 ? net.link_at(of.node, of.port) : model::Link{};
    if (!link.exists()) return;
    auto const follows = [&](Finding const& other) {
        if (other.kind != FindingKind::unused || other.port == 0) return false;
        model::Link const its = net.link_at(other.node, other.port);
        return its.exists() && (its == link || its == net[link].reverse);
    };
    auto const at = std::find_if(audit.findings.begin(), audit.findings.end(), follows);
    if (at == audit.findings.end()) return;
    taken.push_back(std::move(*at));
    audit.findings.erase(at);
}

/// That nobody uses a cable follows from its session being down.
void add_missing_members(Audit& audit) {
    std::vector<Finding> found = missing_members(audit.fabric, audit.request.hosts);
    for (Finding& one : found) {
        std::vector<Finding> unused;
        take_unused(audit, one, unused);
        for (Finding const& cable : one.symptoms) take_unused(audit, cable, unused);  // of a router that nobody uses
        one.symptoms.insert(one.symptoms.end(), std::make_move_iterator(unused.begin()),
                            std::make_move_iterator(unused.end()));
    }
    audit.add(std::move(found));
}

}  // namespace

bool some_choice_takes(model::Fabric const& fabric, model::Node node, model::Port port) {
    model::CandidateSets const& sets = *fabric.candidates;
    std::vector<bool> holds(sets.groups(node));
    for (std::size_t g = 0; g < holds.size(); ++g) {
        std::span const ports = sets.ports(node, static_cast<model::CandidateSets::Group>(g));
        holds[g] = std::find(ports.begin(), ports.end(), port) != ports.end();
    }
    for (model::Lid lid = 1; lid <= fabric.network.max_lid(); ++lid) {
        if (!fabric.network.owner(lid).host.exists()) continue;
        model::CandidateSets::Group const group = sets.group(node, lid);
        if (group != model::CandidateSets::no_group ? holds[group] : fabric.tables.port(node, lid) == port) return true;
    }
    return false;
}

PairLoads divided_loads(model::ChoiceGraph const& graph, std::span<model::Host const> hosts, unsigned threads) {
    evaluation::SplitPlan const plan(graph, hosts, threads);
    model::LinkCosts const costs;
    PairLoads found{evaluation::EqualSplit(plan, costs).all_pairs(hosts, threads), plan.unit(),
                    plan.error() * double(graph.classes().size())};
    std::uint64_t common = found.unit;
    for (std::uint64_t const load : found.load) common = std::gcd(common, load);
    for (std::uint64_t& load : found.load) load /= common;
    found.unit /= common;
    return found;
}

void audit_choices(Audit& audit) {
    if (audit.fabric.candidates == nullptr) return;
    ChoiceReport& report = audit.choices.emplace();
    unsigned const threads = audit.request.execution.threads;
    model::ChoiceGraph const graph(audit.forwarding, model::ChoicesOf::sets, audit.request.hosts);
    std::vector<std::uint32_t> const senders = model::sources_by_row(audit.forwarding, audit.request.hosts);
    std::vector<std::uint32_t> starts;
    for (std::uint32_t row = 0; row < senders.size(); ++row)
        if (senders[row] > 0) starts.push_back(row);
    ChannelDependencies dependencies(audit.forwarding, 1);
    ChoiceFailures failures(graph);
    for (ChoicePass const& pass : model::for_each_destination(graph.classes().size(), threads, [&] {
             return ChoicePass(audit, graph, starts, senders, dependencies);
         })) {
        add(report, pass.report);
        failures.add(pass.failures);
    }
    add_with_odd_groups(audit, failures.failures(), odd_groups(audit.fabric, audit.request.hosts, report.groups));
    add_missing_members(audit);

    report.cycles = find_cycles(audit.forwarding, dependencies);
    report.deadlock_free = report.cycles.empty();
    // What the static entries do is a finding of its own; levels that nobody knows may put the choices on other lanes.
    bool const told = !audit.deadlock || !audit.deadlock->free || audit.deadlock_is_undecided;
    if (!told && !audit.request.levels_are_unknown)
        for (ChannelCycle const& cycle : report.cycles) audit.add({deadlock_of(audit.network(), cycle)});

    report.loads = divided_loads(graph, audit.request.hosts, threads);
    std::vector<std::uint64_t> const& load = report.loads.load;
    for (std::size_t l = 0; l < load.size(); ++l)
        if (audit.fabric.between_switches(model::Link{l}) &&
            load[l] > (report.hottest.exists() ? load[report.hottest.value] : 0))
            report.hottest = model::Link{l};
    audit.balance = balance_of(audit.network(), audit.levels, audit.all_pairs_request, audit.all_pairs, audit.usable,
                               &report.loads);
}

}  // namespace tailback::audit
