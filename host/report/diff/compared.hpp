// "Better than yesterday?": the numbers of two audited fabrics side by side, and what they come to. Text, JSON and the
// page of a comparison tell what is computed here.
#pragma once

#include "host/report/audit/audit_report.hpp"
#include "host/report/forms.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tailback::report {

/// Bandwidth of random bisections: the mean, and half the width of its 99 % confidence interval.
struct Bandwidth {
    double mean = 0, half_width = 0;
};
/// One side of a comparison; without routes there is no bandwidth.
struct ComparedSide {
    AuditReport const& audit;
    std::optional<Bandwidth> bandwidth;
};

enum class Change : std::uint8_t { unknown, same, better, worse };
/// `not known`, `same`, `better`, `worse`
char const* change_name(Change change);

struct ComparedNumber {
    std::string what;
    std::optional<double> before, after;  ///< none = not known
    Change change = Change::unknown;
    /// Where it comes from: a link, findings; empty where nothing is to be named. Of what is worse they are those of
    /// the new fabric, of what is better those that were in the old one.
    std::vector<std::string> because;
    bool of_faults = false;  ///< `because` are findings, and not the hottest link
    /// What they are: `new`; `gone` of findings, `was` of a link, where it is better.
    char const* cause_name() const;
};

/// What the audits of both say of a group of nodes; none where a fabric does not have it.
struct ComparedGroup {
    std::string name;
    std::optional<audit::GroupSum> before, after;
    /// In hosts, findings, loads or criticality.
    bool has_changed() const;
};

struct Comparison {
    std::vector<ComparedNumber> numbers;
    std::vector<ComparedGroup> groups;  ///< in natural order; empty = not asked
    bool has_candidates = false;        ///< one fabric has candidate sets; loads are of equal division
    /// `better`, `worse`, `mixed` or `equal`: of the numbers that are known.
    std::string verdict() const;
    /// `Better: faults. Worse: pairs not delivered; largest load between switches, x ideal.`
    std::string sentence() const;
};

/// Two fractions are the same within this part of the larger, and of 1: they are printed with four digits behind the
/// point, so what is printed alike is the same. Whole numbers are the same when they are equal.
inline constexpr double fraction_tolerance = 1e-4;

/// Cabled hosts (as the audits count them), cables between switches, faults, pairs that are not delivered, deadlock,
/// the largest load between switches over the ideal of its stage, the worst permutation, the worst shift, and the
/// bisection bandwidth, which is the same within the wider of the two half widths. Loads that lessen and bandwidth that
/// grows while more pairs or hosts are lost are neither better nor worse; nor is a load that changes against its ideal,
/// but not in pairs.
Comparison compare(ComparedSide const& before, ComparedSide const& after);

}  // namespace tailback::report
