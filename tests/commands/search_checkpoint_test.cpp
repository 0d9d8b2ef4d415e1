// --checkpoint of searches: a run that was killed goes on to the same bytes; what is wrong with the file is refused.
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/running.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

namespace tailback::search_checkpoint_test {
namespace {

/// On a ring most links carry more than any host: the bound is not reached.
Words place_words() {
    return {"place",     "--network",       "ring:24", "--pattern", "stencil-2d:size=100",
            "--mapping", "shuffle",         "--moves", "6M",        "--restarts",
            "2",         "--random-orders", "10",      "--format",  "json"};
}
/// Groups that stay in leaves; groups of jobs that are ordered together, the lighter ones after the busiest; nodes
/// beside a job, on which groups find room.
std::vector<Words> words_with_zones() {
    Words const common = {"--mapping", "shuffle", "--random-orders", "10", "--format", "json", "--keep-within", "leaf"};
    return {joined({"place", "xgft:m=6x6,w=1x2", "--pattern", "uniform:flows=200,size=100", "--ranks", "36", "--moves",
                    "4M", "--restarts", "2", "--keep-together", "3"},
                   common),
            {"place", "ring:24", "--job", "a:pattern=stencil-2d,ranks=12,mapping=shuffle", "--job",
             "b:pattern=stencil-2d,ranks=12,mapping=cyclic", "--moves", "4M", "--restarts", "2", "--random-orders",
             "10", "--format", "json"},
            joined({"place", "xgft:m=6x6,w=1x2", "--pattern", "all-to-all", "--ranks", "18", "--job",
                    "a:pattern=all-to-all,nodes=H[1,8,15,22]", "--moves", "2M", "--keep-together", "3"},
                   common)};
}
/// With another value of an option, or one more option.
Words with(Words words, std::string const& option, std::string const& value) {
    auto const at = std::find(words.begin(), words.end(), option);
    if (at == words.end()) return joined(words, {option, value});
    *(at + 1) = value;
    return words;
}
/// Its routes wait in circles on one lane: rounds, moves, orders of the switches, and moves again.
Words improve_words() {
    return {"improve",    "--network", "dragonfly:a=4,p=2,h=2",
            "--routing",  "minhop",    "--moves",
            "1M",         "--orders",  "300",
            "--restarts", "3",         "--format",
            "json"};
}

/// Kills a run when its checkpoint has been written so often, and once more.
void run_and_kill(Words const& words, std::string const& file, int writings) {
    Running run(tailback_words(joined(words, {"--checkpoint", file, "--checkpoint-every", "0"})));
    std::filesystem::file_time_type last;
    ASSERT_TRUE(run.wait_for([&] {
        std::error_code none;
        auto const now = std::filesystem::last_write_time(file, none);
        if (none || now == last) return false;
        last = now;
        return --writings < 0;
    })) << run.wait().err;
    run.signal(SIGKILL);
    EXPECT_EQ(run.wait().code, -SIGKILL);
}

TEST(SearchCheckpoint, KilledSearchesGoOnToTheSameBytes) {
    std::vector<Words> searches = words_with_zones();
    searches.insert(searches.end(), {place_words(), improve_words()});
    for (Words const& search : searches) {
        SCOPED_TRACE(testing::PrintToString(search));
        TemporaryFolder const folder;
        std::string const file = folder / "checkpoint";
        Finished const want = run_tailback(search);
        ASSERT_EQ(want.code, 0) << want.err;
        for (int const writings : {1, 2, 1}) run_and_kill(search, file, writings);
        Finished const got = run_tailback(joined(search, {"--checkpoint", file, "--threads", "3"}));
        EXPECT_EQ(got.code, 0) << got.err;
        EXPECT_NE(got.err.find("continuing from " + file), std::string::npos) << got.err;
        EXPECT_EQ(got.out, want.out);
        EXPECT_EQ(folder.files(), 0u);
    }
}

/// Ended by its time or by a signal: the best so far is told, and the file stays for the same command.
TEST(SearchCheckpoint, EndedSearchesGoOn) {
    TemporaryFolder const folder;
    std::string const file = folder / "checkpoint";
    Words const kept = with(with(improve_words(), "--moves", "400M"), "--checkpoint", file);
    Finished const ended = run_tailback(joined(kept, {"--time", "1s"}));
    ASSERT_EQ(ended.code, 0) << ended.err;
    ASSERT_NE(ended.err.find("the search was ended"), std::string::npos) << ended.err;
    ASSERT_TRUE(std::filesystem::exists(file));
    Finished const got = run_tailback(with(kept, "--moves", "2M"));
    EXPECT_EQ(got.code, 2);
    EXPECT_NE(got.err.find("the checkpoint is of another search (moves 400000000 there, 2000000 here)"),
              std::string::npos)
        << got.err;
    Running run(tailback_words(with(with(place_words(), "--moves", "1G"), "--checkpoint", folder / "place")));
    ASSERT_TRUE(run.wait_for([&] { return std::filesystem::exists(folder / "place") && run.catches(SIGTERM); }));
    run.signal(SIGTERM);
    EXPECT_EQ(run.wait().code, 130);
    EXPECT_TRUE(std::filesystem::exists(folder / "place"));
}

TEST(SearchCheckpoint, ForeignAndDamagedFilesAreRefused) {
    TemporaryFolder const folder;
    std::string const file = folder / "checkpoint";
    auto const refusal = [&](Words const& words) {
        Finished const run = run_tailback(joined(words, {"--checkpoint", file}));
        EXPECT_EQ(run.code, 2) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_NE(run.err.find(file + ": "), std::string::npos) << run.err;
        return run.err;
    };
    run_and_kill(place_words(), file, 1);
    std::string const whole = read_whole(file);
    ASSERT_FALSE(whole.empty());
    struct Other {
        char const *option, *value, *reason;
    };
    for (Other const& other : {Other{"--seed", "7", "(seed 1 there, 7 here)"},
                               {"--restarts", "3", "(restarts 2 there, 3 here)"},
                               {"--mapping", "shift:by=5", "(orders to begin with "},
                               {"--pattern", "stencil-3d:size=7", "(traffic "},
                               {"--network", "ring:28", "("},
                               {"--goal", "hop-bytes", "(search order of ranks by time there, order of "}}) {
        std::string const told = refusal(with(place_words(), other.option, other.value));
        EXPECT_NE(told.find("the checkpoint is of another search "), std::string::npos) << told;
        EXPECT_NE(told.find(other.reason), std::string::npos) << told;
    }
    EXPECT_NE(refusal(improve_words()).find("the checkpoint is of another search (search "), std::string::npos);
    EXPECT_EQ(read_whole(file), whole);
    Dice dice{5};
    for (int trial = 0; trial < 12; ++trial) {
        std::string changed = whole;
        std::size_t const at = dice(static_cast<std::uint32_t>(whole.size()));
        if (trial % 3 == 0) changed.resize(at);
        else changed[at] = static_cast<char>(changed[at] ^ (1 << dice(8)));
        folder.write("checkpoint", changed);
        refusal(place_words());
    }
    folder.write("checkpoint", "tailback checkpoint 3\nversion: 0\n\n");
    refusal(place_words());
    folder.write("checkpoint", "a list of nodes\n");
    EXPECT_NE(refusal(improve_words()).find("this is not a checkpoint"), std::string::npos);
    for (auto const& [option, value] : {std::pair{"--checkpoint", "-"}, {"--checkpoint-every", "3"}})
        EXPECT_EQ(run_tailback(with(place_words(), option, value)).code, 2);
}

}  // namespace
}  // namespace tailback::search_checkpoint_test
