// The folder that a command writes its files to.
#pragma once

#include "host/base/error.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tailback::commands {

/// A folder, made if it is not there; what was made is gone again unless kept.
class OutputFolder {
public:
    enum class Parents { exist, are_made };  ///< the folders above it
    /// @throws InputError where it cannot be made, or a file has its name.
    OutputFolder(std::string path, Parents parents) : path_(std::move(path)) {
        std::error_code error;
        std::filesystem::path at = path_;
        if (!at.has_filename()) at = at.parent_path();  // `out/`
        for (; !at.empty() && !std::filesystem::exists(std::filesystem::symlink_status(at, error));
             at = at.parent_path())
            made_.push_back(at);
        if (parents == Parents::exist && made_.size() > 1)
            error = std::make_error_code(std::errc::no_such_file_or_directory);
        else std::filesystem::create_directories(path_, error);
        if (!error && std::filesystem::is_directory(path_, error)) return;
        remove();
        throw base::InputError(
            {path_, 0}, "the folder cannot be created", error ? error.message() : "there is a file of this name",
            parents == Parents::exist ? "name a new folder inside one that exists" : "choose another place");
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
