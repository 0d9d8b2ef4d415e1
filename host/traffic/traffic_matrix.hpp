// What the ranks of an application send each other: bytes and messages for each ordered pair of ranks.
#pragma once

#include "host/base/error.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tailback::traffic {

/// More ranks than hosts of any network.
inline constexpr std::uint32_t most_ranks = std::uint32_t{1} << 24;

/// What the numbers of a file count.
enum class Unit : std::uint8_t { bytes, chunks, connections };

/// `bytes`, `chunks`, `connections`.
char const* name_of(Unit unit);

/// What one rank sends another, or itself.
struct Entry {
    std::uint32_t source, destination;
    std::uint64_t bytes;     ///< or what else the matrix counts
    std::uint64_t messages;  ///< 0 where they are not known
    bool operator==(Entry const&) const = default;
};

/// All that the ranks send.
struct TrafficMatrix {
    std::string format;  ///< of the file: `an mpiP report`
    Unit unit = Unit::bytes;
    std::uint32_t ranks = 0;
    bool messages_known = false;
    std::vector<Entry> entries;             ///< by source, then destination; every pair once, none of nothing
    std::uint64_t bytes = 0, messages = 0;  ///< of all entries
    std::uint64_t sums_checked = 0;         ///< sums that the file states itself, and that agree with its entries
    std::vector<std::uint32_t> row_order;   ///< ranks as the file has their rows; empty: 0, 1, ..
    std::vector<std::string> hosts;         ///< of every rank; empty where the file does not tell
    std::vector<std::string> notes;         ///< what was made of the file, sentences without a full stop
    std::vector<std::string> warnings;      ///< what may be wrong with it
};

/// What a rank sends, or receives.
struct RankSum {
    std::uint32_t rank = 0, partners = 0;
    std::uint64_t bytes = 0, messages = 0;
};

/// Of every rank that sends anything, itself included as a partner; by rank. The others are empty rows.
std::vector<RankSum> row_sums(TrafficMatrix const& matrix);
/// The same for what ranks receive.
std::vector<RankSum> column_sums(TrafficMatrix const& matrix);
/// The `count` entries between different ranks with the most bytes, heaviest first.
std::vector<Entry> heaviest(TrafficMatrix const& matrix, std::size_t count);
/// The entries of ranks to themselves, summed up: partners = how many ranks have one.
RankSum to_themselves(TrafficMatrix const& matrix);
/// Calls visit(entry) row by row in the order of the file.
void for_each_row(TrafficMatrix const& matrix, std::function<void(Entry const&)> const& visit);
/// True when each pair has what the opposite pair has.
bool is_symmetric(TrafficMatrix const& matrix);

/// Collects entries in any order; what comes several times is added up.
class MatrixBuilder {
public:
    /// @param place where the reader is, for messages.
    explicit MatrixBuilder(std::function<base::SourceLocation()> place) : place_(std::move(place)) {}

    /// From now on a rank from `count` on is refused. @throws InputError for none, or more than most_ranks.
    void declare_ranks(std::uint64_t count);
    bool ranks_declared() const { return declared_ > 0; }
    std::uint32_t ranks() const { return declared_ > 0 ? declared_ : named_; }

    /// @throws InputError unless `number` is a rank.
    std::uint32_t rank(std::uint64_t number) {
        if (number >= (declared_ > 0 ? declared_ : most_ranks)) refuse_rank(number);
        return static_cast<std::uint32_t>(number);
    }
    /// @param entry its ranks were checked by `rank`. @throws InputError when the sum of all exceeds 64 bits, or the
    /// memory that is left.
    void add(Entry const& entry);

    /// The matrix so far, of the ranks that were declared or named.
    /// @throws InputError when there is no rank at all.
    TrafficMatrix take(std::string format);

private:
    [[noreturn]] void refuse_rank(std::uint64_t number) const;
    [[noreturn]] void refuse_sum(char const* what) const;
    void merge();

    std::function<base::SourceLocation()> place_;
    std::vector<Entry> entries_;
    std::size_t merge_at_ = std::size_t{1} << 20;
    std::uint32_t declared_ = 0, named_ = 0;
    std::uint64_t bytes_ = 0, messages_ = 0;
};

}  // namespace tailback::traffic
