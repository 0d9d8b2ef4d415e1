// Addresses and next hops of server-centric networks: arithmetic on numbers alone. Nodes are numbered hosts first, then
// switches; `next_port(v, d)` is the port of node v towards host d != v.
#pragma once

#include "host/model/network.hpp"

#include <cstdint>
#include <vector>

namespace tailback::topologies {

/// BCube of k digits below n. The switches of level i come after those of level i - 1; a host is on port (digit i) + 1
/// of its switch of each level i, by its own port i + 1. Routes correct the digits from the lowest.
struct BcubeShape {
    std::uint32_t n, k;

    std::uint32_t power(std::uint32_t e) const {
        std::uint32_t result = 1;
        for (; e > 0; --e) result *= n;
        return result;
    }
    std::uint32_t digit(std::uint32_t h, std::uint32_t level) const { return h / power(level) % n; }
    /// As a node.
    std::uint32_t switch_of(std::uint32_t h, std::uint32_t level) const {
        std::uint32_t const unit = power(level);
        return power(k) + level * power(k - 1) + h / (unit * n) * unit + h % unit;
    }
    model::Port next_port(std::uint32_t v, std::uint32_t d) const {
        std::uint32_t const hosts = power(k);
        if (v >= hosts) return digit(d, (v - hosts) / power(k - 1)) + 1;
        std::uint32_t level = 0;
        while (digit(v, level) == digit(d, level)) ++level;
        return level + 1;
    }
};

/// DCell and FiConn. A part of level l has size[l] hosts and is made of parts of level l - 1. Parts a < b of one part
/// of level l are joined between host number e(b - 1) of a and host number e(a) of b, where e(i) = i in DCell (step 0),
/// by port l + 1, and e(i) = i * 2^l + 2^(l-1) - 1 in FiConn (step 2^l), by port 2. By the rule beta of their
/// generalisations, host e(i) of part a is joined to host e(parts - 2 - i) of part (a + i + 1) mod parts. Routes take,
/// part by part, the cable that joins the two.
struct DcellShape {
    std::uint32_t n;
    std::vector<std::uint32_t> size;  ///< by level
    std::vector<std::uint32_t> step;  ///< by level
    bool beta = false;

    /// The number in part a of the host that has the cable to part b of the same part of the level.
    std::uint32_t exit_host(std::size_t level, std::uint32_t a, std::uint32_t b) const {
        std::uint32_t i = b > a ? b - 1 : b;
        if (beta) i = b > a ? b - a - 1 : b + parts(level) - a - 1;
        return step[level] == 0 ? i : i * step[level] + step[level] / 2 - 1;
    }
    model::Port port_of(std::size_t level) const { return step[level] == 0 ? static_cast<model::Port>(level) + 1 : 2; }
    std::uint32_t parts(std::size_t level) const { return size[level] / size[level - 1]; }

    template <class Take>
    void each_partner(std::uint32_t h, Take&& take) const {
        for (std::size_t level = 1; level < size.size(); ++level) {
            std::uint32_t const a = h % size[level] / size[level - 1], in_part = h % size[level - 1],
                                base = h - h % size[level];
            std::uint32_t i = in_part;
            if (step[level] != 0) {
                if (in_part % step[level] != step[level] / 2 - 1) continue;
                i = in_part / step[level];
            }
            if (i + 1 >= parts(level)) continue;
            std::uint32_t const b = beta ? (a + i + 1) % parts(level) : i >= a ? i + 1 : i;
            take(port_of(level), base + b * size[level - 1] + exit_host(level, b, a), port_of(level));
        }
    }
    /// The highest level at which two hosts are in different parts; 0: on one switch.
    std::size_t level_of(std::uint32_t h, std::uint32_t d) const {
        std::size_t level = size.size() - 1;
        while (level > 0 && h / size[level - 1] == d / size[level - 1]) --level;
        return level;
    }
    /// Links of the route from host h to host d.
    std::uint32_t links(std::uint32_t h, std::uint32_t d) const {
        if (h == d) return 0;
        std::size_t const level = level_of(h, d);
        if (level == 0) return 2;
        std::uint32_t const unit = size[level - 1], a = h % size[level] / unit, b = d % size[level] / unit;
        return links(h, h - h % unit + exit_host(level, a, b)) + 1 + links(d - d % unit + exit_host(level, b, a), d);
    }
    model::Port next_port(std::uint32_t v, std::uint32_t d) const {
        std::uint32_t const hosts = size.back();
        if (v >= hosts) {  // a switch: towards whichever of its hosts is on the way
            std::uint32_t const first = (v - hosts) * n;
            return host_on_the_way(first, d) % n + 1;
        }
        std::uint32_t target = d;
        for (std::size_t level = size.size() - 1; level > 0; --level) {
            std::uint32_t const a = v % size[level] / size[level - 1], b = target % size[level] / size[level - 1];
            if (v / size[level] != target / size[level] || a == b) continue;
            std::uint32_t const leave = v - v % size[level - 1] + exit_host(level, a, b);
            if (leave == v) return port_of(level);
            target = leave;
        }
        return 1;
    }

private:
    /// Of the hosts of a switch the one from which a packet for d leaves it, or d itself.
    std::uint32_t host_on_the_way(std::uint32_t first, std::uint32_t d) const {
        std::uint32_t target = d;
        for (std::size_t level = size.size() - 1; level > 0; --level) {
            std::uint32_t const a = first % size[level] / size[level - 1], b = target % size[level] / size[level - 1];
            if (a != b) target = first - first % size[level - 1] + exit_host(level, a, b);
        }
        return target;
    }
};

/// HCN and BCN. Host = ((copy * alpha^h + leaf) * n) + slot; slots below alpha are masters. Leaf and slot of a master
/// are together h + 1 digits below alpha; where digit m (from the lowest) is the first that differs from the one below,
/// its port 2 leads to the master whose digit m and the lower ones (all equal) are exchanged. Slaves of BCN join the
/// copies as in DCell: slave number s of a copy counts slots alpha.. leaf by leaf.
struct HcnShape {
    std::uint32_t alpha, n, h;
    std::uint32_t copies = 1;

    std::uint32_t power(std::uint32_t e) const {
        std::uint32_t result = 1;
        for (; e > 0; --e) result *= alpha;
        return result;
    }
    std::uint32_t copy_size() const { return power(h) * n; }
    bool is_master(std::uint32_t host) const { return host % n < alpha; }
    std::uint32_t address(std::uint32_t host) const { return host % copy_size() / n * alpha + host % n; }
    std::uint32_t master(std::uint32_t copy, std::uint32_t address) const {
        return copy * copy_size() + address / alpha * n + address % alpha;
    }
    std::uint32_t slave(std::uint32_t copy, std::uint32_t s) const {
        return copy * copy_size() + s / (n - alpha) * n + alpha + s % (n - alpha);
    }

    template <class Take>
    void each_partner(std::uint32_t host, Take&& take) const {
        std::uint32_t const copy = host / copy_size();
        if (!is_master(host)) {
            std::uint32_t const s = host % copy_size() / n * (n - alpha) + host % n - alpha;
            std::uint32_t const other = s >= copy ? s + 1 : s;
            if (copies > 1) take(2, slave(other, other > copy ? copy : copy - 1), 2);
            return;
        }
        std::uint32_t const a = address(host), low = a % alpha;
        std::uint32_t m = 1;
        while (m <= h && a / power(m) % alpha == low) ++m;
        if (m > h) return;  // all digits alike: the port is free
        std::uint32_t const high = a / power(m) % alpha, ones = (power(m) - 1) / (alpha - 1);
        take(2, master(copy, a - a % power(m + 1) + low * power(m) + high * ones), 2);
    }

    model::Port next_port(std::uint32_t v, std::uint32_t d) const {
        std::uint32_t const hosts = copies * copy_size();
        bool const is_switch = v >= hosts;
        std::uint32_t const leaf = is_switch ? v - hosts : v / n;
        std::uint32_t const copy = leaf / power(h), to_copy = d / copy_size();
        std::uint32_t target = d;
        if (copy != to_copy) {
            target = slave(copy, to_copy > copy ? to_copy - 1 : to_copy);
            if (target == v) return 2;
        }
        // Towards a leaf of this copy, digit by digit from the highest; the digits of leaves alone, each exit a master.
        std::uint32_t const here = leaf % power(h);
        for (std::uint32_t m = h; m-- > 0;) {
            std::uint32_t const there = target % copy_size() / n;
            std::uint32_t const a = here / power(m) % alpha, b = there / power(m) % alpha;
            if (here / power(m + 1) != there / power(m + 1) || a == b) continue;
            // The master of this part whose lower digits, slot included, are all b.
            std::uint32_t const ones = (power(m + 1) - 1) / (alpha - 1);
            target = master(copy, here / power(m) * power(m) * alpha + b * ones);
            if (target == v) return 2;
        }
        return is_switch ? target % n + 1 : 1;
    }
};

/// DPillar: host = column * rows + row, a row has k digits below m = n/2. The switch (c, rest of the row without digit
/// c) has the hosts of column c on ports 1..m (their port 1) and those of column c + 1 on ports m+1..2m (their port 2).
/// Routes go round the columns, setting digit c when they leave column c, until a switch has the destination.
struct DpillarShape {
    std::uint32_t m, k, rows;

    std::uint32_t power(std::uint32_t e) const {
        std::uint32_t result = 1;
        for (; e > 0; --e) result *= m;
        return result;
    }
    std::uint32_t digit(std::uint32_t row, std::uint32_t c) const { return row / power(c) % m; }
    std::uint32_t rest(std::uint32_t row, std::uint32_t c) const {
        return row / (power(c) * m) * power(c) + row % power(c);
    }
    std::uint32_t switch_of(std::uint32_t c, std::uint32_t row) const {
        return k * rows + c * (rows / m) + rest(row, c);
    }

    model::Port next_port(std::uint32_t v, std::uint32_t d) const {
        std::uint32_t const hosts = k * rows;
        if (v < hosts) return 1;
        std::uint32_t const c = (v - hosts) / (rows / m), without = (v - hosts) % (rows / m);
        std::uint32_t const column = d / rows, row = d % rows;
        if (column == c && rest(row, c) == without) return digit(row, c) + 1;
        return m + digit(row, c) + 1;
    }
};

/// A generalised hypercube of k dimensions of n switches, on whose links hosts sit. Switch w has digit w / n^i mod n in
/// dimension i; its port i (n-1) + ahead leads to the digit that is `ahead` further (around).
struct CubeOfSwitches {
    std::uint32_t n, k;

    std::uint32_t power(std::uint32_t e) const {
        std::uint32_t result = 1;
        for (; e > 0; --e) result *= n;
        return result;
    }
    std::uint32_t switches() const { return power(k); }
    std::uint32_t digit(std::uint32_t w, std::uint32_t i) const { return w / power(i) % n; }
    std::uint32_t with_digit(std::uint32_t w, std::uint32_t i, std::uint32_t to) const {
        return w - digit(w, i) * power(i) + to * power(i);
    }
    model::Port port_to(std::uint32_t i, std::uint32_t from, std::uint32_t to) const {
        return i * (n - 1) + (to + n - from) % n;
    }
    /// Towards a link of dimension j between x and y: the other dimensions are corrected first to last, j only where
    /// the digit is neither x's nor y's, to x's. @return the port; 0 = w is x or y.
    model::Port towards_link(std::uint32_t w, std::uint32_t j, std::uint32_t x, std::uint32_t y) const {
        for (std::uint32_t i = 0; i < k; ++i) {
            std::uint32_t const a = digit(w, i), b = digit(x, i);
            if (a != b && (i != j || a != digit(y, i))) return port_to(i, a, b);
        }
        return 0;
    }
    /// How many switches are passed on that way.
    std::uint32_t hops_to_link(std::uint32_t w, std::uint32_t j, std::uint32_t x, std::uint32_t y) const {
        std::uint32_t hops = 0;
        for (std::uint32_t i = 0; i < k; ++i) {
            std::uint32_t const a = digit(w, i), b = digit(x, i);
            hops += a != b && (i != j || a != digit(y, i));
        }
        return hops;
    }
};

/// SWCube: on every link of the hypercube a host with a port to either end, port 1 to the end of the lower digit. Hosts
/// are numbered by dimension, then by line (the switch without that digit), then by pair of digits.
struct SwcubeShape {
    CubeOfSwitches cube;

    struct Ends {
        std::uint32_t dimension, low, high;  ///< switches
    };
    std::uint32_t pairs() const { return cube.n * (cube.n - 1) / 2; }
    std::uint32_t hosts() const { return cube.k * cube.power(cube.k - 1) * pairs(); }
    Ends ends(std::uint32_t h) const {
        std::uint32_t const lines = cube.power(cube.k - 1), i = h / pairs() / lines, line = h / pairs() % lines;
        std::uint32_t pair = h % pairs(), high = 1;  // b (b - 1) / 2 + a, a < b
        while (pair >= high) pair -= high++;
        std::uint32_t const unit = cube.power(i), base = line / unit * unit * cube.n + line % unit;
        return {i, base + pair * unit, base + high * unit};
    }
    model::Port next_port(std::uint32_t v, std::uint32_t d) const {
        Ends const to = ends(d);
        auto const hops = [&](std::uint32_t w) { return cube.hops_to_link(w, to.dimension, to.low, to.high); };
        if (v < hosts()) {
            Ends const own = ends(v);
            return hops(own.low) <= hops(own.high) ? 1 : 2;
        }
        std::uint32_t const w = v - hosts();
        if (model::Port const port = cube.towards_link(w, to.dimension, to.low, to.high)) return port;
        std::uint32_t const i = to.dimension, low = cube.digit(to.low, i), high = cube.digit(to.high, i);
        return w == to.low ? cube.port_to(i, low, high) : cube.port_to(i, high, low);
    }
};

/// KNK star, the stellar hypercube: on every link two hosts, each with port 1 to a switch and port 2 to the other. Host
/// w * k (n-1) + p - 1 is on port p of switch w.
struct KnkStarShape {
    CubeOfSwitches cube;

    std::uint32_t degree() const { return cube.k * (cube.n - 1); }
    std::uint32_t hosts() const { return cube.switches() * degree(); }
    struct Link {
        std::uint32_t dimension, here, there;  ///< switches
    };
    Link link_of(std::uint32_t h) const {
        std::uint32_t const w = h / degree(), p = h % degree(), i = p / (cube.n - 1), ahead = p % (cube.n - 1) + 1;
        return {i, w, cube.with_digit(w, i, (cube.digit(w, i) + ahead) % cube.n)};
    }
    std::uint32_t partner(std::uint32_t h) const {
        auto const [i, here, there] = link_of(h);
        return there * degree() + cube.port_to(i, cube.digit(there, i), cube.digit(here, i)) - 1;
    }
    /// Links from a switch to host d.
    std::uint32_t distance(std::uint32_t w, std::uint32_t d) const {
        auto const [i, here, there] = link_of(d);
        bool const by_partner = cube.digit(w, i) == cube.digit(there, i);
        return 3 * cube.hops_to_link(w, i, here, there) + (by_partner ? 2 : 1);
    }
    model::Port next_port(std::uint32_t v, std::uint32_t d) const {
        if (v < hosts()) {
            if (partner(v) == d) return 2;
            auto const [i, here, there] = link_of(v);
            return 1 + distance(here, d) <= 2 + distance(there, d) ? 1 : 2;
        }
        std::uint32_t const w = v - hosts();
        auto const [i, here, there] = link_of(d);
        if (model::Port const port = cube.towards_link(w, i, here, there)) return port;
        return w == here ? d % degree() + 1 : partner(d) % degree() + 1;
    }
};

}  // namespace tailback::topologies
