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

bool goes_in_segments(std::string const& algorithm) {
    return algorithm == "double-binary-tree" || algorithm == "binomial" || algorithm == "chain";
}

/// What is said beside algorithm=all.
void check_with_every(std::string const& spec, PatternInfo const& info) {
    std::vector<base::Parameter> parameters = info.parameters;
    for (base::Parameter& parameter : parameters)
        if (parameter.name == "algorithm") parameter.choices.emplace_back(every);
    base::parse_arguments(spec, parameters, find_row(base::name_of_spec(spec))->spec_example());
}

}  // namespace

std::optional<Collective> collective_of(std::string const& spec, std::uint32_t ranks) {
    using Kind = Collective::Kind;
    struct Named {
        char const* name;
        Kind kind;
    };
    static constexpr Named named[] = {
        {"allreduce", Kind::allreduce}, {"reduce-scatter", Kind::reduce_scatter},
        {"allgather", Kind::allgather}, {"alltoall", Kind::exchange},
        {"all-to-all", Kind::exchange}, {"broadcast", Kind::broadcast},
        {"reduce", Kind::reduce},       {"gather", Kind::gather},
        {"all-to-one", Kind::gather},   {"scatter", Kind::scatter},
        {"one-to-all", Kind::scatter},
    };
    std::string const name = base::name_of_spec(spec);
    auto const* const one =
        std::find_if(std::begin(named), std::end(named), [&](Named const& n) { return name == n.name; });
    PatternRow const* const row = find_row(name);
    if (one == std::end(named) || row == nullptr || ranks < 2) return std::nullopt;
    base::Arguments const arguments = base::parse_arguments(spec, row->info.parameters, row->spec_example());
    if (!arguments.said("size") && algorithm_of(row->info) == nullptr) return std::nullopt;  // weights, no bytes
    Collective collective{one->kind, arguments.bytes("size"), double(ranks - 1) / ranks};
    if (arguments.said("per-node")) collective.per_node = arguments.number("per-node");
    if (arguments.said("root")) collective.root = static_cast<std::uint32_t>(arguments.number("root"));
    if (one->kind == Kind::allreduce) collective.bus_factor *= 2;
    if (one->kind == Kind::broadcast || one->kind == Kind::reduce) collective.bus_factor = 1;
    if (one->kind == Kind::exchange || one->kind == Kind::gather || one->kind == Kind::scatter) {  // of each pair
        if (collective.bytes > UINT64_MAX / ranks) return std::nullopt;
        collective.bytes *= ranks;
    }
    return collective.root < ranks ? std::optional(collective) : std::nullopt;
}

std::vector<WithAlgorithm> with_every_algorithm(std::string const& spec) {
    PatternInfo const* const info = find_pattern(spec);
    base::Parameter const* const algorithm = info != nullptr ? algorithm_of(*info) : nullptr;
    std::size_t const colon = spec.find(':');
    if (algorithm == nullptr || colon == spec.npos) return {};
    std::vector<std::string> others;  // `key=value`
    bool asked = false;
    for (std::size_t at = colon + 1; at <= spec.size();) {
        std::size_t const next = std::min(spec.find(',', at), spec.size());
        std::string const one = spec.substr(at, next - at);
        if (one == std::string("algorithm=") + every || (at == colon + 1 && one == every)) asked = true;
        else others.push_back(one);
        at = next + 1;
    }
    if (!asked) return {};
    check_with_every(spec, *info);
    std::vector<WithAlgorithm> all;
    for (std::string const& choice : algorithm->choices) {
        WithAlgorithm one{choice, spec.substr(0, colon + 1) + "algorithm=" + choice, goes_in_segments(choice)};
        for (std::string const& other : others)
            if (one.in_segments || !other.starts_with("segment=")) one.spec += "," + other;
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace tailback::patterns
