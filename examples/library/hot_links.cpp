// The links that carry most pairs of hosts, and what is wrong with the tables, with Tailback as a library:
//   hot_links ibnetdiscover.out opensm-lfts.dump
#include "host/api/audit.hpp"
#include "host/base/error.hpp"

#include <cstdio>

using namespace tailback;

int main(int argc, char** argv) {
    if (argc != 3) return std::puts("usage: hot_links NETWORK TABLES"), 2;
    try {
        api::AuditChoice choice;
        choice.network = api::NetworkChoice(argv[1]);
        choice.network.tables = argv[2];
        choice.worst_case.permutations = audit::WorstCaseChoice::none;
        choice.worst_case.shifts = audit::ShiftChoice::none;

        api::FabricAudit const done(choice);
        audit::Audit const& found = done.found();
        for (std::size_t i = 0; i < found.balance.hottest.size() && i < 5; ++i) {
            model::Link const link = found.balance.hottest[i];
            model::LinkEnds const ends = found.network().ends(link);
            std::printf("%llu pairs: %s [%u] -> %s [%u]\n",
                        static_cast<unsigned long long>(found.all_pairs.load[link.value]), ends.from.c_str(),
                        ends.from_port, ends.to.c_str(), ends.to_port);
        }
        for (audit::Finding const& finding : found.findings)
            std::printf("%s: %s\n", finding.where.c_str(), finding.message.c_str());
    } catch (base::InputError const& error) {
        return std::fprintf(stderr, "hot_links: %s\n", error.what()), 2;
    }
}
