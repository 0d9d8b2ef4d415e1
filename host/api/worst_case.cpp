#include "host/api/worst_case.hpp"

#include "host/io/progress.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <fmt/format.h>

namespace tailback::api {
namespace {

constexpr double told_from_seconds = 3;

/// A part of the work, and what it would cost on one core.
struct Part {
    char const* what;
    char const* option;  ///< that asks for it
    bool automatic;      ///< nobody has asked for it
    double seconds;
};

/// Says what is skipped or long. @return whether to do it.
bool worth_it(Part const& part, unsigned threads, TakeSentence const& note) {
    if (part.automatic && part.seconds > audit::automatic_seconds) {
        note(fmt::format("{} are left out because they would take one core about {}; {} computes them", part.what,
                         io::duration_text(part.seconds), part.option));
        return false;
    }
    double const seconds = part.seconds / kernels::threads_to_use(threads);
    if (seconds > told_from_seconds) note(fmt::format("{} will take about {}", part.what, io::duration_text(seconds)));
    return true;
}

void find_permutations(audit::WorstCase& found, audit::Audit const& audit, AuditChoice const& choice,
                       AuditListener const& listener) {
    WorstCaseWishes const& wishes = choice.worst_case;
    std::vector<model::Host> const& hosts = audit.request.hosts;
    found.kind = wishes.permutations == audit::WorstCaseChoice::bound ? audit::WorstCaseKind::bound
                                                                      : audit::WorstCaseKind::exact;
    audit::WorstCaseRequest request{
        .sources = hosts, .destinations = hosts, .kind = *found.kind, .threads = choice.threads};
    AuditListener::Progress progress;
    request.on_start = [&](std::uint64_t entries) { progress = listener.start_progress(entries, "pairs"); };
    request.progress = [&](std::uint64_t done) { progress(done); };
    found.flows = audit::worst_permutation_loads(audit.forwarding, request);
    found.worst = audit::worst_link(found.flows);
    progress = nullptr;
    if (found.kind == audit::WorstCaseKind::exact && wishes.name_permutation && found.worst.exists())
        found.permutation = audit::worst_permutation(audit.forwarding, request, found.worst);
}

void find_shifts(audit::WorstCase& found, audit::Audit const& audit, AuditChoice const& choice,
                 AuditListener const& listener) {
    std::vector<model::Host> const& hosts = audit.request.hosts;
    found.order = choice.worst_case.order;
    found.shift_order = audit::hosts_in_order(audit.network(), hosts, found.order, choice.aggregation_nodes_are_hosts);
    found.shifts = audit::all_shift_loads(audit.fabric, found.shift_order, choice.threads,
                                          listener.start_progress(hosts.size(), "shifts"));
}

}  // namespace

audit::WorstCase find_worst_case(audit::Audit const& audit, AuditChoice const& choice, AuditListener const& listener) {
    audit::WorstCase found;
    WorstCaseWishes const& wishes = choice.worst_case;
    std::vector<model::Host> const& hosts = audit.request.hosts;
    std::uint64_t const delivered = audit.all_pairs.pairs.delivered;
    double const mean_links = delivered == 0 ? 0 : audit.balance.pairs(audit.balance.hops) / double(delivered);
    audit::WorstCaseCost const cost = audit::worst_case_cost(audit.forwarding, hosts, mean_links);
    Part const permutations{"worst permutations of all links", "`tailback audit --worst-case exact`",
                            wishes.permutations == audit::WorstCaseChoice::automatic, cost.permutation_seconds()};
    if (wishes.permutations != audit::WorstCaseChoice::none && worth_it(permutations, choice.threads, listener.note))
        find_permutations(found, audit, choice, listener);
    if (found.kind && audit.fabric.candidates != nullptr) {
        model::ChoiceGraph const graph(audit.forwarding, model::ChoicesOf::sets, hosts);
        found.divided = audit::worst_divided_permutation(graph, hosts, choice.threads);
    }
    Part const shifts{"shift permutations", "`tailback audit --shifts all`",
                      wishes.shifts == audit::ShiftChoice::automatic, cost.shift_seconds()};
    if (wishes.shifts != audit::ShiftChoice::none && hosts.size() > 1 &&
        worth_it(shifts, choice.threads, listener.note))
        find_shifts(found, audit, choice, listener);
    return found;
}

}  // namespace tailback::api
