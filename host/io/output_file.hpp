// An output that appears whole or not at all.
#pragma once

#include "host/base/error.hpp"

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace tailback::io {

/// Whoever read standard output has ended (`tailback .. | head`): nothing is wrong, there is only nobody left to tell.
class ReaderGone : public base::InputError {
public:
    ReaderGone();
};

/// Writes to a temporary file in the folder of `path` and renames on `commit`; `-` = standard output.
/// Without `commit` (an exception passes, the user presses Ctrl-C) nothing is left behind and an older file stays as it
/// was. A path that is no regular file (`/dev/full`, a pipe) is written directly: from `stage` on, or earlier when more
/// than 64 MiB come. A symbolic link stays one; the file it leads to is replaced.
class OutputFile {
public:
    /// @throws InputError when it cannot be created.
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(OutputFile&&) noexcept;
    OutputFile(OutputFile const&) = delete;
    OutputFile& operator=(OutputFile const&) = delete;

    /// When a write fails it throws the reason as `stage` does; where it goes to no regular file, it goes bad and
    /// `stage` throws.
    std::ostream& stream();
    /// Of the terminal it goes to; `file_columns` where it goes to none (host/io/terminal.hpp).
    std::size_t columns() const;
    /// Brings everything to disk, so that of `commit` only the rename is left. @throws InputError when anything was not
    /// written (full disk, closed pipe); ReaderGone where a closed pipe is standard output.
    void stage();
    /// Stages what is not staged, renames, and brings the new name to disk. @throws InputError as `stage` does.
    void commit();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Stages all, then commits all, so that they appear together or, when one cannot be written, none does. That nobody
/// reads standard output any more keeps no file from its place. @throws InputError, ReaderGone as OutputFile does.
void commit_together(std::vector<OutputFile*> const& files);

/// The file that a chain of symbolic links leads to, whether it is there or not; `path` itself when that is no link.
std::string behind_links(std::string const& path);

/// Brings the names of a file's folder to disk; a file system that cannot say whether it did is believed.
void sync_folder_of(std::string const& path);

/// Throws an InputError now, rather than after hours of work, when `path` could not be written later.
/// @param what the message calls it.
void check_writable(std::string const& path, std::string const& what = "the output");

/// True when writing to one would write to the other (`a.json` and `./a.json`), or both are `-`.
bool same_target(std::string const& one, std::string const& other);

/// Writes `text` to standard output. @throws InputError when that fails, as OutputFile does.
void write_standard_output(std::string const& text);

}  // namespace tailback::io
