// RunSums as words and back; what comes back is believed only where it fits the study.
#include "host/evaluation/run_sums.hpp"

namespace tailback::evaluation {
namespace {

using Words = std::vector<std::uint64_t>;

void put(Words& words, std::vector<std::uint64_t> const& list) {
    words.push_back(list.size());
    words.insert(words.end(), list.begin(), list.end());
}

void put(Words& words, Distribution const& values) {
    words.push_back(values.undefined());
    words.push_back(values.worst_mapping().value_or(0));
    words.push_back(values.integers().size());
    for (auto const& [value, count] : values.integers()) words.insert(words.end(), {value, count});
}

/// Takes words from the front. Once too few are left, nothing more is believed.
class Reader {
public:
    explicit Reader(std::span<std::uint64_t const> words) : left_(words) {}
    std::uint64_t one() {
        if (left_.empty()) {
            short_ = true;
            return 0;
        }
        std::uint64_t const word = left_.front();
        left_ = left_.subspan(1);
        return word;
    }
    /// So many groups of `each` words; none when there are fewer.
    std::span<std::uint64_t const> groups(std::uint64_t count, std::size_t each) {
        if (count > left_.size() / each) {
            short_ = true;
            return {};
        }
        auto const part = left_.first(std::size_t(count) * each);
        left_ = left_.subspan(part.size());
        return part;
    }
    bool is_empty() const { return left_.empty(); }
    bool whole() const { return !short_ && left_.empty(); }
    bool short_of_words() const { return short_; }

private:
    std::span<std::uint64_t const> left_;
    bool short_ = false;
};

/// Exact even where the sum of numbers from a file passes 2^64.
using Wide = unsigned __int128;

/// What the values of one metric must obey.
struct Rules {
    bool wanted = false, may_be_undefined = false;
    std::uint64_t mappings = 0;          ///< how many there are
    std::uint64_t first = 0, range = 0;  ///< their numbers are first .. first + range - 1
    double largest = 0;                  ///< possible value
};

bool take(Reader& words, Distribution& values, Rules const& rules) {
    std::uint64_t const undefined = words.one(), worst = words.one(), distinct = words.one();
    auto const pairs = words.groups(distinct, 2);
    if (words.short_of_words()) return false;
    if (!rules.wanted) return undefined == 0 && distinct == 0;
    if (undefined > 0 && !rules.may_be_undefined) return false;
    kernels::ValueCounts::Sorted integers;
    integers.reserve(std::size_t(distinct));
    Wide count = undefined;
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
        if (pairs[i + 1] == 0 || (!integers.empty() && pairs[i] <= integers.back().first)) return false;
        integers.emplace_back(pairs[i], pairs[i + 1]);
        count += pairs[i + 1];
    }
    if (count != rules.mappings) return false;
    if (integers.empty()) {
        values.assign({}, undefined, std::nullopt);
        return true;
    }
    bool const possible = values.value_of(double(integers.back().first)) <= rules.largest * (1 + 1e-6);
    if (!possible || worst < rules.first || worst - rules.first >= rules.range) return false;
    values.assign(std::move(integers), undefined, worst);
    return true;
}

bool take(Reader& words, std::vector<std::uint64_t>& list) {
    if (words.one() != list.size()) return false;
    auto const part = words.groups(list.size(), 1);
    list.assign(part.begin(), part.end());
    return !words.short_of_words();
}

/// Calls on_number and on_total with all parts in the order of files. The first ones are in every file, empty where the
/// study does not ask for them; files of older studies stay what they are when metrics join the table.
template <class Of, class OnNumber, class OnTotal>
void each_part(Of& sums, bool with_totals, OnNumber&& on_number, OnTotal&& on_total) {
    constexpr std::size_t first_numbers = 3, first_totals = 2;
    auto const totals = sums.totals.parts();
    for (std::size_t n = 0; n < first_numbers; ++n) on_number(sums.numbers[n]);
    for (std::size_t t = 0; with_totals && t < first_totals; ++t) on_total(*totals[t]);
    for (std::size_t n = first_numbers; n < sums.numbers.size(); ++n)
        if (sums.numbers[n].is_wanted) on_number(sums.numbers[n]);
    for (std::size_t t = first_totals; with_totals && t < totals.size(); ++t)
        if (!totals[t]->empty()) on_total(*totals[t]);
}

/// What cannot be right about sums; empty when all can.
std::string wrong_totals(study::StudyPlan const& plan, RunSums const& sums) {
    for (study::Metric const metric : plan.study.measures.metrics) {
        auto const& flows = study::info_of(metric).flows;
        if (!flows) continue;
        std::vector<std::uint64_t> const& counts = sums.totals.*flows->counts;
        Wide counted = 0;
        for (std::uint64_t const count : counts) counted += count;
        if (counted != sums.delivered || counts.front() != 0) return "its histogram does not add up";
    }
    bool const weighted = plan.problem.traffic.weights != nullptr;
    Wide const most = weighted ? Wide{sums.mappings} * plan.largest_load : Wide{sums.delivered};
    for (std::uint64_t const sum : sums.totals.link_sums)
        if (sum > most) return "a link carries more flows than were delivered";
    return "";
}

}  // namespace

std::vector<std::uint64_t> RunSums::words(bool with_totals) const {
    Words words = {mappings, delivered, unreachable, loop, misdelivered, local};
    each_part(
        *this, with_totals, [&](Number const& number) { put(words, number.values); },
        [&](std::vector<std::uint64_t> const& total) { put(words, total); });
    if (within_nodes > 0) words.push_back(within_nodes);
    for (Number const& number : numbers)
        if (auto const best = number.values.best_mapping()) words.push_back(*best);
    return words;
}

std::string RunSums::assign(study::StudyPlan const& plan, std::span<std::uint64_t const> from, bool with_totals) {
    Reader words(from);
    for (std::uint64_t* const number : {&mappings, &delivered, &unreachable, &loop, &misdelivered, &local})
        *number = words.one();
    Wide const flows = Wide{delivered} + unreachable + loop + misdelivered + local;
    Wide const all = Wide{mappings} * plan.flows_per_mapping;
    bool const may_stay = plan.problem.placement.nodes.node != nullptr;  // in a compute node
    if (may_stay ? flows > all : flows != all) return "its flows do not add up";
    std::string wrong;
    auto const take_number = [&](Number& number) {
        study::MetricInfo const& info = study::info_of(number.metric);
        Rules rules{.wanted = number.is_wanted,
                    .mappings = mappings,
                    .first = plan.study.sample.first_mapping,
                    .range = with_totals ? mappings : plan.study.sample.mappings};
        if (number.is_wanted) {
            rules.may_be_undefined = info.number->scale(plan).integer.is_mean;
            rules.largest = info.number->largest(plan);
        }
        if (wrong.empty() && !take(words, number.values, rules))
            wrong = std::string("its values of ") + info.name + " cannot be";
    };
    auto const take_total = [&](std::vector<std::uint64_t>& total) {
        if (wrong.empty() && !take(words, total)) wrong = "its parts have wrong sizes";
    };
    each_part(*this, with_totals, take_number, take_total);
    if (!wrong.empty()) return wrong;
    within_nodes = flows < all ? words.one() : 0;
    if (!words.is_empty())  // files of before do not tell
        for (Number& number : numbers) {
            if (number.values.count() == 0) continue;
            std::uint64_t const best = words.one();
            if (best < plan.study.sample.first_mapping ||
                best - plan.study.sample.first_mapping >= plan.study.sample.mappings)
                return "its best mapping cannot be";
            number.values.set_best_mapping(best);
        }
    if (!words.whole()) return "its parts have wrong sizes";
    return with_totals ? wrong_totals(plan, *this) : "";
}

}  // namespace tailback::evaluation
