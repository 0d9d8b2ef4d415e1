// Do routes come back the way they went? Both directions of a pair use the same cables exactly when the sums of their
// cables' random 64-bit numbers are equal (two different sets agree with probability 2^-64), so only sums are kept.
#include "host/audit/sweep.hpp"
#include "kernels/destination_tree.hpp"
#include "kernels/philox.hpp"

#include <algorithm>
#include <thread>

namespace tailback {
namespace {

/// One random number a cable, the same for both of its directions.
std::vector<std::uint64_t> cable_numbers(Network const& net) {
    std::vector<std::uint64_t> number(net.links().size());
    for (std::uint32_t i = 0; i < number.size(); ++i) {
        std::uint32_t const cable = std::min(i, net[Link{i}].reverse.value);
        PhiloxBlock const block = philox(cable, 0, 0, 0, 0);
        number[i] = std::uint64_t{block.word[0]} << 32 | block.word[1];
    }
    return number;
}

/// The sum of a route's cables from some row on; one that fails has none.
struct CableSum {
    std::uint64_t value = 0;
    bool delivered = false;
};

/// Routes to one LID, found by following entries; no row is followed twice.
class RoutesTo {
public:
    RoutesTo(Forwarding const& forwarding, std::vector<std::uint64_t> const& number)
        : forwarding_(forwarding), number_(number), met_(forwarding.rows()), sum_(forwarding.rows()) {}

    void aim(Lid lid, std::uint32_t arrival) {
        lid_ = lid;
        arrival_ = arrival;
        ++turn_;
    }
    CableSum from(std::uint32_t row) {
        path_.clear();
        CableSum sum;
        for (std::uint32_t next = row; next < arrival_bit; row = next) {
            if (met_[row] == turn_) {  // known; or on this path, a loop: not delivered so far
                sum = sum_[row];
                break;
            }
            met_[row] = turn_;
            sum_[row] = {};
            Port const port = forwarding_.port(row, lid_);
            next = next_of(forwarding_.view(), row, port, arrival_);
            path_.push_back({row, port});
            sum.delivered = next == ends_delivered;
        }
        for (std::size_t i = path_.size(); i-- > 0 && sum.delivered;) {
            sum.value += number_[forwarding_.link_behind(path_[i].row, path_[i].port).value];
            sum_[path_[i].row] = sum;
        }
        return sum;
    }

private:
    struct Step {
        std::uint32_t row;
        Port port;
    };
    Forwarding const& forwarding_;
    std::vector<std::uint64_t> const& number_;
    std::vector<std::uint32_t> met_;
    std::vector<CableSum> sum_;
    std::vector<Step> path_;
    std::uint32_t turn_ = 0;
    Lid lid_ = 0;
    std::uint32_t arrival_ = 0;
};

/// Endpoints that enter at the same row.
struct Leaf {
    std::uint32_t row;
    std::vector<Host> hosts;
};

std::vector<Leaf> leaves_of(Forwarding const& forwarding, std::span<Host const> hosts) {
    std::vector<std::vector<Host>> by_row(forwarding.rows());
    Network const& net = forwarding.fabric().network;
    for (Host const host : hosts)
        if (std::uint32_t const row = forwarding.entry_of(host).row; row != no_row && net.owner(net[host].lid).host == host)
            by_row[row].push_back(host);
    std::vector<Leaf> leaves;
    for (std::uint32_t row = 0; row < by_row.size(); ++row)
        if (!by_row[row].empty()) leaves.push_back({row, std::move(by_row[row])});
    return leaves;
}

}  // namespace

Asymmetry find_asymmetry(Forwarding const& forwarding, std::span<Host const> hosts, unsigned threads) {
    Network const& net = forwarding.fabric().network;
    std::vector<std::uint64_t> const number = cable_numbers(net);
    std::vector<Leaf> const leaves = leaves_of(forwarding, hosts);
    auto const up = [&](Host host) {
        Link const link = forwarding.entry_of(host).up;
        return link.exists() ? number[link.value] : 0;
    };
    // s -> d is up(s) + there(row of s, d); d -> s is up(d) + back(row of d, s). Equal when there - up(d) = back - up(s).
    constexpr std::uint64_t failed_there = 1, failed_back = 2;
    std::uint64_t pairs = 0, same = 0;
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
#pragma omp parallel num_threads(static_cast<int>(threads)) reduction(+ : pairs, same)
    {
        RoutesTo routes(forwarding, number);
        std::vector<std::uint64_t> there, back;
#pragma omp for schedule(dynamic)
        for (std::int64_t turned = 0; turned < static_cast<std::int64_t>(leaves.size()); ++turned) {
            std::size_t const b = leaves.size() - 1 - static_cast<std::size_t>(turned);  // the longest first
            Leaf const& here = leaves[b];
            std::size_t const width = here.hosts.size();
            there.resize((b + 1) * width);  // [leaf][host here]
            for (std::size_t k = 0; k < width; ++k) {
                routes.aim(net[here.hosts[k]].lid, forwarding.arrival_of(here.hosts[k]));
                for (std::size_t a = 0; a <= b; ++a) {
                    CableSum const sum = routes.from(leaves[a].row);
                    there[a * width + k] = sum.delivered ? sum.value - up(here.hosts[k]) : failed_there;
                }
            }
            for (std::size_t a = 0; a <= b; ++a) {
                back.clear();
                for (Host const other : leaves[a].hosts) {
                    routes.aim(net[other].lid, forwarding.arrival_of(other));
                    CableSum const sum = routes.from(here.row);
                    back.push_back(sum.delivered ? sum.value - up(other) : failed_back);
                }
                std::uint64_t const* const keys = there.data() + a * width;
                for (std::size_t j = 0; j < back.size(); ++j) {
                    std::size_t const stop = a == b ? j : width;  // within a leaf each pair once
                    if (back[j] == failed_back) continue;
                    for (std::size_t k = 0; k < stop; ++k) {
                        pairs += keys[k] != failed_there;
                        same += keys[k] == back[j];
                    }
                }
            }
        }
    }
    return {pairs, pairs - same};
}

}  // namespace tailback
