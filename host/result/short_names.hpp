// Names of switches without what all of them begin and end with (`MF0;`, `:MQM8700/U1`): how text tells them.
#pragma once

#include "host/model/network.hpp"

#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

namespace tailback::result {

class ShortNames {
public:
    ShortNames() = default;
    /// Of all switches of these networks, up to a sign. None where that is short, or where a name would be another
    /// node's, or have no letter.
    explicit ShortNames(std::span<model::Network const* const> networks);

    bool any() const { return !names_.empty(); }
    /// Every whole name in it is short.
    std::string in(std::string_view text) const;
    /// Says what is left out.
    std::string sentence() const;

private:
    std::unordered_set<std::string_view> names_;  ///< whole; of the networks
    std::string before_, after_;
    std::size_t shortest_ = 0, longest_ = 0;  ///< of `names_`
};

}  // namespace tailback::result
