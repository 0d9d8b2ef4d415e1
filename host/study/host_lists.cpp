// Reading and writing lists of hosts.
#include "host/study/host_lists.hpp"

#include "host/base/scanner.hpp"
#include "host/model/locate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <unordered_map>

namespace tailback::study {
namespace {

constexpr std::string_view blanks = " \t";

/// Takes the next word off the front of `text`; false when there is none.
bool take_word(std::string_view& text, std::string& word, base::SourceLocation const& place) {
    text = base::trimmed(text, blanks);
    word.clear();
    if (text.empty()) return false;
    if (text.front() != '"') {
        std::size_t const end = std::min(text.find_first_of(blanks), text.size());
        word = text.substr(0, end);
        text.remove_prefix(end);
        return true;
    }
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '"') {
            text.remove_prefix(i + 1);
            if (text.empty() || blanks.find(text.front()) != std::string_view::npos) return true;
            throw base::InputError(place, "a quoted name runs into the next word", "\"" + word + "\"",
                                   "put a blank between them");
        }
        if (text[i] == '\\' && i + 1 < text.size()) ++i;
        word += text[i];
    }
    throw base::InputError(place, "a quoted name does not end", "\"" + word.substr(0, 40),
                           "close the quotes in the same line");
}

/// Which hosts a line or file has named already; forgets all in no time.
class Met {
public:
    explicit Met(std::uint64_t hosts) : last_(hosts, 0) {}
    void forget() { ++now_; }
    bool add(model::Host host) {
        bool const is_new = last_[host.value] != now_;
        last_[host.value] = now_;
        return is_new;
    }

private:
    std::vector<std::uint64_t> last_;
    std::uint64_t now_ = 1;
};

/// Finds hosts, remembering words it has seen: a file of many mappings names the same hosts again and again.
class Finder {
public:
    explicit Finder(NamedHosts const& hosts) : hosts_(hosts), met_(hosts.count()) {}
    /// From here on every host is new again.
    void forget() { met_.forget(); }
    /// The host that `word` means. @throws InputError when there is none, or it was found since `forget`.
    model::Host find(std::string const& word, base::SourceLocation const& place, char const* where) {
        auto const [at, is_new] = known_.try_emplace(word);
        if (is_new) at->second = hosts_.find(word, place);
        if (!met_.add(at->second))
            throw base::InputError(place, "host \"" + word + "\" is named twice", where,
                                   "a host takes one rank; several need --ranks-per-node");
        return at->second;
    }

private:
    NamedHosts const& hosts_;
    Met met_;
    std::unordered_map<std::string, model::Host> known_;
};

bool is_comment_or_blank(std::string_view line) {
    std::string_view const text = base::trimmed(line, blanks);
    return text.empty() || text.front() == '#';
}

/// Some node is called as a LID is written.
bool has_numbers_for_names(model::Network const& network) {
    return std::ranges::any_of(network.nodes(), [](model::NodeRecord const& node) {
        return !node.name.empty() && node.name.find_first_not_of("0123456789 ") == std::string::npos;
    });
}

std::string word_of(model::Network const& network, model::Host host, bool by_lid) {
    model::HostRecord const& record = network[host];
    if (!network.named() && record.lid != 0 && by_lid) return std::to_string(record.lid);
    if (!network.named() && record.port_guid != 0) return fmt::format("{:#018x}", record.port_guid);
    if (!network.named() && record.lid != 0) return fmt::format("{:#x}", record.lid);
    std::string name = network[record.node].name;
    if (network.hosts_of(record.node).size() > 1) name += ":" + network.port_name(record.node, record.port);
    if (!name.empty() && name.find_first_of(" \t\"\\#") == std::string::npos) return name;
    std::string quoted = "\"";
    for (char const c : name) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + "\"";
}

}  // namespace

model::Host NamedHosts::find(std::string const& word, base::SourceLocation const& place) const {
    return formula_ != nullptr ? model::Host{formula_->locate_host(word, place)}
                               : model::locate_host(network_, word, place);
}

std::vector<model::Host> read_subset(io::LineReader& lines, NamedHosts const& named) {
    std::vector<model::Host> hosts;
    Finder finder(named);
    std::string word;
    for (std::string_view line; lines.next(line);) {
        if (is_comment_or_blank(line)) continue;
        std::string_view text = base::trimmed(line, blanks);
        if (text.front() != '"') {
            word = text;  // a line is one host: its name may hold blanks
        } else {
            take_word(text, word, lines.place());
            if (!base::trimmed(text, blanks).empty())
                throw base::InputError(lines.place(), "more than one host in a line",
                                       std::string(base::trimmed(text, blanks).substr(0, 40)), "write one host a line");
        }
        hosts.push_back(finder.find(word, lines.place(), "a subset is a set"));
    }
    if (hosts.empty())
        throw base::InputError({lines.name(), 0}, "the subset file lists no hosts", "",
                               "write one host a line: a LID, a GUID or a name");
    return hosts;
}

MappingList read_mappings(io::LineReader& lines, NamedHosts const& named) {
    MappingList list;
    Finder finder(named);
    std::string word;
    for (std::string_view line; lines.next(line);) {
        if (is_comment_or_blank(line)) continue;
        finder.forget();
        std::size_t const before = list.hosts.size();
        for (std::string_view text = line; take_word(text, word, lines.place());)
            list.hosts.push_back(finder.find(word, lines.place(), "in one mapping"));
        auto const ranks = static_cast<std::uint32_t>(list.hosts.size() - before);
        if (list.mappings == 0) list.ranks = ranks;
        else if (ranks != list.ranks)
            throw base::InputError(lines.place(), "a mapping of " + std::to_string(ranks) + " hosts",
                                   "those before it have " + std::to_string(list.ranks),
                                   "give every mapping a host for every rank");
        ++list.mappings;
    }
    if (list.mappings == 0)
        throw base::InputError({lines.name(), 0}, "the mapping file holds no mapping", "",
                               "write one mapping a line: a host for every rank");
    return list;
}

MappingWriter::MappingWriter(std::ostream& out, model::Network const& network) : out_(out) {
    bool const by_lid = !has_numbers_for_names(network);
    for (std::size_t h = 0; h < network.hosts().size(); ++h) words_.push_back(word_of(network, model::Host{h}, by_lid));
}

MappingWriter::MappingWriter(std::ostream& out, model::Fabric const& fabric) : MappingWriter(out, fabric.network) {
    for (std::uint64_t h = words_.size(); h < fabric.endpoints(); ++h)
        words_.push_back(model::NetworkFormula::host_name(static_cast<std::uint32_t>(h)));
}

void MappingWriter::write(std::span<model::Host const> hosts) {
    for (std::size_t r = 0; r < hosts.size(); ++r) {
        if (r > 0) out_ << ' ';
        out_ << words_[hosts[r].value];
    }
    out_ << '\n';
}

}  // namespace tailback::study
