// Collective operations as people ask for them and compare them.
#include "host/base/error.hpp"
#include "patterns/table.hpp"

#include <algorithm>

namespace tailback::patterns {
namespace {

constexpr char const* every = "all";

base::Parameter const* algorithm_of(PatternInfo const& info) {
    auto const at = std::find_if(info.parameters.begin(), info.parameters.end(),
                                 [](base::Parameter const& one) { return one.name == "algorithm"; });
    return at == info.parameters.end() ? nullptr : &*at;
}

}  // namespace

std::optional<Collective> collective_of(std::string const& spec, std::uint32_t ranks) {
    std::string const name = base::name_of_spec(spec);
    PatternRow const* const row = find_row(name);
    bool const has_algorithm = row != nullptr && algorithm_of(row->info) != nullptr;
    if ((!has_algorithm && name != "all-to-all") || ranks < 2) return std::nullopt;
    base::Arguments const arguments = base::parse_arguments(spec, row->info.parameters, row->spec_example());
    if (!arguments.said("size") && !has_algorithm) return std::nullopt;  // weights, no bytes
    std::uint64_t const bytes = arguments.bytes("size");
    std::uint64_t const per_node = arguments.said("per-node") ? arguments.number("per-node") : 0;
    double const others = double(ranks - 1) / ranks;
    if (name == "allreduce") return Collective{bytes, 2 * others, 2, false, per_node};
    if (name == "reduce-scatter" || name == "allgather") return Collective{bytes, others, 1, false, per_node};
    if (name == "broadcast") return Collective{bytes, 1, 0, false};
    if (bytes <= UINT64_MAX / ranks && (name == "alltoall" || name == "all-to-all"))
        return Collective{bytes * ranks, others, 0, true, per_node};
    return std::nullopt;
}

std::vector<WithAlgorithm> with_every_algorithm(std::string const& spec) {
    PatternInfo const* const info = find_pattern(spec);
    base::Parameter const* const algorithm = info != nullptr ? algorithm_of(*info) : nullptr;
    std::size_t const colon = spec.find(':');
    if (algorithm == nullptr || colon == spec.npos) return {};
    std::string const before = spec.substr(0, colon + 1), rest = spec.substr(colon + 1);
    std::vector<std::string> others;  // `key=value`
    bool asked = false;
    for (std::size_t at = 0; at <= rest.size();) {
        std::size_t const next = std::min(rest.find(',', at), rest.size());
        std::string const one = rest.substr(at, next - at);
        if (one == std::string("algorithm=") + every || (at == 0 && one == every)) asked = true;
        else others.push_back(one);
        at = next + 1;
    }
    if (!asked) return {};
    std::vector<WithAlgorithm> all;
    for (std::string const& choice : algorithm->choices) {
        WithAlgorithm one{choice, before + "algorithm=" + choice};
        for (std::string const& other : others) one.spec += "," + other;
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace tailback::patterns
