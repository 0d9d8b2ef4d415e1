// Where fixtures lie, and the larger data of the developers' folder, which a test may use but must not need.
#pragma once

#include "tests/support/programs/paths.hpp"
#include "tests/support/rooms.hpp"

#include <filesystem>
#include <string>

namespace tailback {

inline std::filesystem::path fixtures() { return fixture(); }
/// The developers' data folder; may not exist: then GTEST_SKIP with that reason.
inline std::filesystem::path shared_data() { return std::filesystem::path(shared_folder()) / "data"; }
inline bool shared_data_is_there() {
    std::error_code ignored;
    return std::filesystem::is_directory(shared_data(), ignored);
}

}  // namespace tailback
