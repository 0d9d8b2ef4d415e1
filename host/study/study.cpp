// Metrics by name.
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

}  // namespace tailback
