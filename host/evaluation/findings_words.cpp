// Findings as words and back; what comes back is believed only where it fits the study.
#include "host/evaluation/findings.hpp"

#include "host/evaluation/goal.hpp"

namespace tailback {
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
    std::vector<std::pair<std::uint64_t, std::uint64_t>> integers;
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
    bool const possible = double(integers.back().first) / values.scale() <= rules.largest * (1 + 1e-6);
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

}  // namespace

std::vector<std::uint64_t> Findings::words(bool with_totals) const {
    Words words = {mappings, delivered, unreachable, loop, misdelivered, local};
    for (Distribution const* const values : {&sum_max_cong, &hist_acc_band, &dep_max_delay}) put(words, *values);
    if (!with_totals) return words;
    put(words, totals.histogram);
    put(words, totals.link_sums);
    return words;
}

std::string Findings::assign(StudyPlan const& plan, std::span<std::uint64_t const> from, bool with_totals) {
    Reader words(from);
    for (std::uint64_t* const number : {&mappings, &delivered, &unreachable, &loop, &misdelivered, &local})
        *number = words.one();
    Wide const flows = Wide{delivered} + unreachable + loop + misdelivered + local;
    if (flows != Wide{mappings} * plan.flows_per_mapping) return "its flows do not add up";
    for (Metric const metric : {Metric::sum_max_cong, Metric::hist_acc_band, Metric::dep_max_delay}) {
        Rules const rules{plan.study.wants(metric),
                          metric == Metric::hist_acc_band,
                          mappings,
                          plan.study.first_mapping,
                          with_totals ? mappings : plan.study.mappings,
                          possible_values(plan, metric).largest};
        if (!take(words, of(metric), rules))
            return std::string("its values of ") + all_metrics[std::size_t(metric)].name + " cannot be";
    }
    if (!with_totals) return words.whole() ? "" : "its parts have wrong sizes";
    if (!take(words, totals.histogram) || !take(words, totals.link_sums) || !words.whole())
        return "its parts have wrong sizes";
    Wide counted = 0;
    for (std::uint64_t const count : totals.histogram) counted += count;
    if (!totals.histogram.empty() && (counted != delivered || totals.histogram.front() != 0))
        return "its histogram does not add up";
    for (std::uint64_t const sum : totals.link_sums)
        if (sum > delivered) return "a link carries more flows than were delivered";
    return "";
}

}  // namespace tailback
