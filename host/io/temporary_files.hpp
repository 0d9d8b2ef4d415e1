// Temporary files do not outlive the program, even when a signal ends it.
#pragma once

#include <string>

namespace tailback::io {

/// From now on signals that would end the program (SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM,
/// SIGXCPU) remove temporary files first. Signals that the application handles or ignores are left to it. Any
/// TemporaryFile does this; only who wants to handle a signal in another way must be sure that it was done before.
void remove_on_signals();

/// Removes those that there are; safe at any moment. The program is about to end.
void remove_temporary_files();

/// A file that is removed when this goes out of scope or one of these signals ends the program.
class TemporaryFile {
public:
    /// Takes the file `path` into care; it may be created afterwards.
    explicit TemporaryFile(std::string path);
    ~TemporaryFile();
    TemporaryFile(TemporaryFile const&) = delete;
    TemporaryFile& operator=(TemporaryFile const&) = delete;

    std::string const& path() const { return path_; }
    /// The file is no longer temporary (it was renamed): nothing is removed any more.
    void release();

private:
    std::string path_;
    int slot_ = -1;
};

}  // namespace tailback::io
