#include "host/traffic/traffic_matrix.hpp"

#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace tailback::traffic {
namespace {

bool before(Entry const& a, Entry const& b) {
    return a.source != b.source ? a.source < b.source : a.destination < b.destination;
}

/// A stable counting sort by one of the two ranks.
void sort_by(std::uint32_t Entry::*rank, std::vector<Entry>& entries, std::vector<Entry>& scratch,
             std::uint32_t ranks) {
    std::vector<std::size_t> next(std::size_t{ranks} + 1);
    for (Entry const& entry : entries) ++next[std::size_t{entry.*rank} + 1];
    for (std::size_t r = 1; r < next.size(); ++r) next[r] += next[r - 1];
    scratch.resize(entries.size());
    for (Entry const& entry : entries) scratch[next[entry.*rank]++] = entry;
    entries.swap(scratch);
}

void sort_entries(std::vector<Entry>& entries, std::uint32_t ranks) {
    if (std::is_sorted(entries.begin(), entries.end(), before)) return;
    if (ranks > 4 * entries.size()) return std::sort(entries.begin(), entries.end(), before);
    std::vector<Entry> scratch;
    sort_by(&Entry::destination, entries, scratch, ranks);
    sort_by(&Entry::source, entries, scratch, ranks);
}

void add_to(RankSum& sum, Entry const& entry) {
    ++sum.partners;
    sum.bytes += entry.bytes;
    sum.messages += entry.messages;
}

}  // namespace

char const* name_of(Unit unit) {
    return unit == Unit::bytes ? "bytes" : unit == Unit::chunks ? "chunks" : "connections";
}

std::vector<RankSum> row_sums(TrafficMatrix const& matrix) {
    std::vector<RankSum> sums;
    for (Entry const& entry : matrix.entries) {
        if (sums.empty() || sums.back().rank != entry.source) sums.push_back({.rank = entry.source});
        add_to(sums.back(), entry);
    }
    return sums;
}

void for_each_row(TrafficMatrix const& matrix, std::function<void(Entry const&)> const& visit) {
    auto const visit_row = [&](auto first, std::uint32_t rank) {
        for (; first != matrix.entries.end() && first->source == rank; ++first) visit(*first);
    };
    if (matrix.row_order.empty())
        for (Entry const& entry : matrix.entries) visit(entry);
    for (std::uint32_t const rank : matrix.row_order)
        visit_row(std::lower_bound(matrix.entries.begin(), matrix.entries.end(), rank,
                                   [](Entry const& entry, std::uint32_t r) { return entry.source < r; }),
                  rank);
}

std::vector<RankSum> column_sums(TrafficMatrix const& matrix) {
    std::unordered_map<std::uint32_t, std::size_t> places;
    std::vector<RankSum> sums;
    for (Entry const& entry : matrix.entries) {
        auto const [place, is_new] = places.try_emplace(entry.destination, sums.size());
        if (is_new) sums.push_back({.rank = entry.destination});
        add_to(sums[place->second], entry);
    }
    std::sort(sums.begin(), sums.end(), [](RankSum const& a, RankSum const& b) { return a.rank < b.rank; });
    return sums;
}

std::vector<Entry> heaviest(TrafficMatrix const& matrix, std::size_t count) {
    auto const own = [](Entry const& entry) { return entry.source == entry.destination; };
    std::vector<Entry> found(std::min(count, matrix.entries.size()));
    std::partial_sort_copy(matrix.entries.begin(), matrix.entries.end(), found.begin(), found.end(),
                           [&](Entry const& a, Entry const& b) {
                               if (own(a) != own(b)) return own(b);
                               return a.bytes != b.bytes ? a.bytes > b.bytes : before(a, b);
                           });
    std::erase_if(found, own);
    return found;
}

RankSum to_themselves(TrafficMatrix const& matrix) {
    RankSum sum;
    for (Entry const& entry : matrix.entries)
        if (entry.source == entry.destination) add_to(sum, entry);
    return sum;
}

bool is_symmetric(TrafficMatrix const& matrix) {
    return std::all_of(matrix.entries.begin(), matrix.entries.end(), [&](Entry const& entry) {
        Entry const wanted{entry.destination, entry.source, entry.bytes, entry.messages};
        auto const at = std::lower_bound(matrix.entries.begin(), matrix.entries.end(), wanted, before);
        return at != matrix.entries.end() && *at == wanted;
    });
}

void MatrixBuilder::declare_ranks(std::uint64_t count) {
    if (count == 0) throw base::InputError(place_(), "a matrix of 0 ranks", "", "check that this is the right file");
    if (count > most_ranks)
        throw base::InputError(place_(), "a matrix of " + base::grouped(count) + " ranks is too large",
                               "at most " + base::grouped(most_ranks), "check that this is the right file");
    declared_ = static_cast<std::uint32_t>(count);
    if (named_ > declared_) refuse_rank(named_ - 1);
}

void MatrixBuilder::refuse_rank(std::uint64_t number) const {
    std::string const problem = fmt::format("rank {} is too large", number);
    if (declared_ > 0)
        throw base::InputError(place_(), problem, fmt::format("there are {} ranks, counted from 0", declared_),
                               "check the number of ranks and this line");
    throw base::InputError(place_(), problem, "at most " + base::grouped(most_ranks - 1),
                           "ranks are counted from 0; check this line");
}

void MatrixBuilder::refuse_sum(char const* what) const {
    throw base::InputError(place_(), std::string("the sum of all ") + what + " exceeds 64 bits",
                           "from this line on it is above 18,446,744,073,709,551,615",
                           "check that this is a number of " + std::string(what));
}

void MatrixBuilder::add(Entry const& entry) {
    named_ = std::max({named_, entry.source + 1, entry.destination + 1});
    if (entry.bytes == 0 && entry.messages == 0) return;
    if (entry.bytes > UINT64_MAX - bytes_) refuse_sum("bytes");
    if (entry.messages > UINT64_MAX - messages_) refuse_sum("messages");
    bytes_ += entry.bytes;
    messages_ += entry.messages;
    if (entries_.size() == merge_at_) merge();
    entries_.push_back(entry);
}

void MatrixBuilder::merge() {
    sort_entries(entries_, named_);
    std::size_t kept = 0;
    for (Entry const& entry : entries_) {
        Entry* const last = kept > 0 ? &entries_[kept - 1] : nullptr;
        if (last != nullptr && last->source == entry.source && last->destination == entry.destination) {
            last->bytes += entry.bytes;
            last->messages += entry.messages;
        } else {
            entries_[kept++] = entry;
        }
    }
    entries_.resize(kept);
    if (kept <= merge_at_ / 2) return;
    base::require_memory("a matrix of so many pairs", 5 * merge_at_ * sizeof(Entry),
                         "take a machine with more memory, or a matrix of fewer pairs");
    merge_at_ *= 2;
}

TrafficMatrix MatrixBuilder::take(std::string format) {
    if (ranks() == 0)
        throw base::InputError({place_().file, 0}, "there is no traffic in the file", "it names no rank",
                               "check that this is the right file");
    merge();
    TrafficMatrix matrix;
    matrix.format = std::move(format);
    matrix.ranks = ranks();
    matrix.entries = std::move(entries_);
    matrix.bytes = bytes_;
    matrix.messages = messages_;
    return matrix;
}

}  // namespace tailback::traffic
