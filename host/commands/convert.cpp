#include "host/commands/command.hpp"
#include "host/error.hpp"

namespace tailback {

int run_convert(std::vector<std::string> const&) {
    throw InputError({}, "`tailback convert` is not there yet", "", "");
}

}  // namespace tailback
