// Which options `tailback evaluate` has, with their help.
#pragma once

#include "host/commands/options/cxxopts.hpp"

namespace tailback {

cxxopts::Options declare_evaluate();

}  // namespace tailback
