#include "host/report/evaluate/timing_value.hpp"

#include <fmt/format.h>

namespace tailback::report {

Json timing_json(study::Timing const& timing) {
    Json json = {
        {"dependencies", timing.schedule != nullptr                           ? "schedule"
                         : timing.dependencies == study::Dependencies::causal ? "causal"
                                                                              : "barrier"},
        {"compute", timing.compute.text},
        {"link_latency", timing.link_latency.text},
        {"switch_latency", timing.switch_latency.text},
        {"switching", timing.switching == study::Switching::cut_through ? "cut-through" : "store-and-forward"}};
    for (study::ClassPriority const& one : timing.priorities)
        json["priorities"][one.name] = {{"strict", one.priority.rank}, {"weight", one.priority.weight}};
    return json;
}

std::string timing_sentence(study::Timing const& timing) {
    if (!timing.is_simulated()) return "";
    std::string text = timing.schedule != nullptr ? "operations wait for what the schedule says"
                       : timing.dependencies == study::Dependencies::causal
                           ? "a rank's next level waits for its own sends and receives"
                           : "levels one after the other";
    if (!timing.compute.is_zero()) text += ", compute " + timing.compute.text + " between levels";
    if (!timing.link_latency.is_zero()) text += ", latency of a link " + timing.link_latency.text;
    if (!timing.switch_latency.is_zero()) text += ", of a switch " + timing.switch_latency.text;
    if (timing.switching == study::Switching::store_and_forward) text += ", store and forward";
    for (study::ClassPriority const& one : timing.priorities)
        text += fmt::format(", {} {}", one.name, study::words_of(one.priority));
    return text;
}

}  // namespace tailback::report
