// The files of a folder of devices: which there are, whose each is, and which are not opened.
#pragma once

#include <string>
#include <vector>

namespace tailback::formats {

struct DeviceFilePath {
    std::string path;
    std::string device;
    std::string refused;     ///< why it is not opened: `is a pipe`; empty: it is a file
    bool is_folder = false;  ///< of a device, that is refused
};

/// By folder; of one folder the shortest name first (`lldp.json`, `lldp-old.json`). Nothing but files is opened, and no
/// link is followed that leads out of the folder; the kernel's own file systems (/proc, /sys) are left out.
/// @throws InputError for what is no folder, or has too many files.
std::vector<DeviceFilePath> files_of_devices(std::string const& path);

}  // namespace tailback::formats
