// Maximum matching of sources and destinations over one link, where sources that enter in the same row are alike.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::search {

/// The pairs over a link as words: for every destination its number with `destination_bit`, then the rows that reach it
/// over the link.
inline constexpr std::uint32_t destination_bit = 0x80000000u;

/// Hopcroft and Karp (SIAM J. Comput. 1973) for rows that take several destinations each; O(words x
/// sqrt(destinations)). Most links need no augmenting: a greedy matching that reaches the bound is a maximum one.
class RowMatching {
public:
    /// `capacity`: [row] how many destinations it takes; kept by reference.
    explicit RowMatching(std::span<std::uint32_t const> capacity);

    /// min(sources, destinations) of these pairs: what no matching exceeds.
    std::uint32_t bound(std::span<std::uint32_t const> words);
    /// Size of the maximum matching. A matter of the words alone, order included.
    std::uint32_t match(std::span<std::uint32_t const> words);

    struct Pair {
        std::uint32_t row, destination;
    };
    /// The matching that `match` found last, in the order of destinations in the words.
    std::vector<Pair> pairs() const;

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;
    struct Group {
        std::uint32_t destination;
        std::uint32_t begin, end;  // of its rows in `rows_`
        std::uint32_t row;         // it is matched with; none = free
    };
    struct Step {
        std::uint32_t group, edge, row;
    };

    void read(std::span<std::uint32_t const> words);
    void take(std::uint32_t group, std::uint32_t row);
    void match_greedily();
    bool find_levels();
    bool augment(std::uint32_t group);

    std::span<std::uint32_t const> capacity_;
    std::vector<std::uint32_t> local_;  // [row] its number among this link's rows, where seen_ says so
    std::vector<std::uint64_t> seen_;   // [row] the last reading that met it
    std::uint64_t reading_ = 0;
    std::vector<std::uint32_t> rows_;    // by edge: local row
    std::vector<std::uint32_t> row_of_;  // by local row
    std::vector<std::uint32_t> left_;    // by local row: capacity left
    std::vector<Group> groups_;
    std::vector<std::vector<std::uint32_t>> taken_;  // by local row: groups matched with it
    std::vector<std::uint32_t> level_, tried_, queue_;
    std::vector<Step> path_;
    std::uint32_t last_level_ = none;
    std::uint32_t bound_ = 0, size_ = 0;
};

}  // namespace tailback::search
