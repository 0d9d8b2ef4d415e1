/// Tests that end in every way, for serve_test.py: each is run by name, none by ctest.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace {

TEST(Example, Passes) { std::puts("passed by example"); }
TEST(Example, Fails) { FAIL() << "failed by example"; }
TEST(Example, Skips) { GTEST_SKIP() << "skipped by example"; }
TEST(Example, IsKilled) { std::raise(SIGKILL); }
TEST(Example, Crashes) { std::abort(); }
TEST(Example, Exits) { std::exit(77); }
TEST(Example, Tells) {
    char const* const variable = std::getenv("SERVED_EXAMPLE");
    std::cout << "variable " << (variable ? variable : "absent") << '\n';
    std::cout << "folder " << std::filesystem::current_path().string() << '\n';
    std::cout << "process " << ::getpid() << " of " << ::getppid() << '\n';
    for (auto const& descriptor : std::filesystem::directory_iterator{"/proc/self/fd"}) {
        std::error_code closed;  // that of the list itself
        auto const target = std::filesystem::read_symlink(descriptor.path(), closed).string();
        if (!target.empty() && target != "/proc/" + std::to_string(::getpid()) + "/fd")
            std::cout << "open " << descriptor.path().filename().string() << '\n';
    }
    std::cerr << "to errors\n";
    std::string line;
    std::getline(std::cin, line);
    std::cout << "input " << line << '\n';
}
TEST(Example, Waits) {
    std::cout << "waits " << ::getpid() << std::endl;
    ::sleep(600);
}
class Numbered : public testing::TestWithParam<int> {};
TEST_P(Numbered, IsKnown) { std::cout << "number " << GetParam() << '\n'; }
INSTANTIATE_TEST_SUITE_P(Example, Numbered, testing::Values(7, 8));

}  // namespace
