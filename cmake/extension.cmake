# Optional domains: which of them are built, which files are theirs, and the sources that call their functions.
set(TAILBACK_EXTENSIONS all CACHE STRING "Optional domains that are built: all, or names of extensions.cmake")
set(extensions "")       # all names
set(extensions_here "")  # those that are built
set(extension_files "")  # regular expressions of paths: of all
set(left_out_files "")   # of those that are not built
set(extension_rows "")   # C++: what users may ask for in vain where none is built
set(left_out_rows "")    # of those that are not built

# tailback_extension(NAME FILES .. TESTS .. ROWS .. NEEDS .. HAS ..)
#   FILES, TESTS  what belongs to it alone: beginnings of paths, from the root
#   ROWS          rooms in whose tables it has rows: a file of it there has `void register_NAME(Registry&)`
#   NEEDS         other extensions that it does not go without
#   HAS           what is missed by name where it is left out, as KIND=NAME: the message says so
function(tailback_extension name)
  cmake_parse_arguments(of "" "" "FILES;TESTS;ROWS;NEEDS;HAS" ${ARGN})
  list(APPEND extensions ${name})
  set(extensions ${extensions} PARENT_SCOPE)
  string(REPLACE "-" "_" function register_${name})
  set(files "")
  set(rows "")
  foreach(file ${of_FILES} ${of_TESTS})
    string(REPLACE "." "[.]" file ${file})
    list(APPEND files "^${PROJECT_SOURCE_DIR}/${file}")
  endforeach()
  foreach(one ${of_HAS})
    string(REPLACE "=" "\", \"" words ${one})
    string(APPEND rows "\n    {\"${name}\", \"${words}\"},")
  endforeach()
  set(extension_files ${extension_files} ${files} PARENT_SCOPE)
  set(extension_rows "${extension_rows}${rows}" PARENT_SCOPE)
  if(TAILBACK_EXTENSIONS STREQUAL "all" OR name IN_LIST TAILBACK_EXTENSIONS)
    foreach(needed ${of_NEEDS})
      if(NOT needed IN_LIST extensions_here)
        message(FATAL_ERROR "The extension ${name} needs ${needed}; add it to TAILBACK_EXTENSIONS.")
      endif()
    endforeach()
    foreach(room ${of_ROWS})
      set(functions_of_${room} ${functions_of_${room}} ${function} PARENT_SCOPE)
    endforeach()
    set(extensions_here ${extensions_here} ${name} PARENT_SCOPE)
    return()
  endif()
  set(left_out_files ${left_out_files} ${files} PARENT_SCOPE)
  set(left_out_rows "${left_out_rows}${rows}" PARENT_SCOPE)
endfunction()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS extensions.cmake)
include(extensions.cmake)
foreach(name ${TAILBACK_EXTENSIONS})
  if(NOT name STREQUAL "all" AND NOT name IN_LIST extensions)
    message(FATAL_ERROR "There is no extension ${name}. There are: ${extensions}; or all.")
  endif()
endforeach()

# Takes the files of extensions that are left out from a list.
macro(tailback_leave_out files)
  foreach(left_out ${left_out_files})
    list(FILTER ${files} EXCLUDE REGEX "${left_out}")
  endforeach()
endmacro()

# The source of a room that calls the functions of its extensions; a room with tables for them has a registry.hpp.
function(tailback_registering_source folder functions source)
  get_filename_component(room ${folder} NAME)
  set(declared "")
  set(called "")
  foreach(function ${functions})
    string(APPEND declared "void ${function}(Registry& registry);\n")
    string(APPEND called "    ${function}(registry);\n")
  endforeach()
  file(CONFIGURE OUTPUT ${source} CONTENT [=[// Generated from extensions.cmake.
#include "@folder@/registry.hpp"

namespace tailback::@room@ {

@declared@
void register_extensions([[maybe_unused]] Registry& registry) {
@called@}

}  // namespace tailback::@room@
]=] @ONLY)
endfunction()

# The source that tells which extensions are built, and the rows of what is missed.
function(tailback_left_out_source names rows source)
  file(CONFIGURE OUTPUT ${source} CONTENT [=[// Generated from extensions.cmake.
#include "host/base/extensions.hpp"

#include <vector>

namespace tailback::base {

char const* names_of_extensions() { return "@names@"; }

std::span<LeftOut const> left_out() {
    static std::vector<LeftOut> const all = {@rows@};
    return all;
}

}  // namespace tailback::base
]=] @ONLY)
endfunction()

list(JOIN extensions_here " " names_of_extensions)
if(NOT left_out_files)
  set(names_of_extensions "all")
elseif(NOT extensions_here)
  set(names_of_extensions "none")
endif()
