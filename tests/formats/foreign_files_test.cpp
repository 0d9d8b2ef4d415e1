// Files of one router in the place of another's. Two that are swapped are one finding that names both, and the fabric
// is read as without it: the same digest. A copy is one finding at the router that lost its own file. Held in fabrics
// whose cables have networks, and in those that have loopbacks alone.
#include "tests/support/networks/router_fabric.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tailback::foreign_files_test {
namespace {

using namespace router_fabric;

void add_loopbacks(All& all) {
    int next = 1;
    for (auto& [name, router] : all) {
        std::string const address = fmt::format("10.255.0.{}", next++);
        router.nets.push_back({"lo", {address, address, 32}});
        for (auto& [other, neighbour] : all) {
            if (other == name) continue;
            for (auto const& [interface, heard] : neighbour.hears)
                if (heard.name == name ||
                    (name.starts_with("leaf") && other.starts_with("leaf") && heard.name.starts_with("spine")))
                    neighbour.routes[address + "/32"].push_back({"fe80::1", interface});
        }
    }
}
/// BGP unnumbered: cables have no networks, and next hops are IPv6 addresses of the link.
void take_networks_of_cables(All& all) {
    for (auto& [name, router] : all) {
        std::erase_if(router.nets, [](auto const& one) { return one.second.network.starts_with("172."); });
        for (auto& [prefix, hops] : router.routes)
            for (Hop& hop : hops) hop.gateway = "fe80::1";
    }
}

struct Fabric {
    std::string name;
    All all;
    Told told;
    bool is_unnumbered = false;
};
std::vector<Fabric> fabrics() {
    std::vector<Fabric> found;
    for (Told const told : all_ways_to_tell)
        found.push_back({fmt::format("cables with networks ({})", int(told)), routers(), told});
    All unnumbered = routers();
    add_loopbacks(unnumbered);
    take_networks_of_cables(unnumbered);
    for (Told const told : {Told::kernel_and_addresses, Told::frr, Told::frr_and_addresses})
        found.push_back({fmt::format("loopbacks alone ({})", int(told)), unnumbered, told, true});
    return found;
}
bool has_addresses(Fabric const& fabric) {
    return fabric.told == Told::kernel_and_addresses || fabric.told == Told::frr_and_addresses;
}

std::string digest_of(Fabric const& fabric) {
    TemporaryFolder const folder;
    write(folder, fabric.all, fabric.told);
    Found const found = audit_of(folder);
    EXPECT_EQ(found.exit, 0) << fabric.name;
    EXPECT_EQ(found.findings, std::vector<std::string>()) << fabric.name;
    return found.digest;
}

struct Part {
    std::string name;
    std::vector<std::string> files;
    bool of_addresses = false;
};

/// Kernels do not tell their loopbacks: without networks, nothing tells a leaf's routes from a spine's.
std::vector<std::pair<std::string, std::string>> pairs_of(Fabric const& fabric) {
    std::vector<std::pair<std::string, std::string>> found = {{"leaf1", "leaf3"}, {"leaf1", "leaf2"}};
    if (fabric.is_unnumbered && fabric.told == Told::kernel_and_addresses) return found;
    found.insert(found.end(), {{"spine1", "spine2"}, {"leaf1", "spine2"}});
    return found;
}

TEST(ForeignFiles, SwappedOnesAreReadBackAndToldOnce) {
    std::vector<Part> const parts = {{"the routes of", {"routes.json"}},
                                     {"the addresses of", {"addr.json"}, true},
                                     {"the neighbours by LLDP of", {"lldp.json"}},
                                     {"the files of", {"routes.json", "lldp.json", "addr.json"}}};
    for (Fabric const& fabric : fabrics()) {
        std::string const sound = digest_of(fabric);
        for (Part const& part : parts)
            for (auto const& [one, other] : pairs_of(fabric)) {
                if (part.of_addresses && !has_addresses(fabric)) continue;
                TemporaryFolder const folder;
                write(folder, fabric.all, fabric.told);
                bool differ = false;
                for (std::string const& file : part.files) {
                    if (file == "addr.json" && !has_addresses(fabric)) continue;
                    differ |= read_whole(folder / (one + "/" + file)) != read_whole(folder / (other + "/" + file));
                    std::filesystem::rename(folder / (one + "/" + file), folder / "aside");
                    std::filesystem::rename(folder / (other + "/" + file), folder / (one + "/" + file));
                    std::filesystem::rename(folder / "aside", folder / (other + "/" + file));
                }
                if (!differ) continue;
                Found const found = audit_of(folder);
                std::string const title = fmt::format("{}: {} {} and {}\n{}", fabric.name, part.name, one, other,
                                                      fmt::join(found.findings, "\n"));
                EXPECT_EQ(found.exit, 1) << title;
                EXPECT_EQ(found.digest, sound) << title;
                ASSERT_EQ(found.findings.size(), 1u) << title;
                std::string const says = fmt::format("{} {} and {} are swapped", part.name, one, other);
                EXPECT_NE(found.findings[0].find(says), std::string::npos) << title;
            }
    }
}

TEST(ForeignFiles, ACopyIsOneFindingWhereTheOwnFileIsLost) {
    for (Fabric const& fabric : fabrics()) {
        std::string const sound = digest_of(fabric);
        for (auto const& [one, other] : pairs_of(fabric))
            for (std::string const file : {"routes.json", "addr.json", "lldp.json"}) {
                if (file == "addr.json" && !has_addresses(fabric)) continue;
                TemporaryFolder const folder;
                write(folder, fabric.all, fabric.told);
                if (read_whole(folder / (one + "/" + file)) == read_whole(folder / (other + "/" + file))) continue;
                std::filesystem::copy_file(folder / (other + "/" + file), folder / (one + "/" + file),
                                           std::filesystem::copy_options::overwrite_existing);
                Found const found = audit_of(folder);
                std::string const title = fmt::format("{}: {} of {} is that of {}\n{}", fabric.name, file, one, other,
                                                      fmt::join(found.findings, "\n"));
                EXPECT_EQ(found.exit, 1) << title;
                ASSERT_EQ(found.findings.size(), 1u) << title;
                EXPECT_NE(found.findings[0].find(one), std::string::npos) << title;
                EXPECT_TRUE(file != "addr.json" || found.digest == sound) << title;
            }
    }
}

/// Whose routes were copied is not accused by the copy: what contradicts its own addresses is left out first.
TEST(ForeignFiles, ACopyAccusesNobodyElse) {
    All all = routers();
    take_networks_of_cables(all);
    for (char const* const spine : {"spine1", "spine2"}) all.at(spine).own.emplace_back("eth0", "192.168.0.1");
    TemporaryFolder const folder;
    write(folder, all, Told::frr_and_addresses);
    folder.write("leaf2/routes.json", read_whole(folder / "leaf1/routes.json"));
    Found const found = audit_of(folder);
    ASSERT_EQ(found.findings.size(), 1u) << fmt::format("{}", fmt::join(found.findings, "\n"));
    EXPECT_TRUE(found.findings[0].starts_with("switch \"leaf2\": its routes are not known")) << found.findings[0];
}

TEST(ForeignFiles, NamesInCapitalsAreTheSame) {
    for (Fabric fabric : fabrics()) {
        std::string const sound = digest_of(fabric);
        for (auto& [interface, far] : fabric.all.at("leaf2").hears)
            if (fabric.all.contains(far.name)) far.name = "SPINE" + far.name.substr(5);
        EXPECT_EQ(digest_of(fabric), sound) << fabric.name;
    }
}

}  // namespace
}  // namespace tailback::foreign_files_test
