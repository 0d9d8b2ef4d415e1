#include "host/io/gz_source.hpp"

#include <algorithm>
#include <new>

#ifdef TAILBACK_HAS_ZLIB
#include <zlib.h>
#endif

namespace tailback::io {

#ifdef TAILBACK_HAS_ZLIB

namespace {

class GzSource final : public ByteSource {
public:
    GzSource(std::unique_ptr<ByteSource> packed, std::string name)
        : packed_(std::move(packed)), name_(std::move(name)), input_(std::size_t{1} << 17) {
        constexpr int gzip_alone = 16;
        if (inflateInit2(&stream_, MAX_WBITS + gzip_alone) != Z_OK) throw std::bad_alloc();
    }
    ~GzSource() override { inflateEnd(&stream_); }
    GzSource(GzSource const&) = delete;
    GzSource& operator=(GzSource const&) = delete;

    std::size_t read(char* to, std::size_t size) override {
        uInt const room = static_cast<uInt>(std::min<std::size_t>(size, 1u << 30));
        stream_.next_out = reinterpret_cast<Bytef*>(to);
        stream_.avail_out = room;
        while (stream_.avail_out == room && room > 0 && !done_) {
            if (between_) begin_next();
            if (done_) break;
            if (stream_.avail_in == 0 && !fill())
                throw base::InputError({name_, 0}, "the .gz stream stops in the middle", "the file is truncated",
                                       "copy it again");
            int const result = inflate(&stream_, Z_NO_FLUSH);
            if (result == Z_STREAM_END) between_ = true;
            else if (result == Z_MEM_ERROR) throw std::bad_alloc();
            else if (result != Z_OK && result != Z_BUF_ERROR)
                throw base::InputError({name_, 0}, "the .gz stream is damaged", "", "test it with `gzip -t`");
        }
        return room - stream_.avail_out;
    }

private:
    bool fill() {
        stream_.avail_in = static_cast<uInt>(packed_->read(input_.data(), input_.size()));
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        return stream_.avail_in > 0;
    }
    /// Zeros may stand behind a stream, as on a tape.
    void begin_next() {
        for (;;) {
            if (stream_.avail_in == 0 && !fill()) {
                done_ = true;
                return;
            }
            if (*stream_.next_in != 0) break;
            ++stream_.next_in;
            --stream_.avail_in;
        }
        between_ = false;
        inflateReset(&stream_);
    }

    std::unique_ptr<ByteSource> packed_;
    std::string name_;
    std::vector<char> input_;
    z_stream stream_{};
    bool between_ = false, done_ = false;
};

}  // namespace

bool unpacks_gz() { return true; }

std::unique_ptr<ByteSource> unpacked_gz(std::unique_ptr<ByteSource> packed, std::string const& name) {
    return std::make_unique<GzSource>(std::move(packed), name);
}

#else

bool unpacks_gz() { return false; }

std::unique_ptr<ByteSource> unpacked_gz(std::unique_ptr<ByteSource>, std::string const& name) {
    throw base::InputError({name, 0}, "the file is packed with gzip", "this program was built without zlib",
                           "unpack it with gunzip first");
}

#endif

}  // namespace tailback::io
