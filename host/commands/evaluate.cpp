#include "host/commands/command.hpp"
#include "host/error.hpp"

namespace tailback {

int run_evaluate(std::vector<std::string> const&) {
    throw InputError({}, "`tailback evaluate` is not there yet", "", "");
}

}  // namespace tailback
