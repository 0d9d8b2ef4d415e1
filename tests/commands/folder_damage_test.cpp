// A folder of ibdiagnet2 with one damage: `audit` has one finding more than of the sound folder, it is at the damage's
// place, and what follows from it is under it. On ten networks, for every damage.
#include "tests/support/programs/damaged_folder.hpp"

#include <regex>
#include <sstream>

namespace tailback::folder_damage_test {
namespace {

using namespace damaged_folder;

std::string cut_to(std::string const& row, int cells) {
    std::size_t at = 0;
    for (int i = 0; i < cells; ++i) at = row.find(',', at) + 1;
    return row.substr(0, at - 1);
}

std::string with_garbage_behind(std::string const& line) { return line + "\n%%%%"; }

/// Of the table behind the `number`-th one.
void change_heading(Folder const& f, int number, std::function<std::string(std::string const&)> const& change) {
    f.change_part(fdbs, "osm_ucast", number, [&](std::string const& table) {
        std::size_t const end = table.find('\n');
        return change(table.substr(0, end)) + table.substr(end);
    });
}
void drop_heading(Folder const& f, int number) {
    change_heading(f, number, [](auto const&) { return "@drop@"; });
    std::string all = f.text(fdbs);
    all.erase(all.find("@drop@\n"), 7);
    f.write(fdbs, all);
}
/// The first table sends its first LID with another port to the port of its last one.
void send_back(Folder const& f) {
    f.change_part(fdbs, "osm_ucast", 0, [](std::string const& table) {
        std::smatch first, last;
        std::regex_search(table, first, std::regex("\n0x\\w+ : ([0-9]{3})"));
        std::string const rest = table.substr(table.rfind(" : 00 ") - 6);
        std::regex_search(rest, last, std::regex(": ([0-9]{3})"));
        EXPECT_NE(first[1], last[1]);
        std::string changed = table;
        return changed.replace(std::size_t(first.position(1)), 3, last[1].str());
    });
}

/// The row of section PORTS of the first adapter's first port.
std::pair<std::size_t, std::size_t> port_row(std::string const& all) {
    std::smatch node;
    std::regex_search(all, node, std::regex("\n\"[^\"]*\",\\d+,1,\\d+,\\d+,0x\\w+,(0x\\w+),"));
    std::size_t const row = all.find("\n" + node[1].str() + ",", all.find("START_PORTS")) + 1;
    return {row, all.find('\n', row)};
}

void replace_first(Folder const& f, std::string const& file, char const* what, char const* by) {
    std::string const all = f.text(file), ecma = std::regex_replace(std::string(by), std::regex(R"(\$\{1\})"), "$$01");
    std::string const changed =
        std::regex_replace(all, std::regex(what), ecma, std::regex_constants::format_first_only);
    EXPECT_NE(changed, all) << file << ": " << what;
    f.write(file, changed);
}
/// The last node that `of_lst` finds gets the GUIDs of the first, of the node and of the port, in all descriptions.
void make_alike(Folder const& f, char const* of_lst) {
    std::string const all = f.text(lst);
    std::regex const node(of_lst);
    std::smatch first, last;
    ASSERT_TRUE(std::regex_search(all, first, node));
    for (std::sregex_iterator at(all.begin(), all.end(), node), end; at != end; ++at) last = *at;
    ASSERT_NE(first[1], last[1]);
    for (std::string const& file : {csv, lst, net_dump, discover}) {
        std::string text = f.text(file);
        for (std::size_t group : {1, 2})
            text = std::regex_replace(text, std::regex(last[group].str()), first[group].str());
        f.write(file, text);
    }
}

std::vector<Damage> const damages = {
    {"a row of LINKS lost", [](Folder const& f) { f.drop_line(csv, "START_LINKS", 4); }, "section LINKS"},
    {"a row of PORTS lost", [](Folder const& f) { f.drop_line(csv, "START_PORTS", 3); }, "section PORTS"},
    {"a row of NODES lost", [](Folder const& f) { f.drop_line(csv, "START_NODES", 3); }, "is not in NODES"},
    {"a row of PORTS cut",
     [](Folder const& f) { f.change_line(csv, "START_PORTS", 3, [](auto const& row) { return cut_to(row, 2); }); },
     "section PORTS: a row of 2 cells"},
    {"a row of LINKS is garbage",
     [](Folder const& f) { f.change_line(csv, "START_LINKS", 3, [](auto const&) { return "%%%%"; }); },
     "section LINKS: a row of 1 cells"},
    {"a line of garbage between rows of LINKS",
     [](Folder const& f) { f.change_line(csv, "START_LINKS", 3, with_garbage_behind); },
     "section LINKS: a row of 1 cells"},
    {"a line of garbage between rows of PORTS",
     [](Folder const& f) { f.change_line(csv, "START_PORTS", 3, with_garbage_behind); },
     "section PORTS: a row of 1 cells"},
    {"a line of garbage between rows of NODES",
     [](Folder const& f) { f.change_line(csv, "START_NODES", 3, with_garbage_behind); },
     "section NODES: a row of 1 cells"},
    {"a line of garbage between cables of lst",
     [](Folder const& f) { f.change_line(lst, "{ SW", 0, with_garbage_behind); }, "this is not a whole cable line"},
    {"a line of garbage between rows of net_dump",
     [](Folder const& f) { f.change_line(net_dump, "\"", 2, with_garbage_behind); }, "this is not a row of a port"},
    {"a row of NODES twice",
     [](Folder const& f) {
         f.change_line(csv, "START_NODES", 3, [](std::string const& row) { return row + "\n" + row; });
     },
     "have the same GUID; they are taken as one"},
    {"the heading of PORTS twice",
     [](Folder const& f) {
         f.change_line(csv, "START_PORTS", 1, [](std::string const& row) { return row + "\n" + row; });
     },
     "section PORTS has the heading of its columns a second time"},
    {"the whole of db_csv twice", [](Folder const& f) { f.write(csv, f.text(csv) + f.text(csv)); },
     "section NODES begins a second time"},
    {"a description in an .xz file that is cut",
     [](Folder const& f) {
         f.remove(lst);
         f.write(lst + ".xz", std::string("\xFD"
                                          "7zXZ\0\0\4",
                                          8));
     },
     "ibdiagnet2.lst.xz: it cannot be read"},
    {"groups packed with gzip",
     [](Folder const& f) {
         f.remove(far);
         f.write(far + ".gz", "\x1f\x8b and more");
         f.write(lst + ".gz", "\x1f\x8b and more");  // a copy of a file that is read
     },
     "ibdiagnet2.far.gz: it cannot be read"},
    {"no INDEX_TABLE",
     [](Folder const& f) {
         std::string const all = f.text(csv);
         f.write(csv, all.substr(0, all.find("START_INDEX_TABLE")));
     },
     "the file's first line promises an INDEX_TABLE, and there is none"},
    {"the end of PORTS lost", [](Folder const& f) { f.drop_line(csv, "END_PORTS", 0); }, "section PORTS has no end"},
    {"PORTS without LIDs",
     [](Folder const& f) {
         f.change_line(csv, "START_PORTS", 1,
                       [](auto const& row) { return std::regex_replace(row, std::regex(",LID,"), ",LOD,"); });
     },
     "section PORTS has no column LID"},
    {"a wrong INDEX_TABLE",
     [](Folder const& f) {
         f.write(csv, std::regex_replace(f.text(csv), std::regex("(PORTS, \\d+, \\d+, \\d+, )(\\d+)"), "$019$2"));
     },
     "by the index in line"},
    {"a db_csv of another run",
     [](Folder const& f) { f.write(csv, std::regex_replace(f.text(csv), std::regex("0x0254420"), "0x0333330")); },
     "ibdiagnet2.db_csv: it is of another run"},
    {"a wrong offset in INDEX_TABLE",
     [](Folder const& f) {
         f.write(csv, std::regex_replace(f.text(csv), std::regex("\nPORTS, (\\d+),"), "\nPORTS, 1$1,"));
     },
     "section PORTS has "},
    {"a wrong line in INDEX_TABLE",
     [](Folder const& f) {
         f.write(csv, std::regex_replace(f.text(csv), std::regex("\nPORTS, (\\d+), (\\d+), (\\d+),"),
                                         "\nPORTS, $1, $2, 9$3,"));
     },
     "as the line of its columns"},
    {"another LID at a switch's port in PORTS",
     [](Folder const& f) {
         std::string all = f.text(csv);
         std::smatch row;
         ASSERT_TRUE(std::regex_search(all, row, std::regex("\n(0x[0-9a-f]+),\\1,1,\\d*(\\d),")));
         char& digit = all[static_cast<std::size_t>(row.position(2))];
         digit = digit == '9' ? '0' : static_cast<char>(digit + 1);
         f.write(csv, all);
     },
     "at the others of the switch"},
    {"another port GUID in NODES",
     [](Folder const& f) {
         f.change_line(csv, "START_NODES", 2, [](auto const& row) {
             return std::regex_replace(row, std::regex("((?:0x[0-9a-f]{16},){2}0x[0-9a-f]{15})[0-9a-f]"), "$01f");
         });
     },
     "section NODES tells a port GUID that none of its ports has in PORTS"},
    {"a switch without a row in SWITCHES",
     [](Folder const& f) {
         f.change_line(csv, "START_SWITCHES", 2,
                       [](auto const& row) { return std::regex_replace(row, std::regex("^0x02"), "0x09"); });
     },
     "it has no row in section SWITCHES"},
    {"a table's number of far lost", [](Folder const& f) { f.drop_line(far, "PLFT_NUM", 0); },
     "the line \"PLFT_NUM: 0\" is missing above"},
    {"LINKS cut off",
     [](Folder const& f) {
         std::string const all = f.text(csv);
         f.write(csv, all.substr(0, all.find("START_LINKS") + 100));
     },
     "section LINKS"},
    {"the lst of another run",
     [](Folder const& f) {
         f.write("older.lst", std::regex_replace(f.text(lst), std::regex("GUID:0254420"), "GUID:0333330"));
     },
     "older.lst: it is of another run"},
    {"a port line of ibnetdiscover is garbage",
     [](Folder const& f) { f.change_line("ibnetdiscover.out", "Switch", 1, [](auto const&) { return "[%%%"; }); },
     "this is not a whole port line"},
    {"a line of garbage between port lines of ibnetdiscover",
     [](Folder const& f) {
         f.change_line("ibnetdiscover.out", "Switch", 1, [](auto const& line) { return line + "\n[%%%"; });
     },
     "this is not a whole port line"},
    {"a line of garbage in a record of ibnetdiscover",
     [](Folder const& f) { f.change_line("ibnetdiscover.out", "Switch", 2, with_garbage_behind); },
     "this is not a line of a record"},
    {"a LID of far above its table's top",
     [](Folder const& f) {
         f.change_line(far, "LFT Definition", 4,
                       [](auto const& row) { return std::regex_replace(row, std::regex("^0x0"), "0x2"); });
     },
     "is above the top of its table"},
    {"net_dump cut between two switches",
     [](Folder const& f) {
         std::string const all = f.text(net_dump);
         f.write(net_dump, all.substr(0, all.rfind("\n\"", all.rfind(", LID ")) + 1));
     },
     "in ibdiagnet2.net_dump it has no list of its own"},
    {"far cut off in its groups",
     [](Folder const& f) {
         std::string const all = f.text(far);
         std::size_t const groups = all.find("Groups Definition", all.size() / 2);
         f.write(far, all.substr(0, all.find("----", groups)) + "----\n1      0     ");
     },
     "the file ends before its entries"},
    {"the last cable between switches of net_dump lost at one end",
     [](Folder const& f) {
         std::string const all = f.text(net_dump);
         std::vector<std::string> lines;
         std::istringstream in(all);
         for (std::string line; std::getline(in, line);) lines.push_back(line);
         for (std::size_t i = lines.size(); i-- > 0;)
             if (lines[i].find("\"S") != std::string::npos && lines[i].front() != '"') {
                 lines.erase(lines.begin() + std::ptrdiff_t(i));
                 break;
             }
         std::string cut;
         for (std::string const& line : lines) cut += line + "\n";
         ASSERT_NE(cut, all);
         f.write(net_dump, cut);
     },
     "is not listed there; taken as plugged in"},
    {"ibnetdiscover.out empty", [](Folder const& f) { f.write("ibnetdiscover.out", ""); },
     "ibnetdiscover.out: it cannot be read: it is empty"},
    {"fdbs cut between two switches",
     [](Folder const& f) {
         std::string const all = f.text(fdbs);
         std::size_t const second = all.find("\nosm_ucast", all.find("\nosm_ucast") + 1);
         f.write(fdbs, all.substr(0, (second == std::string::npos ? all.find("\nosm_ucast") : second) + 1));
     },
     " ibdiagnet2.far "},
    {"fdbs cut within its first table",
     [](Folder const& f) {
         std::string const all = f.text(fdbs);
         f.write(fdbs, all.substr(0, all.find("\n0x0003") + 1));
     },
     "more switches"},
    {"a heading of fdbs lost", [](Folder const& f) { drop_heading(f, 1); },
     "the header of a table is missing above its columns; the table is left out; 1 switch has no table in it: "},
    {"two headings of fdbs lost",
     [](Folder const& f) {
         drop_heading(f, 2);
         drop_heading(f, 1);
     },
     "2 switches have no table in it: "},
    {"a heading of fdbs is garbage", [](Folder const& f) { change_heading(f, 1, [](auto const&) { return "%%%%"; }); },
     "\"%%%%\" is no table entry: the header of a table is missing above its columns"},
    {"a heading of fdbs without a GUID",
     [](Folder const& f) {
         change_heading(f, 1, [](auto const& line) { return std::regex_replace(line, std::regex("0x\\w+"), "%%"); });
     },
     "the table header names no switch; its table is left out; 1 switch has no table in it: "},
    {"a port of fdbs changed to one that leads back", [](Folder const& f) { send_back(f); },
     "1 entry of its table differs between ibdiagnet2.fdbs"},
    {"\"Groups Definition\" of far lost", [](Folder const& f) { f.drop_line(far, "Groups Definition", 0); },
     "the line \"Groups Definition:\" is missing above; what it announces is read"},
    {"a heading of far lost",
     [](Folder const& f) {
         std::string const all = f.text(far);
         std::size_t const second = all.find("\nSwitch 0x", all.find("Switch 0x"));
         f.write(far, all.substr(0, second) + all.substr(all.find('\n', second + 1)));
     },
     "the heading of a switch is missing above its groups; its table is left out"},
    {"several LIDs of far above their table's top",
     [](Folder const& f) {
         for (int row : {4, 5})
             f.change_line(far, "LFT Definition", row,
                           [](auto const& line) { return std::regex_replace(line, std::regex("^0x0"), "0x2"); });
     },
     "and 1 more are above the top of their table"},
    {"a heading of far without a GUID",
     [](Folder const& f) { f.change_line(far, "Switch 0x", 0, [](auto const&) { return "Switch 0x%%"; }); },
     "the heading names no switch; its table is left out"},
    {"fdbs without a LID",
     [](Folder const& f) { f.write(fdbs, std::regex_replace(f.text(fdbs), std::regex("\n0x0002 [^\n]*"), "")); },
     "no table has an entry for LID 2, which ibdiagnet2.far has; those are used"},
    {"an entry of fdbs lost", [](Folder const& f) { f.drop_line(fdbs, "osm_ucast", 4); },
     "1 entry of its table differs between ibdiagnet2.fdbs, which is used, and ibdiagnet2.far"},
    {"a cable of lst lost", [](Folder const& f) { f.drop_line(lst, "{ SW", 0); }, "missing in ibdiagnet2.lst"},
    {"a LID of net_dump changed",
     [](Folder const& f) {
         f.write(net_dump, std::regex_replace(f.text(net_dump), std::regex("LID \\d+\n"), "LID 7777\n",
                                              std::regex_constants::format_first_only));
     },
     "LID 7777"},
    {"a neighbour's LID of net_dump changed",
     [](Folder const& f) { replace_first(f, net_dump, R"((: \d+ : )\d+( : "S))", "${1}7777$2"); }, "LID 7777"},
    {"a LID of lst changed", [](Folder const& f) { replace_first(f, lst, R"((\{ SW [^}]*\} LID:)\w+)", "${1}1E61"); },
     "LID 7777"},
    {"a port GUID of lst changed",
     [](Folder const& f) { replace_first(f, lst, R"((\{ SW [^}]* PortGUID:)\w+)", "${1}000000000000aaaa"); },
     "port GUID 0x000000000000aaaa"},
    {"a host's port GUID of ibnetdiscover changed",
     [](Folder const& f) { replace_first(f, discover, R"((\n\[1\]\()\w+)", "${1}aaaa"); },
     "its port GUID is 0x000000000000aaaa by ibnetdiscover.out"},
    {"a neighbour's LID of ibnetdiscover changed",
     [](Folder const& f) { replace_first(f, discover, R"(("S[\w.-]*" lid )\d+)", "${1}7777"); },
     "its neighbour's LID 7777"},
    {"a GUID before a record of ibnetdiscover changed",
     [](Folder const& f) { replace_first(f, discover, R"((switchguid=0x)\w+)", "${1}aaaa"); },
     "its GUID is 0x000000000000aaaa before its record"},
    {"a cabled port that is down",
     [](Folder const& f) {
         std::string all = f.text(csv);
         auto const [row, end] = port_row(all);
         all[end - 1] = '1';
         f.write(csv, all);
     },
     "its state is Down, not Active"},
    {"a state that net_dump tells otherwise", [](Folder const& f) { replace_first(f, net_dump, " ACT ", " INI "); },
     "its state is Init by ibdiagnet2.net_dump, not by ibdiagnet2.db_csv"},
    {"a state that lst tells otherwise", [](Folder const& f) { replace_first(f, lst, "LOG=ACT", "LOG=ARM"); },
     "its state is Armed by ibdiagnet2.lst, not by ibdiagnet2.db_csv"},
    {"a low LinearFDBTop",
     [](Folder const& f) {
         std::string all = f.text(csv);
         std::size_t const at = all.find(",49152,") + 7, end = all.find(',', at);
         all.replace(at, end - at, std::string(end - at - 1, '0') + "1");
         f.write(csv, all);
     },
     "and it drops what is above LID 1 (its LinearFDBTop)"},
    {"an LMC that ibnetdiscover tells otherwise",
     [](Folder const& f) { replace_first(f, discover, "(Ca[^]*? lmc )0", "${1}1"); },
     "its LMC is 1 by ibnetdiscover.out, 0 by ibdiagnet2.db_csv"},
    {"a switch with fewer ports than cables",
     [](Folder const& f) { replace_first(f, discover, "(\nSwitch\\s+)\\d+", "${1}1"); }, "its record has 1 port"},
    {"a name that lst tells otherwise",
     [](Folder const& f) { replace_first(f, lst, "(CA [^}]*\\{)H[^}]*", "${1}localhost"); },
     "its name is \"localhost\" by ibdiagnet2.lst"},
    {"a host that lst has under another GUID",
     [](Folder const& f) { replace_first(f, lst, "(CA [^}]*NodeGUID:)\\w+", "${1}0000000000abcdef"); },
     "(0x0000000000abcdef) by ibdiagnet2.lst"},
    {"two hosts of one GUID",
     [](Folder const& f) { make_alike(f, R"(\{ CA [^}]* NodeGUID:0*(\w+) PortGUID:0*(\w+))"); },
     "have the same GUID; they are taken as one"},
    {"two switches of one GUID",
     [](Folder const& f) { make_alike(f, R"(\{ SW [^}]* NodeGUID:0*(\w+) PortGUID:0*(\w+))"); },
     "have the same GUID; they are taken as one"},
    {"a table of fdbs lost",
     [](Folder const& f) { f.change_part(fdbs, "osm_ucast", 1, [](auto const&) { return ""; }); },
     "its table is missing in ibdiagnet2.fdbs; that of ibdiagnet2.far is used"},
    {"a table lost",
     [](Folder const& f) {
         f.remove(far);
         f.change_part(fdbs, "osm_ucast", 1, [](auto const&) { return ""; });
     },
     "it has no forwarding table"},
    {"a line of fdbs is garbage",
     [](Folder const& f) { f.change_line(fdbs, "osm_ucast", 3, [](auto const&) { return "%%%%"; }); },
     "\"%%%%\" is no table entry (ibdiagnet2.fdbs:4)"},
    {"a line of the only tables is garbage",
     [](Folder const& f) {
         f.remove(far);
         f.change_line(fdbs, "osm_ucast", 3, [](auto const&) { return "%%%%"; });
     },
     "\"%%%%\" is no table entry (ibdiagnet2.fdbs:4)"},
    {"a line of far is garbage",
     [](Folder const& f) { f.change_line(far, "LFT Definition", 5, [](auto const&) { return "%%%%"; }); },
     "is neither a group nor an entry of a .far file"},
    {"far cut off",
     [](Folder const& f) {
         std::string const all = f.text(far);
         std::size_t const entry = all.find("\n0x", all.size() / 2);  // within a line of a table
         f.write(far, all.substr(0, entry + 4));
     },
     "is neither a group nor an entry of a .far file"},
    {"an entry of far changed",
     [](Folder const& f) {
         f.change_line(far, "LFT Definition", 5, [](auto const& row) {
             return std::regex_replace(row, std::regex("^(0x\\w+ +)(\\d+)"), "$013");
         });
     },
     "of its table differ"},
    {"a top of far that is too low",
     [](Folder const& f) {
         std::string all = f.text(far);
         all.replace(all.rfind("top: 0x") + 7, 4, "0002");
         f.write(far, all);
     },
     "are above the top of their table, 2 "},
    {"another private table",
     [](Folder const& f) {
         f.change_line(far, "PLFT_NUM", 0,
                       [](auto const& row) { return std::regex_replace(row, std::regex("NUM: 0"), "NUM: 3"); });
     },
     "private table 3 is not followed"},
};

/// Where a file of tables is cut off: within a line, in the middle of the file.
std::string cut_in_a_line(std::string const& all, std::string const& line_start) {
    return all.substr(0, all.find("\n" + line_start, all.size() / 2) + 1 + line_start.size() + 4);
}

/// Damages that leave no whole file of tables, or no LID: there is still a fabric to audit.
std::vector<Damage> const damages_of_all_tables = {
    {"the only tables cut off",
     [](Folder const& f) {
         f.remove(far);
         f.write(fdbs, cut_in_a_line(f.text(fdbs), "0x"));
     },
     "the file is cut off in its table"},
    {"the only tables, of .far, cut off",
     [](Folder const& f) {
         f.remove(fdbs);
         f.write(far, cut_in_a_line(f.text(far), "0x"));
     },
     "is neither a group nor an entry of a .far file"},
    {"the only tables empty",
     [](Folder const& f) {
         f.remove(far);
         f.write(fdbs, "");
     },
     "ibdiagnet2.fdbs: it cannot be read"},
    {"the only tables of another fabric",
     [](Folder const& f) {
         f.remove(far);
         f.write(fdbs, std::regex_replace(f.text(fdbs), std::regex("Switch 0x0"), "Switch 0x7"));
     },
     "ibdiagnet2.fdbs: it cannot be read"},
    {"a cable whose ends have two rates",  // of as many bytes as before
     [](Folder const& f) {
         for (std::string const& file : {lst, discover, net_dump}) f.remove(file);
         std::string all = std::regex_replace(f.text(csv), std::regex(",N/A,N/A,"), ",2,00512,");
         auto const [row, end] = port_row(all);
         all.replace(row, end - row,
                     std::regex_replace(all.substr(row, end - row), std::regex(",2,00512,"), ",2,00256,"));
         f.write(csv, all);
     },
     "its end of the cable is "},
    {"a LID is 0 in db_csv",
     [](Folder const& f) {
         std::string all = f.text(csv);
         auto const [row, end] = port_row(all);
         std::string const zero =
             std::regex_replace(all.substr(row, end - row), std::regex("^(0x\\w+,0x\\w+,\\d+,)\\d+"), "$010");
         all.replace(row, end - row, zero);
         f.write(csv, all);
     },
     "it has no LID by ibdiagnet2.db_csv; LID "},
};

/// Damages of groups, where a switch has an entry with a group.
std::vector<Damage> const damages_of_groups = {
    {"an unknown group",
     [](Folder const& f) {
         f.write(far, std::regex_replace(f.text(far), std::regex("Free +\\d+"), "Free       777",
                                         std::regex_constants::format_first_only));
     },
     "is sent to group 777, which the switch does not have"},
    {"a port beyond the switch in a group",
     [](Folder const& f) {
         std::smatch first;
         std::string const all = f.text(far);
         ASSERT_TRUE(std::regex_search(all, first, std::regex("Free +(\\d+)")));
         std::string const group = first[1];
         std::size_t const at = all.rfind("\nGroups Definition", static_cast<std::size_t>(first.position()));
         std::string rest = std::regex_replace(all.substr(at), std::regex("(\n" + group + " +0 +0 +[0-9,]*)"),
                                               "$01200,", std::regex_constants::format_first_only);
         f.write(far, all.substr(0, at) + rest);
     },
     "a group has port 200, which the switch does not have"},
    {"another file with other groups",
     [](Folder const& f) {
         f.write("ibdiagnet2-of-another-day.far", std::regex_replace(f.text(far), std::regex("Free +\\d+"), "Static",
                                                                     std::regex_constants::format_first_only));
     },
     "ibdiagnet2-of-another-day.far: its groups differ from those of ibdiagnet2.far"},
    {"a group twice",
     [](Folder const& f) {
         f.write(far, std::regex_replace(f.text(far), std::regex("\n(1 +0 +0 +[0-9,]*)\n"), "\n$1\n$1\n",
                                         std::regex_constants::format_first_only));
     },
     "group 1 is defined a second time"},
    {"an empty group",
     [](Folder const& f) {
         std::smatch first;
         std::string const all = f.text(far);
         ASSERT_TRUE(std::regex_search(all, first, std::regex("Free +(\\d+)")));
         std::string const group = first[1];
         std::size_t const at = all.rfind("\nGroups Definition", static_cast<std::size_t>(first.position()));
         std::string rest = std::regex_replace(all.substr(at), std::regex("(\n" + group + " +0 +0 +)[0-9,]*"), "$1",
                                               std::regex_constants::format_first_only);
         f.write(far, all.substr(0, at) + rest);
     },
     "has no port"},
};

class FolderDamage : public ::testing::TestWithParam<std::pair<char const*, char const*>> {};

TEST_P(FolderDamage, IsFoundAtItsPlaceAndNothingElse) {
    auto const [spec, routing] = GetParam();
    std::multiset<std::string> const sound = findings_of(Folder(spec, routing).path());
    for (Damage const& damage : damages) expect_one_more(damage, spec, routing, sound);
    for (Damage const& damage : damages_of_all_tables) expect_one_more(damage, spec, routing, sound);
    Folder const any(spec, routing);
    if (any.text(far).find("Free") == std::string::npos) return;
    for (Damage const& damage : damages_of_groups) expect_one_more(damage, spec, routing, sound);
}

INSTANTIATE_TEST_SUITE_P(
    TenNetworks, FolderDamage,
    ::testing::Values(std::pair("xgft:m=4x6,w=1x4", "ar:ftree"), std::pair("xgft:m=6x3,w=1x2", "ar:ftree"),
                      std::pair("xgft:m=2x3x2,w=1x2x3", "ar:updn"), std::pair("torus:4x4,hosts=2", "ar:minimal"),
                      std::pair("dragonfly:a=4,p=2,h=2", "ar:minimal"), std::pair("hyperx:3x3,hosts=2", "ar:minimal"),
                      std::pair("ring:6", "ar:minimal"),
                      std::pair("jellyfish:switches=12,degree=3,hosts=2", "ar:minimal"),
                      std::pair("hypercube:5", "ar:minimal"), std::pair("torus:3x3x3", "ar:updn")));

/// An entry of a spine that sends a host's packets up again: the circle, with what is odd about the entry under it.
TEST(FolderDamage, AWrongGroupThatLoopsIsOneFinding) {
    std::string const spec = "xgft:m=4x6,w=1x4", routing = "ar:ftree";
    std::multiset<std::string> const sound = findings_of(Folder(spec, routing).path());
    auto const with_group = [](std::string const& node, std::string const& group) {  // the entry for LID 6
        return [=](Folder const& f) {
            std::string all = f.text(far);
            std::size_t const free = all.find("Free", all.find("\n0x0006", all.find('"' + node + '"')));
            all.replace(free, all.find('\n', free) - free, "Free       " + group);
            f.write(far, all);
        };
    };
    Damage const group{"another leaf's group", with_group("S2_0", "1"), "some choices run in a circle"};
    expect_one_more(group, spec, routing, sound);
    Damage const unlike{"a group that lacks the static entry's port", with_group("S1_0", "2"),
                        "group 2 does not have the ports of the static entries for LID 6"};
    expect_one_more(unlike, spec, routing, sound);
}

/// Whether a LID is free or bounded, its group is the same; logs and tables of multicast beside the others are no
/// tables.
TEST(FolderDamage, BoundedEntriesAndFilesBesideTheTables) {
    Folder const folder("xgft:m=4x6,w=1x4", "ar:ftree");
    std::multiset<std::string> const sound = findings_of(folder.path());
    folder.write(far, std::regex_replace(folder.text(far), std::regex(" Free       "), " Bounded    "));
    folder.write("opensm.log", folder.text(fdbs).substr(0, 4000));
    folder.write("dump_mfts.out", "Multicast mlids [0xc000-0xc0ff] of switch Lid 1 guid 0x1 (S):\n");
    EXPECT_EQ(findings_of(folder.path()), sound);
}

/// A leaf's table that has the LIDs of its four hosts one port further.
TEST(FolderDamage, ATableThatHasHostsAtOtherPorts) {
    std::string const spec = "xgft:m=4x6,w=1x4", routing = "updn";
    Damage const moved{"hosts at other ports",
                       [](Folder const& f) {
                           f.change_part(fdbs, "osm_ucast", 0, [](std::string table) {
                               for (char const lid : {'1', '2', '3', '4'})
                                   table.replace(table.find(std::string("0x000") + lid + " : ") + 9, 3,
                                                 std::string("00") + char(lid + 1));
                               return table;
                           });
                       },
                       "its table sends the LIDs of 4 of its 4 hosts elsewhere than to their ports (the first: LID 1 "
                       "by port 2, and host \"H1\""};
    expect_one_more(moved, spec, routing, findings_of(Folder(spec, routing).path()));
}

}  // namespace
}  // namespace tailback::folder_damage_test
