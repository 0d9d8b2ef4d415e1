#include "host/sweep/shared_network.hpp"

#include "host/base/error.hpp"

#include <utility>

namespace tailback {

void SharedNetwork::turn_to(std::size_t number) {
    if (number_ != number) *this = SharedNetwork(std::move(warn_));
    number_ = number;
}

NetworkInput const& SharedNetwork::obtain(NetworkChoice const& choice) {
    if (!why_broken_.empty()) throw InputError({}, why_broken_, "", "");
    if (!input_) {
        warnings_.clear();
        try {
            input_ = obtain_network(choice, [&](std::string const& warning) { warnings_.push_back(warning); });
        } catch (InputError const& error) {
            why_broken_ = error.what();
            throw;
        }
    }
    tell_warnings();
    return *input_;
}

NetworkInput SharedNetwork::take() {
    NetworkInput taken = std::move(*input_);
    input_.reset();
    return taken;
}

void SharedNetwork::tell_warnings() const {
    for (std::string const& warning : warnings_) warn_(warning);
}

}  // namespace tailback
