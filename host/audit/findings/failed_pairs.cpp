#include "host/audit/findings/failed_pairs.hpp"

#include "host/audit/findings/consistency.hpp"
#include "host/model/routes/fabric_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::audit {
namespace {

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
