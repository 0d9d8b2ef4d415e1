// A checkpoint: a run that was killed at any moment goes on to the same bytes; whatever is wrong with the file is
// refused.
#include "host/evaluation/checkpoint.hpp"

#include "host/base/digest.hpp"
#include "host/base/error.hpp"
#include "host/evaluation/evaluation.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/checkpoint_file.hpp"
#include "tests/support/programs/running.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace tailback::checkpoint_test {
namespace {

/// Small batches, a checkpoint after each: states by number of mappings.
Words with_checkpoint(Words const& study, std::string const& file) {
    return joined(study, {"--checkpoint", file, "--checkpoint-every", "0", "--batch", "64"});
}

/// Kills a run once its checkpoint holds `mappings`; the state left behind is a whole one of at least that many.
void run_and_kill(Words const& words, std::string const& file, std::uint64_t mappings) {
    Running run(tailback_words(words));
    ASSERT_TRUE(run.wait_for([&] { return mappings_in(file) >= mappings; })) << run.wait().err;
    run.signal(SIGKILL);
    EXPECT_EQ(run.wait().code, -SIGKILL);
    EXPECT_GE(mappings_in(file), mappings);
}

/// Text, JSON and CSV after three kills are those of a run that nothing disturbed.
TEST(Checkpoint, KilledRunsGoOnToTheSameBytes) {
    for (Words const& goal : {Words{}, Words{"--until", "sum_max_cong:ci=0.02"}})
        for (char const* const format : {"text", "json", "csv"}) {
            TemporaryFolder const folder;
            Words const study =
                on_tree16(joined({"--metric", "all", "--pattern", "rand", "--subset", "rand", "--ranks", "11",
                                  "--first-mapping", "5", "--mappings", "30000", "--format", format},
                                 goal),
                          "file-broken");
            Finished const want = run_tailback(study);
            ASSERT_EQ(want.code, 0) << want.err;
            std::string const file = folder / "checkpoint";
            for (std::uint64_t const moment : {1u, 1000u, 2500u})
                run_and_kill(with_checkpoint(study, file), file, moment);
            std::uint64_t const before = mappings_in(file);
            Finished const got = run_tailback(
                joined(study, {"--checkpoint", file, "--threads", "3", "--dump-mappings", folder / "dump"}));
            EXPECT_EQ(got.code, 0) << got.err;
            EXPECT_NE(got.err.find("continuing from"), std::string::npos) << before << got.err;
            EXPECT_EQ(got.out, want.out);
            EXPECT_EQ(folder.files(), 1u) << "more than the dump";
            run_tailback(joined(study, {"--dump-mappings", folder / "whole"}));
            EXPECT_EQ(read_whole(folder / "dump"), read_whole(folder / "whole"));
        }
}

/// The same of columns side by side, also where the optimum was being found, and with a goal.
TEST(Checkpoint, KilledColumnsGoOnToTheSameBytes) {
    Words const tree = {"--network", "xgft:m=4x4,w=1x2"};
    Words const bracket = joined(joined({"bracket"}, tree),
                                 {"--routing", "ar:minimal", "--hash-draws", "3", "--optimal-mappings", "100"}),
                multipath = joined(joined({"multipath"}, tree), {"--routing", "minhop", "--lmc", "2"});
    for (Words const& command : {bracket, multipath})
        for (Words const& goal : {Words{"--mappings", "20000"}, Words{"--until", "sum_max_cong:ci=0.015"}}) {
            TemporaryFolder const folder;
            Words const study = joined(joined(command, {"--pattern", "rand", "--format", "json"}), goal);
            Finished const want = run_tailback(study);
            ASSERT_EQ(want.code, 0) << want.err;
            std::string const file = folder / "checkpoint";
            for (std::uint64_t const moment : {1u, 50u, 1500u})
                run_and_kill(with_checkpoint(study, file), file, moment);
            Finished const got = run_tailback(joined(study, {"--checkpoint", file, "--threads", "3"}));
            EXPECT_EQ(got.code, 0) << got.err;
            EXPECT_NE(got.err.find("continuing from"), std::string::npos) << got.err;
            EXPECT_EQ(got.out, want.out);
            EXPECT_EQ(folder.files(), 0u);
            EXPECT_EQ(run_tailback(joined(study, {"--threads", "1", "--batch", "7"})).out, want.out);
        }
    TemporaryFolder const folder;
    std::string const file = folder / "checkpoint";
    run_and_kill(with_checkpoint(joined(bracket, {"--mappings", "100000000"}), file), file, 1);
    Finished const other = run_tailback(joined(bracket, {"--checkpoint", file, "--queue-pairs", "2"}));
    EXPECT_EQ(other.code, 2);
    EXPECT_NE(other.err.find("the checkpoint is of another study (columns "), std::string::npos) << other.err;
}

/// Killed by the clock, wherever that is: reading, evaluating, or writing the checkpoint.
TEST(Checkpoint, KilledAtAnyTime) {
    TemporaryFolder const folder;
    std::string const file = folder / "checkpoint";
    Words const study = on_tree16({"--metric", "all", "--mappings", "40000"});
    Dice dice{7};
    for (int i = 0; i < 25; ++i) {
        Running run(tailback_words(with_checkpoint(study, file)));
        std::this_thread::sleep_for(std::chrono::microseconds(dice(40'000)));
        run.signal(SIGKILL);
        run.wait();
        EXPECT_LE(folder.files(), 2u);  // the checkpoint, and the one that was being written
    }
    expect_to_go_on(study, file);
    EXPECT_EQ(folder.files(), 0u);
}

/// A goal that was not reached keeps its checkpoint: with a higher limit the study goes on, as if that had been asked
/// for.
TEST(Checkpoint, AMissedGoalCanBeGoneOnTo) {
    TemporaryFolder const folder;
    std::string const file = folder / "checkpoint";
    auto const with = [&](char const* mappings, bool keep) {
        Words const words = on_tree16({"--until", "ci=0.003", "--mappings", mappings});
        return run_tailback(keep ? joined(words, {"--checkpoint", file}) : words);
    };
    EXPECT_EQ(with("1100", true).code, 1);
    EXPECT_EQ(mappings_in(file), 1100u);
    EXPECT_NE(with("1050", true).err.find("the checkpoint is beyond --mappings 1050 (1100 mappings are done)"),
              std::string::npos);
    Finished const again = with("100000", true);
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(again.out, with("100000", false).out);
    EXPECT_EQ(folder.files(), 0u);
}

struct Kept {
    Kept() {
        ExecutionOptions options{.device = DeviceChoice::cpu, .threads = 1};
        options.checkpointing.every_s = 0;
        options.batch = 7;
        options.checkpointing.save = [&](std::span<RunSums const> sums) { checkpoint.save(sums); };
        evaluate(plan, options);
    }
    static Study study() {
        Study study;
        study.traffic.pattern = "rand";
        study.sample.mappings = 60;
        study.measures.metrics.clear();
        study.measures.metrics = metrics_of_all();
        return study;
    }
    std::string refusal(std::string const& text) {
        folder.write("checkpoint", text);
        try {
            (void)checkpoint.load();
        } catch (InputError const& error) {
            return error.what();
        }
        return "";
    }
    TemporaryFolder folder;
    std::string file = folder / "checkpoint";
    StudyPlan plan = make_plan(nasty_network("random rated broken graph"), study());
    Checkpoint checkpoint{file, plan};
};

/// What a program of that version would have written: another line in the head, and the digest that fits.
std::string of_version(std::string const& checkpoint, std::string const& version) {
    std::size_t const end = checkpoint.find("\n\n") + 2, line = checkpoint.find("version: ") + 9;
    std::string const head = checkpoint.substr(0, line) + version +
                             checkpoint.substr(checkpoint.find('\n', line), end - checkpoint.find('\n', line));
    std::vector<std::uint64_t> words((checkpoint.size() - end) / 8);
    std::memcpy(words.data(), checkpoint.data() + end, 8 * words.size());
    Digest sum;
    sum.add(head);
    for (std::size_t w = 0; w + 1 < words.size(); ++w) sum.add(words[w]);
    words.back() = sum.value();
    return head + std::string(reinterpret_cast<char const*>(words.data()), 8 * words.size());
}

/// Any byte changed, any length cut off or added: refused, every time.
TEST(Checkpoint, DamageIsAlwaysNoticed) {
    Kept kept;
    std::string const text = read_whole(kept.file);
    ASSERT_FALSE(kept.checkpoint.load().empty());
    EXPECT_EQ(kept.checkpoint.load().front().mappings, 56u);
    Dice dice{3};
    for (std::size_t at = 0; at < text.size(); at += 1 + dice(at < 600 ? 4 : 40)) {
        std::string changed = text;
        changed[at] = static_cast<char>(changed[at] ^ (1 << dice(8)));
        EXPECT_NE(kept.refusal(changed), "") << at;
        EXPECT_NE(kept.refusal(text.substr(0, at)), "") << at;
    }
    EXPECT_NE(kept.refusal(text + std::string(8, '\0')), "");
    EXPECT_NE(kept.refusal(text + text), "");
    for (std::size_t const more : {1, 7, 8, 9})
        EXPECT_NE(kept.refusal(text + std::string(more, '\0')).find("damaged (it is longer than it was)"),
                  std::string::npos);
    for (std::size_t const less : {1, 7, 8, 9})
        EXPECT_NE(kept.refusal(text.substr(0, text.size() - less)).find("damaged (it is cut short)"),
                  std::string::npos);
    EXPECT_NE(kept.refusal(""), "");
    EXPECT_NE(kept.refusal("hello, I am your shopping list\n").find("this is not a checkpoint"), std::string::npos);
    EXPECT_NE(kept.refusal("tailback checkpoint 2\nversion: 0.1.0\n\n")
                  .find("the checkpoint is of another version of the program (its form is another)"),
              std::string::npos);
    EXPECT_NE(kept.refusal(of_version(text, "0.0.1"))
                  .find("the checkpoint is of another version of the program (0.0.1 there, "),
              std::string::npos);
    EXPECT_EQ(kept.refusal(text), "");
    std::filesystem::remove(kept.file);
    EXPECT_TRUE(kept.checkpoint.load().empty());
    EXPECT_THROW((void)Checkpoint("/dev/zero", kept.plan).load(), InputError);
    EXPECT_THROW((void)Checkpoint(kept.folder.path(), kept.plan).load(), InputError);
}

/// While a run goes on from a checkpoint, or has written one, no other run takes it up, replaces it or removes it; the
/// end of the run, by kill -9 too, sets it free.
TEST(Checkpoint, BelongsToOneRun) {
    TemporaryFolder const folder;
    std::string const file = folder / "checkpoint";
    Words const study = with_checkpoint(on_tree16({"--mappings", "1000000000"}), file);
    auto first = std::make_unique<Running>(tailback_words(study));
    ASSERT_TRUE(first->wait_for([&] { return mappings_in(file) > 0; }));
    Finished const second = run_tailback(study);
    EXPECT_EQ(second.code, 2);
    EXPECT_NE(second.err.find("the checkpoint is in use"), std::string::npos) << second.err;
    EXPECT_TRUE(first->wait_for([&, before = mappings_in(file)] { return mappings_in(file) > before; }));
    first.reset();  // kills it
    ASSERT_GT(mappings_in(file), 0u);
    run_and_kill(study, file, mappings_in(file) + 64);

    // From the begin, before anything is to be kept.
    TemporaryFolder const early;
    Words const unhurried = on_tree16({"--mappings", "1000000000", "--checkpoint", early / "checkpoint"});
    Running run(tailback_words(unhurried));
    ASSERT_TRUE(run.wait_for([&] { return std::filesystem::exists(early / "checkpoint"); }));
    EXPECT_EQ(run_tailback(unhurried).code, 2);
    run.signal(SIGKILL);
    run.wait();

    Kept kept;
    Checkpoint other{kept.file, kept.plan};
    ASSERT_FALSE(kept.checkpoint.load().empty());
    EXPECT_THROW((void)other.load(), InputError);
    EXPECT_THROW(other.save(other.nothing()), InputError);
    other.remove();
    EXPECT_EQ(kept.checkpoint.load().front().mappings, 56u);
    kept.checkpoint.remove();
    EXPECT_EQ(kept.folder.files(), 0u);
}

/// A second name of the file (a hard link) is no way to a second writer, also after the first has gone on under its
/// own.
TEST(Checkpoint, ASecondNameIsInUseToo) {
    Kept kept;
    std::vector<RunSums> const found = kept.checkpoint.load();
    std::string const second = kept.folder / "second";
    std::filesystem::create_hard_link(kept.file, second);
    auto const refusal = [&] {
        try {
            (void)Checkpoint(second, kept.plan).load();
        } catch (InputError const& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(refusal().find("the checkpoint is in use"), std::string::npos) << refusal();
    for (int i = 0; i < 2; ++i) kept.checkpoint.save(found);  // the names lead to two files from now on
    EXPECT_NE(refusal().find("the checkpoint is in use"), std::string::npos) << refusal();
    EXPECT_EQ(kept.checkpoint.load().front().mappings, found.front().mappings);  // it begins anew
    EXPECT_EQ(refusal(), "");
}

/// A symbolic link is followed, be its file there or not: that is written, locked and removed, and the link stays.
TEST(Checkpoint, GoesWhereALinkLeads) {
    TemporaryFolder const folder;
    std::filesystem::create_directory(folder / "scratch");
    std::filesystem::create_symlink("scratch/real", folder / "middle");
    std::filesystem::create_symlink(folder / "middle", folder / "link");
    std::string const link = folder / "link", real = folder / "scratch/real";
    auto const links_stay = [&] {
        return std::filesystem::is_symlink(link) && std::filesystem::is_symlink(folder / "middle");
    };
    Words const study = on_tree16({"--mappings", "30000"});
    for (std::uint64_t const moment : {1u, 1000u}) {  // first to a file that is not there yet
        Running run(tailback_words(with_checkpoint(study, link)));
        ASSERT_TRUE(run.wait_for([&] { return mappings_in(real) >= moment; })) << run.wait().err;
        run.signal(SIGSTOP);
        EXPECT_TRUE(links_stay());
        for (std::string const& name : {real, link})
            EXPECT_NE(run_tailback(with_checkpoint(study, name)).err.find("the checkpoint is in use"),
                      std::string::npos);
        run.signal(SIGKILL);
        run.wait();
    }
    expect_to_go_on(study, link);
    EXPECT_TRUE(links_stay());
    EXPECT_FALSE(std::filesystem::exists(real));
    EXPECT_EQ(folder.files(), 3u);

    for (Words const& outputs :
         {Words{"--checkpoint", link, "--output", real}, Words{"--checkpoint", link, "--output", real + ".part"}})
        EXPECT_NE(run_tailback(joined(study, outputs)).err.find("two outputs go to the same place"), std::string::npos);
    std::filesystem::create_symlink("no/such/folder/c", folder / "nowhere");
    EXPECT_NE(run_tailback(with_checkpoint(study, folder / "nowhere")).err.find("create the folder first"),
              std::string::npos);
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "nowhere"));
}

/// Words of a right digest and wrong sense are refused too, or are at least a possible state; nothing is indexed by
/// them.
TEST(Checkpoint, ImpossibleFindingsAreRefused) {
    Kept kept;
    RunSums const sums = kept.checkpoint.load().front();
    std::vector<std::uint64_t> const words = sums.words(true);
    std::size_t refused = 0;
    for (std::size_t at = 0; at < words.size(); ++at)
        for (std::uint64_t const value :
             {std::uint64_t{0}, words[at] + 1, words[at] - 1, UINT64_MAX, std::uint64_t{1} << 40}) {
            std::vector<std::uint64_t> changed = words;
            changed[at] = value;
            RunSums got(kept.plan);
            refused += changed != words && !got.assign(kept.plan, changed, true).empty();
        }
    EXPECT_GT(refused, 3 * words.size());
    RunSums got(kept.plan);
    EXPECT_EQ(got.assign(kept.plan, words, true), "");
    EXPECT_EQ(got.words(true), words);
    for (std::size_t n = 0; n < words.size(); ++n)
        EXPECT_NE(got.assign(kept.plan, std::span(words).first(n), true), "") << n;
}

std::size_t times_in(std::string const& text, std::string const& part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
    return times;
}

/// A place that is away for a while: told when that begins, when it ends, and at the end of the run that did not see it
/// end.
TEST(Checkpoint, WhatCannotBeWrittenIsToldOnce) {
    TemporaryFolder const folder;
    std::filesystem::create_directory(folder / "place");
    std::string const place = folder / "place", away = folder / "away", file = place + "/c";
    Running writing(tailback_words(with_checkpoint(on_tree16({"--mappings", "1000000000000"}), file)));
    ASSERT_TRUE(writing.wait_for([&] { return mappings_in(file) > 0; }));
    auto const warned = [&](std::size_t times) { return times_in(writing.err(), "tailback: warning: ") == times; };
    std::filesystem::rename(place, away);
    ASSERT_TRUE(writing.wait_for([&] { return warned(1); }));
    std::uint64_t const before = mappings_in(away + "/c");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // many more are tried
    std::filesystem::rename(away, place);
    ASSERT_TRUE(writing.wait_for([&] { return mappings_in(file) > before; }));
    ASSERT_TRUE(writing.wait_for([&] {
        return times_in(writing.err(), "the checkpoint is written again, after ") == 1;
    })) << writing.err();
    EXPECT_TRUE(warned(1)) << writing.err();
    std::filesystem::rename(place, away);
    ASSERT_TRUE(writing.wait_for([&] { return warned(2); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    writing.signal(SIGTERM);
    Finished const finished = writing.wait();
    EXPECT_EQ(finished.code, 130);
    EXPECT_EQ(times_in(finished.err, "tailback: warning: "), 3u) << finished.err;
    EXPECT_EQ(times_in(finished.err, "tailback: warning: the checkpoint is not up to date, after "), 1u)
        << finished.err;
}

TEST(Checkpoint, AnotherStudyIsRefusedByName) {
    TemporaryFolder const folder;
    std::string const file = folder / "checkpoint";
    Words const study = on_tree16({"--mappings", "1000", "--until", "ci=0.00001", "--checkpoint", file});
    ASSERT_EQ(run_tailback(study).code, 1);
    std::string const kept = read_whole(file);
    auto const refused = [&](Words const& words, std::string const& part) {
        Finished const run = run_tailback(joined(words, {"--mappings", "1000", "--checkpoint", file}));
        EXPECT_EQ(run.code, 2);
        EXPECT_EQ(run.out, "");
        EXPECT_NE(run.err.find("the checkpoint is of another study (" + part), std::string::npos) << run.err;
        EXPECT_NE(run.err.find("; remove it to start over"), std::string::npos) << run.err;
    };
    Words const goal = {"--until", "ci=0.00001"};
    refused(on_tree16(joined(goal, {"--seed", "2"})), "seed 1 there, 2 here");
    refused(on_tree16(joined(goal, {"--ranks", "8"})), "pattern bisect ");
    refused(on_tree16(joined(goal, {"--pattern", "rand"})), "pattern bisect ");
    refused(on_tree16(joined(goal, {"--subset", "rand"})), "subset linear_bfs ");
    refused(on_tree16(joined(goal, {"--mapping", "identity", "--subset", "rand"})), "subset ");
    refused(on_tree16(joined(goal, {"--first-mapping", "1"})), "first mapping 0 there, 1 here");
    refused(on_tree16(joined(goal, {"--metric", "all"})), "metrics hist_acc_band there, ");
    refused(on_tree16(joined(goal, {"--capacities", "unit"})), "capacities rates there, unit here");
    refused(on_tree16({"--until", "ci=0.00002"}), "goal hist_acc_band:ci=1e-05 there, hist_acc_band:ci=2e-05 here");
    refused(on_tree16({}), "goal hist_acc_band:ci=1e-05 there, none here");
    refused(on_tree16(goal, "file-broken"), "network ");
    EXPECT_EQ(read_whole(file), kept);
}

TEST(Checkpoint, WhatDoesNotGoTogetherIsRefused) {
    TemporaryFolder const folder;
    auto const refused = [&](Words const& words, std::string const& part) {
        Finished const run = run_tailback(on_tree16(words));
        EXPECT_EQ(run.code, 2);
        EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
        EXPECT_EQ(folder.files(), 0u);
    };
    std::string const file = folder / "c";
    refused({"--checkpoint", file, "--per-mapping", folder / "p"}, "--checkpoint does not go with --per-mapping");
    refused({"--checkpoint", "-"}, "needs a file of its own");
    refused({"--checkpoint", ""}, "needs a file of its own");
    refused({"--checkpoint-every", "5"}, "there is no --checkpoint");
    refused({"--checkpoint", file, "--output", file}, "two outputs go to the same place");
    refused({"--checkpoint", folder / "no/such/folder/c"},
            "the checkpoint cannot be created (No such file or directory); create the folder first");
    refused({"--checkpoint", folder.path()}, "the checkpoint cannot be written (Is a directory)");
}

}  // namespace
}  // namespace tailback::checkpoint_test
