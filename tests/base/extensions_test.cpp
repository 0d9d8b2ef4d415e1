// Rows that extensions put into tables of the core.
#include "host/base/extensions.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::extensions_test {
namespace {

struct Named {
    std::string name;
    int value = 0;
};

std::string names(std::vector<Named> const& rows) {
    std::string all;
    for (Named const& row : rows) all += row.name + std::to_string(row.value) + " ";
    return all;
}

TEST(Extensions, RowsComeInFrontOfTheFirstOfAName) {
    std::vector<Named> rows = {{"a", 1}, {"b", 2}, {"b", 3}, {"c", 4}};
    base::insert_before(rows, "b", Named{"x", 5});
    base::insert_before(rows, "b", Named{"y", 6});  // in the order in which they are added
    base::insert_before(rows, "absent", Named{"z", 7});
    EXPECT_EQ(names(rows), "a1 x5 y6 b2 b3 c4 z7 ");
}

TEST(Extensions, OnlyWhatIsLeftOutIsRefused) {
    EXPECT_NO_THROW(base::refuse_left_out("command", "no-such-command"));
    for (base::LeftOut const& one : base::left_out()) {
        EXPECT_THROW(base::refuse_left_out(one.kind, one.name), base::InputError);
        EXPECT_NO_THROW(base::refuse_left_out("metric", one.name));
        EXPECT_NE(base::left_out_hint(one.kind).find(one.name), std::string::npos);
        EXPECT_NE(base::left_out_hint(one.kind).find(one.extension), std::string::npos);
    }
    EXPECT_EQ(base::left_out_hint("no-such-kind"), "");
    EXPECT_EQ(base::left_out().empty(), std::string(base::names_of_extensions()) == "all");
}

}  // namespace
}  // namespace tailback::extensions_test
