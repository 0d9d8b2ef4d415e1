#include "host/commands/command.hpp"
#include "host/error.hpp"

namespace tailback {

int run_trace(std::vector<std::string> const&) {
    throw InputError({}, "`tailback trace` is not there yet", "", "");
}

}  // namespace tailback
