// Where a long study stands, in a file: a run that was ended at any moment, by kill -9 too, goes on from there.
#pragma once

#include "host/run/findings.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tailback {

/// One study's file. It is replaced as a whole, so at every moment there is a whole one or none; a run that was killed
/// while it wrote leaves FILE.part, which the next one writes over.
class Checkpoint {
public:
    /// Nothing is touched yet. The plan must outlive this.
    Checkpoint(std::string path, StudyPlan const& plan);

    /// What the file holds; none when there is no file. @throws InputError when it is damaged or of another study.
    std::optional<Findings> load() const;
    /// @throws InputError when it cannot be written; the file is then as it was.
    void save(Findings const& findings) const;
    /// Removes the file: the study is done.
    void remove() const;

private:
    std::string path_;
    StudyPlan const& plan_;
    std::vector<std::pair<std::string, std::string>> identity_;
};

}  // namespace tailback
