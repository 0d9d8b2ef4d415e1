#include "host/evaluation/rows/pair_rows.hpp"

#include "host/base/memory.hpp"
#include "host/io/progress.hpp"
#include "host/model/pack/route_store.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <algorithm>
#include <atomic>

namespace tailback::evaluation {
namespace {

std::uint64_t pairs_of(study::StudyPlan const& plan) {
    return std::uint64_t{plan.study_hosts.size()} * plan.study_hosts.size();
}

/// The rows of all pairs in one repeat of the mappings.
class PairRows {
public:
    PairRows(study::StudyPlan const& plan, unsigned threads, LidsOfMessages const& lids)
        : plan_(plan), threads_(threads), seats_(static_cast<std::uint32_t>(plan.study_hosts.size())), lids_(lids) {
        store_.inner = plan.problem.routes.inner;
        store_.groups = seats_ * lids.most;
        for (std::uint32_t s = 0; s < seats_; ++s) store_.group.push_back(s * lids.most);
    }

    /// By walks that `make` gives, one a thread. False where a route is longer than any row.
    bool fill(std::function<std::unique_ptr<PairWalk>()> const& make, io::Progress& progress) {
        std::unique_ptr<PairWalk> const first = make();
        std::uint32_t longest = 1;
        for (std::uint32_t d = 0; d < seats_; ++d)
            longest = std::max(longest, static_cast<std::uint32_t>(walked(*first, seats_ - 1, d, 0).slots.size()));
        while (longest > 0) {
            store_.longest = longest;
            std::size_t const bytes = store_.choose_rows(kernels::pair_row_widths16, kernels::row_widths32);
            if (bytes == 0) return false;
            std::uint64_t const rows = pairs_of(plan_) * lids_.most;
            base::require_memory("the routes of all pairs of the study's hosts", rows * bytes,
                                 "study fewer hosts, or use --device cpu");
            store_.rows = kernels::HugeBuffer(rows * bytes);
            longest = fill_rows(make, progress);
        }
        return true;
    }

    /// The plan's problem with these rows.
    kernels::Problem const& describe() {
        problem_ = plan_.problem;
        kernels::RoutesView& routes = problem_.routes;
        routes.group = store_.group.data();
        routes.groups = store_.groups;
        routes.form = store_.form;
        routes.row_width = store_.row_width;
        routes.rows = store_.rows.data();
        routes.all_delivered = store_.all_delivered;
        routes.exceed_cache = store_.rows.size() > model::near_route_bytes;
        routes.lids = {lids_.most, lids_.turn.empty() ? nullptr : lids_.turn.data(), lids_.turn.size(), lids_.seed};
        problem_.placement.repeats = 1;
        return problem_;
    }

private:
    struct Walked {
        bool arrives;
        std::vector<std::uint32_t> const& slots;
    };
    Walked walked(PairWalk& walk, std::uint32_t from, std::uint32_t to, std::uint32_t lid) {
        static thread_local std::vector<std::uint32_t> slots;
        slots.clear();
        bool const arrives = from == to || walk.append(kernels::HostIndex{from}, kernels::HostIndex{to}, lid, slots);
        if (!arrives) slots.clear();
        return {arrives, slots};
    }
    /// @return 0, or the length of a route that rows are too short for: longer ones are needed then.
    std::uint32_t fill_rows(std::function<std::unique_ptr<PairWalk>()> const& make, io::Progress& progress) {
        std::atomic<std::uint32_t> too_long = 0;
        std::atomic<bool> fails = false;
        kernels::NextOf next(seats_, 4);
        progress.begin_again();
        kernels::in_threads(threads_, [&] {
            std::unique_ptr<PairWalk> const walk = make();
            std::vector<std::uint32_t> row(store_.row_width);
            for (std::size_t first; next.take(first) && too_long == 0;)
                for (std::size_t s = first; s < std::min<std::size_t>(first + 4, seats_); ++s, progress.add(1))
                    for (std::uint32_t lid = 0; lid < lids_.most && too_long == 0; ++lid)
                        if (std::uint32_t const longest =
                                fill_source(*walk, static_cast<std::uint32_t>(s), lid, row, fails))
                            too_long = longest;
        });
        store_.all_delivered = !fails;
        return too_long;
    }
    std::uint32_t fill_source(PairWalk& walk, std::uint32_t s, std::uint32_t lid, std::vector<std::uint32_t>& row,
                              std::atomic<bool>& fails) {
        std::uint32_t too_long = 0;
        for (std::uint32_t d = 0; d < seats_; ++d) {
            Walked const found = walked(walk, s, d, lid);
            std::fill(row.begin(), row.end(), store_.inner);
            if (found.slots.size() > row.size()) {
                too_long = std::max(too_long, static_cast<std::uint32_t>(found.slots.size()));
                continue;
            }
            std::copy(found.slots.begin(), found.slots.end(), row.begin());
            if (!found.arrives) {
                row[0] = store_.inner + static_cast<std::uint32_t>(model::Fate::unreachable);
                fails = true;
            }
            store_.put_row((std::size_t{s} * lids_.most + lid) * seats_ + d, row);
        }
        return too_long;
    }

    study::StudyPlan const& plan_;
    unsigned threads_;
    std::uint32_t seats_;
    LidsOfMessages lids_;
    model::RouteStore store_;
    kernels::Problem problem_;
};

/// Every repeat of a mapping by an executor of its own, whose mappings are numbered without repeats.
class RowExecutor final : public kernels::Executor {
public:
    void add(std::unique_ptr<PairRows> rows, std::unique_ptr<kernels::Executor> executor) {
        repeats_.push_back({std::move(rows), std::move(executor)});
    }

    void evaluate(std::uint64_t first, std::span<kernels::MappingTally> tallies) override {
        std::uint64_t const count = repeats_.size();
        std::vector<kernels::MappingTally> of_one;
        for (std::uint64_t k = 0; k < count; ++k) {
            auto const [from, to] = of_repeat(k, first, tallies.size());
            of_one.resize(std::size_t(to - from));
            if (from < to) repeats_[k].executor->evaluate(from, of_one);
            for (std::uint64_t m = from; m < to; ++m) tallies[m * count + k - first] = of_one[m - from];
        }
    }
    void evaluate_and_reduce(std::uint64_t first, std::uint64_t count, kernels::WantedNumbers const& wanted) override {
        for (std::uint64_t k = 0; k < repeats_.size(); ++k) {
            auto const [from, to] = of_repeat(k, first, count);
            if (from < to) repeats_[k].executor->evaluate_and_reduce(from, to - from, wanted);
        }
    }
    kernels::Reduction take_reduction() override {
        kernels::Reduction all;
        for (std::uint64_t k = 0; k < repeats_.size(); ++k) {
            kernels::Reduction of_one = repeats_[k].executor->take_reduction();
            for (kernels::NumberSeen& number : of_one.number)
                for (std::uint64_t* const m : {&number.values.first_of_lowest, &number.values.first_of_highest})
                    if (*m != UINT64_MAX) *m = *m * repeats_.size() + k;
            all.merge(std::move(of_one));
        }
        return all;
    }
    std::uint64_t most_reduced() const override { return repeats_.front().executor->most_reduced(); }
    kernels::Totals totals() override {
        kernels::Totals all = repeats_.front().executor->totals();
        for (std::size_t k = 1; k < repeats_.size(); ++k) all.add(repeats_[k].executor->totals());
        return all;
    }
    std::string device() const override { return repeats_.front().executor->device(); }
    unsigned threads() const override { return repeats_.front().executor->threads(); }
    std::uint64_t good_batch() const override { return repeats_.front().executor->good_batch() * repeats_.size(); }
    std::optional<kernels::LaunchFacts> launch_facts() const override {
        return repeats_.front().executor->launch_facts();
    }

private:
    struct Repeat {
        std::unique_ptr<PairRows> rows;
        std::unique_ptr<kernels::Executor> executor;
    };
    struct Range {
        std::uint64_t from, to;
    };
    /// The mappings whose repeat k is among `count` numbers from `first` on.
    Range of_repeat(std::uint64_t k, std::uint64_t first, std::uint64_t count) const {
        std::uint64_t const all = repeats_.size();
        auto const up_to = [&](std::uint64_t number) { return number / all + (number % all > k ? 1 : 0); };
        return {up_to(first), up_to(first + count)};
    }
    std::vector<Repeat> repeats_;
};

}  // namespace

std::unique_ptr<kernels::Executor> make_row_executor(study::StudyPlan const& plan, unsigned threads,
                                                     MakePairWalk const& make_walk, MakeRowExecutor const& make,
                                                     LidsOfMessages const& lids) {
    io::Progress progress("computing the routes of all pairs", plan.study_hosts.size(), "sources");
    auto executor = std::make_unique<RowExecutor>();
    for (std::uint64_t k = 0; k < plan.repeats; ++k) {
        auto rows = std::make_unique<PairRows>(plan, kernels::threads_to_use(threads), lids);
        if (!rows->fill([&] { return make_walk(k); }, progress)) return nullptr;
        std::unique_ptr<kernels::Executor> of_repeat = make(rows->describe());
        executor->add(std::move(rows), std::move(of_repeat));
    }
    return executor;
}

}  // namespace tailback::evaluation
