// Where fixtures and programs lie. One small file, made by the build, knows it: no other object depends on the folder.
#pragma once

#include <string>

namespace tailback {

/// The file or folder of that name in tests/fixtures.
std::string fixture(std::string const& name = "");
/// The developers' folder beside the project; may not exist.
std::string shared_folder();
/// `tailback`, as built.
std::string tailback_program();
/// `tailback` with the emulated GPU; empty where it is not built.
std::string emulated_gpu_program();
/// An MPI application whose traffic is known; empty without MPI.
std::string known_traffic_program();

}  // namespace tailback
