// Every way the same mapping can be evaluated comes to the same tally: packed rows of each width or step tables, the
// plain body or the general one, narrow counters or wide. (CPU or CUDA: cuda_executor_test.cpp.)
#include "host/evaluation/evaluation.hpp"
#include "tests/support/programs/outcome.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

namespace tailback::executor_test {
namespace {

/// Sums by link, whatever the slots are; congestions without trailing zeros.
std::vector<std::uint64_t> sums_by_link(StudyPlan const& plan, Totals const& totals) {
    std::vector<std::uint64_t> sums(plan.fabric->network.links().size());
    for (std::size_t s = 0; s < totals.link_sums.size(); ++s)
        if (plan.link_of_index[s].exists()) sums[plan.link_of_index[s].value] += totals.link_sums[s];
    return sums;
}

struct TreeCase {
    char const* name;
    XgftSpec spec;
    RouteForm form;
    std::uint32_t width;
};

// 18,432 hosts: more links between switches than 16 bits can number.
TreeCase const trees[] = {
    {"two levels", {{4, 6}, {1, 4}, 0}, RouteForm::rows16, 2},
    {"three levels", {{3, 3, 4}, {1, 3, 3}, 0}, RouteForm::rows16, 4},
    {"four levels", {{2, 2, 2, 3}, {1, 2, 2, 2}, 0}, RouteForm::rows16, 8},
    {"six levels", {{2, 2, 2, 2, 2, 2}, {1, 2, 2, 2, 2, 1}, 60}, RouteForm::rows16, 16},
    {"wide slots", {{24, 24, 32}, {1, 24, 24}, 0}, RouteForm::rows32, 4},
};

TEST(Executor, StepTablesAndPackedRowsOfEveryWidthAgree) {
    for (TreeCase const& tree : trees) {
        SCOPED_TRACE(tree.name);
        Fabric const fabric = make_xgft(tree.spec);
        bool const large = fabric.network.hosts().size() > 1000;
        for (char const* pattern : {"bisect", "rand", "bruck", "gather"}) {
            if (large && pattern != std::string("bisect")) continue;
            SCOPED_TRACE(pattern);
            Study study;
            study.traffic.pattern = pattern;
            study.measures.metrics = every_metric();
            StudyPlan const rows = make_plan(fabric, study);
            EXPECT_EQ(rows.problem.routes.form, tree.form);
            EXPECT_EQ(rows.problem.routes.row_width, tree.width);
            StudyPlan const steps = make_plan(fabric, study, 0);
            EXPECT_EQ(steps.problem.routes.form, RouteForm::steps);
            std::size_t const mappings = large ? 2 : 40;
            Outcome const a = run(*make_cpu_executor(rows.problem, 2), mappings);
            Outcome const b = run(*make_cpu_executor(steps.problem, 1), mappings);
            EXPECT_EQ(a.tallies, b.tallies);
            EXPECT_EQ(a.totals.histogram, b.totals.histogram);
            EXPECT_EQ(sums_by_link(rows, a.totals), sums_by_link(steps, b.totals));
        }
    }
}

TEST(Executor, PlainAndGeneralBodyAgreeNarrowAndWide) {
    Fabric const fabric = make_xgft({{3, 3, 4}, {1, 3, 3}, 0});
    for (char const* pattern :
         {"bisect", "bisect_fb_sym", "rand", "tree", "bruck", "gather", "scatter", "ring", "recdbl", "4neighbor"}) {
        SCOPED_TRACE(pattern);
        Study study;
        study.traffic.pattern = pattern;
        study.measures.metrics = {Metric::sum_max_cong, Metric::hist_max_cong, Metric::hist_acc_band,
                                  Metric::dep_max_delay};
        StudyPlan const plan = make_plan(fabric, study);
        ASSERT_TRUE(plan.problem.routes.all_delivered && !plan.problem.measures.count_host_links &&
                    plan.problem.routes.cost == nullptr);
        Outcome const plain = run(*make_cpu_executor(plan.problem, 1, CpuVariant::kernel_body), 50);
        for (int variant = 0; variant < 4; ++variant) {
            Problem other = plan.problem;
            if (variant & 1) other.measures.count_host_links = true;  // the general body
            if (variant & 2) other.traffic.max_kept = 70000;          // wide counters
            Outcome const general = run(*make_cpu_executor(other, 1, CpuVariant::kernel_body), 50);
            EXPECT_EQ(plain.tallies, general.tallies) << "variant " << variant;
            EXPECT_EQ(plain.totals.histogram, general.totals.histogram) << "variant " << variant;
        }
    }
}

}  // namespace
}  // namespace tailback::executor_test
