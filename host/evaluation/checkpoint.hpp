// Where a long study stands, in a file: a run that was ended at any moment, by kill -9 too, goes on from there.
#pragma once

#include "host/evaluation/checkpoints/checkpoint_file.hpp"
#include "host/evaluation/column.hpp"
#include "host/evaluation/run_sums.hpp"

#include <span>
#include <string>
#include <vector>

namespace tailback::evaluation {

/// One study's file (CheckpointFile).
class Checkpoint {
public:
    /// Nothing is touched yet. The plans must outlive this.
    Checkpoint(std::string path, std::vector<Column> columns);
    Checkpoint(std::string path, study::StudyPlan const& plan) : Checkpoint(std::move(path), {Column{&plan}}) {}

    /// What the file holds, by column; empty when there is no file. @throws InputError when it is damaged, of another
    /// study, or in use by another run.
    std::vector<RunSums> load();
    /// Of no mapping yet, by column.
    std::vector<RunSums> nothing() const;
    /// @throws InputError when it cannot be written, or another run's is there; the file is then as it was.
    void save(std::span<RunSums const> sums);
    /// Removes the file, unless another run has put its own there: the study is done.
    void remove() { file_.remove(); }

private:
    std::vector<Column> columns_;
    CheckpointFile file_;
};

}  // namespace tailback::evaluation
