#include "host/commands/command.hpp"
#include "host/error.hpp"

namespace tailback {

int run_orcs(std::vector<std::string> const&) {
    throw InputError({}, "`tailback orcs` is not there yet", "", "");
}

}  // namespace tailback
