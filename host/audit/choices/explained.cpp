#include "host/audit/choices/explained.hpp"

#include "host/audit/findings/folding.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace tailback::audit {
namespace {

bool are_among(LidList const& lids, std::vector<model::Lid> const& all) {
    std::uint64_t found = 0;
    for (auto const& [first, last] : lids.ranges())
        for (model::Lid lid = first; lid <= last; ++lid) {
            if (std::ranges::find(all, lid) == all.end()) return false;
            ++found;
        }
    return found > 0 && found == lids.count();
}

/// Of what choices and groups of a switch do wrong, the finding that they follow from.
class SameSwitch {
public:
    explicit SameSwitch(std::vector<Finding> const& findings) : findings_(findings) {
        for (std::size_t c = 0; c < findings.size(); ++c) {
            add(findings[c], c);
            for (Finding const& symptom : findings[c].symptoms) add(symptom, c);
        }
    }

    /// The first, of those that are not taken.
    std::optional<std::size_t> of(std::size_t f, std::vector<bool> const& is_taken) const {
        Finding const& one = findings_[f];
        if (one.lids.count() == 0) return of_whole_switch(one);
        std::set<std::size_t> candidates;
        if (auto const at = by_node_.find(one.node.value); one.node.exists() && at != by_node_.end())
            candidates.insert(at->second.begin(), at->second.end());
        if (auto const at = by_lid_.find(one.lids.first()); at != by_lid_.end())
            candidates.insert(at->second.begin(), at->second.end());
        for (auto const explains : {explains_lids, is_same_circle})
            for (std::size_t const c : candidates) {
                if (c == f || is_taken[c]) continue;
                if (explains(findings_[c], one, c > f) ||
                    std::ranges::any_of(findings_[c].symptoms,
                                        [&](Finding const& it) { return explains(it, one, c > f); }))
                    return c;
            }
        return std::nullopt;
    }

private:
    /// That a switch chooses nowhere follows from a table of it that is not followed.
    std::optional<std::size_t> of_whole_switch(Finding const& one) const {
        auto const at = by_node_.find(one.node.value);
        if (one.kind != FindingKind::groups || at == by_node_.end()) return std::nullopt;
        for (std::size_t const c : at->second)
            if (findings_[c].code == Code::private_table_not_followed) return c;
        return std::nullopt;
    }

    void add(Finding const& cause, std::size_t c) {
        if (cause.node.exists()) by_node_[cause.node.value].push_back(c);
        if (tells_a_fate(cause.kind))
            for (model::Lid const lid : cause.explains_lids) by_lid_[lid].push_back(c);
        if (cause.kind == FindingKind::inconsistent && cause.port != 0 && cause.lids.count() > 0)
            by_lid_[cause.lids.first()].push_back(c);
    }

    /// By one route, whose other LIDs the static entries send another way.
    static bool is_same_circle(Finding const& cause, Finding const& other, bool) {
        return cause.kind == FindingKind::loop && other.kind == FindingKind::choices && cause.node.exists() &&
               cause.node == other.node && cause.port == other.port;
    }
    static bool explains_lids(Finding const& cause, Finding const& other, bool is_later) {
        bool const of_groups = other.kind == FindingKind::groups;
        if (of_groups && tells_a_fate(cause.kind) && are_among(other.lids, cause.explains_lids)) return true;
        if (of_groups && cause.kind == FindingKind::inconsistent && cause.port != 0 && cause.lids.holds(other.lids) &&
            other.lids.holds(cause.lids))
            return true;  // of a host that hangs off another port now
        bool const by_choice = cause.kind == FindingKind::choices && of_groups;
        bool const by_groups =  // what is missing comes later
            cause.kind == FindingKind::groups && of_groups && other.port == 0 && is_later;
        if (!tells_a_fate(cause.kind) && !by_choice && !by_groups) return false;
        if (!cause.node.exists() || cause.node != other.node) return false;
        bool const no_entry = cause.kind == FindingKind::unreachable && other.kind == FindingKind::choices &&
                              cause.port == 0 && other.port == 0;
        return no_entry || cause.lids.holds(other.lids);
    }

    std::vector<Finding> const& findings_;
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> by_node_;
    std::unordered_map<model::Lid, std::vector<std::size_t>> by_lid_;
};

}  // namespace

void fold_same_switch(std::vector<Finding>& findings) {
    SameSwitch causes(findings);
    std::vector<bool> is_taken(findings.size());
    for (FindingKind const kind : {FindingKind::choices, FindingKind::groups})
        for (std::size_t f = 0; f < findings.size(); ++f) {
            if (findings[f].kind != kind) continue;
            std::optional<std::size_t> const cause = causes.of(f, is_taken);
            if (!cause) continue;
            is_taken[f] = true;
            take_in(findings[*cause], std::move(findings[f]));
        }
    keep_rest(findings, is_taken);
}

}  // namespace tailback::audit
