// How much memory is left: asked before something large is made, so that the answer is a sentence and not a killed
// process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tailback::base {

/// Bytes that may still be taken: what the system calls available, or what is left below the limits of this process's
/// control groups (versions 1 and 2; pages of files that nobody needs count as free) where that is less. None = not
/// known.
/// @param root of the file system that is looked at.
std::optional<std::uint64_t> available_memory(std::string const& root = "");

/// @param what `forwarding tables`. @throws InputError when `bytes` are more than there are; small wishes are granted
/// without a look.
void require_memory(std::string const& what, std::uint64_t bytes, std::string const& what_to_do);
/// The same against what is known to be left.
void require_memory(std::string const& what, std::uint64_t bytes, std::optional<std::uint64_t> left,
                    std::string const& what_to_do);

/// While it lives, so many bytes are left at most, and every wish is looked at: for tests, which cannot make a control
/// group. One at a time.
class MemoryLimit {
public:
    explicit MemoryLimit(std::uint64_t bytes);
    ~MemoryLimit();
    MemoryLimit(MemoryLimit const&) = delete;
    MemoryLimit& operator=(MemoryLimit const&) = delete;
};

}  // namespace tailback::base
