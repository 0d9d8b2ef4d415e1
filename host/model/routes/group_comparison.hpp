// The candidate sets of one switch held against each other, as two files or two days have them.
#pragma once

#include "host/model/routes/candidate_sets.hpp"

#include <functional>
#include <unordered_map>
#include <vector>

namespace tailback::model {

/// The groups of a switch; without sets every entry has none.
struct GroupsOfSwitch {
    CandidateSets const* sets = nullptr;
    Node node;

    CandidateSets::Group group(Lid lid) const {
        return sets == nullptr ? CandidateSets::no_group : sets->group(node, lid);
    }
    /// In ascending order; none for no_group.
    std::vector<Port> ports(CandidateSets::Group group) const;
};

/// Do two groups have other ports? Each pair of them is compared once.
class GroupComparison {
public:
    /// @param port_before the number that a port of `after` has in `before`; empty: the same
    GroupComparison(GroupsOfSwitch before, GroupsOfSwitch after, std::function<Port(Port)> port_before = {})
        : before_(before), after_(after), port_before_(std::move(port_before)) {}

    bool differ(CandidateSets::Group before, CandidateSets::Group after);

private:
    GroupsOfSwitch before_, after_;
    std::function<Port(Port)> port_before_;
    std::unordered_map<std::uint32_t, bool> known_;
};

}  // namespace tailback::model
