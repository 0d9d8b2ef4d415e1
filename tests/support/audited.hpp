// A fabric audited in a test, and what a walk of every pair (host/model/routes/trace) says must be found.
#pragma once

#include "host/audit/audit.hpp"
#include "host/audit/findings/consistency.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tailback {

/// What the texts of a topology and of an LFT dump disagree about, each place by itself.
inline std::vector<Finding> disagreements_of(std::string const& topology, std::string const& tables) {
    Disagreements disagreements(false, kept_disagreements);
    Fabric fabric;
    fabric.network = read_topology(topology, disagreements);
    LineReader lines = lines_of_text(tables, "tables");
    fabric.tables = read_lft_dump(lines, fabric.network, disagreements);
    fabric.routed = true;
    return find_inconsistencies(fabric, disagreements);
}

using Places = std::map<std::pair<FindingKind, std::string>, std::uint64_t>;

/// Of a circle the first link that leads farthest away from the switch of a LID's owner, as cables between switches go.
inline Link astray(Network const& net, std::vector<Link> const& circle, Lid lid) {
    LidOwner const owner = net.owner(lid);
    Node home = owner.node;
    if (owner.host.exists()) home = net.up_link(owner.host).exists() ? net[net.up_link(owner.host)].to : Node{};
    if (!home.exists() || !net.is_switch(home)) return circle.front();
    std::map<std::uint32_t, int> far = {{home.value, 0}};
    for (bool more = true; more;) {
        more = false;
        for (LinkRecord const& link : net.links())
            if (link.reverse.exists() && net.is_switch(link.from) && net.is_switch(link.to) &&
                far.contains(link.to.value) &&
                (!far.contains(link.from.value) || far[link.from.value] > far[link.to.value] + 1))
                far[link.from.value] = far[link.to.value] + 1, more = true;
    }
    Link best;
    int most = -1;
    for (Link const link : circle) {
        if (!far.contains(net[link].from.value) || !far.contains(net[link].to.value)) return circle.front();
        int const away = far[net[link].to.value] - far[net[link].from.value];
        if (away > most) most = away, best = link;
    }
    return best;
}

/// What must be found, by walking: (kind, place) -> pairs.
inline Places walked(Fabric const& fabric) {
    Network const& net = fabric.network;
    Places places;
    std::map<std::vector<Link>, std::pair<Lid, std::uint64_t>> circles;  // the lowest LID, and pairs
    for (std::size_t s = 0; s < net.hosts().size(); ++s)
        for (std::size_t d = 0; d < net.hosts().size(); ++d) {
            HostRecord const& to = net[Host{d}];
            if (s == d || to.lid == 0) continue;
            for (Lid lid = to.lid; lid < to.lid + (Lid{1} << to.lmc); ++lid) {
                if (net.owner(lid).host != Host{d}) continue;
                Route const route = trace_from_host(fabric, Host{s}, lid);
                switch (route.cause) {
                    case Cause::none:
                    case Cause::no_path: break;  // of routes by pairs alone
                    case Cause::source_without_cable:
                        ++places[{FindingKind::unreachable, port_location(net, route.end, net[Host{s}].port)}];
                        break;
                    case Cause::no_table:
                    case Cause::no_entry:
                    case Cause::own_port_zero: ++places[{FindingKind::unreachable, net.describe(route.end)}]; break;
                    case Cause::port_beyond_switch:
                    case Cause::port_without_cable:
                        ++places[{FindingKind::unreachable, port_location(net, route.end, route.entry)}];
                        break;
                    case Cause::wrong_host: {
                        LinkRecord const& last = net[route.links.back()];
                        ++places[{FindingKind::misdelivered, port_location(net, last.from, last.from_port)}];
                        break;
                    }
                    case Cause::met_twice: {  // the circle: from the first meeting of its end on
                        auto const from = std::ranges::find_if(
                            route.links, [&](Link const link) { return net[link].from == route.end; });
                        std::vector<Link> circle(from, route.links.end());
                        auto const least =
                            std::ranges::min_element(circle, {}, [&](Link const link) { return net[link].from.value; });
                        std::rotate(circle.begin(), least, circle.end());
                        auto& [first, pairs] = circles.try_emplace(circle, lid, 0).first->second;
                        first = std::min(first, lid), ++pairs;
                    }
                }
            }
        }
    for (auto const& [circle, of] : circles) {
        Link const link = astray(net, circle, of.first);
        places[{FindingKind::loop, port_location(net, net[link].from, net[link].from_port)}] += of.second;
    }
    return places;
}

/// Causes with their symptoms instead of them, where they have some: what is wrong, place by place.
inline std::vector<Finding> unfolded(std::vector<Finding> const& findings) {
    std::vector<Finding> all;
    for (Finding const& finding : findings) {
        if (finding.symptoms.empty() || finding.kind == FindingKind::inconsistent) all.push_back(finding);
        if (!all.empty() && !finding.symptoms.empty() && finding.kind == FindingKind::inconsistent)
            all.back().pairs = 0;
        for (Finding const& symptom : finding.symptoms) all.push_back(symptom);
    }
    return all;
}

inline bool is_fate(FindingKind kind) {
    return kind == FindingKind::unreachable || kind == FindingKind::loop || kind == FindingKind::misdelivered;
}

inline std::vector<Finding> audit_findings(Fabric const& fabric, Disagreements const& disagreements = Disagreements()) {
    Audit audit(fabric);
    choose_endpoints(fabric.network, "", true, audit.request);
    audit.request.execution = {.device = DeviceChoice::cpu, .threads = 1};
    audit_routes(audit);
    audit_apart(audit);
    find_faults(audit, disagreements);
    audit.sort_findings();
    std::uint64_t failing = 0;
    for (Finding const& finding : unfolded(audit.findings)) failing += is_fate(finding.kind) ? finding.pairs : 0;
    EXPECT_EQ(failing, audit.all_pairs.pairs.total - audit.all_pairs.pairs.delivered);
    return audit.findings;
}

inline Places fates_of(std::vector<Finding> const& findings) {
    Places places;
    for (Finding const& finding : unfolded(findings))
        if (is_fate(finding.kind)) places[{finding.kind, finding.where}] += finding.pairs;
    return places;
}

inline std::vector<Finding> of_kind(std::vector<Finding> const& findings, FindingKind kind) {
    std::vector<Finding> some;
    std::copy_if(findings.begin(), findings.end(), std::back_inserter(some),
                 [&](Finding const& f) { return f.kind == kind; });
    return some;
}

/// Whether a text names the LID, alone or inside a range.
inline bool names_lid(std::string const& text, Lid lid) {
    for (std::size_t at = 0; at < text.size();) {
        if (!std::isdigit(static_cast<unsigned char>(text[at]))) {
            ++at;
            continue;
        }
        auto const number = [&] {
            Lid value = 0;
            for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])); ++at)
                value = value * 10 + Lid(text[at] - '0');
            return value;
        };
        Lid const low = number();
        Lid high = low;
        if (at + 1 < text.size() && text[at] == '-' && std::isdigit(static_cast<unsigned char>(text[at + 1]))) {
            ++at;
            high = number();
        }
        if (low <= lid && lid <= high) return true;
    }
    return false;
}

}  // namespace tailback
