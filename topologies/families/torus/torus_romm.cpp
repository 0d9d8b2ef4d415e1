#include "topologies/families/torus/torus_romm.hpp"

#include "host/model/routes/expected_routes.hpp"
#include "topologies/draws.hpp"

namespace tailback::topologies {
namespace {

class TorusPairs final : public model::PairRoutes, public model::ExpectedRoutes {
public:
    TorusPairs(TorusShape shape, DimensionOrder order, unsigned phases, std::string text)
        : shape_(std::move(shape)), order_(std::move(order)), phases_(phases), text_(std::move(text)) {}
    std::string text() const override { return text_; }

    bool append(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::Link>& links) const override {
        model::Link const up = network.up_link(source);
        if (!up.exists()) return false;
        links.push_back(up);
        model::PortWalk walk(network, network[up].to, links);
        // Hosts are numbered switch by switch.
        std::uint32_t const s = source.value / shape_.hosts, t = destination.value / shape_.hosts;
        Leg first[TorusShape::most_dimensions], second[TorusShape::most_dimensions];
        draw(source.value, destination.value, s, t, first, second);
        return go(walk, first, second) && walk.go(destination.value % shape_.hosts + 1);
    }
    model::ExpectedRoutes const* law() const override { return this; }
    /// Every number of steps before the middle is as probable as the others, and so are both ways round a ring where
    /// they are equally long.
    bool expect(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::LinkShare>& shares) const override {
        model::Link const up = network.up_link(source);
        if (!up.exists()) return false;
        shares.push_back({up, 1});
        model::Link const down = network.up_link(destination);
        if (!down.exists() || !network[down].reverse.exists()) return false;
        shares.push_back({network[down].reverse, 1});
        Leg first[TorusShape::most_dimensions], second[TorusShape::most_dimensions];
        std::vector<model::Link> links;
        std::uint32_t const s = source.value / shape_.hosts, t = destination.value / shape_.hosts;
        auto const choose = [&](auto&& self, std::size_t k, double share) -> bool {
            if (k == order_.dimensions.size()) {
                links.clear();
                model::PortWalk walk(network, network[up].to, links);
                if (!go(walk, first, second)) return false;
                for (model::Link const link : links) shares.push_back({link, share});
                return true;
            }
            auto const& [d, stride] = order_.dimensions[k];
            std::uint32_t const n = shape_.sizes[d], a = s / stride % n, b = t / stride % n;
            bool const rings = shape_.one_way || (shape_.wraps && n > 2);
            std::uint32_t const ahead = b >= a ? b - a : b + n - a, behind = (n - ahead) % n;
            bool const tie = rings && !shape_.one_way && a != b && ahead == behind;
            bool const usual = shape_.one_way || (rings ? ahead < behind : b > a);
            for (bool const plus : {false, true}) {
                if (!tie && plus != usual) continue;
                std::uint32_t const steps = a == b ? 0 : rings ? (plus ? ahead : behind) : (b > a ? b - a : a - b);
                std::uint32_t const least = phases_ == 1 ? steps : 0;
                double const part = share / (tie ? 2 : 1) / double(steps - least + 1);
                for (std::uint32_t before = least; before <= steps; ++before) {
                    model::Port const port = plus ? shape_.plus_port(d) : shape_.minus_port(d);
                    first[k] = {port, before};
                    second[k] = {port, steps - before};
                    if (!self(self, k + 1, part)) return false;
                }
            }
            return true;
        };
        return choose(choose, 0, 1);
    }

private:
    /// So many steps by one port of each switch.
    struct Leg {
        model::Port port = 0;
        std::uint32_t steps = 0;
    };

    bool go(model::PortWalk& walk, Leg const* first, Leg const* second) const {
        for (Leg const* const legs : {first, second})
            for (std::size_t k = 0; k < order_.dimensions.size(); ++k)
                for (std::uint32_t step = 0; step < legs[k].steps; ++step)
                    if (!walk.go(legs[k].port)) return false;
        return true;
    }

    /// Both phases, dimension by dimension in their order.
    void draw(std::uint32_t source, std::uint32_t destination, std::uint32_t s, std::uint32_t t, Leg* first,
              Leg* second) const {
        for (std::size_t k = 0; k < order_.dimensions.size(); ++k) {
            auto const& [d, stride] = order_.dimensions[k];
            std::uint32_t const n = shape_.sizes[d], a = s / stride % n, b = t / stride % n;
            bool const rings = shape_.one_way || (shape_.wraps && n > 2);
            std::uint32_t const ahead = b >= a ? b - a : b + n - a, behind = (n - ahead) % n;
            kernels::PhiloxBlock const drawn =
                kernels::philox(source, destination, d, static_cast<std::uint32_t>(BuildStream::romm), order_.seed);
            bool plus = b > a;
            if (shape_.one_way) plus = true;
            else if (rings) plus = ahead < behind || (ahead == behind && drawn.word[2] % 2 == 0);
            std::uint32_t const steps = a == b ? 0 : rings ? (plus ? ahead : behind) : (b > a ? b - a : a - b);
            std::uint64_t const word = std::uint64_t{drawn.word[0]} << 32 | drawn.word[1];
            auto const to_middle =
                phases_ == 1 ? steps
                             : static_cast<std::uint32_t>(kernels::high_product(word, std::uint64_t{steps} + 1));
            model::Port const port = plus ? shape_.plus_port(d) : shape_.minus_port(d);
            first[k] = {port, to_middle};
            second[k] = {port, steps - to_middle};
        }
    }

    TorusShape shape_;
    DimensionOrder order_;
    unsigned phases_;
    std::string text_;
};

}  // namespace

std::shared_ptr<model::PairRoutes const> make_torus_pairs(TorusShape const& shape, DimensionOrder order,
                                                          unsigned phases, std::string text) {
    return std::make_shared<TorusPairs>(shape, std::move(order), phases, std::move(text));
}

}  // namespace tailback::topologies
