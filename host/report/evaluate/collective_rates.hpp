// What a collective operation comes to in the units in which people compare them, and what the cables would allow.
#pragma once

#include "host/evaluation/evaluation.hpp"
#include "host/report/forms.hpp"

#include <optional>

namespace tailback::report {

/// Rates are in GB/s where times are in seconds, else in multiples of a link of the base rate.
struct CollectiveRates {
    std::uint64_t bytes = 0, ranks = 0;
    bool in_seconds = false;
    double algbw = 0, busbw = 0;  ///< bytes / mean time, and what a link has of it, as nccl-tests define them
    /// The least time that the cables allow, by any routes and in any order, of an allreduce as a reduce-scatter and
    /// then an allgather, of an all-to-all by flows that divide as they like, and the rate that this is; none where the
    /// operation has no such bound, or it would take long.
    std::optional<double> least_time = {}, algbw_of_cables = {};
    /// Part of it that it may be too small by; none: not known. 0 where it is exact.
    std::optional<double> gap = {};
    bool is_in_two = false;        ///< an allreduce
    bool passes_adapters = false;  ///< busbw is more than the adapters of a node carry: bytes inside nodes count
    /// Of several orders of ranks: the number of the mapping that takes the least time, and that time.
    struct Best {
        std::uint64_t mapping;
        double time;
    };
    std::optional<Best> best = {};

    std::optional<double> share() const {
        return algbw_of_cables ? std::optional(algbw / *algbw_of_cables) : std::nullopt;
    }
    std::optional<double> share_of_best() const {
        return best && least_time ? std::optional(*least_time / best->time) : std::nullopt;
    }
};

/// What cables take at least for an operation by which everybody has a byte, in that of a byte on a link; nothing:
/// not known. The same for all sizes and algorithms.
struct CableTime {
    std::optional<double> of_a_byte = {}, gap = {};
};

/// Of a study of a collective operation that has times; none of others, where flows fail, and of one level alone.
/// @param known of a study of the same operation on the same ranks; none: it is found, if it is asked for
std::optional<CollectiveRates> collective_rates(study::StudyPlan const& plan, evaluation::Evaluation const& result,
                                                std::optional<CableTime>& known);

/// Everything but the least time: of an operation of these ranks that takes so long.
std::optional<CollectiveRates> collective_rates(std::string const& pattern, std::uint32_t ranks, double time,
                                                bool in_seconds);

/// Of a study without a delivered flow; null: no reason is known.
char const* why_no_number(study::StudyPlan const& plan);

/// `346.67 GB/s`, or `4.13 links`.
std::string rate_words(CollectiveRates const& rates, double rate);
Json value_of(CollectiveRates const& rates);
/// [name, text] of what is told of it: `algbw`, and `cables` where it is known what these allow.
std::vector<std::pair<std::string, std::string>> facts_of(CollectiveRates const& rates);
/// `97.3 %`: of what the cables allow; empty: not known.
std::string share_text(CollectiveRates const& rates);
/// Facts below a mean.
void add_rates(Document& document, CollectiveRates const& rates);

}  // namespace tailback::report
