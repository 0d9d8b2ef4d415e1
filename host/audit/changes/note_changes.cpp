#include "host/audit/changes/note_changes.hpp"

#include <algorithm>
#include <iterator>

namespace tailback::audit {
namespace {

bool counts(model::Disagreement kind) {
    switch (kind) {
        case model::Disagreement::unparsed_line:
        case model::Disagreement::incomplete_table:
        case model::Disagreement::duplicate_table:
        case model::Disagreement::missing_record:
        case model::Disagreement::duplicate_guid:
        case model::Disagreement::told_twice:
        case model::Disagreement::odd_lid:
        case model::Disagreement::table_header_lid:
        case model::Disagreement::port_not_active:
        case model::Disagreement::damaged_file:
        case model::Disagreement::odd_cell:
        case model::Disagreement::unknown_group:
        case model::Disagreement::private_table:
        case model::Disagreement::black_hole:
        case model::Disagreement::router_without_routes:
        case model::Disagreement::routers_disagree:
        case model::Disagreement::unlike_file: return true;
        default: return false;
    }
}

/// Sorted; without the folder's own name.
std::vector<std::string> notes_of(model::Disagreements const& told, std::string const& path) {
    std::string const folder = path.ends_with('/') ? path : path + '/';
    std::vector<std::string> notes;
    for (model::NotedDisagreement const& noted : told.noted()) {
        if (!counts(noted.kind())) continue;
        std::string note = (noted.where.text.empty() ? "" : noted.where.text + ": ") + noted.text;
        for (std::size_t at = 0; (at = note.find(folder, at)) != note.npos;) note.erase(at, folder.size());
        notes.push_back(std::move(note));
    }
    std::sort(notes.begin(), notes.end());
    return notes;
}

}  // namespace

NoteChanges note_changes(model::Disagreements const& before, std::string const& before_path,
                         model::Disagreements const& after, std::string const& after_path) {
    std::vector<std::string> const was = notes_of(before, before_path), now = notes_of(after, after_path);
    NoteChanges changes;
    std::set_difference(was.begin(), was.end(), now.begin(), now.end(), std::back_inserter(changes.gone));
    std::set_difference(now.begin(), now.end(), was.begin(), was.end(), std::back_inserter(changes.added));
    return changes;
}

}  // namespace tailback::audit
