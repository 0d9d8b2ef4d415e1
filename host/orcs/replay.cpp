// One run after the other, one level after the other, in ORCS's order: it is the order that some of its results rest
// on.
#include "host/orcs/replay.hpp"

#include "host/base/error.hpp"
#include "host/orcs/delay.hpp"
#include "host/orcs/levels.hpp"
#include "host/orcs/orcs_placement.hpp"
#include "host/orcs/routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <ostream>

namespace tailback::orcs {
namespace {

class Replay {
public:
    Replay(model::Fabric const& fabric, OrcsOptions const& options, std::uint32_t commsize, std::ostream& console)
        : fabric_(fabric),
          options_(options),
          console_(console),
          seating_(fabric.network, options, commsize),
          levels_(options, commsize),
          routes_(fabric, console),
          load_(fabric.network.links().size(), 0),
          edges_(fabric.network.links().size(), 0) {}

    OrcsResults run() {
        std::vector<double> per_run;
        for (std::uint64_t run = 0; run < options_.runs; ++run) {
            hosts_ = seating_.hosts_of_run(run);
            if (options_.print_namelist) print_orcs_namelist(console_, fabric_.network, hosts_);
            double const value = options_.metric == "dep_max_delay" ? delay_of_run() : simulate_levels(run);
            if (options_.metric != "hist_max_cong" && options_.metric != "get_cable_cong") per_run.push_back(value);
            if (options_.verbose && options_.metric == "dep_max_delay")
                console_ << "Process 0: Simulation run number " << run + 1 << " finished.\n";
        }
        OrcsResults results;
        results.runs = count_values(std::move(per_run));
        if (options_.metric == "hist_max_cong") {
            results.bandwidth = mean_share(weights_);
            for (std::size_t w = 0; w < weights_.size(); ++w)
                if (weights_[w] > 0) results.weights.emplace_back(w, weights_[w]);
        }
        if (options_.metric == "get_cable_cong") results.edges = std::move(edges_);
        return results;
    }

private:
    std::vector<std::uint32_t> const& route(OrcsPair const& pair) {
        return routes_.find(hosts_[pair.source], hosts_[pair.destination]);
    }

    void print(std::vector<OrcsPair> const& pairs) {
        if (!options_.print_pattern) return;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> plain;
        for (OrcsPair const& p : pairs) plain.emplace_back(p.source, p.destination);
        print_orcs_pattern(console_, options_, plain, fabric_.network, hosts_);
    }

    /// Every metric but dep_max_delay; returns the run's value where the metric has one.
    double simulate_levels(std::uint64_t run) {
        std::uint64_t level = options_.level < 0 ? 0 : std::uint64_t(options_.level);
        std::vector<std::uint64_t> weights_of_run;
        std::uint64_t sum_of_largest = 0;
        for (;; ++level) {
            std::vector<OrcsPair> const pairs = levels_.next(level);
            // The level after the last is generated, and by 1.1 printed, before it is known to be one too many.
            if (options_.version == OrcsVersion::v11) print(pairs);
            if (pairs.empty() || (options_.level >= 0 && level > std::uint64_t(options_.level))) break;
            if (options_.version != OrcsVersion::v11) print(pairs);
            if (options_.metric == "get_cable_cong") {
                add_after_every_pair(pairs);
            } else {
                count(pairs);
                std::uint64_t largest = 0;
                for (OrcsPair const& pair : pairs) {
                    std::uint64_t const w = weight(pair);
                    largest = std::max(largest, w);
                    if (weights_of_run.size() <= w) weights_of_run.resize(w + 1, 0);
                    ++weights_of_run[w];
                }
                sum_of_largest += largest;
                clear();
            }
            if (options_.verbose)
                console_ << "Process 0: Simulation run number " << run + 1 << ", level " << level << " finished.\n";
        }
        if (options_.metric == "sum_max_cong") return double(sum_of_largest);
        if (options_.metric == "hist_acc_band") return mean_share(weights_of_run);
        if (weights_.size() < weights_of_run.size()) weights_.resize(weights_of_run.size(), 0);
        for (std::size_t w = 0; w < weights_of_run.size(); ++w) weights_[w] += weights_of_run[w];
        return 0;
    }

    void count(std::vector<OrcsPair> const& pairs) {
        for (OrcsPair const& pair : pairs)
            for (std::uint32_t const e : route(pair)) {
                if (load_[e]++ == 0) touched_.push_back(e);
            }
    }

    std::uint64_t weight(OrcsPair const& pair) {
        std::uint64_t largest = 0;
        for (std::uint32_t const e : route(pair)) largest = std::max(largest, load_[e]);
        return largest;
    }

    void clear() {
        for (std::uint32_t const e : touched_) load_[e] = 0;
        touched_.clear();
    }

    /// get_cable_cong adds the level's counts to the total after every pair, so that an early pair counts many times.
    /// A use of an edge by pair k of P is added P - k times.
    void add_after_every_pair(std::vector<OrcsPair> const& pairs) {
        for (std::size_t k = 0; k < pairs.size(); ++k)
            for (std::uint32_t const e : route(pairs[k])) edges_[e] += pairs.size() - k;
    }

    double delay_of_run() {
        OrcsDelayGraph graph;
        std::uint32_t const valid = options_.part_commsize;
        auto counts = [&](OrcsPair const& p) { return p.source < valid && p.destination < valid; };
        for (std::uint64_t level = 0;; ++level) {
            std::vector<OrcsPair> const pairs = levels_.next(level);
            if (pairs.empty()) break;
            print(pairs);
            count(pairs);
            std::vector<std::pair<OrcsPair, std::uint64_t>> messages;
            for (OrcsPair const& pair : pairs)
                if (counts(pair)) messages.emplace_back(pair, weight(pair));
            clear();
            graph.add_level(messages);
        }
        if (options_.version != OrcsVersion::v11) return double(graph.largest_distance());
        // 1.1 generates level 0 once more for its roots, and takes a sender's rank for the number of its vertex.
        std::vector<std::uint32_t> roots;
        for (OrcsPair const& pair : levels_.next(0))
            if (counts(pair)) roots.push_back(pair.source);
        return double(graph.largest_distance(roots));
    }

    /// Mean of 1/weight, summed in ORCS's order: which bin a value at an edge falls into depends on it.
    double mean_share(std::vector<std::uint64_t> const& weights) const {
        double shares = 0, connections = 0;
        for (std::size_t w = 1; w < weights.size(); ++w) {
            if (weights[w] == 0) continue;
            connections += double(weights[w]);
            shares += double(weights[w]) / double(w);
        }
        if (!weights.empty() && weights[0] > 0)
            throw base::InputError({}, std::to_string(weights[0]) + " connections without a route",
                                   "ORCS dies of an assertion here, all results lost", "leave out --as-orcs");
        if (connections == 0) return std::numeric_limits<double>::quiet_NaN();
        return shares / connections;
    }

    model::Fabric const& fabric_;
    OrcsOptions const& options_;
    std::ostream& console_;
    OrcsPlacement seating_;
    OrcsLevels levels_;
    OrcsRoutes routes_;
    std::vector<model::Host> hosts_;
    std::vector<std::uint64_t> load_;     // by edge, of the level at hand
    std::vector<std::uint32_t> touched_;  // edges with a load
    std::vector<std::uint64_t> edges_;    // get_cable_cong
    std::vector<std::uint64_t> weights_;  // hist_max_cong, over all runs
};

}  // namespace

std::uint32_t orcs_commsize(OrcsOptions const& options, std::size_t hosts) {
    bool const v20 = options.version == OrcsVersion::v20;
    if (v20 && hosts < 4)
        throw base::InputError({options.input_file, 0}, std::to_string(hosts) + " hosts are too few",
                               "ORCS 2.0 needs 4", "leave out --as-orcs");
    auto size = static_cast<std::uint32_t>(options.commsize == 0 ? hosts - hosts % 2 : options.commsize);
    if (size > hosts || (v20 && size < 4))
        throw base::InputError(
            {}, "a communicator of " + std::to_string(size) + " ranks",
            "there are " + std::to_string(hosts) + " hosts" + (v20 ? ", and ORCS 2.0 needs at least 4 ranks" : ""),
            "ask for a number between " + std::string(v20 ? "4" : "1") + " and " + std::to_string(hosts));
    if (v20 && (options.part_commsize < 2 || options.part_commsize >= size))
        throw base::InputError({}, "a first part of " + std::to_string(options.part_commsize) + " ranks",
                               "ORCS 2.0 wants it for every pattern",
                               "ask for a number between 2 and " + std::to_string(size - 1));
    return size;
}

OrcsResults replay_orcs(model::Fabric const& fabric, OrcsOptions const& options, std::uint32_t commsize,
                        std::ostream& console) {
    return Replay(fabric, options, commsize, console).run();
}

std::uint64_t count_orcs_levels(OrcsOptions const& options) {
    if (options.version == OrcsVersion::paper && options.two_patterns()) {  // as many as the first pattern has
        OrcsOptions first = options;
        first.pattern = options.first;
        first.commsize = std::min(options.commsize, options.part_commsize);
        return count_orcs_levels(first);
    }
    OrcsLevels levels(options, options.commsize);
    std::uint64_t level = 0;
    while (!levels.next(level).empty()) ++level;
    return level;
}

void print_orcs_pattern(std::ostream& out, OrcsOptions const& options,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>> const& pairs,
                        model::Network const& network, std::vector<model::Host> const& hosts) {
    if (pairs.empty()) {
        out << "Pattern empty!\n";
        return;
    }
    out << "\nUsed Pattern:\n=================\n";
    for (auto const& [from, to] : pairs) {
        out << fmt::format("{:5} -> {:<5}", from, to);
        if (options.version != OrcsVersion::v11)
            out << "   |   " << network[network[hosts[from]].node].name << " -> "
                << network[network[hosts[to]].node].name;
        out << '\n';
    }
    out << "=================\n";
}

void print_orcs_namelist(std::ostream& out, model::Network const& network, std::vector<model::Host> const& hosts) {
    out << "\n\nUsed subset of nodes: \n=================";
    for (model::Host const host : hosts) out << '\n' << network[network[host].node].name;
    out << "\n===============\n\n";
}

}  // namespace tailback::orcs
