#include "host/study/pack/route_store.hpp"

#include "host/base/memory.hpp"
#include "host/model/routes/route_tree.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <algorithm>
#include <cstring>

namespace tailback {

bool host_links_are_implied(Fabric const& fabric, std::vector<Host> const& seats, std::vector<Link>& down) {
    Network const& net = fabric.network;
    down.assign(seats.size(), Link{});
    std::vector<std::uint32_t> seat_of(net.hosts().size(), Index<int>::none_value);
    for (std::size_t s = 0; s < seats.size(); ++s) seat_of[seats[s].value] = static_cast<std::uint32_t>(s);
    for (Host const host : seats) {
        if (fabric.tables.has_table(net[host].node)) return false;
        Link const up = net.up_link(host);
        if (up.exists() && net[net[up].to].kind != NodeKind::switch_node) return false;
    }
    for (std::size_t l = 0; l < net.links().size(); ++l) {
        LinkRecord const& link = net[Link{l}];
        for (Host const host : net.hosts_of(link.to)) {
            if (!leads_into(net, link, host)) continue;
            std::uint32_t const seat = seat_of[host.value];
            if (seat == Index<int>::none_value) continue;
            if (down[seat].exists() || net[link.from].kind != NodeKind::switch_node) return false;
            down[seat] = Link{l};
        }
    }
    return true;
}

namespace {

/// What a packet for a destination does in a row, as slot or code.
struct Packer {
    std::vector<std::uint32_t> const& slot_of_link;  // none_value for links into hosts when those are implied
    std::uint32_t inner;

    std::uint32_t code(RouteTree::Step const& step) const {
        if (!step.link.exists())
            return inner + static_cast<std::uint32_t>(step.fate);  // unreachable 1, loop 2, misdelivered 3
        std::uint32_t const slot = slot_of_link[step.link.value];
        return slot == Index<int>::none_value ? inner : slot;
    }
};

}  // namespace

RouteStore pack_routes(Fabric const& fabric, std::vector<Host> const& seats, LinkCosts const& costs,
                       std::size_t row_byte_limit) {
    if (fabric.pair_routes) return pack_pair_routes(fabric, seats, costs, row_byte_limit);
    if (fabric.tree_routes) return pack_tree_routes(fabric, seats, costs);
    Network const& net = fabric.network;
    RouteStore store;
    std::vector<Link> down;
    store.host_links_implied = host_links_are_implied(fabric, seats, down);
    bool const implied = store.host_links_implied;

    // Where the routes of each seat start.
    std::vector<RouteTree::ExtraRow> extra;
    std::vector<std::uint32_t> start(seats.size());
    for (std::size_t s = 0; s < seats.size(); ++s) {
        Node const node = net[seats[s]].node;
        Link const up = net.up_link(seats[s]);
        if (implied && up.exists()) start[s] = RouteTree::row_of(net[up].to);
        else if (fabric.tables.has_table(node)) start[s] = RouteTree::row_of(node);
        else {
            start[s] = static_cast<std::uint32_t>(net.nodes().size() + extra.size());
            extra.push_back({up});
        }
    }

    // Slots: the links that stored routes may use, in link order.
    std::vector<std::uint32_t> slot_of_link(net.links().size(), Index<int>::none_value);
    std::vector<std::uint32_t> row_of_slot;
    for (std::size_t l = 0; l < net.links().size(); ++l) {
        LinkRecord const& link = net[Link{l}];
        bool const between_switches =
            net[link.from].kind == NodeKind::switch_node && net[link.to].kind == NodeKind::switch_node;
        bool const forwards = fabric.tables.has_table(link.from) && fabric.tables.has_table(link.to);
        if (implied && !between_switches && !forwards) continue;
        slot_of_link[l] = static_cast<std::uint32_t>(store.slot_link.size());
        store.slot_link.push_back(Link{l});
        row_of_slot.push_back(RouteTree::row_of(link.to));
    }
    store.inner = static_cast<std::uint32_t>(store.slot_link.size());
    Packer const packer{slot_of_link, store.inner};

    std::vector<std::uint32_t> group_start(start);
    std::sort(group_start.begin(), group_start.end());
    group_start.erase(std::unique(group_start.begin(), group_start.end()), group_start.end());
    std::vector<std::uint32_t> sources_of(group_start.size(), 0);
    store.group.resize(seats.size());
    for (std::size_t s = 0; s < seats.size(); ++s) {
        auto const at = std::lower_bound(group_start.begin(), group_start.end(), start[s]);
        store.group[s] = static_cast<std::uint32_t>(at - group_start.begin());
        ++sources_of[store.group[s]];
    }

    // First look: fates and lengths decide the form.
    auto const count = static_cast<std::int64_t>(seats.size());
    std::uint32_t longest = 0;
    std::uint64_t delivered = 0, failed = 0, links = 0;
#pragma omp parallel reduction(max : longest) reduction(+ : delivered, failed, links)
    {
        RouteTree tree(fabric, extra);
#pragma omp for schedule(dynamic, 16)
        for (std::int64_t d = 0; d < count; ++d) {
            tree.resolve(seats[std::size_t(d)], group_start);
            for (std::size_t g = 0; g < group_start.size(); ++g) {
                std::uint64_t const sources = sources_of[g] - (store.group[std::size_t(d)] == g ? 1 : 0);
                if (sources == 0) continue;
                RouteTree::Step const& step = tree[group_start[g]];
                if (step.fate != Fate::delivered) {
                    failed += sources;
                    continue;
                }
                delivered += sources;
                links += sources * (step.left + (implied ? 1 : 0));
                longest = std::max(longest, step.left - (implied ? 1 : 0));
            }
        }
    }
    store.sum_up(delivered, failed, links, longest);

    std::size_t const row_bytes = store.choose_rows(row_widths16, row_widths32);
    bool const rows_fit = row_bytes > 0 && seats.size() * group_start.size() <= row_byte_limit / row_bytes;

    char const* const packed = "the routes between the hosts of the study";
    char const* const advice =
        "study fewer ranks, or evaluate without tables (--routes arithmetic where routes have a formula, --routes "
        "trees)";
    if (rows_fit) {
        store.groups = static_cast<std::uint32_t>(group_start.size());
        require_memory(packed, seats.size() * group_start.size() * row_bytes, advice);
        store.rows = HugeBuffer(seats.size() * group_start.size() * row_bytes);
    } else {
        store.form = RouteForm::steps;
        store.row_width = 0;
        store.node_rows = static_cast<std::uint32_t>(net.nodes().size() + extra.size());
        store.groups = store.node_rows;
        store.group = start;
        store.head = row_of_slot;
        require_memory(packed, std::uint64_t{store.node_rows} * seats.size() * sizeof store.steps[0], advice);
        store.steps.assign(std::size_t(store.node_rows) * seats.size(),
                           store.inner + static_cast<std::uint32_t>(Fate::unreachable));
    }

#pragma omp parallel
    {
        RouteTree tree(fabric, extra);
        std::vector<std::uint32_t> route(store.row_width);
#pragma omp for schedule(dynamic, 16)
        for (std::int64_t d = 0; d < count; ++d) {
            auto const seat = static_cast<std::size_t>(d);
            tree.resolve(seats[seat], group_start);
            if (!rows_fit) {
                for (std::uint32_t const r : tree.passed()) store.steps[r * seats.size() + seat] = packer.code(tree[r]);
                // Whoever gets to the destination's own row has arrived.
                store.steps[RouteTree::row_of(net[seats[seat]].node) * seats.size() + seat] = store.inner;
                continue;
            }
            for (std::size_t g = 0; g < group_start.size(); ++g) {
                std::fill(route.begin(), route.end(), store.inner);
                bool const own_only = sources_of[g] == 1 && store.group[seat] == g;
                std::uint32_t row = group_start[g];
                for (std::uint32_t used = 0; !own_only;) {
                    std::uint32_t const slot = packer.code(tree[row]);
                    if (slot > store.inner && used == 0)
                        route[0] = slot;  // fails at the start: a code instead of a route
                    if (slot >= store.inner) break;
                    route[used++] = slot;
                    if (tree[row].left == 1) break;
                    row = row_of_slot[slot];
                }
                store.put_row(g * seats.size() + seat, route);
            }
        }
    }

    store.find_sums();
    store.add_outer_slots(net, seats, down, costs);
    return store;
}

void RouteStore::find_sums() {
    std::uint32_t const slot_bits = form == RouteForm::rows16 ? 16 : 32;
    if (rows.size() <= nearest_route_bytes || !all_delivered) return;
    if (row_width * slot_bits == 32) {
        std::vector<std::uint64_t> const words = widened_rows(rows.data(), std::size_t{groups} * group.size());
        if (!words.empty()) sums = find_route_sums({words.data(), 1, slot_bits, inner, longest, groups, group});
        return;
    }
    sums = find_route_sums({reinterpret_cast<std::uint64_t const*>(rows.data()), row_width * slot_bits / 64, slot_bits,
                            inner, longest, groups, group});
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
    form = narrow ? RouteForm::rows16 : RouteForm::rows32;
    row_width = 0;
    for (std::uint32_t const width : narrow ? widths16 : widths32)
        if (width >= longest && row_width == 0) row_width = width;
    return row_width * (narrow ? sizeof(std::uint16_t) : sizeof(std::uint32_t));
}

void RouteStore::put_row(std::size_t place, std::span<std::uint32_t const> route) {
    if (form == RouteForm::rows32) {
        std::memcpy(rows.data() + place * route.size_bytes(), route.data(), route.size_bytes());
        return;
    }
    std::byte* const to = rows.data() + place * route.size() * sizeof(std::uint16_t);
    for (std::size_t k = 0; k < route.size(); ++k) {
        auto const slot = static_cast<std::uint16_t>(route[k]);
        std::memcpy(to + k * sizeof slot, &slot, sizeof slot);
    }
}

void RouteStore::add_outer_slots(Network const& network, std::vector<Host> const& seats, std::vector<Link> const& down,
                                 LinkCosts const& costs) {
    for (int k = 0; k < 4; ++k) slot_link.push_back(Link{});
    for (Host const host : seats) slot_link.push_back(host_links_implied ? network.up_link(host) : Link{});
    for (std::size_t s = 0; s < seats.size(); ++s) slot_link.push_back(host_links_implied ? down[s] : Link{});
    slots = static_cast<std::uint32_t>(slot_link.size());
    if (!costs.cost.empty())
        for (Link const link : slot_link) slot_cost.push_back(link.exists() ? costs.cost[link.value] : 0);
}

void RouteStore::describe(Problem& problem) const {
    problem.group = group.data();
    problem.groups = groups;
    problem.form = form;
    problem.row_width = row_width;
    problem.rows = rows.data();
    problem.sums = sums.empty() ? SumsView{}
                                : SumsView{sums.source.data(), sums.destination.data(), sums.block_of_group.data(),
                                           sums.block_of_seat.data()};
    problem.steps = steps.data();
    problem.node_rows = node_rows;
    problem.head = head.data();
    problem.inner = inner;
    problem.slots = slots;
    problem.cost = slot_cost.empty() ? nullptr : slot_cost.data();
    problem.all_delivered = all_delivered;
    problem.far_routes = rows.size() + steps.size() * sizeof steps[0] > near_route_bytes;
}

}  // namespace tailback
