// Full fat trees as arithmetic.
#include "topologies/families/xgft.hpp"
#include "topologies/layout.hpp"
#include "topologies/regular.hpp"

#include <algorithm>

namespace tailback::topologies {
namespace {

class RegularXgft final : public RegularNetwork {
public:
    RegularXgft(XgftSpec const& spec, bool by_source, bool by_destination, std::string const& its_words)
        : shape_(spec) {
        words = its_words;
        routing = "dmodk";
        pairs_differ = by_source;
        view_.up_by_source = by_source;
        view_.up_by_destination = by_destination;
        std::uint64_t all_switches = 0, slots = 0;
        for (std::size_t level = 1; level <= shape_.height; ++level) {
            first_switch_.push_back(static_cast<std::uint32_t>(all_switches));
            all_switches += shape_.nodes[level];
            if (level == shape_.height) break;
            view_.parents[level] = kernels::Divisor(shape_.parents[level]);
            view_.twins[level] = kernels::Divisor(static_cast<std::uint32_t>(shape_.twins[level]));
            slots = capped_sum(slots, 2 * shape_.nodes[level] * shape_.parents[level]);
        }
        finish(shape_.nodes[0], all_switches, slots, slots);
        std::uint32_t first = 0;
        for (std::size_t level = 1; level < shape_.height; ++level) {
            auto const cables = static_cast<std::uint32_t>(shape_.nodes[level] * shape_.parents[level]);
            view_.first_up[level] = first;
            view_.first_down[level] = first + cables;
            first += 2 * cables;
        }
        view_.height = static_cast<std::uint32_t>(shape_.height);
        std::transform(shape_.children.begin(), shape_.children.end(), view_.children,
                       [](std::uint32_t m) { return kernels::Divisor(m); });
        longest = 2 * (view_.height - 1);
        host_switches = static_cast<std::uint32_t>(shape_.nodes[1]);
        hosts_each = shape_.children[0];
    }
    void describe(kernels::Problem& problem) const override {
        problem.routes.form = kernels::RouteForm::tree;
        problem.routes.formula.tree = view_;
    }
    std::string switch_name(std::uint32_t number) const override {
        std::size_t const level = level_of(number);
        return "S" + std::to_string(level) + "_" + std::to_string(number - first_switch_[level - 1]);
    }
    void neighbours(std::uint32_t number, std::vector<std::uint32_t>& found) const override {
        std::size_t const level = level_of(number);
        std::uint64_t const x = number - first_switch_[level - 1], twins = shape_.twins[level], u = x % twins,
                            t = x / twins;
        if (level > 1) {
            std::uint64_t const below = shape_.twins[level - 1];
            for (std::uint32_t c = 0; c < shape_.children[level - 1]; ++c)
                found.push_back(static_cast<std::uint32_t>(first_switch_[level - 2] +
                                                           (t * shape_.children[level - 1] + c) * below + u % below));
        }
        for (std::uint32_t q = 0; q < shape_.up_ports(level); ++q) found.push_back(parent(level, u, t, q));
    }
    model::LinkEnds ends(std::uint32_t slot) const override {
        std::size_t level = 1;
        while (level + 1 < shape_.height && slot >= view_.first_up[level + 1]) ++level;
        bool const up = slot < view_.first_down[level];
        std::uint32_t const at = slot - (up ? view_.first_up[level] : view_.first_down[level]),
                            parents = shape_.parents[level];
        std::uint64_t const x = at / parents, u = x % shape_.twins[level], t = x / shape_.twins[level];
        std::uint32_t const q = at % parents;
        std::string const below = switch_name(static_cast<std::uint32_t>(first_switch_[level - 1] + x)),
                          above = switch_name(parent(level, u, t, q));
        model::Port const port_up = shape_.down_ports(level) + q + 1,
                          port_down = static_cast<model::Port>(t % shape_.children[level]) + 1;
        return up ? model::LinkEnds{below, port_up, above, port_down}
                  : model::LinkEnds{above, port_down, below, port_up};
    }

private:
    std::size_t level_of(std::uint32_t number) const {
        return static_cast<std::size_t>(std::upper_bound(first_switch_.begin(), first_switch_.end(), number) -
                                        first_switch_.begin());
    }
    std::uint32_t parent(std::size_t level, std::uint64_t u, std::uint64_t t, std::uint32_t q) const {
        return static_cast<std::uint32_t>(first_switch_[level] + t / shape_.children[level] * shape_.twins[level + 1] +
                                          u + q * shape_.twins[level]);
    }
    XgftShape shape_;
    std::vector<std::uint32_t> first_switch_;  ///< [level - 1]
    kernels::TreeView view_;
};

}  // namespace

std::unique_ptr<RegularNetwork> make_regular_xgft(XgftSpec const& spec, std::string const& routing,
                                                  std::string const& text) {
    bool const by_sum = routing == "round-robin-up", by_source = routing == "smodk" || by_sum;
    if (!by_source && routing != "dmodk") return nullptr;
    XgftShape const shape(spec);
    bool const single = std::all_of(shape.cables.begin(), shape.cables.end(), [](std::uint32_t p) { return p == 1; });
    bool const full = spec.hosts == 0 || spec.hosts == shape.nodes[0];
    if (!single || !full || shape.parents[0] != 1 || shape.height > 23) return nullptr;
    return std::make_unique<RegularXgft>(spec, by_source, !by_source || by_sum, text);
}

}  // namespace tailback::topologies
