// A finding: one thing that is wrong or worth knowing, where, and how many pairs it costs.
#pragma once

#include "host/audit/failures/lid_list.hpp"
#include "host/diagnosis/code.hpp"
#include "host/model/disagreements.hpp"
#include "host/model/network.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tailback::audit {

using diagnosis::Code;
using diagnosis::finding_kinds;
using diagnosis::FindingKind;
using diagnosis::FindingKindInfo;
using diagnosis::kinds_that_fail;

struct Finding {
    explicit Finding(Code of, std::string at = {}, std::uint64_t count = 0, std::string sentence = {},
                     model::Node there = {}, model::Port at_port = 0, LidList about = {})
        : code(of),
          kind(diagnosis::kind_of(of)),
          where(std::move(at)),
          pairs(count),
          message(std::move(sentence)),
          node(there),
          port(at_port),
          lids(std::move(about)) {}

    Code code{};              ///< what is wrong: its row tells what it means and what to do
    FindingKind kind{};       ///< that of its code
    std::string where;        ///< `switch "leaf-07" (0x0002c90200400028) port 5`: description, GUID, port
    std::uint64_t pairs = 0;  ///< (source endpoint, destination LID) pairs it concerns; 0 where it concerns none
    std::string message;      ///< one sentence: what is wrong, with LIDs and names
    /// The same for programs, where it is about one place.
    model::Node node;
    model::Port port = 0;  ///< 0 = of no port
    LidList lids;
    std::uint64_t guid = 0;  ///< of a node that the topology does not have
    /// LIDs and nodes that may have troubles because of this one (host/audit/findings/folding.hpp).
    std::vector<model::Lid> explains_lids = {};
    std::vector<model::Node> explains_nodes = {};
    std::string name = {};  ///< of a node that the topology does not have, or of a section of a file
    /// What would be findings of their own if this one were not their cause. Their pairs are counted here.
    std::vector<Finding> symptoms = {};

    /// Itself or a symptom of it.
    bool has_kind(FindingKind wanted) const;
    bool has_code(Code wanted) const;
};

/// `switch "leaf-07" (0x0002c90200400028) port 5`
std::string port_location(model::Network const& network, model::Node node, model::Port port);

/// At a port (0 = the whole node) of a node.
Finding finding_at(Code code, model::Network const& net, model::Node node, model::Port port, std::string message);

/// So many of a kind have one cause, which is told with all of them under it.
inline constexpr std::size_t many_of_a_kind = 4;

}  // namespace tailback::audit
