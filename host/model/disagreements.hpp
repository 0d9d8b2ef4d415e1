// Real dumps disagree with each other. That is data, not an error: counted, the first example kept, told once.
#pragma once

#include "host/base/error.hpp"
#include "host/model/index.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tailback::model {

/// The ways in which a topology file and a table file (or one of them with itself) can disagree.
enum class Disagreement : std::uint8_t {
    unowned_lid,              ///< a table routes a LID that no port of the topology owns
    table_of_unknown_switch,  ///< a table for a GUID that the topology does not have, or has as an adapter
    switch_without_table,     ///< a switch of the topology that no table describes
    port_beyond_switch,       ///< an entry names a port above the switch's port count
    port_without_cable,       ///< an entry names a port with nothing plugged in
    host_without_cable,       ///< an adapter port (or dot host) with no link
    one_sided_cable,          ///< a cable listed from one end only, or whose ends contradict each other
    duplicate_lid,            ///< one LID owned by two ports
    duplicate_entry,          ///< two different entries for one LID on one switch (the later one counts)
    port_without_lid,         ///< a cabled adapter port with LID 0 or 65535
    unparsed_line,            ///< a line inside a table that no rule explains
    unknown_speed,            ///< a width or speed nobody knows, taken as the base rate
    unrouted_comment,         ///< an ORCS edge comment that names no node of the file
    incomplete_table,         ///< a table without its end, or that counts other entries than it has
    duplicate_guid,           ///< one GUID in the records of two nodes
    lanes_of_unknown_port,    ///< an SL2VL record of a node or port that the topology does not have
    level_of_unknown_path,    ///< a service level for a path from or to somebody the topology does not have
    odd_lid,                  ///< what stands for a LID is none (`-1`, 65335, nothing)
    told_twice,               ///< a LID or GUID that lines of one file tell otherwise
    missing_record,           ///< a node that only its neighbours tell of
    duplicate_table,          ///< two tables of one switch that differ
    table_header_lid,         ///< a table whose header has another LID for its switch than the topology
    other_owner,              ///< a LID that tables give to another port than the topology does
    damaged_section,          ///< a section of a table file that is missing, cut, or not as long as its index says
    odd_cell,                 ///< a row with a number that none is, or with more or fewer cells than its heading
    unknown_group,            ///< an entry of adaptive routing names a group that its switch does not have
    private_table,            ///< a private table of a switch beside its first, which is not followed
    port_not_active,          ///< a cabled port that is down, or that no subnet manager has made active
    descriptions_differ,      ///< two descriptions of one run that tell different networks
    unknown_node_kind,        ///< a node whose own word for what it is nobody knows
    unread_attribute,         ///< an attribute of a file that nothing reads
};
inline constexpr std::size_t disagreement_kinds = 31;
/// Does it say that something is wrong? Else it tells how a file was taken, and `strict` lets it pass.
constexpr bool contradicts(Disagreement kind) {
    return kind != Disagreement::unknown_node_kind && kind != Disagreement::unread_attribute;
}

/// A place in the fabric.
struct FabricPlace {
    std::string text;  ///< `switch "leaf-07" (0x..) port 5`; empty = the line in the file says where
    /// The same for programs, where it is about one node.
    Node node;
    std::uint64_t guid = 0;  ///< of a node that the topology does not have
    std::uint32_t port = 0;  ///< 0 = of no port
    /// LIDs and further nodes whose troubles this explains.
    std::vector<std::uint32_t> lids = {};
    std::vector<Node> nodes = {};
};

/// One disagreement, for a report that lists them.
struct NotedDisagreement {
    Disagreement kind{};
    base::SourceLocation place;  ///< in the file
    FabricPlace where;
    std::string text;  ///< a whole clause
};

/// Collects disagreements. `strict` makes the first one that contradicts an InputError; of each kind `kept` are kept
/// whole.
class Disagreements {
public:
    explicit Disagreements(bool strict = false, std::size_t kept = 0) : strict_(strict), kept_(kept) {}

    /// Counts `times` of `kind`. `example` is a whole clause ("LID 0x3f routed to port 41 (switch ... has 36
    /// ports)"); only the first of a kind is kept (and `kept` with `where`), so build it only when
    /// `wants_example(kind)` (always in strict mode).
    void note(Disagreement kind, base::SourceLocation const& place, std::string const& example, std::uint64_t times = 1,
              FabricPlace const& where = {});
    /// What was met while another file was read, as if it had been noted here.
    void take(Disagreements const& other);
    void count(Disagreement kind, std::uint64_t times = 1) { seen_[std::size_t(kind)].times += times; }
    bool wants_example(Disagreement kind) const {
        Seen const& seen = seen_[std::size_t(kind)];
        return seen.times == 0 || seen.kept < kept_;
    }

    std::uint64_t times(Disagreement kind) const { return seen_[std::size_t(kind)].times; }
    bool any() const;
    /// The first `kept` of each kind, in the order they were met.
    std::vector<NotedDisagreement> const& noted() const { return noted_; }
    /// `12 table entries are for LIDs nobody owns`
    static std::string count_text(Disagreement kind, std::uint64_t times);
    /// One warning per kind met: `12 entries ... (first: file:line: example)`.
    std::vector<std::string> warnings() const;
    /// That of one kind; empty where it was not met.
    std::string warning(Disagreement kind) const;

private:
    struct Seen {
        std::uint64_t times = 0;
        std::size_t kept = 0;
        std::string first;
    };
    std::array<Seen, disagreement_kinds> seen_{};
    std::vector<NotedDisagreement> noted_;
    bool strict_;
    std::size_t kept_;
};

}  // namespace tailback::model
