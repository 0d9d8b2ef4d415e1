#include "host/evaluation/adaptive/hash_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace tailback::evaluation {
namespace {

/// A path of a connection, one of those among which the hash picks.
struct Path {
    std::vector<std::uint32_t> links;
};

/// Who uses a link: connection and number of its path, ascending.
using Users = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// What another connection does to the two links of a path that depend on the draw: of `paths` equally probable paths
/// so many use the first alone, the second alone, and both. It has so many flows, which go together.
struct Others {
    std::uint32_t first = 0, second = 0, both = 0, paths = 1, flows = 1;
    auto operator<=>(Others const&) const = default;
};

class Law {
public:
    Law(model::ChoiceGraph const& graph, model::LinkCosts const& costs, std::span<HostFlow const> flows,
        double most_steps)
        : graph_(graph),
          costs_(costs),
          flows_(flows),
          left_(most_steps),
          users_(graph.forwarding().fabric().network.links().size()),
          certain_(users_.size()) {}

    std::optional<double> sum() {
        if (!find_connections()) return std::nullopt;
        for (std::uint32_t f = 0; f < paths_.size(); ++f)
            for (std::uint32_t p = 0; p < paths_[f].size(); ++p)
                for (std::uint32_t const link : paths_[f][p].links) users_[link].emplace_back(f, p);
        for (std::size_t link = 0; link < users_.size(); ++link) split_certain(link);
        double sum = 0;
        for (std::uint32_t f = 0; f < paths_.size(); ++f)
            for (std::uint32_t p = 0; p < paths_[f].size(); ++p) {
                std::optional<double> const rate = rate_of(f, p);
                if (!rate) return std::nullopt;
                sum += flows_of_[f] * *rate / double(paths_[f].size());
            }
        return sum;
    }

private:
    /// Flows of one connection go together. False where the law is not known.
    bool find_connections() {
        std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, std::size_t> number;
        for (HostFlow const& flow : flows_) {
            auto const [at, is_new] =
                number.try_emplace({flow.source.value, flow.destination.value, flow.connection}, paths_.size());
            if (flow.weight != 1) return false;
            if (!is_new) {
                ++flows_of_[at->second];
                continue;
            }
            flows_of_.push_back(1);
            if (!find_paths(flow, paths_.emplace_back())) return false;
        }
        return true;
    }
    /// False when the flow meets a second choice, or fails by some choice. A flow that always fails has no path.
    bool find_paths(HostFlow const& flow, std::vector<Path>& paths) const {
        std::uint32_t const c = graph_.class_of(flow.destination);
        model::Forwarding::Entry const& entry = graph_.forwarding().entry_of(flow.source);
        if (c == model::ChoiceGraph::none || entry.row == kernels::no_row) return true;
        model::ChoiceGraph::Class const& to = graph_.classes()[c];
        model::ChoiceGraph::Member const& member = graph_.members(to)[graph_.member_of(flow.destination)];
        std::span const column = graph_.column(to);
        Path common;
        if (entry.up.exists()) common.links.push_back(entry.up.value);
        std::uint32_t row = entry.row;
        bool arrived = false;
        while (!arrived && !model::ChoiceGraph::is_mark(column[row]) && graph_.options(column[row]).size() == 1)
            if (!step(graph_.options(column[row])[0], member, row, common, arrived)) return true;
        if (!arrived && column[row] == model::ChoiceGraph::no_way) return true;
        if (arrived || model::ChoiceGraph::is_mark(column[row])) {
            if (!arrived && column[row] == model::ChoiceGraph::exit) common.links.push_back(member.exit.value);
            paths.push_back(std::move(common));
            return true;
        }
        for (model::ChoiceGraph::Option const& option : graph_.options(column[row])) {
            paths.push_back(common);
            Path& path = paths.back();
            std::uint32_t at = row;
            arrived = false;
            bool sound = step(option, member, at, path, arrived);
            while (sound && !arrived && !model::ChoiceGraph::is_mark(column[at])) {
                if (graph_.options(column[at]).size() > 1) return false;
                sound = step(graph_.options(column[at])[0], member, at, path, arrived);
            }
            if (!sound || (!arrived && column[at] == model::ChoiceGraph::no_way)) return false;  // some draws fail
            if (!arrived && column[at] == model::ChoiceGraph::exit) path.links.push_back(member.exit.value);
        }
        return true;
    }
    /// False where the option fails, or the path is too long to be one.
    bool step(model::ChoiceGraph::Option const& option, model::ChoiceGraph::Member const& member, std::uint32_t& row,
              Path& path, bool& arrived) const {
        if (!option.link.exists() || path.links.size() > graph_.rows() + std::size_t{2}) return false;
        path.links.push_back(option.link.value);
        if (option.target < kernels::arrival_bit) return row = option.target, true;
        return arrived = graph_.delivers(option, member);
    }

    /// Connections that use a link whatever is drawn: their flows are counted. The others stay.
    void split_certain(std::size_t link) {
        Users uncertain;
        for (auto at = users_[link].begin(); at != users_[link].end();) {
            auto const end = std::find_if(at, users_[link].end(), [&](auto const& u) { return u.first != at->first; });
            if (std::size_t(end - at) == paths_[at->first].size()) certain_[link] += flows_of_[at->first];
            else uncertain.insert(uncertain.end(), at, end);
            at = end;
        }
        users_[link] = std::move(uncertain);
    }
    double cost(std::uint32_t link) const {
        return (costs_.cost.empty() ? 1.0 : double(costs_.cost[link])) / double(costs_.denominator);
    }

    /// Expected 1/congestion of a flow on one of its paths.
    std::optional<double> rate_of(std::uint32_t f, std::uint32_t p) {
        double least = 0;  // congestion that is certain
        std::array<std::uint32_t, 2> drawn{};
        std::size_t count = 0;
        for (std::uint32_t const link : paths_[f][p].links) {
            if (users_[link].empty()) least = std::max(least, double(certain_[link]) * cost(link));
            else if (count == 2) return std::nullopt;
            else drawn[count++] = link;
        }
        if (count == 0) return least > 0 ? 1 / least : 0;
        std::map<Others, std::uint32_t> others = others_of(f, drawn, count);
        // The connection itself is on both links of this path.
        auto const own = [&](std::size_t i) { return uses_always(f, drawn[i]) ? 0 : flows_of_[f]; };
        Key key{least,
                cost(drawn[0]),
                count == 2 ? cost(drawn[1]) : 0,
                certain_[drawn[0]] + own(0),
                count == 2 ? certain_[drawn[1]] + own(1) : 0,
                {others.begin(), others.end()}};
        auto const known = known_.find(key);
        if (known != known_.end()) return known->second;
        std::optional<double> const rate = expect(key);
        if (rate) known_.emplace(std::move(key), *rate);
        return rate;
    }
    bool uses_always(std::uint32_t f, std::uint32_t link) const {
        return std::none_of(users_[link].begin(), users_[link].end(),
                            [&](auto const& user) { return user.first == f; });
    }
    std::map<Others, std::uint32_t> others_of(std::uint32_t f, std::array<std::uint32_t, 2> const& drawn,
                                              std::size_t count) const {
        static Users const nobody;
        Users const &a = users_[drawn[0]], &b = count == 2 ? users_[drawn[1]] : nobody;
        std::map<Others, std::uint32_t> found;
        for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
            std::uint32_t const flow =
                std::min(i < a.size() ? a[i].first : UINT32_MAX, j < b.size() ? b[j].first : UINT32_MAX);
            Others one{.paths = static_cast<std::uint32_t>(paths_[flow].size()), .flows = flows_of_[flow]};
            while ((i < a.size() && a[i].first == flow) || (j < b.size() && b[j].first == flow)) {
                bool const left = i < a.size() && a[i].first == flow, right = j < b.size() && b[j].first == flow;
                if (left && right && a[i].second == b[j].second) ++one.both, ++i, ++j;
                else if (left && (!right || a[i].second < b[j].second)) ++one.first, ++i;
                else ++one.second, ++j;
            }
            if (flow != f) ++found[one];
        }
        return found;
    }

    struct Key {
        double least, cost_a, cost_b;
        std::uint32_t a, b;
        std::vector<std::pair<Others, std::uint32_t>> others;
        auto operator<=>(Key const&) const = default;
    };
    std::optional<double> expect(Key const& key) {
        std::size_t wide = 1, high = 1;
        for (auto const& [other, count] : key.others) {
            if (other.first + other.both > 0) wide += std::size_t{count} * other.flows;
            if (other.second + other.both > 0) high += std::size_t{count} * other.flows;
        }
        std::vector<double> now(wide * high), next(now.size());
        now[0] = 1;
        for (auto const& [other, count] : key.others) {
            double const in = 1.0 / other.paths, a = other.first * in, b = other.second * in, both = other.both * in;
            for (std::uint32_t i = 0; i < count; ++i) {
                if ((left_ -= double(now.size())) < 0) return std::nullopt;
                std::fill(next.begin(), next.end(), 0);
                for (std::size_t u = 0; u < wide; ++u)
                    for (std::size_t d = 0; d < high; ++d) {
                        double const here = now[u * high + d];
                        if (here == 0) continue;
                        next[u * high + d] += here * (1 - a - b - both);
                        std::size_t const more = other.flows;
                        if (a > 0) next[(u + more) * high + d] += here * a;
                        if (b > 0) next[u * high + d + more] += here * b;
                        if (both > 0) next[(u + more) * high + d + more] += here * both;
                    }
                now.swap(next);
            }
        }
        double rate = 0;
        for (std::size_t u = 0; u < wide; ++u)
            for (std::size_t d = 0; d < high; ++d)
                rate += now[u * high + d] /
                        std::max({key.least, double(key.a + u) * key.cost_a, double(key.b + d) * key.cost_b});
        return rate;
    }

    model::ChoiceGraph const& graph_;
    model::LinkCosts const& costs_;
    std::span<HostFlow const> flows_;
    double left_;
    std::vector<std::uint32_t> flows_of_;   // by connection
    std::vector<std::vector<Path>> paths_;  // by connection
    std::vector<Users> users_;
    std::vector<std::uint32_t> certain_;
    std::map<Key, double> known_;
};

}  // namespace

BallsInBins balls_in_bins(std::uint32_t balls, std::uint32_t bins) {
    BallsInBins found;
    if (balls == 0) return found;
    double const n = balls, m = bins;
    found.mean_rate = m / n * (1 - std::pow(1 - 1 / m, n));
    // P(largest <= k): bin after bin takes i of the r balls that are left, a binomial draw.
    std::vector<double> ways(balls + std::size_t{1}), next(ways.size());
    for (std::uint32_t k = 0; k < balls; ++k) {
        std::fill(ways.begin(), ways.end(), 0);
        ways[balls] = 1;
        for (std::uint32_t left = bins; left > 0; --left) {
            std::fill(next.begin(), next.end(), 0);
            for (std::uint32_t r = 0; r <= balls; ++r) {
                if (ways[r] == 0) continue;
                for (std::uint32_t i = 0; i <= std::min(k, r); ++i) {
                    double probability = left > 1 ? std::exp(std::lgamma(r + 1.0) - std::lgamma(i + 1.0) -
                                                             std::lgamma(double(r - i) + 1.0) - i * std::log(left) +
                                                             (r - i) * std::log1p(-1.0 / left))
                                                  : (i == r ? 1.0 : 0.0);
                    next[r - i] += ways[r] * probability;
                }
            }
            ways.swap(next);
        }
        found.mean_largest += 1 - ways[0];
    }
    return found;
}

std::optional<double> expected_bandwidth(model::ChoiceGraph const& graph, model::LinkCosts const& costs,
                                         std::span<HostFlow const> flows, double most_steps) {
    return Law(graph, costs, flows, most_steps).sum();
}

}  // namespace tailback::evaluation
