# Manual pages and completions, which the program makes of its option tables, and a Debian package: `cpack` in the build
# folder. The library's headers and archives stay out of it.
set(shared ${PROJECT_BINARY_DIR}/share)
set(table ${PROJECT_SOURCE_DIR}/host/commands/commands.cpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
file(STRINGS ${table} commands REGEX "^    {\"[a-z]+\",")
list(TRANSFORM commands REPLACE "^    {\"([a-z]+)\".*" "\\1")
set(made ${shared}/tailback.bash ${shared}/_tailback ${shared}/tailback.fish)
set(lines COMMAND tailback manual > ${shared}/tailback.1
  COMMAND tailback completion bash > ${shared}/tailback.bash
  COMMAND tailback completion zsh > ${shared}/_tailback
  COMMAND tailback completion fish > ${shared}/tailback.fish)
set(pages ${shared}/tailback.1)
foreach(command IN LISTS commands)
  list(APPEND lines COMMAND tailback manual ${command} > ${shared}/tailback-${command}.1)
  list(APPEND pages ${shared}/tailback-${command}.1)
endforeach()
file(MAKE_DIRECTORY ${shared})
add_custom_command(OUTPUT ${made} ${pages} ${lines} DEPENDS tailback COMMENT "Manual pages and completions" VERBATIM)
add_custom_target(manual ALL DEPENDS ${made} ${pages})
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${shared}/tailback.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tailback COMPONENT program)
install(FILES ${shared}/_tailback DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${shared}/tailback.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

# Licences: ours, and those of what is compiled in.
configure_file(cmake/copyright.in ${shared}/copyright @ONLY)
install(FILES ${shared}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
foreach(package node-d3 nlohmann-json3-dev pybind11-dev libfmt-dev)
  if(EXISTS /usr/share/doc/${package}/copyright)
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}/third-party RENAME ${package}
      COMPONENT program)
  endif()
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Tailback authors <authors@tailback.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(TAILBACK_LIBARCHIVE MATCHES "^(libarchive)\\.so\\.([0-9]+)$")  # not linked: loaded when an archive is read
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
endif()
if(TAILBACK_HAS_MODULE)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3-numpy, python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3 (<< ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}.99)")
endif()
include(CPack)
