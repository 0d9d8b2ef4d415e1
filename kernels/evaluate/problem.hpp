// Everything a kernel needs to know of a study, as indices and plain views. Built and checked by
// host/study/plan/study_plan.
#pragma once

#include "kernels/common/divisor.hpp"
#include "kernels/common/index.hpp"
#include "kernels/common/philox.hpp"
#include "kernels/evaluate/all_to_all_view.hpp"
#include "kernels/evaluate/message_lids.hpp"
#include "kernels/evaluate/sharing_view.hpp"

#include <cstdint>

namespace tailback::kernels {

using Rank = Index<struct RankTag>;            ///< of a study
using HostIndex = Index<struct HostIndexTag>;  ///< a host of a study, by its number in the study's subset

/// A flow between two ranks (never one with itself).
struct alignas(8) RankPair {
    std::uint32_t source;
    std::uint32_t destination;
};

/// A random part of a level: rank first + i sends to rank first + pi(i).
struct RandomPart {
    std::uint32_t first_rank = 0;
    std::uint32_t ranks = 0;  ///< 0 = no such part
    std::uint32_t drawn = 0;  ///< which of the problem's drawn permutations is pi
};

struct LevelView {
    std::uint64_t first_flow = 0;  ///< into Problem::flows
    std::uint32_t flows = 0;
    std::uint32_t routes_to_keep = 0;  ///< flows + ranks of the random parts: places for kept routes
    std::uint64_t routes_before = 0;   ///< `routes_to_keep` of the levels before
    RandomPart random[2];
    bool sparse = false;  ///< so few flows that clearing what they touched is cheaper than clearing all counters
    bool unit_min_congestion = true;  ///< every flow's minimum congestion is 1
};

/// How routes are stored (kernels/evaluate/routes.hpp), or computed (kernels/evaluate/regular_routes.hpp).
enum class RouteForm : std::uint8_t {
    rows16,
    rows32,
    steps,
    torus,
    tree,
    dragonfly,
    torus_by_middle,
    dragonfly_by_middle,
    hyperx
};

/// A torus or mesh. Index of the link that leaves switch v in direction 0 (up) or 1 (down) of dimension d:
/// (2 d + direction) * switches + ring * size_d + v's coordinate, rings numbered by the other coordinates.
struct TorusView {
    std::uint32_t dimensions = 0;
    Divisor hosts;  ///< of a switch
    std::uint32_t switches = 0;
    Divisor size[16], stride[16];  ///< a coordinate is floor(switch / stride) mod size
    std::uint8_t order[16] = {};   ///< dimensions as they are corrected, of RouteForm::torus_by_middle
    std::uint8_t wraps = 1;
    std::uint8_t one_way = 0;
    std::uint8_t tie = 0;  ///< half way round a ring: 0 up, 1 down, 2 up from even coordinates
};

/// Valiant's routes: on the way to a middle switch that is drawn for every pair of hosts, then from there.
struct MiddleView {
    std::uint64_t seed = 0;
    std::uint8_t drawn = 1;  ///< 0: there is no middle
    std::uint8_t group_only =
        0;  ///< of a dragonfly: until the middle's group is reached; pairs of one group stay in it
};

/// XGFT (topologies/families/xgft.hpp) with one cable between child and parent and w_1 = 1. Index of the link from node
/// x of `level` to its q-th parent: first_up[level] + x * parents[level] + q; of that link's other direction: the same
/// from first_down.
struct TreeView {
    std::uint32_t height = 0;
    std::uint32_t up_by_source = 0;       ///< 1: what chooses the way up is the source's number,
    std::uint32_t up_by_destination = 1;  ///< 1: the destination's; both: their sum
    Divisor children[24];                 ///< m_1 ..
    Divisor parents[24];                  ///< [level] w_(level + 1)
    Divisor twins[24];                    ///< [level] W_level
    std::uint32_t first_up[24] = {};
    std::uint32_t first_down[24] = {};
};

/// A link between two groups of a dragonfly, by the global ports of both.
struct GlobalLink {
    std::uint16_t port, far_port;
};

/// A dragonfly of `groups` groups of `a` switches with `p` hosts and `h` global ports. Index of the local link from
/// switch v to the k-th switch after it in its group: v * (a - 1) + k - 1; of its j-th global link: first_global + v *
/// h + j.
struct DragonflyView {
    Divisor a, p, h;
    std::uint32_t groups = 0;
    std::uint32_t rounds = 1;  ///< links between each two groups
    std::uint32_t first_global = 0;
    GlobalLink const* links = nullptr;  ///< [from group][to group][round]
};

/// A HyperX: in every dimension a switch is joined to all others of its line by `cables` cables. Index of the k-th
/// cable from switch v to the one `ahead` coordinates further in a dimension: v * degree + before + (ahead - 1) *
/// cables + k.
struct HyperxView {
    static constexpr std::uint32_t most_dimensions = 24;
    struct Dimension {
        Divisor size, stride;  ///< a coordinate is floor(switch / stride) mod size
        std::uint32_t before = 0;
    };
    Divisor hosts;  ///< of a switch
    Divisor cables;
    std::uint32_t degree = 0;  ///< links of a switch to others
    std::uint32_t dimensions = 0;
    Dimension dimension[most_dimensions];  ///< as they are corrected
};

/// What a form of routes by formula (RouteForm) is computed from: the one view that belongs to it.
union FormulaView {
    TreeView tree;
    TorusView torus;
    DragonflyView dragonfly;
    HyperxView hyperx;
    FormulaView() : tree{} {}
};

/// Rows as sums (kernels/evaluate/route_sums.hpp): row (group, host) = source[group] + destination[host], word by word
/// of 64 bits (rows of 32 bits: the lower half), unless both are of one block. Null pointers: there are none.
struct SumsView {
    std::uint64_t const* source = nullptr;
    std::uint64_t const* destination = nullptr;
    std::uint32_t const* block_of_group = nullptr;
    std::uint32_t const* block_of_host_index = nullptr;
};

/// Compute nodes, which may own several hosts of the network (their adapters) and take several ranks. Null pointers:
/// every rank has a host, and a node, of its own.
struct NodesView {
    std::uint32_t const* node = nullptr;  ///< by host index. Flows between ranks of one node use no link
    /// Where a flow leaves its node by the adapter on the rail of its destination's adapter: [node][rail] -> host
    /// index, `none` where the node has no such adapter. Null: a flow leaves by the adapter of its rank.
    std::uint32_t const* aligned = nullptr;
    std::uint32_t const* rail = nullptr;  ///< by host index
    std::uint32_t rails = 0;
    static constexpr std::uint32_t none = 0xFFFFFFFFu;
};

/// The host that a flow leaves its node by. @param own the host of its rank.
TAILBACK_HD HostIndex leaving_host(NodesView const& nodes, HostIndex own, HostIndex destination) {
    if (nodes.aligned == nullptr) return own;
    std::uint32_t const aligned = nodes.aligned[nodes.node[own.value] * nodes.rails + nodes.rail[destination.value]];
    return aligned == NodesView::none ? own : HostIndex{aligned};
}

/// Where mappings come from.
enum class MappingSource : std::uint8_t { random, identity, listed };

struct DeviceRows;

/// Who sits where.
struct PlacementView {
    std::uint32_t ranks = 0;
    std::uint32_t study_hosts = 0;
    MappingSource source = MappingSource::random;
    bool draw_subset = false;  ///< study_hosts > ranks: a random subset is drawn for every mapping
    /// [mapping - first_listed][rank] -> host index, for MappingSource::listed
    std::uint32_t const* listed = nullptr;
    std::uint64_t first_listed = 0, listed_mappings = 0;
    NodesView nodes;  ///< only with MappingSource::listed
    /// Of routes that are found flow by flow: so many evaluations of a mapping follow each other, which differ in what
    /// is drawn for them.
    std::uint32_t repeats = 1;
};

/// What ranks send each other, level by level.
struct TrafficView {
    RankPair const* flows = nullptr;
    std::uint64_t flow_count = 0;
    std::uint32_t const* min_congestions = nullptr;  ///< per flow: the larger of its ranks' host link loads
    std::uint64_t const* weights = nullptr;          ///< per flow; null: 1 each. Drawn flows have 1
    std::uint64_t const* min_loads = nullptr;        ///< in place of min_congestions where there are weights
    LevelView const* levels = nullptr;
    std::uint32_t level_count = 0;
    std::uint32_t max_kept = 0;             ///< largest routes_to_keep of a level
    std::uint32_t measured_ranks = 0;       ///< ranks below it count for dep_max_delay
    std::uint32_t drawn_ranks[2] = {0, 0};  ///< sizes of the drawn pattern permutations, 0 = not drawn
    AllToAllView all_to_all;                ///< in place of flows
};

/// Which links a flow takes. Links that routes use are numbered by link index:
///   [0, inner)                      links between switches (or all links, when not `host_links_implied`)
///   inner + 0                       padding of short rows, never read as a load
///   inner + 1, 2, 3                 codes in place of a route: unreachable, loop, misdelivered
///   inner + 4 + host                the host's up link   (host to switch)
///   inner + 4 + hosts + host        the host's down link (switch to host)
struct RoutesView {
    std::uint32_t const* group = nullptr;  ///< by host index: sources that share their routes; the first
                                           ///< of as many as there are LIDs (`lids`)
    std::uint32_t groups = 0;
    RouteForm form = RouteForm::rows16;
    std::uint32_t row_width = 4;                 ///< links a row
    SumsView sums;                               ///< for rows of 32 bits or whole 64-bit words
    void const* rows = nullptr;                  ///< [group][host][row_width], 16 or 32 bits each
    MessageLids lids;                            ///< of rows alone
    DeviceRows const* rows_on_device = nullptr;  ///< the same rows on a device (kernels/route_packer.hpp); null = none
    std::uint32_t const* steps = nullptr;        ///< [node row][host] -> link index or code; inner + 0 = arrived
    std::uint32_t node_rows = 0;
    std::uint32_t const* head = nullptr;  ///< by inner link index: node row at its end

    FormulaView formula;  ///< that of the form; there group[i] is host i in the network
    MiddleView middle;    ///< of RouteForm::torus_by_middle (also: other orders of dimensions), dragonfly_by_middle

    std::uint32_t inner = 0;
    std::uint32_t slots = 0;              ///< inner + 4 + 2 study_hosts
    std::uint32_t const* cost = nullptr;  ///< by link index: congestion units a flow adds; null = 1 each
    std::uint32_t longest_route = 0;      ///< links of the longest route, those of hosts included
    bool host_links_implied = false;      ///< routes lack the two links of their hosts
    bool all_delivered = false;
    bool exceed_cache = false;  ///< rows do not fit the core's own caches: worth looking ahead
};

/// What is to be found out, and in which units.
struct MeasuresView {
    std::uint64_t const* share = nullptr;  ///< by congestion: bandwidth of a flow, in units of StudyPlan::share_unit
    double weighted_share_unit = 0;  ///< with weights, in place of share: a flow's share is this x weight / congestion
    std::uint32_t max_congestion = 0;   ///< no congestion passes it, in units
    std::uint32_t congestion_bins = 0;  ///< of TotalsView::histogram: more than the largest congestion
    bool count_host_links = false;      ///< false: minimum congestions stand for them
    bool wants_delay = false;
    bool wants_histogram = false;
    bool wants_shares = true;  ///< asked only where there are weights: else shares cost nothing
    bool wants_link_sums = false;
    bool wants_link_flows = false;   ///< with weights and link sums: how many flows, beside their weight
    bool wants_route_links = false;  ///< how many links routes have
    bool sums_host_links = false;    ///< links of hosts are not counted, but belong to the near sums of links
    SharingView sharing;             ///< max-min rates, where they are asked for
};

/// A study as kernels see it: traffic, placement, routes and measures. Hosts are numbered by host index, 0 ..
/// study_hosts-1 in subset order.
struct Problem {
    Seed seed;
    PlacementView placement;
    TrafficView traffic;
    RoutesView routes;
    MeasuresView measures;
};

/// Whether delays go from level to level. Where there is one level, all of whose flows count, all start at once, and
/// the delay is the largest congestion.
TAILBACK_HD bool passes_delays(Problem const& p) {
    return p.measures.wants_delay && (p.traffic.level_count > 1 || p.traffic.measured_ranks < p.placement.ranks);
}

/// What one mapping comes to. Congestions are in units of 1/denominator (see host/study/plan/study_plan.hpp).
struct MappingTally {
    std::uint64_t share_sum = 0;       ///< sum of the flows' bandwidths, as Problem::share has them
    std::uint64_t congestion_sum = 0;  ///< sum over levels of the largest congestion
    std::uint64_t delay = 0;           ///< dep_max_delay
    std::uint64_t delivered = 0;       ///< flows by fate
    std::uint64_t unreachable = 0;
    std::uint64_t loop = 0;
    std::uint64_t misdelivered = 0;
    std::uint64_t local = 0;         ///< drawn flows from a rank to itself
    std::uint64_t route_links = 0;   ///< sum of the delivered flows' links, where they are asked for
    std::uint64_t hop_weight = 0;    ///< then also: sum of weight x links, without the first and the last of a route
    std::uint64_t flow_weight = 0;   ///< and: sum of their weights
    std::uint64_t within_nodes = 0;  ///< sum of the weights of flows between ranks of one node
    std::uint64_t rate_sum = 0;      ///< sum of the flows' max-min rates, in units of SharingView::sum_divisor
    std::uint64_t least_rate = 0;    ///< the least of them, in units; 0 without flows
    std::uint64_t jain = 0;          ///< Jain's index of them, in units of 2^-jain_bits
    std::uint64_t makespan = 0;      ///< sum over levels of the time of the last completion
    std::uint64_t ended_sum = 0;     ///< sum of the flows' completion times, each from the start of its level
    std::uint64_t slowdown_sum = 0;  ///< sum of these over the times alone, in units of 2^-slowdown_bits

    bool operator==(MappingTally const&) const = default;
};

/// What all mappings add up to. Zeroed by the caller; added to, never read, by kernels.
struct TotalsView {
    std::uint64_t* histogram = nullptr;    ///< flows by congestion [congestion_bins] or by weighted_bin
    std::uint64_t* link_sums = nullptr;    ///< [slots], where wants_link_flows then [slots] of flows
    std::uint64_t* lengths = nullptr;      ///< [longest_route + 1] flows by the links of their routes
    std::uint64_t* share_parts = nullptr;  ///< [share_parts] sums of tallies' share_sum, with weights
    std::uint64_t* rates = nullptr;        ///< [SharingView::bins] flows by max-min rate
    std::uint64_t* times = nullptr;        ///< flows by completion time: by weighted_bin of it
    /// [slots] parts of link_sums that teams beside each other keep near, of so few mappings that 32 bits suffice; who
    /// made them adds them to link_sums. Null: there are none.
    std::uint32_t* near_link_sums = nullptr;
};

}  // namespace tailback::kernels
