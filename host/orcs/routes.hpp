// Routes as ORCS walks them, and what it makes of the ones that break off or run in a circle.
#pragma once

#include "host/model/tables.hpp"

#include <cstdint>
#include <iosfwd>
#include <vector>

namespace tailback::orcs {

class OrcsRoutes {
public:
    /// What breaks is told on `out`, once for every `find`, as ORCS does.
    OrcsRoutes(model::Fabric const& fabric, std::ostream& out) : fabric_(fabric), out_(out) {}

    /// Edge ids (= link indices) from `source` to `destination`, valid until the next call. A route that ends where no
    /// entry leads on keeps what it has; one that meets a node again is empty. Hosts forward like switches.
    std::vector<std::uint32_t> const& find(model::Host source, model::Host destination);

private:
    model::Fabric const& fabric_;
    std::ostream& out_;
    std::vector<std::uint32_t> edges_;
    std::vector<model::Node> met_;
};

}  // namespace tailback::orcs
