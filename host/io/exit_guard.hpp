// A library that ends the program on its own (OpenMP's does where it gets no thread) ends it with an exit code that
// means something else here.
#pragma once

namespace tailback::io {

/// Between its construction and its destruction `exit`, called by anybody, tells so, removes temporary files and ends
/// the program with the code that was given. One at a time.
class ExitGuard {
public:
    explicit ExitGuard(int code);
    ~ExitGuard();
    ExitGuard(ExitGuard const&) = delete;
    ExitGuard& operator=(ExitGuard const&) = delete;
};

}  // namespace tailback::io
