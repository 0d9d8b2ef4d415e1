// The folder that a command writes its files to.
#pragma once

#include "host/base/error.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tailback::commands {

/// A folder, made with those above it where they are not there; what was made is gone again unless kept.
class OutputFolder {
public:
    /// @throws InputError where it cannot be made, or a file has its name.
    explicit OutputFolder(std::string path) : path_(std::move(path)) {
        std::error_code error;
        for (std::filesystem::path at = path_; !at.empty() && !std::filesystem::exists(at, error);
             at = at.parent_path())
            made_.push_back(at);
        std::filesystem::create_directories(path_, error);
        if (!error && std::filesystem::is_directory(path_, error)) return;
        remove();
        throw base::InputError({path_, 0}, "the folder cannot be created",
                               error ? error.message() : "there is a file of this name", "choose another place");
    }
    ~OutputFolder() { remove(); }
    OutputFolder(OutputFolder const&) = delete;
    OutputFolder& operator=(OutputFolder const&) = delete;
    std::string operator/(std::string const& name) const { return (std::filesystem::path(path_) / name).string(); }
    void keep() { made_.clear(); }

private:
    void remove() {
        std::error_code ignored;  // one that somebody has put something into stays
        for (std::filesystem::path const& folder : made_) std::filesystem::remove(folder, ignored);
    }
    std::string path_;
    std::vector<std::filesystem::path> made_;  ///< the deepest first
};

}  // namespace tailback::commands
