#include "host/study/placement/node_mappings.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/io/progress.hpp"
#include "host/study/placement/hostlist.hpp"
#include "host/study/placement/node_finder.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace tailback::study {
namespace {

/// Words of a line: divided by blanks, those with blanks in quotes.
class Words {
public:
    Words(std::string_view line, base::SourceLocation place) : rest_(base::trimmed(line)), place_(std::move(place)) {}
    bool next(std::string_view& word) {
        if (rest_.empty()) return false;
        if (rest_.front() != '"') {
            word = rest_.substr(0, rest_.find_first_of(" \t"));
            rest_ = base::trimmed(rest_.substr(word.size()));
            return true;
        }
        quoted_.clear();
        std::size_t at = 1;
        for (; at < rest_.size() && rest_[at] != '"'; ++at) {
            if (rest_[at] == '\\' && at + 1 < rest_.size()) ++at;
            quoted_ += rest_[at];
        }
        if (at == rest_.size())
            throw base::InputError(place_, "a quoted name does not end", "\"" + quoted_.substr(0, 40),
                                   "close the quotes in the same line");
        rest_ = base::trimmed(rest_.substr(at + 1));
        word = quoted_;
        return true;
    }

private:
    std::string_view rest_;
    std::string quoted_;
    base::SourceLocation place_;
};

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

/// Nodes by word, each looked for once.
class KnownWords {
public:
    KnownWords(ComputeNodes const& nodes, model::Network const& network) : finder_(nodes, network) {}
    FoundNode find(std::string_view word, base::SourceLocation const& place) {
        if (auto const at = known_.find(word); at != known_.end()) return at->second;
        FoundNode const found = finder_.find(std::string(word), place);
        known_.emplace(std::string(word), found);
        return found;
    }
    void check() const { finder_.check(); }
    std::vector<std::string> notes() const { return finder_.notes(); }

private:
    NodeFinder finder_;
    std::unordered_map<std::string, FoundNode, TextHash, std::equal_to<>> known_;
};

}  // namespace

void check_mapping_list(std::uint64_t ranks, std::uint64_t mappings) {
    constexpr std::uint64_t most = (std::uint64_t{1} << 30) / sizeof(model::Host);
    if (ranks == 0 || mappings <= most / ranks) return;
    throw base::InputError(
        {}, fmt::format("{} mappings of {} ranks are too many to list", base::grouped(mappings), base::grouped(ranks)),
        "a list of hosts for every mapping takes at most 1 GiB",
        fmt::format("give --mappings {} or fewer", base::grouped(most / ranks)));
}

std::vector<model::Host> list_mappings(Placer& placer, std::uint64_t first, std::uint64_t count) {
    std::size_t const ranks = placer.ranks();
    check_mapping_list(ranks, count);
    std::vector<model::Host> hosts(ranks * count);
    std::span<model::Host> const all(hosts);
    io::Progress progress("drawing placements", count, "mappings");
    kernels::StopWish const stop = kernels::StopWish::now();
    for (std::uint64_t m = 0; m < count; ++m) {
        stop.heed();
        std::span<model::Host> const mapping = all.subspan(ranks * m, ranks);
        if (m > 0 && !placer.draws()) std::copy_n(hosts.begin(), ranks, mapping.begin());
        else placer.place(first + m, mapping);
        progress.show(m + 1);
    }
    return hosts;
}

MappingList read_node_mappings(io::LineReader& lines, ComputeNodes const& nodes, model::Network const& network,
                               JobPlacement const& rules) {
    KnownWords known(nodes, network);
    MappingList list;
    std::vector<std::uint32_t> taken(nodes.nodes.size());
    std::vector<std::uint64_t> line_of(nodes.nodes.size(), UINT64_MAX);
    for (std::string_view line; lines.next(line);) {
        std::string_view const text = base::trimmed(line);
        if (text.empty() || text.front() == '#') continue;
        std::size_t const before = list.hosts.size();
        Words words(text, lines.place());
        for (std::string_view word; words.next(word);) {
            FoundNode const found = known.find(word, lines.place());
            auto const rank = static_cast<std::uint32_t>(list.hosts.size() - before);
            if (found.node == ComputeNodes::none) {
                list.hosts.emplace_back();
                continue;
            }
            if (line_of[found.node] != list.mappings) taken[found.node] = 0;
            line_of[found.node] = list.mappings;
            std::uint32_t const slot = taken[found.node]++;
            if (slot >= rules.ranks_per_node)
                throw base::InputError(lines.place(),
                                       "node \"" + nodes.nodes[found.node].name + "\" gets more than " +
                                           base::counted(rules.ranks_per_node, "rank", "ranks"),
                                       "in one mapping",
                                       "give --ranks-per-node (of a job: ranks-per-node=), or name other nodes");
            list.hosts.push_back(found.adapter.exists() ? found.adapter
                                                        : adapter_of(nodes.nodes[found.node], rules.rail, rank, slot,
                                                                     rules.ranks_per_node));
        }
        auto const ranks = static_cast<std::uint32_t>(list.hosts.size() - before);
        if (list.mappings == 0) list.ranks = ranks;
        else if (ranks != list.ranks)
            throw base::InputError(lines.place(), fmt::format("a mapping of {} hosts", ranks),
                                   fmt::format("those before it have {}", list.ranks),
                                   "give every mapping a host for every rank");
        check_mapping_list(ranks, ++list.mappings);
    }
    known.check();
    list.notes = known.notes();
    if (list.mappings == 0)
        throw base::InputError({lines.name(), 0}, "the mapping file holds no mapping", "",
                               "write one mapping a line: a host for every rank");
    return list;
}

}  // namespace tailback::study
