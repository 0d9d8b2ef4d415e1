// Subsets (drawn, breadth-first, by GUID), a subset for the first pattern, ranks given by a file; and the shuffle.
#include "host/orcs/orcs_placement.hpp"

#include "host/base/error.hpp"
#include "host/io/line_reader.hpp"
#include "host/study/plan/study_plan.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/cpu/fast/team.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace tailback::orcs {
namespace {

std::vector<std::uint32_t> drawn_order(std::uint64_t seed, kernels::Stream stream, std::uint64_t m, std::size_t size) {
    std::vector<std::uint32_t> targets((size + 3) / 4 * 4), order(size);
    auto const n = static_cast<std::uint32_t>(size);
    kernels::CpuTeam team;
    kernels::draw_permutation(team, kernels::Draw{seed, stream, m, n, n}, targets.data(), order.data());
    return order;
}

/// `hosts` in the order of permutation `m`.
std::vector<model::Host> drawn(std::vector<model::Host> const& hosts, std::uint64_t seed, kernels::Stream stream,
                               std::uint64_t m) {
    std::vector<model::Host> result;
    for (std::uint32_t const i : drawn_order(seed, stream, m, hosts.size())) result.push_back(hosts[i]);
    return result;
}

std::string const& name_of(model::Network const& network, model::Host host) { return network[network[host].node].name; }

/// The first `count` hosts of `pool` by `method`. `run_of_draw` keeps the draws of two subsets apart.
std::vector<model::Host> choose(model::Network const& network, OrcsOptions const& options, std::string const& method,
                                std::vector<model::Host> pool, std::size_t count, std::uint64_t number_of_draw) {
    bool const paper = options.version == OrcsVersion::paper;
    if (method == "rand") pool = drawn(pool, options.seed, kernels::Stream::subset, number_of_draw);
    else if (method == "linear_bfs")
        pool = paper ? model::breadth_first_hosts(network, false) : orcs_breadth_first_hosts(network);
    else
        std::stable_sort(pool.begin(), pool.end(), [&](model::Host a, model::Host b) {
            std::uint64_t const x = orcs_guid(name_of(network, a)), y = orcs_guid(name_of(network, b));
            return method == "guid_order_desc" ? x > y : x < y;
        });
    if (pool.size() < count)
        throw base::InputError(
            {},
            "the subset has " + std::to_string(pool.size()) + " hosts and " + std::to_string(count) + " are asked for",
            method == "linear_bfs" && !paper ? "only hosts that the first node of the file reaches are in linear_bfs"
                                             : "",
            "ask for fewer ranks with -s");
    pool.resize(count);
    return pool;
}

/// GUIDs, one a line, `#` begins a comment.
std::vector<std::uint64_t> read_node_ordering(std::string const& path) {
    std::vector<std::uint64_t> guids;
    io::LineReader lines(io::open_source(path), path);
    std::string_view line;
    while (lines.next(line)) {
        std::size_t const begin = line.find_first_not_of(" \t\v\f\r");
        if (begin == std::string_view::npos || line[begin] == '#') continue;
        line.remove_prefix(begin);
        std::string_view digits = line.substr(0, line.find_first_of(" \t\v\f\r#"));
        if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
        std::uint64_t guid = 0;
        auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), guid, 16);
        if (error != std::errc{} || end != digits.data() + digits.size())
            throw base::InputError(lines.place(), "\"" + std::string(line.substr(0, 60)) + "\" is not a GUID",
                                   "a node ordering file has one hexadecimal number a line", "");
        guids.push_back(guid);
    }
    return guids;
}

void remove(std::vector<model::Host>& from, std::vector<model::Host> const& what) {
    std::erase_if(from, [&](model::Host h) { return std::find(what.begin(), what.end(), h) != what.end(); });
}

}  // namespace

std::uint64_t orcs_guid(std::string const& name) {
    std::string_view digits = name;
    if (!digits.empty()) digits.remove_prefix(1);
    if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
    std::uint64_t guid = 0;
    auto const result = std::from_chars(digits.data(), digits.data() + digits.size(), guid, 16);
    return result.ec == std::errc::result_out_of_range ? std::numeric_limits<std::uint64_t>::max() : guid;
}

std::vector<model::Host> orcs_breadth_first_hosts(model::Network const& network) {
    std::vector<model::Host> order;
    std::vector<bool> met(network.nodes().size());
    std::vector<model::Node> queue{model::Node{0}};
    met[0] = true;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        model::Node const node = queue[next];
        for (model::Host const host : network.hosts_of(node)) order.push_back(host);
        for (std::uint32_t k = 0; k < network.link_count(node); ++k) {
            model::Node const to = network[model::Link{network.first_link(node).value + std::size_t(k)}].to;
            if (met[to.value]) continue;
            met[to.value] = true;
            queue.push_back(to);
        }
    }
    return order;
}

OrcsPlacement::OrcsPlacement(model::Network const& network, OrcsOptions const& options, std::uint32_t ranks)
    : seed_(options.seed), shuffle_(!options.do_not_shuffle) {
    std::vector<model::Host> all;
    for (std::size_t h = 0; h < network.hosts().size(); ++h) all.push_back(model::Host{h});
    subset_ = choose(network, options, options.subset, all, ranks, 0);
    rest_ = subset_;
    if (options.part_subset != "none")
        part_ = choose(network, options, options.part_subset, subset_, options.part_commsize, 1);
    if (options.node_ordering_file != "-") {
        std::vector<model::Host>& ordered = part_.empty() ? rest_ : part_;
        for (std::uint64_t const guid : read_node_ordering(options.node_ordering_file)) {
            auto const at = std::find_if(ordered.begin(), ordered.end(),
                                         [&](model::Host h) { return orcs_guid(name_of(network, h)) == guid; });
            if (at == ordered.end()) continue;  // a host outside of the subset
            front_.push_back(*at);
            ordered.erase(at);
        }
    }
    remove(rest_, part_);
    remove(rest_, front_);
}

std::vector<model::Host> OrcsPlacement::hosts_of_run(std::uint64_t run) const {
    std::vector<model::Host> hosts = front_;
    // Both parts are shuffled by permutations of streams of their own.
    std::vector<model::Host> const part = shuffle_ ? drawn(part_, seed_, kernels::Stream::subset, run + 2) : part_;
    std::vector<model::Host> const rest = shuffle_ ? drawn(rest_, seed_, kernels::Stream::mapping, run) : rest_;
    hosts.insert(hosts.end(), part.begin(), part.end());
    hosts.insert(hosts.end(), rest.begin(), rest.end());
    return hosts;
}

}  // namespace tailback::orcs
