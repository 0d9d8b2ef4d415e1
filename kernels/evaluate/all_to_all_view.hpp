// What a kernel needs to know of an all-to-all whose flows are not listed.
#pragma once

#include <cstdint>

namespace tailback::kernels {

/// Every rank sends to every other, once. Hosts whose packets take the same routes form a class, so that a route is
/// looked up once for all of them. Null pointers: flows are listed.
struct AllToAllView {
    std::uint32_t const* class_of_host = nullptr;  ///< by host index
    std::uint32_t const* first = nullptr;          ///< [classes + 1] into `hosts`
    std::uint32_t const* hosts = nullptr;          ///< host indices, class by class
    std::uint32_t classes = 0;
    std::uint64_t whole_share = 0;  ///< bandwidth of a flow at a congestion of one unit, in units of share_unit

    explicit operator bool() const { return classes > 0; }
};

}  // namespace tailback::kernels
