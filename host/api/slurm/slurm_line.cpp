#include "host/api/slurm/slurm_line.hpp"

#include "host/base/scanner.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace tailback::api {
namespace {

std::set<std::string> const file_keys = {"switchname", "switches", "nodes", "linkspeed", "blockname", "blocksizes"};
/// What `scontrol show topology` has beside them.
std::set<std::string> const told_keys = {"level", "blockindex", "blocksize", "aggregatedblock"};

}  // namespace

SlurmLine read_slurm_line(std::string_view line) {
    constexpr std::string_view blanks = " \t\r";
    SlurmLine found;
    for (line = base::trimmed(line.substr(0, line.find('#')), blanks); !line.empty();) {
        std::size_t end = std::min(line.find_first_of(" \t\r="), line.size());
        std::string const word(line.substr(0, end));
        std::string_view const rest = base::trimmed(line.substr(end), blanks);
        if (!rest.starts_with('=')) {
            found.strange.push_back(word);
            line = rest;
            continue;
        }
        line = base::trimmed(rest.substr(1), blanks);
        bool const quoted = line.starts_with('"') && line.find('"', 1) != line.npos;
        end = quoted ? line.find('"', 1) + 1 : std::min(line.find_first_of(blanks), line.size());
        if (!quoted && line.substr(0, end).find('=') != line.npos) end = 0;  // the next key: this one has no value
        std::string key(word);
        for (char& c : key) c = char(std::tolower(static_cast<unsigned char>(c)));
        if (!file_keys.contains(key) && !told_keys.contains(key)) found.strange.push_back(word);
        else if (told_keys.contains(key)) found.told.push_back(word);
        found.keys[key] = std::string(quoted ? line.substr(1, end - 2) : line.substr(0, end));
        line = base::trimmed(line.substr(end), blanks);
    }
    return found;
}

std::vector<std::vector<std::size_t>> parts_of_circles(std::vector<std::vector<std::size_t>> const& next) {
    std::vector<std::size_t> index(next.size()), low(next.size()), taken(next.size()), open, path;
    std::vector<std::vector<std::size_t>> parts;
    std::vector<bool> is_open(next.size());
    std::size_t count = 0;
    for (std::size_t first = 0; first < next.size(); ++first) {
        if (index[first] != 0) continue;
        path.push_back(first);
        while (!path.empty()) {
            std::size_t const u = path.back();
            if (index[u] == 0) {
                index[u] = low[u] = ++count;
                open.push_back(u);
                is_open[u] = true;
            }
            if (taken[u] > 0)
                if (std::size_t const v = next[u][taken[u] - 1]; is_open[v]) low[u] = std::min(low[u], low[v]);
            while (taken[u] < next[u].size() && index[next[u][taken[u]]] != 0) {
                std::size_t const v = next[u][taken[u]++];
                if (is_open[v]) low[u] = std::min(low[u], index[v]);
            }
            if (taken[u] < next[u].size()) {
                path.push_back(next[u][taken[u]++]);
                continue;
            }
            path.pop_back();
            if (low[u] != index[u]) continue;
            parts.emplace_back();
            for (std::size_t v = next.size(); v != u;) {
                v = open.back();
                open.pop_back();
                is_open[v] = false;
                parts.back().push_back(v);
            }
            std::sort(parts.back().begin(), parts.back().end());
        }
    }
    return parts;
}

}  // namespace tailback::api
