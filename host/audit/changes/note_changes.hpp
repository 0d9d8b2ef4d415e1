// What the files of two fabrics are damaged by, or disagree about, in one of them alone.
#pragma once

#include "host/model/disagreements.hpp"

#include <string>
#include <vector>

namespace tailback::audit {

/// Of damaged files and of descriptions of one fabric that differ, which may hide behind whole ones: such a fabric can
/// equal a sound one. What topology and tables disagree about is not here: it shows in the fabrics themselves.
struct NoteChanges {
    std::vector<std::string> gone, added;  ///< clauses, each with its place
    bool empty() const { return gone.empty() && added.empty(); }
};

/// `.._path`: what was read, a file or a folder; its name does not count.
NoteChanges note_changes(model::Disagreements const& before, std::string const& before_path,
                         model::Disagreements const& after, std::string const& after_path);

}  // namespace tailback::audit
