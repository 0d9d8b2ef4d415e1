// Time as tests may judge it: seconds of a processor, which a busy machine does not make longer as it does those of a
// clock on the wall.
#pragma once

#include <sys/resource.h>

namespace tailback::test {

inline double cpu_seconds(int of) {
    rusage used{};
    ::getrusage(of, &used);
    auto const seconds = [](timeval const& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// What this process has used since the object was made, with all its threads.
class OwnTime {
public:
    double seconds() const { return cpu_seconds(RUSAGE_SELF) - begin_; }

private:
    double begin_ = cpu_seconds(RUSAGE_SELF);
};

/// What programs have used that were started, and waited for, since the object was made.
class ProgramsTime {
public:
    double seconds() const { return cpu_seconds(RUSAGE_CHILDREN) - begin_; }

private:
    double begin_ = cpu_seconds(RUSAGE_CHILDREN);
};

}  // namespace tailback::test
