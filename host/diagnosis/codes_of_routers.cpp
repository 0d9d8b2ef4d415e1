// What is wrong in a folder of what routers and hosts tell.
#include "host/diagnosis/code_rows.hpp"
#include "host/diagnosis/registry.hpp"

#include <iterator>

namespace tailback::diagnosis {
namespace {

using enum Disagreement;

constexpr char const* look_at_lldp = "Look at `lldpctl` at both ends; collect the files again.";
constexpr char const* collect_devices = "Collect the files of the devices again.";
constexpr char const* mend_address = "Compare `ip addr` and the configuration of the devices that are named.";

constexpr CodeInfo routers_rows[] = {
    noted(Code::neighbour_hears_not_back, "neighbour-hears-not-back", one_sided_cable, "one end alone hears the other",
          "An LLDP session is one-sided: the other end tells nobody there.", look_at_lldp),
    noted(Code::neighbour_ports_differ, "neighbour-ports-differ", one_sided_cable,
          "the ends call an interface otherwise",
          "The name counts by which the router's own routes go, or the cable of the other end. A router that hears "
          "neighbours on each other's ports has an old file of neighbours.",
          look_at_lldp),
    noted(Code::neighbour_heard_twice, "neighbour-heard-twice", one_sided_cable, "two interfaces hear one port",
          "One of them tells an old neighbour, or two hosts have one name. The router counts that has a network of the "
          "address that the host tells, or the first.",
          look_at_lldp),
    noted(Code::two_neighbours_on_port, "two-neighbours-on-port", one_sided_cable, "a port hears two neighbours",
          "The first counts: a switch that nobody manages is between them, or an old neighbour was not forgotten.",
          look_at_lldp),
    noted(Code::cable_not_heard, "cable-not-heard", one_sided_cable, "routes use a cable that nobody hears",
          "Both ends are in one network (/29 to /31), routes go by it, and LLDP is silent at both. A cable is taken to "
          "be there.",
          "Run `lldpd` at one end. If it is a LAG, collect `ip -j addr`, which tells its members."),
    noted(Code::neighbour_without_name, "neighbour-without-name", unparsed_line, "a neighbour has no name",
          "It is left out.", "Give it a host name."),
    noted(Code::neighbours_missing, "neighbours-missing", damaged_file, "the neighbours of a router are not known",
          "Its file of LLDP is missing, damaged, or another device's: cables are known from their other ends alone, "
          "and hosts that hang off it are missing.",
          "Collect `lldpctl -f json` of it."),
    noted(Code::routes_missing, "routes-missing", damaged_file, "the routes of a router are not known",
          "Its file of routes is missing, damaged, of another table (VRF), or another device's. Packets end there.",
          "Collect `vtysh -c 'show ip route json'` or `ip -j route` of it."),
    noted(Code::folder_is_copy, "folder-is-copy", routers_disagree, "a folder is a copy of another",
          "It hears what another device hears, port by port, and nobody hears it. It is left out.", collect_devices),
    noted(Code::device_of_two_names, "device-of-two-names", routers_disagree,
          "LLDP calls a device otherwise than the folder does",
          "Neighbours hear the same end of a cable under another name; or several devices have one name. What it is "
          "taken as is said.",
          "Name the folder as LLDP does, and give each device a name of its own."),
    noted(Code::swapped_files, "swapped-files", routers_disagree, "the files of two devices are swapped",
          "All files, or routes, addresses or neighbours alone, fit the other device. They are read as if they were "
          "swapped back.",
          collect_devices),
    noted(Code::addresses_of_another_device, "addresses-of-another-device", routers_disagree,
          "the addresses are another device's", "Its routes contradict them, and its routes fit its neighbours'.",
          collect_devices),
    noted(Code::second_file_differs, "second-file-differs", routers_disagree, "a second file tells otherwise",
          "The folder of a device has two files of one sort that differ. Which counts is said.",
          "Leave the older one out."),
    noted(Code::route_not_understood, "route-not-understood", unparsed_line, "a route was not understood",
          "What stands for its destination is not a network. It is left out.", collect_devices),
    noted(Code::next_hop_incomplete, "next-hop-incomplete", unparsed_line,
          "a next hop names neither a device nor a gateway", "It is left out, and so is a route that has no other.",
          collect_devices),
    noted(Code::odd_weight, "odd-weight", unparsed_line, "a weight is not a number from 1 to 65535", "1 is taken.",
          collect_devices),
    noted(Code::lag_member_elsewhere, "lag-member-elsewhere", routers_disagree,
          "a member of a LAG leads to another router",
          "A cable is in the wrong port. Packets of the LAG are taken to go by its other members.",
          "Move the cable, or take the member out of the LAG."),
    noted(Code::black_hole, "black-hole", Disagreement::black_hole,
          "a router drops packets: a route without a next hop",
          "A black hole (a discard or null route), or all next hops of the route are down.",
          "Look at `show ip route` of that prefix. Remove the discard route, or bring the next hops up."),
    noted(Code::router_without_routes, "router-without-routes", Disagreement::router_without_routes,
          "a router has no route by any of its cables",
          "Its sessions to other routers seem to be down, while hosts hang off it or others send to it.",
          "Look at `show bgp summary` there."),
    noted(Code::no_route_to_host, "no-route-to-host", routers_disagree, "no router has a route for an address",
          "The network of the host is missing at its own router.", "Look at the interface of the router to that host."),
    noted(Code::sends_to_no_neighbour, "sends-to-no-neighbour", routers_disagree,
          "packets are sent to an interface where LLDP hears nobody",
          "The cable is out, or the far end runs no `lldpd`. One finding names all of them.",
          "Check the cable. If it is a LAG, collect `ip -j addr`, which tells its members."),
    noted(Code::router_gone, "router-gone", routers_disagree, "a router is gone",
          "Several routers without hosts have routes, like those to other hosts, by ports where LLDP hears nobody.",
          "Bring it back, or collect its files."),
    noted(Code::host_not_heard, "host-not-heard", routers_disagree, "a host is gone",
          "A router has a network of an address that a host's own file tells, or a route to a single address by a "
          "port, and nobody is heard there.",
          "Plug it in, or run `lldpd` on it: it is not in the network."),
    noted(Code::network_elsewhere, "network-elsewhere", routers_disagree,
          "a router has a network whose hosts hang off another router",
          "The host is cabled elsewhere, or the network is of two routers.", mend_address),
    noted(Code::hosts_on_wrong_routers, "hosts-on-wrong-routers", routers_disagree,
          "two hosts each hang off the other's router", "Their cables, or their addresses, are swapped.", mend_address),
    noted(Code::host_without_address, "host-without-address", damaged_file, "no address of a host is known",
          "No file and no neighbour tells it, so nobody can be said to send to it.",
          "Put `ip -j addr` of each into a folder with its name."),
    noted(Code::address_in_no_network, "address-in-no-network", routers_disagree,
          "a host tells an address that its router has no network of",
          "The host's address is wrong, or the router's network.", mend_address),
    noted(Code::address_outside_network, "address-outside-network", routers_disagree,
          "an address is outside the network of its interface",
          "The addresses and the connected routes of a device do not fit.", mend_address),
    noted(Code::address_of_two_hosts, "address-of-two-hosts", routers_disagree, "two hosts have one address",
          "Packets for it reach one of them.", mend_address),
    noted(Code::address_of_two_routers, "address-of-two-routers", routers_disagree,
          "two routers have one loopback address",
          "Neither has another there (beside those that are shared on purpose).", mend_address),
    noted(Code::address_of_two_cables, "address-of-two-cables", routers_disagree,
          "two cables between routers have one address", "An address was given twice.", mend_address),
    noted(Code::address_of_host_and_router, "address-of-host-and-router", routers_disagree,
          "a host has the address of a router", "Packets of the hosts around it go to the wrong one.", mend_address),
    noted(Code::address_of_another_host, "address-of-another-host", routers_disagree,
          "a host tells an address that is another's by the routes",
          "Where each tells the other's, their cables or their addresses are swapped.", mend_address),
    noted(
        Code::address_elsewhere, "address-elsewhere", routers_disagree,
        "a router's route for a host goes by another interface",
        "The host tells its address at one port of the router, and the network of it is on another. The cable counts.",
        mend_address),
    noted(
        Code::networks_of_cable_differ, "networks-of-cable-differ", routers_disagree,
        "the two ends of a cable are in networks of their own",
        "An address is wrong; or two cables are swapped, where another has the same two networks the other way round.",
        mend_address),
    noted(Code::gateway_not_at_far_end, "gateway-not-at-far-end", routers_disagree,
          "a gateway is not an address of the router at the other end",
          "The cable leads to another router than the routes think, or an address is wrong. The cable counts.",
          mend_address),
};

constexpr char const* look_at_routes =
    "Collect all files again, one right after the other. If it stays, look at `show ip route` and `show bgp summary` "
    "of "
    "the router.";

constexpr WordsOfIp of_routers[] = {
    {Code::port_without_cable, "routes go by an interface without a cable",
     "The interface is down or its cable was pulled, and the route is still there: look at `show interface` of the "
     "router. Other routers learn of it when the routing protocol tells them."},
    {Code::sends_to_no_cable, "routes go by an interface without a cable",
     "The interface is down or its cable was pulled, and the route is still there: look at `show interface` of the "
     "router."},
    {Code::no_entry, "no route", look_at_routes},
    {Code::no_table, "no routes are known of a router", "Collect its file of routes (`show ip route json`)."},
    {Code::lid_in_no_table, "no router has a route to a host", look_at_routes},
    {Code::lid_in_own_table_alone, "no router but the host's own has a route to it", look_at_routes},
    {Code::wrong_host, "packets arrive at another host", look_at_routes},
    {Code::swapped_hosts, "two hosts get each other's packets", "Look whether their cables or addresses are swapped."},
    {Code::forwarding_loop, "packets run in a circle", look_at_routes},
};

}  // namespace

void register_routers(Registry& registry) {
    registry.codes_of_ip.insert(registry.codes_of_ip.end(), std::begin(routers_rows), std::end(routers_rows));
    registry.words_of_ip.insert(registry.words_of_ip.end(), std::begin(of_routers), std::end(of_routers));
}

}  // namespace tailback::diagnosis
