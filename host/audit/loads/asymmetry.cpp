// Do routes come back the way they went? Both directions of a pair use the same cables exactly when the sums of their
// cables' random 64-bit numbers are equal (two different sets agree with probability 2^-64), so only sums are kept.
#include "host/audit/loads/all_pairs.hpp"
#include "host/io/progress.hpp"
#include "kernels/audit/next_hop.hpp"
#include "kernels/common/philox.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace tailback::audit {
namespace {

/// One random number a cable, the same for both of its directions.
std::uint64_t number_of(model::Network const& net, model::Link link) {
    kernels::PhiloxBlock const block = kernels::philox(std::min(link.value, net[link].reverse.value), 0, 0, 0, 0);
    return std::uint64_t{block.word[0]} << 32 | block.word[1];
}

/// The numbers of the cables behind ports: [row][port].
std::vector<std::uint64_t> numbers_by_slot(model::Forwarding const& forwarding) {
    std::vector<std::uint64_t> number(std::size_t{forwarding.rows()} * forwarding.ports());
    for (std::uint32_t row = 0; row < forwarding.rows(); ++row)
        for (model::Port port = 1; port < forwarding.ports(); ++port)
            if (model::Link const link = forwarding.link_behind(row, port); link.exists())
                number[std::size_t{row} * forwarding.ports() + port] = number_of(forwarding.fabric().network, link);
    return number;
}

/// The sum of a route's cables from some row on; one that fails has none.
struct CableSum {
    std::uint64_t value = 0;
    bool delivered = false;
};

/// The tables' rows as they lie, for look-ups without a branch.
template <class Entry>
class EntryRows {
public:
    explicit EntryRows(model::Forwarding const& forwarding)
        : none_(forwarding.fabric().tables.lids(), Entry(~Entry{0})),
          one_(none_.size(), Entry{1}),
          rows_(forwarding.rows()) {
        for (std::uint32_t row = 0; row < rows_.size(); ++row) {
            auto const entries = forwarding.fabric().tables.template row<Entry>(forwarding.node_of(row));
            rows_[row] = forwarding.is_pseudo(row) ? one_.data() : entries.empty() ? none_.data() : entries.data();
        }
    }
    std::uint32_t operator()(std::uint32_t row, model::Lid lid) const { return rows_[row][lid]; }

private:
    std::vector<Entry> none_, one_;
    std::vector<Entry const*> rows_;
};

/// Routes found by following entries.
template <class Entry>
class Walker {
public:
    Walker(model::Forwarding const& forwarding, EntryRows<Entry> const& port_of,
           std::vector<std::uint64_t> const& number)
        : forwarding_(forwarding),
          port_of_(port_of),
          number_(number),
          met_(forwarding.rows()),
          sum_(forwarding.rows()) {}

    /// The next `from` are about this destination.
    void aim(model::Lid lid, std::uint32_t arrival) {
        lid_ = lid;
        arrival_ = arrival;
        ++turn_;
    }
    /// For many starts: no row is followed twice.
    CableSum from(std::uint32_t row) {
        path_.clear();
        CableSum sum;
        for (std::uint32_t next = row; next < kernels::arrival_bit; row = next) {
            if (met_[row] == turn_) {  // known; or on this path, a loop: not delivered so far
                sum = sum_[row];
                break;
            }
            met_[row] = turn_;
            sum_[row] = {};
            std::uint32_t const port = port_of_(row, lid_);
            next = kernels::next_row(forwarding_.view(), row, port, arrival_);
            path_.push_back({row, port});
            sum.delivered = next == kernels::ends_delivered;
        }
        for (std::size_t i = path_.size(); i-- > 0 && sum.delivered;) {
            sum.value += number_[slot(path_[i].row, path_[i].port)];
            sum_[path_[i].row] = sum;
        }
        return sum;
    }
    /// From one start to many destinations, all at once: the look-ups of one route wait for each other, those of
    /// different routes do not.
    void to_all(std::uint32_t start, std::span<model::Host const> hosts, std::vector<CableSum>& sums) {
        model::Network const& net = forwarding_.fabric().network;
        sums.assign(hosts.size(), {});
        on_way_.clear();
        for (std::uint32_t i = 0; i < hosts.size(); ++i)
            on_way_.push_back({start, i, net[hosts[i]].lid, forwarding_.arrival_of(hosts[i]), 0});
        for (int links = 0; links < longest_together && !on_way_.empty(); ++links) {
            std::size_t kept = 0;
            for (std::size_t i = 0; i < on_way_.size(); ++i) {
                Packet packet = on_way_[i];
                std::uint32_t const port = port_of_(packet.row, packet.lid);
                std::uint32_t const next = kernels::next_row(forwarding_.view(), packet.row, port, packet.arrival);
                if (next > kernels::ends_delivered) continue;
                packet.sum += number_[slot(packet.row, port)];
                if (next == kernels::ends_delivered) {
                    sums[packet.which] = {packet.sum, true};
                } else {
                    packet.row = next;
                    on_way_[kept++] = packet;
                }
            }
            on_way_.resize(kept);
        }
        for (Packet const& packet : on_way_) {  // long routes, and loops
            aim(packet.lid, packet.arrival);
            sums[packet.which] = from(start);
        }
    }

private:
    static constexpr int longest_together = 32;
    struct Step {
        std::uint32_t row, port;
    };
    struct Packet {
        std::uint32_t row, which;
        model::Lid lid;
        std::uint32_t arrival;
        std::uint64_t sum;
    };
    std::size_t slot(std::uint32_t row, std::uint32_t port) const {
        return std::size_t{row} * forwarding_.ports() + port;
    }

    model::Forwarding const& forwarding_;
    EntryRows<Entry> const& port_of_;
    std::vector<std::uint64_t> const& number_;
    std::vector<std::uint32_t> met_;
    std::vector<CableSum> sum_;
    std::vector<Step> path_;
    std::vector<Packet> on_way_;
    std::uint32_t turn_ = 0;
    model::Lid lid_ = 0;
    std::uint32_t arrival_ = 0;
};

/// How often each of some keys is there. Emptied in O(1), because it is filled for every two leaves.
class KeyCounts {
public:
    explicit KeyCounts(std::size_t keys) : cells_(std::bit_ceil(2 * keys + 1)) {}
    void clear() { ++turn_; }
    void add(std::uint64_t key) {
        Cell& cell = find(key);
        if (cell.turn != turn_) cell = {key, turn_, 0};
        ++cell.count;
    }
    std::uint32_t count(std::uint64_t key) {
        Cell const& cell = find(key);
        return cell.turn == turn_ ? cell.count : 0;
    }

private:
    struct Cell {
        std::uint64_t key = 0;
        std::uint32_t turn = 0, count = 0;
    };
    Cell& find(std::uint64_t key) {
        std::size_t const mask = cells_.size() - 1;
        std::size_t at = key & mask;  // keys are random already
        while (cells_[at].turn == turn_ && cells_[at].key != key) at = (at + 1) & mask;
        return cells_[at];
    }
    std::vector<Cell> cells_;
    std::uint32_t turn_ = 0;
};

/// Endpoints that enter at the same row.
struct Leaf {
    std::uint32_t row;
    std::vector<model::Host> hosts;
};

std::vector<Leaf> leaves_of(model::Forwarding const& forwarding, std::span<model::Host const> hosts) {
    std::vector<std::vector<model::Host>> by_row(forwarding.rows());
    model::Network const& net = forwarding.fabric().network;
    for (model::Host const host : hosts)
        if (std::uint32_t const row = forwarding.entry_of(host).row;
            row != kernels::no_row && net.owner(net[host].lid).host == host)
            by_row[row].push_back(host);
    std::vector<Leaf> leaves;
    for (std::uint32_t row = 0; row < by_row.size(); ++row)
        if (!by_row[row].empty()) leaves.push_back({row, std::move(by_row[row])});
    return leaves;
}

/// Compares both directions of the pairs between a leaf and all leaves up to it. s -> d is up(s) + there(row of s, d);
/// d -> s is up(d) + back(row of d, s). Equal when there - up(d) = back - up(s).
template <class Entry>
class DirectionComparison {
public:
    DirectionComparison(model::Forwarding const& forwarding, EntryRows<Entry> const& port_of,
                        std::vector<std::uint64_t> const& number,
                        kernels::IndexedVector<model::Host, std::uint64_t> const& up)
        : forwarding_(forwarding), up_(up), walker_(forwarding, port_of, number) {}

    void compare(std::span<Leaf const> leaves) {
        Leaf const& here = leaves.back();
        find_there(leaves);
        KeyCounts keys(here.hosts.size());
        for (std::size_t a = 0; a < leaves.size(); ++a) {
            std::vector<model::Host> const& others = leaves[a].hosts;
            walker_.to_all(here.row, others, back_);
            for (std::size_t j = 0; j < others.size(); ++j) back_[j].value -= up_[others[j]];
            std::span<CableSum const> const there(there_.data() + a * here.hosts.size(), here.hosts.size());
            if (a + 1 < leaves.size()) count_between(there, keys);
            else count_within(there);
        }
    }

    std::uint64_t pairs = 0, same = 0;

private:
    /// Fills there_ with the sums from all leaves to the hosts of the last one.
    void find_there(std::span<Leaf const> leaves) {
        std::vector<model::Host> const& hosts = leaves.back().hosts;
        there_.resize(leaves.size() * hosts.size());
        for (std::size_t k = 0; k < hosts.size(); ++k) {
            walker_.aim(forwarding_.fabric().network[hosts[k]].lid, forwarding_.arrival_of(hosts[k]));
            for (std::size_t a = 0; a < leaves.size(); ++a) {
                CableSum sum = walker_.from(leaves[a].row);
                sum.value -= up_[hosts[k]];
                there_[a * hosts.size() + k] = sum;
            }
        }
    }

    void count_between(std::span<CableSum const> there, KeyCounts& keys) {
        keys.clear();
        std::uint64_t arriving = 0;
        for (CableSum const& sum : there)
            if (sum.delivered) {
                ++arriving;
                keys.add(sum.value);
            }
        for (CableSum const& sum : back_)
            if (sum.delivered) {
                pairs += arriving;
                same += keys.count(sum.value);
            }
    }

    /// Within the leaf each pair once.
    void count_within(std::span<CableSum const> there) {
        for (std::size_t j = 0; j < there.size(); ++j)
            for (std::size_t k = 0; k < j && back_[j].delivered; ++k) {
                pairs += there[k].delivered;
                same += there[k].delivered && there[k].value == back_[j].value;
            }
    }

    model::Forwarding const& forwarding_;
    kernels::IndexedVector<model::Host, std::uint64_t> const& up_;
    Walker<Entry> walker_;
    std::vector<CableSum> there_;  // [leaf][host of the last leaf]
    std::vector<CableSum> back_;   // from the last leaf to the hosts of one
};

template <class Entry>
Asymmetry compare_directions(model::Forwarding const& forwarding, std::span<model::Host const> hosts,
                             unsigned threads) {
    model::Network const& net = forwarding.fabric().network;
    std::vector<std::uint64_t> const number = numbers_by_slot(forwarding);
    std::vector<Leaf> const leaves = leaves_of(forwarding, hosts);
    EntryRows<Entry> const port_of(forwarding);
    kernels::IndexedVector<model::Host, std::uint64_t> up(net.hosts().size());
    for (model::Host const host : hosts)
        if (model::Link const link = forwarding.entry_of(host).up; link.exists()) up[host] = number_of(net, link);
    std::uint64_t pairs = 0, same = 0;
    io::Progress progress("comparing the ways there and back", leaves.size(), "leaf switches");
    auto const stop = kernels::StopWish::now();
    std::mutex adding;
    kernels::NextOf next(leaves.size());
    kernels::in_threads(threads, [&] {
        DirectionComparison<Entry> comparison(forwarding, port_of, number, up);
        for (std::size_t turned; next.take(turned) && !stop.asked();) {  // the longest first
            comparison.compare({leaves.data(), leaves.size() - turned});
            progress.add(1);
        }
        std::lock_guard const lock(adding);
        pairs += comparison.pairs;
        same += comparison.same;
    });
    stop.heed();
    return {pairs, pairs - same};
}

}  // namespace

Asymmetry find_asymmetry(model::Forwarding const& forwarding, std::span<model::Host const> hosts, unsigned threads) {
    threads = kernels::threads_to_use(threads);
    return forwarding.wide() ? compare_directions<std::uint16_t>(forwarding, hosts, threads)
                             : compare_directions<std::uint8_t>(forwarding, hosts, threads);
}

}  // namespace tailback::audit
