#include "host/formats/folder_entry.hpp"

#include <algorithm>
#include <system_error>

namespace tailback::formats {

namespace fs = std::filesystem;

ReadFolder::ReadFolder(fs::path const& path) {
    std::error_code ignored;
    root_ = fs::canonical(path, ignored);
}

ReadFolder::Entry ReadFolder::look_at(fs::directory_entry const& at) const {
    std::error_code error, ignored;
    bool const is_link = at.is_symlink(ignored);
    fs::file_status const status = at.status(error);
    Entry found;
    if (error) {
        found.refused = is_link ? "is a link that leads nowhere" : "cannot be opened";
        return found;
    }
    found.is_file = status.type() == fs::file_type::regular;
    found.is_folder = status.type() == fs::file_type::directory;
    found.leads_out = is_link && leads_out(at.path());
    if (found.leads_out)
        found.refused = "is a link that leads out of the folder, and is not followed: put a copy there";
    else if (status.type() == fs::file_type::not_found) found.refused = "is a link that leads nowhere";
    else if (status.type() == fs::file_type::fifo) found.refused = "is a pipe, and is not opened";
    else if (!found.is_file && !found.is_folder) found.refused = "is not a file, and is not opened";
    return found;
}

bool ReadFolder::leads_out(fs::path const& link) const {
    std::error_code error;
    fs::path const target = fs::canonical(link, error);
    if (error) return false;
    return std::mismatch(root_.begin(), root_.end(), target.begin(), target.end()).first != root_.end();
}

}  // namespace tailback::formats
