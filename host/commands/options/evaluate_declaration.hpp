// Which options `tailback evaluate` has, with their help.
#pragma once

#include "host/commands/options/cxxopts.hpp"

namespace tailback::commands {

cxxopts::Options declare_evaluate();

}  // namespace tailback::commands
