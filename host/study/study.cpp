// Names of what a study asks for.
#include "host/study/study.hpp"

namespace tailback::study {

std::optional<Metric> Study::first_number() const {
    for (MetricInfo const* const info : metrics_for_people())
        if (info->number && wants(info->metric)) return info->metric;
    return std::nullopt;
}

char const* subset_name(Study const& study) {
    if (study.placement.nodes) return "nodes";
    if (study.placement.mapping == MappingKind::listed || study.placement.subset == SubsetKind::listed) return "file";
    return study.placement.subset == SubsetKind::random ? "rand" : "linear_bfs";
}

char const* mapping_name(Study const& study) {
    if (study.placement.nodes) return study.placement.nodes->order.c_str();
    switch (study.placement.mapping) {
        case MappingKind::random: return "random";
        case MappingKind::identity: return "identity";
        case MappingKind::listed: return "file";
    }
    return "";
}

}  // namespace tailback::study
