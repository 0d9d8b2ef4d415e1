// Outputs through a file descriptor that remembers its first error.
#include "host/io/output_file.hpp"

#include "host/io/progress.hpp"
#include "host/io/temporary_files.hpp"
#include "host/io/terminal.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <streambuf>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tailback::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t chunk = 1 << 18;
constexpr std::size_t most_held_back = 64 << 20;

bool is_standard_output(std::string const& path) { return path == "-" || path == "/dev/stdout"; }

[[noreturn]] void fail(std::string const& path, std::string const& problem, int error) {
    if (error == EPIPE && is_standard_output(path)) throw ReaderGone();
    char const* what = "choose another place for it";
    if (error == ENOSPC || error == EDQUOT) what = "make room or choose another place";
    if (error == EFBIG) what = "raise the limit of the size of files (ulimit -f), or write less";
    if (error == EPIPE) what = "the program that reads the output ended early";
    if (error == ENOENT || error == ENOTDIR) what = "create the folder first or choose another place";
    throw base::InputError({is_standard_output(path) ? "standard output" : path, 0}, problem, std::strerror(error),
                           what);
}

}  // namespace

/// Collects bytes and hands them to a file descriptor, in large chunks or (`hold_back`) as late as possible.
class DescriptorBuffer final : public std::streambuf {
public:
    /// @param fail_at_once called with the first error; empty = the error is kept.
    DescriptorBuffer(int descriptor, bool hold_back, std::function<void(int)> fail_at_once)
        : descriptor_(descriptor),
          flush_at_(hold_back ? most_held_back : chunk),
          fail_at_once_(std::move(fail_at_once)) {
        held_.reserve(chunk);
    }
    int error() const { return error_; }

    void write_out() {
        write_all({held_.data(), held_.size()});
        held_.clear();
    }

protected:
    int_type overflow(int_type c) override {
        if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
        char const one = traits_type::to_char_type(c);
        return xsputn(&one, 1) == 1 ? c : traits_type::eof();
    }
    std::streamsize xsputn(char const* text, std::streamsize size) override {
        if (error_ != 0) return 0;
        bool const is_full = held_.size() + std::size_t(size) >= flush_at_, is_long = std::size_t(size) >= chunk;
        if (!is_full || !is_long) held_.insert(held_.end(), text, text + size);
        if (!is_full) return size;
        flush_at_ = chunk;  // once something is out, holding back has no more use
        write_out();
        if (is_long) write_all({text, std::size_t(size)});
        if (error_ != 0 && fail_at_once_) fail_at_once_(error_);
        return error_ == 0 ? size : 0;
    }

private:
    void write_all(std::string_view text) {
        if (descriptor_ == STDOUT_FILENO) make_way_on_standard_error();  // both may be one terminal
        while (!text.empty() && error_ == 0) {
            ssize_t const n = ::write(descriptor_, text.data(), text.size());
            if (n >= 0) text.remove_prefix(std::size_t(n));
            else if (errno != EINTR) error_ = errno;
        }
    }

    int descriptor_;
    std::size_t flush_at_;
    int error_ = 0;
    std::function<void(int)> fail_at_once_;
    std::vector<char> held_;
};

namespace {

std::string folder_of(std::string const& path) {
    fs::path const folder = fs::path(path).parent_path();
    return folder.empty() ? "." : folder.string();
}

/// What stands between a target's name and the number of the process that writes it.
constexpr std::string_view part_mark = ".part-";

/// The process in the name of a temporary file of an output that is called `output`; none in other names.
std::optional<pid_t> writer_of(std::string_view name, std::string_view output) {
    if (!name.starts_with(output) || !name.substr(output.size()).starts_with(part_mark)) return std::nullopt;
    name.remove_prefix(output.size() + part_mark.size());
    pid_t writer = 0;
    unsigned attempt = 0;
    auto const [after, wrong] = std::from_chars(name.data(), name.data() + name.size(), writer);
    if (wrong != std::errc() || writer <= 0 || after == name.data() + name.size() || *after != '-') return std::nullopt;
    auto const [end, wrong_too] = std::from_chars(after + 1, name.data() + name.size(), attempt);
    if (wrong_too != std::errc() || end != name.data() + name.size()) return std::nullopt;
    return writer;
}

/// Removes what killed runs that wrote the same output have left: the process is no more, and nobody holds the lock (it
/// may be a process of another machine, or of another container).
void remove_leftovers(std::string const& target) {
    std::string const output = fs::path(target).filename().string();
    std::error_code error;
    for (fs::directory_iterator at(folder_of(target), error), end; !error && at != end; at.increment(error)) {
        std::optional<pid_t> const writer = writer_of(at->path().filename().string(), output);
        if (!writer || *writer == ::getpid() || ::kill(*writer, 0) == 0 || errno != ESRCH) continue;
        int const file = ::open(at->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (file < 0) continue;
        struct stat status {};
        if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && ::flock(file, LOCK_EX | LOCK_NB) == 0)
            ::unlink(at->path().c_str());
        ::close(file);
    }
}

mode_t new_file_mode() {
    mode_t const mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

/// Throws when an existing `path` cannot be written; returns its mode, none when there is no such file.
std::optional<mode_t> check_existing(std::string const& path, std::string const& what) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        if (errno == ENOENT) return std::nullopt;
        fail(path, what + " cannot be written", errno);
    }
    if (S_ISDIR(status.st_mode)) fail(path, what + " cannot be written", EISDIR);
    if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) {
        if (errno == ENOENT) return std::nullopt;  // another run has given it its name meanwhile
        fail(path, what + " cannot be written", errno);
    }
    return status.st_mode;
}

}  // namespace

ReaderGone::ReaderGone()
    : base::InputError({"standard output", 0}, "the output could not be written", std::strerror(EPIPE),
                       "the program that reads the output ended early") {}

struct OutputFile::State {
    explicit State(std::string to) : path(std::move(to)) {}
    ~State() {
        if (descriptor > 2) ::close(descriptor);
        if (lock > 2) ::close(lock);
    }

    std::string path;
    std::string target;  // what `temporary` is renamed to
    int descriptor = -1;
    int lock = -1;  // of `temporary`, as long as it may be there
    std::optional<TemporaryFile> temporary;
    std::optional<DescriptorBuffer> buffer;
    std::ostream stream{nullptr};
    bool staged = false;
};

OutputFile::OutputFile(std::string path) : state_(std::make_unique<State>(std::move(path))) {
    State& s = *state_;
    if (s.path.empty())
        throw base::InputError({}, "an output has an empty name", "", "name a file, or `-` for standard output");
    if (is_standard_output(s.path)) {
        s.descriptor = STDOUT_FILENO;
    } else {
        std::optional<mode_t> const mode = check_existing(s.path, "the output");
        if (mode && !S_ISREG(*mode)) {
            s.descriptor = ::open(s.path.c_str(), O_WRONLY | O_CLOEXEC);
            if (s.descriptor < 0) fail(s.path, "the output cannot be opened", errno);
        } else {
            s.target = behind_links(s.path);
            remove_leftovers(s.target);
            for (unsigned attempt = 0; s.descriptor < 0; ++attempt) {
                std::string const name =
                    s.target + std::string(part_mark) + std::to_string(::getpid()) + "-" + std::to_string(attempt);
                s.descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, new_file_mode());
                if (s.descriptor >= 0) {
                    s.temporary.emplace(name);
                    (void)!::flock(s.descriptor, LOCK_EX | LOCK_NB);  // where there are locks
                    s.lock = ::fcntl(s.descriptor, F_DUPFD_CLOEXEC, 3);
                    if (mode) (void)!::fchmod(s.descriptor, *mode & 07777);
                } else if (errno != EEXIST || attempt > 1000) {
                    fail(s.path, "the output cannot be created", errno);
                }
            }
        }
    }
    std::function<void(int)> fail_at_once;  // hours of writing to a full disk would come to nothing
    if (s.temporary)
        fail_at_once = [path = s.path](int error) { fail(path, "the output could not be written", error); };
    s.buffer.emplace(s.descriptor, !s.temporary, std::move(fail_at_once));
    s.stream.rdbuf(&*s.buffer);
    if (s.temporary) s.stream.exceptions(std::ios::badbit);  // lets it through
}

OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

std::ostream& OutputFile::stream() { return state_->stream; }

std::size_t OutputFile::columns() const { return terminal_columns(state_->descriptor, file_columns); }

void OutputFile::stage() {
    State& s = *state_;
    if (s.staged) return;
    s.buffer->write_out();
    int error = s.buffer->error();
    if (error == 0 && s.temporary && ::fsync(s.descriptor) != 0 && errno != EINVAL) error = errno;
    if (s.descriptor > 2) {
        if (::close(s.descriptor) != 0 && error == 0 && errno != EINTR) error = errno;
        s.descriptor = -1;
    }
    if (error != 0) fail(s.path, "the output could not be written", error);
    s.staged = true;
}

void OutputFile::commit() {
    stage();
    State& s = *state_;
    if (!s.temporary) return;
    if (::rename(s.temporary->path().c_str(), s.target.c_str()) != 0)
        fail(s.path, "the finished output could not be put in place", errno);
    s.temporary->release();
    s.temporary.reset();
    if (s.lock > 2) ::close(s.lock);
    s.lock = -1;
    sync_folder_of(s.target);
}

void commit_together(std::vector<OutputFile*> const& files) {
    std::vector<OutputFile*> whole;
    std::optional<ReaderGone> gone;
    for (OutputFile* const file : files) {
        try {
            file->stage();
            whole.push_back(file);
        } catch (ReaderGone const& error) {
            gone = error;
        }
    }
    for (OutputFile* const file : whole) file->commit();
    if (gone) throw *gone;
}

void sync_folder_of(std::string const& path) {
    int const folder = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    (void)!::fsync(folder);
    ::close(folder);
}

std::string behind_links(std::string const& path) {
    constexpr int most_links = 40;  // Linux follows as many
    fs::path at = path;
    std::error_code error;
    for (int links = 0; links < most_links && fs::is_symlink(at, error); ++links) {
        fs::path const next = fs::read_symlink(at, error);
        if (error) return path;
        at = at.parent_path() / next;  // an absolute one takes the place of all before it
    }
    return at.string();
}

void check_writable(std::string const& path, std::string const& what) {
    if (path.empty())
        throw base::InputError({}, "an output has an empty name", "", "name a file, or `-` for standard output");
    if (is_standard_output(path)) return;
    if (path.back() == '/') fail(path, what + " cannot be written", EISDIR);
    std::optional<mode_t> const mode = check_existing(path, what);
    if (mode && !S_ISREG(*mode)) return;
    if (::faccessat(AT_FDCWD, folder_of(behind_links(path)).c_str(), W_OK | X_OK, AT_EACCESS) != 0)
        fail(path, what + " cannot be created", errno);
}

bool same_target(std::string const& one, std::string const& other) {
    if (is_standard_output(one) || is_standard_output(other))
        return is_standard_output(one) && is_standard_output(other);
    struct stat a_status {
    }, b_status{};
    if (::stat(one.c_str(), &a_status) == 0 && ::stat(other.c_str(), &b_status) == 0)
        return S_ISREG(a_status.st_mode) && a_status.st_dev == b_status.st_dev && a_status.st_ino == b_status.st_ino;
    std::error_code error;
    // Made absolute first: of a relative path of which nothing exists, nothing would be resolved.
    auto const resolved = [&](std::string const& path) {
        fs::path const absolute = fs::absolute(behind_links(path), error);
        return error ? fs::path() : fs::weakly_canonical(absolute, error);
    };
    fs::path const a = resolved(one);
    if (error) return false;
    fs::path const b = resolved(other);
    return !error && a == b;
}

void write_standard_output(std::string const& text) {
    OutputFile out("-");
    out.stream() << text;
    out.commit();
}

}  // namespace tailback::io
