#include "host/study/placement/node_finder.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/model/locate.hpp"
#include "host/study/placement/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace tailback::study {
namespace {

constexpr std::uint32_t several_nodes = 0xFFFFFFFEu;
constexpr std::size_t most_missing = 10'000;  // so many names without a node end the search
/// Names of interfaces that sites put behind those of nodes, before a number.
constexpr std::string_view interface_words[] = {"ib", "ipoib", "opa", "hfi", "hsn", "roce", "eth"};

/// `node001` of `node001.cluster.example`; empty where there is no domain: an address of IP, for one, has none.
std::string without_domain(std::string const& name) {
    std::size_t const dot = name.find('.');
    bool const is_name = std::ranges::all_of(
        name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_'; });
    if (dot == name.npos || dot == 0 || dot + 1 == name.size() || !is_name) return {};
    std::string const head = name.substr(0, dot);
    return head.find_first_not_of("0123456789") == head.npos ? std::string() : head;
}

/// `node001` of `node001-ib0` and `node001-ib0.cluster.example`; empty where no interface is named.
std::string without_interface(std::string const& name) {
    std::string const head = name.substr(0, name.find('.'));
    std::size_t const dash = head.rfind('-');
    if (dash == head.npos || dash == 0) return {};
    std::string_view const word = std::string_view(head).substr(dash + 1);
    std::string_view const letters = word.substr(0, word.find_first_of("0123456789"));
    bool const is_interface = std::ranges::find(interface_words, letters) != std::end(interface_words) &&
                              word.substr(letters.size()).find_first_not_of("0123456789_") == std::string_view::npos;
    return is_interface ? head.substr(0, dash) : std::string();
}

}  // namespace

NodeFinder::NodeFinder(ComputeNodes const& nodes, model::Network const& network) : nodes_(nodes), network_(network) {
    for (std::uint32_t n = 0; n < nodes.nodes.size(); ++n) add(nodes.nodes[n].name, {n, {}});
    for (std::uint32_t n = 0; n < nodes.nodes.size(); ++n)
        if (std::string const head = without_domain(nodes.nodes[n].name); !head.empty())
            if (auto const [at, is_new] = without_domain_.try_emplace(head, n); !is_new) at->second = several_nodes;
    for (std::uint32_t n = 0; n < nodes.nodes.size(); ++n)
        for (model::Host const host : nodes.nodes[n].adapters)
            add(std::string(base::trimmed(network[network[host].node].name)), {n, host});
}

void NodeFinder::add(std::string const& name, FoundNode found) {
    auto const [at, is_new] = known_.try_emplace(name, found);
    if (is_new || (at->second.node == found.node && !at->second.adapter.exists())) return;
    if (at->second.node == found.node) at->second.adapter = {};  // two ports of one adapter
    else at->second.node = several_nodes;
}

FoundNode NodeFinder::look_up(std::string const& word) const {
    auto at = known_.find(word);
    if (at == known_.end()) at = known_.find(base::printable(word));
    if (at != known_.end()) return at->second;
    if (FoundNode const found = by_number(word); found.node != ComputeNodes::none) return found;
    FoundNode const found = by_domain(word);
    return found.node != ComputeNodes::none ? found : by_interface(word);
}

FoundNode NodeFinder::by_interface(std::string const& word) const {
    std::string const head = without_interface(word);
    if (head.empty()) return {};
    auto const at = known_.find(head);
    if (at == known_.end()) return by_domain(head);
    return at->second.adapter.exists() ? FoundNode{} : at->second;
}

FoundNode NodeFinder::by_domain(std::string const& word) const {
    if (std::string const head = without_domain(word); !head.empty()) {
        auto const at = known_.find(head);
        return at != known_.end() && !at->second.adapter.exists() ? at->second : FoundNode{};
    }
    auto const at = without_domain_.find(word);
    return at != without_domain_.end() ? FoundNode{at->second, {}} : FoundNode{};
}

/// Two names with domains, or of interfaces, that come to one node are two nodes, of which the network has one, or one
/// that is named in two ways.
void NodeFinder::check_joined(std::string const& word, FoundNode found, base::SourceLocation const& place) {
    std::string const& name = nodes_.nodes[found.node].name;
    if (word == name || known_.contains(word) || found.adapter.exists()) return;
    bool const by_interface = by_domain(word).node == ComputeNodes::none && !without_interface(word).empty();
    if (!by_interface && without_domain(word) != name) return;
    auto const [at, is_new] = joined_.try_emplace(found.node, word);
    if (!is_new && at->second != word)
        throw base::InputError(place, "\"" + at->second + "\" and \"" + word + "\" would be one node",
                               "the network has \"" + name + "\" alone", "name one of them");
    if (by_interface && interfaces_.insert(word).second && first_interface_.empty())
        first_interface_ = fmt::format("\"{}\" as \"{}\"", base::printable(word), base::printable(name));
}

std::vector<std::string> NodeFinder::notes() const {
    if (interfaces_.empty()) return {};
    return {interfaces_.size() == 1
                ? fmt::format("1 name is that of an interface, and is taken as its node ({})", first_interface_)
                : fmt::format("{} names are those of interfaces, and are taken as their nodes (the first: {})",
                              interfaces_.size(), first_interface_)};
}

FoundNode NodeFinder::find(std::string const& word, base::SourceLocation const& place) {
    FoundNode const found = look_up(word);
    if (found.node == several_nodes)
        throw base::InputError(place, "there are several nodes \"" + word + "\"",
                               without_domain_.contains(word) ? "they differ in their domains" : "",
                               "give an LID or GUID, or a file of nodes (`tailback evaluate --adapters file:PATH`)");
    if (found.node != ComputeNodes::none) {
        check_joined(word, found, place);
        return found;
    }
    if (missing_.empty()) missing_at_ = place;
    missing_.push_back(word);
    if (missing_.size() >= most_missing) check();  // a list may stand for a million names
    return {};
}

std::vector<std::uint32_t> NodeFinder::match(std::string const& glob) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t n = 0; n < nodes_.nodes.size(); ++n)
        if (matches_glob(nodes_.nodes[n].name, glob)) found.push_back(n);
    if (found.empty()) missing_.push_back(glob);
    return found;
}

std::vector<std::uint32_t> NodeFinder::at_leaves(std::string const& glob) {
    auto const nodes_with = [&](auto const& is_there) {
        std::vector<std::uint32_t> found;
        for (std::uint32_t n = 0; n < nodes_.nodes.size(); ++n)
            if (std::ranges::count_if(nodes_.nodes[n].adapters, is_there) > 0) found.push_back(n);
        return found;
    };
    std::vector<std::uint32_t> found = nodes_with([&](model::Host host) { return is_at(host, glob); });
    if (!found.empty()) return found;
    // A part of names, as reports shorten them; without a glob it must be one switch's.
    std::set<model::Node> leaves;
    found = nodes_with([&](model::Host host) {
        model::Link const up = network_.up_link(host);
        bool const is_there = up.exists() && matches_glob(network_[network_[up].to].name, "*" + glob + "*");
        if (is_there) leaves.insert(network_[up].to);
        return is_there;
    });
    if (leaves.size() > 1 && glob.find_first_of("*?") == std::string::npos) found.clear();
    if (found.empty()) missing_.push_back("leaf:" + glob);
    return found;
}

void NodeFinder::check() const {
    if (missing_.empty()) return;
    constexpr std::size_t most_named = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(missing_.size(), most_named); ++i)
        text += (i > 0 ? ", " : "") + missing_[i].substr(0, 80);
    if (missing_.size() > most_named) text += fmt::format(" and {} more", missing_.size() - most_named);
    std::vector<std::string> names;
    for (ComputeNodes::Node const& node : nodes_.nodes) names.push_back(node.name);
    bool const from_options = missing_at_.file.empty();
    if (missing_.size() == 1 && text.starts_with("leaf:"))
        throw base::InputError(missing_at_, "no switch with hosts fits \"" + text + "\", or more than one does", "",
                               "write the whole name of a switch, a part that no other has, or a glob (leaf:rack7-*)");
    throw base::InputError(
        missing_at_,
        missing_.size() == 1
            ? (from_options ? "there is no file and no compute node \"" + text + "\""
                            : "the network has no compute node \"" + text + "\"")
            : fmt::format("the network has none of {}{} compute nodes: {}",
                          missing_.size() < most_missing ? "" : "at least ", base::grouped(missing_.size()), text),
        names.empty()
            ? "the network has none at all"
            : "the nearest to the first is \"" + base::nearest_name(missing_.front().substr(0, 200), names) + "\"",
        std::string("nodes go by the descriptions of their adapters, without the adapter at the end") +
            (from_options && missing_.size() > 1 ? "; a file is read where there is one of that name" : ""));
}

FoundNode NodeFinder::by_number(std::string const& word) const {
    bool const number = !word.empty() && word.size() <= 18 && word.find_first_not_of("0123456789") == word.npos;
    if (!number && !word.starts_with("0x")) return {};
    try {
        model::Host const host = model::locate_host(network_, word, {});
        return {nodes_.node_of_host[host.value], host};
    } catch (base::InputError const&) {
        return {};  // told with the others that are missing
    }
}

bool NodeFinder::is_at(model::Host host, std::string const& glob) const {
    model::Link const up = network_.up_link(host);
    if (!up.exists()) return false;
    std::string_view name = network_[network_[up].to].name;
    if (matches_glob(name, glob)) return true;
    if (std::size_t const from = name.find(';'); from != name.npos) name.remove_prefix(from + 1);
    return matches_glob(name.substr(0, name.find(':')), glob);
}

}  // namespace tailback::study
