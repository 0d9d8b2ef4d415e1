// An entry of a folder: what it is, and why it is not opened. Readers of folders open files that lie in them, no
// others.
#pragma once

#include <filesystem>
#include <string>

namespace tailback::formats {

/// A folder that is read.
class ReadFolder {
public:
    explicit ReadFolder(std::filesystem::path const& path);

    struct Entry {
        bool is_file = false, is_folder = false;  ///< or a link to one
        bool leads_out = false;                   ///< a link
        /// `is a pipe, and is not opened`: of a link that leads out of the folder or nowhere, and of what is neither a
        /// file nor a folder; empty: it may be opened.
        std::string refused;
    };
    Entry look_at(std::filesystem::directory_entry const& at) const;

private:
    bool leads_out(std::filesystem::path const& link) const;

    std::filesystem::path root_;
};

}  // namespace tailback::formats
