#include "host/audit/findings/explain.hpp"

#include "host/audit/findings/consistency.hpp"
#include "host/audit/findings/failure_groups.hpp"
#include "host/model/routes/fabric_words.hpp"
#include "host/model/routes/for_each_destination.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::audit {
namespace {

/// Finds sources whose packets meet what is broken.
class Examples {
public:
    Examples(model::Forwarding const& forwarding, model::Senders const& senders)
        : forwarding_(forwarding), senders_(senders), tree_(forwarding, senders, model::TreeRows::met) {}

    /// The first source that comes to one of `rows` on its way to `lid`.
    model::Host source_through(model::Lid lid, std::vector<std::uint32_t> const& rows) {
        model::Network const& net = forwarding_.fabric().network;
        model::Destination const destination{lid, net.owner(lid).host};
        if (destination.lid != tree_.destination().lid) tree_.grow(destination);
        for (std::size_t h = 0; h < net.hosts().size(); ++h) {
            if (!senders_.has(model::Host{h}) || model::Host{h} == destination.host) continue;
            std::uint32_t row = forwarding_.entry_of(model::Host{h}).row;
            for (std::uint32_t steps = 0; row != kernels::no_row && steps <= tree_.rows();
                 ++steps, row = tree_.next(row))
                if (std::find(rows.begin(), rows.end(), row) != rows.end()) return model::Host{h};
        }
        return {};
    }

private:
    model::Forwarding const& forwarding_;
    model::Senders const& senders_;
    model::DestinationTree tree_;
};

void add_examples(model::Forwarding const& forwarding, model::Senders const& senders, Explanation& explanation) {
    Examples examples(forwarding, senders);
    for (std::size_t i = 0; i < std::min(most_examples, explanation.entries.size()); ++i) {
        BrokenEntry& entry = explanation.entries[i];
        entry.example = examples.source_through(entry.lids.first(), {entry.row});
    }
    for (std::size_t i = 0; i < std::min(most_examples, explanation.circles.size()); ++i) {
        Circle& circle = explanation.circles[i];
        std::vector<std::uint32_t> rows;
        for (auto const& step : circle.steps) rows.push_back(step.first);
        circle.example = examples.source_through(circle.lids.first(), rows);
    }
}

Code code_of(model::Cause cause) {
    switch (cause) {
        case model::Cause::no_table: return Code::no_table;
        case model::Cause::no_entry: return Code::no_entry;
        case model::Cause::own_port_zero: return Code::keeps_foreign_lid;
        case model::Cause::port_beyond_switch: return Code::sends_beyond_ports;
        case model::Cause::port_without_cable: return Code::sends_to_no_cable;
        default: return Code::wrong_host;
    }
}

class Wording {
public:
    explicit Wording(model::Forwarding const& forwarding)
        : forwarding_(forwarding), fabric_(forwarding.fabric()), net_(fabric_.network) {}

    std::string where(BrokenEntry const& entry) const {
        model::Node const node = forwarding_.node_of(entry.row);
        return entry.port == model::ForwardingTables::no_entry || entry.port == 0
                   ? net_.describe(node)
                   : port_location(net_, node, entry.port);
    }

    std::string message(BrokenEntry const& entry) const {
        std::string const lids = lids_text(entry.lids);
        bool const one = entry.lids.count() == 1;
        std::string text;
        switch (entry.cause) {
            case model::Cause::no_table: text = fmt::format("no forwarding table, so {} cannot pass", lids); break;
            case model::Cause::no_entry: text = model::no_way_text(fabric_, lids); break;
            case model::Cause::own_port_zero:
                text = fmt::format("keeps {} for itself (entry 0) without owning {}", lids, one ? "it" : "them");
                break;
            case model::Cause::port_beyond_switch:
                text = fmt::format("sends {} to port {} and has {} ports", lids, entry.port,
                                   net_[forwarding_.node_of(entry.row)].ports);
                break;
            case model::Cause::port_without_cable:
                text = fmt::format("sends {} to port {}, which has no cable", lids,
                                   net_.port_name(forwarding_.node_of(entry.row), entry.port));
                break;
            default: {
                model::LinkRecord const& link = net_[forwarding_.link_behind(entry.row, entry.port)];
                text = fmt::format("sends {} by port {} to {}, which does not own {}", lids,
                                   net_.port_name(forwarding_.node_of(entry.row), entry.port),
                                   port_location(net_, link.to, link.to_port), one ? "it" : "them");
            }
        }
        return text + example_text(entry.example, entry.lids.first());
    }

    std::string message(UnknownPort const& unknown) const {
        std::string const lids = unknown.lids.text(fabric_);
        if (unknown.known_to_itself)
            return fabric_.ip != nullptr
                       ? "no other router has a route to " + lids + " behind it: what it announces does not arrive"
                       : "no table but its own has an entry for " + lids + " behind it, so nobody else can reach them";
        return fmt::format("no table has an entry for its {}, so nobody can reach it: {}", lids,
                           unknown.lids.first() == net_.max_lid() && net_.max_lid() % 64 == 0
                               ? "the tables were made without it, or dump_fts left it out, as it does where the last "
                                 "LID is a multiple of 64 (ask a switch with ibroute)"
                               : "the tables were made without it");
    }

    std::string where(Circle const& circle) const {
        auto const& [row, port] = circle.steps.front();
        return port_location(net_, forwarding_.node_of(row), port);
    }

    std::string message(Circle const& circle) const {
        constexpr std::size_t most_named = 12;
        std::string text =
            fmt::format("{} run{} in a circle of {} switch{}: ", lids_text(circle.lids),
                        circle.lids.count() == 1 ? "s" : "", circle.steps.size(), circle.steps.size() == 1 ? "" : "es");
        for (std::size_t i = 0; i < std::min(most_named, circle.steps.size()); ++i) {
            auto const& [row, port] = circle.steps[i];
            text += fmt::format("{}{}", i > 0 ? " -> " : "", port_location(net_, forwarding_.node_of(row), port));
        }
        if (circle.steps.size() > most_named) text += fmt::format(" -> {} more", circle.steps.size() - most_named);
        return text + " -> the first again" + owner_text(circle) + example_text(circle.example, circle.lids.first());
    }

private:
    /// With the owner's name where it is one LID.
    std::string lids_text(LidList const& lids) const {
        model::Node const owner = net_.owner(lids.first()).node;
        return lids.text(fabric_) + (lids.count() == 1 && owner.exists() ? " (" + net_.describe(owner) + ")" : "");
    }

    /// The first LID that runs in a circle past its owner's switch: that switch sends it on.
    std::string owner_text(Circle const& circle) const {
        for (auto const& [first, last] : circle.lids.ranges())
            for (model::Lid lid = first; lid <= last; ++lid) {
                model::Host const host = net_.owner(lid).host;
                if (!host.exists() || !net_.up_link(host).exists()) continue;
                model::LinkRecord const& up = net_[net_.up_link(host)];
                for (auto const& [row, port] : circle.steps)
                    if (forwarding_.node_of(row) == up.to)
                        return fmt::format("; {} owner is at {}, which sends it to port {}",
                                           circle.lids.count() == 1 ? std::string("its")
                                                                    : model::destination_text(fabric_, lid) + "'s",
                                           port_location(net_, up.to, up.to_port), net_.port_name(up.to, port));
            }
        return "";
    }

    std::string example_text(model::Host example, model::Lid lid) const {
        if (!example.exists()) return "";
        model::HostRecord const& source = net_[example];
        model::Node const owner = net_.owner(lid).node;
        return fmt::format("; for example from \"{}\" ({}) to \"{}\" ({})", net_[source.node].name,
                           model::destination_text(fabric_, source.lid), owner.exists() ? net_[owner].name : "nobody",
                           model::destination_text(fabric_, lid));
    }

    model::Forwarding const& forwarding_;
    model::Fabric const& fabric_;
    model::Network const& net_;
};

}  // namespace

Explanation explain(model::Forwarding const& forwarding, AllPairsRequest const& request,
                    AllPairsResult const& all_pairs) {
    model::Senders const senders(forwarding, request.sources);
    std::vector<Unplugged> unplugged;
    for (model::Host const host : request.sources)
        if (forwarding.entry_of(host).row == kernels::no_row) unplugged.push_back({host, 0});
    std::vector<model::Destination> failing;
    for (std::size_t i = 0; i < all_pairs.towards.size(); ++i) {
        model::Host const host = all_pairs.towards[i].host;
        for (Unplugged& source : unplugged) source.pairs += source.source != host;
        PairCounts const& pairs = all_pairs.by_destination[i];
        std::uint64_t expected = unplugged.size();  // those need no second look
        if (senders.has(host) && forwarding.entry_of(host).row == kernels::no_row) --expected;
        if (pairs.unreachable > expected || pairs.loop + pairs.misdelivered > 0)
            failing.push_back(all_pairs.towards[i]);
    }
    FailureGroups groups(forwarding);
    // One thread: which circles are dropped, should they be too many, must not depend on threads.
    model::for_each_destination(forwarding, senders, model::TreeRows::met, failing, 1, [&] {
        return [&](std::size_t, model::DestinationTree const& tree) { groups.add(tree); };
    });
    Explanation explanation = groups.take();
    add_examples(forwarding, senders, explanation);
    explanation.unplugged = std::move(unplugged);
    return explanation;
}

std::vector<Finding> findings_of(model::Forwarding const& forwarding, Explanation const& explanation,
                                 CodesByFate const* instead) {
    auto const code = [&](Code usual) {
        if (instead == nullptr) return usual;
        switch (diagnosis::kind_of(usual)) {
            case FindingKind::loop: return instead->loop;
            case FindingKind::misdelivered: return instead->misdelivered;
            default: return instead->dropped;
        }
    };
    Wording const words(forwarding);
    model::Network const& net = forwarding.fabric().network;
    std::vector<Finding> found;
    for (BrokenEntry const& entry : explanation.entries)
        found.emplace_back(code(code_of(entry.cause)), words.where(entry), entry.pairs, words.message(entry),
                           forwarding.node_of(entry.row),
                           entry.port == model::ForwardingTables::no_entry ? model::Port{} : entry.port, entry.lids);
    for (UnknownPort const& unknown : explanation.unknown) {
        Finding one{code(unknown.known_to_itself ? Code::lid_in_own_table_alone : Code::lid_in_no_table),
                    unknown.port == 0 ? net.describe(unknown.node) : port_location(net, unknown.node, unknown.port),
                    unknown.pairs,
                    words.message(unknown),
                    unknown.node,
                    unknown.port,
                    unknown.lids};
        if (unknown.known_to_itself)
            for (auto const& [first, last] : unknown.lids.ranges())
                for (model::Lid lid = first; lid <= last; ++lid) one.explains_lids.push_back(lid);
        for (BrokenEntry const& entry : unknown.entries)
            one.symptoms.emplace_back(code(code_of(entry.cause)), words.where(entry), entry.pairs, words.message(entry),
                                      forwarding.node_of(entry.row), model::Port{}, entry.lids);
        found.push_back(std::move(one));
    }
    for (Circle const& circle : explanation.circles)
        found.emplace_back(code(Code::forwarding_loop), words.where(circle), circle.pairs, words.message(circle),
                           forwarding.node_of(circle.steps.front().first), circle.steps.front().second, circle.lids);
    if (explanation.other_circles > 0)
        found.emplace_back(code(Code::more_loops), "the fabric", explanation.other_circle_pairs,
                           fmt::format("more circles than are kept apart ({}), each of few pairs", most_circles));
    for (Unplugged const& source : explanation.unplugged)
        if (source.pairs > 0)
            found.emplace_back(code(Code::source_without_cable),
                               port_location(net, net[source.source].node, net[source.source].port), source.pairs,
                               "it has no cable, so nobody can be reached from it", net[source.source].node,
                               net[source.source].port);
    return found;
}

}  // namespace tailback::audit
