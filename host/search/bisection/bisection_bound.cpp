#include "host/search/bisection/bisection_bound.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace tailback::search {
namespace {

class LogFactorials {
public:
    explicit LogFactorials(std::uint64_t most) : of_(most + 1) {
        for (std::uint64_t n = 1; n <= most; ++n) of_[n] = of_[n - 1] + std::log(double(n));
    }
    /// ln of the binomial coefficient; minus infinity where it is 0.
    double choose(std::int64_t n, std::int64_t k) const {
        if (k < 0 || k > n) return -HUGE_VAL;
        return of_[std::size_t(n)] - of_[std::size_t(k)] - of_[std::size_t(n - k)];
    }

private:
    std::vector<double> of_;
};

class BusyLinks {
public:
    explicit BusyLinks(std::int64_t hosts) : hosts_(hosts), flows_(hosts / 2), logs_(std::uint64_t(hosts)) {}

    /// Flows from a switch with `here` hosts to others: the mean of the sum of 1 / congestion is no larger.
    double of_switch(std::int64_t here, std::int64_t links) const {
        std::int64_t const others = hosts_ - here;
        double const pair = double(flows_) / (double(hosts_) * double(hosts_ - 1));
        double const all = double(here) * double(others) * pair;
        if (links == 0) return 0;
        std::int64_t const larger = others % links, part = others / links;
        return std::min(all, double(larger) * busy(here, part + 1) + double(links - larger) * busy(here, part));
    }
    std::int64_t flows() const { return flows_; }

private:
    /// P(some of `here` hosts sends to one of `part` others).
    double busy(std::int64_t here, std::int64_t part) const {
        if (part == 0) return 0;
        std::int64_t const others = hosts_ - here, receivers = hosts_ - flows_;
        double idle = 0;
        for (std::int64_t i = 0; i <= std::min(here, flows_); ++i) {  // senders here
            double const senders =
                logs_.choose(here, i) + logs_.choose(others, flows_ - i) - logs_.choose(hosts_, flows_);
            std::int64_t const free = others - (flows_ - i);  // of the others, those that do not send
            if (senders == -HUGE_VAL || free < 0) continue;
            for (std::int64_t k = 0; k <= std::min(part, free); ++k) {  // of these, in the part
                double const chance =
                    logs_.choose(free, k) + logs_.choose(others - free, part - k) - logs_.choose(others, part);
                double const missed = logs_.choose(receivers - k, i) - logs_.choose(receivers, i);
                if (chance == -HUGE_VAL || missed == -HUGE_VAL) continue;
                idle += std::exp(senders + chance + missed);
            }
        }
        return std::clamp(1 - idle, 0.0, 1.0);
    }

    std::int64_t hosts_, flows_;
    LogFactorials logs_;
};

}  // namespace

double bisection_bound(SwitchGraph const& graph) {
    auto const hosts = static_cast<std::int64_t>(graph.seats().size());
    if (hosts < 2) return 1;
    BusyLinks const links(hosts);
    double const pair = double(links.flows()) / (double(hosts) * double(hosts - 1));
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> known;  // by hosts and links
    double sum = 0;
    for (std::uint32_t s = 0; s < graph.switches(); ++s) {
        std::uint32_t const here = graph.hosts_at(s), out = static_cast<std::uint32_t>(graph.arcs_of(s).size());
        if (here == 0) continue;
        auto const [place, is_new] = known.try_emplace({here, out});
        if (is_new) place->second = links.of_switch(here, out) + double(here) * double(here - 1) * pair;
        sum += place->second;
    }
    return std::min(1.0, sum / double(links.flows()));
}

}  // namespace tailback::search
