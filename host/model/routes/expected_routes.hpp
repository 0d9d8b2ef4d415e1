// What to expect of routes that are drawn: how probable a link is to be on the route of a pair, over all draws.
#pragma once

#include "host/model/network.hpp"

#include <vector>

namespace tailback::model {

struct LinkShare {
    Link link;
    double share;  ///< probability that the route takes it
};

/// Of routings by pairs whose routes are drawn, and whose law is known.
class ExpectedRoutes {
public:
    virtual ~ExpectedRoutes() = default;
    /// Appends the links of all routes that the pair may be given, host links included; a link may come several times,
    /// and its shares are then added up. False when some draw gives no way.
    virtual bool expect(Network const& network, Host source, Host destination,
                        std::vector<LinkShare>& shares) const = 0;
};

}  // namespace tailback::model
