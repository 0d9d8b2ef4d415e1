#include "host/sweep/shared_network.hpp"

#include "host/base/error.hpp"

#include <utility>

namespace tailback::sweep {

void SharedNetwork::turn_to(std::size_t number) {
    if (number_ != number) *this = SharedNetwork(std::move(warn_));
    number_ = number;
}

std::shared_ptr<api::NetworkInput> SharedNetwork::read(api::FabricRequest const& request) {
    if (!why_broken_.empty()) throw base::InputError({}, why_broken_, "", "");
    if (!input_) {
        warnings_.clear();
        try {
            input_ = api::read_network(request, [&](std::string const& warning) { warnings_.push_back(warning); });
        } catch (base::InputError const& error) {
            why_broken_ = error.what();
            throw;
        }
    }
    tell_warnings();
    return input_;
}

void SharedNetwork::tell_warnings() const {
    for (std::string const& warning : warnings_) warn_(warning);
}

}  // namespace tailback::sweep
