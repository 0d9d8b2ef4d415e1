// Names of what a study asks for.
#include "host/study/study.hpp"

namespace tailback::study {

std::optional<Metric> Study::first_number() const {
    for (MetricInfo const* const info : metrics_for_people())
        if (info->number && wants(info->metric)) return info->metric;
    return std::nullopt;
}

char const* subset_name(Study const& study) {
    if (study.placed) return "nodes";
    if (study.mapping == MappingKind::listed || study.subset == SubsetKind::listed) return "file";
    return study.subset == SubsetKind::random ? "rand" : "linear_bfs";
}

char const* mapping_name(Study const& study) {
    if (study.placed) return study.placed->order.c_str();
    switch (study.mapping) {
        case MappingKind::random: return "random";
        case MappingKind::identity: return "identity";
        case MappingKind::listed: return "file";
    }
    return "";
}

}  // namespace tailback::study
