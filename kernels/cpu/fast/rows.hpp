// Where the stages get a flow's row: from the kernels' Routes, or as sums of two parts; all by (seat of the source,
// seat of the destination).
#pragma once

#include "kernels/cpu/fast/finder_tables.hpp"
#include "kernels/cpu/fast/ways.hpp"
#include "kernels/cpu/team.hpp"
#include "kernels/evaluate/routes.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

namespace tailback::stages {

/// Rows as the kernels' Routes find them. Of a table each seat knows where its rows begin.
template <class Routes>
struct ByGroup {
    using Row = typename Routes::Kept;
    static constexpr bool fetches = Routes::stored;

    Routes routes;
    std::uint32_t const* group;
    std::uint32_t const* first_row =
        nullptr;  ///< by seat: place of its first row; of a table, which has fewer than 2^32

    ByGroup(Problem const& p, Routes const& r, FinderTables& tables) : routes(r), group(p.group) {
        if constexpr (!Routes::stored) return;
        std::vector<std::uint32_t> first;
        for (std::uint32_t seat = 0; seat < p.seats; ++seat) first.push_back(p.group[seat] * p.seats);
        first_row = tables.keep(std::move(first));
    }
    Row find(std::uint32_t source, std::uint32_t destination) const {
        if constexpr (Routes::stored) return routes.rows[std::size_t{first_row[source]} + destination];
        else return routes.find(group[source], destination);
    }
    void ask(std::uint32_t source, std::uint32_t destination) const {
        CpuTeam::expect_in_second_cache(routes.place(group[source], destination));
    }
    Row empty_row() const { return routes.empty(); }
    template <class Visit>
    void each(Row const& row, Visit&& visit) const {
        routes.each(row, visit);
    }
};

/// Rows as sums, of pairs inside a block from the table. Without a branch: which of the two a pair is cannot be
/// predicted.
template <class Routes>
struct BySum {
    using Row = typename Routes::Kept;
    using Word = typename Routes::Word;
    static constexpr bool fetches = false;

    Routes routes;
    std::uint32_t const* group;
    SumsView sums;
    Word const *source, *destination;  ///< the sums' parts, as wide as words of rows

    BySum(Problem const& p, Routes const& r, FinderTables& tables)
        : routes(r),
          group(p.group),
          sums(p.sums),
          source(parts(p.sums.source, p.groups, tables)),
          destination(parts(p.sums.destination, p.seats, tables)) {}
    Row find(std::uint32_t from, std::uint32_t seat) const {
        std::uint32_t const g = group[from];
        bool const inside = sums.block_of_group[g] == sums.block_of_seat[seat];
        Word const* const base = inside ? routes.place(g, seat)->word : destination + std::size_t{seat} * Routes::words;
        Word const all = inside ? 0 : ~Word{0};
        Row row;
        for (std::uint32_t w = 0; w < Routes::words; ++w)
            row.word[w] = base[w] + (source[std::size_t{g} * Routes::words + w] & all);
        return row;
    }
    void ask(std::uint32_t, std::uint32_t) const {}
    Row empty_row() const { return routes.empty(); }
    template <class Visit>
    void each(Row const& row, Visit&& visit) const {
        routes.each(row, visit);
    }

private:
    static Word const* parts(std::uint64_t const* words, std::uint32_t rows, FinderTables& tables) {
        if constexpr (std::is_same_v<Word, std::uint64_t>) return words;
        else return tables.keep(std::vector<Word>(words, words + rows));
    }
};

/// The same sums with all that a seat needs of them on one line: two misses a pair where the tables of BySum are up to
/// five.
template <class Routes>
class ByRecord {
public:
    using Row = typename Routes::Kept;
    static constexpr bool fetches = false;

    ByRecord(Problem const& p, Routes const& r, FinderTables& tables) : routes_(r) {
        std::vector<Record> sources, destinations;
        for (std::uint32_t seat = 0; seat < p.seats; ++seat) {
            std::uint32_t const group = p.group[seat];
            Record source{{}, p.sums.block_of_group[group], group}, destination{{}, p.sums.block_of_seat[seat], group};
            std::copy_n(p.sums.source + std::size_t{group} * Routes::words, Routes::words, source.part.word);
            std::copy_n(p.sums.destination + std::size_t{seat} * Routes::words, Routes::words, destination.part.word);
            sources.push_back(source);
            destinations.push_back(destination);
        }
        source_ = tables.keep(std::move(sources));
        destination_ = tables.keep(std::move(destinations));
    }
    Row find(std::uint32_t source, std::uint32_t destination) const {
        Record const &from = source_[source], &to = destination_[destination];
        bool const inside = from.block == to.block;
        auto const* const base = inside ? routes_.place(from.group, destination)->word : to.part.word;
        auto const all = inside ? typename Routes::Word{0} : static_cast<typename Routes::Word>(~std::uint64_t{0});
        Row row;
        for (std::uint32_t w = 0; w < Routes::words; ++w) row.word[w] = base[w] + (from.part.word[w] & all);
        return row;
    }
    void ask(std::uint32_t, std::uint32_t) const {}
    Row empty_row() const { return routes_.empty(); }
    template <class Visit>
    void each(Row const& row, Visit&& visit) const {
        routes_.each(row, visit);
    }

private:
    struct Record {
        Row part;
        std::uint32_t block, group;
    };

    Routes routes_;
    Record const *source_, *destination_;
};

/// Rows that are both in a table and sums: the way is chosen when they are looked for.
template <class Routes>
class ByTableOrSum {
public:
    using Row = typename Routes::Kept;
    static constexpr bool fetches = Routes::stored;

    ByTableOrSum(Problem const& p, Routes const& r, FinderTables& tables)
        : far_(p.far_routes), table_(p, r, tables), sums_(p, r, tables), records_(p, r, tables) {}

    std::vector<RowsBy> ways() const {
        if (far_) return {RowsBy::sums, RowsBy::records, RowsBy::table};
        return {RowsBy::table, RowsBy::sums, RowsBy::records};
    }
    template <class Find>
    auto by(RowsBy way, Find&& find) const {
        switch (way) {
            case RowsBy::sums: return find(sums_);
            case RowsBy::records: return find(records_);
            default: return find(table_);
        }
    }
    template <class Visit>
    void each(Row const& row, Visit&& visit) const {
        table_.each(row, visit);
    }

private:
    bool far_;
    ByGroup<Routes> table_;
    BySum<Routes> sums_;
    ByRecord<Routes> records_;
};

}  // namespace tailback::stages
