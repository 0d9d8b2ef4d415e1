#include "tests/support/oracle/sharing_oracle.hpp"

#include <optional>

namespace tailback::oracle {
namespace {

Rational weight_of(SharingQuestion const& question, std::size_t flow) {
    return question.weight.empty() ? Rational(1) : question.weight[flow];
}

}  // namespace

std::vector<Rational> max_min_rates(SharingQuestion const& question, std::vector<bool> const& active) {
    std::size_t const flows = question.routes.size();
    std::vector<Rational> rates(flows);
    std::vector<bool> growing = active;
    for (;;) {
        // How far can all that grow go on, until some link is full?
        std::vector<Rational> left = question.capacity, weights(question.capacity.size());
        for (std::size_t f = 0; f < flows; ++f)
            for (std::size_t const link : question.routes[f]) {
                left[link] -= rates[f];
                if (growing[f]) weights[link] += weight_of(question, f);
            }
        std::optional<Rational> step;
        for (std::size_t link = 0; link < left.size(); ++link)
            if (weights[link] > 0 && (!step || left[link] / weights[link] < *step)) step = left[link] / weights[link];
        if (!step) return rates;
        for (std::size_t f = 0; f < flows; ++f)
            if (growing[f]) rates[f] += *step * weight_of(question, f);
        for (std::size_t f = 0; f < flows; ++f)
            for (std::size_t const link : question.routes[f])
                if (weights[link] > 0 && left[link] == *step * weights[link]) growing[f] = false;
    }
}

std::vector<Rational> completion_times(SharingQuestion const& question) {
    std::size_t const flows = question.routes.size();
    std::vector<Rational> left = question.size, ends(flows);
    std::vector<bool> active(flows, true);
    Rational clock = 0;
    for (;;) {
        std::vector<Rational> const rates = max_min_rates(question, active);
        std::optional<Rational> step;
        for (std::size_t f = 0; f < flows; ++f)
            if (active[f] && (!step || left[f] / rates[f] < *step)) step = left[f] / rates[f];
        if (!step) return ends;
        clock += *step;
        for (std::size_t f = 0; f < flows; ++f) {
            if (!active[f]) continue;
            left[f] -= *step * rates[f];
            if (left[f] == 0) active[f] = false, ends[f] = clock;
        }
    }
}

bool has_bottlenecks(SharingQuestion const& question, std::vector<Rational> const& rates) {
    std::size_t const flows = rates.size();
    std::vector<Rational> used(question.capacity.size()), fastest(question.capacity.size());
    for (std::size_t f = 0; f < flows; ++f)
        for (std::size_t const link : question.routes[f]) {
            used[link] += rates[f];
            Rational const level = rates[f] / weight_of(question, f);
            if (level > fastest[link]) fastest[link] = level;
        }
    for (std::size_t f = 0; f < flows; ++f) {
        bool found = rates[f] == 0;
        for (std::size_t const link : question.routes[f])
            found |= used[link] == question.capacity[link] && fastest[link] == rates[f] / weight_of(question, f);
        if (!found) return false;
    }
    return true;
}

}  // namespace tailback::oracle
