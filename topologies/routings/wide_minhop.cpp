// What:  of every forwarder's arcs that lead nearer to a target, the least loaded one takes each of the target's hosts.
// Why so: choices of a forwarder depend on its own earlier ones alone, so 16 forwarders choose side by side, a lane
// each;
//        an arc's load and number are one key, and the least key among the candidates is the arc to take.
#include "topologies/routings/wide_minhop.hpp"

#include "kernels/cpu/machine/isa.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/cpu/machine/x86_vectors.hpp"
#include "topologies/routings/wide_distances.hpp"

#include <algorithm>

namespace tailback::topologies {
namespace {

constexpr std::uint32_t lanes = 16;
constexpr std::uint32_t most_arcs = 64;         // an arc's number has six bits of its key,
constexpr std::uint32_t most_hosts = 1u << 26;  // its load the others
constexpr std::uint8_t no_arc = 0xFF;

/// By arc and lane: bit t = the arc leads nearer to the t-th target.
struct alignas(64) Nearer {
    std::uint64_t to[most_arcs][lanes];
};

/// A target's destinations: hosts first.
struct Reached {
    std::uint32_t hosts, all;
};

#ifdef TAILBACK_AVX512
/// @param chosen [destination][lane] arcs of all targets
TAILBACK_AVX512 void choose_in_lanes(std::uint32_t* keys, std::uint32_t arcs, Nearer const& nearer,
                                     Reached const* targets, std::uint32_t count, std::uint8_t* chosen) {
    __m512i const none = _mm512_set1_epi32(-1), one_more = _mm512_set1_epi32(most_arcs),
                  number = _mm512_set1_epi32(most_arcs - 1);
    for (std::uint32_t t = 0; t < count; ++t) {
        __m512i const bit = _mm512_set1_epi64(std::int64_t(std::uint64_t{1} << t));
        __mmask16 candidate[most_arcs];
        for (std::uint32_t a = 0; a < arcs; ++a)
            candidate[a] =
                static_cast<__mmask16>(_mm512_test_epi64_mask(_mm512_load_si512(nearer.to[a]), bit) |
                                       _mm512_test_epi64_mask(_mm512_load_si512(nearer.to[a] + 8), bit) << 8);
        for (std::uint32_t d = 0; d < targets[t].all; ++d, chosen += lanes) {
            __m512i best = none;
            for (std::uint32_t a = 0; a < arcs; ++a)
                best = _mm512_mask_min_epu32(best, candidate[a], best, _mm512_load_si512(keys + a * lanes));
            __mmask16 const found = _mm512_cmpneq_epu32_mask(best, none);
            _mm_storeu_si128(reinterpret_cast<__m128i*>(chosen),
                             _mm512_maskz_cvtepi32_epi8(0xFFFF, _mm512_mask_and_epi32(none, found, best, number)));
            if (d >= targets[t].hosts) continue;
            for (std::uint32_t a = 0; a < arcs; ++a) {  // keys differ: it is the best arc's alone
                __m512i const key = _mm512_load_si512(keys + a * lanes);
                __mmask16 const taken = _mm512_cmpeq_epu32_mask(key, best);
                _mm512_store_si512(keys + a * lanes, _mm512_mask_add_epi32(key, taken, key, one_more));
            }
        }
    }
}
#else
void choose_in_lanes(std::uint32_t*, std::uint32_t, Nearer const&, Reached const*, std::uint32_t, std::uint8_t*) {}
#endif

class WideMinhop final : public DestinationTrees {
public:
    WideMinhop(ForwardingGraph const& graph, DestinationTreesFor const& what, std::uint32_t arcs)
        : DestinationTrees(graph, what),
          arcs_(arcs),
          blocks_((graph.size() + lanes - 1) / lanes),
          keys_(std::size_t{blocks_} * arcs + 1) {
        for (unsigned g = 0; g < threads(); ++g) distances_.emplace_back(graph);
        for (std::uint32_t b = 0; b < blocks_; ++b)
            for (std::uint32_t a = 0; a < arcs; ++a) std::fill_n(keys_of(b) + a * lanes, lanes, a);
    }

    std::uint32_t arc(std::uint32_t v, std::uint32_t, std::uint32_t d) const override {
        std::uint8_t const chosen =
            chosen_[(std::size_t{v / lanes} * (last() - first()) + (d - first())) * lanes + v % lanes];
        return chosen == no_arc ? ForwardingGraph::none : graph().first_arc[v] + chosen;
    }

private:
    struct alignas(64) Keys {
        std::uint32_t key[lanes];
    };

    std::uint32_t targets_at_once() override { return most_targets * static_cast<std::uint32_t>(distances_.size()); }
    bool has_rows() const override { return false; }
    std::uint32_t* keys_of(std::uint32_t block) { return keys_[std::size_t{block} * arcs_].key; }

    void make() override {
        chosen_.resize(std::size_t{blocks_} * (last() - first()) * lanes);
        targets_.clear();
        for (std::uint32_t t = first_target(); t < last_target(); ++t) {
            Reached reached{0, graph().first_destination[t + 1] - graph().first_destination[t]};
            while (reached.hosts < reached.all &&
                   graph().destinations[graph().first_destination[t] + reached.hosts].host)
                ++reached.hosts;
            targets_.push_back(reached);
        }
        auto const groups = static_cast<std::int64_t>((targets_.size() + most_targets - 1) / most_targets);
        kernels::FirstFailure failed;
#pragma omp parallel num_threads(static_cast <int>(threads()))
        {
#pragma omp for schedule(static, 1)
            for (std::int64_t g = 0; g < groups; ++g)
                failed.hold([&] { distances_[std::size_t(g)].find(begin_of(g), begin_of(g + 1)); });
#pragma omp for schedule(dynamic, 64)
            for (std::int64_t b = 0; b < static_cast<std::int64_t>(blocks_); ++b)
                failed.hold([&] {
                    for (std::int64_t g = 0; g < groups; ++g) choose(static_cast<std::uint32_t>(b), g);
                });
        }
        failed.rethrow();
    }
    std::uint32_t begin_of(std::int64_t group) const {
        return std::min(first_target() + static_cast<std::uint32_t>(group) * most_targets, last_target());
    }
    void choose(std::uint32_t block, std::int64_t group) {
        Nearer nearer;
        std::fill_n(&nearer.to[0][0], arcs_ * lanes, std::uint64_t{0});
        for (std::uint32_t lane = 0; lane < lanes && block * lanes + lane < graph().size(); ++lane) {
            std::uint32_t const v = block * lanes + lane, own = graph().first_arc[v];
            distances_[std::size_t(group)].candidates(
                v, [&](std::uint32_t arc, std::uint64_t bits) { nearer.to[arc - own][lane] = bits; });
        }
        std::uint32_t const begin = begin_of(group), end = begin_of(group + 1);
        std::size_t const done = graph().first_destination[begin] - first();
        choose_in_lanes(keys_of(block), arcs_, nearer, &targets_[begin - first_target()], end - begin,
                        chosen_.data() + (std::size_t{block} * (last() - first()) + done) * lanes);
    }

    std::uint32_t arcs_, blocks_;
    std::vector<WideDistances> distances_;  // of 64 targets each
    std::vector<Keys> keys_;                // [block][arc]
    std::vector<Reached> targets_;
    std::vector<std::uint8_t> chosen_;  // [block][destination][lane]
};

}  // namespace

std::unique_ptr<DestinationTrees> make_wide_minhop(ForwardingGraph const& graph, DestinationTreesFor const& what) {
    std::uint32_t arcs = 0;
    for (std::uint32_t v = 0; v < graph.size(); ++v) arcs = std::max(arcs, graph.first_arc[v + 1] - graph.first_arc[v]);
    if (!kernels::has_avx512() || arcs > most_arcs || graph.destinations.size() >= most_hosts) return nullptr;
    return std::make_unique<WideMinhop>(graph, what, arcs);
}

}  // namespace tailback::topologies
