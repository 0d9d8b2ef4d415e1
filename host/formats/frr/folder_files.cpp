#include "host/formats/frr/folder_files.hpp"

#include "host/base/error.hpp"
#include "host/formats/folder_entry.hpp"

#include <sys/vfs.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <tuple>

namespace tailback::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_device_files = 200'000;

/// DEVICE.anything.json -> DEVICE
std::string device_of_file(fs::path const& file) {
    std::string name = file.filename().string();
    if (file.extension() == ".xz" || file.extension() == ".gz") name.resize(name.size() - 3);
    std::size_t const ending = name.rfind('.');
    if (ending == std::string::npos || ending == 0) return {};
    name.resize(ending);
    std::size_t const word = name.rfind('.');
    return word == std::string::npos || word == 0 ? name : name.substr(0, word);
}

/// Is it of a file system of the kernel, whose files change what is read, or never end? (procfs, sysfs, debugfs,
/// tracefs, securityfs, cgroup, cgroup2)
bool is_of_kernel(fs::path const& folder) {
    struct statfs about {};
    if (::statfs(folder.c_str(), &about) != 0) return false;
    auto const kind = static_cast<unsigned long>(about.f_type);
    return std::ranges::any_of(std::initializer_list<unsigned long>{0x9fa0, 0x62656572, 0x64626720, 0x74726163,
                                                                    0x73636673, 0x27e0eb, 0x63677270},
                               [&](unsigned long one) { return one == kind; });
}

class Folder {
public:
    explicit Folder(std::string const& path) : path_(path), root_(path) {}

    std::vector<DeviceFilePath> read() {
        std::error_code error;
        if (is_of_kernel(path_))
            throw base::InputError({path_, 0}, "the folder of routers cannot be read", "its files are the kernel's own",
                                   "give frr:DIR with a folder that has a folder for each device");
        for (fs::directory_iterator at(path_, error), end; !error && at != end; at.increment(error)) {
            ReadFolder::Entry const entry = root_.look_at(*at);
            std::string const name = at->path().filename().string();
            if (entry.is_folder && !entry.refused.empty()) take(at->path(), name, entry.refused, true);
            else if (entry.is_folder) read_device(at->path(), name);
            else take(at->path(), device_of_file(at->path()), entry.refused, false);
        }
        if (error)
            throw base::InputError({path_, 0}, "the folder of routers cannot be read", error.message(),
                                   "give frr:DIR with a folder that has a folder for each device");
        std::sort(files_.begin(), files_.end(), [](auto const& a, auto const& b) {
            auto const key = [](std::string const& file) {
                std::size_t const folder = file.rfind('/') + 1;
                return std::tuple(std::string_view(file).substr(0, folder), file.size(), std::string_view(file));
            };
            return key(a.path) < key(b.path);
        });
        return std::move(files_);
    }

private:
    void read_device(fs::path const& folder, std::string const& name) {
        if (is_of_kernel(folder)) return;
        std::error_code ignored;
        for (fs::directory_iterator in(folder, ignored), last; !ignored && in != last; in.increment(ignored))
            if (ReadFolder::Entry const entry = root_.look_at(*in); !entry.is_folder || !entry.refused.empty())
                take(in->path(), name, entry.refused, false);
    }

    void take(fs::path const& file, std::string device, std::string refused, bool is_folder) {
        if (files_.size() == most_device_files)
            throw base::InputError({path_, 0}, "the folder has more than 200,000 files", "a device has two to four",
                                   "name a folder that holds one fabric alone");
        if (!device.empty()) files_.push_back({file.string(), std::move(device), std::move(refused), is_folder});
    }

    std::string const& path_;
    ReadFolder root_;
    std::vector<DeviceFilePath> files_;
};

}  // namespace

std::vector<DeviceFilePath> files_of_devices(std::string const& path) { return Folder(path).read(); }

}  // namespace tailback::formats
