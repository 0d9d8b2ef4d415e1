// An output that appears whole or not at all.
#pragma once

#include <memory>
#include <ostream>
#include <string>

namespace tailback {

/// Writes to `path` + a temporary suffix in the same folder and renames on `commit`; `-` = standard output.
/// Without `commit` (an exception passes) nothing is left behind and an older file stays as it was.
/// A path that is no regular file (`/dev/full`, a pipe) is written directly.
class OutputFile {
public:
    /// @throws InputError when it cannot be created.
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(OutputFile const&) = delete;
    OutputFile& operator=(OutputFile const&) = delete;

    std::ostream& stream();
    /// Flushes to disk and renames. @throws InputError when anything was not written (full disk, closed pipe).
    void commit();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Throws an InputError now, rather than after hours of work, when `path` could not be written later.
void check_writable(std::string const& path);

}  // namespace tailback
