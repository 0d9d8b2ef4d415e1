// Codes of diagnoses: a row each says its name, its kind, what it means and what to do. Whoever finds something wrong
// gives the code; the sentence about the place is made where it is found.
#pragma once

#include "host/diagnosis/disagreement.hpp"
#include "host/diagnosis/kind.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tailback::diagnosis {

/// In the order of the rows (codes_of_*.cpp), which say what each is.
enum class Code : std::uint8_t {
    // codes_of_files.cpp: of files that tell a network
    port_with_two_cables,
    cable_from_one_end,
    cable_ends_disagree,
    cable_beyond_ports,
    port_not_active,
    port_without_lid,
    host_without_cable,
    lid_owned_twice,
    odd_lid,
    lid_told_twice,
    port_guid_told_twice,
    node_id_told_twice,
    two_nodes_one_guid,
    node_listed_twice,
    node_without_record,
    node_line_lost,
    topology_cut_off,
    line_not_understood,
    file_unreadable,
    file_damaged,
    file_of_another_run,
    node_in_one_file,
    node_missing_in_file,
    cable_differs,
    cable_missing_in_file,
    rate_differs,
    lid_differs,
    port_guid_differs,
    name_differs,
    state_differs,
    lid_from_another_file,
    lid_not_taken,
    section_missing,
    section_cut_off,
    section_twice,
    section_unlike_index,
    column_missing,
    odd_number,
    odd_row,
    row_of_unknown_node,
    row_missing,
    speed_unknown,
    node_kind_unknown,
    attribute_not_read,
    comment_names_no_node,
    more_than_listed,
    // codes_of_tables.cpp: of files that tell routes, and of what tables and topology say of each other
    switch_without_table,
    tables_cut_off,
    table_cut_off,
    table_incomplete,
    table_without_name,
    table_of_unknown_switch,
    two_tables_one_switch,
    table_header_lid,
    table_of_another_switch,
    tables_of_another_day,
    files_of_two_days,
    hosts_moved,
    table_missing_in_file,
    lid_missing_in_file,
    tables_differ,
    tables_of_another_run,
    groups_of_another_run,
    groups_unreadable,
    private_table_not_followed,
    private_tables_do_not_fit,
    group_unknown,
    group_defined_twice,
    entry_twice,
    entry_out_of_range,
    entries_above_top,
    port_without_cable,
    port_beyond_switch,
    lid_without_owner,
    lids_of_another_day,
    lid_of_another_owner,
    lid_changed,
    lid_misaligned,
    lid_ranges_overlap,
    port_guid_of_two_ports,
    virtual_lid_elsewhere,
    lanes_of_unknown_port,
    lanes_told_twice,
    level_of_unknown_path,
    level_told_twice,
    lane_file_cut_off,
    path_without_level,
    turn_without_lanes,
    node_not_up,
    cable_gone,
    switch_gone,
    swapped_cables,
    rates_of_ends_differ,
    // codes_of_routers.cpp: of folders of routers
    neighbour_hears_not_back,
    neighbour_ports_differ,
    neighbour_heard_twice,
    two_neighbours_on_port,
    cable_not_heard,
    neighbour_without_name,
    neighbours_missing,
    routes_missing,
    folder_is_copy,
    device_of_two_names,
    swapped_files,
    addresses_of_another_device,
    second_file_differs,
    route_not_understood,
    next_hop_incomplete,
    odd_weight,
    lag_member_elsewhere,
    black_hole,
    router_without_routes,
    no_route_to_host,
    sends_to_no_neighbour,
    router_gone,
    host_not_heard,
    network_elsewhere,
    hosts_on_wrong_routers,
    host_without_address,
    address_in_no_network,
    address_outside_network,
    address_of_two_hosts,
    address_of_two_routers,
    address_of_two_cables,
    address_of_host_and_router,
    address_of_another_host,
    address_elsewhere,
    networks_of_cable_differ,
    gateway_not_at_far_end,
    // codes_of_routes.cpp: of the routes themselves
    parts_not_joined,
    no_entry,
    no_table,
    keeps_foreign_lid,
    sends_beyond_ports,
    sends_to_no_cable,
    lid_in_no_table,
    lid_in_own_table_alone,
    source_without_cable,
    lane_15,
    forwarding_loop,
    more_loops,
    wrong_host,
    swapped_hosts,
    channel_cycle,
    choices_cycle,
    choice_ends,
    choice_to_no_cable,
    choice_beyond_ports,
    choice_to_wrong_host,
    choice_loop,
    group_empty,
    group_without_static,
    entry_without_group,
    group_unlike_others,
    switch_without_choices,
    router_sessions_down,
    router_avoided,
    cable_without_routes,
    next_hops_missing,
    route_withheld,
    switch_lid_dropped,
    switch_lid_loop,
    switch_lid_misdelivered,
    aggregation_dropped,
    aggregation_loop,
    aggregation_misdelivered,
    slow_cable,
    virtual_lids_delivered,
    virtual_lids_above_top,
    up_after_down,
    longer_than_shortest,
    other_way_back,
    cable_unused,
};

struct CodeInfo {
    Code code;
    char const* id;                     ///< as reports and `--fail-on` spell it; does not change once it is released
    std::optional<FindingKind> kind;    ///< of its findings; none = it is a warning alone
    std::optional<Disagreement> noted;  ///< what a reader counts it as; none = no reader notes it
    char const* title;                  ///< what is found, in a few words
    char const* meaning;                ///< sentences: where it usually comes from
    char const* remedy;                 ///< sentences: what to do
};

/// In the order of the enumeration.
std::span<CodeInfo const> all_codes();
CodeInfo const& info_of(Code code);
std::optional<Code> code_of(std::string_view id);

/// Of one that has findings. @throws std::logic_error for another
FindingKind kind_of(Code code);
/// Of one that readers note. @throws std::logic_error for another
Disagreement disagreement_of(Code code);

}  // namespace tailback::diagnosis
