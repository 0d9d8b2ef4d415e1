// A folder of ibdiagnet2 of a fabric to which something happened: a switch or a host was booted or replaced, or is new.
// `audit` has one finding more than of the sound folder, at that node, whatever follows from it. On several networks.
#include "tests/support/programs/damaged_folder.hpp"

#include <regex>

namespace tailback::folder_events_test {
namespace {

using namespace damaged_folder;

std::vector<std::string> const descriptions = {csv, lst, net_dump, discover};

/// The number-th GUID of a switch in lst, as 16 digits.
std::string switch_guid(Folder const& f, std::size_t number) {
    std::string const all = f.text(lst);
    std::regex const node(R"(\{ SW [^}]* NodeGUID:(\w+))");
    std::vector<std::string> guids;
    for (std::sregex_iterator at(all.begin(), all.end(), node), end; at != end; ++at)
        if (std::string const guid = (*at)[1]; std::ranges::find(guids, guid) == guids.end()) guids.push_back(guid);
    return guids.at(number);
}

/// All ports of a node of db_csv are in this state.
void set_states(Folder const& f, std::string const& guid, char state) {
    f.write(csv, std::regex_replace(f.text(csv), std::regex("(\n0x" + guid + ",0x\\w+,[1-9]\\d*,[^\n]*,)4(?=\n)"),
                                    std::string("$01") + state));
}

void replace_all(Folder const& f, std::vector<std::string> const& files, std::string const& what,
                 std::string const& by) {
    for (std::string const& file : files) f.write(file, std::regex_replace(f.text(file), std::regex(what), by));
}

/// The ports of a node of db_csv have LID 0; as many digits as before, for the index of the file.
void drop_lids(Folder const& f, std::string const& guid) {
    std::string all = f.text(csv);
    std::regex const port("\n0x" + guid + ",0x\\w+,\\d+,(\\d+),");
    for (std::sregex_iterator at(all.begin(), all.end(), port), end; at != end; ++at)
        std::fill_n(all.begin() + at->position(1), at->length(1), '0');
    f.write(csv, all);
}

/// GUIDs of another maker, of the node and its ports.
void replace_switch(Folder const& f, std::size_t number) {
    std::string const guid = switch_guid(f, number);
    replace_all(f, descriptions, guid.substr(1), "00254420aaabbbb");  // without the first digit, which is 0
}

/// A file of tables of a day when each of the first 20 hosts, or of all, had the LID of the next one.
void renumber_hosts(Folder const& f, std::string const& file) {
    std::string all = f.text(file), nodes = f.text(csv);
    std::regex const host("\n\"H\\d+\","), lid("\n0x00(\\w\\w)(?= )");
    auto const hosts = std::distance(std::sregex_iterator(nodes.begin(), nodes.end(), host), std::sregex_iterator());
    auto const last = std::min(20ul, static_cast<unsigned long>(hosts));
    std::string const before = all;
    for (std::sregex_iterator at(before.begin(), before.end(), lid), end; at != end; ++at) {
        unsigned long const was = std::stoul((*at)[1], nullptr, 16);
        if (was == 0 || was > last) continue;
        char now[4];
        std::snprintf(now, sizeof now, "%02x", static_cast<unsigned>(was == last ? 1 : was + 1) & 0xFFu);
        all.replace(std::size_t(at->position(1)), 2, now);
    }
    f.write(file, all);
}

std::vector<Damage> const events = {
    {"a switch was booted", [](Folder const& f) { set_states(f, switch_guid(f, 1), '2'); },
     "it is not up: none of its "},
    {"a switch was booted and has no LID and an empty table",
     [](Folder const& f) {
         std::string const guid = switch_guid(f, 1);
         set_states(f, guid, '2');
         f.remove(far);
         drop_lids(f, guid);
         for (std::string const& other : {lst, net_dump, discover}) f.remove(other);
         f.change_part(fdbs, "osm_ucast", 1, [](std::string const& table) {
             return std::regex_replace(table, std::regex(" : \\d{3} [^\n]*"), " : UNREACHABLE");
         });
     },
     "it is not up: none of its "},
    {"a host was booted and has no LID",
     [](Folder const& f) {
         for (std::string const& other : {lst, net_dump, discover}) f.remove(other);
         replace_all(f, {csv}, "(\n0x0254420000000100,0x\\w+,1,)1,(.*),4(?=\n)", "$010,$2,2");
     },
     "its state is Init, not Active"},
    {"a cable is not active by net_dump, the only description",
     [](Folder const& f) {
         for (std::string const& other : {csv, lst, discover}) f.remove(other);
         std::string const all = f.text(net_dump);
         f.write(net_dump,
                 std::regex_replace(all, std::regex(" ACT "), " INI ", std::regex_constants::format_first_only));
     },
     "its state is Init, not Active"},
    {"a cable is not active by lst, the only description",
     [](Folder const& f) {
         for (std::string const& other : {csv, net_dump, discover}) f.remove(other);
         std::string const all = f.text(lst);
         f.write(lst,
                 std::regex_replace(all, std::regex("LOG=ACT"), "LOG=DWN", std::regex_constants::format_first_only));
     },
     "its state is Down, not Active"},
    {"groups of another day", [](Folder const& f) { renumber_hosts(f, far); }, "ibdiagnet2.far: it is of another run"},
    {"tables of another day beside groups of today", [](Folder const& f) { renumber_hosts(f, fdbs); },
     "ibdiagnet2.fdbs: it is of another run"},
    {"tables of another day",
     [](Folder const& f) {
         f.remove(far);
         renumber_hosts(f, fdbs);
     },
     "they are of another day than the topology"},
    {"a switch was replaced", [](Folder const& f) { replace_switch(f, 1); },
     "it has another GUID than in the tables, as a switch that was replaced"},
};

class FolderEvents : public ::testing::TestWithParam<std::pair<char const*, char const*>> {};

TEST_P(FolderEvents, AreOneFinding) {
    auto const [spec, routing] = GetParam();
    std::multiset<std::string> const sound = findings_of(Folder(spec, routing).path());
    for (Damage const& event : events) expect_one_more(event, spec, routing, sound);
}

/// Of leaves with the same spines one has no group in any entry.
TEST(FolderSiblings, ASwitchWithoutAdaptiveRoutingIsTold) {
    auto const [spec, routing] = std::pair("xgft:m=4x6,w=1x4", "ar:ftree");
    expect_one_more({"all entries of a switch are static",
                     [](Folder const& f) {
                         f.change_part(far, "Switch ", 1, [](std::string const& part) {
                             return std::regex_replace(part, std::regex("(\n0x\\w+ +\\d+ +)Free[^\n]*"), "$1Static");
                         });
                     },
                     "all its entries are static, while 5 of 6 switches with the same neighbours choose"},
                    spec, routing, findings_of(Folder(spec, routing).path()));
}

INSTANTIATE_TEST_SUITE_P(Networks, FolderEvents,
                         ::testing::Values(std::pair("xgft:m=4x6,w=1x4", "ar:ftree"),
                                           std::pair("xgft:m=2x3x2,w=1x2x3", "ar:updn"),
                                           std::pair("torus:4x4,hosts=2", "ar:minimal"),
                                           std::pair("dragonfly:a=4,p=2,h=2", "ar:minimal")));

}  // namespace
}  // namespace tailback::folder_events_test
