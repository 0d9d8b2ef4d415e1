// A problem's arrays in device memory.
#pragma once

#include "kernels/cuda/memory.cuh"
#include "kernels/evaluate/problem.hpp"
#include "kernels/route_packer.hpp"

#include <algorithm>
#include <vector>

namespace tailback::kernels {

/// The problem's arrays in the current device's memory, and a Problem that points to them.
class DeviceProblem {
public:
    explicit DeviceProblem(Problem const& p) : view(p) {
        put_placement(view.placement);
        put_traffic(view.traffic, p.placement.study_hosts);
        put_routes(view.routes, p.placement.study_hosts);
        put_measures(view.measures, p.routes.slots);
    }
    Problem view;

private:
    void put_placement(PlacementView& placement) {
        NodesView& nodes = placement.nodes;
        std::size_t const entries = nodes.aligned != nullptr ? aligned_entries(placement) : 0;
        put(placement.listed, placement.listed_mappings * placement.ranks);
        put(nodes.node, placement.study_hosts);
        put(nodes.rail, nodes.aligned != nullptr ? placement.study_hosts : 0);
        put(nodes.aligned, entries);
    }
    void put_traffic(TrafficView& traffic, std::uint32_t hosts) {
        put(traffic.flows, traffic.flow_count);
        put(traffic.min_congestions, traffic.flow_count);
        put(traffic.weights, traffic.flow_count);
        put(traffic.min_loads, traffic.flow_count);
        put(traffic.levels, traffic.level_count);
        AllToAllView& all_to_all = traffic.all_to_all;
        if (!all_to_all) return;
        put(all_to_all.class_of_host, hosts);
        put(all_to_all.first, all_to_all.classes + 1);
        put(all_to_all.hosts, hosts);
    }
    void put_routes(RoutesView& routes, std::uint32_t hosts) {
        put(routes.group, hosts);
        put(routes.lids.turn, routes.lids.messages);
        put(routes.head, routes.form == RouteForm::steps ? routes.inner : 0);
        put(routes.steps, std::size_t(routes.node_rows) * hosts);
        put(routes.cost, routes.slots);
        if (routes.form == RouteForm::dragonfly || routes.form == RouteForm::dragonfly_by_middle) {
            DragonflyView& dragonfly = routes.formula.dragonfly;
            put(dragonfly.links, std::size_t(dragonfly.groups) * dragonfly.groups * dragonfly.rounds);
        }
        put_rows(routes, hosts);
        routes.rows_on_device = nullptr;  // the host's way to them
        routes.sums = {};                 // they come as SummedView
    }
    void put_rows(RoutesView& routes, std::uint32_t hosts) {
        if (is_here(routes.rows_on_device)) {
            routes.rows = routes.rows_on_device->rows();
            return;
        }
        std::size_t const row_bytes = routes.row_width * (routes.form == RouteForm::rows16 ? 2 : 4);
        auto const* rows = static_cast<unsigned char const*>(routes.rows);
        put(rows, std::size_t(routes.groups) * hosts * row_bytes);
        routes.rows = rows;
    }
    void put_measures(MeasuresView& measures, std::uint32_t slots) {
        put(measures.sharing.capacity, slots);
        put(measures.share, std::size_t(measures.max_congestion) + 1);
    }

    /// Copies an array, if there is one, and points to the copy.
    template <class Item>
    void put(Item const*& array, std::size_t count) {
        auto const* const bytes = reinterpret_cast<unsigned char const*>(array);
        arrays_.push_back(upload(bytes, count * sizeof(Item)));
        array = reinterpret_cast<Item const*>(arrays_.back().data());
    }
    /// Whether rows lie in the current device's memory.
    static bool is_here(DeviceRows const* rows) {
        int current = 0;
        check(cudaGetDevice(&current), "finding the current device");
        return rows != nullptr && rows->device() == current;
    }
    static std::size_t aligned_entries(PlacementView const& placement) {
        std::uint32_t const* const node = placement.nodes.node;
        return (std::size_t{*std::max_element(node, node + placement.study_hosts)} + 1) * placement.nodes.rails;
    }

    std::vector<DeviceArray<unsigned char>> arrays_;
};

}  // namespace tailback::kernels
