#include "host/api/choose.hpp"

#include "host/base/error.hpp"

#include <filesystem>

namespace tailback::api {

bool is_network_spec(std::string const& word) {
    std::error_code ignored;
    if (std::filesystem::exists(word, ignored)) return false;
    if (topologies::is_topology_spec(word)) return true;
    std::string const name = base::name_of_spec(word);
    return name.size() < word.size() && !name.empty() &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+-") == std::string::npos;
}

NetworkChoice::NetworkChoice(std::string words) : network(std::move(words)) {
    if (is_network_spec(network)) spec.emplace(network);
}

std::vector<std::string> NetworkChoice::files() const {
    if (network.empty())
        throw base::InputError({}, "the network has an empty name", "",
                               "name a file, or a spec that `tailback list topologies` explains");
    std::vector<std::string> read = spec ? spec->files() : std::vector<std::string>{network};
    if (tables) read.push_back(*tables);
    if (routing)
        for (std::string& file : routing->files()) read.push_back(std::move(file));
    return read;
}

}  // namespace tailback::api
