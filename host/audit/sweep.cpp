// Lays the question out for the kernel, and the kernel's counts back onto links.
#include "host/audit/sweep.hpp"

#include "host/audit/distances.hpp"
#include "host/evaluation.hpp"
#include "kernels/audit_executor.hpp"
#include "kernels/executor.hpp"

#include <algorithm>
#include <thread>

namespace tailback {
namespace {

void trim(std::vector<std::uint64_t>& histogram) {
    while (!histogram.empty() && histogram.back() == 0) histogram.pop_back();
}

unsigned threads_of(unsigned wanted) { return wanted != 0 ? wanted : std::max(1u, std::thread::hardware_concurrency()); }

/// The arrays behind an AuditView.
class AuditProblem {
public:
    AuditProblem(Forwarding const& forwarding, SweepRequest const& request, std::span<Destination const> destinations, unsigned threads)
        : forwarding_(forwarding), starts_(forwarding, sources_by_row(forwarding, request.sources)), entry_links_(forwarding.rows()),
          table_of_row_(forwarding.rows(), no_row) {
        std::uint32_t const rows = forwarding.rows(), ports = forwarding.ports();
        Network const& net = forwarding.fabric().network;
        for (std::uint32_t row = 0; row < rows; ++row) {
            entry_links_[row] = !forwarding.is_pseudo(row) && net[forwarding.node_of(row)].kind == NodeKind::switch_node;
            table_of_row_[row] = forwarding.is_pseudo(row) ? no_row - 1 : forwarding.fabric().tables.table_of(forwarding.node_of(row));
        }
        if (request.shortest) distances_ = find_distances(forwarding, destinations, threads);
        if (request.turns) {
            (ports <= 256 ? in_port8_.resize(std::size_t{rows} * ports) : in_port16_.resize(std::size_t{rows} * ports));
            for (std::uint32_t row = 0; row < rows; ++row)
                for (Port port = 1; port < ports; ++port)
                    if (Link const link = forwarding.link_behind(row, port); link.exists()) {
                        std::size_t const at = std::size_t{row} * ports + port;
                        Port const in = net[link].to_port < ports ? net[link].to_port : 0;
                        if (ports <= 256) in_port8_[at] = static_cast<std::uint8_t>(in);
                        else in_port16_[at] = static_cast<std::uint16_t>(in);
                    }
        }
        view_.forwarding = forwarding.view();
        view_.starts = starts_.view();
        view_.entry_links = entry_links_.data();
        view_.directions = request.directions.empty() ? nullptr : request.directions.data();
        view_.distances = request.shortest ? distances_.links.data() : nullptr;
        view_.in_port8 = in_port8_.empty() ? nullptr : in_port8_.data();
        view_.in_port16 = in_port16_.empty() ? nullptr : in_port16_.data();
        view_.turn_words = (ports + 31) / 32;
    }
    AuditProblem(AuditProblem const&) = delete;

    AuditView const& view() const { return view_; }
    std::uint32_t group_of(std::uint32_t arrival) const {
        return view_.distances == nullptr ? 0 : distances_.group_of_arrival[arrival];
    }
    AuditTables tables() const {
        ForwardingTables const& tables = forwarding_.fabric().tables;
        AuditTables given{nullptr, tables.is_wide(), tables.lids(), tables.tables(), table_of_row_.data(), {}};
        if (given.wide) {
            given.entries = tables.entries<std::uint16_t>().data();
            given.columns = [this](std::uint32_t first, std::uint32_t count, void* out) {
                forwarding_.columns(first, count, static_cast<std::uint16_t*>(out));
            };
        } else {
            given.entries = tables.entries<std::uint8_t>().data();
            given.columns = [this](std::uint32_t first, std::uint32_t count, void* out) {
                forwarding_.columns(first, count, static_cast<std::uint8_t*>(out));
            };
        }
        return given;
    }

private:
    Forwarding const& forwarding_;
    Starts starts_;
    std::vector<std::uint8_t> entry_links_;
    std::vector<std::uint32_t> table_of_row_;
    Distances distances_;
    std::vector<std::uint8_t> in_port8_;
    std::vector<std::uint16_t> in_port16_;
    AuditView view_;
};

}  // namespace

SweepResult sweep(Forwarding const& forwarding, SweepRequest const& request, ExecutionOptions const& options) {
    check_device(options.device);
    Network const& net = forwarding.fabric().network;
    std::vector<Destination> destinations = destinations_of(net, request.destinations);
    if (request.base_lids_only)
        std::erase_if(destinations, [&](Destination const& d) { return d.lid != net[d.host].lid; });
    std::vector<bool> is_source(net.hosts().size());
    for (Host const host : request.sources) is_source[host.value] = true;
    std::uint64_t uncabled = 0;
    for (Host const host : request.sources) uncabled += forwarding.entry_of(host).row == no_row;

    AuditProblem const problem(forwarding, request, destinations, threads_of(options.threads));
    std::vector<AuditDestination> asked;
    for (Destination const& destination : destinations) {
        std::uint32_t const arrival = forwarding.arrival_of(destination.host);
        std::uint32_t const own = is_source[destination.host.value] ? forwarding.entry_of(destination.host).row : no_row;
        asked.push_back({destination.lid, arrival, own, problem.group_of(arrival)});
    }
    std::vector<AuditTally> tallies(asked.size());
    AuditSums sums(problem.view());
    if (options.device != DeviceChoice::cpu && !find_cuda_devices().names.empty())
        audit_on_cuda(problem.view(), problem.tables(), asked, tallies, sums);
    else
        audit_on_cpu(problem.view(), problem.tables(), asked, tallies, sums, threads_of(options.threads));

    SweepResult result;
    result.by_destination.reserve(tallies.size());
    std::vector<std::uint64_t> own_delivered(net.hosts().size());
    for (std::size_t i = 0; i < tallies.size(); ++i) {
        AuditTally const& tally = tallies[i];
        Host const host = destinations[i].host;
        bool const listens_to_itself = is_source[host.value];
        PairCounts pairs{request.sources.size() - listens_to_itself, tally.delivered, tally.unreachable, tally.loop, tally.misdelivered};
        pairs.unreachable += uncabled - (listens_to_itself && forwarding.entry_of(host).row == no_row);
        result.by_destination.push_back(pairs);
        result.pairs.total += pairs.total;
        result.pairs.delivered += pairs.delivered;
        result.pairs.unreachable += pairs.unreachable;
        result.pairs.loop += pairs.loop;
        result.pairs.misdelivered += pairs.misdelivered;
        result.longer += tally.longer;
        result.down_then_up += tally.down_then_up;
        own_delivered[host.value] += tally.own_delivered;
    }
    result.load.resize(net.links().size());
    result.destinations.resize(net.links().size());
    for (std::uint32_t row = 0; row < forwarding.rows(); ++row)
        for (Port port = 1; port < forwarding.ports(); ++port)
            if (Link const link = forwarding.link_behind(row, port); link.exists()) {
                std::size_t const at = std::size_t{row} * forwarding.ports() + port;
                result.load[link.value] = sums.load[at];
                if (!forwarding.is_pseudo(row)) result.destinations[link.value] = sums.destinations[at];
            }
    for (Host const host : request.sources)
        if (Forwarding::Entry const& entry = forwarding.entry_of(host); entry.up.exists())
            result.load[entry.up.value] += sums.reached[entry.row] - own_delivered[host.value];
    trim(sums.hops);
    trim(sums.excess);
    result.hops = std::move(sums.hops);
    result.excess = std::move(sums.excess);
    result.detours = std::move(sums.detours);
    result.wrong_turns = std::move(sums.wrong_turns);
    result.turns = {forwarding.ports(), std::move(sums.turns)};
    return result;
}

}  // namespace tailback
