// cxxopts without std::regex, which it would use for a few one-line matches and which takes 20 s a file to compile.
#pragma once

#define CXXOPTS_NO_REGEX
#include <cxxopts.hpp>
