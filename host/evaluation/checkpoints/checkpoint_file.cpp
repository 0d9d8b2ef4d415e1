// The file: lines of text that say of which work it is, an empty line, then words of 64 bits (how many follow; those; a
// digest of everything before it).
#include "host/evaluation/checkpoints/checkpoint_file.hpp"

#include "host/base/digest.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/io/output_file.hpp"
#include "host/io/own_file.hpp"
#include "host/io/temporary_files.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tailback::evaluation {

/// Closes on the way out.
struct CheckpointFile::Descriptor {
    explicit Descriptor(int n) : number(n) {}
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
    Descriptor(Descriptor const&) = delete;
    Descriptor& operator=(Descriptor const&) = delete;

    bool is_open() const { return number >= 0; }
    /// False when another run has it locked. File systems without locks are taken as they are.
    bool lock() const { return ::flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

    int const number;
};

namespace {

constexpr char const* anew = "remove it to start over, or name another file";
constexpr io::OwnFile own{"checkpoint", "tailback checkpoint ", "3\n", anew,
                          "name another file; this one is left alone"};

[[noreturn]] void damaged(std::string const& path, std::string const& why) {
    throw base::InputError({path, 0}, "the checkpoint is damaged", why, anew);
}

[[noreturn]] void fail(std::string const& path, char const* problem) {
    throw base::InputError({path, 0}, problem, std::strerror(errno), "choose another place for it");
}

[[noreturn]] void in_use(std::string const& path) {
    throw base::InputError({path, 0}, "the checkpoint is in use", "another run goes on from it or writes it",
                           "wait for that run, or name another file");
}

std::uint64_t digest_of(std::string const& head, std::span<std::uint64_t const> words) {
    base::Digest sum;
    sum.add(head);
    for (std::uint64_t const word : words) sum.add(word);
    return sum.value();
}

/// All bytes of an open regular file.
std::string read_file(int file, std::string const& path) {
    struct stat status {};
    if (::fstat(file, &status) != 0) fail(path, "the checkpoint cannot be read");
    if (!S_ISREG(status.st_mode))
        throw base::InputError({path, 0}, "the checkpoint is not a regular file", "", "name another file");
    std::string text;
    auto const most = static_cast<std::size_t>(status.st_size);
    for (std::size_t wanted = own.first_words().size(); text.size() < most; wanted = most) {
        std::size_t const have = text.size();
        text.resize(std::min(wanted, most));
        for (std::size_t at = have; at < text.size();) {
            ssize_t const n = ::read(file, text.data() + at, text.size() - at);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) fail(path, "the checkpoint cannot be read");
            if (n == 0) damaged(path, "it ends early");
            at += std::size_t(n);
        }
        own.check_form({path, 0}, text);  // before the rest of a large file is read
    }
    return text;
}

void write_all(int file, char const* bytes, std::size_t size, std::string const& path) {
    for (std::size_t at = 0; at < size;) {
        ssize_t const n = ::write(file, bytes + at, size - at);
        if (n >= 0) at += std::size_t(n);
        else if (errno != EINTR) fail(path, "the checkpoint could not be written");
    }
}

std::string head_of(CheckpointFile::Identity const& identity) {
    std::string head = own.first_words();
    for (auto const& [name, value] : identity) head += name + ": " + value + "\n";
    return head + "\n";
}

std::optional<std::string> value_in(std::string const& head, std::string const& name) {
    std::size_t const at = head.find("\n" + name + ": ");
    if (at == std::string::npos) return std::nullopt;
    std::size_t const from = at + name.size() + 3;
    return head.substr(from, head.find('\n', from) - from);
}

/// Names what differs between two heads that do.
std::string difference(CheckpointFile::Identity const& identity, std::string const& head) {
    for (auto const& [name, value] : identity) {
        std::optional<std::string> const there = value_in(head, name);
        if (!there) return "it does not tell the " + name;
        if (*there != value)
            return name + " " + base::printable(base::shortened(*there, 60)) + " there, " + value + " here";
    }
    return "it tells more than this program knows";
}

}  // namespace

char const* const CheckpointFile::start_anew = anew;

CheckpointFile::CheckpointFile(std::string path, Identity identity, char const* work)
    : path_(std::move(path)), target_(io::behind_links(path_)), identity_(std::move(identity)), work_(work) {}

CheckpointFile::~CheckpointFile() = default;

void CheckpointFile::refuse_damaged(std::string const& why) const { damaged(path_, why); }

std::optional<std::vector<std::uint64_t>> CheckpointFile::load() {
    held_.reset();
    other_names_.clear();
    auto file = std::make_unique<Descriptor>(::open(target_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file->is_open()) {
        if (errno == ENOENT) return std::nullopt;
        fail(path_, "the checkpoint cannot be read");
    }
    if (!file->lock()) in_use(path_);
    held_ = std::move(file);
    if (is_another_runs()) in_use(path_);  // it was replaced before it was locked
    std::string const text = read_file(held_->number, path_);
    std::size_t const end = text.find("\n\n");
    if (end == std::string::npos || end > 65536) damaged(path_, "its head has no end");
    std::string const head = text.substr(0, end + 2);
    std::size_t const bytes = text.size() - head.size();
    if (bytes < 16) damaged(path_, "it is cut short");
    std::vector<std::uint64_t> words(bytes / 8);
    std::memcpy(words.data(), text.data() + head.size(), 8 * words.size());
    std::uint64_t const digest = words.back();
    words.pop_back();
    if (words.front() > words.size() - 1) damaged(path_, "it is cut short");
    if (words.front() < words.size() - 1 || bytes % 8 != 0) damaged(path_, "it is longer than it was");
    if (digest != digest_of(head, words)) damaged(path_, "its digest does not fit");
    if (std::optional<std::string> const there = value_in(head, "version")) own.check_version({path_, 0}, *there);
    if (head != head_of(identity_))
        throw base::InputError({path_, 0}, "the checkpoint is of another " + work_, difference(identity_, head), anew);
    words.erase(words.begin());
    return words;
}

bool CheckpointFile::is_another_runs() const {
    struct stat there {
    }, held{};
    if (::stat(target_.c_str(), &there) != 0) return false;
    return !held_ || ::fstat(held_->number, &held) != 0 || held.st_dev != there.st_dev || held.st_ino != there.st_ino;
}

void CheckpointFile::save(std::span<std::uint64_t const> sums) {
    std::string const head = head_of(identity_), part = target_ + ".part";
    std::vector<std::uint64_t> words = {sums.size()};
    words.insert(words.end(), sums.begin(), sums.end());
    words.push_back(digest_of(head, words));
    if (is_another_runs()) in_use(path_);
    auto file = std::make_unique<Descriptor>(::open(part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!file->is_open()) fail(path_, "the checkpoint could not be written");
    if (!file->lock()) in_use(path_);
    io::TemporaryFile temporary(part);
    if (::ftruncate(file->number, 0) != 0) fail(path_, "the checkpoint could not be written");
    write_all(file->number, head.data(), head.size(), path_);
    write_all(file->number, reinterpret_cast<char const*>(words.data()), 8 * words.size(), path_);
    if (::fsync(file->number) != 0) fail(path_, "the checkpoint could not be written");
    if (is_another_runs()) in_use(path_);
    if (::rename(part.c_str(), target_.c_str()) != 0) fail(path_, "the checkpoint could not be put in place");
    temporary.release();
    struct stat replaced {};
    if (held_ && ::fstat(held_->number, &replaced) == 0 && replaced.st_nlink > 0)
        other_names_.push_back(std::move(held_));
    held_ = std::move(file);      // the lock of the file that it replaces goes only now
    io::sync_folder_of(target_);  // only then the new name is on disk
}

void CheckpointFile::remove() {
    if (is_another_runs()) return;
    for (std::string const& path : {target_, target_ + ".part"})
        if (::unlink(path.c_str()) != 0 && errno != ENOENT)
            throw base::InputError({path, 0}, "the checkpoint of a " + work_ + " that is done could not be removed",
                                   std::strerror(errno), "remove it");
}

}  // namespace tailback::evaluation
