// Packs what forwarding tables say: the host lays out who starts where and which links are counted, a packer walks.
#include "host/base/memory.hpp"
#include "host/io/progress.hpp"
#include "host/model/pack/route_store.hpp"
#include "host/model/routes/forwarding.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <algorithm>

namespace tailback::model {
namespace {

char const* const packed = "the routes between the hosts of the study";
char const* const advice =
    "study fewer ranks, or compute routes when they are needed (`tailback evaluate --routes trees`)";

/// A study's tables, numbered for a packer.
class TableProblem {
public:
    /// Sets the store's slots of links that routes may use, and the groups of its hosts.
    TableProblem(Fabric const& fabric, std::vector<Host> const& study_hosts, RouteStore& store)
        : fabric_(fabric), seats_(study_hosts), forwarding_(fabric), store_(store) {
        number_links();
        find_groups();
        find_destinations();
        describe_tables();
    }
    kernels::PackProblem const& view() const { return problem_; }
    void count_in(std::atomic<std::uint64_t>* walked) { problem_.walked = walked; }

    /// The row of a step table that each slot leads to, where there is one a group behind those that forward.
    std::vector<std::uint32_t> row_behind_slots() const {
        std::vector<std::uint32_t> rows;
        for (std::uint32_t slot = 0; slot < store_.inner; ++slot) {
            std::uint32_t const row = forwarding_.row_of(fabric_.network[store_.link_of_index[slot]].to);
            rows.push_back(row == kernels::no_row ? kernels::step_rows(problem_.view) - 1 : row);
        }
        return rows;
    }

private:
    /// In link order: all of them, or those between switches where the hosts' own are implied.
    void number_links() {
        Network const& net = fabric_.network;
        std::vector<std::uint32_t> index_of_link(net.links().size(), kernels::no_row);
        for (std::size_t l = 0; l < net.links().size(); ++l) {
            LinkRecord const& link = net[Link{l}];
            bool const between_switches = net.is_switch(link.from) && net.is_switch(link.to);
            bool const forwards = fabric_.tables.has_table(link.from) && fabric_.tables.has_table(link.to);
            if (store_.host_links_implied && !between_switches && !forwards) continue;
            index_of_link[l] = static_cast<std::uint32_t>(store_.link_of_index.size());
            store_.link_of_index.push_back(Link{l});
        }
        store_.inner = static_cast<std::uint32_t>(store_.link_of_index.size());
        slots_.assign(std::size_t{forwarding_.rows()} * forwarding_.ports(), store_.inner);
        for (std::uint32_t row = 0; row < forwarding_.rows(); ++row)
            for (Port port = 0; port < forwarding_.ports(); ++port)
                if (Link const link = forwarding_.link_behind(row, port);
                    link.exists() && index_of_link[link.value] != kernels::no_row)
                    slots_[std::size_t{row} * forwarding_.ports() + port] = index_of_link[link.value];
        for (Host const host : seats_) {
            Link const up = forwarding_.entry_of(host).up;
            first_slot_.push_back(up.exists() ? index_of_link[up.value] : kernels::no_row);
        }
    }

    /// Hosts that start in one row share their routes; one whose own link is part of its routes has them for itself.
    void find_groups() {
        std::vector<std::pair<std::size_t, std::uint32_t>> order;  // by where they start, and the host
        for (std::uint32_t host_index = 0; host_index < seats_.size(); ++host_index) {
            std::uint32_t const row = forwarding_.entry_of(seats_[host_index]).row;
            bool const alone =
                row == kernels::no_row || forwarding_.is_pseudo(row) || first_slot_[host_index] != kernels::no_row;
            order.emplace_back(alone ? std::size_t{forwarding_.rows()} + host_index : row, host_index);
        }
        std::sort(order.begin(), order.end());
        store_.group.resize(seats_.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            auto const [where, host_index] = order[i];
            if (i == 0 || where != order[i - 1].first)
                groups_.push_back({{forwarding_.entry_of(seats_[host_index]).row, first_slot_[host_index]}, 0});
            store_.group[host_index] = static_cast<std::uint32_t>(groups_.size() - 1);
            ++groups_.back().sources;
        }
    }

    void find_destinations() {
        Network const& net = fabric_.network;
        for (std::size_t host_index = 0; host_index < seats_.size(); ++host_index) {
            Host const host = seats_[host_index];
            Lid const lid = net[host].lid;
            bool const owned = lid != 0 && net.owner(lid).host == host;
            kernels::RouteTarget const target{lid == 0 ? ~Lid{0} : lid,
                                              owned ? forwarding_.arrival_of(host) : kernels::no_endpoint};
            destinations_.push_back({target, store_.group[host_index], forwarding_.row_of(net[host].node)});
        }
    }

    void describe_tables() {
        ForwardingTables const& tables = fabric_.tables;
        for (std::uint32_t row = 0; row < forwarding_.rows(); ++row)
            table_of_row_.push_back(forwarding_.is_pseudo(row) ? kernels::sends_by_port_1
                                                               : tables.table_of(forwarding_.node_of(row)));
        problem_.view = {.forwarding = forwarding_.view(),
                         .slots = slots_.data(),
                         .groups = groups_.data(),
                         .destinations = destinations_.data(),
                         .group_count = static_cast<std::uint32_t>(groups_.size()),
                         .destination_count = static_cast<std::uint32_t>(destinations_.size()),
                         .inner = store_.inner,
                         .unstored = store_.host_links_implied ? 1u : 0u};
        problem_.wide = tables.is_wide();
        if (problem_.wide) problem_.entries = tables.entries<std::uint16_t>().data();
        else problem_.entries = tables.entries<std::uint8_t>().data();
        problem_.tables = tables.tables();
        problem_.lids = tables.lids();
        problem_.table_of_row = table_of_row_.data();
        problem_.arrivals = static_cast<std::uint32_t>(fabric_.network.hosts().size());
    }

    Fabric const& fabric_;
    std::vector<Host> const& seats_;
    Forwarding forwarding_;
    RouteStore& store_;
    std::vector<std::uint32_t> slots_;         // [row][port]
    std::vector<std::uint32_t> first_slot_;    // by seat: of its own link, where that is part of its routes
    std::vector<std::uint32_t> table_of_row_;  // by row
    std::vector<kernels::PackGroup> groups_;
    std::vector<kernels::PackDestination> destinations_;
    kernels::PackProblem problem_;
};

std::uint64_t step_bytes(kernels::PackView const& view) {
    return std::uint64_t{kernels::step_rows(view)} * view.destination_count * sizeof(std::uint32_t);
}

/// Packs into rows of the narrowest width that holds all routes. A look at some of them tells how wide they are at
/// least; if others are longer, all are packed again. @return false when no width does, or rows take more than
/// `row_byte_limit` bytes; `sums` then are of all pairs anyway.
bool pack_rows(RouteStore& store, kernels::RoutePacker& packer, kernels::PackView const& view,
               std::size_t row_byte_limit, io::Progress& progress, kernels::PairSums& sums) {
    constexpr std::uint32_t looked_at = 64;  // destinations
    std::size_t const rows = std::size_t{view.group_count} * view.destination_count;
    sums = packer.look(std::max(1u, view.destination_count / looked_at));
    for (;;) {
        store.longest = static_cast<std::uint32_t>(sums.longest);
        std::size_t const row_bytes = store.choose_rows(kernels::row_widths16, kernels::row_widths32);
        if (row_bytes == 0 || rows > row_byte_limit / row_bytes) {
            base::require_memory(packed, step_bytes(view), advice);  // before the long look
            progress.begin_again();
            sums = packer.look(1);
            return false;
        }
        base::require_memory(packed, rows * row_bytes, advice);
        store.rows = {};
        store.rows = kernels::HugeBuffer(rows * row_bytes);
        progress.begin_again();
        sums = packer.pack_rows(store.rows.data(), store.row_width, store.form == kernels::RouteForm::rows32);
        if (sums.longest <= store.row_width) return true;
    }
}

}  // namespace

RouteStore pack_routes(Fabric const& fabric, std::vector<Host> const& study_hosts, LinkCosts const& costs,
                       std::size_t row_byte_limit, kernels::MakeRoutePacker make_packer) {
    RouteStore store;
    std::vector<Link> down;
    store.host_links_implied = host_links_are_implied(fabric, study_hosts, down);
    io::Progress progress("packing the routes", study_hosts.size(), "destinations");
    TableProblem problem(fabric, study_hosts, store);
    problem.count_in(progress.counter());
    kernels::PackView const& view = problem.view().view;
    std::unique_ptr<kernels::RoutePacker> const packer = make_packer(problem.view());
    kernels::PairSums sums;
    bool const in_rows = pack_rows(store, *packer, view, row_byte_limit, progress, sums);
    store.sum_up(sums.delivered, sums.failed, sums.links, static_cast<std::uint32_t>(sums.longest));
    if (in_rows) {
        store.groups = view.group_count;
        store.on_device = packer->on_device();
    } else {
        store.rows = {};
        store.form = kernels::RouteForm::steps;
        store.row_width = 0;
        store.groups = store.node_rows = kernels::step_rows(view);
        for (std::uint32_t& group : store.group) group += view.forwarding.rows;
        store.head = problem.row_behind_slots();
        store.steps.resize(std::size_t{store.node_rows} * study_hosts.size());
        progress.begin_again();
        packer->pack_steps(store.steps.data());
    }
    store.find_sums();
    store.add_outer_slots(fabric.network, study_hosts, down, costs);
    return store;
}

}  // namespace tailback::model
