#include "host/audit/loads/all_pairs_problem.hpp"

namespace tailback::audit {

AuditProblem::AuditProblem(model::Forwarding const& forwarding, AllPairsRequest const& request,
                           std::span<model::Destination const> destinations, unsigned threads)
    : forwarding_(forwarding),
      senders_(forwarding, request.sources),
      entry_links_(forwarding.rows()),
      table_of_row_(forwarding.rows(), kernels::no_row) {
    std::uint32_t const rows = forwarding.rows(), ports = forwarding.ports();
    model::Network const& net = forwarding.fabric().network;
    for (std::uint32_t row = 0; row < rows; ++row) {
        entry_links_[row] = !forwarding.is_pseudo(row) && net.is_switch(forwarding.node_of(row));
        table_of_row_[row] = forwarding.is_pseudo(row) ? kernels::no_row - 1
                                                       : forwarding.fabric().tables.table_of(forwarding.node_of(row));
    }
    if (request.shortest) distances_ = find_distances(forwarding, destinations, threads);
    if (request.turns) {
        (ports <= 256 ? in_port8_.resize(std::size_t{rows} * ports) : in_port16_.resize(std::size_t{rows} * ports));
        for (std::uint32_t row = 0; row < rows; ++row)
            for (model::Port port = 1; port < ports; ++port)
                if (model::Link const link = forwarding.link_behind(row, port); link.exists()) {
                    std::size_t const at = std::size_t{row} * ports + port;
                    model::Port const in = net[link].to_port < ports ? net[link].to_port : 0;
                    if (ports <= 256) in_port8_[at] = static_cast<std::uint8_t>(in);
                    else in_port16_[at] = static_cast<std::uint16_t>(in);
                }
    }
    view_.forwarding = forwarding.view();
    view_.starts = senders_.rows();
    view_.entry_links = entry_links_.data();
    view_.directions = request.directions.empty() ? nullptr : request.directions.data();
    view_.distances8 = distances_.links8.empty() ? nullptr : distances_.links8.data();
    view_.distances16 = distances_.links16.empty() ? nullptr : distances_.links16.data();
    view_.in_port8 = in_port8_.empty() ? nullptr : in_port8_.data();
    view_.in_port16 = in_port16_.empty() ? nullptr : in_port16_.data();
    view_.turn_words = (ports + 31) / 32;

    for (model::Destination const& destination : destinations) {
        std::uint32_t const arrival = forwarding.arrival_of(destination.host);
        asked_.push_back({destination.lid, arrival, senders_.row_of(destination.host),
                          request.shortest ? distances_.group_of_host[destination.host.value] : 0});
    }
}

kernels::AuditTables AuditProblem::tables() const {
    model::ForwardingTables const& tables = forwarding_.fabric().tables;
    kernels::AuditTables given{nullptr, tables.is_wide(), tables.lids(), tables.tables(), table_of_row_.data(), {}};
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

}  // namespace tailback::audit
