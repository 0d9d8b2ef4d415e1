// What a machine need not have: tests of it skip with the reason, or fail where a variable says that it must be there.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace tailback {

/// The last words of a SetUp. @param why it is missing; empty: it is there. @param variable 1 means that it must be.
inline void skip_where_missing(std::string const& why, char const* variable) {
    if (why.empty()) return;
    char const* const required = std::getenv(variable);
    if (required != nullptr && std::string(required) == "1") FAIL() << why << ", and " << variable << " is 1";
    GTEST_SKIP() << why;
}

}  // namespace tailback
