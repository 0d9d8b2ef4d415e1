// Bytes from a file or standard input, line by line, never the whole file at once; `.xz` and `.gz` are unpacked on the
// way.
#pragma once

#include "host/base/error.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tailback::io {

/// Where bytes come from.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    /// Fills up to `size` bytes; 0 = end. @throws InputError when reading fails.
    virtual std::size_t read(char* to, std::size_t size) = 0;
};

/// `-` = standard input. Files that begin as .xz or .gz do are unpacked.
/// @throws InputError when the file cannot be opened.
std::unique_ptr<ByteSource> open_source(std::string const& path);
/// For tests and fuzzers.
std::unique_ptr<ByteSource> source_of(std::string bytes);

/// Splits a source into lines; memory is one buffer, whatever the file's size.
class LineReader {
public:
    /// `name` is what messages call the file.
    LineReader(std::unique_ptr<ByteSource> source, std::string name);

    /// Next line without its line end (LF or CR LF); valid until the next call. False at the end.
    /// @throws InputError for a line longer than 1 MiB, a NUL byte (binary file), or more than 2^20 blank lines in a
    /// row.
    bool next(std::string_view& line);
    /// The first bytes of the file (up to 64 KiB, behind a mark of byte order), without consuming them: for recognising
    /// the format.
    std::string_view peek();
    /// Everything not yet consumed (for parsers that want it whole), at most `limit` bytes.
    /// @throws InputError when there is more.
    std::string rest(std::size_t limit);

    /// False when the last line given had no line end: the end of a whole file, or of one that was cut.
    bool terminated() const { return terminated_; }

    base::SourceLocation place() const { return {name_, line_}; }
    std::size_t line() const { return line_; }
    std::string const& name() const { return name_; }
    /// Bytes consumed so far.
    std::size_t bytes() const { return consumed_; }

private:
    bool refill();

    std::unique_ptr<ByteSource> source_;
    std::string name_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t line_ = 0;
    std::size_t blank_lines_ = 0;  ///< in a row, up to here
    std::size_t consumed_ = 0;
    bool at_end_ = false;
    bool terminated_ = true;
};

}  // namespace tailback::io
