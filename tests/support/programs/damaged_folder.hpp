// A folder of ibdiagnet2 that `generate` wrote, to be damaged, and what `audit` finds in it.
#pragma once

#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tailback::damaged_folder {

class Folder {
public:
    Folder(std::string const& spec, std::string const& routing) {
        Finished const made =
            run_tailback({"generate", spec, "--routing", routing, "--to", "ibdiagnet2", "--output", path(), "--quiet"});
        EXPECT_EQ(made.code, 0) << made.err;
    }
    std::string path() const { return folder_.path(); }
    std::string text(std::string const& file) const { return read_whole(folder_ / file); }
    void write(std::string const& file, std::string const& text) const { folder_.write(file, text); }
    void remove(std::string const& file) const { std::filesystem::remove(folder_ / file); }

    /// Replaces the `number`-th line behind the first that begins with `heading`.
    void change_line(std::string const& file, std::string const& heading, int number,
                     std::function<std::string(std::string const&)> const& change) const {
        std::string all = text(file);
        ASSERT_TRUE(all.starts_with(heading) || all.find("\n" + heading) != std::string::npos) << heading;
        std::size_t at = all.starts_with(heading) ? 0 : all.find("\n" + heading) + 1;
        for (int i = 0; i < number; ++i) at = all.find('\n', at) + 1;
        std::size_t const end = all.find('\n', at);
        all.replace(at, end - at, change(all.substr(at, end - at)));
        write(file, all);
    }
    void drop_line(std::string const& file, std::string const& heading, int number) const {
        change_line(file, heading, number, [](std::string const&) { return "@drop@"; });
        std::string all = text(file);
        all.erase(all.find("@drop@\n"), 7);
        write(file, all);
    }
    /// The `number`-th part of a file, parts beginning with `start` at the beginning of a line.
    void change_part(std::string const& file, std::string const& start, int number,
                     std::function<std::string(std::string const&)> const& change) const {
        std::string all = text(file);
        std::size_t at = all.starts_with(start) ? 0 : all.find("\n" + start) + 1;
        for (int i = 0; i < number; ++i) at = all.find("\n" + start, at) + 1;
        std::size_t const end = std::min(all.size(), all.find("\n" + start, at));
        all.replace(at, end - at, change(all.substr(at, end - at)));
        write(file, all);
    }

private:
    TemporaryFolder folder_;
};

/// Findings that a damage may lead to, as `where: message`; `asymmetric` and the like are of the routing.
inline std::multiset<std::string> findings_of(std::string const& folder) {
    Finished const done = run_tailback({"audit", "--network", folder, "--format", "json", "--quiet"});
    EXPECT_LE(done.code, 1) << done.err;
    std::multiset<std::string> found;
    if (done.code > 1) return found;
    nlohmann::json const report = nlohmann::json::parse(done.out);
    for (nlohmann::json const& one : report.at("findings")) {
        static std::set<std::string> const of_routing = {"asymmetric", "unused",     "switch_lids",
                                                         "updown",     "nonminimal", "deadlock"};
        if (!of_routing.contains(one.at("kind")))
            found.insert(one.at("where").get<std::string>() + ": " + one.at("message").get<std::string>());
    }
    return found;
}

inline std::string const csv = "ibdiagnet2.db_csv", lst = "ibdiagnet2.lst", fdbs = "ibdiagnet2.fdbs",
                         far = "ibdiagnet2.far", net_dump = "ibdiagnet2.net_dump", discover = "ibnetdiscover.out";

struct Damage {
    char const* name;
    std::function<void(Folder const&)> make;
    char const* told;  ///< in the finding
};

/// Damaged, the folder has one finding more than `sound`, which tells what is wrong.
inline void expect_one_more(Damage const& damage, std::string const& spec, std::string const& routing,
                            std::multiset<std::string> const& sound) {
    SCOPED_TRACE(spec + ": " + damage.name);
    Folder const folder(spec, routing);
    ASSERT_NO_FATAL_FAILURE(damage.make(folder));
    std::multiset<std::string> const found = findings_of(folder.path());
    std::vector<std::string> more;
    for (std::string const& one : found)
        if (!sound.contains(one)) more.push_back(one);
    std::string all;
    for (std::string const& one : more) all += "  " + one + "\n";
    EXPECT_EQ(more.size(), 1u) << all;
    EXPECT_NE(all.find(damage.told), std::string::npos) << all;
}

}  // namespace tailback::damaged_folder
