// What of a sweep is done: a file that only grows, a line a point, so that whatever ends the program, done points stay.
#pragma once

#include <map>
#include <string>

namespace tailback::sweep {

/// Lines of `checksum TAB meaning TAB report`, both as JSON in one line, after a first line with the program's version.
/// A last line that was not written whole is cut off. One process at a time may have it open.
class SweepJournal {
public:
    /// Opens or makes it. @param fresh forget what it holds.
    /// @throws InputError when it cannot be opened, is no journal, is of another version or damaged, or another sweep
    /// has it open.
    SweepJournal(std::string path, bool fresh);
    ~SweepJournal();
    SweepJournal(SweepJournal const&) = delete;
    SweepJournal& operator=(SweepJournal const&) = delete;

    /// The report of a point; null when it is not done.
    std::string const* find(std::string const& meaning) const;
    /// Brings a point to disk; when this returns, it is there. Neither text has line ends or tabs. @throws InputError
    void add(std::string const& meaning, std::string const& report);
    /// True when the end of the file was cut off.
    bool mended() const { return mended_; }
    std::string const& path() const { return path_; }

private:
    void read_back();
    void write(std::string const& text);

    std::string path_;
    int descriptor_ = -1;
    bool mended_ = false;
    std::map<std::string, std::string> done_;
};

/// A digest of the bytes of a file, or of all files of a folder: 16 hex digits. @throws InputError when it cannot be
/// read.
std::string digest_of_file(std::string const& path);

}  // namespace tailback::sweep
