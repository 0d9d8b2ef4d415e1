#include "host/api/worst_case.hpp"

#include "host/io/progress.hpp"
#include "kernels/cpu/threads.hpp"

#include <fmt/format.h>

namespace tailback {
namespace {

constexpr double told_from_seconds = 3;

/// A part of the work, and what it would cost on one core.
struct Part {
    char const* what;
    char const* option;  ///< that asks for it
    bool automatic;      ///< nobody has asked for it
    bool quick;
    double seconds;
};

/// Says what is skipped or long. @return whether to do it.
bool worth_it(Part part, unsigned threads, TakeSentence const& note) {
    part.seconds /= threads_to_use(threads);
    if (part.automatic && !part.quick) {
        note(fmt::format("{} are left out because they would take about {}; {} computes them", part.what,
                         duration_text(part.seconds), part.option));
        return false;
    }
    if (part.seconds > told_from_seconds)
        note(fmt::format("{} will take about {}", part.what, duration_text(part.seconds)));
    return true;
}

void find_permutations(WorstCase& found, Audit const& audit, AuditChoice const& choice, AuditListener const& listener) {
    WorstCaseWishes const& wishes = choice.worst_case;
    std::vector<Host> const& hosts = audit.request.hosts;
    found.kind = wishes.permutations == WorstCaseChoice::bound ? WorstCaseKind::bound : WorstCaseKind::exact;
    WorstCaseRequest request{.sources = hosts, .destinations = hosts, .kind = *found.kind, .threads = choice.threads};
    AuditListener::Progress progress;
    request.on_start = [&](std::uint64_t entries) { progress = listener.start_progress(entries, "pairs"); };
    request.progress = [&](std::uint64_t done) { progress(done); };
    found.flows = worst_permutation_loads(audit.forwarding, request);
    found.worst = worst_link(found.flows);
    progress = nullptr;
    if (found.kind == WorstCaseKind::exact && wishes.name_permutation && found.worst.exists())
        found.permutation = worst_permutation(audit.forwarding, request, found.worst);
}

void find_shifts(WorstCase& found, Audit const& audit, AuditChoice const& choice, AuditListener const& listener) {
    std::vector<Host> const& hosts = audit.request.hosts;
    found.order = choice.worst_case.order;
    found.shift_order = hosts_in_order(audit.network(), hosts, found.order, choice.aggregation_nodes_are_hosts);
    found.shifts = all_shift_loads(audit.fabric, found.shift_order, choice.threads,
                                   listener.start_progress(hosts.size(), "shifts"));
}

}  // namespace

WorstCase find_worst_case(Audit const& audit, AuditChoice const& choice, AuditListener const& listener) {
    WorstCase found;
    WorstCaseWishes const& wishes = choice.worst_case;
    std::vector<Host> const& hosts = audit.request.hosts;
    std::uint64_t const delivered = audit.all_pairs.pairs.delivered;
    double const mean_links = delivered == 0 ? 0 : double(audit.balance.hops) / double(delivered);
    WorstCaseCost const cost = worst_case_cost(audit.forwarding, hosts, mean_links);
    Part const permutations{"worst permutations of all links", "--worst-case exact",
                            wishes.permutations == WorstCaseChoice::automatic, cost.entries <= automatic_entries,
                            cost.permutation_seconds()};
    if (wishes.permutations != WorstCaseChoice::none && worth_it(permutations, choice.threads, listener.note))
        find_permutations(found, audit, choice, listener);
    Part const shifts{"shift permutations", "--shifts all", wishes.shifts == ShiftChoice::automatic,
                      cost.shift_links <= automatic_shift_links, cost.shift_seconds()};
    if (wishes.shifts != ShiftChoice::none && hosts.size() > 1 && worth_it(shifts, choice.threads, listener.note))
        find_shifts(found, audit, choice, listener);
    return found;
}

}  // namespace tailback
