// Names of what a study asks for.
#include "host/study/study.hpp"

#include "host/base/nearest.hpp"

namespace tailback {

Metric metric_named(std::string const& name) {
    std::vector<std::string> names;
    for (MetricInfo const& info : all_metrics) {
        if (name == info.name) return info.metric;
        names.push_back(info.name);
    }
    throw InputError({}, "unknown metric \"" + name + "\"", nearest_hint(name, names),
                     "`tailback list metrics` shows all");
}

char const* subset_name(Study const& study) {
    if (study.mapping == MappingKind::listed || study.subset == SubsetKind::listed) return "file";
    return study.subset == SubsetKind::random ? "rand" : "linear_bfs";
}

char const* mapping_name(Study const& study) {
    switch (study.mapping) {
        case MappingKind::random: return "random";
        case MappingKind::identity: return "identity";
        case MappingKind::listed: return "file";
    }
    return "";
}

}  // namespace tailback
