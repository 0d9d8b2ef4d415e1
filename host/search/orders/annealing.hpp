// Annealing of orders by swaps (Kirkpatrick, Gelatt, Vecchi, Science 1983), for any cost that tells what a swap
// changes.
#pragma once

#include "host/search/orders/order_search.hpp"
#include "host/search/places/zones.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "topologies/draws.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace tailback::search {

/// Draws of -ln(u), u uniform on (0, 1]: by additions, multiplications and divisions alone, so that they are the same
/// on every machine.
class ExponentialDraws {
public:
    ExponentialDraws() {
        // ln(k + 1) - ln(k) = 2 artanh(1 / (2 k + 1))
        double sum = 0;
        for (std::size_t k = quantiles - 1; k > 0; --k) {
            double const x = 1.0 / double(2 * k + 1), square = x * x;
            double power = x, series = 0;
            for (int term = 1; term < 60; term += 2, power *= square) series += power / term;
            sum += 2 * series;
            of_[k - 1] = sum;
        }
        of_[quantiles - 1] = 0;
    }
    double operator()(std::uint32_t word) const { return of_[word % quantiles]; }

private:
    static constexpr std::size_t quantiles = 4096;
    std::array<double, quantiles> of_{};  ///< [k] = -ln((k + 1) / quantiles)
};

/// The swaps of one search: two units of ranks exchange their places.
class Swaps {
public:
    explicit Swaps(PlaceProblem const& problem) : problem_(problem), together_(problem.together) {
        std::uint32_t const together = problem.together;
        auto const open = problem.places() -
                          static_cast<std::uint32_t>(std::count(problem.closed.begin(), problem.closed.end(), true));
        for (std::uint32_t first = 0; first < open; first += together) {
            bool free = true;
            for (std::uint32_t r = first; r < first + together; ++r) free = free && !stays(problem, r);
            if (free) units_.push_back(first);
        }
        for (std::uint32_t const unit : units_) full_ += unit < problem.ranks;
    }
    /// Nothing can be swapped, or nothing that makes a difference.
    bool none() const { return units_.size() < 2 || full_ == 0; }
    /// Of two units, not both of them empty.
    Swap draw(topologies::Draws& draws) const {
        std::uint32_t const a = draws.below(full_);
        std::uint32_t b = draws.below(static_cast<std::uint32_t>(units_.size()) - 1);
        b += b >= a;
        return {units_[a], units_[b], together_};
    }
    std::vector<std::uint32_t> const& units() const { return units_; }
    /// Do swaps make this of the start? @param order of all ranks and empty places, or of the ranks alone
    bool lead_to(Order const& order, Order const& start) const {
        std::vector<std::uint32_t> at(start.size());
        for (std::uint32_t r = 0; r < start.size(); ++r) at[start[r]] = r;
        std::vector<bool> moves(start.size());
        for (std::uint32_t const unit : units_) std::fill_n(moves.begin() + unit, together_, true);
        for (std::uint32_t r = 0; r < order.size(); ++r)
            if (moves[r] ? !moves[at[order[r]]] || at[order[r]] % together_ != r % together_ ||
                               (r % together_ > 0 && at[order[r]] != at[order[r - 1]] + 1)
                         : order[r] != start[r])
                return false;
        return problem_.zone.empty() || is_within_zones(problem_, order, start);
    }
    PlaceProblem const& problem() const { return problem_; }

    static bool stays(PlaceProblem const& problem, std::uint32_t rank) {
        return rank < problem.stays.size() && problem.stays[rank];
    }

private:
    PlaceProblem const& problem_;
    std::vector<std::uint32_t> units_;  ///< first ranks of those that may move; of empty places last
    std::uint32_t together_, full_ = 0;
};

/// What a search reports to.
struct SearchClock {
    kernels::StopWish wish;
    std::function<void(std::uint64_t)> moved;  ///< so many moves more
    std::uint64_t enough = 0;                  ///< no order costs less
};

/// An annealing in steps of some 100,000 moves, between which its cost is a function of the order alone.
/// Cost: made of a start, with `double swap(Swap)` (what it would change; nothing is changed yet), `take()` (makes that
/// swap), `Order const& places()` (the order, and behind it the empty places), `std::uint64_t exact()` (the cost that
/// counts, from scratch, of the order as it is) and `void sharpen(double done)` (adds up anew; called now and then,
/// with the share of the moves that are done).
template <class Cost>
class AnnealPart final : public OrderPart {
public:
    struct How {
        std::uint64_t moves;
        topologies::Draws draws;
        double heat;
    };
    AnnealPart(std::function<std::unique_ptr<Cost>(Order const&)> make, Order start, std::uint32_t ranks,
               Swaps const& swaps, How const& how, SearchClock const& clock)
        : make_(std::move(make)), now_{std::move(start)}, ranks_(ranks), swaps_(swaps), how_(how), clock_(clock) {}

    bool is_over() const override { return has_begun_ && now_.is_over; }
    FoundOrder take() override {
        if (!has_begun_) begin();
        return best_;
    }
    /// Is it an order of the ranks that swaps make of the start?
    bool may_be(Order const& order) const { return swaps_.lead_to(order, make_(now_.places)->places()); }
    void step() override {
        if (!has_begun_) begin();
        if (now_.is_over) return;
        if (!cost_) {
            cost_ = make_(now_.places);
            cost_->sharpen(done());
        }
        if (has_zones()) zones_.emplace(swaps_.problem(), cost_->places());
        if (now_.temperature < 0) heat_up();
        bool const is_whole = anneal_to(now_.moves + moves_of_a_step);
        best_.moves = now_.moves;
        if (!is_whole) {
            best_.stopped = true;
            return;
        }
        now_.is_over = now_.step == steps || best_.cost <= clock_.enough;
        now_.places = cost_->places();
        now_.position = how_.draws.position();
        if (now_.is_over) cost_.reset();
        keep();
    }
    void write(StateWords& words) const override { words = kept_; }
    void read(WordReader& words) override {
        if (words.is_empty()) return;
        has_begun_ = true;
        now_.is_over = words.next_to(1) != 0;
        now_.step = words.next_to(steps);
        now_.moves = best_.moves = words.next_to(how_.moves);
        now_.position = words.next();
        now_.temperature = std::bit_cast<double>(words.next());
        if (!(now_.temperature < 0x1p1000)) throw UnfitWords("a number in it is none");
        std::uint64_t const cost = words.next();
        Order const start = make_(now_.places)->places();
        auto const places = static_cast<std::uint32_t>(start.size());
        now_.places = words.next_distinct(places, places);
        best_.order = words.next_distinct(ranks_, places);
        for (Order const* const order : {&now_.places, &best_.order})
            if (!swaps_.lead_to(*order, start)) throw UnfitWords("an order in it is none that swaps make");
        std::unique_ptr<Cost> judge = make_(best_.order);
        best_.cost = judge->exact();
        if (best_.cost != cost) throw UnfitWords("an order in it has another cost");
        how_.draws.go_to(now_.position);
        cost_.reset();
        keep();
    }

private:
    static constexpr std::uint64_t steps = 400, tried = 200;  ///< of temperature; swaps that tell where it begins
    static constexpr std::uint64_t moves_of_a_step = 1 << 18;
    struct State {
        Order places;
        bool is_over = false;
        std::uint64_t step = 0, moves = 0, position = 0;
        double temperature = -1;  ///< not known yet
    };

    /// Few places, and no tabu search behind it: it begins hot, and looks at all that is better.
    bool roams() const {
        constexpr std::size_t few_places = 32;
        return has_zones() && now_.places.size() <= few_places;
    }
    bool has_zones() const { return !swaps_.problem().zone.empty(); }
    Swap draw() { return zones_ ? zones_->draw(how_.draws) : swaps_.draw(how_.draws); }
    double done() const { return double(now_.step) / steps; }
    void begin() {
        has_begun_ = true;
        cost_ = make_(now_.places);
        now_.places = cost_->places();
        best_ = {ranks_of(now_.places), cost_->exact(), 0, false};
        bool const is_fixed = has_zones() ? ZoneSwaps(swaps_.problem(), now_.places).none() : swaps_.none();
        now_.is_over = is_fixed || best_.cost <= clock_.enough;
        now_.position = how_.draws.position();
        cost_->sharpen(0);
        keep();
        if (now_.is_over) cost_.reset();
    }
    Order ranks_of(Order const& places) const { return {places.begin(), places.begin() + ranks_}; }
    void heat_up() {
        double change = 0;
        for (std::uint64_t i = 0; i < tried; ++i) change += std::abs(cost_->swap(draw()));
        now_.temperature = (roams() ? 1 : how_.heat) * change / double(tried);
    }
    /// Until so many moves are made, or all; false where somebody wished it to stop in between.
    bool anneal_to(std::uint64_t enough) {
        static ExponentialDraws const exponential;
        constexpr std::uint64_t told_after = 1 << 17;
        constexpr double cooling = 0.98;  // 400 steps: to 3 in 10,000
        std::uint64_t since = now_.moves;
        auto const tell = [&] { clock_.moved(now_.moves - since), since = now_.moves; };
        while (now_.step < steps && now_.moves < enough) {
            std::uint64_t const end = how_.moves * (now_.step + 1) / steps,
                                until = std::min(end, now_.moves + moves_of_a_step);
            while (now_.moves < until) {
                Swap const swap = draw();
                double const delta = cost_->swap(swap);
                if (delta <= 0 || delta < now_.temperature * exponential(how_.draws.next())) {
                    cost_->take();
                    if (zones_) zones_->took(swap);
                    if (delta < 0 && roams()) look();
                }
                if ((++now_.moves & 0xFFF) != 0) continue;
                if (now_.moves - since >= told_after) tell();
                if (clock_.wish.asked()) return tell(), false;
            }
            if (until == end) ++now_.step, now_.temperature *= cooling;
            cost_->sharpen(done());
            look();
            if (best_.cost <= clock_.enough) break;
        }
        tell();
        return true;
    }
    /// Is it the best so far?
    void look() {
        if (std::uint64_t const exact = cost_->exact(); exact < best_.cost)
            best_.cost = exact, best_.order = ranks_of(cost_->places());
    }
    void keep() {
        kept_ = {now_.is_over, now_.step, now_.moves, now_.position, std::bit_cast<std::uint64_t>(now_.temperature),
                 best_.cost};
        kept_.insert(kept_.end(), now_.places.begin(), now_.places.end());
        kept_.insert(kept_.end(), best_.order.begin(), best_.order.end());
    }

    std::function<std::unique_ptr<Cost>(Order const&)> make_;
    State now_;
    std::uint32_t ranks_;
    Swaps const& swaps_;
    How how_;
    SearchClock const& clock_;
    std::unique_ptr<Cost> cost_;  ///< while it goes on
    std::optional<ZoneSwaps> zones_;
    FoundOrder best_;
    bool has_begun_ = false;
    StateWords kept_;
};

}  // namespace tailback::search
