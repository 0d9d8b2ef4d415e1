#include "host/api/choose.hpp"

#include "host/base/error.hpp"
#include "host/base/extensions.hpp"
#include "host/base/nearest.hpp"
#include "host/formats/registry.hpp"

#include <filesystem>

namespace tailback::api {

model::NamedFiles with_named(model::NamedFiles files, model::NamedFiles const& more) {
    for (auto const& file : more)
        if (!file.second.empty()) files.push_back(file);
    return files;
}

std::vector<std::string> paths_of(model::NamedFiles const& files) {
    std::vector<std::string> paths;
    for (auto const& [use, name] : files) {
        formats::NetworkFolder const* const kind = formats::folder_named(name);
        paths.push_back(kind != nullptr ? kind->path_of(name) : name);
    }
    return paths;
}

bool is_network_spec(std::string const& word) {
    std::error_code ignored;
    if (std::filesystem::exists(word, ignored) || formats::folder_named(word) != nullptr) return false;
    std::string const name = base::name_of_spec(word);
    base::refuse_left_out("kind of folder", name);
    if (topologies::is_topology_spec(base::lower_case(name)))
        return true;  // in another case the error names the family
    return name.size() < word.size() && !name.empty() &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+-") == std::string::npos;
}

NetworkChoice::NetworkChoice(std::string words) : network(std::move(words)) {
    if (is_network_spec(network)) spec.emplace(network);
}

model::NamedFiles NetworkChoice::named_files() const {
    if (network.empty())
        throw base::InputError({}, "the network has an empty name", "",
                               "name a file, or a spec that `tailback list topologies` explains");
    model::NamedFiles read;
    for (std::string& file : spec ? spec->files() : std::vector<std::string>{network})
        read.emplace_back("network", std::move(file));
    if (tables) read.emplace_back("tables", *tables);
    if (routing)
        for (std::string& file : routing->files()) read.emplace_back("routing", std::move(file));
    return read;
}

}  // namespace tailback::api
