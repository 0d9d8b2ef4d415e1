#include "host/model/routes/linux_hash.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace tailback::model {
namespace {

std::uint64_t little_endian(std::byte const* bytes, std::size_t count) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i) word |= std::uint64_t(bytes[i]) << (8 * i);
    return word;
}

struct SipState {
    std::uint64_t a, b, c, d;
    void round() {
        a += b, b = std::rotl(b, 13) ^ a, a = std::rotl(a, 32);
        c += d, d = std::rotl(d, 16) ^ c;
        a += d, d = std::rotl(d, 21) ^ a;
        c += b, b = std::rotl(b, 17) ^ c, c = std::rotl(c, 32);
    }
    void take(std::uint64_t word) {
        d ^= word;
        round(), round();
        a ^= word;
    }
};

/// The part of the kernel's `struct flow_keys` that is hashed: basic, tags, vlan, cvlan, keyid, ports, icmp, addrs.
constexpr std::size_t key_bytes = 48;
constexpr std::size_t protocol_at = 2, ports_at = 28, addresses_at = 36;

/// The same bytes both ways: the kernel orders ports and addresses as the numbers that they are on a little-endian
/// machine, each apart.
template <std::size_t Bytes>
void put_ordered(std::byte* to, std::uint64_t one, std::uint64_t other) {
    std::array<std::byte, Bytes> first, second;
    for (std::size_t i = 0; i < Bytes; ++i) {  // network order
        first[i] = std::byte(one >> (8 * (Bytes - 1 - i)));
        second[i] = std::byte(other >> (8 * (Bytes - 1 - i)));
    }
    if (little_endian(second.data(), Bytes) < little_endian(first.data(), Bytes)) std::swap(first, second);
    std::copy(first.begin(), first.end(), to);
    std::copy(second.begin(), second.end(), to + Bytes);
}

/// Bob Jenkins' hash of three words (lookup3, 2006), as the kernel takes it for two: the third is 0.
std::uint32_t jenkins(std::uint32_t one, std::uint32_t other) {
    constexpr std::uint32_t begin = 0xDEADBEEF + (2 << 2);
    std::uint32_t a = one + begin, b = other + begin, c = begin;
    c = (c ^ b) - std::rotl(b, 14);
    a = (a ^ c) - std::rotl(c, 11);
    b = (b ^ a) - std::rotl(a, 25);
    c = (c ^ b) - std::rotl(b, 16);
    a = (a ^ c) - std::rotl(c, 4);
    b = (b ^ a) - std::rotl(a, 14);
    return (c ^ b) - std::rotl(b, 24);
}

}  // namespace

std::optional<LinuxHashPolicy> LinuxHashPolicy::of(std::uint32_t number, std::uint32_t fields) {
    switch (number) {
        case 0:
        case 2: return layer3;
        case 1: return layer4;
        case 3: return LinuxHashPolicy{fields, true};
        default: return std::nullopt;
    }
}

std::uint64_t siphash24(std::byte const* data, std::size_t size, std::uint64_t key0, std::uint64_t key1) {
    SipState state{key0 ^ 0x736f6d6570736575u, key1 ^ 0x646f72616e646f6du, key0 ^ 0x6c7967656e657261u,
                   key1 ^ 0x7465646279746573u};
    std::size_t at = 0;
    for (; at + 8 <= size; at += 8) state.take(little_endian(data + at, 8));
    state.take(std::uint64_t{size & 0xFF} << 56 | little_endian(data + at, size - at));
    state.c ^= 0xFF;
    for (int i = 0; i < 4; ++i) state.round();
    return state.a ^ state.b ^ state.c ^ state.d;
}

std::uint32_t linux_multipath_hash(FiveTuple const& flow, std::uint32_t seed, LinuxHashPolicy policy) {
    std::array<std::byte, key_bytes> keys{};
    if (policy.has(4)) keys[protocol_at] = std::byte(flow.protocol);
    put_ordered<2>(keys.data() + ports_at, policy.has(16) ? flow.source_port : 0,
                   policy.has(32) ? flow.destination_port : 0);
    put_ordered<4>(keys.data() + addresses_at, policy.has(1) ? flow.source : 0, policy.has(2) ? flow.destination : 0);
    std::uint64_t const key = std::uint64_t{seed} << 32 | seed;
    auto const hash = static_cast<std::uint32_t>(siphash24(keys.data(), keys.size(), key, key));
    std::uint32_t const told = hash == 0 ? 1 : hash;
    return (policy.by_choice ? jenkins(told, 0) : told) >> 1;  // 0: the hash of what is in a tunnel
}

std::size_t linux_next_hop(std::uint32_t hash, std::size_t count) {
    // Next hop i has the hashes up to round((i + 1) 2^31 / count) - 1.
    auto const end = [&](std::uint64_t i) { return (((i + 1) << 31) + count / 2) / count; };
    std::size_t at = static_cast<std::size_t>(std::uint64_t{hash} * count >> 31);
    while (at > 0 && hash < end(at - 1)) --at;
    while (at + 1 < count && hash >= end(at)) ++at;
    return at;
}

}  // namespace tailback::model
