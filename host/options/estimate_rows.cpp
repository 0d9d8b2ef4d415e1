// Options of `tailback estimate`: traffic, packets and times.
#include "host/options/registry.hpp"
#include "host/options/rows.hpp"

#include <cstdint>

namespace tailback::options {

void register_estimate(Registry& registry) {
    Commands const estimate = registry.add(CommandName{.name = "estimate"}, "trace");
    registry.share(estimate, evaluate, of_routed_networks);
    registry.share(estimate, evaluate, "capacities,threads");
    registry.share(estimate, trace, "output");
    // clang-format off
    registry.add(Option
        {.name = "pattern", .metavar = "NAME", .group = Group::study,
         .brief = "who sends to whom",
         .text = "who sends to whom: a pattern (`tailback list patterns`), or file:PATH; each sender divides what it injects among its flows by their bytes. all-to-all: evenly among all others, as uniform random destinations do",
         .kind = Kind::spec, .values = pattern_names, .fallback = "all-to-all", .commands = estimate, .stage = Stage::study, .in_short_help = true});
    registry.add(Option
        {.name = "ranks", .metavar = "N", .group = Group::study,
         .brief = "number of ranks; 0 = one on every host",
         .text = "number of ranks; 0 = one on every host",
         .kind = Kind::number, .most = UINT32_MAX, .fallback = "0", .commands = estimate, .stage = Stage::hosts});
    registry.add(Option
        {.name = "latency", .metavar = "link=T,switch=T", .group = Group::time,
         .brief = "time that every link and switch adds",
         .text = "time that every link, and every switch between two links, adds: link=5ns,switch=130ns; numbers without a unit where no rates are known",
         .kind = Kind::words, .commands = estimate, .stage = Stage::study});
    registry.add(Option
        {.name = "switching", .metavar = "KIND", .group = Group::time,
         .brief = "whole packets at every hop, or not",
         .text = "a packet is on all links at once (cut-through), or is stored by every switch (store-and-forward)",
         .kind = Kind::choice, .choices = "cut-through|store-and-forward", .fallback = "cut-through", .commands = estimate, .stage = Stage::study});
    registry.add(Option
        {.name = "packet", .metavar = "BYTES", .group = Group::study,
         .brief = "bytes of a packet",
         .text = "bytes of a packet",
         .kind = Kind::text, .fallback = "4096", .commands = estimate, .stage = Stage::study});
    registry.add(Option
        {.name = "load", .metavar = "X", .group = Group::study,
         .brief = "what each sender injects, for the hottest links",
         .text = "what each sender injects, as a fraction of the base rate, for the hottest links; half of saturation unless given",
         .kind = Kind::text, .commands = estimate, .stage = Stage::study, .excludes = "format=csv", .reason = "CSV has the curve of all loads, and no hottest links"});
    registry.add(Option
        {.name = "format", .metavar = "FORMAT", .group = Group::output,
         .brief = "report as text, JSON, or the curve as CSV",
         .text = "text, json, or csv (the curve of latency)",
         .kind = Kind::choice, .choices = "text|json|csv", .fallback = "text", .commands = estimate, .stage = Stage::output, .in_short_help = true});
    // clang-format on
}

}  // namespace tailback::options
