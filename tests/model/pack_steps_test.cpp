// Steps of routes, packed a destination at a time: what walks from every row by themselves say.
#include "host/model/pack/route_store.hpp"
#include "kernels/route_packer.hpp"
#include "tests/support/networks/table_fabrics.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::pack_steps_test {
namespace {

/// The CPU's rows; steps by a walk from every row.
class PackerByWalks final : public kernels::RoutePacker {
public:
    explicit PackerByWalks(kernels::PackProblem const& problem)
        : problem_(problem), rows_(kernels::make_cpu_route_packer(problem)) {}

    kernels::PairSums look(std::uint32_t step) override { return rows_->look(step); }
    kernels::PairSums pack_rows(std::byte* rows, std::uint32_t width, bool slots32) override {
        return rows_->pack_rows(rows, width, slots32);
    }
    void pack_steps(std::uint32_t* steps) override {
        if (problem_.wide) walk<std::uint16_t>(steps);
        else walk<std::uint8_t>(steps);
    }

private:
    template <class Entry>
    void walk(std::uint32_t* steps) {
        kernels::PackView const& v = problem_.view;
        kernels::TablesView<Entry> const tables{static_cast<Entry const*>(problem_.entries), problem_.table_of_row,
                                                problem_.lids};
        std::uint32_t const rows = v.forwarding.rows;
        for (std::uint32_t row = 0; row < kernels::step_rows(v); ++row)
            for (std::uint32_t d = 0; d < v.destination_count; ++d) {
                bool const arrived = row == rows + v.group_count || v.destinations[d].own_row == row;
                kernels::RouteStart const start =
                    row < rows || arrived ? kernels::RouteStart{row} : v.groups[row - rows].start;
                *steps++ = arrived ? v.inner : first_slot(v, tables, start, v.destinations[d].target);
            }
    }
    template <class Entry>
    static std::uint32_t first_slot(kernels::PackView const& v, kernels::TablesView<Entry> const& tables,
                                    kernels::RouteStart const& start, kernels::RouteTarget const& target) {
        std::uint32_t first = v.inner, slots = 0;
        kernels::WalkResult const walk =
            kernels::walk_route(v.forwarding, tables, v.slots, start, target,
                                [&](std::uint32_t slot) { first = slots++ == 0 ? slot : first; });
        return walk.end == kernels::WalkEnd::delivered ? first : v.inner + static_cast<std::uint32_t>(walk.end);
    }

    kernels::PackProblem problem_;
    std::unique_ptr<kernels::RoutePacker> rows_;
};

std::unique_ptr<kernels::RoutePacker> make_packer_by_walks(kernels::PackProblem const& problem) {
    return std::make_unique<PackerByWalks>(problem);
}

/// Also with loops, black holes, hosts without cables and LIDs that arrive elsewhere.
TEST(PackSteps, AreWhatWalksSay) {
    std::size_t lost = 0;
    for (NastyNetwork const& network : table_fabrics()) {
        SCOPED_TRACE(network.name);
        std::vector<Host> hosts;
        for (std::size_t h = 0; h < network.fabric.network.hosts().size(); ++h) hosts.emplace_back(h);
        RouteStore const got = pack_routes(network.fabric, hosts, {}, 0),
                         want = pack_routes(network.fabric, hosts, {}, 0, make_packer_by_walks);
        ASSERT_EQ(got.form, kernels::RouteForm::steps);
        EXPECT_EQ(got.steps, want.steps);
        for (std::uint32_t const step : got.steps) lost += step > got.inner;
    }
    EXPECT_GT(lost, 0u);
}

}  // namespace
}  // namespace tailback::pack_steps_test
