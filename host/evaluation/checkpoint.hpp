// Where a long study stands, in a file: a run that was ended at any moment, by kill -9 too, goes on from there.
#pragma once

#include "host/evaluation/course/column.hpp"
#include "host/evaluation/run_sums.hpp"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tailback::evaluation {

/// One study's file. It is replaced as a whole, so at every moment there is a whole one or none; a run that was killed
/// while it wrote leaves FILE.part, which the next one writes over. From `load` or the first `save` on the file is
/// locked (flock), as long as this lives: no other run takes it up, and none of another run is replaced or removed.
/// Symbolic links are followed once, on construction, and stay.
class Checkpoint {
public:
    /// Nothing is touched yet. The plans must outlive this.
    Checkpoint(std::string path, std::vector<Column> columns);
    Checkpoint(std::string path, study::StudyPlan const& plan) : Checkpoint(std::move(path), {Column{&plan}}) {}
    ~Checkpoint();
    Checkpoint(Checkpoint const&) = delete;
    Checkpoint& operator=(Checkpoint const&) = delete;

    /// What the file holds, by column; empty when there is no file. @throws InputError when it is damaged, of another
    /// study, or in use by another run.
    std::vector<RunSums> load();
    /// Of no mapping yet, by column.
    std::vector<RunSums> nothing() const;
    /// @throws InputError when it cannot be written, or another run's is there; the file is then as it was.
    void save(std::span<RunSums const> sums);
    /// Removes the file, unless another run has put its own there: the study is done.
    void remove();

private:
    struct Descriptor;
    /// True when a file is there that this run neither took up nor wrote.
    bool is_another_runs() const;

    std::unique_ptr<Descriptor> held_;  ///< the file as this run last read or wrote it, locked
    /// What it replaced and has another name (hard links): locked, so that nobody goes on from there meanwhile.
    std::vector<std::unique_ptr<Descriptor>> other_names_;
    std::string path_;    ///< as the user named it, for messages
    std::string target_;  ///< what that leads to
    std::vector<Column> columns_;
    std::vector<std::pair<std::string, std::string>> identity_;
};

}  // namespace tailback::evaluation
