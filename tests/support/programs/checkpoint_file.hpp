// Looking into a checkpoint as its format says: lines of text, an empty line, words of 64 bits.
#pragma once

#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace tailback {

/// How many mappings a checkpoint says are done; 0 without one.
inline std::uint64_t mappings_in(std::string const& path) {
    std::string const text = read_whole(path);
    std::size_t const end = text.find("\n\n");
    std::uint64_t words[3] = {};
    if (end == std::string::npos || text.size() < end + 2 + sizeof words) return 0;
    std::memcpy(words, text.data() + end + 2, sizeof words);
    return words[2];  // behind the words of all columns, and of the first
}

/// From the checkpoint on, the study comes to what it says without one.
inline void expect_to_go_on(Words const& study, std::string const& file) {
    Finished const got = run_tailback(joined(study, {"--checkpoint", file}));
    EXPECT_EQ(got.code, 0) << got.err;
    EXPECT_EQ(got.out, run_tailback(study).out);
}

}  // namespace tailback
