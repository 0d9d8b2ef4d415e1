#include "topologies/families/torus/torus_rlb.hpp"

#include "host/model/routes/expected_routes.hpp"
#include "topologies/draws.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tailback::topologies {
namespace {

constexpr std::size_t most = TorusShape::most_dimensions;

class RlbPairs final : public model::PairRoutes, public model::ExpectedRoutes {
public:
    RlbPairs(TorusShape shape, bool threshold, std::uint64_t seed, std::string text)
        : shape_(std::move(shape)), threshold_(threshold), seed_(seed), text_(std::move(text)) {}
    std::string text() const override { return text_; }

    bool append(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::Link>& links) const override {
        model::Link const up = network.up_link(source);
        if (!up.exists()) return false;
        links.push_back(up);
        model::PortWalk walk(network, network[up].to, links);
        std::size_t const dimensions = shape_.sizes.size();
        std::array<Way, most> ways;
        std::array<std::uint32_t, most> middle;
        Words words(seed_, source, destination);
        for (std::size_t d = 0; d < dimensions; ++d) {
            auto const [near, far] = ways_of(source, destination, d);
            bool const long_way = far.steps > 0 && words.below(shape_.sizes[d]) < near.steps && !stays_near(d, near);
            ways[d] = long_way ? far : near;
            middle[d] = words.below(ways[d].steps + 1);
        }
        for (int phase = 0; phase < 2; ++phase) {
            std::array<std::size_t, most> order;
            for (std::size_t d = 0; d < dimensions; ++d) order[d] = d;
            for (std::size_t d = 0; d + 1 < dimensions; ++d)
                std::swap(order[d], order[d + words.below(static_cast<std::uint32_t>(dimensions - d))]);
            for (std::size_t i = 0; i < dimensions; ++i) {
                std::size_t const d = order[i];
                std::uint32_t const steps = phase == 0 ? middle[d] : ways[d].steps - middle[d];
                for (std::uint32_t step = 0; step < steps; ++step)
                    if (!walk.go(ways[d].port)) return false;
            }
        }
        return walk.go(destination.value % shape_.hosts + 1);
    }

    model::ExpectedRoutes const* law() const override { return this; }
    /// A step of dimension d, i steps from the source, is taken before the middle if that lies beyond i, with the
    /// dimensions that come before d at the middle and the others at the source; behind the middle likewise.
    bool expect(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::LinkShare>& shares) const override {
        model::Link const up = network.up_link(source), down = network.up_link(destination);
        if (!up.exists() || !down.exists() || !network[down].reverse.exists()) return false;
        shares.push_back({up, 1});
        shares.push_back({network[down].reverse, 1});
        Place place{network, shares, network[up].to.value - source.value / shape_.hosts, {}, {}};
        return expect_ways(place, source, destination, 0, 1);
    }

private:
    struct Way {
        model::Port port = 0;
        std::uint32_t steps = 0;
        bool plus = true;
    };
    /// Draws of a pair, one after the other.
    class Words {
    public:
        Words(std::uint64_t seed, model::Host s, model::Host d) : seed_(seed), source_(s), destination_(d) {}
        std::uint32_t below(std::uint32_t range) {
            if (used_ == 4) {
                block_ = kernels::philox(source_.value, destination_.value, count_++,
                                         static_cast<std::uint32_t>(BuildStream::rlb), seed_);
                used_ = 0;
            }
            return static_cast<std::uint32_t>(std::uint64_t{block_.word[used_++]} * range >> 32);
        }

    private:
        std::uint64_t seed_;
        model::Host source_, destination_;
        kernels::PhiloxBlock block_{};
        std::uint32_t count_ = 0;
        int used_ = 4;
    };

    bool stays_near(std::size_t d, Way const& near) const { return threshold_ && 4 * near.steps < shape_.sizes[d]; }
    /// The short way, and the other one round the ring; without steps where there is none.
    std::pair<Way, Way> ways_of(model::Host source, model::Host destination, std::size_t d) const {
        std::uint32_t stride = 1;
        for (std::size_t before = 0; before < d; ++before) stride *= shape_.sizes[before];
        std::uint32_t const n = shape_.sizes[d];
        std::uint32_t const a = source.value / shape_.hosts / stride % n,
                            b = destination.value / shape_.hosts / stride % n;
        if (a == b) return {};
        std::uint32_t const ahead = b > a ? b - a : b + n - a;
        Way const plus{shape_.plus_port(d), ahead, true}, minus{shape_.minus_port(d), n - ahead, false};
        if (shape_.one_way) return {plus, {}};
        if (!shape_.wraps || n == 2)
            return {b > a ? Way{shape_.plus_port(d), b - a, true} : Way{shape_.minus_port(d), a - b, false}, {}};
        return ahead <= n - ahead ? std::pair{plus, minus} : std::pair{minus, plus};
    }

    struct Place {
        model::Network const& network;
        std::vector<model::LinkShare>& shares;
        std::uint32_t first_switch;
        std::array<Way, most> ways;
        std::array<std::uint32_t, most> at;  // steps from the source, by dimension
    };
    bool expect_ways(Place& place, model::Host source, model::Host destination, std::size_t d, double share) const {
        if (d == shape_.sizes.size()) return expect_steps(place, source.value / shape_.hosts, share);
        auto const [near, far] = ways_of(source, destination, d);
        double const long_way =
            far.steps > 0 && !stays_near(d, near) ? double(near.steps) / double(shape_.sizes[d]) : 0;
        place.ways[d] = near;
        if (!expect_ways(place, source, destination, d + 1, share * (1 - long_way))) return false;
        place.ways[d] = far;
        return long_way == 0 || expect_ways(place, source, destination, d + 1, share * long_way);
    }
    bool expect_steps(Place& place, std::uint32_t source, double share) const {
        std::size_t const dimensions = shape_.sizes.size();
        for (std::size_t d = 0; d < dimensions; ++d) {
            if (place.ways[d].steps == 0) continue;
            for (std::uint32_t before = 0; before < 1u << dimensions; ++before) {
                if ((before >> d & 1) != 0) continue;
                double const probability = share * order_probability(dimensions, before);
                for (int const phase : {0, 1})
                    if (!expect_free(place, source, {d, before, phase}, 0, probability)) return false;
            }
        }
        return true;
    }
    /// That in a random order the dimensions of a set, and no others, come before one.
    static double order_probability(std::size_t dimensions, std::uint32_t before) {
        std::size_t count = 0;
        for (; before != 0; before &= before - 1) ++count;
        double probability = 1.0 / double(dimensions);
        for (std::size_t i = 1; i <= count; ++i) probability *= double(i) / double(dimensions - i);
        return probability;
    }
    /// The steps of dimension d on the way to the middle (phase 0) or from there (1), after those of a set of others.
    struct Turn {
        std::size_t d;
        std::uint32_t before;
        int phase;
    };
    /// Other dimensions stand at the middle, at any of its places, or at an end: then the steps of dimension d.
    bool expect_free(Place& place, std::uint32_t source, Turn const& turn, std::size_t m, double share) const {
        auto const [d, before, phase] = turn;
        if (m == shape_.sizes.size()) return expect_line(place, source, d, phase, share);
        if (m == d) return expect_free(place, source, turn, m + 1, share);
        std::uint32_t const steps = place.ways[m].steps;
        bool const at_middle = (before >> m & 1) == (phase == 0 ? 1u : 0u);
        if (!at_middle) {
            place.at[m] = phase == 0 ? 0 : steps;
            return expect_free(place, source, turn, m + 1, share);
        }
        for (std::uint32_t i = 0; i <= steps; ++i) {
            place.at[m] = i;
            if (!expect_free(place, source, turn, m + 1, share / (steps + 1.0))) return false;
        }
        return true;
    }
    bool expect_line(Place& place, std::uint32_t source, std::size_t d, int phase, double share) const {
        std::uint32_t const steps = place.ways[d].steps;
        for (std::uint32_t i = 0; i < steps; ++i) {
            place.at[d] = i;
            double const taken = (phase == 0 ? steps - i : i + 1) / (steps + 1.0);
            model::Link const link =
                place.network.link_at(model::Node{place.first_switch + switch_at(place, source)}, place.ways[d].port);
            if (!link.exists()) return false;
            place.shares.push_back({link, share * taken});
        }
        return true;
    }
    std::uint32_t switch_at(Place const& place, std::uint32_t source) const {
        std::uint32_t found = 0, stride = 1;
        for (std::size_t d = 0; d < shape_.sizes.size(); ++d) {
            std::uint32_t const n = shape_.sizes[d], from = source / stride % n, steps = place.at[d];
            found += stride * ((place.ways[d].plus ? from + steps : from + n - steps) % n);
            stride *= n;
        }
        return found;
    }

    TorusShape shape_;
    bool threshold_;
    std::uint64_t seed_;
    std::string text_;
};

}  // namespace

std::shared_ptr<model::PairRoutes const> make_rlb_pairs(TorusShape const& shape, bool threshold, std::uint64_t seed,
                                                        std::string text) {
    return std::make_shared<RlbPairs>(shape, threshold, seed, std::move(text));
}

}  // namespace tailback::topologies
