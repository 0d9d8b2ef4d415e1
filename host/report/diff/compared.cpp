#include "host/report/diff/compared.hpp"

#include "host/base/numbers.hpp"
#include "host/report/forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace tailback::report {
namespace {

using Number = std::optional<double>;

double cabled_hosts(ComparedSide const& side) {
    double count = 0;
    for (model::Host const host : side.audit.audit.request.hosts)
        count += side.audit.network().up_link(host).exists() ? 1 : 0;
    return count;
}

double cables_between_switches(ComparedSide const& side) {
    model::Network const& net = side.audit.network();
    double ends = 0;
    for (model::LinkRecord const& link : net.links())
        ends += net.is_switch(link.from) && net.is_switch(link.to) ? 1 : 0;
    return ends / 2;
}

/// The stage between switches with the largest load over its ideal; null where there is none.
audit::Stage const* hottest(ComparedSide const& side) {
    audit::Stage const* worst = nullptr;
    for (audit::Stage const& stage : side.audit.audit.balance.stages)
        if (stage.from > 0 && stage.to > 0 && stage.total > 0 &&
            (worst == nullptr || stage.imbalance() > worst->imbalance()))
            worst = &stage;
    return worst;
}

Number free_of_deadlock(ComparedSide const& side) {
    audit::Audit const& audit = side.audit.audit;
    if (!audit.deadlock || audit.deadlock_is_undecided) return std::nullopt;
    return audit.deadlock->free ? 1 : 0;
}

/// Where switches choose by equal division, if it is known exactly.
struct WorstPermutation {
    Number flows;
    model::Link link;
};
WorstPermutation worst_permutation(ComparedSide const& side) {
    audit::WorstCase const& worst = side.audit.audit.worst_case;
    if (side.audit.audit.choices) {
        std::optional<audit::DividedWorst> const& divided = worst.divided;
        if (!divided || !divided->exact || !divided->link.exists()) return {};
        return {divided->flows, divided->link};
    }
    if (!worst.worst.exists()) return {};
    return {worst.flows[worst.worst.value], worst.worst};
}

Number worst_shift(ComparedSide const& side) {
    auto const& shifts = side.audit.audit.worst_case.shifts;
    if (!shifts || shifts->worst_shift == 0 || side.audit.audit.choices) return std::nullopt;
    return shifts->worst_load;
}

/// The findings that count as faults.
std::vector<std::string> faults_of(ComparedSide const& side) {
    std::vector<std::string> faults;
    for (audit::Finding const& finding : side.audit.audit.findings)
        if (side.audit.is_fault(finding))
            faults.push_back(finding.where + ": " + finding.message + " [" + diagnosis::info_of(finding.code).id + "]");
    return faults;
}
std::vector<std::string> faults_without(std::vector<std::string> faults, std::vector<std::string> const& others) {
    std::erase_if(faults, [&](std::string const& one) { return std::count(others.begin(), others.end(), one) > 0; });
    return faults;
}
std::vector<std::string> link_alone(model::Network const& net, model::Link link) {
    if (!link.exists()) return {};
    return {link_label(net, link)};
}

std::vector<ComparedGroup> compare_groups(audit::Audit const& before, audit::Audit const& after) {
    std::map<std::string, ComparedGroup, decltype(&audit::group_less)> by_name(&audit::group_less);
    for (audit::GroupSum const& sum : before.groups) by_name[sum.name].before = sum;
    for (audit::GroupSum const& sum : after.groups) by_name[sum.name].after = sum;
    std::vector<ComparedGroup> groups;
    for (auto& [name, group] : by_name) group.name = name, groups.push_back(std::move(group));
    return groups;
}

class Maker {
public:
    Maker(ComparedSide const& before, ComparedSide const& after) : before_(before), after_(after) {}

    Comparison make() {
        add("hosts", cabled_hosts(before_), cabled_hosts(after_), true);
        hosts_ = result_.numbers.back().change;
        add("cables between switches", cables_between_switches(before_), cables_between_switches(after_), true);
        add("faults", double(before_.audit.faults), double(after_.audit.faults), false);
        result_.numbers.back().of_faults = true;
        std::vector<std::string> const old_faults = faults_of(before_), new_faults = faults_of(after_);
        tell([&](ComparedSide const& side) {
            return &side == &before_ ? faults_without(old_faults, new_faults) : faults_without(new_faults, old_faults);
        });
        auto const lost = [](ComparedSide const& side) {
            audit::PairCounts const pairs = side.audit.audit.fates();
            auto const& choices = side.audit.audit.choices;
            return choices ? double(choices->pairs - choices->always) : double(pairs.total - pairs.delivered);
        };
        add("pairs not delivered", lost(before_), lost(after_), false);
        delivery_ = result_.numbers.back().change;
        add("free of deadlock (1 = yes)", free_of_deadlock(before_), free_of_deadlock(after_), true);
        auto const load = [](ComparedSide const& side) {
            audit::Stage const* const stage = hottest(side);
            return stage == nullptr ? 0.0 : stage->imbalance();
        };
        add("largest load between switches, x ideal", load(before_), load(after_), false,
            tolerance_of(load(before_), load(after_)));
        judge_load();
        judge();
        tell([](ComparedSide const& side) {
            audit::Stage const* const stage = hottest(side);
            return link_alone(side.audit.network(), stage == nullptr ? model::Link{} : stage->hottest);
        });
        WorstPermutation const was = worst_permutation(before_), is = worst_permutation(after_);
        add("worst permutation, flows on a link", was.flows, is.flows, false,
            tolerance_of(was.flows.value_or(0), is.flows.value_or(0)));
        judge();
        tell([](ComparedSide const& side) { return link_alone(side.audit.network(), worst_permutation(side).link); });
        add("worst shift, flows on a link", worst_shift(before_), worst_shift(after_), false);
        judge();
        tell([](ComparedSide const& side) {
            auto const& shifts = side.audit.audit.worst_case.shifts;
            return link_alone(side.audit.network(),
                              shifts && shifts->worst_shift != 0 ? shifts->worst_link : model::Link{});
        });
        auto const mean = [](ComparedSide const& side) {
            return side.bandwidth ? Number(side.bandwidth->mean) : std::nullopt;
        };
        double const wider = std::max(before_.bandwidth ? before_.bandwidth->half_width : 0,
                                      after_.bandwidth ? after_.bandwidth->half_width : 0);
        add("bisection bandwidth (1,000 mappings)", mean(before_), mean(after_), true,
            std::max(wider, tolerance_of(mean(before_).value_or(0), mean(after_).value_or(0))));
        judge();
        result_.groups = compare_groups(before_.audit.audit, after_.audit.audit);
        result_.has_candidates = before_.audit.audit.choices.has_value() || after_.audit.audit.choices.has_value();
        return std::move(result_);
    }

private:
    static constexpr double least_step = 1e-9;  // whole numbers
    static double tolerance_of(double before, double after) {
        return fraction_tolerance * std::max({1.0, std::abs(before), std::abs(after)});
    }

    void add(char const* what, Number before, Number after, bool rising_is_better, double tolerance = least_step) {
        ComparedNumber number{what, before, after, Change::unknown, {}, false};
        if (before && after) {
            double const step = *after - *before;
            number.change = std::abs(step) <= tolerance      ? Change::same
                            : (step > 0) == rising_is_better ? Change::better
                                                             : Change::worse;
        }
        result_.numbers.push_back(std::move(number));
    }

    /// Loads that lessen while more pairs or hosts are lost, or grow while fewer are, say nothing; so does bandwidth:
    /// lost flows make room for others.
    void judge() {
        Change& number = result_.numbers.back().change;
        for (Change const flows : {delivery_, hosts_})
            if (are_opposite(number, flows)) number = Change::unknown;
    }

    /// The ideal also moves with links that carry nothing: the ratio says something only where the load moves with it.
    void judge_load() {
        Change& number = result_.numbers.back().change;
        auto const largest = [](ComparedSide const& side) {
            audit::Balance const& balance = side.audit.audit.balance;
            return balance.pairs(double(balance.largest_between_switches));
        };
        double const before = largest(before_), after = largest(after_);
        if (before == after || are_opposite(number, after < before ? Change::better : Change::worse))
            number = number == Change::same ? Change::same : Change::unknown;
    }

    static bool are_opposite(Change one, Change other) {
        return (one == Change::better && other == Change::worse) || (one == Change::worse && other == Change::better);
    }

    /// What is worse comes from the new fabric; what is better was in the old one.
    template <class Cause>
    void tell(Cause cause) {
        ComparedNumber& last = result_.numbers.back();
        if (last.change == Change::worse) last.because = cause(after_);
        if (last.change == Change::better) last.because = cause(before_);
    }

    ComparedSide const& before_;
    ComparedSide const& after_;
    Change delivery_ = Change::unknown, hosts_ = Change::unknown;
    Comparison result_;
};

std::string names_of(std::vector<ComparedNumber> const& numbers, Change change) {
    std::string names;
    for (ComparedNumber const& number : numbers)
        if (number.change == change) names += (names.empty() ? "" : "; ") + number.what;
    return names;
}

}  // namespace

bool ComparedGroup::has_changed() const {
    if (!before || !after) return true;
    auto const numbers = [](audit::GroupSum const& sum) {
        return std::tuple(sum.hosts, sum.switches, sum.faults, sum.fault_pairs, sum.others, sum.links, sum.load_within,
                          sum.load_out, sum.load_in, sum.largest, sum.critical_pairs);
    };
    return numbers(*before) != numbers(*after);
}

char const* change_name(Change change) {
    switch (change) {
        case Change::same: return "same";
        case Change::better: return "better";
        case Change::worse: return "worse";
        default: return "not known";
    }
}

char const* ComparedNumber::cause_name() const {
    if (change == Change::worse) return "new";
    return of_faults ? "gone" : "was";
}

std::string Comparison::verdict() const {
    bool const better = !names_of(numbers, Change::better).empty(), worse = !names_of(numbers, Change::worse).empty();
    return better && worse ? "mixed" : better ? "better" : worse ? "worse" : "equal";
}

std::string Comparison::sentence() const {
    std::string const better = names_of(numbers, Change::better), worse = names_of(numbers, Change::worse);
    std::string text;
    if (!better.empty()) text = "Better: " + better + ".";
    if (!worse.empty()) text += (text.empty() ? "Worse: " : " Worse: ") + worse + ".";
    if (text.empty()) text = "Changed, but neither better nor worse.";
    return has_candidates ? text + " Loads and bandwidth are of equal division; a pair is lost if some choice loses it."
                          : text;
}

Comparison compare(ComparedSide const& before, ComparedSide const& after) { return Maker(before, after).make(); }

}  // namespace tailback::report
