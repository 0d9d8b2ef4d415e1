#include "host/sweep/shared_network.hpp"

#include "host/base/error.hpp"

#include <utility>

namespace tailback::sweep {

void SharedNetwork::turn_to(std::size_t number) {
    if (number_ != number) *this = SharedNetwork(std::move(warn_));
    number_ = number;
}

api::NetworkInput const& SharedNetwork::obtain(api::NetworkChoice const& choice) {
    if (!why_broken_.empty()) throw base::InputError({}, why_broken_, "", "");
    if (!input_) {
        warnings_.clear();
        try {
            input_ = api::obtain_network(choice, [&](std::string const& warning) { warnings_.push_back(warning); });
        } catch (base::InputError const& error) {
            why_broken_ = error.what();
            throw;
        }
    }
    tell_warnings();
    return *input_;
}

api::NetworkInput SharedNetwork::take() {
    api::NetworkInput taken = std::move(*input_);
    input_.reset();
    return taken;
}

void SharedNetwork::tell_warnings() const {
    for (std::string const& warning : warnings_) warn_(warning);
}

}  // namespace tailback::sweep
