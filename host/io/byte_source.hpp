// Bytes as a file has them, and the steps between them and text: for who has to look before it is known what they are.
#pragma once

#include "host/io/line_reader.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace tailback::io {

/// The bytes of a file as they are, packed or not; `-` = standard input.
/// @throws InputError when the file cannot be opened.
std::unique_ptr<ByteSource> open_bytes(std::string const& path);

/// Up to `size` bytes; fewer only where the source ends.
std::string read_head(ByteSource& source, std::size_t size);

/// A source that gives `head` first, then `rest`.
std::unique_ptr<ByteSource> with_head(std::string head, std::unique_ptr<ByteSource> rest);

/// A source that tells how many of its bytes were read, every time that some are.
std::unique_ptr<ByteSource> watched(std::unique_ptr<ByteSource> source, std::function<void(std::uint64_t)> tell);

/// The name of what packed a file that begins so, where it is not unpacked here (`bzip2`, `zstd`, without zlib `gzip`);
/// null for all else.
char const* packer_of(std::string_view head);

/// Unpacks .xz and .gz; all else stays as it is. @throws InputError for what other programs packed.
std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> source, std::string const& name);

}  // namespace tailback::io
