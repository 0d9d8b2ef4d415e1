// Effective bisection bandwidth of a real fabric, with Tailback as a library:
//   mean_bandwidth ibnetdiscover.out opensm-lfts.dump [mappings]
#include "host/api/study.hpp"
#include "host/base/error.hpp"

#include <cstdio>
#include <cstdlib>

using namespace tailback;

int main(int argc, char** argv) {
    if (argc < 3) return std::puts("usage: mean_bandwidth NETWORK TABLES [MAPPINGS]"), 2;
    try {
        api::StudyRequest request;
        request.network = api::NetworkChoice(argv[1]);
        request.network.tables = argv[2];
        request.study.traffic.pattern = "bisect";
        request.study.sample.mappings = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1000;
        request.mappings_given = true;

        api::PreparedStudy const prepared(request);
        evaluation::Evaluation const result = evaluate(prepared);
        std::printf("%u ranks, %llu mappings: mean bandwidth %.6f of a link\n", prepared.plan().study.placement.ranks,
                    static_cast<unsigned long long>(result.mappings),
                    result.numbers.at(study::Metric::hist_acc_band).mean());
    } catch (base::InputError const& error) {
        return std::fprintf(stderr, "mean_bandwidth: %s\n", error.what()), 2;
    }
}
