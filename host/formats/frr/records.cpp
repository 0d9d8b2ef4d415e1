// The JSON files of one device.
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/formats/frr/documents.hpp"
#include "host/formats/frr/frr.hpp"
#include "host/formats/frr/odd_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>

namespace tailback::formats {
namespace {

constexpr std::size_t most_next_hops = 4096, most_weight = 65535, most_neighbours = 4096;

std::optional<std::uint32_t> address_of(std::string_view text) {
    std::optional<Prefix> const prefix = parse_prefix(text);
    return prefix && prefix->length == 32 && text != "default" ? std::optional(prefix->address) : std::nullopt;
}

/// Of a device that nobody named.
bool is_everybodys_name(std::string_view name) {
    return name == "localhost" || name.starts_with("localhost.") || name == "(none)";
}

bool is_prefix_of_any_family(std::string const& words) {
    return parse_prefix(words) || words.find(':') != std::string::npos;
}

/// Addresses that are none.
class BadAddresses {
public:
    /// IPv6 is not looked at, and what is not there is not odd.
    void look_at(std::string const& address, std::string const& at, std::uint64_t length = 32) {
        bool const is_fine = address.empty() || address.find(':') != std::string::npos || address_of(address);
        if (is_fine && length <= 32) return;
        found_.count(fmt::format("\"{}{}\" at {}", base::printable(address.substr(0, 40)),
                                 length <= 32 ? "" : fmt::format("/{}", length), base::printable(at.substr(0, 40))));
    }
    void note(model::Disagreements& disagreements, io::LineReader const& lines) const {
        found_.note(disagreements, lines, diagnosis::Code::file_damaged,
                    {"address is none", "addresses are none", "what they tell is left out"});
    }

private:
    OddValues found_;
};

/// What is odd in the routes of a file.
class OddRoutes {
public:
    std::uint32_t weight_of(Json const& hop, std::string const& route) {
        auto const at = hop.find("weight");
        if (at == hop.end()) return 1;
        std::uint64_t const weight = at->is_number_unsigned() ? at->get<std::uint64_t>() : 0;
        if (weight > 0 && weight <= most_weight) return static_cast<std::uint32_t>(weight);
        weights_.count(at->dump().substr(0, 40) + " of " + route.substr(0, 40));
        return 1;
    }
    /// A next hop that tells neither a device nor a gateway.
    void count_incomplete(std::string const& route) { incomplete_.count("of " + route.substr(0, 40)); }
    void look_at(std::string const& address, std::string const& route) { addresses_.look_at(address, route); }
    void note(model::Disagreements& disagreements, io::LineReader const& lines) const {
        weights_.note(disagreements, lines, diagnosis::Code::odd_weight,
                      {"next hop has a weight that is not a number from 1 to 65535",
                       "next hops have weights that are not a number from 1 to 65535", "1 is taken"});
        incomplete_.note(
            disagreements, lines, diagnosis::Code::next_hop_incomplete,
            {"next hop names neither a device nor a gateway", "next hops name neither a device nor a gateway",
             "such a next hop is left out, and so is a route that has no other"});
        addresses_.note(disagreements, lines);
    }

private:
    OddValues weights_, incomplete_;
    BadAddresses addresses_;
};

/// Of FRR: a next hop that packets take, but for its weight. One that only led to others by recursion is none.
std::optional<IpNextHop> frr_next_hop(Json const& hop) {
    if (!hop.is_object() || flag_of(hop, "recursive") || flag_of(hop, "duplicate") || flag_of(hop, "linkDown"))
        return std::nullopt;
    if (hop.contains("fib") ? !flag_of(hop, "fib") : !flag_of(hop, "active")) return std::nullopt;
    if (flag_of(hop, "blackhole") || flag_of(hop, "unreachable") || flag_of(hop, "reject")) return std::nullopt;
    IpNextHop found;
    found.interface = text_of(hop, "interfaceName");
    found.has_gateway = hop.contains("ip");
    found.gateway = address_of(text_of(hop, "ip")).value_or(0);
    return found;
}
bool is_incomplete(IpNextHop const& hop) { return hop.interface.empty() && hop.gateway == 0; }

/// Does FRR say of some route that the kernel has it? Others without that word it then has not.
bool tell_installed(Json const& json) {
    for (Json const& records : json)
        if (records.is_array())
            for (Json const& record : records)
                if (record.is_object() && flag_of(record, "installed")) return true;
    return false;
}

bool is_in_use(Json const& record, bool tells_installed) {
    if (record.contains("installed")) return flag_of(record, "installed");
    if (!flag_of(record, "selected")) return false;
    std::vector<Json const*> const hops = list_of(record, "nexthops");
    return !tells_installed || std::any_of(hops.begin(), hops.end(),
                                           [](Json const* hop) { return hop->is_object() && flag_of(*hop, "fib"); });
}

/// `{"10.0.0.0/8": [{"protocol": .., "selected": true, "nexthops": [..]}, ..], ..}`
IpRoutes frr_routes(Json const& json, io::LineReader const& lines, model::Disagreements& disagreements,
                    OddRoutes& odd) {
    IpRoutes found;
    auto const is_prefix = [](auto const& one) { return is_prefix_of_any_family(one.key()); };
    auto const keys = json.items();
    if (!json.empty() && std::none_of(keys.begin(), keys.end(), is_prefix))
        throw base::InputError(
            {lines.name(), 0}, "the file has no routes",
            "it begins with \"" + base::printable(keys.begin().key().substr(0, 60)) + "\": another command's answer",
            "give what `show ip route json` prints");
    bool const tells_installed = tell_installed(json);
    for (auto const& [words, records] : json.items()) {
        std::optional<Prefix> const prefix = parse_prefix(words);
        if (!prefix || !records.is_array()) {
            if (words.find(':') != std::string::npos) ++found.of_ipv6;
            else
                note_of_file(disagreements, diagnosis::Code::route_not_understood, lines,
                             "\"" + words.substr(0, 60) + "\" is not a route");
            continue;
        }
        for (Json const& record : records) {
            if (!record.is_object() || (!flag_of(record, "selected") && records.size() > 1)) continue;
            if (!is_in_use(record, tells_installed)) continue;
            if (text_of(record, "protocol") == "local") continue;
            if (found.vrf.empty()) found.vrf = text_of(record, "vrfName");
            IpRoute route{*prefix, {}};
            bool is_whole = true;
            for (Json const* hop : list_of(record, "nexthops"))
                if (auto next = frr_next_hop(*hop); next && route.next_hops.size() < most_next_hops) {
                    odd.look_at(text_of(*hop, "ip"), words);
                    if (is_incomplete(*next)) {
                        odd.count_incomplete(words);
                        is_whole = false;
                        continue;
                    }
                    next->weight = odd.weight_of(*hop, words);
                    route.next_hops.push_back(std::move(*next));
                }
            if (is_whole || !route.next_hops.empty()) found.routes.push_back(std::move(route));
            break;
        }
    }
    for (auto const& [words, records] : json.items())
        for (Json const* record : list_of(json, words.c_str()))
            if (auto const own = address_of(words.substr(0, words.find('/')));
                own && record->is_object() && text_of(*record, "protocol") == "local")
                for (Json const* hop : list_of(*record, "nexthops"))
                    if (hop->is_object()) found.own.push_back({text_of(*hop, "interfaceName"), {*own, 32}});
    return found;
}

bool is_dead(Json const& object) {
    for (Json const* word : list_of(object, "flags"))
        if (word->is_string() && (*word == "dead" || *word == "linkdown")) return true;
    return false;
}

IpNextHop kernel_next_hop(Json const& hop, std::uint32_t weight) {
    IpNextHop found;
    found.interface = text_of(hop, "dev");
    found.has_gateway = hop.contains("gateway") || hop.contains("via");
    found.gateway = address_of(text_of(hop, "gateway")).value_or(0);
    found.weight = weight;
    return found;
}

/// `[{"dst": "10.0.0.0/8", "gateway": .., "dev": ..}, {"dst": .., "nexthops": [..]}, ..]`
IpRoutes kernel_routes(Json const& json, io::LineReader const& lines, model::Disagreements& disagreements,
                       OddRoutes& odd) {
    IpRoutes found;
    found.of_kernel = true;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint64_t, std::size_t>> best;  // metric, place
    for (Json const& record : json) {
        if (!record.is_object()) continue;
        std::string const words = text_of(record, "dst"), type = text_of(record, "type");
        std::optional<Prefix> const prefix = parse_prefix(words);
        if (!prefix) {
            if (words.find(':') != std::string::npos) ++found.of_ipv6;
            else
                note_of_file(disagreements, diagnosis::Code::route_not_understood, lines,
                             "\"" + words.substr(0, 60) + "\" is not a destination of a route");
            continue;
        }
        if (type == "local" || type == "broadcast" || type == "multicast") continue;
        IpRoute route{*prefix, {}};
        if (type.empty() || type == "unicast") {
            bool is_whole = true;
            auto const take = [&](Json const& hop) {
                IpNextHop next = kernel_next_hop(hop, odd.weight_of(hop, words));
                odd.look_at(text_of(hop, "gateway"), words);
                if (is_incomplete(next)) odd.count_incomplete(words), is_whole = false;
                else route.next_hops.push_back(std::move(next));
            };
            for (Json const* hop : list_of(record, "nexthops"))
                if (hop->is_object() && !is_dead(*hop) && route.next_hops.size() < most_next_hops) take(*hop);
            if (!record.contains("nexthops")) {
                bool const is_by_number = !record.contains("dev") && !record.contains("gateway") &&
                                          !record.contains("via") && number_of(record, "nhid", 0) != 0;
                if (is_by_number) route.next_hop_object = number_of(record, "nhid", 0);
                else if (!is_dead(record)) take(record);
            }
            if (!is_whole && route.next_hops.empty()) continue;
        }
        if (auto const own = address_of(text_of(record, "prefsrc")); own && !text_of(record, "dev").empty())
            found.own.push_back({text_of(record, "dev"), {*own, prefix->length}});
        std::uint64_t const metric = number_of(record, "metric", 0);
        auto const [at, first] = best.try_emplace({prefix->address, prefix->length}, metric, found.routes.size());
        if (first) found.routes.push_back(std::move(route));
        else if (metric < at->second.first) {
            found.routes[at->second.second] = std::move(route);
            at->second.first = metric;
        }
    }
    return found;
}

/// Why a link sends nothing; empty: it may.
std::string idle(Json const& link) {
    bool is_up = false, has_flags = false;
    for (Json const* word : list_of(link, "flags")) {
        has_flags = true;
        if (*word == "NO-CARRIER") return is_down;
        is_up |= *word == "UP";
    }
    std::string const state = text_of(link, "operstate");
    if ((has_flags && !is_up) || state == "DOWN" || state == "LOWERLAYERDOWN") return is_down;
    Json const& info = object_of(link, "linkinfo");
    if (!info.is_object()) return {};
    Json const& as_member = object_of(info, "info_slave_data");
    if (!as_member.is_object()) return {};
    if (text_of(as_member, "mii_status") == "DOWN") return is_down;
    return text_of(as_member, "state") == "BACKUP" ? "is a backup" : "";
}

bool has_addresses(Json const& array) {
    return array.is_array() && std::any_of(array.begin(), array.end(), [](Json const& one) {
               return one.is_object() && one.contains("addr_info");
           });
}

IpLink ip_link(Json const& link) {
    IpLink found;
    found.name = text_of(link, "ifname");
    found.master = text_of(link, "master");
    found.below = text_of(link, "link");
    for (Json const* word : list_of(link, "flags")) found.is_bond_member |= *word == "SLAVE";
    if (Json const& info = object_of(link, "linkinfo"); info.is_object()) {
        found.kind = text_of(info, "info_kind");
        found.member_kind = text_of(info, "info_slave_kind");
    }
    found.idle = idle(link);
    return found;
}

/// `ip -j nexthop`
bool has_next_hops(Json const& array) {
    return array.is_array() && std::any_of(array.begin(), array.end(), [](Json const& one) {
               return one.is_object() && one.contains("id") && !one.contains("dst") && !one.contains("ifname");
           });
}
/// `[{"id": 30, "gateway": .., "dev": ..}, {"id": 33, "group": [{"id": 30, "weight": 2}, ..]}, ..]`
void add_next_hops(Json const& array, NextHopObjects& objects, OddRoutes& odd) {
    for (Json const& one : array) {
        if (!one.is_object() || one.contains("group")) continue;
        std::vector<IpNextHop>& hops = objects[number_of(one, "id", 0)];
        hops.clear();
        IpNextHop hop = kernel_next_hop(one, 1);
        if (!one.contains("blackhole") && !is_dead(one) && !is_incomplete(hop)) hops.push_back(std::move(hop));
    }
    for (Json const& one : array) {
        if (!one.is_object() || !one.contains("group")) continue;
        std::vector<IpNextHop> hops;
        bool is_known = true;
        std::string const name = "next hop " + std::to_string(number_of(one, "id", 0));
        for (Json const* member : list_of(one, "group")) {
            auto const at = member->is_object() ? objects.find(number_of(*member, "id", 0)) : objects.end();
            is_known &= at != objects.end();
            if (at == objects.end()) continue;
            std::uint32_t const weight = odd.weight_of(*member, name);
            for (IpNextHop hop : at->second) {
                if (hops.size() == most_next_hops) break;
                hop.weight = weight;
                hops.push_back(std::move(hop));
            }
        }
        if (is_known) objects[number_of(one, "id", 0)] = std::move(hops);
    }
}

/// Routes of a VRF that lead to another router.
std::size_t routes_by_gateways(Json const& vrf) {
    if (!vrf.is_object()) return 0;
    auto const has_gateway = [](Json const& record) {
        return record.is_object() && std::ranges::any_of(list_of(record, "nexthops"), [](Json const* hop) {
                   return hop->is_object() && hop->contains("ip");
               });
    };
    std::size_t count = 0;
    for (Json const& records : vrf)
        count += records.is_array() && std::any_of(records.begin(), records.end(), has_gateway);
    return count;
}

/// `{"10.0.0.0/8": [..], ..}`
bool has_routes(Json const& object) {
    if (!object.is_object()) return false;
    auto const keys = object.items();
    return std::any_of(keys.begin(), keys.end(), [](auto const& one) {
        return one.value().is_array() && is_prefix_of_any_family(one.key());  // a VRF may be called default
    });
}
/// `[{"dst": ..}, ..]`
bool has_kernel_routes(Json const& array) {
    return array.is_array() && std::any_of(array.begin(), array.end(),
                                           [](Json const& one) { return one.is_object() && one.contains("dst"); });
}
/// The VRF that the records of an object of routes name.
std::string vrf_of(Json const& routes) {
    for (Json const& records : routes)
        for (Json const& record : records)
            if (std::string name = text_of(record, "vrfName"); !name.empty()) return name;
    return "default";
}

/// `show ip route vrf all json` has an object a VRF: that of the default one counts, or where that leads to no other
/// router (or is not there, of an object that is `made` of several answers), the one with the most routes that do.
Json of_one_vrf(Json json, bool made, std::vector<std::string>& others) {
    if (!json.is_object() || json.empty()) return json;
    auto chosen = json.find("default");
    if (chosen == json.end() && made) chosen = json.begin();
    if (chosen == json.end() || !chosen->is_object()) return json;
    if (routes_by_gateways(*chosen) == 0)
        for (auto at = json.begin(); at != json.end(); ++at)
            if (routes_by_gateways(*at) > routes_by_gateways(*chosen)) chosen = at;
    for (auto at = json.begin(); at != json.end(); ++at)
        if (at != chosen && at->is_object() && !at->empty()) others.push_back(at.key());
    return Json(std::move(*chosen));
}

/// Several answers of FRR: an object a VRF, as one that names them (`vrf all` of FRR before 9 has no names). What an
/// answer tells first counts.
Json by_vrf(std::vector<Json>& documents, std::size_t& strangers) {
    Json all = Json::object();
    auto const take = [&](std::string const& name, Json const& routes) {
        Json& of_name = all[name];
        bool is_second = false;
        for (auto const& [prefix, records] : routes.items())
            if (of_name.contains(prefix)) is_second = true;
            else of_name[prefix] = records;
        strangers += is_second;
    };
    for (Json& one : documents) {
        if (one.is_object() && one.empty()) continue;
        if (has_routes(one)) {
            take(vrf_of(one), one);
        } else if (one.is_object() &&
                   std::any_of(one.begin(), one.end(), [](Json const& of) { return has_routes(of); })) {
            for (auto const& [name, routes] : one.items())
                if (has_routes(routes)) take(name, routes);
        } else {
            ++strangers;
        }
    }
    return all;
}

/// The answer of a file that has the routes; what else it has goes to `found`.
Json routes_answer(std::vector<Json> documents, IpRoutes& found, OddRoutes& odd) {
    if (documents.size() == 1) return of_one_vrf(std::move(documents.front()), false, found.other_tables);
    Json const* kernel = nullptr;
    std::size_t answers = 0;  // of other commands
    for (Json const& one : documents)
        if (has_kernel_routes(one) && kernel == nullptr) kernel = &one;
        else if (has_next_hops(one)) add_next_hops(one, found.objects, odd);
        else if (!one.empty()) ++answers;
    if (kernel != nullptr) {
        found.other_answers = answers;
        return *kernel;
    }
    Json all = by_vrf(documents, found.other_answers);
    return of_one_vrf(std::move(all), true, found.other_tables);
}

}  // namespace

std::string text_of(Prefix const& prefix) {
    return model::address_text(prefix.address) + "/" + std::to_string(prefix.length);
}

std::optional<Prefix> parse_prefix(std::string_view text) {
    if (text == "default") return Prefix{};
    Prefix found;
    char const *at = text.data(), *const end = text.data() + text.size();
    for (int part = 0; part < 4; ++part) {
        std::uint32_t value = 0;
        if (part > 0 && (at == end || *at++ != '.')) return std::nullopt;
        auto const [next, error] = std::from_chars(at, end, value);
        if (error != std::errc{} || value > 255 || next - at > 3) return std::nullopt;
        found.address = found.address << 8 | value;
        at = next;
    }
    found.length = 32;
    if (at == end) return found;
    if (*at++ != '/') return std::nullopt;
    auto const [next, error] = std::from_chars(at, end, found.length);
    return error == std::errc{} && next == end && found.length <= 32 ? std::optional(found) : std::nullopt;
}

namespace {

/// The interfaces of next hops that tell a gateway alone, where that is on a network that the router is connected to.
/// Others go by the gateway's own route.
void find_interfaces(IpRoutes& routes) {
    std::vector<std::pair<Prefix, std::string>> connected;
    for (IpRoute const& route : routes.routes)
        if (route.next_hops.size() == 1 && !route.next_hops.front().has_gateway && route.prefix.length > 0)
            connected.emplace_back(route.prefix, route.next_hops.front().interface);
    std::ranges::stable_sort(connected, [](auto const& a, auto const& b) { return a.first.length > b.first.length; });
    std::map<std::uint32_t, std::string> known;
    for (IpRoute& route : routes.routes)
        for (IpNextHop& hop : route.next_hops) {
            if (!hop.has_gateway || hop.gateway == 0 || !hop.interface.empty()) continue;
            auto const [at, is_new] = known.try_emplace(hop.gateway);
            if (is_new) {
                auto const network =
                    std::ranges::find_if(connected, [&](auto const& one) { return one.first.holds(hop.gateway); });
                if (network != connected.end()) at->second = network->second;
            }
            hop.interface = at->second;
        }
}

}  // namespace

IpRoutes read_ip_routes(io::LineReader& lines, model::Disagreements& disagreements) {
    IpRoutes beside;
    OddRoutes odd;
    Json const json = routes_answer(read_documents(lines, disagreements), beside, odd);
    auto const with_the_rest = [&](IpRoutes found) {
        found.objects = std::move(beside.objects);
        found.other_tables = std::move(beside.other_tables);
        found.other_answers = beside.other_answers;
        find_interfaces(found);
        odd.note(disagreements, lines);
        return found;
    };
    if (json.is_object()) return with_the_rest(frr_routes(json, lines, disagreements, odd));
    if (json.is_array()) return with_the_rest(kernel_routes(json, lines, disagreements, odd));
    throw base::InputError({lines.name(), 0}, "the file has no routes", "it is neither an object nor an array",
                           "write it by `vtysh -c 'show ip route json'` or `ip -j route`");
}

NextHopObjects read_next_hops(io::LineReader& lines, model::Disagreements& disagreements) {
    NextHopObjects found;
    OddRoutes odd;
    for (Json const& one : read_documents(lines, disagreements)) add_next_hops(one, found, odd);
    odd.note(disagreements, lines);
    return found;
}

IpLinks read_ip_addresses(io::LineReader& lines, model::Disagreements& disagreements) {
    IpLinks found;
    BadAddresses odd;
    std::vector<Json const*> links;
    std::vector<Json> const documents = read_documents(lines, disagreements);
    for (Json const& one : documents)
        if (documents.size() == 1 || has_addresses(one))
            for (Json const& link : one) links.push_back(&link);
        else found.other_answers += !one.empty();
    for (Json const* at : links) {
        Json const& link = *at;
        if (!link.is_object()) continue;
        found.links.push_back(ip_link(link));
        for (Json const* info : list_of(link, "addr_info")) {
            if (!info->is_object() || text_of(*info, "family") != "inet") continue;
            std::uint64_t const length = number_of(*info, "prefixlen", 32);
            auto const own = address_of(text_of(*info, "local"));
            odd.look_at(text_of(*info, "local"), text_of(link, "ifname"), length);
            if (own && length <= 32)
                found.addresses.push_back({text_of(link, "ifname"), {*own, std::uint32_t(length)}});
        }
    }
    odd.note(disagreements, lines);
    return found;
}

/// The first document that has neighbours; what follows is counted.
Json lldp_answer(std::vector<Json> documents, std::size_t* other_answers) {
    std::size_t chosen = documents.size();
    for (std::size_t i = 0; i < documents.size(); ++i) {
        Json& one = documents[i];
        one = as_lldp_json(std::move(one));
        bool const has =
            one.is_object() && one.contains("lldp") && object_of(one, "lldp").is_object() && !one.at("lldp").empty();
        if (has && chosen == documents.size()) chosen = i;
        else if (other_answers != nullptr && documents.size() > 1) *other_answers += !one.empty();
    }
    return std::move(documents[chosen < documents.size() ? chosen : 0]);
}

std::vector<LldpNeighbour> read_lldp(io::LineReader& lines, model::Disagreements& disagreements,
                                     std::size_t* other_answers) {
    std::vector<LldpNeighbour> found;
    Json const json = lldp_answer(read_documents(lines, disagreements), other_answers);
    auto const lldp = json.is_object() ? json.find("lldp") : json.end();
    if (!json.is_object() || lldp == json.end() || !lldp->is_object())
        throw base::InputError({lines.name(), 0}, "the file has no neighbours", "it has no object \"lldp\"",
                               "write it by `lldpctl -f json`");
    for (Json const* interface : list_of(*lldp, "interface")) {
        if (!interface->is_object()) continue;
        for (auto const& [own, told] : interface->items()) {
            if (!told.is_object()) continue;
            LldpNeighbour one;
            one.interface = own;
            auto const take_addresses = [&one](Json const& about) {
                for (Json const* text : list_of(about, "mgmt-ip"))
                    if (text->is_string())
                        if (auto const address = address_of(text->get<std::string>()))
                            one.addresses.push_back(*address);
            };
            if (auto const chassis = told.find("chassis"); chassis != told.end() && chassis->is_object())
                for (auto const& [name, about] : chassis->items()) {
                    if (!about.is_object()) continue;
                    if (about.contains("type")) {  // `id` of one without a name
                        if (one.name.empty()) one.name = text_of(about, "value"), one.is_nameless = true;
                        take_addresses(*chassis);
                        continue;
                    }
                    one.is_nameless = false;
                    one.name = name;
                    if (auto const id = about.find("id"); id != about.end() && id->is_object())
                        one.chassis = text_of(*id, "value");
                    if (is_everybodys_name(name))
                        if (auto const id = about.find("id"); id != about.end() && id->is_object())
                            one.name = text_of(*id, "value"), one.is_nameless = true;
                    take_addresses(about);
                    for (Json const* one_of : list_of(about, "capability"))
                        one.is_router |=
                            one_of->is_object() && text_of(*one_of, "type") == "Router" && flag_of(*one_of, "enabled");
                }
            if (auto const port = told.find("port"); port != told.end() && port->is_object()) {
                auto const id = port->find("id");
                if (id != port->end() && id->is_object())
                    one.port = text_of(*id, "type") == "ifname" ? text_of(*id, "value") : text_of(*port, "descr");
                if (one.port.empty() && id != port->end() && id->is_object()) one.port = text_of(*id, "value");
            }
            if (one.name.empty()) {
                note_of_file(disagreements, diagnosis::Code::neighbour_without_name, lines,
                             "the neighbour on \"" + own.substr(0, 60) + "\" has no name");
                continue;
            }
            if (found.size() == most_neighbours)
                throw base::InputError({lines.name(), 0}, "the file has more than 4,096 neighbours", "",
                                       "give the neighbours of one device");
            found.push_back(std::move(one));
        }
    }
    return found;
}

HashSettings read_hash_settings(io::LineReader& lines) {
    HashSettings found;
    std::optional<std::uint32_t> policy;
    std::uint32_t fields = 7;  // the kernel's own
    std::string_view line;
    while (lines.next(line)) {
        std::size_t const equal = line.find('=');
        if (equal == std::string_view::npos) continue;
        auto const trim = [](std::string_view text) {
            while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
            while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
            return text;
        };
        std::string_view const name = trim(line.substr(0, equal)), value = trim(line.substr(equal + 1));
        if (name.find("fib_multipath_hash_") == name.npos || name.find("ipv6") != name.npos) continue;
        std::uint32_t number = 0;
        bool const is_hex = value.starts_with("0x");  // as the kernel's documents write fields
        char const* const begin = value.data() + (is_hex ? 2 : 0);
        auto const [end, error] = std::from_chars(begin, value.data() + value.size(), number, is_hex ? 16 : 10);
        bool const is_policy = name.ends_with("_policy");
        if (error != std::errc{} || end != value.data() + value.size() || (is_policy && number > 3))
            throw base::InputError(lines.place(), std::string(name) + " is not a value of Linux",
                                   base::printable(value.substr(0, 40)),
                                   is_policy ? "it is a number from 0 to 3" : "it is a number of 32 bits");
        if (name.ends_with("_seed") && number != 0) found.seed = number;
        if (name.ends_with("_fields")) fields = number;
        if (is_policy) policy = number;
    }
    if (policy) found.policy = model::LinuxHashPolicy::of(*policy, fields);
    return found;
}

}  // namespace tailback::formats
