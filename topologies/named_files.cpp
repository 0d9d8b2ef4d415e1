#include "topologies/named_files.hpp"

#include "topologies/routing.hpp"

#include <algorithm>

namespace tailback {
namespace {

bool is_routing(std::string const& value) {
    std::string const name = name_of_spec(value);
    return std::any_of(all_routings().begin(), all_routings().end(),
                       [&](Routing const& routing) { return routing.name == name; });
}

std::vector<std::string> files_among(std::vector<Parameter> const& parameters, Arguments const& arguments) {
    std::vector<std::string> files;
    for (Parameter const& parameter : parameters) {
        if (parameter.kind != ParameterKind::text || !arguments.given(parameter.name)) continue;
        std::string const& value = arguments.word(parameter.name);
        if (parameter.name == "file") files.push_back(value);
        else if (value.starts_with("file:")) files.push_back(value.substr(5));
        else if (is_routing(value))
            for (std::string const& file : files_named_by_routing(value)) files.push_back(file);
    }
    return files;
}

}  // namespace

std::vector<std::string> files_named_by_topology(std::string const& spec) {
    ParsedTopology const parsed = parse_topology(spec);
    return files_among(parsed.family.parameters, parsed.arguments);
}

std::vector<std::string> files_named_by_routing(std::string const& spec) {
    return files_among(find_routing(spec).parameters, routing_arguments(spec));
}

}  // namespace tailback
