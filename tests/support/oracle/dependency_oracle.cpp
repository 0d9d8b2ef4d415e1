#include "tests/support/oracle/dependency_oracle.hpp"

#include <map>
#include <set>

namespace tailback::oracle {
namespace {

struct Flow {
    std::size_t stage = 0;
    Rational left;
    std::optional<Rational> waits_until;  ///< between two stages, or behind the last
};

class Simulation {
public:
    Simulation(std::vector<Rational> const& capacity, std::vector<Operation> const& operations,
               std::function<std::optional<Rational>(std::size_t, std::vector<Times> const&)> const& release)
        : capacity_(capacity),
          operations_(operations),
          release_(release),
          times_(operations.size()),
          flows_(operations.size()) {}

    std::vector<Times> run() {
        for (;;) {
            settle();
            std::vector<Rational> const rates = find_rates();
            std::optional<Rational> next;
            auto const consider = [&](Rational const& time) {
                if (time > now_ && (!next || time < *next)) next = time;
            };
            for (std::size_t o = 0; o < operations_.size(); ++o) {
                if (!times_[o].begun) {
                    if (auto const at = start_of(o)) consider(*at);
                } else if (!times_[o].ended) {
                    if (operations_[o].stages.empty()) consider(*times_[o].begun + operations_[o].duration);
                    else if (flows_[o].waits_until) consider(*flows_[o].waits_until);
                    else if (rates[o] > 0) consider(now_ + flows_[o].left / rates[o]);
                }
            }
            if (!next) return times_;
            for (std::size_t o = 0; o < operations_.size(); ++o) flows_[o].left -= rates[o] * (*next - now_);
            now_ = *next;
        }
    }

private:
    bool is_on_links(std::size_t o) const {
        return times_[o].begun && !times_[o].ended && !operations_[o].stages.empty() && !flows_[o].waits_until;
    }
    /// When it is released, or later where its core is busy.
    std::optional<Rational> start_of(std::size_t o) const {
        std::optional<Rational> at = release_(o, times_);
        if (!at || !operations_[o].core) return at;
        auto const busy = busy_.find(*operations_[o].core);
        if (busy != busy_.end() && busy->second > *at) return busy->second;
        return at;
    }
    /// All that happens at this instant.
    void settle() {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t o = 0; o < operations_.size(); ++o) changed |= step(o);
            if (!changed) changed = start_one_on_a_core();
        }
    }
    bool step(std::size_t o) {
        Operation const& operation = operations_[o];
        Times& times = times_[o];
        if (times.ended) return false;
        if (!times.begun) {
            if (operation.core) return false;
            auto const at = start_of(o);
            if (!at || *at > now_) return false;
            times.begun = now_;
            flows_[o].left = operation.size;
            return true;
        }
        if (operation.stages.empty()) {
            if (*times.begun + operation.duration > now_) return false;
            times.sent = times.ended = now_;
            return true;
        }
        Flow& flow = flows_[o];
        if (flow.waits_until) {
            if (*flow.waits_until > now_) return false;
            flow.waits_until.reset();
            if (flow.stage == operation.stages.size()) times.ended = now_;
            else flow.left = operation.size;
            return true;
        }
        if (flow.left > 0) return false;
        if (!times.sent) times.sent = now_;
        ++flow.stage;
        flow.waits_until = now_ + (flow.stage == operation.stages.size() ? operation.behind : operation.between);
        return true;
    }
    /// Of those that were released first, the first.
    bool start_one_on_a_core() {
        std::optional<std::size_t> best;
        for (std::size_t o = 0; o < operations_.size(); ++o) {
            if (times_[o].begun || !operations_[o].core) continue;
            auto const at = start_of(o);
            if (!at || *at > now_) continue;
            if (!best || *release_(o, times_) < *release_(*best, times_)) best = o;
        }
        if (!best) return false;
        times_[*best].begun = now_;
        busy_[*operations_[*best].core] = now_ + operations_[*best].duration;
        return true;
    }
    /// Rank after rank on what is left.
    std::vector<Rational> find_rates() const {
        std::vector<Rational> rates(operations_.size(), 0), left = capacity_;
        std::set<std::size_t> ranks;
        for (std::size_t o = 0; o < operations_.size(); ++o)
            if (is_on_links(o)) ranks.insert(operations_[o].rank);
        for (std::size_t const rank : ranks) {
            SharingQuestion question{left, {}, {}, {}};
            std::vector<std::size_t> of;
            for (std::size_t o = 0; o < operations_.size(); ++o) {
                if (!is_on_links(o) || operations_[o].rank != rank) continue;
                question.routes.push_back(operations_[o].stages[flows_[o].stage]);
                question.size.push_back(flows_[o].left);
                question.weight.push_back(operations_[o].weight);
                of.push_back(o);
            }
            std::vector<Rational> const found = max_min_rates(question, std::vector<bool>(of.size(), true));
            for (std::size_t i = 0; i < of.size(); ++i) {
                rates[of[i]] = found[i];
                for (std::size_t const link : question.routes[i]) left[link] -= found[i];
            }
        }
        return rates;
    }

    std::vector<Rational> const& capacity_;
    std::vector<Operation> const& operations_;
    std::function<std::optional<Rational>(std::size_t, std::vector<Times> const&)> const& release_;
    std::vector<Times> times_;
    std::vector<Flow> flows_;
    std::map<std::size_t, Rational> busy_;
    Rational now_ = 0;
};

}  // namespace

std::vector<Times> simulate(
    std::vector<Rational> const& capacity, std::vector<Operation> const& operations,
    std::function<std::optional<Rational>(std::size_t o, std::vector<Times> const&)> const& release) {
    return Simulation(capacity, operations, release).run();
}

}  // namespace tailback::oracle
