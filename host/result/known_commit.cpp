// A file of its own: it alone is compiled again when the commit changes.
#include "host/result/known_commit.hpp"

#include "commit.hpp"

#include <cstring>

namespace tailback::result {

char const* known_commit() { return std::strcmp(commit, "no git") == 0 ? nullptr : commit; }

}  // namespace tailback::result
