// Available memory is the least of what the system has and what the limits of the control groups leave; asking for more
// is refused.
#include "host/base/memory.hpp"

#include "host/base/error.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::memory_test {
namespace {

class FakeRoot {
public:
    void write(std::string const& path, std::string const& text) const {
        std::filesystem::path const file = folder_ / path;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    std::optional<std::uint64_t> available() const { return available_memory(folder_.path()); }

private:
    TemporaryFolder folder_;
};

TEST(AvailableMemory, IsWhatTheSystemHas) {
    FakeRoot root;
    EXPECT_FALSE(root.available());
    root.write("proc/meminfo", "MemTotal:       1000 kB\nMemAvailable:    700 kB\n");
    EXPECT_EQ(root.available(), 700u << 10);
    root.write("proc/self/cgroup", "0::/\n");  // a group without limit
    root.write("sys/fs/cgroup/memory.max", "max\n");
    root.write("sys/fs/cgroup/memory.current", "5\n");
    EXPECT_EQ(root.available(), 700u << 10);
}

TEST(AvailableMemory, IsWhatTheGroupsLeave) {
    FakeRoot root;
    root.write("proc/meminfo", "MemAvailable: 700 kB\n");
    root.write("proc/self/cgroup", "0::/a/b\n");
    root.write("sys/fs/cgroup/a/b/memory.max", "500000\n");
    root.write("sys/fs/cgroup/a/b/memory.current", "100000\n");
    EXPECT_EQ(root.available(), 400000u);
    root.write("sys/fs/cgroup/a/b/memory.stat", "anon 60000\ninactive_file 40000\n");  // can be dropped
    EXPECT_EQ(root.available(), 440000u);
    root.write("sys/fs/cgroup/a/memory.max", "300000\n");  // the group above
    root.write("sys/fs/cgroup/a/memory.current", "250000\n");
    EXPECT_EQ(root.available(), 50000u);
    root.write("sys/fs/cgroup/a/memory.current", "350000\n");  // more than it may
    EXPECT_EQ(root.available(), 0u);
}

TEST(AvailableMemory, KnowsTheFirstVersionOfGroups) {
    FakeRoot root;
    root.write("proc/self/cgroup", "4:memory,hugetlb:/x\n1:cpu:/\n0::/\n");
    root.write("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "9223372036854771712\n");
    root.write("sys/fs/cgroup/memory/x/memory.usage_in_bytes", "1000\n");
    root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "600000\n");
    root.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "100000\n");
    EXPECT_EQ(root.available(), 500000u);
}

TEST(RequireMemory, RefusesWhatDoesNotFit) {
    require_memory("tables", 1000, 1000, "");
    require_memory("tables", 1000, std::nullopt, "");
    try {
        require_memory("tables", 3'000'000'000, 2'500'000'000, "choose a smaller network");
        FAIL();
    } catch (InputError const& error) {
        EXPECT_STREQ(error.what(),
                     "tables of 3 GB do not fit into memory (2.5 GB are available); choose a smaller network");
    }
    EXPECT_THROW(require_memory("tables", std::uint64_t{1} << 60, ""), InputError);  // nobody has that
}

}  // namespace
}  // namespace tailback::memory_test
