// A team of real threads with real barriers: what a CUDA block is to the kernels, on a machine without a GPU, where
// ThreadSanitizer can see it. Work is dealt out as a block does it: member, member + size, member + 2 size, ...
//
// A barrier can be hidden: the threads still wait for each other, so nothing goes astray, but ThreadSanitizer is told
// that the waiting orders nothing. It must then report a race, unless the barrier was not needed.
#pragma once

#include "kernels/cpu/fast/team.hpp"
#include "kernels/evaluate/dispatch.hpp"
#include "kernels/evaluate/evaluate.hpp"
#include "kernels/executor.hpp"
#include "tests/support/rooms.hpp"

#include <atomic>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <source_location>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#if defined(__SANITIZE_THREAD__)
#define TAILBACK_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TAILBACK_TSAN 1
#endif
#endif
#if defined(TAILBACK_TSAN)
extern "C" void AnnotateIgnoreSyncBegin(char const* file, int line);
extern "C" void AnnotateIgnoreSyncEnd(char const* file, int line);
#endif

namespace tailback {

#if defined(__cpp_lib_source_location)
using SourcePlace = std::source_location;
#else  // clang 14 with the library of GCC
class SourcePlace {
public:
    static constexpr SourcePlace current(char const* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
        SourcePlace place;
        place.file_ = file;
        place.line_ = line;
        return place;
    }
    constexpr char const* file_name() const { return file_; }
    constexpr unsigned line() const { return line_; }

private:
    char const* file_ = "";
    unsigned line_ = 0;
};
#endif

/// What the members of one team share.
class TeamHub {
public:
    /// @param hidden the barrier of this name orders nothing.
    explicit TeamHub(unsigned members, std::string hidden = {})
        : members(members), values(members), hidden_(std::move(hidden)), barrier_(members) {}

    void wait(bool hide) {
        if (!hide) {
            barrier_.arrive_and_wait();
            return;
        }
#if defined(TAILBACK_TSAN)
        AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
#endif
        unsigned const turn = turn_.load();
        if (arrived_.fetch_add(1) + 1 == members) {
            arrived_.store(0);
            turn_.fetch_add(1);
        } else {
            while (turn_.load() == turn) std::this_thread::yield();
        }
#if defined(TAILBACK_TSAN)
        AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
#endif
    }
    bool hides(char const* name) const { return name == nullptr || hidden_ == name; }
    /// The leader notes where it has waited. @throws std::logic_error where two barriers have one name.
    void note(char const* name, SourcePlace const& where) {
        if (name == nullptr) return;
        Place const place{where.file_name(), where.line()};
        if (auto const [at, fresh] = barriers.emplace(name, place); !fresh && at->second != place)
            throw std::logic_error("two barriers are called \"" + std::string(name) + "\"");
    }

    unsigned const members;
    std::vector<std::atomic<std::uint64_t>> values;  ///< one a member, for sum and max
    using Place = std::pair<std::string, unsigned>;  ///< file, line
    std::map<std::string, Place> barriers;           ///< that the team has waited at, by name

private:
    std::string hidden_;
    std::barrier<> barrier_;
    std::atomic<unsigned> arrived_{0}, turn_{0};
};

/// How a team's members draw a permutation together: as a warp does, in each way, or as a block.
enum class ThreadDraws { by_lanes, by_lanes_and_cells, by_lanes_and_ballots, by_claims };

/// One member.
template <bool keeps, bool skips, ThreadDraws draws = ThreadDraws::by_claims>
class ThreadTeam {
public:
    static constexpr bool keeps_routes = keeps;
    static constexpr bool skips_padding = skips;
    static constexpr FindBy finds_by = draws == ThreadDraws::by_lanes_and_cells     ? FindBy::cells
                                       : draws == ThreadDraws::by_lanes_and_ballots ? FindBy::ballots
                                                                                    : FindBy::match;
    using Where = SourcePlace;

    ThreadTeam(TeamHub& hub, unsigned member) : hub_(hub), member_(member) {}

    struct Range {
        struct Iterator {
            std::uint64_t at;
            unsigned step;
            std::uint32_t operator*() const { return static_cast<std::uint32_t>(at); }
            Iterator& operator++() { return at += step, *this; }
            bool operator!=(Iterator end) const { return at < end.at; }
        };
        std::uint32_t first, count;
        unsigned step;
        Iterator begin() const { return {first, step}; }
        Iterator end() const { return {count, step}; }
    };
    Range each(std::uint32_t n) { return {member_, n, hub_.members}; }

    void sync(char const* name, Where where = Where::current()) {
        if (leads()) hub_.note(name, where);
        hub_.wait(hub_.hides(name));
    }
    template <class T>
    void add(T& cell, T amount) {
        std::atomic_ref<T>(cell).fetch_add(amount, std::memory_order_relaxed);
    }
    std::uint32_t fetch_add(std::uint32_t& cell, std::uint32_t amount) {
        return std::atomic_ref<std::uint32_t>(cell).fetch_add(amount, std::memory_order_relaxed);
    }
    void take_bits(std::uint32_t& cell, std::uint32_t bits) {
        std::atomic_ref<std::uint32_t>(cell).fetch_and(~bits, std::memory_order_relaxed);
    }
    void set_bits(std::uint32_t& cell, std::uint32_t bits) {
        std::atomic_ref<std::uint32_t>(cell).fetch_or(bits, std::memory_order_relaxed);
    }
    void join(std::uint32_t& cell, std::uint32_t bits) { set_bits(cell, bits); }
    void add_total(std::uint64_t& cell, std::uint64_t amount) { add(cell, amount); }
    template <class T>
    void raise(T& cell, T to) {
        std::atomic_ref<T> shared(cell);
        T have = shared.load(std::memory_order_relaxed);
        while (have < to && !shared.compare_exchange_weak(have, to, std::memory_order_relaxed)) {
        }
    }
    template <class T>
    void clear(T& cell) {
        std::atomic_ref<T>(cell).store(0, std::memory_order_relaxed);
    }
    /// Without a name it orders nothing.
    std::uint64_t sum(std::uint64_t x, char const* name = nullptr, Where where = Where::current()) {
        return gather(x, name, where, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    }
    std::uint64_t max(std::uint64_t x, char const* name = nullptr, Where where = Where::current()) {
        return gather(x, name, where, [](std::uint64_t a, std::uint64_t b) { return a > b ? a : b; });
    }
    template <std::size_t n>
    void sum_each(std::uint64_t (&x)[n]) {
        for (std::uint64_t& each : x) each = sum(each);
    }
    bool leads() const { return member_ == 0; }
    std::uint32_t members() const { return hub_.members; }
    std::uint32_t member() const { return member_; }
    Range near(std::uint32_t n) { return each(n); }

    bool any(bool x, char const* name, Where where = Where::current()) requires(draws == ThreadDraws::by_claims) {
        return gather(x, name, where, [](std::uint64_t a, std::uint64_t b) { return a | b; }) != 0;
    }
    std::uint32_t claims() const requires(draws == ThreadDraws::by_claims) { return claim_cells(hub_.members); }
    void lower(std::uint32_t& cell, std::uint32_t to) requires(draws == ThreadDraws::by_claims) {
        std::atomic_ref<std::uint32_t> shared(cell);
        std::uint32_t have = shared.load(std::memory_order_relaxed);
        while (have > to && !shared.compare_exchange_weak(have, to, std::memory_order_relaxed)) {
        }
    }
    std::uint32_t match(std::uint32_t x) requires(draws != ThreadDraws::by_claims) {
        return exchange(x, [&](std::uint32_t all, unsigned member, std::uint64_t value) {
            return all | std::uint32_t{value == x} << member;
        });
    }
    std::uint32_t ballot(bool x) requires(draws != ThreadDraws::by_claims) {
        return exchange(x, [](std::uint32_t all, unsigned member, std::uint64_t value) {
            return all | static_cast<std::uint32_t>(value) << member;
        });
    }

private:
    /// Tells all members' values to all, and orders nothing.
    template <class Join>
    std::uint32_t exchange(std::uint32_t x, Join join) {
        hub_.values[member_].store(x, std::memory_order_relaxed);
        hub_.wait(true);
        std::uint32_t all = 0;
        for (unsigned member = 0; member < hub_.members; ++member)
            all = join(all, member, hub_.values[member].load(std::memory_order_relaxed));
        hub_.wait(true);
        return all;
    }

    template <class Join>
    std::uint64_t gather(std::uint64_t x, char const* name, Where const& where, Join join) {
        if (leads()) hub_.note(name, where);
        bool const hide = hub_.hides(name);
        hub_.values[member_].store(x, std::memory_order_relaxed);
        hub_.wait(hide);
        std::uint64_t all = 0;
        for (auto const& value : hub_.values) all = join(all, value.load(std::memory_order_relaxed));
        hub_.wait(hide);
        return all;
    }

    TeamHub& hub_;
    unsigned member_;
};

static_assert(Team<ThreadTeam<true, false>>);
static_assert(TeamWithClaims<ThreadTeam<true, false>> && !TeamOfLanes<ThreadTeam<true, false>>);
static_assert(TeamOfLanes<ThreadTeam<true, false, ThreadDraws::by_lanes>>);
static_assert(TeamOfLanes<ThreadTeam<true, false, ThreadDraws::by_lanes_and_cells>>);

/// What a team has evaluated.
struct TeamRun {
    std::vector<MappingTally> tallies;
    Totals totals;

    bool operator==(TeamRun const&) const = default;
};

/// Memory for one team, all zero.
class TeamMemory {
public:
    explicit TeamMemory(std::size_t bytes) : bytes_(new (std::align_val_t{64}) std::byte[bytes]) {
        std::memset(bytes_.get(), 0, bytes);
    }
    std::byte* get() { return bytes_.get(); }

private:
    struct Free {
        void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
    };
    std::unique_ptr<std::byte[], Free> bytes_;
};

/// Calls work(member) in a thread for each.
template <class Work>
void run_members(unsigned members, Work const& work) {
    std::vector<std::thread> threads;
    for (unsigned member = 1; member < members; ++member) threads.emplace_back(work, member);
    work(0);
    for (std::thread& thread : threads) thread.join();
}

/// Mappings 0 .. mappings-1 of a problem, one after the other, by `make(member)`'s team: each member in its own thread.
/// `set_counters` (scratch) makes counters that lie elsewhere.
template <bool plain, class Counter, class Place = std::uint32_t, class MakeTeam, class SetCounters = std::nullptr_t>
TeamRun run_team(Problem const& problem, std::uint64_t mappings, unsigned members, MakeTeam make,
                 std::uint32_t packing = 0, SetCounters set_counters = nullptr) {
    using AnyTeam = decltype(make(0u));
    TeamRun run;
    run.tallies.resize(mappings);
    run.totals = Totals(problem);
    TotalsView const totals = run.totals.view();
    ScratchLayout layout;
    layout.keeps = AnyTeam::keeps_routes;
    layout.packing = packing;
    if constexpr (TeamOfMany<AnyTeam>) layout.members = members;
    if constexpr (TeamWithClaims<AnyTeam>) layout.claims = claim_cells(members);
    if constexpr (TeamOfLanes<AnyTeam>) layout.claims = AnyTeam::finds_by == FindBy::cells ? claim_cells(members) : 0;
    layout.borrows = TeamOfLanes<AnyTeam>;
    with_routes(problem, [&]<class Routes>(Routes const& routes) {
        Scratch<Counter, typename Routes::Kept, Place> scratch;
        TeamMemory memory(scratch.lay_out(problem, nullptr, layout));
        scratch.lay_out(problem, memory.get(), layout);
        if constexpr (!std::is_same_v<SetCounters, std::nullptr_t>) set_counters(scratch.counters);
        CpuTeam one;
        scratch.fill_subset(one, problem);
        auto work = [&](unsigned member) {
            AnyTeam team = make(member);
            for (std::uint64_t m = 0; m < mappings; ++m) {
                MappingTally const tally = evaluate_mapping<plain>(team, problem, routes, m, scratch, totals);
                if (team.leads()) run.tallies[m] = tally;
            }
        };
        run_members(members, work);
    });
    return run;
}

/// The same by a team of threads.
template <bool plain, class Counter, bool keeps, bool skips, ThreadDraws draws = ThreadDraws::by_claims,
          class Place = std::uint32_t>
TeamRun run_threads(Problem const& problem, std::uint64_t mappings, TeamHub& hub, std::uint32_t packing = 0) {
    return run_team<plain, Counter, Place>(
        problem, mappings, hub.members, [&](unsigned member) { return ThreadTeam<keeps, skips, draws>(hub, member); },
        packing);
}

}  // namespace tailback
