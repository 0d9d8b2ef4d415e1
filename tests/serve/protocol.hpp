/// A test binary that is loaded once and forks for each test: what its client and its server say to each other.
/// client.cpp starts the server and asks it; main.cpp is the server, and the main function of the test binaries.
#pragma once
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tailback::serve {

/// The word before the server's argument: which descriptors listen and tell of the owner's end, which binary is meant.
inline constexpr char serve_option[] = "--serve-tests=";
inline constexpr std::size_t most_bytes_of_words = std::size_t{64} << 10;
inline constexpr int standard_streams = 3;  ///< handed over with each request

/// The server's answers, in this order. Without the first it has not begun, or was killed at once: its client runs it.
enum class Kind : std::int32_t { begun, ended };
struct Answer {
    Kind kind;
    std::int32_t signal;     ///< that ended the test; 0: it exited
    std::int32_t exit_code;  ///< where it exited
};

/// FNV-1a over bytes.
class Digest {
public:
    void add(void const* bytes, std::size_t count) {
        auto const* const byte = static_cast<unsigned char const*>(bytes);
        for (std::size_t i = 0; i < count; ++i) value_ = (value_ ^ byte[i]) * 0x100000001b3ull;
    }
    void add(char const* word) { add(word, std::strlen(word) + 1); }
    template <class Number>
    void add_number(Number number) {
        add(&number, sizeof number);
    }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325ull;
};

/// Tells a binary from any that was, or will be, at its path. 0: there is none.
inline std::uint64_t identity(char const* path) {
    struct stat facts {};
    if (::stat(path, &facts) != 0) return 0;
    Digest digest;
    digest.add_number(facts.st_dev);
    digest.add_number(facts.st_ino);
    digest.add_number(facts.st_size);
    digest.add_number(facts.st_mtim.tv_sec);
    digest.add_number(facts.st_mtim.tv_nsec);
    return digest.value();
}

/// Whether the other end of a socket belongs to this user.
inline bool is_own(int connection) {
    struct ucred other {};
    socklen_t size = sizeof other;
    return ::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 && other.uid == ::getuid();
}

/// A message with room for the standard streams beside its bytes.
class Message {
public:
    Message(void* bytes, std::size_t count) : part_{bytes, count} {
        header_.msg_iov = &part_;
        header_.msg_iovlen = 1;
        header_.msg_control = room_;
        header_.msg_controllen = sizeof room_;
    }
    Message(Message const&) = delete;
    Message& operator=(Message const&) = delete;

    msghdr* header() { return &header_; }
    void add(int const (&streams)[standard_streams]) {
        cmsghdr* const beside = CMSG_FIRSTHDR(&header_);
        beside->cmsg_level = SOL_SOCKET;
        beside->cmsg_type = SCM_RIGHTS;
        beside->cmsg_len = CMSG_LEN(sizeof streams);
        std::memcpy(CMSG_DATA(beside), streams, sizeof streams);
    }
    bool take(int (&streams)[standard_streams]) {
        cmsghdr const* const beside = CMSG_FIRSTHDR(&header_);
        if (!beside || beside->cmsg_level != SOL_SOCKET || beside->cmsg_type != SCM_RIGHTS ||
            beside->cmsg_len != CMSG_LEN(sizeof streams))
            return false;
        std::memcpy(streams, CMSG_DATA(beside), sizeof streams);
        return true;
    }

private:
    iovec part_;
    msghdr header_{};
    alignas(cmsghdr) char room_[CMSG_SPACE(sizeof(int) * standard_streams)] = {};
};

}  // namespace tailback::serve
