#include "host/base/memory.hpp"

#include "host/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <sstream>

namespace tailback::base {
namespace {

constexpr std::uint64_t small_wish = std::uint64_t{64} << 20;
constexpr std::uint64_t no_limit = ~std::uint64_t{0};
std::atomic<std::uint64_t> limit{no_limit};

/// The number behind a word of a file of lines `word number`; none when there is no such line.
std::optional<std::uint64_t> number_after(std::string const& path, std::string const& word) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string first;
        std::uint64_t number = 0;
        if (words >> first >> number && first == word) return number;
    }
    return std::nullopt;
}

/// The number that a file holds; none for `max` and for no file.
std::optional<std::uint64_t> number_of(std::string const& path) {
    std::ifstream in(path);
    std::uint64_t number = 0;
    if (in >> number) return number;
    return std::nullopt;
}

/// What is left below the limit of one control group.
std::optional<std::uint64_t> left_of_group(std::string const& folder, bool second_version) {
    auto const limit = number_of(folder + (second_version ? "/memory.max" : "/memory.limit_in_bytes"));
    auto const used = number_of(folder + (second_version ? "/memory.current" : "/memory.usage_in_bytes"));
    if (!limit || !used) return std::nullopt;
    std::uint64_t const idle_files =
        number_after(folder + "/memory.stat", second_version ? "inactive_file" : "total_inactive_file").value_or(0);
    std::uint64_t const taken = *used - std::min(*used, idle_files);
    return *limit - std::min(*limit, taken);
}

/// The least of a group and all those above it.
std::optional<std::uint64_t> left_of_groups(std::string const& mount, std::string path, bool second_version) {
    std::optional<std::uint64_t> least;
    for (;;) {
        if (auto const left = left_of_group(mount + path, second_version); left && (!least || *left < *least))
            least = left;
        if (path.empty()) return least;
        path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
    }
}

}  // namespace

std::optional<std::uint64_t> available_memory(std::string const& root) {
    std::optional<std::uint64_t> least;
    auto const take = [&](std::optional<std::uint64_t> bytes) {
        if (bytes && (!least || *bytes < *least)) least = bytes;
    };
    if (auto const kib = number_after(root + "/proc/meminfo", "MemAvailable:")) take(*kib << 10);
    std::ifstream groups(root + "/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {  // number:controllers:path
        std::size_t const first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        std::string const controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        std::string const path = line.substr(second + 1) == "/" ? "" : line.substr(second + 1);
        if (controllers == ",,") take(left_of_groups(root + "/sys/fs/cgroup", path, true));
        else if (controllers.find(",memory,") != std::string::npos)
            take(left_of_groups(root + "/sys/fs/cgroup/memory", path, false));
    }
    return least;
}

void require_memory(std::string const& what, std::uint64_t bytes, std::optional<std::uint64_t> left,
                    std::string const& what_to_do) {
    if (!left || bytes <= *left) return;
    throw InputError({}, fmt::format("{} of {:.3g} GB do not fit into memory", what, double(bytes) * 1e-9),
                     fmt::format("{:.3g} GB are available", double(*left) * 1e-9), what_to_do);
}

void require_memory(std::string const& what, std::uint64_t bytes, std::string const& what_to_do) {
    std::uint64_t const most = limit;
    if (bytes <= small_wish && most == no_limit) return;
    std::optional<std::uint64_t> left = available_memory();
    if (most != no_limit) left = std::min(left.value_or(most), most);
    require_memory(what, bytes, left, what_to_do);
}

MemoryLimit::MemoryLimit(std::uint64_t bytes) { limit = bytes; }

MemoryLimit::~MemoryLimit() { limit = no_limit; }

}  // namespace tailback::base
