// ECMP by hash, Valiant's two phases, and random choices among the k shortest or all short routes.
#include "topologies/routings/pairs.hpp"

#include "host/base/error.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "topologies/draws.hpp"
#include "topologies/flow_hash.hpp"
#include "topologies/routing.hpp"
#include "topologies/routings/hashed_sets.hpp"
#include "topologies/routings/k_shortest.hpp"
#include "topologies/routings/pairs_on_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tailback::topologies {
namespace {

/// 64 random bits as a function of a seed, two hosts and a number.
std::uint64_t drawn_bits(std::uint64_t seed, BuildStream stream, model::Host s, model::Host d, std::uint32_t number) {
    kernels::PhiloxBlock const block =
        kernels::philox(s.value, d.value, number, static_cast<std::uint32_t>(stream), seed);
    return std::uint64_t{block.word[0]} << 32 | block.word[1];
}
std::uint64_t part_of(std::uint64_t bits, std::uint64_t range) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(bits) * range >> 64);
}

void check_size(std::string const& what, std::uint64_t bytes) {
    if (bytes > most_bytes)
        throw base::InputError({}, what + " on this network needs " + std::to_string(bytes >> 30) + " GiB",
                               "4 GiB is the limit", "choose a smaller network");
}

class Ecmp : public PairsOnGraph, public model::ExpectedRoutes {
public:
    Ecmp(Topology const& topology, Arguments const& options, std::uint64_t seed)
        : PairsOnGraph(topology, pairs_text(options, seed)),
          hash_(hash_options(options, seed)),
          row_(graph_.size(), ForwardingGraph::none) {
        std::vector<std::uint32_t> const targets = ends();
        check_size("ecmp", std::uint64_t{targets.size()} * graph_.size() * sizeof(std::uint32_t));
        hops_.reserve(targets.size() * graph_.size());
        std::vector<std::uint32_t> hops, order;
        for (std::uint32_t const target : targets) {
            row_[target] = static_cast<std::uint32_t>(hops_.size() / graph_.size());
            graph_.distances(target, hops, order);
            hops_.insert(hops_.end(), hops.begin(), hops.end());
        }
    }

    model::ExpectedRoutes const* law() const override { return this; }
    /// Every shortest way on is as probable as the others.
    bool expect(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::LinkShare>& shares) const override {
        return expect_with(network, source, destination, shares, [&](std::uint32_t from, std::uint32_t to) {
            std::uint32_t const* const hops = hops_.data() + std::size_t(row_[to]) * graph_.size();
            std::vector<double> here(graph_.size());
            std::vector<std::uint32_t> queue = {from}, next;  // a queue of equally far forwarders after the other
            here[from] = 1;
            for (std::size_t i = 0; i < queue.size() && queue[i] != to; ++i) {
                std::uint32_t const at = queue[i];
                next.clear();
                for (std::uint32_t a = graph_.first_arc[at]; a < graph_.first_arc[at + 1]; ++a)
                    if (std::uint32_t const v = graph_.arcs[a].to;
                        hops[at] != ForwardingGraph::none && hops[v] + 1 == hops[at] && usable(v, to))
                        next.push_back(a);
                if (next.empty()) return false;
                double const share = here[at] / double(next.size());
                for (std::uint32_t const a : next) {
                    shares.push_back({link_of(network, a, at), share});
                    if (here[graph_.arcs[a].to] == 0) queue.push_back(graph_.arcs[a].to);
                    here[graph_.arcs[a].to] += share;
                }
            }
            return true;
        });
    }

protected:
    bool way(model::Network const& network, std::uint32_t from, std::uint32_t to, model::Host source,
             model::Host destination, std::vector<model::Link>& links) const override {
        std::uint32_t const* const hops = hops_.data() + std::size_t(row_[to]) * graph_.size();
        for (std::uint32_t at = from; at != to;) {
            std::uint32_t count = 0;
            auto const each = [&](auto&& take) {
                for (std::uint32_t a = graph_.first_arc[at]; a < graph_.first_arc[at + 1]; ++a)
                    if (std::uint32_t const next = graph_.arcs[a].to;
                        hops[at] != ForwardingGraph::none && hops[next] + 1 == hops[at] && usable(next, to))
                        take(a);
            };
            each([&](std::uint32_t) { ++count; });
            if (count == 0) return false;
            std::size_t skip = hash_.pick({source, destination}, graph_.nodes[at], count);
            std::uint32_t chosen = 0;
            each([&](std::uint32_t a) {
                if (skip-- == 0) chosen = a;
            });
            links.push_back(link_of(network, chosen, at));
            at = graph_.arcs[chosen].to;
        }
        return true;
    }

private:
    FlowHash hash_;
    std::vector<std::uint32_t> row_, hops_;
};

/// Some forwarders, and which of them have a way from one and to another. Forwarders that reach each other share an
/// answer, so there are as many as parts that the network has fallen into (and hosts that let no packets through).
class OnTheWay {
public:
    /// @param middles forwarders that let packets through. @param ends those that are asked about.
    OnTheWay(ForwardingGraph const& graph, std::vector<std::uint32_t> middles, std::vector<std::uint32_t> const& ends)
        : middles_(std::move(middles)), class_(graph.size(), ForwardingGraph::none) {
        for (std::uint32_t const end : ends) {
            if (graph.transit[end]) classify(graph, end);
            else classify_host(graph, end);
        }
        auto const full = [&](Bits const& one) {
            std::size_t count = 0;
            for (std::uint64_t const word : one) count += static_cast<std::size_t>(std::popcount(word));
            return count == middles_.size();
        };
        all_ = std::all_of(from_.begin(), from_.end(), full) && std::all_of(to_.begin(), to_.end(), full);
    }

    /// From now on the middle is in a group that is neither the first forwarder's nor the last one's.
    /// @param group by forwarder.
    void leave_own_groups(std::vector<std::uint32_t> const& group) {
        group_ = group;
        std::uint32_t const groups = group.empty() ? 0 : *std::max_element(group.begin(), group.end()) + 1;
        for (std::uint32_t g = 0; g < groups; ++g)
            outside_.push_back(bits([&](std::uint32_t v) { return group[v] != g; }));
    }
    /// All that may be drawn.
    std::vector<std::uint32_t> all(std::uint32_t from, std::uint32_t to) const {
        std::vector<std::uint32_t> found;
        std::uint32_t count = 1;
        for (std::uint32_t i = 0; i < count; ++i) {
            std::uint32_t const middle = drawn(from, to, [&](std::uint32_t range) {
                count = range;
                return i;
            });
            if (middle != ForwardingGraph::none) found.push_back(middle);
        }
        return found;
    }
    /// One of them by `draw(range)`; none = there is none.
    template <class Draw>
    std::uint32_t drawn(std::uint32_t from, std::uint32_t to, Draw&& draw) const {
        if (all_ && outside_.empty()) return middles_.empty() ? ForwardingGraph::none : middles_[draw(count())];
        Bits const& ahead = from_[class_[from]];
        Bits const& behind = to_[class_[to]];
        auto const word = [&](std::size_t w) {
            std::uint64_t const both = ahead[w] & behind[w];
            return outside_.empty() ? both : both & outside_[group_[from]][w] & outside_[group_[to]][w];
        };
        std::uint32_t found = 0;
        for (std::size_t w = 0; w < ahead.size(); ++w) found += static_cast<std::uint32_t>(std::popcount(word(w)));
        if (found == 0) return ForwardingGraph::none;
        std::uint32_t skip = draw(found);
        for (std::size_t w = 0;; ++w) {
            std::uint64_t both = word(w);
            auto const here = static_cast<std::uint32_t>(std::popcount(both));
            if (skip >= here) {
                skip -= here;
                continue;
            }
            for (; skip > 0; --skip) both &= both - 1;
            return middles_[w * 64 + static_cast<std::size_t>(std::countr_zero(both))];
        }
    }

private:
    using Bits = std::vector<std::uint64_t>;  // by place in middles_
    std::uint32_t count() const { return static_cast<std::uint32_t>(middles_.size()); }
    template <class Has>
    Bits bits(Has&& has) const {
        Bits found((middles_.size() + 63) / 64);
        for (std::size_t i = 0; i < middles_.size(); ++i)
            if (has(middles_[i])) found[i / 64] |= std::uint64_t{1} << i % 64;
        return found;
    }
    void classify(ForwardingGraph const& graph, std::uint32_t v) {
        if (class_[v] != ForwardingGraph::none) return;
        std::vector<std::uint32_t> hops, reaching;
        std::vector<std::uint8_t> reached;
        graph.distances(v, hops, reaching);
        find_reached(graph, v, reached);
        for (std::uint32_t const u : reaching)
            if (reached[u] && graph.transit[u]) class_[u] = static_cast<std::uint32_t>(from_.size());
        from_.push_back(bits([&](std::uint32_t u) { return reached[u] != 0; }));
        to_.push_back(bits([&](std::uint32_t u) { return hops[u] != ForwardingGraph::none; }));
    }
    /// One that lets no packets through has the ways of its neighbours.
    void classify_host(ForwardingGraph const& graph, std::uint32_t v) {
        Bits from((middles_.size() + 63) / 64), to = from;
        auto const add = [&](Bits& sum, std::vector<Bits> const& of, std::uint32_t neighbour) {
            if (graph.transit[neighbour])
                for (std::size_t w = 0; w < sum.size(); ++w) sum[w] |= of[class_[neighbour]][w];
        };
        for (std::uint32_t a = graph.first_arc[v]; a < graph.first_arc[v + 1]; ++a) {
            if (graph.transit[graph.arcs[a].to]) classify(graph, graph.arcs[a].to);
            add(from, from_, graph.arcs[a].to);
        }
        for (std::uint32_t i = graph.first_in[v]; i < graph.first_in[v + 1]; ++i) {
            if (graph.transit[graph.in[i]]) classify(graph, graph.in[i]);
            add(to, to_, graph.in[i]);
        }
        class_[v] = static_cast<std::uint32_t>(from_.size());
        from_.push_back(std::move(from));
        to_.push_back(std::move(to));
    }
    static void find_reached(ForwardingGraph const& graph, std::uint32_t start, std::vector<std::uint8_t>& reached) {
        reached.assign(graph.size(), 0);
        reached[start] = 1;
        std::vector<std::uint32_t> queue(1, start);
        for (std::size_t i = 0; i < queue.size(); ++i) {
            if (!graph.transit[queue[i]]) continue;
            for (std::uint32_t a = graph.first_arc[queue[i]]; a < graph.first_arc[queue[i] + 1]; ++a)
                if (std::uint32_t const to = graph.arcs[a].to; !reached[to]) {
                    reached[to] = 1;
                    queue.push_back(to);
                }
        }
    }

    std::vector<std::uint32_t> middles_, class_;  // class_ by forwarder
    std::vector<Bits> from_, to_;                 // by class
    bool all_ = false;                            // nothing is cut off
    std::vector<std::uint32_t> group_;            // by forwarder
    std::vector<Bits> outside_;                   // by group; empty: any will do
};

class Valiant : public PairsOnGraph, public model::ExpectedRoutes {
public:
    Valiant(Topology const& topology, RoutingSpec const& spec)
        : PairsOnGraph(topology, pairs_text(spec.arguments(), spec.seed())),
          seed_(spec.seed()),
          middles_(graph_, switches_of(ends(false).empty() ? ends() : ends(false)), ends()) {
        if (spec.arguments().word("via") != "switch") {
            if (topology.groups.empty())
                throw base::InputError({}, "valiant via groups needs groups", "the switches of this network have none",
                                       "leave out via=" + spec.arguments().word("via"));
            group_.resize(graph_.size());
            for (std::uint32_t v = 0, s = 0; v < graph_.size(); ++v)
                if (topology.network.is_switch(graph_.nodes[v])) group_[v] = topology.groups[s++];
            if (spec.arguments().word("via") == "other-group") middles_.leave_own_groups(group_);
        }
        std::string const usual = topology.usual_routing == "dmodk" ? "minhop" : topology.usual_routing;
        RoutingSpec const by = spec.by() != nullptr ? *spec.by() : RoutingSpec(usual, spec.seed());
        Routes routes = make_routes(topology, by);
        if (routes.routing->depends_on_source())
            throw base::InputError(
                {}, "\"" + spec.text() + "\" does not work",
                "its two halves follow tables, and the routes of \"" + by.text() + "\" also depend on the source",
                "choose by= a routing that depends on the destination alone, such as minhop");
        tables_ = std::move(routes.tables);
    }

    model::ExpectedRoutes const* law() const override { return this; }
    /// Every middle is as probable as the others.
    bool expect(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::LinkShare>& shares) const override {
        return expect_with(network, source, destination, shares, [&](std::uint32_t from, std::uint32_t to) {
            std::vector<std::uint32_t> middles;
            if (group_.empty() || group_[from] != group_[to]) middles = middles_.all(from, to);
            bool const none = middles.empty();
            if (none) middles.push_back(to);
            std::vector<model::Link> links;
            for (std::uint32_t const middle : middles) {
                links.clear();
                std::uint32_t at = from;
                if (!none && !walk(network, at, middle, !group_.empty(), links)) return false;
                if (!walk(network, at, to, false, links)) return false;
                cut_repeats(links, 0);
                for (model::Link const link : links) shares.push_back({link, 1.0 / double(middles.size())});
            }
            return true;
        });
    }

protected:
    bool way(model::Network const& network, std::uint32_t from, std::uint32_t to, model::Host source,
             model::Host destination, std::vector<model::Link>& links) const override {
        std::uint32_t at = from;
        if (group_.empty() || group_[from] != group_[to]) {
            std::uint32_t const middle = middles_.drawn(from, to, [&](std::uint32_t range) {
                return kernels::drawn_middle(seed_, source.value, destination.value, range);
            });
            if (middle != ForwardingGraph::none && !walk(network, at, middle, !group_.empty(), links)) return false;
        }
        return walk(network, at, to, false, links);
    }

private:
    /// Hosts that choose among their cables let no packets through: the switches beside them stand for them.
    std::vector<std::uint32_t> switches_of(std::vector<std::uint32_t> const& ends) const {
        std::vector<std::uint8_t> taken(graph_.size());
        for (std::uint32_t const v : ends) {
            if (graph_.transit[v]) taken[v] = 1;
            else
                for (std::uint32_t i = graph_.first_in[v]; i < graph_.first_in[v + 1]; ++i)
                    taken[graph_.in[i]] = graph_.transit[graph_.in[i]];
        }
        std::vector<std::uint32_t> found;
        for (std::uint32_t v = 0; v < graph_.size(); ++v)
            if (taken[v]) found.push_back(v);
        return found;
    }
    /// By the tables to a forwarder's own LID, or to that of any host on it; or only until its group is reached.
    bool walk(model::Network const& network, std::uint32_t& at, std::uint32_t to, bool to_group,
              std::vector<model::Link>& links) const {
        if (at == to) return true;
        std::uint32_t const any = graph_.first_destination[to];
        if (any == graph_.first_destination[to + 1]) return false;
        model::Lid const lid = graph_.destinations[any].lid;  // hosts come first: no routing leaves them out
        for (std::uint32_t steps = 0; at != to && !(to_group && group_[at] == group_[to]); ++steps) {
            if (steps > graph_.size()) return false;
            model::Port const port = tables_.port(graph_.nodes[at], lid);
            model::Link const link = port == model::ForwardingTables::no_entry || port == 0
                                         ? model::Link{}
                                         : network.link_at(graph_.nodes[at], port);
            if (!link.exists()) return false;
            links.push_back(link);
            at = graph_.index[network[link].to.value];
            if (at == ForwardingGraph::none) return false;
        }
        return true;
    }

    std::uint64_t seed_;
    OnTheWay middles_;
    std::vector<std::uint32_t> group_;  // by forwarder; empty = all the way to the middle
    model::ForwardingTables tables_;
};

class KShortest : public PairsOnGraph, public model::ExpectedRoutes {
public:
    KShortest(Topology const& topology, Arguments const& options, std::uint64_t seed)
        : PairsOnGraph(topology, pairs_text(options, seed)), seed_(seed), place_(graph_.size(), ForwardingGraph::none) {
        std::vector<std::uint32_t> const targets = ends();
        std::uint32_t const k = options.number("k");
        check_size("kshortest", std::uint64_t{targets.size()} * targets.size() * (64 + std::uint64_t{k} * 48));
        for (std::size_t i = 0; i < targets.size(); ++i) place_[targets[i]] = static_cast<std::uint32_t>(i);
        count_ = targets.size();
        paths_.resize(count_ * count_);
        kernels::NextOf next(count_);
        kernels::in_threads(0, [&] {
            for (std::size_t from; next.take(from);) {
                KShortestPaths find(graph_);
                for (std::size_t to = 0; to < count_; ++to)
                    if (from != to) paths_[from * count_ + to] = find(targets[from], targets[to], k);
            }
        });
    }

    model::ExpectedRoutes const* law() const override { return this; }
    /// Every one of the routes is as probable as the others.
    bool expect(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::LinkShare>& shares) const override {
        return expect_with(network, source, destination, shares, [&](std::uint32_t from, std::uint32_t to) {
            if (place_[from] == ForwardingGraph::none) return false;
            auto const& ways = paths_[place_[from] * count_ + place_[to]];
            for (std::vector<std::uint32_t> const& way : ways) {
                std::uint32_t at = from;
                for (std::uint32_t const arc : way) {
                    shares.push_back({link_of(network, arc, at), 1.0 / double(ways.size())});
                    at = graph_.arcs[arc].to;
                }
            }
            return !ways.empty();
        });
    }

protected:
    bool way(model::Network const& network, std::uint32_t from, std::uint32_t to, model::Host source,
             model::Host destination, std::vector<model::Link>& links) const override {
        if (place_[from] == ForwardingGraph::none) return false;
        std::vector<std::vector<std::uint32_t>> const& ways = paths_[place_[from] * count_ + place_[to]];
        if (ways.empty()) return false;
        std::uint32_t at = from;
        for (std::uint32_t const arc :
             ways[part_of(drawn_bits(seed_, BuildStream::kshortest, source, destination, 0), ways.size())]) {
            links.push_back(link_of(network, arc, at));
            at = graph_.arcs[arc].to;
        }
        return true;
    }

private:
    std::uint64_t seed_;
    std::vector<std::uint32_t> place_;
    std::size_t count_ = 0;
    std::vector<std::vector<std::vector<std::uint32_t>>> paths_;  // [from][to]
};

/// Counts the ways of each length to each target; a drawn number then walks one of them. Ways that meet a node twice
/// (there are none of up to one link more than the shortest) are drawn again.
class AllPath : public PairsOnGraph, public model::ExpectedRoutes {
public:
    AllPath(Topology const& topology, Arguments const& options, std::uint64_t seed)
        : PairsOnGraph(topology, pairs_text(options, seed)),
          seed_(seed),
          more_(options.number("d")),
          row_(graph_.size(), ForwardingGraph::none) {
        std::vector<std::uint32_t> const targets = ends();
        std::vector<std::uint32_t> hops, order;
        std::uint32_t farthest = 0;
        for (std::uint32_t const target : targets) {
            graph_.distances(target, hops, order);
            farthest = std::max(farthest, hops[order.back()]);
        }
        lengths_ = farthest + more_ + 1;
        check_size("allpath", std::uint64_t{targets.size()} * lengths_ * graph_.size() * sizeof(std::uint64_t));
        paths_.assign(targets.size() * lengths_ * graph_.size(), 0);
        for (std::size_t i = 0; i < targets.size(); ++i) {
            row_[targets[i]] = static_cast<std::uint32_t>(i);
            ways(targets[i], 0)[targets[i]] = 1;
            for (std::uint32_t length = 1; length < lengths_; ++length)
                for (std::uint32_t v = 0; v < graph_.size(); ++v) {
                    if (v == targets[i]) continue;
                    std::uint64_t& sum = ways(targets[i], length)[v];
                    for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a)
                        if (std::uint32_t const to = graph_.arcs[a].to; usable(to, targets[i]))
                            sum = std::min(sum + ways(targets[i], length - 1)[to], std::uint64_t{1} << 61);
                }
        }
    }

    model::ExpectedRoutes const* law() const override { return this; }
    /// Every route without a circle is as probable as the others. @throws InputError where a pair has too many.
    bool expect(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::LinkShare>& shares) const override {
        return expect_with(network, source, destination, shares, [&](std::uint32_t from, std::uint32_t to) {
            Walk walk{to, {from}, {}, {}, 0};
            std::uint32_t shortest = 0;
            while (shortest < lengths_ && ways(to, shortest)[from] == 0) ++shortest;
            if (shortest == lengths_) return false;
            std::uint64_t walks = 0;
            for (std::uint32_t length = shortest; length <= std::min(shortest + more_, lengths_ - 1); ++length) {
                walks += ways(to, length)[from];
                if (walks > most_walks)
                    throw base::InputError({}, "expected loads of allpath take too long here",
                                           "a pair has more than 100,000 routes", "choose a smaller d");
                walk_all(walk, length);
            }
            for (auto const& [arc, at, count] : walk.uses)
                shares.push_back({link_of(network, arc, at), double(count) / double(walk.routes)});
            return true;
        });
    }

protected:
    bool way(model::Network const& network, std::uint32_t from, std::uint32_t to, model::Host source,
             model::Host destination, std::vector<model::Link>& links) const override {
        std::uint32_t shortest = 0;
        while (shortest < lengths_ && ways(to, shortest)[from] == 0) ++shortest;
        if (shortest == lengths_) return false;
        std::uint32_t const longest = std::min(shortest + more_, lengths_ - 1);
        std::uint64_t total = 0;
        for (std::uint32_t length = shortest; length <= longest; ++length) total += ways(to, length)[from];
        std::size_t const begin = links.size();
        std::vector<std::uint32_t> met;
        for (std::uint32_t attempt = 0;; ++attempt) {
            links.resize(begin);
            met.assign(1, from);
            std::uint64_t number =
                part_of(drawn_bits(seed_, BuildStream::allpath, source, destination, attempt), total);
            std::uint32_t length = shortest;
            while (number >= ways(to, length)[from]) number -= ways(to, length++)[from];
            if (attempt == 1000) length = shortest;  // the shortest ways meet no node twice
            if (attempt == 1000) number %= ways(to, length)[from];
            bool again = false;
            for (std::uint32_t at = from; at != to; --length) {
                for (std::uint32_t a = graph_.first_arc[at]; a < graph_.first_arc[at + 1]; ++a) {
                    std::uint32_t const next = graph_.arcs[a].to;
                    if (!usable(next, to)) continue;
                    std::uint64_t const count = ways(to, length - 1)[next];
                    if (number >= count) {
                        number -= count;
                        continue;
                    }
                    links.push_back(link_of(network, a, at));
                    again = again || std::find(met.begin(), met.end(), next) != met.end();
                    met.push_back(next);
                    at = next;
                    break;
                }
            }
            if (!again) return true;
        }
    }

private:
    static constexpr std::uint64_t most_walks = 100'000;
    /// All walks of some lengths from a forwarder to another: how often those that meet no node twice use an arc.
    struct Walk {
        std::uint32_t to;
        std::vector<std::uint32_t> met, arcs;
        struct Use {
            std::uint32_t arc, at;
            std::uint64_t count;
        };
        std::vector<Use> uses;
        std::uint64_t routes = 0;
    };
    void walk_all(Walk& walk, std::uint32_t length) const {
        if (length == 0) {
            ++walk.routes;
            for (std::size_t i = 0; i < walk.arcs.size(); ++i) {
                auto const known = std::find_if(walk.uses.begin(), walk.uses.end(),
                                                [&](Walk::Use const& use) { return use.arc == walk.arcs[i]; });
                if (known != walk.uses.end()) ++known->count;
                else walk.uses.push_back({walk.arcs[i], walk.met[i], 1});
            }
            return;
        }
        std::uint32_t const at = walk.met.back();
        for (std::uint32_t a = graph_.first_arc[at]; a < graph_.first_arc[at + 1]; ++a) {
            std::uint32_t const next = graph_.arcs[a].to;
            if (!usable(next, walk.to) || ways(walk.to, length - 1)[next] == 0) continue;
            if (std::find(walk.met.begin(), walk.met.end(), next) != walk.met.end()) continue;
            walk.met.push_back(next), walk.arcs.push_back(a);
            walk_all(walk, length - 1);
            walk.met.pop_back(), walk.arcs.pop_back();
        }
    }
    std::uint64_t* ways(std::uint32_t target, std::uint32_t length) {
        return paths_.data() + (std::size_t(row_[target]) * lengths_ + length) * graph_.size();
    }
    std::uint64_t const* ways(std::uint32_t target, std::uint32_t length) const {
        return paths_.data() + (std::size_t(row_[target]) * lengths_ + length) * graph_.size();
    }

    std::uint64_t seed_;
    std::uint32_t more_, lengths_ = 0;
    std::vector<std::uint32_t> row_;
    std::vector<std::uint64_t> paths_;  // [target][length][forwarder]
};

}  // namespace

std::string pairs_text(Arguments const& options, std::uint64_t seed) {
    return fmt::format("{}, seed {}", options.text(), seed);
}

std::shared_ptr<model::PairRoutes const> pairs_ecmp(Topology const& topology, RoutingSpec const& spec) {
    return std::make_shared<Ecmp>(topology, spec.arguments(), spec.seed());
}
std::shared_ptr<model::PairRoutes const> pairs_valiant(Topology const& topology, RoutingSpec const& spec) {
    return std::make_shared<Valiant>(topology, spec);
}
std::shared_ptr<model::PairRoutes const> pairs_kshortest(Topology const& topology, RoutingSpec const& spec) {
    return std::make_shared<KShortest>(topology, spec.arguments(), spec.seed());
}
std::shared_ptr<model::PairRoutes const> pairs_allpath(Topology const& topology, RoutingSpec const& spec) {
    return std::make_shared<AllPath>(topology, spec.arguments(), spec.seed());
}

}  // namespace tailback::topologies
