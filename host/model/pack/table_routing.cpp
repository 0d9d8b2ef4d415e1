#include "host/model/routing.hpp"

#include "host/model/pack/route_store.hpp"
#include "host/model/routes/trace.hpp"

namespace tailback::model {
namespace {

class TableRouting final : public Routing {
public:
    std::string text() const override { return ""; }
    Route trace(Fabric const& fabric, Host source, Lid destination) const override {
        return trace_by_tables(fabric, source, destination);
    }
    RouteStore pack(Fabric const& fabric, std::vector<Host> const& hosts, LinkCosts const& costs,
                    std::size_t row_byte_limit, kernels::MakeRoutePacker make_packer) const override {
        return pack_routes(fabric, hosts, costs, row_byte_limit, make_packer);
    }
};

}  // namespace

std::optional<UnreachablePairs> Routing::find_unreachable(Fabric const&, std::vector<Host> const&, std::size_t) const {
    return std::nullopt;
}

std::shared_ptr<Routing const> routing_by_tables() {
    static auto const routing = std::make_shared<TableRouting const>();
    return routing;
}

}  // namespace tailback::model
