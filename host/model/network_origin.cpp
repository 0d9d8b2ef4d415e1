#include "host/model/network_origin.hpp"

#include <fmt/format.h>

namespace tailback::model {

std::string NetworkOrigin::text() const {
    std::string all = spec;
    auto const add = [&](std::string const& part) { all += (all.empty() ? "" : ", ") + part; };
    if (!routing.empty()) add("routed by " + routing + (routing_draws ? fmt::format(" (seed {})", routing_seed) : ""));
    std::string const seed = failures_are_named ? "" : fmt::format(" (seed {})", failure_seed);
    if (cables > 0) add(fmt::format("without {} of {} cables{}", failed_cables, cables, seed));
    if (switches > 0) add(fmt::format("without {} of {} switches{}", failed_switches, switches, seed));
    if (default_gbps > 0 && (links_by_default > 0 || links == 0))
        add(fmt::format("rate of links by --link-rate, where no file tells it ({} of {}): {:.4g} Gb/s",
                        links_by_default, links, default_gbps));
    return all;
}

}  // namespace tailback::model
