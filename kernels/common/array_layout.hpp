// Arrays one after the other in one piece of memory: a team's working memory is measured and laid out by one function.
#pragma once

#include "kernels/common/portable.hpp"

#include <cstddef>

namespace tailback::kernels {

/// From `base` (16-byte aligned) on, each array 16-byte aligned; with a null base all are null and only measured.
class ArrayLayout {
public:
    TAILBACK_HD explicit ArrayLayout(std::byte* base) : base_(base) {}

    TAILBACK_HD std::byte* take_bytes(std::size_t bytes) {
        std::byte* const at = base_ == nullptr ? nullptr : base_ + used_;
        used_ += (bytes + 15) / 16 * 16;
        return at;
    }
    /// An array of no items is null.
    template <class Item>
    TAILBACK_HD void take(Item*& array, std::size_t count) {
        array = count == 0 ? nullptr : reinterpret_cast<Item*>(take_bytes(count * sizeof(Item)));
    }
    /// Bytes of what was taken.
    TAILBACK_HD std::size_t used() const { return used_; }

private:
    std::byte* base_;
    std::size_t used_ = 0;
};

}  // namespace tailback::kernels
