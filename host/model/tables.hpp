// Forwarding tables: for a node and a destination LID, the out port.
#pragma once

#include "host/model/network.hpp"
#include "host/model/network_formula.hpp"
#include "host/model/network_origin.hpp"
#include "host/model/routing.hpp"
#include "host/model/routing_roots.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tailback::model {

/// Linear forwarding tables of all nodes that have one: [table][LID] -> port, one byte an entry, two where a node has
/// more than 254 ports. Columns are LIDs 0 .. lids()-1.
class ForwardingTables {
public:
    static constexpr Port no_entry = 0xFFFFFFFFu;
    static constexpr Port largest_port = 0xFFFE;  ///< that an entry can hold

    ForwardingTables() = default;
    /// Room for LIDs 0..max_lid for every switch of the network (reserved, not yet used).
    explicit ForwardingTables(Network const& network) : ForwardingTables(network, network.switches()) {}
    /// The same for `tables` nodes.
    ForwardingTables(Network const& network, std::size_t tables);

    /// Gives `node` an empty table, or finds the one it has.
    void add_table(Node node);
    bool has_table(Node node) const { return row_[node.value] != no_row; }
    std::size_t tables() const { return tables_; }
    std::size_t lids() const { return lids_; }

    /// Port for `lid` at `node`; `no_entry` when the table, the column or the entry is missing.
    Port port(Node node, Lid lid) const {
        std::uint32_t const row = row_[node.value];
        if (row == no_row || lid >= lids_) return no_entry;
        std::size_t const at = std::size_t(row) * lids_ + lid;
        if (wide_.empty()) return narrow_[at] == 0xFF ? no_entry : narrow_[at];
        return wide_[at] == 0xFFFF ? no_entry : wide_[at];
    }
    /// Sets an entry; grows columns and widens entries where it must. `node` has a table; `port` at most largest_port,
    /// or no_entry.
    void set(Node node, Lid lid, Port port);

    /// A switch's row for a fast reader: one byte an entry, 255 = none, `lids()` long. Null when entries are wide.
    std::uint8_t* narrow_row(Node node) {
        return wide_.empty() ? narrow_.data() + std::size_t(row_[node.value]) * lids_ : nullptr;
    }
    /// True when entries need 16 bits.
    bool is_wide() const { return !wide_.empty(); }
    /// All entries of a node, by LID; the largest Entry = none. Empty when it has no table. Entry is uint16_t when
    /// `is_wide()`, else uint8_t.
    template <class Entry>
    std::span<Entry const> row(Node node) const {
        if (row_[node.value] == no_row) return {};
        std::size_t const at = std::size_t(row_[node.value]) * lids_;
        if constexpr (sizeof(Entry) == 1) return {narrow_.data() + at, lids_};
        else return {wide_.data() + at, lids_};
    }
    /// Which table a node has: its number in order of add_table, 0xFFFFFFFF = none.
    std::uint32_t table_of(Node node) const { return row_[node.value]; }
    /// All tables as they lie in memory: [table][LID]. Entry as for `row`.
    template <class Entry>
    std::span<Entry const> entries() const {
        if constexpr (sizeof(Entry) == 1) return narrow_;
        else return wide_;
    }
    /// Makes room for LIDs up to `max_lid`.
    void grow(Lid max_lid);

private:
    static constexpr std::uint32_t no_row = 0xFFFFFFFFu;
    void widen();

    std::vector<std::uint32_t> row_;  // by node
    std::size_t tables_ = 0;
    std::size_t reserved_ = 0;
    std::size_t lids_ = 0;
    std::vector<std::uint8_t> narrow_;
    std::vector<std::uint16_t> wide_;
};

class CandidateSets;  // host/model/routes/candidate_sets.hpp
struct IpPlan;        // host/model/routes/ip_plan.hpp
struct Fabric;
struct RoutingLanes;  // host/model/service_levels.hpp
/// Finds the virtual lanes of a routed network: work worth doing only for who asks about them.
using FindLanes = std::function<std::shared_ptr<RoutingLanes const>(Fabric const&)>;

/// A network and its tables, as one input or two gave them.
struct Fabric {
    Network network;
    ForwardingTables tables;
    bool routed = false;  ///< false when no tables were given
    /// Where routes are not those of tables, the tables are empty.
    std::shared_ptr<Routing const> routing = routing_by_tables();
    /// Null where the network is kept; otherwise `network` is empty.
    std::shared_ptr<NetworkFormula const> formula = nullptr;
    NetworkOrigin origin;
    /// Of a routing that comes with virtual lanes. @throws InputError where they do not suffice.
    FindLanes find_lanes = nullptr;
    RoutingRoots roots = {};  ///< of a routing that takes some
    /// Of adaptive routing: the ports among which switches choose; `tables` hold the static entries beside them. Null
    /// where there are none.
    std::shared_ptr<CandidateSets const> candidates = nullptr;
    /// Of an IP fabric: addresses and seeds of hashes. Null elsewhere.
    std::shared_ptr<IpPlan const> ip = nullptr;

    // What a formula answers as well as a network that is kept.
    std::uint64_t endpoints() const { return formula ? formula->hosts : network.hosts().size(); }
    std::uint64_t switches() const { return formula ? formula->switches : network.switches(); }
    std::uint64_t links() const { return formula ? formula->links : network.links().size(); }
    /// False for InfiniBand's names.
    bool names_are_unique() const { return formula || network.named(); }
    /// A link as a study on these hosts numbers it: of a network that is kept its own number, of a formula the slot.
    LinkEnds ends(Link link, std::span<Host const> hosts) const;
    bool between_switches(Link link) const;
};

}  // namespace tailback::model
