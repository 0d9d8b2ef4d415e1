// all-to-all, many-all-to-all, one-to-all, all-to-one: everyone with everyone, in groups, or with a root.
#include "host/base/spec.hpp"
#include "patterns/arguments.hpp"
#include "patterns/families.hpp"

#include <algorithm>

namespace tailback::patterns {
namespace {

/// @throws InputError where there are 2^32 flows and more.
void check_count(base::Arguments const& arguments, std::uint64_t flows) {
    if (flows >> 32 != 0) arguments.refuse("it has 2^32 flows or more", "", "use fewer ranks, or smaller groups");
}

}  // namespace

void write_all_to_all(FlowListWriter& out, base::Arguments const& arguments) {
    std::uint64_t const n = out.ranks();
    check_count(arguments, n * n);
    out.begin_level();
    for (std::uint64_t i = 0; i < n; ++i)
        for (std::uint64_t j = 0; j < n; ++j)
            if (i != j) out.flow(i, j);
}

void write_many_all_to_all(FlowListWriter& out, base::Arguments const& arguments) {
    std::uint64_t const n = out.ranks(), group = arguments.number("group");
    check_count(arguments, n * std::min(n, group));
    out.begin_level();
    for (std::uint64_t i = 0; i < n; ++i) {
        std::uint64_t const first = i / group * group;
        for (std::uint64_t j = first; j < std::min(n, first + group); ++j)
            if (i != j) out.flow(i, j);
    }
}

void write_one_to_all(FlowListWriter& out, base::Arguments const& arguments) {
    std::uint64_t const root = root_of(arguments, out.ranks());
    out.begin_level();
    for (std::uint64_t i = 0; i < out.ranks(); ++i)
        if (i != root) out.flow(root, i);
}

void write_all_to_one(FlowListWriter& out, base::Arguments const& arguments) {
    std::uint64_t const root = root_of(arguments, out.ranks());
    out.begin_level();
    for (std::uint64_t i = 0; i < out.ranks(); ++i)
        if (i != root) out.flow(i, root);
}

}  // namespace tailback::patterns
