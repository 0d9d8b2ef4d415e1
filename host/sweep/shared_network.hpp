// The network that neighbouring points of a sweep share.
#pragma once

#include "host/api/obtain.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback::sweep {

/// One network at a time, read or made once, and what is odd about it.
class SharedNetwork {
public:
    explicit SharedNetwork(api::TakeSentence warn) : warn_(std::move(warn)) {}

    /// Network `number` is wanted from now on: what is at hand of another one goes.
    void turn_to(std::size_t number);
    /// Reads or makes it, unless it is at hand; tells what is odd about it, each time. @throws InputError, for one that
    /// cannot be had each time, without another try.
    std::shared_ptr<api::NetworkInput> read(api::FabricRequest const& request);
    /// Lets go of it: who has it has it alone. What is odd about it stays.
    void release() { input_.reset(); }
    void tell_warnings() const;

private:
    api::TakeSentence warn_;
    std::optional<std::size_t> number_;
    std::shared_ptr<api::NetworkInput> input_;
    std::vector<std::string> warnings_;
    std::string why_broken_;  ///< empty = it is not known to be
};

}  // namespace tailback::sweep
