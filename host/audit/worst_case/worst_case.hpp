// The worst case of an audit: worst permutation of every link and worst shift, as far as they are asked for or quickly
// had.
#pragma once

#include "host/audit/worst_case/divided_permutation.hpp"
#include "host/audit/worst_case/worst_permutation.hpp"
#include "host/audit/worst_case/worst_shift.hpp"

#include <optional>
#include <vector>

namespace tailback::audit {

/// `automatic`: exact where it takes one core some seconds at most, else left out. A matter of the fabric alone.
enum class WorstCaseChoice : std::uint8_t { automatic, exact, bound, none };
enum class ShiftChoice : std::uint8_t { automatic, all, none };
/// Which host is number 0, 1, ..: as the file has them, or breadth first as a study puts ranks on them.
enum class ShiftOrder : std::uint8_t { file, breadth_first };

/// What it would take, from what all pairs have shown.
struct WorstCaseCost {
    double steps = 0;        ///< rows x destinations: of the worst permutations, for each pass over all trees
    double entries = 0;      ///< rows with sources x destinations x links of a route: of the same, at most
    double shift_links = 0;  ///< hosts^2 x links of a route: of the shifts
    /// On one core, by this program's measurements (docs/performance.md). Within a factor of two of those.
    double permutation_seconds() const;
    double shift_seconds() const { return shift_links * 1.5e-9; }
};
/// `mean_links`: of delivered routes.
WorstCaseCost worst_case_cost(model::Forwarding const& forwarding, std::vector<model::Host> const& hosts,
                              double mean_links);

/// What takes one core up to so long, `automatic` computes; the number of threads must not change a report.
inline constexpr double automatic_seconds = 4;

struct WorstCase {
    std::optional<WorstCaseKind> kind;  ///< of `flows`; none = left out
    std::vector<std::uint32_t> flows;   ///< by Link
    model::Link worst;                  ///< the first with the most
    std::vector<HostPair> permutation;  ///< that puts them there; where `kind` is exact
    /// Where switches choose among ports: by equal division; the rest is of one choice a destination alone.
    std::optional<DividedWorst> divided;

    ShiftOrder order = ShiftOrder::file;  ///< of the hosts that are shifted: `shift_order`
    std::vector<model::Host> shift_order;
    std::optional<ShiftLoads> shifts;  ///< none = left out
};

/// `hosts` in that order; breadth first those come last that a study would not use.
std::vector<model::Host> hosts_in_order(model::Network const& network, std::vector<model::Host> hosts, ShiftOrder order,
                                        bool aggregation_nodes_are_hosts);

}  // namespace tailback::audit
