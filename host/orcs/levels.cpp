// Fixed patterns come from patterns/; what is drawn (rand, the senders of recvs_*) is drawn here.
#include "host/orcs/levels.hpp"

#include "host/base/error.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/cpu/fast/team.hpp"

#include <algorithm>
#include <charconv>

namespace tailback::orcs {

struct OrcsLevels::Part {
    enum class Kind : std::uint8_t { fixed, random, receivers };
    Kind kind = Kind::fixed;
    patterns::FlowList list;
    std::uint32_t ranks = 0;
    std::uint32_t receivers = 0;
    bool all_send = false;
    bool senders_drawn = true;
    kernels::Stream stream = kernels::Stream::first_pattern;
};

namespace {

std::vector<std::uint32_t> draw(std::uint64_t seed, kernels::Stream stream, std::uint64_t m, std::uint32_t size) {
    std::vector<std::uint32_t> targets((std::size_t{size} + 3) / 4 * 4), order(size);
    kernels::CpuTeam team;
    kernels::draw_permutation(team, kernels::Draw{seed, stream, m, size, size}, targets.data(), order.data());
    return order;
}

/// No rank is its own partner: each takes the next of a drawn order that is not itself; the last one, left with
/// itself alone, swaps with its neighbour.
std::vector<std::uint32_t> without_fixed_points(std::vector<std::uint32_t> pi) {
    for (std::size_t i = 0; i + 1 < pi.size(); ++i)
        if (pi[i] == i) std::swap(pi[i], pi[i + 1]);
    if (pi.size() > 1 && pi.back() == pi.size() - 1) std::swap(pi.back(), pi[pi.size() - 2]);
    return pi;
}

/// `n[,p1[,p2]][,rand|linear]`
void parse_receivers(std::string const& text, std::uint32_t& receivers, bool& drawn) {
    auto fail = [&](char const* why) {
        throw base::InputError({}, "\"" + text + "\" is not an argument of recvs_one_src or recvs_all_src", why,
                               "-a \"4\" or -a \"4,linear\"");
    };
    std::string_view rest = text;
    auto const [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), receivers);
    if (error != std::errc{} || receivers == 0) fail("it begins with the number of receivers");
    rest.remove_prefix(std::size_t(end - rest.data()));
    drawn = true;
    if (rest.ends_with(",linear")) {
        drawn = false;
        rest.remove_suffix(7);
    } else if (rest.ends_with(",rand")) {
        rest.remove_suffix(5);
    }
    if (!rest.empty() && rest != ",1" && rest != ",1.0")
        fail("senders that sometimes send elsewhere are not reproduced");
}

}  // namespace

OrcsLevels::OrcsLevels(OrcsOptions const& options, std::uint32_t ranks)
    : seed_(options.seed), derange_(options.version == OrcsVersion::v20) {
    auto make_part = [](OrcsPattern const& pattern, std::uint32_t part_ranks, kernels::Stream stream) {
        Part part;
        part.ranks = part_ranks;
        part.stream = stream;
        if (pattern.name == "rand") {
            part.kind = Part::Kind::random;
        } else if (pattern.name == "recvs_one_src" || pattern.name == "recvs_all_src") {
            part.kind = Part::Kind::receivers;
            part.all_send = pattern.name == "recvs_all_src";
            parse_receivers(pattern.argument, part.receivers, part.senders_drawn);
            part.receivers = std::min(part.receivers, part_ranks / 2);
        } else {
            part.list = patterns::make_pattern_part(
                pattern.name == "neighbor" ? pattern.argument + "neighbor" : pattern.name, part_ranks);
        }
        return part;
    };
    if (options.two_patterns()) {
        std::uint32_t const first = std::min(options.part_commsize, ranks);
        parts_.push_back(make_part(options.first, first, kernels::Stream::first_pattern));
        parts_.push_back(make_part(options.second, ranks - first, kernels::Stream::second_pattern));
    } else {
        parts_.push_back(make_part(options.pattern, ranks, kernels::Stream::first_pattern));
    }
}

OrcsLevels::~OrcsLevels() = default;

std::vector<OrcsPair> OrcsLevels::next(std::uint64_t level) {
    auto append = [&](Part const& part, std::uint64_t l, std::uint32_t shift, std::vector<OrcsPair>& to) {
        switch (part.kind) {
            case Part::Kind::fixed: {
                if (l >= part.list.levels.size()) return;
                patterns::Level const& fixed = part.list.levels[l];
                for (std::size_t f = 0; f < fixed.flow_count; ++f) {
                    patterns::Flow const& flow = part.list.flows[fixed.first_flow + f];
                    to.push_back({flow.source + shift, flow.destination + shift});
                }
                for (std::uint64_t k = 0; k < fixed.local; ++k) to.push_back({shift, shift});  // a ring of one
                return;
            }
            case Part::Kind::random: {
                if (l != 0) return;
                std::vector<std::uint32_t> pi = draw(seed_, part.stream, draws_++, part.ranks);
                if (derange_) pi = without_fixed_points(std::move(pi));
                for (std::uint32_t i = 0; i < part.ranks; ++i) to.push_back({i + shift, pi[i] + shift});
                return;
            }
            case Part::Kind::receivers: {
                if (l != 0 || part.receivers == 0) return;
                std::uint32_t const others = part.ranks - part.receivers;
                std::vector<std::uint32_t> senders(others);
                for (std::uint32_t i = 0; i < others; ++i) senders[i] = i;
                if (part.senders_drawn) senders = draw(seed_, part.stream, draws_++, others);
                std::uint32_t const sending = part.all_send ? others : part.receivers;
                for (std::uint32_t i = 0; i < sending; ++i)
                    to.push_back({part.receivers + senders[i] + shift, i % part.receivers + shift});
                return;
            }
        }
    };
    std::vector<OrcsPair> pairs;
    append(parts_[0], level, 0, pairs);
    if (parts_.size() == 1) return pairs;
    std::size_t const of_first = pairs.size();
    append(parts_[1], second_level_, parts_[0].ranks, pairs);
    if (pairs.size() == of_first && of_first > 0) {
        second_level_ = 0;
        append(parts_[1], second_level_, parts_[0].ranks, pairs);
    }
    ++second_level_;
    return pairs;
}

}  // namespace tailback::orcs
