// Bytes from a file, standard input or an .xz or .gz stream, and the splitting into lines.
#include "host/io/line_reader.hpp"

#include "host/io/byte_source.hpp"
#include "host/io/gz_source.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#ifdef TAILBACK_HAS_LZMA
#include <lzma.h>
#endif

namespace tailback::io {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;
constexpr std::size_t most_blank_lines = std::size_t{1} << 20;
constexpr std::size_t read_size = std::size_t{1} << 17;  // small enough to be parsed while still in cache
constexpr std::size_t peek_size = std::size_t{1} << 16;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view gz_magic = "\x1f\x8b";
constexpr std::string_view xz_magic{
    "\xFD"
    "7zXZ\0",
    6};

class FileSource final : public ByteSource {
public:
    FileSource(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
    ~FileSource() override {
        if (descriptor_ > 0) ::close(descriptor_);
    }
    FileSource(FileSource const&) = delete;
    FileSource& operator=(FileSource const&) = delete;

    std::size_t read(char* to, std::size_t size) override {
        for (;;) {
            ssize_t const got = ::read(descriptor_, to, size);
            if (got >= 0) return static_cast<std::size_t>(got);
            if (errno != EINTR)
                throw base::InputError({name_, 0}, "the file cannot be read", std::strerror(errno),
                                       "check that it is a file, not a folder, and that its disk is well");
        }
    }

private:
    int descriptor_;
    std::string name_;
};

class StringSource final : public ByteSource {
public:
    explicit StringSource(std::string bytes) : bytes_(std::move(bytes)) {}
    std::size_t read(char* to, std::size_t size) override {
        std::size_t const n = std::min(size, bytes_.size() - at_);
        std::memcpy(to, bytes_.data() + at_, n);
        at_ += n;
        return n;
    }

private:
    std::string bytes_;
    std::size_t at_ = 0;
};

/// A source whose first bytes were read already.
class PushedBack final : public ByteSource {
public:
    PushedBack(std::string head, std::unique_ptr<ByteSource> rest) : head_(std::move(head)), rest_(std::move(rest)) {}
    std::size_t read(char* to, std::size_t size) override {
        if (at_ == head_.size()) return rest_->read(to, size);
        std::size_t const n = std::min(size, head_.size() - at_);
        std::memcpy(to, head_.data() + at_, n);
        at_ += n;
        return n;
    }

private:
    std::string head_;
    std::size_t at_ = 0;
    std::unique_ptr<ByteSource> rest_;
};

class WatchedSource final : public ByteSource {
public:
    WatchedSource(std::unique_ptr<ByteSource> source, std::function<void(std::uint64_t)> tell)
        : source_(std::move(source)), tell_(std::move(tell)) {}
    std::size_t read(char* to, std::size_t size) override {
        std::size_t const got = source_->read(to, size);
        read_ += got;
        tell_(read_);
        return got;
    }

private:
    std::unique_ptr<ByteSource> source_;
    std::function<void(std::uint64_t)> tell_;
    std::uint64_t read_ = 0;
};

#ifdef TAILBACK_HAS_LZMA
class XzSource final : public ByteSource {
public:
    XzSource(std::unique_ptr<ByteSource> packed, std::string name)
        : packed_(std::move(packed)), name_(std::move(name)), input_(read_size) {
        // A limit, because the dictionary size in the header is the file's to choose.
        if (lzma_stream_decoder(&stream_, std::uint64_t{256} << 20, LZMA_CONCATENATED) != LZMA_OK)
            throw std::bad_alloc();
    }
    ~XzSource() override { lzma_end(&stream_); }
    XzSource(XzSource const&) = delete;
    XzSource& operator=(XzSource const&) = delete;

    std::size_t read(char* to, std::size_t size) override {
        if (done_ || size == 0) return 0;
        stream_.next_out = reinterpret_cast<std::uint8_t*>(to);
        stream_.avail_out = size;
        while (stream_.avail_out == size) {
            if (stream_.avail_in == 0 && !packed_at_end_) {
                stream_.avail_in = packed_->read(input_.data(), input_.size());
                stream_.next_in = reinterpret_cast<std::uint8_t*>(input_.data());
                packed_at_end_ = stream_.avail_in == 0;
            }
            lzma_ret const result = lzma_code(&stream_, packed_at_end_ ? LZMA_FINISH : LZMA_RUN);
            if (result == LZMA_STREAM_END) {
                done_ = true;
                break;
            }
            if (result != LZMA_OK) fail(result);
        }
        return size - stream_.avail_out;
    }

private:
    [[noreturn]] void fail(lzma_ret result) const {
        base::SourceLocation const place{name_, 0};
        if (result == LZMA_BUF_ERROR)
            throw base::InputError(place, "the .xz stream stops in the middle", "the file is truncated",
                                   "copy it again");
        if (result == LZMA_MEMLIMIT_ERROR)
            throw base::InputError(place, "the .xz stream wants more than 256 MiB to be unpacked", "",
                                   "unpack it with xz first");
        throw base::InputError(place, "the .xz stream is damaged", "", "test it with `xz -t`");
    }

    std::unique_ptr<ByteSource> packed_;
    std::string name_;
    std::vector<char> input_;
    lzma_stream stream_ = LZMA_STREAM_INIT;
    bool packed_at_end_ = false;
    bool done_ = false;
};

std::unique_ptr<ByteSource> unpacked_xz(std::unique_ptr<ByteSource> source, std::string const& name) {
    return std::make_unique<XzSource>(std::move(source), name);
}
#else
std::unique_ptr<ByteSource> unpacked_xz(std::unique_ptr<ByteSource>, std::string const& name) {
    throw base::InputError({name, 0}, "the file is packed with xz", "this program was built without liblzma",
                           "unpack it with xz first");
}
#endif

}  // namespace

std::unique_ptr<ByteSource> open_bytes(std::string const& path) {
    int descriptor = STDIN_FILENO;
    if (path.empty()) throw base::InputError({}, "the name of a file is empty", "", "name a file");
    if (path != "-") {
        descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor < 0)
            throw base::InputError({path, 0}, "the file cannot be opened", std::strerror(errno),
                                   "check the path and its permissions");
    }
    return std::make_unique<FileSource>(descriptor, path);
}

std::string read_head(ByteSource& source, std::size_t size) {
    std::string head(size, '\0');
    std::size_t have = 0;
    while (have < head.size()) {  // a pipe may give less than was asked for
        std::size_t const got = source.read(head.data() + have, head.size() - have);
        if (got == 0) break;
        have += got;
    }
    head.resize(have);
    return head;
}

std::unique_ptr<ByteSource> with_head(std::string head, std::unique_ptr<ByteSource> rest) {
    return std::make_unique<PushedBack>(std::move(head), std::move(rest));
}

std::unique_ptr<ByteSource> watched(std::unique_ptr<ByteSource> source, std::function<void(std::uint64_t)> tell) {
    return std::make_unique<WatchedSource>(std::move(source), std::move(tell));
}

char const* packer_of(std::string_view head) {
    if (!unpacks_gz() && head.starts_with(gz_magic)) return "gzip";
    for (auto const& [magic, packer] : {std::pair{"BZh", "bzip2"}, {"\x28\xb5\x2f\xfd", "zstd"}})
        if (head.starts_with(magic)) return packer;
    return nullptr;
}

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> source, std::string const& name) {
    std::string head = read_head(*source, xz_magic.size());
    bool const packed = head == xz_magic, gz = head.starts_with(gz_magic);
    if (char const* const packer = packer_of(head); packer != nullptr && !gz)
        throw base::InputError({name, 0}, std::string("the file is packed with ") + packer,
                               "only .xz and .gz are unpacked here", "unpack it first");
    source = with_head(std::move(head), std::move(source));
    if (gz) return unpacked_gz(std::move(source), name);
    return packed ? unpacked_xz(std::move(source), name) : std::move(source);
}

std::unique_ptr<ByteSource> open_source(std::string const& path) { return unpacked(open_bytes(path), path); }

std::unique_ptr<ByteSource> source_of(std::string bytes) { return std::make_unique<StringSource>(std::move(bytes)); }

LineReader::LineReader(std::unique_ptr<ByteSource> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)), buffer_(2 * read_size) {}

bool LineReader::refill() {
    if (at_end_) return false;
    if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    if (end_ == buffer_.size() && end_ < longest_line) buffer_.resize(2 * end_);
    std::size_t const room = std::min(read_size, buffer_.size() - end_);
    if (room == 0)
        throw base::InputError({name_, line_ + 1}, "a line is longer than 1 MiB",
                               "no format that is known has such lines", "check that this is the right file");
    std::size_t const got = source_->read(buffer_.data() + end_, room);
    if (got == 0) {
        at_end_ = true;
        return false;
    }
    if (std::memchr(buffer_.data() + end_, '\0', got))
        throw base::InputError({name_, 0}, "this is a binary file", "it holds a NUL byte",
                               "give a text file, or one packed with xz or gzip");
    end_ += got;
    return true;
}

bool LineReader::next(std::string_view& line) {
    std::size_t searched = 0;
    void const* newline = nullptr;
    do {
        newline = std::memchr(buffer_.data() + begin_ + searched, '\n', end_ - begin_ - searched);
        searched = end_ - begin_;
    } while (!newline && refill());
    if (begin_ == end_) return false;

    char const* const from = buffer_.data() + begin_;  // refill may have moved it
    terminated_ = newline != nullptr;
    std::size_t length = terminated_ ? std::size_t(static_cast<char const*>(newline) - from) : end_ - begin_;
    std::size_t const used = length + (terminated_ ? 1 : 0);
    begin_ += used;
    consumed_ += used;
    ++line_;
    if (length > 0 && from[length - 1] == '\r') --length;
    line = {from, length};
    if (line_ == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
    if (line.find_first_not_of(" \t") != std::string_view::npos) blank_lines_ = 0;
    else if (++blank_lines_ > most_blank_lines)
        throw base::InputError({name_, line_}, "more than a million blank lines in a row",
                               "no format that is known has so many, and packed they are a small file",
                               "check that this is the right file");
    return true;
}

std::string_view LineReader::peek() {
    while (end_ - begin_ < peek_size + byte_order_mark.size() && refill()) {
    }
    std::string_view head(buffer_.data() + begin_, end_ - begin_);
    if (consumed_ == 0 && head.starts_with(byte_order_mark)) head.remove_prefix(byte_order_mark.size());
    return head.substr(0, peek_size);
}

std::string LineReader::rest(std::size_t limit) {
    std::string all;
    do {
        if (all.size() + (end_ - begin_) > limit)
            throw base::InputError({name_, 0}, "the file is larger than " + std::to_string(limit >> 20) + " MiB",
                                   "this format is read as a whole", "check that this is the right file");
        all.append(buffer_.data() + begin_, end_ - begin_);
        consumed_ += end_ - begin_;
        begin_ = end_;
    } while (refill());
    return all;
}

}  // namespace tailback::io
