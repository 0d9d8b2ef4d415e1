// Room for a large output: looked at before it is written, so that nobody waits for a full disk.
#pragma once

#include <cstdint>
#include <string>

namespace tailback::io {

/// @param path of the output; what is no regular file has room. @param bytes that it will have at least.
/// @throws InputError when the disk has fewer free, or the limit of the size of files is below.
void require_room(std::string const& path, std::uint64_t bytes);

}  // namespace tailback::io
