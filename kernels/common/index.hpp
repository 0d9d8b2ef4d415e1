// Typed indices: a Host is not a Switch, and the compiler knows it.
#pragma once

#include "kernels/common/portable.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace tailback::kernels {

/// A 32-bit index whose Tag says what it counts. `none` marks "no such thing".
template <class Tag>
struct Index {
    static constexpr std::uint32_t none_value = 0xFFFFFFFFu;
    std::uint32_t value = none_value;

    constexpr Index() = default;
    TAILBACK_HD constexpr explicit Index(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
    TAILBACK_HD constexpr bool exists() const { return value != none_value; }
    constexpr auto operator<=>(Index const&) const = default;
};

using Host = Index<struct HostTag>;  ///< an endpoint: one cabled port of an adapter
using Node = Index<struct NodeTag>;  ///< a switch or an adapter, in the order of the file
using Link = Index<struct LinkTag>;  ///< a directed link

/// A vector that only takes the index type it was made for.
template <class I, class T>
class IndexedVector : public std::vector<T> {
public:
    using std::vector<T>::vector;
    decltype(auto) operator[](I i) { return std::vector<T>::operator[](i.value); }
    decltype(auto) operator[](I i) const { return std::vector<T>::operator[](i.value); }
    /// Appends and tells where.
    I add(T item) {
        this->push_back(std::move(item));
        return I{this->size() - 1};
    }
};

}  // namespace tailback::kernels

template <class Tag>
struct std::hash<tailback::kernels::Index<Tag>> {
    std::size_t operator()(tailback::kernels::Index<Tag> i) const noexcept { return i.value; }
};
