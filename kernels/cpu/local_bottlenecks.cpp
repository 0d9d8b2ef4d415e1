#include "kernels/cpu/local_bottlenecks.hpp"

#include "kernels/cpu/fast/slot_rows.hpp"

#include <algorithm>

namespace tailback::kernels {
namespace {

/// places: of rows; 0: lists.
template <std::uint32_t places>
class ListedLinks {
public:
    ListedLinks(std::uint32_t const* first, std::uint32_t const* entries, std::uint32_t flows)
        : first_(first), entries_(entries), flows_(flows) {}
    std::uint32_t flows() const { return flows_; }
    std::size_t entries() const { return places == 0 ? first_[flows_] : std::size_t{flows_} * places; }
    auto operator()(std::uint32_t flow) const {
        if constexpr (places == 0) return std::span(entries_ + first_[flow], entries_ + first_[flow + 1]);
        else return std::span<std::uint32_t const, places>(entries_ + std::size_t{flow} * places, places);
    }
    template <class Visit>
    void each(Visit&& visit) const {
        ListedLinks const own = *this;  // what is written may not be it
        for (std::uint32_t f = 0; f < own.flows_; ++f) visit(f, own(f));
    }

private:
    std::uint32_t const *first_, *entries_;
    std::uint32_t flows_;
};

/// Rows, and behind them those of long routes, two each.
template <class LinkWord, std::uint32_t width>
class LinksOfRows {
public:
    explicit LinksOfRows(stages::LevelRows const& rows)
        : near_(static_cast<LinkWord const*>(rows.rows())),
          far_(static_cast<LinkWord const*>(rows.long_rows())),
          short_(rows.flows()),
          flows_(rows.flows() + rows.long_ones()) {}
    std::uint32_t flows() const { return flows_; }
    std::size_t entries() const { return std::size_t{2 * flows_ - short_} * width; }
    std::span<LinkWord const> operator()(std::uint32_t flow) const {
        if (flow < short_) return near(flow);
        return far(flow);
    }
    template <class Visit>
    void each(Visit&& visit) const {
        LinksOfRows const own = *this;  // what is written may not be it
        for (std::uint32_t f = 0; f < own.short_; ++f) visit(f, own.near(f));
        for (std::uint32_t f = own.short_; f < own.flows_; ++f) visit(f, own.far(f));
    }

private:
    auto near(std::uint32_t flow) const {
        return std::span<LinkWord const, width>(near_ + std::size_t{flow} * width, width);
    }
    auto far(std::uint32_t flow) const {
        return std::span<LinkWord const, 2 * width>(far_ + std::size_t{flow - short_} * (2 * width), 2 * width);
    }

    LinkWord const *near_, *far_;
    std::uint32_t short_, flows_;
};

/// @return the most flows of a link
template <class Links>
std::uint32_t find_most(Links const& links, std::uint32_t const* open, std::uint32_t* most_of_flow) {
    std::uint32_t most_of_all = 1;
    links.each([&](std::uint32_t f, auto const& slots) {
        std::uint32_t most = 1;
        for (std::uint32_t const slot : slots) most = std::max(most, open[slot]);
        most_of_flow[f] = most;
        most_of_all = std::max(most_of_all, most);
    });
    return most_of_all;
}

}  // namespace

LocalBottlenecks::LocalBottlenecks(Problem const& problem)
    : padding_(problem.routes.slots),
      first_(1),
      entries_(1024),
      by_links_(problem.measures.sharing.unit, padding_, most_places),
      in_rows_(problem.measures.sharing.unit, problem.routes.inner,
               stages::padding_counters + stages::readable_counters) {}

void LocalBottlenecks::begin_level(std::size_t flows, std::uint32_t places) {
    flows_ = 0;
    used_ = 0;
    places_ = places;
    if (places == 0 && first_.size() <= flows) first_.resize(flows + 1);
    if (entries_.size() < flows * places) entries_.resize(flows * places);
}

template <std::uint32_t places>
bool LocalBottlenecks::find_rates_of() {
    ListedLinks<places> const links(first_.data(), entries_.data(), flows_);
    by_links_.forget_padding();
    return by_links_.find(links, find_most(links, by_links_.open(), by_links_.most(flows_)));
}

/// Counts the links of the rows, and finds what BottleneckRates needs to know. @return the most flows of a link
std::uint32_t LocalBottlenecks::find_most_of_rows(stages::LevelRows const& rows) {
    std::uint32_t const flows = rows.flows(), long_ones = rows.long_ones();
    std::uint16_t* const open = in_rows_.open();
    rows.links().count({rows.rows(), flows, open, nullptr, flows});
    if (long_ones > 0) rows.links().count({rows.long_rows(), 2 * long_ones, open, nullptr, flows});
    if (no_shares_.size() <= flows) no_shares_.resize(std::size_t{flows} + 1);
    auto const read_back = [&](void const* of, std::uint32_t count, std::uint32_t* most) {
        stages::FlowsToRead<std::uint16_t> const read{of, count, open, nullptr, no_shares_.data(), flows, most};
        return rows.links().read_back(read).largest;
    };
    std::uint32_t* const most = in_rows_.most(flows + 2 * std::size_t{long_ones});
    std::uint32_t largest = read_back(rows.rows(), flows, most);
    if (long_ones == 0) return std::max(largest, 1u);
    largest = std::max(largest, read_back(rows.long_rows(), 2 * long_ones, most + flows));
    for (std::uint32_t i = 0; i < long_ones; ++i)
        most[flows + i] = std::max(most[flows + 2 * i], most[flows + 2 * i + 1]);
    return largest;
}

bool LocalBottlenecks::find_rates_of_rows(stages::LevelRows const& rows) {
    std::uint32_t const most = find_most_of_rows(rows);
    return rows.with_row_kind([&]<class LinkWord, std::uint32_t width>() {
        return in_rows_.find(LinksOfRows<LinkWord, width>(rows), most, rows.empty_rows());
    });
}

bool LocalBottlenecks::find_rates() {
    stages::LevelRows const* const rows = std::exchange(stage_rows_, nullptr);
    by_rows_ = rows != nullptr;
    if (by_rows_) return find_rates_of_rows(*rows);
    if (places_ == 0) first_[flows_] = used_;  // the end of the last
    switch (places_) {
        case 2: return find_rates_of<2>();
        case 3: return find_rates_of<3>();
        case 4: return find_rates_of<4>();
        case 5: return find_rates_of<5>();
        case 6: return find_rates_of<6>();
        case 8: return find_rates_of<8>();
        case 10: return find_rates_of<10>();
        default: return find_rates_of<0>();
    }
}

}  // namespace tailback::kernels
