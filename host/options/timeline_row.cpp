// The option of the extension timeline.
#include "host/options/registry.hpp"

namespace tailback::options {

void register_timeline(Registry& registry) {
    // clang-format off
    registry.add_before("top", Option
        {.name = "timeline", .metavar = "FILE", .group = Group::output,
         .brief = "when everything of the first mapping happens",
         .text = "write when everything of the first mapping happens: its flows as a table (FILE.csv) or with the hottest links (FILE.json), a picture (FILE.svg), or a trace for Perfetto and chrome://tracing (FILE.trace)",
         .kind = Kind::file, .choices = ".csv|.json|.svg|.trace|.trace.json", .commands = evaluate, .stage = Stage::output});
    // clang-format on
}

}  // namespace tailback::options
