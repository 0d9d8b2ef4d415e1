#include "host/audit/findings/quality.hpp"

#include "host/audit/findings/consistency.hpp"
#include "host/audit/loads/distances.hpp"
#include "host/io/progress.hpp"
#include "host/model/routes/for_each_destination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tailback::audit {
namespace {

/// More entries than this (rows x destinations) are not looked at a second time: the findings then name switches alone.
constexpr std::uint64_t most_second_looks = 200'000'000;

/// Delivered pairs that leave a row by a port for one reason.
struct PortUse {
    std::uint32_t row = 0;
    model::Port port = 0;
    std::uint64_t pairs = 0;
    LidList lids;
};

struct Quality {
    std::vector<PortUse> detours;      // sent by a port that brings them no nearer
    std::vector<PortUse> wrong_turns;  // came down to the row and go up by this port
};

using Uses = std::map<std::pair<std::uint32_t, model::Port>, PortUse>;

bool any(std::vector<std::uint64_t> const& counts) {
    return std::any_of(counts.begin(), counts.end(), [](std::uint64_t count) { return count > 0; });
}

void use(Uses& uses, std::uint32_t row, model::Port port, std::uint64_t pairs, model::Lid lid) {
    PortUse& one = uses.try_emplace({row, port}, PortUse{row, port, 0, {}}).first->second;
    one.pairs += pairs;
    one.lids.add(lid);
}

std::vector<PortUse> listed(Uses& uses) {
    std::vector<PortUse> list;
    for (auto& [key, one] : uses) list.push_back(std::move(one));
    return list;
}

std::string pairs_text(std::uint64_t pairs) { return pairs == 1 ? "1 pair" : std::to_string(pairs) + " pairs"; }

/// Looks again at the rows that `all_pairs` counts detours or wrong turns for. Rows in order, ports in order.
Quality find_quality(model::Forwarding const& forwarding, AllPairsRequest const& request,
                     AllPairsResult const& all_pairs, unsigned threads) {
    bool const detours = any(all_pairs.detours), turns = any(all_pairs.wrong_turns) && !request.directions.empty();
    std::uint64_t const entries = std::uint64_t{forwarding.rows()} * all_pairs.towards.size();
    if ((!detours && !turns) || entries > most_second_looks) return {};
    Distances const distances = detours ? find_distances(forwarding, all_pairs.towards, threads) : Distances{};
    model::Senders const senders(forwarding, request.sources);
    Uses detouring, turning;
    auto const look = [&](std::size_t, model::DestinationTree const& tree) {
        model::Lid const lid = tree.destination().lid;
        model::Host const host = tree.destination().host;
        for (std::uint32_t const row : tree.order()) {
            std::uint32_t const next = tree.next(row);
            if (next == kernels::no_row || tree.fate(row) != model::Fate::delivered || tree.weight(row) == 0) continue;
            if (detours && distances(host, next, forwarding.rows()) >= distances(host, row, forwarding.rows()))
                use(detouring, row, tree.port(row), tree.weight(row), lid);
            if (turns && request.directions[std::size_t{row} * forwarding.ports() + tree.port(row)] == 2 &&
                request.directions[std::size_t{next} * forwarding.ports() + tree.port(next)] == 1)
                use(turning, next, tree.port(next), tree.weight(row), lid);
        }
    };
    io::Progress const progress("listing detours");
    // One thread: the lists of LIDs want them in order.
    model::for_each_destination(forwarding, senders, model::TreeRows::met, all_pairs.towards, 1, [&] { return look; });
    return {listed(detouring), listed(turning)};
}

}  // namespace

std::vector<Finding> quality_findings(model::Forwarding const& forwarding, AllPairsRequest const& request,
                                      AllPairsResult const& all_pairs, Asymmetry const& asymmetry, unsigned threads) {
    Quality const quality = find_quality(forwarding, request, all_pairs, threads);
    model::Network const& net = forwarding.fabric().network;
    std::vector<Finding> found;
    auto const end_of = [&](PortUse const& one) {
        model::LinkRecord const& link = net[forwarding.link_behind(one.row, one.port)];
        return port_location(net, link.to, link.to_port);
    };
    for (PortUse const& one : quality.detours)
        found.emplace_back(Code::longer_than_shortest, port_location(net, forwarding.node_of(one.row), one.port),
                           one.pairs,
                           fmt::format("sends {} to {}, which is no nearer to {}", one.lids.text(forwarding.fabric()),
                                       end_of(one), one.lids.count() == 1 ? "it" : "them"),
                           forwarding.node_of(one.row), one.port, one.lids);
    for (PortUse const& one : quality.wrong_turns)
        found.emplace_back(Code::up_after_down, port_location(net, forwarding.node_of(one.row), one.port), one.pairs,
                           fmt::format("{} to {} come down to it and go up again to {}", pairs_text(one.pairs),
                                       one.lids.text(forwarding.fabric()), end_of(one)),
                           forwarding.node_of(one.row), one.port, one.lids);
    auto const by_switch = [&](Code code, std::vector<std::uint64_t> const& counts, char const* what) {
        for (std::uint32_t row = 0; row < counts.size(); ++row)
            if (counts[row] > 0)
                found.emplace_back(code, net.describe(forwarding.node_of(row)), counts[row],
                                   fmt::format("{} {}", pairs_text(counts[row]), what), forwarding.node_of(row));
    };
    if (quality.detours.empty())
        by_switch(Code::longer_than_shortest, all_pairs.detours, "leave it by ports that bring them no nearer");
    if (quality.wrong_turns.empty())
        by_switch(Code::up_after_down, all_pairs.wrong_turns, "come down to it and go up again");
    if (asymmetry.differing > 0)
        found.emplace_back(Code::other_way_back, "the fabric", asymmetry.differing,
                           fmt::format("{} of {} pairs of endpoints do not come back by the cables they went",
                                       asymmetry.differing, asymmetry.pairs));
    return found;
}

}  // namespace tailback::audit
