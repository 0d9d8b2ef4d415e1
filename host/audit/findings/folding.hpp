// Causes, not symptoms: a finding that explains others takes them in. What no rule says (rules.hpp).
#pragma once

#include "host/audit/findings/finding.hpp"
#include "host/model/tables.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tailback::audit {

/// unreachable, loop, misdelivered
bool tells_a_fate(FindingKind kind);
/// Is it about a switch that the topology does not have, by its GUID alone?
bool is_of_unknown_switch(Finding const& one);

/// Without those that are taken, whatever was moved out of them.
void keep_rest(std::vector<Finding>& findings, std::vector<bool> const& is_taken);

/// Those from `first` on that are `of_the_kind` become symptoms of one.
template <class OfTheKind>
void put_under(Finding cause, std::vector<Finding>& found, std::size_t first, OfTheKind&& of_the_kind) {
    auto const begin = found.begin() + std::ptrdiff_t(first),
               end = std::stable_partition(begin, found.end(), of_the_kind);
    for (auto one = begin; one != end; ++one) {
        cause.explains_nodes.insert(cause.explains_nodes.end(), one->explains_nodes.begin(), one->explains_nodes.end());
        cause.symptoms.push_back(std::move(*one));
    }
    found.insert(found.erase(begin, end), std::move(cause));
}

/// Takes a finding in as a symptom of another, with what it took in itself; its pairs are counted there.
void take_in(Finding& cause, Finding&& symptom);

/// A finding that names LIDs or nodes as explained takes in, as its symptoms, the others that are about these LIDs
/// alone, or that are at these nodes, if they are of a kind that breaks something (inconsistent, unreachable, loop,
/// misdelivered, aggregation, switch_lids). Earlier ones take in later ones, and what those explain. The pairs of
/// unreachable, loop and misdelivered symptoms are counted with their cause.
/// When tables and topology disagree about so many owners of LIDs that they cannot be of one day (`most_owners_apart`),
/// one finding for all of them comes first.
void fold_causes(std::vector<Finding>& findings);
inline constexpr std::size_t most_owners_apart = 8;

/// Two nodes of one GUID are one node to a reader, with the cables of both: it explains what is there, and of a switch
/// what is at its neighbours, too.
void explain_duplicate_guids(model::Network const& network, std::vector<Finding>& findings);

/// A switch without a table takes in a table of an unknown GUID that is nearly its own, where each is the only one, or
/// that has its name or its LID, or a LID that its neighbours send to it: its GUID is another one since.
void fold_tables_of_other_guids(model::Fabric const& fabric, std::vector<Finding>& findings);

/// Two misdelivered findings of which each is about all packets for the host that gets those of the other become one.
void fold_swapped_hosts(model::Fabric const& fabric, std::vector<Finding>& findings);

/// What is inconsistent at both ends of a cable, in the same words, is one. Of routers one message of two cables is
/// one.
void fold_same_cable(model::Fabric const& fabric, std::vector<Finding>& findings);

}  // namespace tailback::audit
