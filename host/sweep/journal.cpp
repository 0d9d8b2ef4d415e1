// Appends, and reads back only what its checksum confirms.
#include "host/sweep/journal.hpp"

#include "host/base/error.hpp"
#include "host/io/output_file.hpp"
#include "host/io/own_file.hpp"
#include "version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tailback::sweep {
namespace {

constexpr char const* start_over = "name another --output, or start over with --fresh";
constexpr io::OwnFile own{"journal", "tailback-sweep-journal-", "2 ", start_over, start_over};

/// FNV-1a over bytes, with its upper bits folded back: every bit of every byte counts.
class Checksum {
public:
    void add(std::string_view bytes) {
        for (char const c : bytes) {
            state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
            state_ ^= state_ >> 31;
        }
    }
    std::string text() const { return fmt::format("{:016x}", state_); }

private:
    std::uint64_t state_ = 0xCBF29CE484222325ull;
};

std::string checksum_of(std::string_view text) {
    Checksum sum;
    sum.add(text);
    return sum.text();
}

[[noreturn]] void fail(std::string const& path, std::string const& problem, int error, char const* what_to_do) {
    throw base::InputError({path, 0}, problem, std::strerror(error), what_to_do);
}

std::string read_all(int descriptor, std::string const& path) {
    std::string text;
    std::vector<char> buffer(1 << 20);
    for (;;) {
        ssize_t const got = ::read(descriptor, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(path, "the journal cannot be read", errno, start_over);
        if (got == 0) return text;
        text.append(buffer.data(), std::size_t(got));
    }
}

}  // namespace

SweepJournal::SweepJournal(std::string path, bool fresh) : path_(std::move(path)) {
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(path_, "the journal cannot be opened", errno, "choose another folder for --output");
    try {
        if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
            throw base::InputError({path_, 0}, "the journal is in use", "another sweep writes to the same folder",
                                   "wait for it, or name another --output");
        struct stat status {};
        if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode))
            throw base::InputError({path_, 0}, "the journal is not a regular file", "",
                                   "choose another folder for --output");
        if (fresh && ::ftruncate(descriptor_, 0) != 0)
            fail(path_, "the journal cannot be emptied", errno, "choose another folder for --output");
        read_back();
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

SweepJournal::~SweepJournal() { ::close(descriptor_); }

void SweepJournal::read_back() {
    std::string const text = read_all(descriptor_, path_);
    std::string const head = own.first_words() + version;
    std::size_t at = 0, line = 0, good = 0;
    while (at < text.size()) {
        ++line;
        std::size_t const end = text.find('\n', at);
        if (end == std::string::npos) break;  // the program was stopped while it wrote
        std::string_view const words = std::string_view(text).substr(at, end - at);
        at = end + 1;
        if (line == 1) {
            own.check_form({path_, 1}, words);
            own.check_version({path_, 1}, words.substr(own.first_words().size()));
        } else {
            std::size_t const second = words.find('\t', 17);
            bool const whole = words.size() > 17 && words[16] == '\t' && second != std::string_view::npos &&
                               words.substr(0, 16) == checksum_of(words.substr(17));
            if (!whole && at < text.size())
                throw base::InputError({path_, line}, "the journal is damaged here", "the line's checksum is wrong",
                                       "delete this line to compute its point again, or start over with --fresh");
            if (!whole) break;
            done_.insert_or_assign(std::string(words.substr(17, second - 17)), std::string(words.substr(second + 1)));
        }
        good = at;
    }
    mended_ = good < text.size() && line > 1;
    if (good < text.size() && ::ftruncate(descriptor_, static_cast<off_t>(good)) != 0)
        fail(path_, "the journal cannot be mended", errno, start_over);
    if (good > 0) return;
    write(head + "\n");
    io::sync_folder_of(io::behind_links(path_));
}

std::string const* SweepJournal::find(std::string const& meaning) const {
    auto const at = done_.find(meaning);
    return at == done_.end() ? nullptr : &at->second;
}

void SweepJournal::write(std::string const& text) {
    for (std::size_t done = 0; done < text.size();) {
        ssize_t const n = ::write(descriptor_, text.data() + done, text.size() - done);
        if (n < 0 && errno != EINTR)
            fail(path_, "the journal could not be written", errno,
                 "make room, then run the same command again: what is done is kept");
        if (n > 0) done += std::size_t(n);
    }
    if (::fdatasync(descriptor_) != 0 && errno != EINVAL)
        fail(path_, "the journal could not be written", errno, "run the same command again: what is done is kept");
}

void SweepJournal::add(std::string const& meaning, std::string const& report) {
    std::string const words = meaning + "\t" + report;
    write(checksum_of(words) + "\t" + words + "\n");
    done_.insert_or_assign(meaning, report);
}

namespace {

/// Of everything in it: names and contents, by name; links are not followed.
std::string digest_of_folder(std::string const& path) {
    std::vector<std::string> files;
    std::error_code error;
    std::filesystem::recursive_directory_iterator const folder(
        path, std::filesystem::directory_options::skip_permission_denied, error);
    for (auto at = begin(folder); !error && at != end(folder); at.increment(error))
        if (std::error_code ignored; at->is_regular_file(ignored)) files.push_back(at->path().string());
    if (error)
        fail(path, "the folder cannot be read", error.value(),
             "check the name; names are relative to the sweep's file");
    std::sort(files.begin(), files.end());
    Checksum sum;
    for (std::string const& file : files) {
        std::string const words = file.substr(path.size()) + "\n" + digest_of_file(file) + "\n";
        sum.add({words.data(), words.size()});
    }
    return sum.text();
}

}  // namespace

std::string digest_of_file(std::string const& path) {
    if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) return digest_of_folder(path);
    int const descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        fail(path, "the file cannot be opened", errno, "check the name; names are relative to the sweep's file");
    Checksum sum;
    std::vector<char> buffer(1 << 20);
    for (;;) {
        ssize_t const got = ::read(descriptor, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            int const error = errno;
            ::close(descriptor);
            if (got < 0)
                fail(path, "the file cannot be read", error, "check the name; names are relative to the sweep's file");
            return sum.text();
        }
        sum.add({buffer.data(), std::size_t(got)});
    }
}

}  // namespace tailback::sweep
