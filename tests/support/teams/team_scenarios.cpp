#include "tests/support/teams/team_scenarios.hpp"

#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/networks/regular.hpp"
#include "tests/support/rooms.hpp"

#include <map>
#include <memory>
#include <tuple>

namespace tailback {

std::vector<TeamScenario> team_scenarios() {
    std::vector<TeamScenario> all;
    auto add = [&](std::string const& network, std::string const& pattern, SubsetKind subset, MappingKind mapping,
                   std::vector<Metric> const& metrics, std::uint32_t ranks = 0, std::uint64_t mappings = 3) {
        Fabric const& fabric = nasty_network(network);
        Study study;
        study.traffic.pattern = pattern;
        if (std::size_t const at = pattern.find('|'); at != std::string::npos) {
            study.traffic.pattern = "ptrnvsptrn";
            study.traffic.first = pattern.substr(0, at);
            study.traffic.second = pattern.substr(at + 1);
            study.traffic.first_ranks = 5;
        }
        study.placement.subset = subset;
        study.placement.mapping = mapping;
        study.measures.metrics = metrics;
        study.placement.ranks = ranks;
        study.sample.mappings = mappings;
        study.sample.seed = 11;
        if (mapping == MappingKind::listed) {
            std::vector<Host> const hosts = breadth_first_hosts(fabric.network, false);
            study.placement.ranks = static_cast<std::uint32_t>(hosts.size());
            for (std::size_t i = 0; i < 3 * hosts.size(); ++i)
                study.placement.mapping_hosts.push_back(hosts[(i * 5 + i / hosts.size()) % hosts.size()]);
        }
        all.push_back({network + ", " + pattern, make_plan(fabric, study)});
        all.back().plan.study.sample.mappings = 3;  // planned for many, a few are evaluated
    };
    std::vector<Metric> const band = {Metric::hist_acc_band};
    std::vector<Metric> every;
    every = metrics_of_all();
    std::vector<Metric> const no_links = {Metric::sum_max_cong, Metric::hist_max_cong, Metric::dep_max_delay};

    add("tree 4x4", "bisect", SubsetKind::linear_bfs, MappingKind::random, band);
    add("tree 4x4", "bruck", SubsetKind::linear_bfs, MappingKind::random, no_links);
    add("tree of three levels", "rand", SubsetKind::random, MappingKind::identity, band, 17);
    std::uint64_t const many = 1'000'000;  // worth a look at which links can be shared
    add("tree of three levels", "bisect", SubsetKind::linear_bfs, MappingKind::random, band, 0, many);
    add("tree of three levels", "bruck", SubsetKind::random, MappingKind::random, no_links, 30, many);
    add("tree of four levels", "rand", SubsetKind::linear_bfs, MappingKind::random, band, 0, many);
    add("tree of three levels", "ring", SubsetKind::random, MappingKind::random, no_links, 9);
    add("tree of three levels", "tree|rand", SubsetKind::random, MappingKind::random, every, 30);
    add("tree of four levels", "recdbl", SubsetKind::linear_bfs, MappingKind::identity, every);
    add("tree 7x6", "gather", SubsetKind::linear_bfs, MappingKind::listed, every);
    add("tree 7x6", "2neighbor", SubsetKind::linear_bfs, MappingKind::listed, band);
    add("mixed rates", "bruck", SubsetKind::linear_bfs, MappingKind::random, every);
    add("long line", "bruck", SubsetKind::linear_bfs, MappingKind::random, every);
    add("random rated broken graph", "rand|bruck", SubsetKind::linear_bfs, MappingKind::random, every);
    add("chaos", "ring", SubsetKind::linear_bfs, MappingKind::random, every);
    add("chaos", "4neighbor", SubsetKind::random, MappingKind::identity, no_links, 8);
    add("one switch", "scatter", SubsetKind::linear_bfs, MappingKind::random, every);
    add("one switch", "null", SubsetKind::linear_bfs, MappingKind::random, every);
    for (auto const& [network, routing, pattern, metrics] : {std::tuple{"torus:5x4,hosts=2", "", "rand", every},
                                                             {"kary-ntree:k=3,n=3", "", "bruck", no_links},
                                                             {"kary-ntree:k=3,n=3", "smodk", "rand", band},
                                                             {"dragonfly:a=4,p=2,h=1", "", "rand|bruck", every},
                                                             {"torus:5x4,hosts=2", "valiant", "bruck", every},
                                                             {"dragonfly:a=4,p=2,h=1", "valiant", "rand", band},
                                                             {"hyperx:4x3x2,hosts=2", "", "rand", every},
                                                             {"hyperx:3x3,hosts=3,cables=2", "", "bruck", band},
                                                             {"hypercube:n=5", "", "rand|bruck", no_links}}) {
        Study study;
        study.traffic.pattern = pattern;
        if (study.traffic.pattern.find('|') != std::string::npos) {
            study.traffic.pattern = "ptrnvsptrn";
            study.traffic.first = "rand";
            study.traffic.second = "bruck";
            study.traffic.first_ranks = 7;
        }
        study.measures.metrics = metrics;
        study.sample.mappings = 3;
        static std::map<std::string, Fabric> made;  // plans point into them
        std::string const name = std::string(network) + ", " + routing;
        auto const [at, is_new] = made.try_emplace(name);
        if (is_new) at->second = fabric_of(regular_network(network, routing));
        all.push_back({name + ", " + pattern, make_plan(at->second, study)});
    }
    return all;
}

}  // namespace tailback
