// What the values of options may begin with, from the program's tables.
#include "host/api/write_formats.hpp"
#include "host/diagnosis/code.hpp"
#include "host/evaluation/adaptive/lid_paths.hpp"
#include "host/options/rows.hpp"
#include "host/study/metrics.hpp"
#include "host/study/placement/rank_order.hpp"
#include "patterns/pattern.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

namespace tailback::options {
namespace {

template <class Rows>
std::vector<std::string> names(Rows const& rows, std::vector<std::string> more = {}) {
    std::vector<std::string> all;
    for (auto const& row : rows) all.emplace_back(row.name);
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace

std::vector<std::string> topology_names() { return names(topologies::all_families()); }
std::vector<std::string> routing_names() { return names(topologies::all_routings()); }
std::vector<std::string> pattern_names() { return names(patterns::all_patterns(), {"file:"}); }
std::vector<std::string> metric_names() {
    std::vector<std::string> all = names(study::all_metrics(), {"all"});
    for (study::MetricInfo const& metric : study::all_metrics())
        all.insert(all.end(), metric.aliases.begin(), metric.aliases.end());
    return all;
}
std::vector<std::string> subset_kinds() { return {"linear_bfs", "rand", "file:"}; }
std::vector<std::string> mapping_kinds() {
    std::vector<std::string> kinds = {"random", "identity", "file:"};
    std::string const orders = study::names_of_rank_orders();
    for (std::size_t at = 0; at < orders.size();) {
        std::size_t const end = std::min(orders.find_first_of(", ", at), orders.size());
        if (end > at) kinds.push_back(orders.substr(at, end - at));
        at = end + 1;
    }
    return kinds;
}
std::vector<std::string> adapter_rules() { return {"name", "system", "file:"}; }
std::vector<std::string> rail_rules() { return {"local-rank", "round-robin", "nearest", "file:"}; }
std::vector<std::string> spread_kinds() { return {"connection", "round-robin", "random", "all"}; }
std::vector<std::string> hash_kinds() { return {"per-switch", "same", "linux"}; }
std::vector<std::string> finding_names() {
    std::vector<std::string> all = names(diagnosis::finding_kinds(), {"all", "none"});
    for (diagnosis::CodeInfo const& row : diagnosis::all_codes())
        if (row.kind) all.emplace_back(row.id);
    return all;
}
std::vector<std::string> write_formats() { return names(api::all_write_formats(), {"ibdiagnet2"}); }

}  // namespace tailback::options
