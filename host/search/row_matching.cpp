#include "host/search/row_matching.hpp"

#include <algorithm>

namespace tailback::search {

RowMatching::RowMatching(std::span<std::uint32_t const> capacity)
    : capacity_(capacity), local_(capacity.size()), seen_(capacity.size()) {}

std::uint32_t RowMatching::bound(std::span<std::uint32_t const> words) {
    ++reading_;
    std::uint64_t sources = 0;
    std::uint32_t destinations = 0;
    for (std::uint32_t const word : words) {
        if ((word & destination_bit) != 0) ++destinations;
        else if (seen_[word] != reading_) {
            seen_[word] = reading_;
            sources += capacity_[word];
        }
    }
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(sources, destinations));
}

void RowMatching::read(std::span<std::uint32_t const> words) {
    ++reading_;
    rows_.clear();
    row_of_.clear();
    left_.clear();
    groups_.clear();
    std::uint64_t sources = 0;
    for (std::uint32_t const word : words) {
        auto const edges = static_cast<std::uint32_t>(rows_.size());
        if ((word & destination_bit) != 0) {
            groups_.push_back({word & ~destination_bit, edges, edges, none});
            continue;
        }
        if (seen_[word] != reading_) {
            seen_[word] = reading_;
            local_[word] = static_cast<std::uint32_t>(row_of_.size());
            row_of_.push_back(word);
            left_.push_back(capacity_[word]);
            sources += capacity_[word];
        }
        rows_.push_back(local_[word]);
        groups_.back().end = edges + 1;
    }
    bound_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(sources, groups_.size()));
    size_ = 0;
    if (taken_.size() < row_of_.size()) taken_.resize(row_of_.size());
    for (std::size_t r = 0; r < row_of_.size(); ++r) taken_[r].clear();
}

void RowMatching::take(std::uint32_t group, std::uint32_t row) {
    groups_[group].row = row;
    taken_[row].push_back(group);
    --left_[row];
    ++size_;
}

void RowMatching::match_greedily() {
    for (std::uint32_t g = 0; g < groups_.size() && size_ < bound_; ++g) {
        std::uint32_t best = none, most = 0;
        for (std::uint32_t e = groups_[g].begin; e < groups_[g].end; ++e)
            if (std::uint32_t const left = left_[rows_[e]]; left > most) {
                best = rows_[e];
                most = left;
            }
        if (best != none) take(g, best);
    }
}

/// Breadth first from the free destinations: in how many moves each row is reached, up to the first that has room.
bool RowMatching::find_levels() {
    level_.assign(row_of_.size(), none);
    tried_.assign(row_of_.size(), 0);
    queue_.clear();
    last_level_ = none;
    auto const reach = [&](Group const& group, std::uint32_t level) {
        for (std::uint32_t e = group.begin; e < group.end; ++e) {
            std::uint32_t const row = rows_[e];
            if (level_[row] != none) continue;
            level_[row] = level;
            if (left_[row] > 0) last_level_ = std::min(last_level_, level);
            queue_.push_back(row);
        }
    };
    for (Group const& group : groups_)
        if (group.row == none) reach(group, 0);
    for (std::size_t at = 0; at < queue_.size(); ++at) {
        std::uint32_t const row = queue_[at];
        if (level_[row] >= last_level_) break;
        for (std::uint32_t const g : taken_[row]) reach(groups_[g], level_[row] + 1);
    }
    return last_level_ != none;
}

/// Depth first along the levels from a free destination to a row with room; moves everything on the way by one.
bool RowMatching::augment(std::uint32_t group) {
    path_.assign(1, {group, groups_[group].begin, none});
    while (!path_.empty()) {
        Step& step = path_.back();
        auto const level = static_cast<std::uint32_t>(path_.size()) - 1;
        if (step.row == none) {
            std::uint32_t const end = groups_[step.group].end;
            while (step.edge < end && level_[rows_[step.edge]] != level) ++step.edge;
            if (step.edge == end) {
                path_.pop_back();
                if (!path_.empty()) ++tried_[path_.back().row];  // this destination cannot leave its row
                continue;
            }
            step.row = rows_[step.edge];
            if (left_[step.row] > 0) break;
        }
        std::uint32_t const row = step.row;
        if (level == last_level_ || tried_[row] == taken_[row].size()) {
            level_[row] = none;  // no way on from here in this phase
            step.row = none;
            continue;
        }
        std::uint32_t const moved = taken_[row][tried_[row]];
        path_.push_back({moved, groups_[moved].begin, none});
    }
    if (path_.empty()) return false;
    take(path_.back().group, path_.back().row);
    for (std::size_t i = path_.size() - 1; i-- > 0;) {
        Step const& step = path_[i];
        taken_[step.row][tried_[step.row]++] = step.group;
        groups_[step.group].row = step.row;
    }
    return true;
}

std::uint32_t RowMatching::match(std::span<std::uint32_t const> words) {
    read(words);
    match_greedily();
    while (size_ < bound_ && find_levels()) {
        for (std::uint32_t g = 0; g < groups_.size() && size_ < bound_; ++g)
            if (groups_[g].row == none) augment(g);
    }
    return size_;
}

std::vector<RowMatching::Pair> RowMatching::pairs() const {
    std::vector<Pair> found;
    for (Group const& group : groups_)
        if (group.row != none) found.push_back({row_of_[group.row], group.destination});
    return found;
}

}  // namespace tailback::search
