// Worst case of every link: the most flows that any permutation of the hosts can put on it (Towles and Dally,
// "Worst-case Traffic for Oblivious Routing Functions", SPAA 2002), and the permutation that does it.
//
// That is the maximum matching of the pairs whose routes use the link. Here sources are grouped by the row they enter
// in, as all sources of a row share their routes: a row takes as many destinations as it has sources. No host sends to
// itself, which changes nothing but for one case: k destinations given to c >= k sources of a row, none to itself, is
// possible whenever c >= 2 (turn both lists by one), so only a row whose one source is the destination must be left
// out.
#pragma once

#include "host/model/routes/forwarding.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tailback::audit {

enum class WorstCaseKind : std::uint8_t {
    bound,  ///< min(sources, destinations) over the link, which no permutation exceeds
    exact,  ///< the maximum matching
};

struct WorstCaseRequest {
    std::vector<model::Host> sources;  ///< endpoints that send
    std::vector<model::Host>
        destinations;  ///< endpoints that are sent to, at their base LIDs; only delivered pairs count
    WorstCaseKind kind = WorstCaseKind::exact;
    unsigned threads = 0;  ///< 0 = all cores; never changes a result
    /// Told once, before the long part begins: how many entries (row, destination, link) will be looked at. The time is
    /// proportional to them, and they are at most rows with sources x destinations x mean links of a route.
    std::function<void(std::uint64_t entries)> on_start;
    /// Told after every batch of links: entries done.
    std::function<void(std::uint64_t done)> progress;
    /// Pairs of several links are gathered at once in so many words of 4 bytes; a link that needs more gets more. Never
    /// changes a result.
    std::size_t words_at_once = std::size_t{128} << 20;
};

/// By Link: flows. O(rows x destinations) for a batch of links, and O(entries) for all; few links need more than the
/// greedy matching. Memory: the batch, and 20 bytes a link and thread.
std::vector<std::uint32_t> worst_permutation_loads(model::Forwarding const& forwarding,
                                                   WorstCaseRequest const& request);

struct HostPair {
    model::Host source, destination;
    bool operator==(HostPair const&) const = default;
};
/// A permutation that puts as many flows on `link` as worst_permutation_loads says (exact, whatever request.kind): each
/// source once, each destination once, by destination LID. Hosts it does not name stay silent.
std::vector<HostPair> worst_permutation(model::Forwarding const& forwarding, WorstCaseRequest const& request,
                                        model::Link link);

/// The first link with the most flows; none when no link carries anything.
model::Link worst_link(std::span<std::uint32_t const> loads);

}  // namespace tailback::audit
