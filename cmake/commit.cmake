# Writes commit.hpp: the commit that is built, for `tailback --version`. Run at every build; unchanged text is left alone.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=10 HEAD OUTPUT_VARIABLE commit ERROR_QUIET
  OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
if(failed)
  set(commit "no git")
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no OUTPUT_VARIABLE changed ERROR_QUIET)
  if(changed)
    string(APPEND commit ", changed")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "// Made by the build.
#pragma once

namespace tailback {

inline constexpr char const* commit = \"${commit}\";
inline constexpr char const* build_type = \"${BUILD_TYPE}\";

}  // namespace tailback
")
