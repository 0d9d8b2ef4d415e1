// Words to endpoints: LIDs, GUIDs and names, and good answers to the ones that mean nothing.
#include "host/model/locate.hpp"

#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fnmatch.h>

namespace tailback::model {
namespace {

struct Number {
    enum class Kind { none, lid, guid } kind = Kind::none;
    std::uint64_t value = 0;
};

Number read_number(std::string_view word) {
    Number number;
    base::Scanner scan(word);
    if (scan.accept("0x") || scan.accept("0X")) {
        bool const lid = scan.rest().size() <= 4;
        if (scan.hex(number.value) && scan.at_end()) number.kind = lid ? Number::Kind::lid : Number::Kind::guid;
    } else if (word.size() == 18 && (scan.accept("H-") || scan.accept("S-") || scan.accept("R-"))) {
        if (scan.hex(number.value) && scan.at_end()) number.kind = Number::Kind::guid;
    } else if (scan.decimal(number.value) && scan.at_end()) {
        number.kind = Number::Kind::lid;
    }
    return number;
}

Located at_host(Network const& network, Host host) { return {network[host].node, host, network[host].lid}; }

/// Everything of a node that can be meant: a switch itself, or each port of an adapter.
void add_all_of(Network const& network, Node node, std::vector<Located>& found) {
    if (network.hosts_of(node).empty()) found.push_back({node, Host{}, network[node].lid});
    for (Host const host : network.hosts_of(node)) found.push_back(at_host(network, host));
}

std::vector<Located> by_guid(Network const& network, std::uint64_t guid) {
    std::vector<Located> found;
    if (guid == 0) return found;  // what the file states no GUID of has this one
    for (std::size_t h = 0; h < network.hosts().size(); ++h)
        if (network[Host{h}].port_guid == guid) found.push_back(at_host(network, Host{h}));
    if (!found.empty()) return found;
    if (Node const node = network.node_by_guid(guid); node.exists()) {
        add_all_of(network, node, found);
        return found;
    }
    for (std::size_t n = 0; n < network.nodes().size(); ++n)
        if (network[Node{n}].port_guid == guid) add_all_of(network, Node{n}, found);
    return found;
}

template <class Same>
std::vector<Located> by_name(Network const& network, Same same) {
    std::vector<Located> found;
    for (std::size_t n = 0; n < network.nodes().size(); ++n)
        if (same(network[Node{n}].name)) add_all_of(network, Node{n}, found);
    return found;
}

/// How things are named; IP fabrics, whose ports go by names, have no GUIDs and no LIDs that people know.
char const* ways_to_name(Network const& network) {
    return network.named_ports() ? "a name" : "a name, a GUID or an LID";
}

/// Of a word as reports print nodes and ports (Network::describe, port_text), pasted with its quotes or without.
std::vector<Located> by_description(Network const& network, std::string_view word) {
    word = base::trimmed(word);
    Port port = 0;  // of an adapter with several
    if (std::size_t const at = word.rfind(" port "); at != word.npos && at > 0) {
        base::Scanner scan(word.substr(at + 6));
        std::uint64_t number = 0;
        if ((word[at - 1] == '"' || word[at - 1] == ')') && scan.decimal(number)) port = static_cast<Port>(number);
        if (port != 0) word = word.substr(0, at);
    }
    std::vector<Located> found;
    std::uint64_t guid = 0;
    if (std::size_t const at = word.rfind(" (0x"); at != word.npos && word.back() == ')') {
        base::Scanner scan(word.substr(at + 4, word.size() - at - 5));
        if (!scan.hex(guid) || !scan.at_end()) guid = 0;
        if (guid != 0) word = word.substr(0, at);
    }
    if (Node const node = guid != 0 ? network.node_by_guid(guid) : Node{}; node.exists()) {
        add_all_of(network, node, found);
    } else {
        for (std::string_view const kind : {"switch \"", "host \"", "router \""})
            if (word.starts_with(kind)) word.remove_prefix(kind.size() - 1);
        if (word.size() < 3 || word.front() != '"' || word.back() != '"') return {};
        found = by_name(network, [&](std::string const& name) { return name == word.substr(1, word.size() - 2); });
    }
    if (port != 0 && found.size() > 1)
        std::erase_if(found, [&](Located const& one) { return one.host.exists() && network[one.host].port != port; });
    return found;
}

std::string candidates(Network const& network, std::vector<Located> const& found) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(found.size(), most); ++i) {
        Located const& one = found[i];
        text += (i ? ", " : "") + network.describe(one.node);
        if (one.host.exists()) text += " port " + std::to_string(network[one.host].port);
        if (one.lid != 0 && !network.named()) text += " LID " + std::to_string(one.lid);
    }
    if (found.size() > most) text += ", and " + std::to_string(found.size() - most) + " more";
    return text;
}

/// Up to three names of the network: those that hold the word, then the nearest.
std::string nearest_names(Network const& network, std::string const& word) {
    std::set<std::string> names;
    for (NodeRecord const& node : network.nodes()) names.insert(node.name);
    std::vector<std::string> left(names.begin(), names.end());
    std::string text;
    for (int i = 0; i < 3 && !left.empty(); ++i) {
        auto at = std::find_if(left.begin(), left.end(),
                               [&](std::string const& name) { return name.find(word) != std::string::npos; });
        if (at == left.end()) at = std::find(left.begin(), left.end(), base::nearest_name(word.substr(0, 200), left));
        text += (i ? ", \"" : "\"") + *at + "\"";
        left.erase(at);
    }
    return text;
}

/// Is it the node in `NODE ADAPTER`, as hosts are called: `n1` of `n1 ib0`, `node01` of `node01 HCA-1`?
bool is_node_part(std::string_view word, std::string_view name) {
    return name.size() > word.size() && name[word.size()] == ' ' && name.starts_with(word);
}

/// A glob of a whole name, or else of a part; the node in front of an adapter, or else a part of a name. Each as it is
/// written first, then small and capital letters alike.
std::vector<Located> by_part(Network const& network, std::string const& word) {
    if (word.size() < 2) return {};
    bool const glob = word.find_first_of("*?[") != word.npos;
    for (bool const part : {false, true})
        for (bool const folds : {false, true}) {
            std::string const as_written = glob && part ? "*" + word + "*" : word,
                              wanted = folds ? base::lower_case(as_written) : as_written;
            std::vector<Located> found = by_name(network, [&](std::string const& name) {
                std::string const text = folds ? base::lower_case(name) : name;
                if (glob) return ::fnmatch(wanted.c_str(), text.c_str(), 0) == 0;
                return part ? text.find(wanted) != text.npos : is_node_part(wanted, text);
            });
            if (!glob && !part) std::erase_if(found, [](Located const& one) { return !one.host.exists(); });
            if (!found.empty()) return found;
        }
    return {};
}

/// Where a port begins in `NODE:PORT`, `NODE [PORT]`, `NODE/P31`, `"NODE" port PORT`; npos = there is none.
struct PortPlace {
    std::size_t node_end = std::string::npos;
    std::string port;
    bool found() const { return node_end != std::string::npos && node_end > 0; }
};
PortPlace printed_port(std::string_view word) {
    for (std::string_view const mark : {"\" port ", ") port ", " ["})
        if (std::size_t const at = word.rfind(mark); at != word.npos && at > 0) {
            std::string_view const rest = word.substr(at + mark.size());
            if (mark == " [" && !rest.ends_with(']')) continue;
            return {at + (mark == " [" ? 0 : 1),
                    std::string(rest.substr(0, rest.find_first_of(mark == " [" ? "]" : " ")))};
        }
    if (std::size_t const at = word.rfind("/P"); at != word.npos && at > 0) {
        std::string_view const rest = word.substr(at + 2);
        if (!rest.empty() && rest.find_first_not_of("0123456789") == rest.npos) return {at, std::string(rest)};
    }
    return {};
}

/// The same, or `NODE:PORT`, the last colon of which is meant unless names of nodes have some.
PortPlace port_place(Network const& network, std::string const& word) {
    PortPlace const at = printed_port(word);
    if (at.found()) return at;
    std::size_t colon = word.rfind(':');
    for (std::size_t earlier = colon; earlier != word.npos && earlier > 0; earlier = word.rfind(':', earlier - 1))
        if (Node const node = network.node_by_name(word.substr(0, earlier));
            node.exists() && network.port_called(node, std::string_view(word).substr(earlier + 1)) != 0)
            colon = earlier;
    return colon == word.npos ? at : PortPlace{colon, word.substr(colon + 1)};
}

/// The two ends of a link as reports print it, `A [31] -> B [7]` or `A [31] <-> B [7]`; none where the word has one.
std::optional<std::pair<std::string, std::string>> printed_link(std::string_view word) {
    for (std::string_view const arrow : {" <-> ", " -> "})
        for (std::size_t at = word.find(arrow); at != word.npos; at = word.find(arrow, at + 1)) {
            std::string_view const from = base::trimmed(word.substr(0, at));
            std::string_view const to = base::trimmed(word.substr(at + arrow.size()));
            if (printed_port(from).found() && printed_port(to).found())
                return std::pair(std::string(from), std::string(to));
        }
    return {};
}

/// What has the port in `NODE [PORT]`, as reports print a host by its port: `node09 [eth0]`; or in `NODE:PORT`.
std::vector<Located> by_printed_port(Network const& network, std::string const& word) {
    PortPlace const at = port_place(network, word);
    if (!at.found()) return {};
    std::string const name = word.substr(0, at.node_end);
    std::vector<Located> found = by_name(network, [&](std::string const& each) { return each == name; });
    if (found.empty()) found = by_part(network, name);
    std::erase_if(found, [&](Located const& one) {
        Port const port = network.port_called(one.node, at.port);
        return port == 0 || (one.host.exists() && network[one.host].port != port);
    });
    return found;
}

/// `, for example swp49`: the first port of a node with a cable.
std::string port_with_cable(Network const& network, Node node) {
    if (network.link_count(node) == 0) return "";
    return ", for example " + network.port_name(node, network[network.first_link(node)].from_port);
}

}  // namespace

bool names_a_port(std::string_view word) {
    std::size_t const colon = word.rfind(':');
    return printed_port(word).found() || (colon != word.npos && colon > 0);
}

Link locate_cable(Network const& network, std::string const& word, std::string const& option) {
    if (auto const ends = printed_link(word)) {
        Link const link = locate_cable(network, ends->first, option);
        LinkRecord const& record = network[link];
        if (record.reverse == locate_cable(network, ends->second, option)) return link;
        throw base::InputError({}, option + " \"" + word + "\" names no cable",
                               "that of " + ends->first + " goes to " + network.describe(record.to) +
                                   network.port_text(record.to, record.to_port),
                               "give one of its ends, NODE:PORT");
    }
    PortPlace const at = port_place(network, word);
    std::string const given = option + " \"" + word + "\"";
    if (!at.found())
        throw base::InputError({}, given + " names no port", "a cable is a node and its port, NODE:PORT",
                               "for example leaf-07:31 or leaf-07:swp49");
    Node const node = locate(network, word.substr(0, at.node_end)).node;
    if (!node.exists())
        throw base::InputError({}, given + " names no node", "nobody owns that LID", "give a name or a GUID");
    Port const port = network.port_called(node, at.port);
    if (port == 0)
        throw base::InputError({}, given + " names no port",
                               network.describe(node) + " has no port \"" + at.port + "\"",
                               "give the number or the name of a port with a cable" + port_with_cable(network, node));
    Link const link = network.link_at(node, port);
    if (!link.exists())
        throw base::InputError({}, given + " names no cable",
                               network.describe(node) + network.port_text(node, port) + " has none",
                               "give a port with a cable" + port_with_cable(network, node));
    return link;
}

namespace {

/// Where a link was pasted: which of its ends could be meant.
void refuse_link(std::string const& word, base::SourceLocation const& place) {
    auto const ends = printed_link(word);
    if (!ends) return;
    auto const node_of = [](std::string const& end) { return end.substr(0, printed_port(end).node_end); };
    throw base::InputError(
        place, "\"" + word + "\" is a link", "one node or port is wanted here",
        "give one of its ends: \"" + node_of(ends->first) + "\" or \"" + node_of(ends->second) + "\"");
}

}  // namespace

Located locate(Network const& network, std::string const& typed, base::SourceLocation const& place) {
    std::string word = base::printable(typed);
    if (word.starts_with("LID ") && read_number(word.substr(4)).kind == Number::Kind::lid) word.erase(0, 4);
    if (network.named())
        if (Node const node = network.node_by_name(word); node.exists()) {
            if (!network.hosts_of(node).empty()) return at_host(network, network.hosts_of(node).front());
            return {node, Host{}, network[node].lid};
        }

    std::vector<Located> found;
    Number const number = read_number(word);
    if (number.kind == Number::Kind::lid) {
        std::uint64_t const top = std::max<std::uint64_t>(max_unicast_lid, network.max_lid());
        if (number.value == 0 || number.value > top)
            throw base::InputError(place, "LID " + word + " is not a unicast LID",
                                   "they go from 1 to " + std::to_string(top),
                                   "give a LID of the network, a GUID or a name");
        Lid const lid = static_cast<Lid>(number.value);
        LidOwner const owner = network.owner(lid);
        return {owner.node, owner.host, lid};
    }
    if (number.kind == Number::Kind::guid) found = by_guid(network, number.value);
    if (found.empty()) found = by_name(network, [&](std::string const& name) { return name == word; });
    if (found.empty())
        found = by_name(network, [&](std::string const& name) { return base::trimmed(name) == base::trimmed(word); });
    if (found.empty()) refuse_link(word, place);
    if (found.empty()) found = by_description(network, word);
    if (found.empty()) found = by_printed_port(network, word);
    if (found.empty() && number.kind == Number::Kind::none) found = by_part(network, word);
    if (found.size() == 1) return found.front();
    if (found.size() > 1)
        throw base::InputError(
            place, "\"" + word + "\" has " + std::to_string(found.size()) + " meanings", candidates(network, found),
            network.named() ? "give more of the name, or the whole one" : "give an LID or a port GUID");
    if (number.kind == Number::Kind::guid)
        throw base::InputError(place, "nothing in the network has the GUID " + word, "",
                               "check the GUID, or give an LID or a name");
    throw base::InputError(place, "nothing in the network is called \"" + word + "\"",
                           "the nearest: " + nearest_names(network, word),
                           "give " + std::string(ways_to_name(network)));
}

Host locate_host(Network const& network, std::string const& word, base::SourceLocation const& place) {
    Located const located = locate(network, word, place);
    if (located.host.exists()) return located.host;
    if (!located.node.exists())
        throw base::InputError(place, "nobody owns LID " + word, "",
                               "give " + std::string(ways_to_name(network)) + " of a host");
    throw base::InputError(place, "\"" + word + "\" is not a host", network.describe(located.node),
                           "give " + std::string(ways_to_name(network)) + " of a host");
}

}  // namespace tailback::model
