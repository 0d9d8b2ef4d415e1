// A file that says where long work stands, in words of 64 bits: whole or not there, locked, and of one piece of work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tailback::evaluation {

/// It is replaced as a whole, so at every moment there is a whole one or none; a run that was killed while it wrote
/// leaves FILE.part, which the next one writes over. From `load` or the first `save` on the file is locked (flock), as
/// long as this lives: no other run takes it up, and none of another run is replaced or removed. Symbolic links are
/// followed once, on construction, and stay.
class CheckpointFile {
public:
    /// Names and values, one line each: another piece of work has others.
    using Identity = std::vector<std::pair<std::string, std::string>>;

    /// Nothing is touched yet. @param work what it is of (`study`), for messages
    CheckpointFile(std::string path, Identity identity, char const* work);
    ~CheckpointFile();
    CheckpointFile(CheckpointFile const&) = delete;
    CheckpointFile& operator=(CheckpointFile const&) = delete;

    /// What the file holds; nothing when there is none. @throws InputError when it is damaged, of other work, or in use
    /// by another run.
    std::optional<std::vector<std::uint64_t>> load();
    /// @throws InputError when it cannot be written, or another run's is there; the file is then as it was.
    void save(std::span<std::uint64_t const> words);
    /// Removes the file, unless another run has put its own there: the work is done.
    void remove();

    std::string const& path() const { return path_; }
    /// @throws InputError: its words are none that this work has.
    [[noreturn]] void refuse_damaged(std::string const& why) const;
    /// What somebody can do who needs nothing of it.
    static char const* const start_anew;

private:
    struct Descriptor;
    /// True when a file is there that this run neither took up nor wrote.
    bool is_another_runs() const;

    std::unique_ptr<Descriptor> held_;  ///< the file as this run last read or wrote it, locked
    /// What it replaced and has another name (hard links): locked, so that nobody goes on from there meanwhile.
    std::vector<std::unique_ptr<Descriptor>> other_names_;
    std::string path_;    ///< as the user named it, for messages
    std::string target_;  ///< what that leads to
    Identity identity_;
    std::string work_;
};

}  // namespace tailback::evaluation
