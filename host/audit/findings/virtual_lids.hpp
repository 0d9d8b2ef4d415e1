// LIDs of virtual ports (SR-IOV, virtual machines) and LIDs behind routers (FLIDs): tables know them, and topologies
// may not.
#pragma once

#include "host/audit/findings/finding.hpp"
#include "host/model/tables.hpp"

#include <optional>
#include <vector>

namespace tailback::audit {

/// Where tables lead a LID.
class LidEnds {
public:
    explicit LidEnds(model::Fabric const& fabric);

    struct End {
        model::Node node;  ///< no switch; none: it is dropped, or runs in a circle
        model::Port port = 0;
        bool operator==(End const&) const = default;
    };
    /// By switch, of those with a table.
    std::vector<std::pair<model::Node, End>> const& of(model::Lid lid);
    /// The port that every switch with a table leads to, if it is an adapter's that has an own LID which its switch
    /// sends to it, too; any of routers, where all lead to routers.
    std::optional<End> delivered_to(model::Lid lid);

private:
    model::Fabric const& fabric_;
    std::vector<std::uint32_t> known_;  ///< by node: which LID its end is of
    std::vector<End> ends_;
    std::vector<std::pair<model::Node, End>> found_;
};

/// One finding for LIDs that nobody owns, each with where all tables deliver it.
Finding virtual_lids(model::Fabric const& fabric, std::vector<std::pair<model::Lid, LidEnds::End>> const& lids);

/// Virtual LIDs that the topology names, and that some table does not lead to their port: a finding a LID.
std::vector<Finding> stray_virtual_lids(model::Fabric const& fabric);

}  // namespace tailback::audit
