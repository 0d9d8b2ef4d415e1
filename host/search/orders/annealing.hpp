// Annealing of orders by swaps (Kirkpatrick, Gelatt, Vecchi, Science 1983), for any cost that tells what a swap
// changes.
#pragma once

#include "host/search/orders/order_search.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
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

/// What a search reports to.
struct SearchClock {
    kernels::StopWish wish;
    std::function<void(std::uint64_t)> moved;  ///< so many moves more
    std::uint64_t enough = 0;                  ///< no order costs less
};

/// An annealing in steps of some 100,000 moves, between which it is a function of the order alone.
/// Cost: made of a start, with `double swap(Swap)` (what it would change; nothing is changed yet), `take()` (makes that
/// swap), `Order const& places()` (the order, and behind it the empty places), `std::uint64_t exact()` (the cost that
/// counts, from scratch, of the order as it is) and `void sharpen(double done)` (adds up anew; called now and then,
/// with the share of the moves that are done).
template <class Cost>
class AnnealPart final : public OrderPart {
public:
    using Make = std::function<std::unique_ptr<Cost>(Order const&)>;
    struct How {
        std::uint64_t moves;
        topologies::Draws draws;
        double heat;
    };
    AnnealPart(PlaceProblem const& problem, Make make, Order start, How const& how, SearchClock const& clock)
        : problem_(problem), make_(std::move(make)), now_{std::move(start)}, how_(how), clock_(clock) {}

    bool is_over() const override { return has_begun() && now_.is_over; }
    FoundOrder take() override {
        if (!has_begun()) begin();
        return best_;
    }
    void step() override {
        if (!has_begun()) begin();
        if (now_.is_over) return;
        std::unique_ptr<Cost> const cost = make_(now_.order);
        Swaps swaps(problem_, cost->places());
        State next = now_;
        cost->sharpen(next.done());
        if (next.temperature < 0) next.temperature = first_temperature(*cost, swaps);
        best_.stopped = !anneal(next, *cost, swaps);
        best_.moves = next.moves;
        if (best_.stopped) return;
        next.is_over = next.step == steps || best_.cost <= clock_.enough;
        next.order = ranks_of(cost->places());
        next.position = how_.draws.position();
        now_ = std::move(next);
    }
    void write(StateWords& words) const override {
        if (!has_begun()) return;
        words = {now_.is_over, now_.step, now_.moves, now_.position, std::bit_cast<std::uint64_t>(now_.temperature),
                 best_.cost};
        for (Order const* const order : {&now_.order, &best_.order})
            words.insert(words.end(), order->begin(), order->end());
    }
    void read(WordReader& words) override {
        if (words.is_empty()) return;
        now_.is_over = words.next_to(1) != 0;
        now_.step = words.next_to(steps);
        now_.moves = best_.moves = words.next_to(how_.moves);
        now_.position = words.next();
        now_.temperature = std::bit_cast<double>(words.next());
        if (!(now_.temperature < 0x1p1000)) throw UnfitWords("a number in it is none");
        best_.cost = words.next();
        now_.order = next_order(words, problem_, now_.order);
        best_.order = next_order(words, problem_, now_.order);
        if (make_(best_.order)->exact() != best_.cost) throw UnfitWords("an order in it has another cost");
        how_.draws.go_to(now_.position);
    }

private:
    static constexpr std::uint64_t steps = 400, tried = 200;  ///< of temperature; swaps that tell where it begins
    static constexpr std::uint64_t moves_of_a_step = 1 << 18;
    /// After a whole step.
    struct State {
        Order order;
        bool is_over = false;
        std::uint64_t step = 0, moves = 0, position = 0;
        double temperature = -1;  ///< not known yet

        double done() const { return double(step) / steps; }
    };

    bool has_begun() const { return !best_.order.empty(); }
    void begin() {
        std::unique_ptr<Cost> const cost = make_(now_.order);
        best_ = {now_.order, cost->exact(), 0, false};
        now_.is_over = best_.cost <= clock_.enough || Swaps(problem_, cost->places()).none();
    }
    Order ranks_of(Order const& places) const { return {places.begin(), places.begin() + problem_.ranks}; }
    /// Few places, and no tabu search behind it: it begins hot, and looks at all that is better.
    bool roams() const {
        constexpr std::size_t few_places = 32;
        return !problem_.zone.empty() && problem_.places() <= few_places;
    }
    double first_temperature(Cost& cost, Swaps const& swaps) {
        double change = 0;
        for (std::uint64_t i = 0; i < tried; ++i) change += std::abs(cost.swap(swaps.draw(how_.draws)));
        return (roams() ? 1 : how_.heat) * change / double(tried);
    }
    /// A step; false where somebody wished it to stop in between.
    bool anneal(State& now, Cost& cost, Swaps& swaps) {
        static ExponentialDraws const exponential;
        constexpr std::uint64_t told_after = 1 << 17;
        constexpr double cooling = 0.98;  // 400 steps: to 3 in 10,000
        std::uint64_t const enough = now.moves + moves_of_a_step;
        std::uint64_t since = now.moves;
        auto const tell = [&] { clock_.moved(now.moves - since), since = now.moves; };
        while (now.step < steps && now.moves < enough) {
            std::uint64_t const end = how_.moves * (now.step + 1) / steps,
                                until = std::min(end, now.moves + moves_of_a_step);
            while (now.moves < until) {
                Swap const swap = swaps.draw(how_.draws);
                double const delta = cost.swap(swap);
                if (delta <= 0 || delta < now.temperature * exponential(how_.draws.next())) {
                    cost.take();
                    swaps.took(swap);
                    if (delta < 0 && roams()) look(cost);
                }
                if ((++now.moves & 0xFFF) != 0) continue;
                if (now.moves - since >= told_after) tell();
                if (clock_.wish.asked()) return tell(), false;
            }
            if (until == end) ++now.step, now.temperature *= cooling;
            cost.sharpen(now.done());
            look(cost);
            if (best_.cost <= clock_.enough) break;
        }
        tell();
        return true;
    }
    /// Is it the best so far?
    void look(Cost const& cost) {
        if (std::uint64_t const exact = cost.exact(); exact < best_.cost)
            best_.cost = exact, best_.order = ranks_of(cost.places());
    }

    PlaceProblem const& problem_;
    Make make_;
    State now_;
    How how_;
    SearchClock const& clock_;
    FoundOrder best_;  ///< of no ranks before it begins
};

}  // namespace tailback::search
