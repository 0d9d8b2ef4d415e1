#include "host/formats/ibdiagnet2/descriptions.hpp"

#include "host/model/port_lids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace tailback::formats {
namespace {

/// Notes of a kind that are kept whole where LIDs are filled in.
constexpr std::size_t most_kept = 1000;

/// A file with one of these has lost something.
constexpr std::array damages = {model::Disagreement::damaged_file, model::Disagreement::odd_cell,
                                model::Disagreement::unparsed_line, model::Disagreement::one_sided_cable,
                                model::Disagreement::missing_record};

bool is_damage(model::Disagreement kind) { return std::find(damages.begin(), damages.end(), kind) != damages.end(); }

std::uint64_t damage(Description const& one) {
    std::uint64_t times = 0;
    for (model::Disagreement const kind : damages) times += one.told.times(kind);
    return times;
}

struct Extent {
    std::uint64_t nodes = 0, links = 0, lids = 0;
};

Extent extent(model::Network const& network) {
    Extent known{network.nodes().size(), network.links().size(), 0};
    for (model::NodeRecord const& node : network.nodes()) known.lids += node.lid != 0;
    for (model::HostRecord const& host : network.hosts()) known.lids += host.lid != 0;
    return known;
}

bool knows_more(Extent const& a, Extent const& b) {
    return a.nodes >= b.nodes && a.links >= b.links && a.lids >= b.lids &&
           (a.nodes > b.nodes || a.links > b.links || a.lids > b.lids);
}

/// In the order of Difference::Kind.
constexpr std::array codes = {
    diagnosis::Code::node_in_one_file,      diagnosis::Code::node_missing_in_file, diagnosis::Code::cable_differs,
    diagnosis::Code::cable_missing_in_file, diagnosis::Code::rate_differs,         diagnosis::Code::lid_differs,
    diagnosis::Code::port_guid_differs,     diagnosis::Code::name_differs,         diagnosis::Code::state_differs};
constexpr std::array<char const*, 9> singular = {"node is only there", "node is missing", "cable leads elsewhere",
                                                 "cable is missing",   "rate differs",    "LID differs",
                                                 "port GUID differs",  "name differs",    "cable is not active"};
constexpr std::array<char const*, 9> plural = {"nodes are only there", "nodes are missing", "cables lead elsewhere",
                                               "cables are missing",   "rates differ",      "LIDs differ",
                                               "port GUIDs differ",    "names differ",      "cables are not active"};

/// `a, b and c`
std::string text_of(std::vector<std::string> const& files) {
    std::string names;
    for (std::size_t i = 0; i < files.size(); ++i)
        names += (i == 0 ? "" : i + 1 == files.size() ? " and " : ", ") + name_of(files[i]);
    return names;
}

/// What several files tell alike, once.
class Collection {
public:
    void add(std::string const& file, std::vector<Difference>&& found) {
        for (Difference& one : found) {
            auto const [at, is_new] =
                index_.try_emplace({one.where.text, one.before + "|" + one.after}, differences_.size());
            if (is_new) differences_.push_back(std::move(one));
            differences_[at->second].files.push_back(file);
        }
    }

    void note(model::Disagreements& disagreements) const {
        std::map<std::vector<std::string>, std::vector<Difference const*>> by_files;
        for (Difference const& one : differences_) by_files[one.files].push_back(&one);
        for (auto const& [files, ones] : by_files) {
            if (ones.size() > most_apart) {
                note_many(disagreements, files, ones);
                continue;
            }
            for (Difference const* one : ones)
                disagreements.note(
                    codes[std::size_t(one->kind)], {files.front(), 0},
                    fmt::format("{} {}{}{}", one->before, text_of(files), one->after.empty() ? "" : ", ", one->after),
                    1, one->where);
        }
    }

private:
    static void note_many(model::Disagreements& disagreements, std::vector<std::string> const& files,
                          std::vector<Difference const*> const& ones) {
        std::array<std::size_t, singular.size()> times{};
        std::array<Difference const*, singular.size()> first{};
        for (Difference const* one : ones)
            if (times[std::size_t(one->kind)]++ == 0) first[std::size_t(one->kind)] = one;
        std::string list;
        for (std::size_t k = 0; k < times.size(); ++k)
            if (times[k] > 0)
                list += fmt::format("{}{} {} (the first: {})", list.empty() ? "" : "; ", times[k],
                                    times[k] == 1 ? singular[k] : plural[k], first[k]->where.text);
        model::FabricPlace where;
        where.text = text_of(files);
        for (Difference const* one : ones)
            where.nodes.insert(where.nodes.end(), one->where.nodes.begin(), one->where.nodes.end());
        disagreements.note(
            diagnosis::Code::file_of_another_run, {files.front(), 0},
            (files.size() == 1 ? "it is of another run, or cut off: " : "they are of another run, or cut off: ") + list,
            1, where);
    }

    std::vector<Difference> differences_;
    std::map<std::pair<std::string, std::string>, std::size_t> index_;
};

/// LIDs of ports that have none in the network, as other files tell them.
class MissingLids {
public:
    explicit MissingLids(model::Network const& network) : net_(network) {}

    void look_into(Description const& other) {
        model::NetworkMatch const match(other.network, net_);
        for (std::size_t n = 0; n < other.network.nodes().size(); ++n) {
            model::NodeRecord const& there = other.network[model::Node{n}];
            model::Node const node = match.node_after[model::Node{n}];
            if (there.kind == model::NodeKind::switch_node && node.exists() && net_.is_switch(node) &&
                net_[node].lid == 0)
                offer({node, 0, there.lid, there.lmc}, other.file);
        }
        for (model::HostRecord const& there : other.network.hosts()) {
            model::Node const node = match.node_after[there.node];
            if (!node.exists()) continue;
            for (model::Host const here : net_.hosts_of(node))
                if (net_[here].port == there.port && net_[here].lid == 0 && net_.up_link(here).exists())
                    offer({node, there.port, there.lid, there.lmc}, other.file);
        }
    }

    /// Those that nobody else has. The others are noted.
    std::vector<model::PortLid> taken(std::string const& used, model::Disagreements& told) const {
        std::vector<model::PortLid> lids;
        std::set<model::Lid> given;
        std::vector<std::pair<model::PortLid, std::string>> news;
        for (auto const& [port, known] : known_) {
            model::PortLid const& one = known.lid;
            std::string const names = text_of(known.files);
            if (std::string const whose = owner(one, given); !whose.empty()) {
                note(told, diagnosis::Code::lid_not_taken, one,
                     fmt::format("it has no LID by {}; {} by {}, which is {} and not taken", used, one.lid, names,
                                 whose));
                continue;
            }
            for (model::Lid lid = one.lid; lid < end_of(one); ++lid) given.insert(lid);
            lids.push_back(one);
            if (!go_on(told, one, fmt::format("; LID {} of {} is taken", one.lid, names)))
                news.emplace_back(one, names);
        }
        note_news(news, used, told);
        return lids;
    }

private:
    struct Known {
        model::PortLid lid;
        std::vector<std::string> files;
    };

    void offer(model::PortLid const& lid, std::string const& file) {
        if (lid.lid == 0) return;
        Known& known = known_.try_emplace({lid.node.value, lid.port}, Known{lid, {}}).first->second;
        if (known.lid.lid != lid.lid) return;  // that they differ is told when they are compared
        known.lid.lmc = std::max(known.lid.lmc, lid.lmc);
        known.files.push_back(name_of(file));
    }
    static model::Lid end_of(model::PortLid const& one) { return one.lid + (model::Lid{1} << one.lmc); }

    std::string owner(model::PortLid const& one, std::set<model::Lid> const& given) const {
        for (model::Lid lid = one.lid; lid < end_of(one); ++lid) {
            if (model::LidOwner const other = net_.owner(lid); other.node.exists())
                return net_.describe(other.node) + "'s";
            if (given.contains(lid)) return "another port's, too,";
        }
        return {};
    }

    /// What stands for the LID has been told: that is gone on with.
    static bool go_on(model::Disagreements& told, model::PortLid const& one, std::string const& more) {
        model::Disagreements changed(false, std::max(most_kept, told.noted().size()));
        std::array<std::uint64_t, diagnosis::disagreement_kinds> times{};
        bool found = false;
        for (model::NotedDisagreement const& noted : told.noted()) {
            bool const same =
                noted.code == diagnosis::Code::odd_lid && noted.where.node == one.node && noted.where.port == one.port;
            found |= same;
            ++times[std::size_t(noted.kind())];
            changed.note(noted.code, noted.place, same ? noted.text + more : noted.text, 1, noted.where);
        }
        if (!found) return false;
        for (std::size_t k = 0; k < times.size(); ++k)
            changed.count(model::Disagreement(k), told.times(model::Disagreement(k)) - times[k]);
        told = std::move(changed);
        return true;
    }

    void note(model::Disagreements& told, diagnosis::Code code, model::PortLid const& one,
              std::string const& text) const {
        told.note(code, {}, text, 1, net_.place_of(one.node, one.port));
    }
    void note_news(std::vector<std::pair<model::PortLid, std::string>> const& news, std::string const& used,
                   model::Disagreements& told) const {
        if (news.size() > most_apart) {
            model::FabricPlace where;
            where.text = used;
            auto const& [first, files] = news.front();
            told.note(
                diagnosis::Code::lid_from_another_file, {used, 0},
                fmt::format("it has no LID for {} ports; those of other files are taken (the first: {}, LID {} of "
                            "{})",
                            news.size(), net_.place_of(first.node, first.port).text, first.lid, files),
                1, where);
            return;
        }
        for (auto const& [one, files] : news)
            note(told, diagnosis::Code::lid_from_another_file, one,
                 fmt::format("it has no LID by {}; LID {} of {} is taken", used, one.lid, files));
    }

    model::Network const& net_;
    std::map<std::pair<std::uint32_t, model::Port>, Known> known_;
};

/// One note: the first damage at its place, how much more there is, and what follows from it.
void note_damage(Description const& damaged, Description const& used, model::NetworkMatch const& match, bool gives_way,
                 std::size_t differences, model::Disagreements& disagreements) {
    model::NotedDisagreement first{diagnosis::Code::file_damaged, {damaged.file, 0}, {}, "it is damaged"};
    bool found = false;  // a lost record may follow from a damaged line
    for (model::NotedDisagreement const& noted : damaged.told.noted())
        if (is_damage(noted.kind()) &&
            (!found || (first.code == diagnosis::Code::node_without_record && noted.code != first.code)))
            first = noted, found = true;
    model::FabricPlace where;  // of that file's network: here in the one that is used
    std::string text = first.text;
    if (model::Node const node = first.where.node.exists() ? match.node_after[first.where.node] : model::Node{};
        node.exists()) {
        where = used.network.place_of(node, first.where.port);
    } else {
        where.text = first.where.text;
    }
    if (where.text != name_of(damaged.file) && !where.text.empty())
        text = fmt::format("in {} {}", name_of(damaged.file), text);
    if (std::uint64_t const more = damage(damaged) - 1; more > 0)
        text += fmt::format("; {} more line{} or section{} of it {} damaged", more, more == 1 ? "" : "s",
                            more == 1 ? "" : "s", more == 1 ? "is" : "are");
    if (gives_way) text += fmt::format("; {} is used in its place", name_of(used.file));
    else if (differences > 0)
        text += fmt::format("; it differs from {} in {} place{}", name_of(used.file), differences,
                            differences == 1 ? "" : "s");
    disagreements.note(first.code, first.place, text, 1, where);
}

/// What a file beside the one that is used tells in two ways, where that is no difference already.
void note_told_twice(Description const& other, Description const& used, model::NetworkMatch const& match,
                     std::vector<Difference> const& found, model::Disagreements& disagreements) {
    std::set<std::string> told;
    for (Difference const& one : found) told.insert(one.where.text);
    std::vector<std::pair<model::NotedDisagreement const*, model::FabricPlace>> news;
    for (model::NotedDisagreement const& noted : other.told.noted()) {
        bool const is_value =
            noted.kind() == model::Disagreement::told_twice || noted.kind() == model::Disagreement::duplicate_guid;
        if (!is_value || !noted.where.node.exists()) continue;
        model::Node const node = match.node_after[noted.where.node];
        if (!node.exists()) continue;
        model::FabricPlace where = used.network.place_of(node, noted.where.port);
        bool const is_told =
            told.contains(where.text) || std::ranges::any_of(found, [&](Difference const& one) {
                return one.far == node || (one.kind == Difference::Kind::cable && one.where.node == node);
            });
        if (!is_told) news.emplace_back(&noted, std::move(where));
    }
    if (news.empty()) return;
    if (news.size() <= most_apart) {
        for (auto const& [noted, where] : news) disagreements.note(noted->code, noted->place, noted->text, 1, where);
        return;
    }
    auto const& [first, where] = news.front();
    disagreements.note(first->code, first->place,
                       fmt::format("{}; the same of {} more ports or nodes", first->text, news.size() - 1), 1, where);
}

/// Without LIDs and GUIDs that the file that is used tells in two ways: that is told.
void drop_told(Description const& used, std::vector<Difference>& found) {
    std::erase_if(found, [&](Difference const& one) {
        bool const is_value = one.kind == Difference::Kind::lid || one.kind == Difference::Kind::port_guid;
        return is_value && std::ranges::any_of(used.told.noted(), [&](model::NotedDisagreement const& noted) {
                   return noted.kind() == model::Disagreement::told_twice && noted.where.node == one.where.node;
               });
    });
}

/// But for names, which a map may give, and states, which change within a run.
std::vector<Difference> differences_of_networks(Description const& one, Description const& other) {
    std::vector<Difference> found = differences(one, other, model::NetworkMatch(other.network, one.network));
    std::erase_if(found, [](Difference const& each) {
        return each.kind == Difference::Kind::name || each.kind == Difference::Kind::state;
    });
    return found;
}

/// Two whole descriptions that tell the same network, where the first tells another one, or lacks nodes of it: it is of
/// another run, or has lost them.
std::optional<std::size_t> outvoted(std::vector<Description> const& descriptions) {
    std::vector<std::size_t> apart;
    for (std::size_t i = 1; i < descriptions.size(); ++i) {
        if (damage(descriptions[i]) > 0) continue;
        std::vector<Difference> const found = differences_of_networks(descriptions.front(), descriptions[i]);
        if (found.size() > most_apart ||
            std::ranges::any_of(found, [](auto const& one) { return one.kind == Difference::Kind::only_there; }))
            apart.push_back(i);
    }
    for (std::size_t a = 0; a < apart.size(); ++a)
        for (std::size_t b = a + 1; b < apart.size(); ++b)
            if (differences_of_networks(descriptions[apart[a]], descriptions[apart[b]]).empty()) return apart[a];
    return std::nullopt;
}

}  // namespace

std::size_t best_of(std::vector<Description> const& descriptions) {
    if (damage(descriptions.front()) == 0) return outvoted(descriptions).value_or(0);
    Extent const first = extent(descriptions.front().network);
    for (std::size_t i = 1; i < descriptions.size(); ++i)
        if (damage(descriptions[i]) == 0 && knows_more(extent(descriptions[i].network), first)) return i;
    return 0;
}

void fill_lids(std::vector<Description>& descriptions, std::size_t best) {
    Description& used = descriptions[best];
    MissingLids missing(used.network);
    for (std::size_t i = 0; i < descriptions.size(); ++i)
        if (i != best) missing.look_into(descriptions[i]);
    std::vector<model::PortLid> const lids = missing.taken(name_of(used.file), used.told);
    if (!lids.empty()) used.network = model::with_lids(used.network, lids);
}

void compare_descriptions(std::vector<Description> const& descriptions, std::size_t best,
                          model::Disagreements& disagreements) {
    Collection collection;
    for (std::size_t i = 0; i < descriptions.size(); ++i) {
        if (i == best) continue;
        Description const& used = descriptions[best];
        model::NetworkMatch const match(descriptions[i].network, used.network);
        std::vector<Difference> found = differences(used, descriptions[i], match);
        drop_told(used, found);
        note_told_twice(descriptions[i], used, match, found, disagreements);
        if (damage(descriptions[i]) > 0)
            note_damage(descriptions[i], used, match, i < best, found.size(), disagreements);
        else collection.add(descriptions[i].file, std::move(found));
    }
    collection.note(disagreements);
}

}  // namespace tailback::formats
