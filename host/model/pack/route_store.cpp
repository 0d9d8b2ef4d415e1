#include "host/model/pack/route_store.hpp"

#include <cstring>

namespace tailback::model {

bool host_links_are_implied(Fabric const& fabric, std::vector<Host> const& study_hosts, std::vector<Link>& down) {
    Network const& net = fabric.network;
    down.assign(study_hosts.size(), Link{});
    std::vector<std::uint32_t> seat_of(net.hosts().size(), kernels::Index<int>::none_value);
    for (std::size_t s = 0; s < study_hosts.size(); ++s) seat_of[study_hosts[s].value] = static_cast<std::uint32_t>(s);
    for (Host const host : study_hosts) {
        if (fabric.tables.has_table(net[host].node)) return false;
        Link const up = net.up_link(host);
        if (up.exists() && !net.is_switch(net[up].to)) return false;
    }
    for (std::size_t l = 0; l < net.links().size(); ++l) {
        LinkRecord const& link = net[Link{l}];
        for (Host const host : net.hosts_of(link.to)) {
            if (!leads_into(net, link, host)) continue;
            std::uint32_t const host_index = seat_of[host.value];
            if (host_index == kernels::Index<int>::none_value) continue;
            if (down[host_index].exists() || !net.is_switch(link.from)) return false;
            down[host_index] = Link{l};
        }
    }
    return true;
}

void RouteStore::find_sums() {
    std::uint32_t const link_index_bits = form == kernels::RouteForm::rows16 ? 16 : 32;
    if (rows.size() <= nearest_route_bytes || !all_delivered) return;
    if (row_width * link_index_bits == 32) {
        std::vector<std::uint64_t> const words = kernels::widened_rows(rows.data(), std::size_t{groups} * group.size());
        if (!words.empty())
            sums = kernels::find_route_sums({words.data(), 1, link_index_bits, inner, longest, groups, group});
        return;
    }
    sums = kernels::find_route_sums({reinterpret_cast<std::uint64_t const*>(rows.data()),
                                     row_width * link_index_bits / 64, link_index_bits, inner, longest, groups, group});
}

void RouteStore::sum_up(std::uint64_t delivered, std::uint64_t failed, std::uint64_t links,
                        std::uint32_t longest_route) {
    all_delivered = failed == 0;
    none_delivered = delivered == 0;
    mean_links = delivered == 0 ? 0 : double(links) / double(delivered);
    longest = longest_route;
}

std::size_t RouteStore::choose_rows(std::span<std::uint32_t const> widths16, std::span<std::uint32_t const> widths32) {
    bool const narrow = inner <= 0xFFFF - 4;
    form = narrow ? kernels::RouteForm::rows16 : kernels::RouteForm::rows32;
    row_width = 0;
    for (std::uint32_t const width : narrow ? widths16 : widths32)
        if (width >= longest && row_width == 0) row_width = width;
    return row_width * (narrow ? sizeof(std::uint16_t) : sizeof(std::uint32_t));
}

void RouteStore::put_row(std::size_t place, std::span<std::uint32_t const> route) {
    if (form == kernels::RouteForm::rows32) {
        std::memcpy(rows.data() + place * route.size_bytes(), route.data(), route.size_bytes());
        return;
    }
    std::byte* const to = rows.data() + place * route.size() * sizeof(std::uint16_t);
    for (std::size_t k = 0; k < route.size(); ++k) {
        auto const slot = static_cast<std::uint16_t>(route[k]);
        std::memcpy(to + k * sizeof slot, &slot, sizeof slot);
    }
}

void RouteStore::add_outer_slots(Network const& network, std::vector<Host> const& study_hosts,
                                 std::vector<Link> const& down, LinkCosts const& costs) {
    for (int k = 0; k < 4; ++k) link_of_index.push_back(Link{});
    for (Host const host : study_hosts) link_of_index.push_back(host_links_implied ? network.up_link(host) : Link{});
    for (std::size_t s = 0; s < study_hosts.size(); ++s) link_of_index.push_back(host_links_implied ? down[s] : Link{});
    slots = static_cast<std::uint32_t>(link_of_index.size());
    if (!costs.cost.empty())
        for (Link const link : link_of_index) slot_cost.push_back(link.exists() ? costs.cost[link.value] : 0);
}

void RouteStore::describe(kernels::Problem& problem) const {
    problem.routes.group = group.data();
    problem.routes.groups = groups;
    problem.routes.form = form;
    problem.routes.row_width = row_width;
    problem.routes.rows = rows.data();
    problem.routes.rows_on_device = on_device.get();
    problem.routes.sums = sums.empty() ? kernels::SumsView{}
                                       : kernels::SumsView{sums.source.data(), sums.destination.data(),
                                                           sums.block_of_group.data(), sums.block_of_host_index.data()};
    problem.routes.steps = steps.data();
    problem.routes.node_rows = node_rows;
    problem.routes.head = head.data();
    problem.routes.inner = inner;
    problem.routes.slots = slots;
    problem.routes.cost = slot_cost.empty() ? nullptr : slot_cost.data();
    problem.routes.all_delivered = all_delivered;
    problem.routes.exceed_cache = rows.size() + steps.size() * sizeof steps[0] > near_route_bytes;
    if (formula) formula(problem);
}

}  // namespace tailback::model
