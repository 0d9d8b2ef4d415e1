// tailback <command> [options]: looks the command up and turns what it throws into a message and an exit code.
#include "host/commands/command.hpp"
#include "host/error.hpp"
#include "version.hpp"

#include <cstdio>
#include <exception>
#include <new>

namespace {

using namespace tailback;

constexpr Command commands[] = {
    {"evaluate", "congestion and bandwidth of a pattern over many mappings", run_evaluate},
    {"orcs", "the same with ORCS's options and text layout", run_orcs},
    {"trace", "one route, link by link, with its fate", run_trace},
    {"convert", "write a network and its tables in another format", run_convert},
    {"list", "patterns, metrics, devices", run_list},
};

void print_usage(std::FILE* to) {
    std::fprintf(to, "tailback %s: congestion of statically routed networks\n\nusage: tailback <command> [options]\n\n", version);
    for (Command const& c : commands) std::fprintf(to, "  %-10s %s\n", c.name, c.summary);
    std::fprintf(to, "\n`tailback <command> --help` explains its options with an example; `tailback --version` tells the version.\n");
}

int run(std::vector<std::string> const& words) {
    if (words.empty()) {
        print_usage(stderr);
        return bad_input;
    }
    std::string const& first = words.front();
    if (first == "--help" || first == "-h" || first == "help") return print_usage(stdout), success;
    if (first == "--version" || first == "-V") return std::printf("tailback %s\n", version), success;
    for (Command const& c : commands)
        if (first == c.name) return c.run({words.begin() + 1, words.end()});
    throw InputError({}, "unknown command \"" + first + "\"", "", "`tailback --help` lists the commands");
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run({argv + 1, argv + argc});
    } catch (InputError const& error) {
        std::fprintf(stderr, "tailback: %s\n", error.what());
        return bad_input;
    } catch (std::bad_alloc const&) {
        std::fprintf(stderr, "tailback: out of memory; a smaller study or network may fit\n");
        return internal_error;
    } catch (std::exception const& error) {
        std::fprintf(stderr, "tailback: internal error (%s); please report it with the command line\n", error.what());
        return internal_error;
    }
}
