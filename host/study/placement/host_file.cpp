#include "host/study/placement/host_file.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/study/placement/hostlist.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

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
        throw base::InputError(place, "\"" + std::string(text.substr(0, 40)) + "\" is not a number of slots",
                               fmt::format("from 1 to {}", most_slots), "write NAME slots=8");
    return static_cast<std::uint32_t>(slots);
}

/// What says how many slots a host has, and how many at most.
constexpr std::string_view slot_keys[] = {"slots", "cpu", "cpus", "count"};
constexpr std::string_view most_keys[] = {"max_slots", "max-slots", "slots_max", "slots-max", "max_cpu",  "max-cpu",
                                          "max_cpus",  "max-cpus",  "cpu_max",   "cpu-max",   "cpus_max", "cpus-max",
                                          "max_count", "max-count", "count_max", "count-max"};

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The length of `KEY =` at the beginning of a text; 0 where there is none.
std::size_t key_at(std::string_view text, std::string_view& key) {
    std::size_t end = 0;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_' ||
                                 (end > 0 && text[end] == '-')))
        ++end;
    key = text.substr(0, end);
    while (end < text.size() && is_blank(text[end])) ++end;
    return !key.empty() && end < text.size() && text[end] == '=' ? end + 1 : 0;
}

/// Where the first `KEY =` behind a name begins; the end where there is none.
std::size_t begin_of_keys(std::string_view text) {
    std::string_view key;
    for (std::size_t at = 1; at < text.size(); ++at)
        if (is_blank(text[at - 1]) && !is_blank(text[at]) && key_at(text.substr(at), key) > 0) return at;
    return text.size();
}

/// Takes a value: a word, or what stands in quotes.
std::string_view take_value(std::string_view& text) {
    text = base::trimmed(text);
    std::size_t end = text.find_first_of(" \t");
    if (!text.empty() && (text.front() == '"' || text.front() == '\''))
        if (std::size_t const quote = text.find(text.front(), 1); quote != text.npos) end = quote + 1;
    std::string_view const value = text.substr(0, end);
    text.remove_prefix(value.size());
    return value;
}

/// `slots=8 max_slots=9 sockets=2`: the slots; 0 = not told. @param ignored gets the keys that mean nothing here.
std::uint32_t read_slots(std::string_view text, std::vector<std::string>& ignored, base::SourceLocation const& place) {
    std::uint32_t found[2] = {};  // slots, the most
    while (!(text = base::trimmed(text)).empty()) {
        std::string_view key;
        std::size_t const behind = key_at(text, key);
        bool const slots = std::ranges::find(slot_keys, key) != std::end(slot_keys);
        bool const most = std::ranges::find(most_keys, key) != std::end(most_keys);
        bool const twice = (slots || most) && found[slots ? 0 : 1] != 0;
        if (behind == 0 || twice)
            throw base::InputError(place, "\"" + std::string(text.substr(0, 40)) + "\" stands behind the host",
                                   twice ? "it is there twice" : "", "write NAME slots=8 max_slots=9");
        text.remove_prefix(behind);
        std::string_view const value = take_value(text);
        if (slots || most) found[slots ? 0 : 1] = slots_of(value, place);
        else if (std::ranges::find(ignored, key) == ignored.end()) ignored.emplace_back(key);
    }
    if (found[1] != 0 && found[0] > found[1])
        throw base::InputError(place, fmt::format("{} slots, and {} at most", found[0], found[1]), "",
                               "mend one of them");
    return found[0];
}

/// `NAME`, `NAME slots=8 max_slots=9`, `NAME:8` (also with blanks in the name).
HostLine read_host_line(std::string_view text, std::vector<std::string>& ignored, base::SourceLocation const& place) {
    HostLine line;
    std::size_t const at = begin_of_keys(text);
    line.slots = read_slots(text.substr(at), ignored, place);
    text = base::trimmed(text.substr(0, at));
    std::size_t const colon = text.rfind(':');
    if (line.slots == 0 && colon != text.npos && colon > 0 && is_number(text.substr(colon + 1))) {
        line.slots = slots_of(text.substr(colon + 1), place);
        text = base::trimmed(text.substr(0, colon));
    }
    line.name = text;
    return line;
}

/// The hosts of a line that is no name: `NAME 8 NAME 8` (LSB_MCPU_HOSTS of LSF), `NAME NAME NAME`; else the line.
std::vector<HostLine> read_several(HostLine const& line, NodeFinder const& finder, base::SourceLocation const& place) {
    std::vector<std::string> words;
    for (std::string_view rest = line.name; !rest.empty(); rest = base::trimmed(rest)) {
        words.emplace_back(rest.substr(0, rest.find_first_of(" \t")));
        rest.remove_prefix(words.back().size());
    }
    if (line.slots > 0 || words.size() < 2 || line.name.find_first_of("[,") != line.name.npos) return {line};
    std::vector<HostLine> hosts;
    bool pairs = words.size() % 2 == 0 && (words.size() > 2 || finder.knows(words[0])), names = false;
    for (std::size_t w = 0; w < words.size(); ++w) pairs = pairs && is_number(words[w]) == (w % 2 == 1);
    for (std::size_t w = 1; w < words.size(); ++w) names = names || (!is_number(words[w]) && finder.knows(words[w]));
    if (!pairs && !names) return {line};
    for (std::size_t w = 0; w < words.size(); w += pairs ? 2 : 1)
        hosts.push_back({words[w], pairs ? slots_of(words[w + 1], place) : 0});
    return hosts;
}

/// `3: NAME`, as `srun --label` writes it.
bool is_labelled(std::string_view text) {
    std::size_t const colon = text.find(':');
    return colon != text.npos && is_number(text.substr(0, colon)) && colon + 2 < text.size() &&
           is_blank(text[colon + 1]);
}

/// Where ` slot =` begins behind a name, which may have these letters in it; npos where there is none.
std::size_t begin_of_slot(std::string_view text) {
    for (std::size_t at = text.find("slot"); at != text.npos; at = text.find("slot", at + 1)) {
        std::string_view rest = text.substr(at + 4);
        if (rest.starts_with('s')) rest.remove_prefix(1);
        bool const is_word = rest.empty() || is_blank(rest.front()) || rest.front() == '=';
        if (at > 0 && is_blank(text[at - 1]) && is_word) return at;
    }
    return text.npos;
}

/// `3: NAME`, or `rank 3=NAME slot=2`; the slot may be a list or range of cores, of which the first counts.
std::pair<std::uint64_t, HostLine> read_rank_line(std::string_view text, base::SourceLocation const& place) {
    base::Scanner scan(text);
    std::uint64_t rank = 0, slot = 0;
    if (is_labelled(text)) {
        scan.decimal(rank);
        scan.accept(':');
        return {rank, HostLine{std::string(base::trimmed(scan.rest())), 0}};
    }
    auto const refuse = [&](char const* why) {
        throw base::InputError(place, "a line of a rankfile is not understood", why, "write: rank 3=NAME slot=2");
    };
    if (!scan.accept("rank") || !scan.blanks().decimal(rank)) refuse("it does not begin with a rank");
    if (!scan.blanks().accept('=')) refuse("there is no = behind the rank");
    std::string_view rest = base::trimmed(scan.rest());
    std::size_t const at = begin_of_slot(rest);
    HostLine line{std::string(base::trimmed(rest.substr(0, at))), 0};
    if (line.name.empty()) refuse("it names no host");
    if (at != rest.npos) {
        base::Scanner slots(rest.substr(at + 4));
        slots.accept('s');
        if (!slots.blanks().accept('=') || !slots.blanks().decimal(slot) || slot >= most_slots)
            refuse("the slot is not a number");
        if (base::trimmed(slots.rest()).find_first_not_of("0123456789-,:;*") != std::string_view::npos)
            refuse("something stands behind the slot");
        line.slots = static_cast<std::uint32_t>(slot) + 1;
    }
    return {rank, line};
}

/// Hosts of a file, in order.
class HostFile {
public:
    HostFile(io::LineReader& lines, ComputeNodes const& nodes, NodeFinder& finder,
             std::vector<std::uint32_t> const* among)
        : source_(lines), finder_(finder), among_(among), index_(nodes.nodes.size(), ComputeNodes::none) {
        if (among != nullptr) is_among_.resize(nodes.nodes.size());
        for (std::size_t i = 0; i < is_among_.size() && i < among->size(); ++i) is_among_[(*among)[i]] = true;
        selection_.named = true;
    }
    NodeSelection read() {
        for (std::string_view line; source_.next(line);) {
            std::string_view const text = base::trimmed(line.substr(0, line.find('#')));
            if (text.empty()) continue;
            bool const rank = (text.starts_with("rank ") && text.find('=') != text.npos) ||
                              (is_labelled(text) && !finder_.knows(std::string(text)));
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
        if (!ignored_.empty())
            selection_.notes.push_back(
                fmt::format("{}: of the hosts {} is left out (slots, cpus and count say how many "
                            "ranks they take)",
                            source_.name(), fmt::join(ignored_, ", ")));
        return std::move(selection_);
    }

private:
    /// A node by its name, or by its number among the hosts of a list (`+n0`, as Open MPI has it).
    std::uint32_t node_of(std::string const& name, base::SourceLocation const& place) {
        if (name.starts_with('+') && !finder_.knows(name)) return node_by_number(name, place);
        std::uint32_t const node = finder_.find(name, place).node;
        if (among_ != nullptr && node != ComputeNodes::none && !is_among_[node])
            throw base::InputError(place, "\"" + name + "\" is not in the list of hosts",
                                   "what stands behind ` of ` says which hosts there are",
                                   "add it there, or leave it out");
        return node;
    }
    std::uint32_t node_by_number(std::string const& name, base::SourceLocation const& place) const {
        std::string const shown = "\"" + base::printable(name.substr(0, 40)) + "\"";
        base::Scanner scan(name);
        std::uint64_t number = 0;
        if (!scan.accept("+n") || !scan.decimal(number) || !scan.at_end())
            throw base::InputError(place, shown + " is not a host by its number",
                                   name.starts_with("+e") ? "which hosts are empty is not known here" : "",
                                   "write +n0 for the first host of the list, +n1 for the second, or its name");
        if (among_ == nullptr)
            throw base::InputError(place, shown + " is a host by its number in a list of hosts",
                                   "there is no such list",
                                   "give --nodes 'FILE of LIST', LIST a hostfile or a hostlist, or write names");
        if (number >= among_->size())
            throw base::InputError(
                place, shown + " is beyond the list of hosts",
                "it has " + base::counted(among_->size(), "host", "hosts") + ", and the first is +n0",
                "correct it, or give the list that belongs to the file");
        return (*among_)[number];
    }
    std::uint32_t add_node(std::uint32_t node, std::uint32_t slots) {
        if (index_[node] == ComputeNodes::none) {
            index_[node] = static_cast<std::uint32_t>(selection_.nodes.size());
            selection_.nodes.push_back(node);
            selection_.slots.push_back(slots);
        }
        return index_[node];
    }
    void add_hosts(std::string_view text, base::SourceLocation const& place) {
        HostLine whole{std::string(text), 0};
        if (!finder_.knows(whole.name)) whole = read_host_line(text, ignored_, place);
        if (finder_.knows(whole.name)) return add_host(whole, place);
        for (HostLine const& host : read_several(whole, finder_, place)) add_host(host, place);
    }
    void add_host(HostLine const& host, base::SourceLocation const& place) {
        bool const list = host.name.find('[') != std::string::npos || host.name.find(',') != std::string::npos;
        std::vector<std::string> names = {host.name};
        if (list) names = base::at_place(place, [&] { return expand_hostlist(host.name, left_); });
        for (std::string const& name : names) {
            std::uint32_t const node = node_of(name, place);
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
        std::uint32_t const node = node_of(host.name, place);
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
    std::vector<std::uint32_t> const* among_;
    std::vector<bool> is_among_;  ///< by node
    NodeSelection selection_;
    std::vector<std::uint32_t> index_;  ///< of each node in the selection
    std::vector<std::uint32_t> lines_;
    std::size_t left_ = most_names;  ///< of names in lists
    std::vector<GivenSlot> ranks_;
    std::vector<std::string> ignored_;  ///< keys of hosts
    bool read_any_ = false, is_rankfile_ = false, says_slots_ = false, repeats_ = false;
};

}  // namespace

NodeSelection read_host_file(io::LineReader& lines, ComputeNodes const& nodes, NodeFinder& finder,
                             std::vector<std::uint32_t> const* among) {
    return HostFile(lines, nodes, finder, among).read();
}

}  // namespace tailback::study
