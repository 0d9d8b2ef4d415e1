#include "tests/support/networks/router_fabric.hpp"

#include "tests/support/programs/command_line.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace tailback::router_fabric {
namespace {

nlohmann::json lldp_of(Router const& router) {
    nlohmann::json interfaces = nlohmann::json::array();
    for (auto const& [interface, far] : router.hears)
        interfaces.push_back({{interface,
                               {{"chassis", {{far.name, {{"mgmt-ip", far.address}}}}},
                                {"port", {{"id", {{"type", "ifname"}, {"value", far.port}}}}}}}});
    return {{"lldp", {{"interface", interfaces}}}};
}
nlohmann::json addresses_of(Router const& router) {
    nlohmann::json all = nlohmann::json::array();
    auto const add = [&](std::string const& interface, std::string const& own, int length) {
        all.push_back(
            {{"ifname", interface}, {"addr_info", {{{"family", "inet"}, {"local", own}, {"prefixlen", length}}}}});
    };
    for (auto const& [interface, net] : router.nets) add(interface, net.own, net.length);
    for (auto const& [interface, own] : router.own) add(interface, own, 32);
    return all;
}
nlohmann::json kernel_routes(Router const& router) {
    nlohmann::json all = nlohmann::json::array();
    for (auto const& [interface, net] : router.nets)
        if (interface != "lo")  // its addresses are in a table of their own
            all.push_back(
                {{"dst", fmt::format("{}/{}", net.network, net.length)}, {"dev", interface}, {"prefsrc", net.own}});
    for (auto const& [prefix, hops] : router.routes) {
        nlohmann::json next = nlohmann::json::array();
        for (Hop const& hop : hops) {
            next.push_back({{"dev", hop.interface}, {"weight", 1}, {"flags", nlohmann::json::array()}});
            if (hop.gateway.find(':') != std::string::npos)
                next.back()["via"] = {{"family", "inet6"}, {"host", hop.gateway}};
            else if (!hop.gateway.empty()) next.back()["gateway"] = hop.gateway;
            if (hop.is_down) next.back()["flags"].push_back("linkdown");
        }
        all.push_back({{"dst", prefix}, {"nexthops", next}});
    }
    return all;
}
nlohmann::json frr_routes(Router const& router) {
    nlohmann::json all = nlohmann::json::object();
    auto const add = [&](std::string const& prefix, char const* protocol, nlohmann::json hops) {
        all[prefix] = {{{"protocol", protocol}, {"selected", true}, {"installed", true}, {"nexthops", hops}}};
    };
    auto const on = [](std::string const& interface) {
        return nlohmann::json{{{"fib", true}, {"active", true}, {"interfaceName", interface}}};
    };
    for (auto const& [interface, net] : router.nets) {
        add(fmt::format("{}/{}", net.network, net.length), "connected", on(interface));
        add(net.own + "/32", "local", on(interface));
    }
    for (auto const& [prefix, hops] : router.routes) {
        nlohmann::json next = nlohmann::json::array();
        for (Hop const& hop : hops) {
            next.push_back({{"fib", true}, {"active", true}, {"interfaceName", hop.interface}, {"weight", 1}});
            if (!hop.gateway.empty()) next.back()["ip"] = hop.gateway;
            if (hop.is_down) next.back()["linkDown"] = true;
        }
        add(prefix, "bgp", next);
    }
    return all;
}

}  // namespace

All routers() {
    All all;
    for (int l = 1; l <= 4; ++l) {
        Router& leaf = all[fmt::format("leaf{}", l)];
        for (int h = 1; h <= 3; ++h) {
            std::string const interface = fmt::format("swp{}", h);
            leaf.hears[interface] = {fmt::format("n{}{}", l, h), "eth0", fmt::format("10.{}.{}.1", l, h)};
            leaf.nets.push_back({interface, {fmt::format("10.{}.{}.0", l, h), fmt::format("10.{}.{}.0", l, h)}});
        }
        for (int s = 1; s <= 2; ++s) {
            std::string const up = fmt::format("swp{}", 48 + s), down = fmt::format("swp{}", l);
            std::string const lower = fmt::format("172.16.{}.{}", s, 2 * l);
            std::string const upper = fmt::format("172.16.{}.{}", s, 2 * l + 1);
            leaf.hears[up] = {fmt::format("spine{}", s), down, fmt::format("192.168.0.{}", s)};
            leaf.nets.push_back({up, {lower, upper}});
            Router& spine = all[fmt::format("spine{}", s)];
            spine.hears[down] = {fmt::format("leaf{}", l), up, fmt::format("192.168.1.{}", l)};
            spine.nets.push_back({down, {lower, lower}});
            spine.routes[fmt::format("10.{}.0.0/16", l)] = {{upper, down}};
            for (int other = 1; other <= 4; ++other)
                if (other != l) leaf.routes[fmt::format("10.{}.0.0/16", other)].push_back({lower, up});
        }
    }
    return all;
}

void write(TemporaryFolder const& folder, All const& all, Told told) {
    for (auto const& [name, router] : all) {
        std::filesystem::create_directories(folder / name);
        bool const of_kernel = told == Told::kernel || told == Told::kernel_and_addresses;
        folder.write(name + "/routes.json", (of_kernel ? kernel_routes(router) : frr_routes(router)).dump());
        folder.write(name + "/lldp.json", lldp_of(router).dump());
        if (told == Told::kernel_and_addresses || told == Told::frr_and_addresses)
            folder.write(name + "/addr.json", addresses_of(router).dump());
    }
}

Found audit_of(TemporaryFolder const& folder) {
    Finished const out = run_tailback({"audit", "--network", "frr:" + folder.path(), "--format", "json"});
    Found found;
    found.exit = out.code;
    nlohmann::json const report = nlohmann::json::parse(out.out);
    found.digest = report.at("network").at("digest");
    for (auto const& one : report.at("findings")) {
        std::string const kind = one.at("kind");
        if (kind != "asymmetric" && kind != "unused" && kind != "nonminimal")
            found.findings.push_back(one.at("where").get<std::string>() + ": " + one.at("message").get<std::string>());
    }
    return found;
}

}  // namespace tailback::router_fabric
