// Lays the question out for the kernel, and the kernel's counts back onto links.
#include "host/audit/loads/all_pairs.hpp"

#include "host/audit/loads/all_pairs_problem.hpp"
#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"
#include "host/evaluation/evaluation.hpp"
#include "host/io/progress.hpp"
#include "kernels/audit_executor.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/device_error.hpp"
#include "kernels/executor.hpp"

#include <algorithm>
#include <optional>

namespace tailback::audit {
namespace {

void trim(std::vector<std::uint64_t>& histogram) {
    while (!histogram.empty() && histogram.back() == 0) histogram.pop_back();
}

/// Adds up the destinations' counts; [host] how many of its LIDs its own row delivers to.
kernels::IndexedVector<model::Host, std::uint64_t> add_up(model::Forwarding const& forwarding,
                                                          AllPairsRequest const& request,
                                                          std::span<kernels::AuditTally const> tallies,
                                                          AllPairsResult& result) {
    model::Senders const senders(forwarding, request.sources);
    std::uint64_t uncabled = 0;
    for (model::Host const host : request.sources) uncabled += forwarding.entry_of(host).row == kernels::no_row;
    kernels::IndexedVector<model::Host, std::uint64_t> own_delivered(forwarding.fabric().network.hosts().size());
    result.by_destination.reserve(tallies.size());
    for (std::size_t i = 0; i < tallies.size(); ++i) {
        kernels::AuditTally const& tally = tallies[i];
        model::Host const host = result.towards[i].host;
        bool const listens_to_itself = senders.has(host);
        PairCounts pairs{request.sources.size() - listens_to_itself, tally.delivered, tally.unreachable, tally.loop,
                         tally.misdelivered};
        pairs.unreachable += uncabled - (listens_to_itself && forwarding.entry_of(host).row == kernels::no_row);
        result.by_destination.push_back(pairs);
        result.pairs += pairs;
        result.longer += tally.longer;
        result.down_then_up += tally.down_then_up;
        own_delivered[host] += tally.own_delivered;
    }
    return own_delivered;
}

/// From rows and ports to links.
void add_loads(model::Forwarding const& forwarding, AllPairsRequest const& request, kernels::AuditSums const& sums,
               kernels::IndexedVector<model::Host, std::uint64_t> const& own_delivered, AllPairsResult& result) {
    std::size_t const links = forwarding.fabric().network.links().size();
    result.load.resize(links);
    result.destinations.resize(links);
    for (std::uint32_t row = 0; row < forwarding.rows(); ++row)
        for (model::Port port = 1; port < forwarding.ports(); ++port)
            if (model::Link const link = forwarding.link_behind(row, port); link.exists()) {
                std::size_t const at = std::size_t{row} * forwarding.ports() + port;
                result.load[link.value] = sums.load[at];
                result.destinations[link.value] = sums.destinations[at];
            }
    for (model::Host const host : request.sources)
        if (model::Forwarding::Entry const& entry = forwarding.entry_of(host); entry.up.exists()) {
            std::uint64_t const reached = sums.reached[entry.row] - own_delivered[host];
            result.load[entry.up.value] += reached;
            result.destinations[entry.up.value] += reached;
        }
}

/// What every thread counts, and its columns of the tables.
void require_memory_of_counts(kernels::AuditView const& view, kernels::AuditTables const& tables, unsigned threads) {
    std::uint64_t const rows = view.forwarding.rows, slots = rows * view.forwarding.ports;
    std::uint64_t const each = 16 * slots + rows * (64 * (tables.wide ? 2 : 1) + 64);
    base::require_memory("the counts of " + base::counted(threads, "thread", "threads"),
                         threads * each + 4 * slots * view.turn_words, "use fewer --threads");
}

/// On the device that is chosen, or on the CPU where that fails.
void run_audit(AuditProblem const& problem, kernels::AuditTables const& tables,
               evaluation::ExecutionOptions const& options, unsigned threads, evaluation::ChosenDevice chosen,
               std::span<kernels::AuditTally> tallies, kernels::AuditSums& sums) {
    auto const tell = [&](std::string const& device) {
        if (options.tell_device) options.tell_device(device, chosen.note);
    };
    try {
        if (!chosen.cuda.empty()) {
            kernels::audit_on_cuda(problem.view(), tables, problem.asked(), tallies, sums);
            return tell(chosen.cuda);
        }
    } catch (kernels::DeviceError const& error) {
        if (options.device == evaluation::DeviceChoice::cuda) throw;
        chosen.note = evaluation::note_of_failure(error);
        sums = kernels::AuditSums(problem.view(), !sums.turns.empty());
    }
    tell("cpu");
    kernels::audit_on_cpu(problem.view(), tables, problem.asked(), tallies, sums, threads);
}

}  // namespace

AllPairsResult count_all_pairs(model::Forwarding const& forwarding, AllPairsRequest const& request,
                               evaluation::ExecutionOptions const& options) {
    model::Network const& net = forwarding.fabric().network;
    AllPairsResult result;
    result.towards = model::destinations_of(net, request.destinations);
    if (request.base_lids_only)
        std::erase_if(result.towards, [&](model::Destination const& d) { return d.lid != net[d.host].lid; });
    unsigned const threads = kernels::threads_to_use(options.threads);
    evaluation::Work const work{evaluation::rate_of(evaluation::WorkKind::audit),
                                double(forwarding.rows()) * double(result.towards.size())};
    evaluation::ChosenDevice chosen = evaluation::chosen_device(options.device, work, threads);
    io::Progress progress("auditing all pairs", result.towards.size(), "destinations");
    std::optional<AuditProblem> problem(std::in_place, forwarding, request, result.towards, threads);
    std::vector<kernels::AuditTally> tallies(result.towards.size());
    kernels::AuditTables tables = problem->tables();
    tables.audited = progress.counter();
    require_memory_of_counts(problem->view(), tables, threads);
    kernels::AuditSums sums(problem->view());
    run_audit(*problem, tables, options, threads, std::move(chosen), tallies, sums);
    problem.reset();  // the distances are the largest thing beside the tables

    add_loads(forwarding, request, sums, add_up(forwarding, request, tallies, result), result);
    trim(sums.hops);
    trim(sums.excess);
    result.hops = std::move(sums.hops);
    result.excess = std::move(sums.excess);
    result.detours = std::move(sums.detours);
    result.wrong_turns = std::move(sums.wrong_turns);
    result.turns = {forwarding.ports(), std::move(sums.turns)};
    return result;
}

}  // namespace tailback::audit
