// What every page carries, built into the program: a library for charts, our script and our style.
#pragma once

#include <string_view>

namespace tailback::report::assets {

std::string_view library();  ///< d3; empty where it was not installed when the program was built
std::string_view script();   ///< the modules of this folder, one after the other
std::string_view style();

/// What a Content-Security-Policy calls them: their hashes, `'sha256-..'`. Pages hold them byte for byte.
std::string_view script_sources();
std::string_view style_sources();

}  // namespace tailback::report::assets
