// The answers of routers as their systems give them: several in one file, next hops by number, other forms; and what a
// folder has that is no file.
#include "host/formats/frr/frr.hpp"
#include "tests/support/networks/router_fabric.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tailback::router_answers_test {
namespace {

using namespace router_fabric;
using Json = nlohmann::json;

std::string text_of(Found const& found) { return fmt::format("{}", fmt::join(found.findings, "\n")); }
std::string notes_of(TemporaryFolder const& folder) {
    return run_tailback({"audit", "--network", "frr:" + folder.path()}).err;
}
Json json_of(TemporaryFolder const& folder, std::string const& file) { return Json::parse(read_whole(folder / file)); }
/// FRR's routes with the VRF that each record names.
std::string of_vrf(std::string const& routes, std::string const& vrf) {
    Json all = Json::parse(routes);
    for (Json& records : all)
        for (Json& record : records) record["vrfName"] = vrf;
    return all.dump(1);
}

std::string const management = R"({"0.0.0.0/0":[{"prefix":"0.0.0.0/0","protocol":"kernel","vrfName":"mgmt",)"
                               R"("selected":true,"installed":true,"nexthops":[{"fib":true,"ip":"192.168.0.1",)"
                               R"("interfaceName":"eth0","active":true,"weight":1}]}]})";

/// Definition: `show ip route vrf all json` of FRR 7 and 8 is one object a VRF, one after the other; the routes of the
/// default VRF count, wherever it stands, and a note names the others. So it is with several answers in one file.
TEST(RouterAnswers, OneObjectAVrfOneAfterTheOther) {
    All const all = routers();
    TemporaryFolder const plain;
    write(plain, all, Told::frr);
    std::string const sound = audit_of(plain).digest;
    for (int form = 0; form < 5; ++form) {
        TemporaryFolder const folder;
        write(folder, all, Told::frr);
        for (auto const& [name, router] : all) {
            std::string const routes = of_vrf(read_whole(folder / (name + "/routes.json")), "default");
            std::string const half = Json::parse(routes).dump().substr(0, 40);
            std::string const forms[] = {
                routes + "\n" + management + "\n",                                        // FRR 8.4.4
                management + "\n" + routes,                                               // the default VRF last
                "{\n}\n" + routes + "\n{}\n" + management,                                // VRFs without routes
                routes + R"({"2001:db8::/64":[{"protocol":"connected"}]})" + management,  // and `show ipv6 route json`
                R"({"default":)" + routes + R"(,"mgmt":)" + management + "}\n" + R"({"ipv4Unicast":{"as":65001}})"};
            folder.write(name + "/routes.json", forms[form]);
        }
        Found const found = audit_of(folder);
        EXPECT_TRUE(found.findings.empty()) << form << text_of(found);
        EXPECT_EQ(found.digest, sound) << form;
        EXPECT_NE(notes_of(folder).find("6 routers tell routes of more than one VRF"), std::string::npos)
            << form << notes_of(folder);
        EXPECT_EQ(form == 4, notes_of(folder).find("6 files have further answers") != std::string::npos)
            << notes_of(folder);
    }
}

/// The same where the fabric's routes are in a VRF of their own: that with most routes to other routers counts.
TEST(RouterAnswers, AVrfOfTheFabricBesideAnEmptyDefault) {
    All const all = routers();
    TemporaryFolder const plain, folder;
    write(plain, all, Told::frr), write(folder, all, Told::frr);
    for (auto const& [name, router] : all)
        folder.write(name + "/routes.json",
                     management + of_vrf(read_whole(folder / (name + "/routes.json")), "fabric"));
    Found const found = audit_of(folder);
    EXPECT_TRUE(found.findings.empty()) << text_of(found);
    EXPECT_EQ(found.digest, audit_of(plain).digest);
}

/// Several documents of which one is cut, or text between them, are no JSON, as before.
TEST(RouterAnswers, WhatIsNoJsonStaysSo) {
    for (std::string const& text :
         {std::string(R"({"10.0.0.0/8":[]}{"10.1.0.0/16":[)"),
          std::string(R"({"10.0.0.0/8":[]} leaf1# {"10.1.0.0/16":[]})"), std::string(R"({"10.0.0.0/8":[]}])")}) {
        Disagreements told;
        LineReader lines = lines_of_text(text);
        EXPECT_THROW(read_ip_routes(lines, told), InputError) << text;
    }
}

/// Definition: `lldpctl -f json0` has arrays everywhere and names as values; it tells the same as `-f json`. Beside it,
/// one more answer in the file is left out.
TEST(RouterAnswers, NeighboursAsJson0) {
    auto const value = [](std::string const& text) { return Json::array({{{"value", text}}}); };
    for (bool const twice : {false, true}) {
        All const all = routers();
        TemporaryFolder const plain, folder;
        write(plain, all, Told::frr), write(folder, all, Told::frr);
        for (auto const& [name, router] : all) {
            Json interfaces = Json::array();
            for (auto const& [port, far] : router.hears)
                interfaces.push_back(
                    {{"name", port},
                     {"via", "LLDP"},
                     {"chassis",
                      Json::array({{{"id", Json::array({{{"type", "mac"}, {"value", "02:00"}}})},
                                    {"name", value(far.name)},
                                    {"descr", value("Linux")},
                                    {"mgmt-ip", value(far.address)},
                                    {"capability", Json::array({{{"type", "Router"}, {"enabled", false}}})}}})},
                     {"port", Json::array({{{"id", Json::array({{{"type", "ifname"}, {"value", far.port}}})},
                                            {"descr", value("a port")}}})}});
            std::string text = Json{{"lldp", Json::array({{{"interface", interfaces}}})}}.dump(2);
            if (twice) text += "\n" + text;
            folder.write(name + "/lldp.json", text);
        }
        Found const found = audit_of(folder);
        EXPECT_TRUE(found.findings.empty()) << text_of(found);
        EXPECT_EQ(found.digest, audit_of(plain).digest);
        EXPECT_EQ(twice, notes_of(folder).find("further answers") != std::string::npos);
    }
}
TEST(RouterAnswers, NamelessNeighboursAsJson0) {
    Disagreements told;
    LineReader lines = lines_of_text(
        R"({"lldp":[{"interface":[{"name":"swp1","chassis":[{"id":[{"type":"mac","value":"02:00:00:00:00:01"}],)"
        R"("mgmt-ip":[{"value":"10.1.1.1"},{"value":"fe80::1"}]}],"port":[{"id":[{"type":"mac","value":"02:01"}]}]},)"
        R"({"name":"swp2","chassis":[{"name":[{"value":"n2"}],"capability":[{"type":"Router","enabled":true}]}],)"
        R"("port":[{"id":[{"type":"local","value":"7"}],"descr":[{"value":"eth3"}]}]}]}]})");
    std::vector<LldpNeighbour> const found = read_lldp(lines, told);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_TRUE(found[0].is_nameless);
    EXPECT_EQ(found[0].name, "02:00:00:00:00:01");
    EXPECT_EQ(found[0].port, "02:01");
    EXPECT_EQ(found[0].addresses, std::vector<std::uint32_t>{parse_prefix("10.1.1.1")->address});
    EXPECT_EQ(found[1].name, "n2");
    EXPECT_EQ(found[1].port, "eth3");
    EXPECT_TRUE(found[1].is_router);
}

/// Routes by gateways have next hops by number alone; the objects of each router.
Json by_number(Json& routes) {
    Json objects = Json::array();
    std::map<std::string, int> numbers;
    int next = 30;
    auto const number_of = [&](Json hop) {
        auto const [at, added] = numbers.try_emplace(hop.dump(), next);
        if (added) {
            ++next;
            hop["id"] = at->second;
            hop.erase("weight");
            objects.push_back(hop);
        }
        return at->second;
    };
    for (Json& route : routes) {
        if (!route.contains("nexthops")) continue;
        Json group = Json::array();
        for (Json const& hop : route["nexthops"]) group.push_back({{"id", number_of(hop)}});
        route.erase("nexthops");
        if (group.size() == 1) {
            route["nhid"] = group[0]["id"];
            continue;
        }
        route["nhid"] = next;
        objects.push_back({{"id", next++}, {"group", group}, {"protocol", "zebra"}});
    }
    return objects;
}

/// Definition: a route `{"dst": .., "nhid": 30}` has its next hops in `ip -j nexthop`. With that, in a file of its own
/// or in the same, it is the route with those next hops; without, the router's routes are not known, with what to
/// collect, and no other router is accused; with FRR's routes beside it those count.
TEST(RouterAnswers, NextHopsByNumberAlone) {
    All const all = routers();
    TemporaryFolder const plain;
    write(plain, all, Told::kernel);
    std::string const sound = audit_of(plain).digest;
    enum class Beside { nothing, objects, in_the_same_file, frr };
    for (Beside const beside : {Beside::nothing, Beside::objects, Beside::in_the_same_file, Beside::frr}) {
        TemporaryFolder const folder, frr;
        write(folder, all, Told::kernel), write(frr, all, Told::frr);
        for (std::string const name : {"leaf1", "leaf3", "spine2"}) {
            Json routes = json_of(folder, name + "/routes.json");
            Json const objects = by_number(routes);
            folder.write(name + "/routes.json",
                         routes.dump() + (beside == Beside::in_the_same_file ? "\n" + objects.dump() : ""));
            if (beside == Beside::objects) folder.write(name + "/nh.json", objects.dump());
            if (beside == Beside::frr)
                folder.write(name + "/frr-routes.json", read_whole(frr / (name + "/routes.json")));
        }
        Found const found = audit_of(folder);
        switch (beside) {
            case Beside::objects:
            case Beside::in_the_same_file:
                EXPECT_TRUE(found.findings.empty()) << text_of(found);
                EXPECT_EQ(found.digest, sound);
                break;
            case Beside::frr:
                EXPECT_NE(text_of(found).find("frr-routes.json counts"), std::string::npos) << text_of(found);
                EXPECT_EQ(found.digest, sound);
                break;
            case Beside::nothing:
                for (std::string const name : {"leaf1", "leaf3", "spine2"})
                    EXPECT_NE(text_of(found).find("switch \"" + name + "\": its routes are not known: " + name +
                                                  "/routes.json has "),
                              std::string::npos)
                        << text_of(found);
                EXPECT_NE(
                    text_of(found).find("put `ip -j nexthop` of the router beside it, or give `show ip route json`"),
                    std::string::npos);
                for (char const* const word : {"leaf2", "leaf4", "spine1", "seem to be down", "cabled elsewhere"})
                    EXPECT_EQ(text_of(found).find(word), std::string::npos) << text_of(found);
        }
    }
}

/// Objects: a group's weights, a member that is down, a black hole, and a group of a member that nobody tells.
TEST(RouterAnswers, Objects) {
    LineReader lines =
        lines_of_text(R"([{"id":1,"gateway":"10.0.0.1","dev":"swp1","flags":[]},)"
                      R"({"id":2,"gateway":"10.0.0.2","dev":"swp2","flags":["linkdown"]},)"
                      R"({"id":3,"via":{"family":"inet6","host":"fe80::1"},"dev":"swp3"},{"id":4,"blackhole":null},)"
                      R"({"id":9,"group":[{"id":1,"weight":3},{"id":2},{"id":3}]},{"id":10,"group":[{"id":77}]}])");
    Disagreements disagreements;
    NextHopObjects const found = read_next_hops(lines, disagreements);
    ASSERT_TRUE(found.contains(9));
    ASSERT_EQ(found.at(9).size(), 2u);
    EXPECT_EQ(found.at(9)[0].interface, "swp1");
    EXPECT_EQ(found.at(9)[0].weight, 3u);
    EXPECT_TRUE(found.at(9)[1].has_gateway);
    EXPECT_TRUE(found.at(4).empty());
    EXPECT_FALSE(found.contains(10));
}

/// Definition: of a name that stands twice in an object the last value counts, and the file is called damaged; a colon
/// or a quote in a text is no name. The weight of a member that is no number is 1.
TEST(RouterAnswers, NamesTwiceAndWeightsOfMembers) {
    Disagreements told(false, 9);
    LineReader lines = lines_of_text(
        R"({"10.2.0.0/16":[],"10.3.0.0/16":[{"selected":true,"installed":true,"note":"a:\"b\":c",)"
        R"("nexthops":[{"fib":true,"active":true,"interfaceName":"swp1"}]}],"10.2.0.0/16":[{"selected":true,)"
        R"("installed":true,"nexthops":[{"fib":true,"active":true,"interfaceName":"swp2"}]}]})");
    EXPECT_EQ(read_ip_routes(lines, told).routes.size(), 2u);
    ASSERT_EQ(told.noted().size(), 1u);
    EXPECT_NE(told.noted()[0].text.find("1 name stands twice in an object (the first: \"10.2.0.0/16\")"),
              std::string::npos)
        << told.noted()[0].text;
    Disagreements of_members(false, 9);
    LineReader objects = lines_of_text(R"([{"id":1,"gateway":"10.0.0.1","dev":"swp1"},)"
                                       R"({"id":9,"group":[{"id":1,"weight":"x:2"}]}])");
    EXPECT_EQ(read_next_hops(objects, of_members).at(9)[0].weight, 1u);
    ASSERT_EQ(of_members.noted().size(), 1u);
    EXPECT_NE(of_members.noted()[0].text.find("\"x:2\" of next hop 9"), std::string::npos)
        << of_members.noted()[0].text;
}

/// Definition: a next hop without a device and a gateway says nothing of the network: the route is left out, and told.
TEST(RouterAnswers, RoutesWithoutADevice) {
    for (std::string const& text :
         {std::string(R"([{"dst":"10.2.0.0/16","protocol":"bgp","flags":[]}])"),
          std::string(R"([{"dst":"10.2.0.0/16","nexthops":[{"weight":1,"flags":[]}]}])"),
          std::string(
              R"({"10.2.0.0/16":[{"selected":true,"installed":true,"nexthops":[{"fib":true,"active":true}]}]})")}) {
        Disagreements told(false, 9);
        LineReader lines = lines_of_text(text);
        EXPECT_TRUE(read_ip_routes(lines, told).routes.empty()) << text;
        ASSERT_EQ(told.noted().size(), 1u) << text;
        EXPECT_NE(told.noted()[0].text.find("1 next hop names neither a device nor a gateway (the first: of "
                                            "10.2.0.0/16)"),
                  std::string::npos)
            << told.noted()[0].text;
    }
    Disagreements told(false, 9);
    LineReader lines =
        lines_of_text(R"([{"dst":"10.2.0.0/16","type":"blackhole","flags":[]},)"
                      R"({"dst":"10.3.0.0/16","nexthops":[{"weight":1},{"dev":"swp1","gateway":"10.0.0.1"}]}])");
    std::vector<IpRoute> const routes = read_ip_routes(lines, told).routes;
    ASSERT_EQ(routes.size(), 2u);
    EXPECT_TRUE(routes[0].next_hops.empty());  // dropped on purpose
    EXPECT_EQ(routes[1].next_hops.size(), 1u);
}

/// Definition: a next hop that tells a gateway without a device is on the network of the gateway: the same fabric.
TEST(RouterAnswers, DevicesOfGatewaysAreFound) {
    for (Told const form : {Told::frr, Told::kernel}) {
        TemporaryFolder const whole, without;
        write(whole, routers(), form);
        write(without, routers(), form);
        std::size_t left_out = 0;
        for (auto const& entry : std::filesystem::recursive_directory_iterator(without.path())) {
            if (entry.path().filename() != "routes.json") continue;
            nlohmann::json routes = nlohmann::json::parse(read_whole(entry.path().string()));
            auto const strip = [&](nlohmann::json& hop) {
                if (hop.contains("ip") || hop.contains("gateway"))
                    left_out += hop.erase("interfaceName") + hop.erase("dev");
            };
            for (nlohmann::json& of_prefix : routes) {
                if (of_prefix.is_object()) strip(of_prefix);
                for (nlohmann::json& record : of_prefix.is_array() ? of_prefix : nlohmann::json::array({of_prefix}))
                    if (record.contains("nexthops"))
                        for (nlohmann::json& hop : record["nexthops"]) strip(hop);
                if (of_prefix.is_object() && of_prefix.contains("nexthops"))
                    for (nlohmann::json& hop : of_prefix["nexthops"]) strip(hop);
            }
            std::ofstream(entry.path()) << routes;
        }
        EXPECT_GT(left_out, 0u);
        auto const report = [](TemporaryFolder const& folder) {
            nlohmann::json json = nlohmann::json::parse(
                run_tailback({"audit", "--network", "frr:" + folder.path(), "--format", "json", "--quiet"}).out);
            json.erase("files");
            json.erase("next");  // commands name the folder
            return json;
        };
        EXPECT_EQ(report(without), report(whole));
    }
}

/// Definition: files alone are opened, and those within the folder. A pipe, a link that leads nowhere, to itself or out
/// of the folder, is as good as missing, and told; a link within the folder is followed.
TEST(RouterAnswers, FilesAloneAreOpened) {
    All const all = routers();
    TemporaryFolder const outside;
    write(outside, all, Told::frr);
    namespace fs = std::filesystem;
    struct Case {
        char const* says;
        void (*put)(fs::path const& at, fs::path const& outside);
    };
    Case const cases[] = {
        {"leaf2/routes.json is a pipe", [](fs::path const& at, fs::path const&) { ::mkfifo(at.c_str(), 0600); }},
        {"leaf2/routes.json is a link that leads nowhere",
         [](fs::path const& at, fs::path const&) { fs::create_symlink(at.filename(), at); }},
        {"leaf2/routes.json is a link that leads nowhere",
         [](fs::path const& at, fs::path const&) { fs::create_symlink("gone.json", at); }},
        {"leaf2/routes.json is a link that leads out of the folder",
         [](fs::path const& at, fs::path const& other) { fs::create_symlink(other, at); }},
        {"leaf2/routes.json is not a file",
         [](fs::path const& at, fs::path const&) { fs::create_symlink("/dev/zero", at); }},
    };
    for (Case const& one : cases) {
        TemporaryFolder const folder;
        write(folder, all, Told::frr);
        fs::remove(folder / "leaf2/routes.json");
        one.put(folder / "leaf2/routes.json", outside / "leaf2/routes.json");
        std::string const text = text_of(audit_of(folder));
        std::string const says = std::string(one.says) == "leaf2/routes.json is not a file"
                                     ? "leaf2/routes.json is a link that leads out of the folder"
                                     : one.says;
        EXPECT_NE(text.find("switch \"leaf2\": its routes are not known: " + says), std::string::npos) << text;
    }
    TemporaryFolder const folder, inside;
    write(folder, all, Told::frr), write(inside, all, Told::frr);
    fs::remove_all(folder / "leaf2");
    fs::create_directory_symlink(outside / "leaf2", folder / "leaf2");
    EXPECT_NE(
        text_of(audit_of(folder)).find("switch \"leaf2\": its routes are not known: leaf2 is a link that leads out"),
        std::string::npos)
        << text_of(audit_of(folder));
    fs::rename(inside / "leaf2/routes.json", inside / "leaf2/told");
    fs::create_symlink("told", inside / "leaf2/routes.json");
    EXPECT_EQ(audit_of(inside).digest, audit_of(outside).digest);
}

/// The kernel's own folders are refused: some of their files never end, or are gone once they are read.
TEST(RouterAnswers, FoldersOfTheKernel) {
    for (char const* const folder : {"frr:/proc", "frr:/sys"}) {
        Finished const audit = run_tailback({"audit", "--network", folder});
        EXPECT_EQ(audit.code, 2) << folder << audit.err;
    }
    Finished const audit = run_tailback({"audit", "--network", "frr:/proc"});
    EXPECT_NE(audit.err.find("its files are the kernel's own"), std::string::npos) << audit.err;
}

/// All hosts, or all routers, say that they are called `name`, each with a chassis of its own.
void call_all(TemporaryFolder const& folder, All const& all, std::string const& name, bool routers_too) {
    for (auto const& [device, router] : all) {
        Json lldp = json_of(folder, device + "/lldp.json");
        for (Json& one : lldp["lldp"]["interface"]) {
            Json& told = one.begin().value();
            std::string const own = told["chassis"].begin().key();
            Json about = told["chassis"].begin().value();
            about["id"] = {{"type", "mac"}, {"value", "02:" + own}};
            told["chassis"] = Json::object();
            told["chassis"][all.contains(own) && !routers_too ? own : name] = about;
        }
        folder.write(device + "/lldp.json", lldp.dump());
    }
}

/// Definition: hosts and routers that all have one name by LLDP are as many as they have chassis; routers are the
/// devices of the folder, found by the port that they tell and the network of the cable. Nobody is accused.
TEST(RouterAnswers, OneNameForAll) {
    All const all = routers();
    TemporaryFolder const plain;
    write(plain, all, Told::frr_and_addresses);
    for (std::string const name : {"localhost", "sonic", "ubuntu.example.org"})
        for (bool const routers_too : {false, true}) {
            TemporaryFolder const folder;
            write(folder, all, Told::frr_and_addresses);
            call_all(folder, all, name, routers_too);
            Found const found = audit_of(folder);
            EXPECT_TRUE(found.findings.empty()) << name << routers_too << "\n" << text_of(found);
            Finished const audit = run_tailback({"audit", "--network", "frr:" + folder.path()});
            EXPECT_NE(audit.out.find("12 hosts, 6 switches, 40 links"), std::string::npos) << name << audit.out;
            EXPECT_EQ(routers_too, audit.err.find("16 neighbours tell no name of its own") != std::string::npos)
                << audit.err;
        }
}

/// Management ports in one network, and management addresses by LLDP, are no cables and no hosts' addresses.
TEST(RouterAnswers, ManagementNetworkOfAll) {
    All const plain_ones = routers();
    for (bool const hears_a_switch : {false, true})
        for (bool const hosts_tell_it : {false, true}) {
            All all = routers();
            int number = 0;
            for (auto& [name, router] : all) {
                router.nets.push_back({"eth0", {"192.168.0.0", fmt::format("192.168.0.{}", ++number), 24}});
                if (hears_a_switch) router.hears["eth0"] = {"oob-switch", fmt::format("ge{}", number), "192.168.0.254"};
                if (!hosts_tell_it) continue;
                for (auto& [port, far] : router.hears)
                    if (!all.contains(far.name) && port != "eth0")
                        far.address = fmt::format("192.168.0.{}", 100 + number);
            }
            TemporaryFolder const folder;
            write(folder, all, Told::frr_and_addresses);
            Found const found = audit_of(folder);
            EXPECT_TRUE(found.findings.empty()) << hears_a_switch << hosts_tell_it << text_of(found);
            std::string const text = run_tailback({"audit", "--network", "frr:" + folder.path()}).out;
            EXPECT_NE(text.find("12 hosts, 6 switches, 40 links"), std::string::npos) << text;
        }
}

/// Definition: an address that is none is told, with what it is of, and what is whole in its file counts.
TEST(RouterAnswers, AddressesThatAreNone) {
    for (Told const told : {Told::kernel_and_addresses, Told::frr_and_addresses}) {
        TemporaryFolder const folder;
        write(folder, routers(), told);
        std::string const kernel = told == Told::kernel_and_addresses ? "\"gateway\":\"" : "\"ip\":\"";
        std::string file;
        for (auto const& one : std::filesystem::directory_iterator(folder / "leaf1"))
            if (std::string const text = read_whole(one.path().string()); text.find(kernel) != std::string::npos)
                file = "leaf1/" + one.path().filename().string();
        ASSERT_FALSE(file.empty());
        std::string text = read_whole(folder / file);
        std::size_t const begin = text.find(kernel) + kernel.size();
        text.replace(begin, text.find('"', begin) - begin, "172.16.1.600");
        folder.write(file, text);
        EXPECT_NE(text_of(audit_of(folder)).find("1 address is none (the first: \"172.16.1.600\" at "),
                  std::string::npos)
            << text_of(audit_of(folder));
        Json links = json_of(folder, "leaf1/addr.json");
        for (Json& link : links)
            for (Json& info : link["addr_info"]) info["prefixlen"] = 99;
        folder.write("leaf1/addr.json", links.dump());
        EXPECT_NE(text_of(audit_of(folder)).find("/99\" at "), std::string::npos) << text_of(audit_of(folder));
    }
}

/// Definition: values of the kernel's hash that Linux does not take are told, and its own are not. What IPv6 has is not
/// looked at.
TEST(RouterAnswers, ValuesOfTheHashAreLinuxs) {
    auto const findings_with = [](std::string const& lines) {
        TemporaryFolder const folder;
        write(folder, routers(), Told::frr_and_addresses);
        folder.write("leaf1/sysctl.txt", lines);
        return audit_of(folder);
    };
    std::string const name = "net.ipv4.fib_multipath_hash_";
    for (std::string const& fine : {name + "policy = 3\n" + name + "fields = 55\n" + name + "seed = 0\n",
                                    name + "policy = 2\nnet.ipv6.fib_multipath_hash_policy = 9\n",
                                    name + "policy = 3\n" + name + "fields = 0x0007\n"})
        EXPECT_TRUE(findings_with(fine).findings.empty()) << fine;
    for (std::string const& odd : {name + "policy = 7\n", name + "policy = one\n", name + "seed = -3\n",
                                   name + "seed = 99999999999\n", name + "fields =\n", name + "fields = 0x\n"}) {
        Found const found = findings_with(name + "policy = 1\n" + odd);
        EXPECT_NE(text_of(found).find("is not a value of Linux"), std::string::npos) << odd << text_of(found);
    }
}

}  // namespace
}  // namespace tailback::router_answers_test
