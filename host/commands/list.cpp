#include "host/commands/command.hpp"
#include "host/error.hpp"

namespace tailback {

int run_list(std::vector<std::string> const&) {
    throw InputError({}, "`tailback list` is not there yet", "", "");
}

}  // namespace tailback
