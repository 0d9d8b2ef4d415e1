// Manual pages and completions: made from the option tables, so that they tell of every option, and of none that is
// not.
#include "host/commands/command.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace tailback::help_pages_test {
namespace {

/// The long options that `tailback COMMAND --help` shows, by reading its text.
std::set<std::string> options_in_help(std::string const& command) {
    std::istringstream help(run_tailback({command, "--help"}).out);
    std::set<std::string> found;
    for (std::string line; std::getline(help, line);) {
        std::size_t const at = line.find("--");
        if (line.starts_with("  ") && at != std::string::npos && at <= 6)
            found.insert(line.substr(at + 2, line.find_first_of(" =", at) - at - 2));
    }
    return found;
}

TEST(HelpPages, ManualsTellOfEveryOptionOfTheHelp) {
    for (commands::Command const& command : commands::all_commands()) {
        Finished const page = run_tailback({"manual", command.name});
        EXPECT_EQ(page.code, 0) << page.err;
        EXPECT_TRUE(page.out.starts_with(".TH TAILBACK")) << command.name;
        if (!command.has_options()) continue;
        std::set<std::string> wanted = options_in_help(command.name);
        EXPECT_GE(wanted.size(), 4u) << command.name;
        std::set<std::string> listed = {"help"};
        for (options::Option const* const option : options::options_of(command.synopsis.command))
            listed.insert(option->name);
        EXPECT_EQ(listed, wanted) << command.name;
        wanted.erase("help");
        for (std::string name : wanted) {
            for (std::size_t at = 0; (at = name.find('-', at)) != std::string::npos; at += 2) name.insert(at, "\\");
            EXPECT_NE(page.out.find("\\-\\-" + name), std::string::npos) << command.name << " --" << name;
        }
    }
    EXPECT_NE(run_tailback({"manual"}).out.find("tailback\\-evaluate (1)"), std::string::npos);
    EXPECT_EQ(run_tailback({"manual", "nothing"}).code, 2);
    EXPECT_EQ(run_tailback({"manual", "audit", "diff"}).code, 2);
}

/// What bash offers after these words.
std::string offered(Words const& words) {
    std::string line = "source <(\"$0\" completion bash); COMP_WORDS=(tailback";
    for (std::string const& word : words) line += " '" + word + "'";
    line += "); COMP_CWORD=" + std::to_string(words.size()) + "; _tailback; echo \"${COMPREPLY[@]}\"";
    return run_program("/bin/bash", {"-c", line, tailback_program()}).out;
}

TEST(HelpPages, BashCompletesCommandsOptionsAndValues) {
    EXPECT_EQ(offered({"au"}), "audit\n");
    EXPECT_EQ(offered({"evaluate", "--mapp"}), "--mapping --mappings\n");
    EXPECT_EQ(offered({"audit", "--worst"}), "--worst-case\n");
    EXPECT_EQ(offered({"evaluate", "--pattern", "bis"}), "bisect bisect_fb_sym\n");
    EXPECT_EQ(offered({"evaluate", "--routing", "dm"}), "dmodk\n");
    EXPECT_EQ(offered({"diff", "--format", "j"}), "json\n");
    EXPECT_EQ(offered({"help", "tra"}), "trace traffic\n");
    EXPECT_EQ(offered({"--quiet", "au"}), "audit\n");
    EXPECT_EQ(offered({"--quiet", "audit", "--worst"}), "--worst-case\n");
    EXPECT_EQ(offered({"bracket", "--hash", "s"}), "same\n");
    EXPECT_EQ(offered({"generate", "--to", "ibd"}), "ibdiagnet2\n");
    EXPECT_EQ(offered({"evaluate", "--network", "torus"}), "torus\n");
}

TEST(HelpPages, OtherShellsGetEveryOption) {
    for (char const* const shell : {"zsh", "fish"}) {
        std::string const text = run_tailback({"completion", shell}).out;
        for (commands::Command const& command : commands::all_commands())
            for (options::Option const* const option : options::options_of(command.synopsis.command))
                EXPECT_NE(text.find(option->name), std::string::npos) << shell << ' ' << option->name;
    }
    EXPECT_EQ(run_tailback({"completion", "tcsh"}).code, 2);
    EXPECT_EQ(run_tailback({"completion"}).code, 2);
}

}  // namespace
}  // namespace tailback::help_pages_test
