#include "host/study/placement/host_file.hpp"

#include "host/base/error.hpp"
#include "host/base/scanner.hpp"
#include "host/study/placement/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::study {
namespace {

constexpr std::uint32_t most_slots = 1u << 16;

/// A line of a hostfile: a name and its slots, if it says so.
struct HostLine {
    std::string name;
    std::uint32_t slots = 0;
};

std::uint32_t slots_of(std::string_view text, base::SourceLocation const& place) {
    base::Scanner scan(text);
    std::uint64_t slots = 0;
    if (!scan.decimal(slots) || !scan.at_end() || slots == 0 || slots > most_slots)
        throw base::InputError(place, "\"" + std::string(text.substr(0, 40)) + "\" is no number of slots",
                               fmt::format("from 1 to {}", most_slots), "write NAME slots=8");
    return static_cast<std::uint32_t>(slots);
}

constexpr std::string_view slot_keys[] = {"slots", "max_slots", "max-slots"};

/// Where the first `slots =` or `max_slots =` begins; the end where there is none.
std::size_t begin_of_slots(std::string_view text) {
    std::size_t first = text.size();
    for (std::string_view const key : slot_keys)
        for (std::size_t at = text.find(key); at < first; at = text.find(key, at + 1))
            if (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t') &&
                base::trimmed(text.substr(at + key.size())).starts_with('='))
                first = at;
    return first;
}

/// `slots=8 max_slots=9`: the slots; 0 = not told.
std::uint32_t read_slots(std::string_view text, base::SourceLocation const& place) {
    std::uint32_t found[2] = {};  // slots, the most
    while (!(text = base::trimmed(text)).empty()) {
        std::size_t const equals = std::min(text.find('='), text.size());
        std::string_view const key = base::trimmed(text.substr(0, equals));
        auto const known = std::ranges::find(slot_keys, key);
        std::uint32_t& value = found[key == slot_keys[0] ? 0 : 1];
        if (known == std::end(slot_keys) || equals == text.size() || value != 0)
            throw base::InputError(place, "\"" + std::string(text.substr(0, 40)) + "\" stands behind the host",
                                   value != 0 ? "it is there twice" : "", "write NAME slots=8 max_slots=9");
        text = base::trimmed(text.substr(equals + 1));
        std::size_t const end = std::min(text.find_first_of(" \t"), text.size());
        value = slots_of(text.substr(0, end), place);
        text.remove_prefix(end);
    }
    if (found[1] != 0 && found[0] > found[1])
        throw base::InputError(place, fmt::format("{} slots, and {} at most", found[0], found[1]), "",
                               "mend one of them");
    return found[0];
}

/// `NAME`, `NAME slots=8 max_slots=9`, `NAME:8` (also with blanks in the name).
HostLine read_host_line(std::string_view text, base::SourceLocation const& place) {
    HostLine line;
    std::size_t const at = begin_of_slots(text);
    line.slots = read_slots(text.substr(at), place);
    text = base::trimmed(text.substr(0, at));
    std::size_t const colon = text.rfind(':');
    if (line.slots == 0 && colon != text.npos && colon > 0 && colon + 1 < text.size() &&
        text.find_first_not_of("0123456789", colon + 1) == text.npos) {
        line.slots = slots_of(text.substr(colon + 1), place);
        text = base::trimmed(text.substr(0, colon));
    }
    line.name = text;
    return line;
}

/// `rank 3=NAME slot=2`; the slot may be a list or range of cores, of which the first counts.
std::pair<std::uint64_t, HostLine> read_rank_line(std::string_view text, base::SourceLocation const& place) {
    base::Scanner scan(text);
    std::uint64_t rank = 0, slot = 0;
    auto const refuse = [&](char const* why) {
        throw base::InputError(place, "a line of a rankfile is not understood", why, "write: rank 3=NAME slot=2");
    };
    if (!scan.accept("rank") || !scan.blanks().decimal(rank)) refuse("it does not begin with a rank");
    if (!scan.blanks().accept('=')) refuse("there is no = behind the rank");
    std::string_view rest = base::trimmed(scan.rest());
    std::size_t const at = rest.find("slot");
    HostLine line{std::string(base::trimmed(rest.substr(0, at))), 0};
    if (line.name.empty()) refuse("it names no host");
    if (at != rest.npos) {
        base::Scanner slots(rest.substr(at + 4));
        slots.accept('s');
        if (!slots.blanks().accept('=') || !slots.blanks().decimal(slot) || slot >= most_slots)
            refuse("the slot is no number");
        if (base::trimmed(slots.rest()).find_first_not_of("0123456789-,:;*") != std::string_view::npos)
            refuse("something stands behind the slot");
        line.slots = static_cast<std::uint32_t>(slot) + 1;
    }
    return {rank, line};
}

/// Hosts of a file, in order.
class HostFile {
public:
    HostFile(io::LineReader& lines, ComputeNodes const& nodes, NodeFinder& finder)
        : source_(lines), finder_(finder), index_(nodes.nodes.size(), ComputeNodes::none) {
        selection_.named = true;
    }
    NodeSelection read() {
        for (std::string_view line; source_.next(line);) {
            std::string_view const text = base::trimmed(line.substr(0, line.find('#')));
            if (text.empty()) continue;
            bool const rank = text.starts_with("rank ") && text.find('=') != text.npos;
            if (read_any_ && rank != is_rankfile_)
                throw base::InputError(source_.place(), "a hostfile and a rankfile in one", "",
                                       "write either lines of hosts or lines of ranks");
            is_rankfile_ = rank;
            read_any_ = true;
            if (rank) add_rank(text, source_.place());
            else add_hosts(text, source_.place());
        }
        finder_.check();
        if (!read_any_ || (!is_rankfile_ && selection_.nodes.empty()))  // no line, or `,` alone
            throw base::InputError({source_.name(), 0}, "the file names no host", "", "write one host a line");
        is_rankfile_ ? take_ranks() : take_repeated();
        return std::move(selection_);
    }

private:
    std::uint32_t add_node(std::uint32_t node, std::uint32_t slots) {
        if (index_[node] == ComputeNodes::none) {
            index_[node] = static_cast<std::uint32_t>(selection_.nodes.size());
            selection_.nodes.push_back(node);
            selection_.slots.push_back(slots);
        }
        return index_[node];
    }
    void add_hosts(std::string_view text, base::SourceLocation const& place) {
        HostLine const host = read_host_line(text, place);
        bool const list = host.name.find('[') != std::string::npos || host.name.find(',') != std::string::npos;
        std::vector<std::string> names = {host.name};
        if (list) names = base::at_place(place, [&] { return expand_hostlist(host.name, left_); });
        for (std::string const& name : names) {
            std::uint32_t const node = finder_.find(name, place).node;
            if (node == ComputeNodes::none) continue;
            bool const again = index_[node] != ComputeNodes::none;
            std::uint32_t const at = add_node(node, host.slots);
            if (again) selection_.slots[at] = std::max(1u, selection_.slots[at]) + std::max(1u, host.slots);
            says_slots_ = says_slots_ || host.slots > 0;
            repeats_ = repeats_ || again;
            if (lines_.size() >= most_names)
                throw base::InputError(place, "too many hosts", fmt::format("at most {}", most_names), "");
            lines_.push_back(at);
        }
    }
    /// A host for every rank, as Slurm's arbitrary distribution and mpirun --map-by seq have it.
    void take_repeated() {
        if (says_slots_ || !repeats_) return;
        std::vector<std::uint32_t> taken(selection_.nodes.size());
        for (std::uint32_t const at : lines_) selection_.given.push_back({at, taken[at]++});
        selection_.slots = taken;
    }
    void add_rank(std::string_view text, base::SourceLocation const& place) {
        auto const [rank, host] = read_rank_line(text, place);
        if (rank >= most_names)
            throw base::InputError(place, fmt::format("rank {} is too large", rank),
                                   fmt::format("at most {}", most_names - 1), "");
        if (rank >= ranks_.size()) ranks_.resize(std::size_t(rank) + 1, {ComputeNodes::none, 0});
        if (ranks_[rank].node != ComputeNodes::none)
            throw base::InputError(place, fmt::format("rank {} is there twice", rank), "", "give every rank one host");
        std::uint32_t const node = finder_.find(host.name, place).node;
        if (node != ComputeNodes::none) ranks_[rank] = {add_node(node, 0), host.slots};
        else ranks_[rank] = {0, 0};
    }
    /// Slots are numbered as ranks come to a node, by the cores where they are told.
    void take_ranks() {
        std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> of_node(selection_.nodes.size());
        for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
            if (ranks_[r].node == ComputeNodes::none)
                throw base::InputError({source_.name(), 0}, fmt::format("the rankfile has no rank {}", r),
                                       fmt::format("it has rank {}", ranks_.size() - 1),
                                       "give every rank from 0 on a host");
            of_node[ranks_[r].node].emplace_back(ranks_[r].slot, r);
        }
        selection_.given.resize(ranks_.size());
        for (std::uint32_t n = 0; n < of_node.size(); ++n) {
            std::sort(of_node[n].begin(), of_node[n].end());
            for (std::uint32_t s = 0; s < of_node[n].size(); ++s) selection_.given[of_node[n][s].second] = {n, s};
            selection_.slots[n] = static_cast<std::uint32_t>(of_node[n].size());
        }
    }

    io::LineReader& source_;
    NodeFinder& finder_;
    NodeSelection selection_;
    std::vector<std::uint32_t> index_;  ///< of each node in the selection
    std::vector<std::uint32_t> lines_;
    std::size_t left_ = most_names;  ///< of names in lists
    std::vector<GivenSlot> ranks_;
    bool read_any_ = false, is_rankfile_ = false, says_slots_ = false, repeats_ = false;
};

}  // namespace

NodeSelection read_host_file(io::LineReader& lines, ComputeNodes const& nodes, NodeFinder& finder) {
    return HostFile(lines, nodes, finder).read();
}

}  // namespace tailback::study
