// What is done with whole patterns: looked up in the table, merged, cut to one level.
#include "patterns/pattern.hpp"

#include "host/base/error.hpp"
#include "host/base/extensions.hpp"
#include "host/base/nearest.hpp"
#include "patterns/families.hpp"
#include "patterns/table.hpp"

#include <algorithm>
#include <iterator>

namespace tailback::patterns {
namespace {

std::string ranks_text(std::uint32_t ranks) { return std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks"); }

/// Throws unless `spec` names a pattern that can be written on its own.
void check_name(std::string const& spec) {
    std::string const name = base::name_of_spec(spec);
    if (name.empty())
        throw base::InputError({}, "the pattern has no name", "ptrnvsptrn is made of two, which are named beside it",
                               "`tailback list patterns` shows all");
    if (PatternRow const* const row = find_row(name)) {
        if (row->write != nullptr) return;
        if (name == listed_pattern)
            throw base::InputError({}, "pattern \"" + name + "\" comes from a file", "no file can be named here",
                                   "write file:PATH; beside another pattern it cannot stand");
        throw base::InputError({}, "pattern \"" + name + "\" is made of two patterns", "",
                               "name both, and the number of ranks of the first");
    }
    if (number_before(name, "neighbor") > 0 || number_before(name, "shift") > 0) return;
    std::vector<std::string> names;
    for (PatternRow const& row : pattern_rows()) names.push_back(row.info.name);
    base::refuse_left_out("pattern", name);
    throw base::InputError({}, "unknown pattern \"" + name + "\"", base::nearest_hint(name, names),
                           "`tailback list patterns` shows all");
}

std::uint32_t least_ranks(std::string const& spec) {
    PatternRow const* const row = find_row(base::name_of_spec(spec));
    return row != nullptr ? row->info.least_ranks : 2;
}

}  // namespace

void FlowListWriter::add(std::uint64_t source, std::uint64_t destination, std::uint64_t weight) {
    Level& level = list_.levels.back();
    if (source == destination) {
        ++level.local;
        level.local_ranks.push_back(static_cast<std::uint32_t>(source));
        return;
    }
    if (weight != 1 || !list_.weights.empty()) {
        list_.weights.resize(list_.flows.size(), 1);
        list_.weights.push_back(weight);
    }
    if (class_ != 0 || !list_.classes.empty()) {
        list_.classes.resize(list_.flows.size(), 0);
        list_.classes.push_back(class_);
    }
    list_.flows.push_back({static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(destination)});
    ++level.flow_count;
}

void FlowListWriter::set_class(std::string const& name) { class_ = class_number(list_, name); }

std::uint8_t class_number(FlowList& list, std::string const& name) {
    auto const at = std::find(list.class_names.begin(), list.class_names.end(), name);
    auto const number = static_cast<std::size_t>(at - list.class_names.begin());
    if (number >= most_classes)
        throw base::InputError({}, "the flows have too many classes", "there are more than 255", "use fewer");
    if (at == list.class_names.end()) list.class_names.push_back(name);
    return static_cast<std::uint8_t>(number);
}

std::span<PatternInfo const> all_patterns() {
    static std::vector<PatternInfo> const infos = [] {
        std::vector<PatternInfo> all;
        for (PatternRow const& row : pattern_rows()) all.push_back(row.info);
        return all;
    }();
    return infos;
}

PatternInfo const* find_pattern(std::string const& spec) {
    PatternRow const* const row = find_row(base::name_of_spec(spec));
    return row != nullptr ? &row->info : nullptr;
}

FlowList make_pattern_part(std::string const& spec, std::uint32_t ranks, NodesOfRanks const& nodes) {
    check_name(spec);
    FlowListWriter out(ranks, nodes);
    std::string const name = base::name_of_spec(spec);
    PatternRow const* const row = find_row(name);
    base::Arguments const arguments = row != nullptr
                                          ? base::parse_arguments(spec, row->info.parameters, row->spec_example())
                                          : base::parse_arguments(spec, {size_parameter()}, name + ":size=1MiB");
    // Flows of 1 that nobody asked for are flows, not bytes.
    if ((row == nullptr || row->each_has_size) && (arguments.said("size") || arguments.bytes("size") > 1))
        out.set_size(arguments.bytes("size"));
    if (row != nullptr) {
        row->write(out, arguments);
    } else if (std::uint32_t const degree = number_before(name, "neighbor"); degree > 0) {
        if (neighbor_flow_bound(ranks, degree) >= std::uint64_t{1} << 32)
            throw base::InputError({}, "pattern \"" + spec + "\" on " + ranks_text(ranks) + " is too large",
                                   "more than 2^32 flows", "use fewer ranks or fewer neighbours");
        write_neighbor(out, degree);
    } else {
        write_shift(out, number_before(name, "shift"));
    }
    return out.take();
}

FlowList make_pattern(std::string const& spec, std::uint32_t ranks, NodesOfRanks const& nodes) {
    check_name(spec);
    if (ranks < least_ranks(spec))
        throw base::InputError({}, "pattern \"" + spec + "\" on " + ranks_text(ranks) + " has no flow",
                               "it needs at least " + ranks_text(least_ranks(spec)), "use more ranks");
    return make_pattern_part(spec, ranks, nodes);
}

bool goes_by_nodes(std::string const& spec) {
    PatternInfo const* const info = find_pattern(spec);
    return info != nullptr && std::any_of(info->parameters.begin(), info->parameters.end(),
                                          [](base::Parameter const& one) { return one.name == "per-node"; });
}

FlowList make_unlisted_all_to_all(std::string const& spec, std::uint32_t ranks) {
    FlowList list = make_pattern(spec, least_ranks(spec));  // for its parameters
    list.ranks = list.measured_ranks = ranks;
    list.flows.clear();
    list.weights.resize(std::min<std::size_t>(list.weights.size(), 1));
    list.levels = {{.all_to_all = true}};
    return list;
}

FlowList make_pattern_vs_pattern(std::string const& first, std::uint32_t first_ranks, std::string const& second,
                                 std::uint32_t ranks) {
    if (first_ranks == 0 || first_ranks >= ranks)
        throw base::InputError({}, ranks_text(first_ranks) + " for the first of two patterns",
                               "both patterns together have " + ranks_text(ranks),
                               "give the first one at least 1 rank and leave at least 1 for the second");
    FlowList const one = make_pattern_part(first, first_ranks);
    FlowList const two = make_pattern_part(second, ranks - first_ranks);
    FlowList merged;
    merged.ranks = ranks;
    merged.measured_ranks = first_ranks;
    for (std::size_t l = 0; l < one.levels.size(); ++l)
        append_merged_level(merged, one, l, two, two.levels.empty() ? 0 : l % two.levels.size());
    return merged;
}

FlowList make_listed_pattern(FlowList listed, std::uint32_t ranks) {
    if (ranks < listed.ranks)
        throw base::InputError({}, "the pattern file is for " + ranks_text(listed.ranks),
                               ranks_text(ranks) + " are asked for",
                               "give it at least that many, or leave the number out");
    listed.ranks = listed.measured_ranks = ranks;
    return listed;
}

FlowList only_level(FlowList const& list, std::size_t level) {
    if (level >= list.levels.size())
        throw base::InputError({}, "the pattern has no level " + std::to_string(level),
                               "on " + ranks_text(list.ranks) + " it has " + std::to_string(list.levels.size()) +
                                   (list.levels.size() == 1 ? " level" : " levels"),
                               list.levels.empty() ? "" : "levels are counted from 0");
    FlowList one;
    one.ranks = list.ranks;
    one.measured_ranks = list.measured_ranks;
    Level const& from = list.levels[level];
    auto const begin = list.flows.begin() + std::ptrdiff_t(from.first_flow);
    one.flows.assign(begin, begin + std::ptrdiff_t(from.flow_count));
    if (!list.weights.empty()) {
        auto const first = list.weights.begin() + std::ptrdiff_t(from.first_flow);
        one.weights.assign(first, first + std::ptrdiff_t(from.flow_count));
    }
    if (!list.classes.empty()) {
        auto const first = list.classes.begin() + std::ptrdiff_t(from.first_flow);
        one.classes.assign(first, first + std::ptrdiff_t(from.flow_count));
    }
    one.class_names = list.class_names;
    one.bytes_given = list.bytes_given;
    one.levels = {from};
    one.levels.front().first_flow = 0;
    return one;
}

std::uint64_t fixed_flows(FlowList const& list) {
    std::uint64_t flows = list.flows.size();
    for (Level const& level : list.levels)
        if (level.all_to_all) flows += std::uint64_t{list.ranks} * (list.ranks - 1);
    return flows;
}

std::uint64_t take_common_weight(FlowList& list) {
    if (list.weights.empty()) return 1;
    std::uint64_t const weight = list.weights.front();
    for (std::uint64_t const other : list.weights)
        if (other != weight) return 0;
    for (Level const& level : list.levels)
        if (!level.random.empty() && weight != 1) return 0;
    list.weights.clear();
    return weight;
}

void sort_flows(FlowList& list) {
    struct Weighted {
        Flow flow;
        std::uint64_t weight;
        std::uint8_t number;
    };
    std::vector<Weighted> level_flows;
    for (Level const& level : list.levels) {
        level_flows.clear();
        for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f)
            level_flows.push_back({list.flows[f], list.weights.empty() ? 1 : list.weights[f],
                                   list.classes.empty() ? std::uint8_t{0} : list.classes[f]});
        auto const before = [](Weighted const& a, Weighted const& b) {
            return std::pair(a.flow.source, a.flow.destination) < std::pair(b.flow.source, b.flow.destination);
        };
        std::stable_sort(level_flows.begin(), level_flows.end(), before);
        std::size_t f = level.first_flow;
        for (Weighted const& sorted : level_flows) {
            list.flows[f] = sorted.flow;
            if (!list.weights.empty()) list.weights[f] = sorted.weight;
            if (!list.classes.empty()) list.classes[f] = sorted.number;
            ++f;
        }
    }
}

void append_merged_level(FlowList& merged, FlowList const& first, std::size_t first_level, FlowList const& second,
                         std::size_t second_level) {
    Level level{.first_flow = merged.flows.size()};
    auto append = [&](FlowList const& list, std::size_t at, std::uint32_t shift, std::uint32_t stream) {
        if (at >= list.levels.size()) return;
        Level const& from = list.levels[at];
        merged.bytes_given |= list.bytes_given;
        if (!list.weights.empty()) merged.weights.resize(merged.flows.size(), 1);
        if (!list.classes.empty()) merged.classes.resize(merged.flows.size(), 0);
        for (std::size_t f = from.first_flow; f < from.first_flow + from.flow_count; ++f) {
            if (!list.weights.empty()) merged.weights.push_back(list.weights[f]);
            if (!list.classes.empty())
                merged.classes.push_back(class_number(merged, list.class_names[list.classes[f]]));
            merged.flows.push_back({list.flows[f].source + shift, list.flows[f].destination + shift});
        }
        if (!merged.weights.empty()) merged.weights.resize(merged.flows.size(), 1);
        if (!merged.classes.empty()) merged.classes.resize(merged.flows.size(), 0);
        level.flow_count += from.flow_count;
        level.local += from.local;
        for (std::uint32_t const rank : from.local_ranks) level.local_ranks.push_back(rank + shift);
        for (RandomFlows const& r : from.random) level.random.push_back({r.first_rank + shift, r.ranks, stream});
    };
    append(first, first_level, 0, 0);
    append(second, second_level, first.ranks, 1);
    merged.levels.push_back(std::move(level));
}

}  // namespace tailback::patterns
