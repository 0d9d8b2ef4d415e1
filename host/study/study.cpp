// Metrics by name.
#include "host/study/study.hpp"

#include "host/nearest.hpp"

namespace tailback {

Metric metric_named(std::string const& name) {
    std::vector<std::string> names;
    for (MetricInfo const& info : all_metrics) {
        if (name == info.name) return info.metric;
        names.push_back(info.name);
    }
    std::string const meant = meant_name(name, names);
    throw InputError({}, "unknown metric \"" + name + "\"", meant.empty() ? "" : "the nearest is \"" + meant + "\"",
                     "`tailback list metrics` shows all");
}

}  // namespace tailback
