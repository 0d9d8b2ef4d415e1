#include "host/io/disk_room.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/io/output_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include <sys/resource.h>
#include <sys/statvfs.h>

namespace tailback::io {
namespace {

std::string gigabytes(std::uint64_t bytes) { return base::three_digits(double(bytes) * 1e-9) + " GB"; }

[[noreturn]] void refuse(std::string const& path, std::uint64_t bytes, std::string const& why,
                         std::string const& what_to_do) {
    throw base::InputError({path, 0}, fmt::format("the output of at least {} does not fit", gigabytes(bytes)), why,
                           what_to_do);
}

}  // namespace

void require_room(std::string const& path, std::uint64_t bytes) {
    std::error_code ignored;
    bool const direct =
        path == "-" || (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored));
    if (direct) return;
    struct rlimit limit {};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < bytes)
        refuse(path, bytes, fmt::format("files may have {} bytes (ulimit -f)", base::grouped(limit.rlim_cur)),
               "raise the limit, or write less");
    std::filesystem::path const folder = std::filesystem::path(behind_links(path)).parent_path();
    struct statvfs disk {};
    if (::statvfs(folder.empty() ? "." : folder.c_str(), &disk) != 0) return;
    std::uint64_t const free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
    if (free < bytes)
        refuse(path, bytes, gigabytes(free) + " are free on its disk", "make room or choose another place");
}

}  // namespace tailback::io
