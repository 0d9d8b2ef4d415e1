#include "host/audit/findings/consistency.hpp"
#include "host/audit/findings/virtual_lids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace tailback::audit {
namespace {

/// Entries of one LID that nobody owns, over all switches.
struct Stale {
    model::Lid lid = 0;
    std::uint64_t entries = 0;
    std::vector<std::pair<model::Node, model::Port>> first;  ///< up to three
    std::uint64_t tables = 0;                                ///< which have one, as a hash
};

/// So many LIDs that the same tables know, and nobody owns, are no slip: those tables are of another day.
constexpr std::size_t least_of_another_day = 3;

class TableCheck {
public:
    TableCheck(model::Fabric const& fabric, std::vector<Finding>& found)
        : fabric_(fabric), net_(fabric.network), found_(found) {
        for (model::Lid lid = 1; lid < fabric.tables.lids(); ++lid)
            if (!net_.owner(lid).node.exists()) stale_.push_back({lid, 0, {}});
    }

    template <class Entry>
    void run() {
        for (std::size_t n = 0; n < net_.nodes().size(); ++n)
            if (fabric_.tables.has_table(model::Node{n}))
                check(model::Node{n}, fabric_.tables.row<Entry>(model::Node{n}));
        std::vector<std::pair<model::Lid, LidEnds::End>> const delivered = delivered_lids();
        bool const lost = lmc_may_be_lost() && are_in_ranges(delivered);
        if (!lost && !delivered.empty()) {
            found_.push_back(virtual_lids(fabric_, delivered));
            std::erase_if(stale_, [&](Stale const& stale) {
                return std::ranges::find(delivered, stale.lid, [](auto const& one) { return one.first; }) !=
                       delivered.end();
            });
        }
        for (Finding& one : stray_virtual_lids(fabric_)) found_.push_back(std::move(one));
        tell_virtual_above();
        char const* const hint =
            lost ? "; no LID range (LMC) is known: opensm-subnet.lst holds none, ibnetdiscover's output does" : "";
        if (!lost) tell_groups();
        for (Stale const& stale : stale_) {
            if (stale.entries == 0) continue;
            std::string places;
            for (auto const& [node, port] : stale.first)
                places += (places.empty() ? "" : ", ") + port_location(net_, node, port);
            if (stale.entries == 1) {
                found_.emplace_back(Code::lid_without_owner, places, 0,
                                    fmt::format("it has an entry for LID {}, which nobody owns{}", stale.lid, hint),
                                    stale.first.front().first, stale.first.front().second);
            } else {
                std::uint64_t const more = stale.entries - stale.first.size();
                found_.emplace_back(Code::lid_without_owner, fmt::format("LID {}", stale.lid), 0,
                                    fmt::format("nobody owns it, and {} switch{} an entry for it: {}{}", stale.entries,
                                                stale.entries == 1 ? " has" : "es have", places,
                                                more > 0 ? fmt::format(" and {} more", more) : "") +
                                        hint);
            }
            found_.back().lids.add(stale.lid);
        }
    }

private:
    /// One finding for LIDs without an owner that the same tables know: it explains those of the single LIDs.
    void tell_groups() {
        std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Stale const*>> groups;
        for (Stale const& stale : stale_)
            if (stale.entries > 0) groups[{stale.entries, stale.tables}].push_back(&stale);
        for (auto const& [key, group] : groups) {
            if (group.size() < least_of_another_day) continue;
            LidList lids;
            for (Stale const* stale : group) lids.add(stale->lid);
            Stale const& first = *group.front();
            bool const one = first.entries == 1;
            found_.emplace_back(
                Code::lids_of_another_day, one ? net_.describe(first.first.front().first) : "the tables", 0,
                fmt::format("{} for {}, which nobody owns: {} of another day than the topology, or the ports are gone",
                            one ? "its table has entries" : fmt::format("{} of them have entries", first.entries),
                            lids.text(fabric_), one ? "it is" : "they are"),
                one ? first.first.front().first : model::Node{});
            found_.back().lids = lids;
            for (Stale const* stale : group) found_.back().explains_lids.push_back(stale->lid);
        }
    }

    /// LIDs that all tables deliver to one adapter port, or to routers, and that no other finding explains.
    std::vector<std::pair<model::Lid, LidEnds::End>> delivered_lids() {
        std::vector<std::pair<model::Lid, LidEnds::End>> found;
        std::size_t tables = 0;
        for (std::size_t n = 0; n < net_.nodes().size(); ++n) tables += fabric_.tables.has_table(model::Node{n});
        std::set<model::Lid> explained;
        for (Finding const& one : found_) explained.insert(one.explains_lids.begin(), one.explains_lids.end());
        LidEnds ends(fabric_);
        for (Stale const& stale : stale_)
            if (stale.entries == tables && tables > 1 && !explained.contains(stale.lid))
                if (auto const end = ends.delivered_to(stale.lid)) found.emplace_back(stale.lid, *end);
        return found;
    }
    /// Is each in the range of LIDs that its port has, if all have the same LMC?
    bool are_in_ranges(std::vector<std::pair<model::Lid, LidEnds::End>> const& lids) const {
        auto const is_in_range = [&](std::pair<model::Lid, LidEnds::End> const& one, std::uint32_t size) {
            for (model::Host const host : net_.hosts_of(one.second.node))
                if (net_[host].port == one.second.port)
                    return net_[host].lid % size == 0 && one.first / size == net_[host].lid / size;
            return false;
        };
        for (std::uint32_t size = 2; size <= 128; size *= 2)
            if (std::ranges::all_of(lids, [&](auto const& one) { return is_in_range(one, size); })) return true;
        return false;
    }

    /// As many LIDs without an owner as there are hosts, in many tables each, and nobody with a range.
    bool lmc_may_be_lost() const {
        auto const ranges = std::any_of(net_.hosts().begin(), net_.hosts().end(),
                                        [](model::HostRecord const& host) { return host.lmc != 0; });
        auto const many =
            std::count_if(stale_.begin(), stale_.end(), [](Stale const& stale) { return stale.entries > 1; });
        return !ranges && static_cast<std::size_t>(many) >= net_.hosts().size();
    }

    template <class Entry>
    void check(model::Node node, std::span<Entry const> row) {
        constexpr Entry none = Entry(~Entry{0});
        seen_.assign(std::size_t{none} + 1, 0);
        for (Entry const port : row) seen_[port] = 1;
        std::vector<bool> bad(seen_.size());
        bool any_bad = false;
        for (std::size_t port = 1; port < none; ++port)
            if (seen_[port] != 0 && !net_.link_at(node, static_cast<model::Port>(port)).exists())
                any_bad = bad[port] = true;
        if (any_bad) {
            std::map<model::Port, LidList> lids;
            for (std::size_t lid = 1; lid < row.size(); ++lid)
                if (bad[row[lid]]) lids[row[lid]].add(static_cast<model::Lid>(lid));
            for (auto const& [port, list] : lids) {
                found_.push_back(finding_at(
                    port > net_[node].ports ? Code::port_beyond_switch : Code::port_without_cable, net_, node, port,
                    port > net_[node].ports
                        ? fmt::format("{} {} sent to port {}, and it has {} ports", list.text(fabric_),
                                      list.count() == 1 ? "is" : "are", port, net_[node].ports)
                        : fmt::format("{} {} sent to port {}, which has no cable", list.text(fabric_),
                                      list.count() == 1 ? "is" : "are", net_.port_name(node, port))));
                found_.back().lids = list;
            }
        }
        check_top(node, row);
        for (Stale& stale : stale_) {
            if (stale.lid >= row.size() || row[stale.lid] == none) continue;
            ++stale.entries;
            stale.tables = (stale.tables ^ node.value) * 0x9E3779B97F4A7C15u + 1;
            if (stale.first.size() < 3) stale.first.emplace_back(node, row[stale.lid]);
        }
    }

    /// Entries for LIDs that somebody owns, above the highest that the switch looks up.
    template <class Entry>
    void check_top(model::Node node, std::span<Entry const> row) {
        model::Lid const top = net_[node].highest_lid;
        LidList above;
        for (std::size_t at = std::size_t{top} + 1; top != 0 && at < row.size(); ++at) {
            auto const lid = static_cast<model::Lid>(at);
            if (row[at] == Entry(~Entry{0}) || !net_.owner(lid).node.exists()) continue;
            if (!is_virtual(lid)) above.add(lid);
            else if (virtual_above_.insert(lid).second && virtual_above_.size() == 1) first_virtual_above_ = node;
        }
        if (above.count() == 0) return;
        found_.push_back(
            finding_at(Code::entries_above_top, net_, node, 0,
                       fmt::format("its table has entries for {}, and it drops what is above LID {} (its LinearFDBTop)",
                                   above.text(fabric_), top)));
        found_.back().lids = above;
    }

    /// Of a virtual port: no endpoint has it among its own.
    bool is_virtual(model::Lid lid) const {
        model::Host const host = net_.owner(lid).host;
        return host.exists() && (lid < net_[host].lid || lid >= net_[host].lid + (model::Lid{1} << net_[host].lmc));
    }
    /// The top may be of before the virtual machines: told once, and no fault by itself.
    void tell_virtual_above() {
        if (virtual_above_.empty()) return;
        LidList lids;
        for (model::Lid const lid : virtual_above_) lids.add(lid);
        found_.emplace_back(
            Code::virtual_lids_above_top, "the tables", 0,
            fmt::format("they have entries for {} of virtual ports, above the highest LID that their "
                        "switches tell (LinearFDBTop; the first: {}): it was read before these were made, "
                        "or the switches drop what is sent there",
                        lids.text(fabric_), net_.describe(first_virtual_above_)));
        found_.back().lids = lids;
    }

    model::Fabric const& fabric_;
    model::Network const& net_;
    std::vector<Finding>& found_;
    std::set<model::Lid> virtual_above_;
    model::Node first_virtual_above_;
    std::vector<Stale> stale_;
    std::vector<std::uint8_t> seen_;
};

}  // namespace

void find_odd_entries(Dumps const& dumps, std::vector<Finding>& found) {
    TableCheck check(dumps.fabric, found);
    if (dumps.fabric.tables.is_wide()) check.run<std::uint16_t>();
    else check.run<std::uint8_t>();
}

}  // namespace tailback::audit
