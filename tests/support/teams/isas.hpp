// Tests that run in every instruction set that this machine has.
#pragma once

#include "kernels/cpu/machine/isa.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tailback {

class InEachIsa : public ::testing::TestWithParam<Isa> {
protected:
    void SetUp() override { use_isa(GetParam()); }
    void TearDown() override { use_isa(usual_); }

private:
    Isa const usual_ = isa();
};

inline std::string isa_of_test(::testing::TestParamInfo<Isa> const& info) { return name_of(info.param); }

}  // namespace tailback

#define TAILBACK_IN_EACH_ISA(suite)    \
    class suite : public InEachIsa {}; \
    INSTANTIATE_TEST_SUITE_P(Isas, suite, ::testing::ValuesIn(isas_here()), isa_of_test)
