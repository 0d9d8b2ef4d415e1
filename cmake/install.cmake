# The program, and the library as a package: find_package(tailback), then link tailback::tailback.
include(CMakePackageConfigHelpers)

install(TARGETS tailback RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES README.md LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tailback)
install(TARGETS tailback_core ${rooms} EXPORT tailback ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT tailback NAMESPACE tailback:: FILE tailback-targets.cmake DESTINATION ${package_folder})
foreach(folder kernels host patterns topologies)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tailback FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/generated/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tailback)

# What static libraries were built with, their users need as well.
set(dependencies Threads fmt nlohmann_json cxxopts)
if(OpenMP_CXX_FOUND AND NOT TAILBACK_SANITIZE MATCHES thread)
  list(APPEND dependencies "OpenMP COMPONENTS CXX")
endif()
if(LIBLZMA_FOUND)
  list(APPEND dependencies LibLZMA)
endif()
if(LibArchive_FOUND)
  list(APPEND dependencies LibArchive)
endif()
if(EXPAT_FOUND)
  list(APPEND dependencies EXPAT)
endif()
if(yaml-cpp_FOUND)
  list(APPEND dependencies yaml-cpp)
endif()
if(TAILBACK_HAS_CUDA)
  list(APPEND dependencies CUDAToolkit)
endif()
if(TAILBACK_HAS_MPI)
  list(APPEND dependencies "MPI COMPONENTS CXX")
endif()
list(TRANSFORM dependencies REPLACE "(.+)" "find_dependency(\\1)")
list(JOIN dependencies "\n" TAILBACK_FIND_DEPENDENCIES)
if(TARGET PkgConfig::cgraph)
  string(APPEND TAILBACK_FIND_DEPENDENCIES
    "\nfind_dependency(PkgConfig)\npkg_check_modules(cgraph REQUIRED IMPORTED_TARGET libcgraph)")
endif()
configure_package_config_file(cmake/tailback-config.cmake.in ${PROJECT_BINARY_DIR}/generated/tailback-config.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/tailback-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/tailback-config.cmake
  ${PROJECT_BINARY_DIR}/generated/tailback-config-version.cmake DESTINATION ${package_folder})
