// A collective operation by each of its algorithms, size by size, in the forms that people and programs read.
#pragma once

#include "host/report/evaluate/collective_rates.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback::report {

struct AlgorithmsReport {
    struct Size {
        std::uint64_t bytes;                                ///< of the pattern's `size`
        std::vector<std::optional<CollectiveRates>> rates;  ///< by algorithm; none: it cannot be done
        std::vector<double> times;                          ///< means, by algorithm
        std::optional<std::size_t> fastest = {};
    };
    struct Algorithm {
        std::string name, why_not;             ///< why it cannot be done, or what is done in place of it; empty: it can
        std::optional<std::uint64_t> segment;  ///< bytes of a message, where it goes in segments
    };
    std::string pattern;  ///< as it was asked for
    std::string timing;   ///< see timing_sentence
    std::uint64_t ranks = 0;
    std::uint64_t mappings = 0;               ///< that every time is a mean of
    std::optional<std::uint64_t> seed;        ///< they are drawn
    std::uint64_t hosts = 0, hosts_used = 0;  ///< endpoints of the network, and those with ranks in a mapping
    bool in_seconds = false;
    bool without_latency = false;
    std::vector<Algorithm> algorithms;
    std::vector<Size> sizes;
    model::NamedFiles files;
    std::shared_ptr<model::Fabric const> fabric;
    std::string digest;
    bool aggregation_nodes_are_hosts = false;
};

Document document_of(AlgorithmsReport const& report);
/// Keys: docs/report.md.
Json value_of(AlgorithmsReport const& report);

}  // namespace tailback::report
