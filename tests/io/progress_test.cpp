// What is told of long work: to a log by lines, as often as somebody who waits wants to hear.
#include "host/io/progress.hpp"
#include "tests/support/programs/running.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace tailback::progress_test {
namespace {

void wait(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

/// What is told in half a second, of which some is work.
template <class Work>
std::string told(bool in_logs, Work work) {
    testing::internal::CaptureStderr();
    {
        ProgressTeller const teller(in_logs, 0.1);
        work();
    }
    return testing::internal::GetCapturedStderr();
}

TEST(Progress, ALogHearsWhatIsGoingOnAndHowFarItIs) {
    std::string const log = told(true, [] {
        Progress const all("making the network");
        wait(500);
        Progress part("computing the routes", 1000, "switches");
        part.add(250);
        wait(500);
    });
    EXPECT_NE(log.find("tailback: note: making the network\n"), std::string::npos) << log;
    EXPECT_NE(log.find("tailback: note: computing the routes: 25 % of 1,000 switches in "), std::string::npos) << log;
    EXPECT_NE(log.find(" left\n"), std::string::npos) << log;
}

TEST(Progress, WorkThatIsDoneOnceMoreBeginsAtNothing) {
    std::string const log = told(true, [] {
        Progress work("packing the routes", 10, "destinations");
        work.show(10);
        work.begin_again();
        work.show(3);
        wait(500);
    });
    EXPECT_EQ(log.find("100 %"), std::string::npos) << log;
    EXPECT_NE(log.find("packing the routes: 30 % of 10 destinations"), std::string::npos) << log;
}

TEST(Progress, WorkWithoutANameHasThatOfWhatItIsPartOf) {
    std::string const log = told(true, [] {
        Progress const all("looking for deadlocks");
        Progress part("", 10, "destinations");
        part.show(5);
        wait(500);
    });
    EXPECT_NE(log.find("looking for deadlocks: 50 % of 10 destinations"), std::string::npos) << log;
}

TEST(Progress, WhatIsQuickOrNotToBeToldIsNotTold) {
    EXPECT_EQ(told(true, [] { Progress const one("quick"); }), "");
    EXPECT_EQ(told(false,
                   [] {
                       Progress const one("slow");
                       wait(500);
                   }),
              "");
    // What others tell counts, too.
    EXPECT_EQ(told(true,
                   [] {
                       Progress const one("slow");
                       for (int i = 0; i < 50; ++i) {
                           wait(10);
                           make_way_on_standard_error();
                       }
                   }),
              "");
}

TEST(Progress, WorkThatNobodyHasNamedIsToldOf) {
    EXPECT_NE(told(true, [] { wait(500); }).find("still at work after "), std::string::npos);
}

/// One mapping whose routes take minutes is told of, and ends where it is asked to.
TEST(Progress, ALongMappingIsNotSilentAndHearsSigterm) {
    Running run(tailback_words({"evaluate", "--network", "star:65000", "--pattern", "rand", "--mappings", "1"}));
    ASSERT_TRUE(run.wait_for([&] { return run.err().find("computing the routes of a batch: ") != std::string::npos; }))
        << run.err();
    run.signal(SIGTERM);
    auto const asked = std::chrono::steady_clock::now();
    Finished const finished = run.wait();
    EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(20));
    EXPECT_EQ(finished.code, 130) << finished.err;
    EXPECT_NE(finished.err.find("there is nothing to report"), std::string::npos) << finished.err;
    EXPECT_EQ(finished.out, "");
}

}  // namespace
}  // namespace tailback::progress_test
