// The global links of dragonflies: which port of which group leads where. Arithmetic on numbers alone but for one
// arrangement.
#pragma once

#include "host/base/spec.hpp"
#include "kernels/evaluate/problem.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::topologies {

/// How groups are joined. With r the number of a global port of group i, counted over its switches, and G groups:
/// - absolute: r < i leads to group r, others to r + 1;
/// - relative: to group i + r + 1; palmtree: to group i - r - 1 (Camarero, Vallejo, Beivide, TACO 2014);
/// - circulant: even r to group i + r/2 + 1, odd r to group i - (r-1)/2 - 1 (Hastings et al., CLUSTER 2015);
/// - helix: half of a switch's ports lead to the groups ahead, switch s to switch s + 1 there; odd h: one more in the
///   middle,
///   switch s to switch a - 1 - s;
/// - nautilus: even switches take the next groups ahead, odd ones those behind, and arrive at switch i mod a (both:
///   Belka,
///   Doubman, Meyer, Laredo, Bunde, HiPINEB 2017).
/// All modulo G. With fewer than a*h + 1 groups the first four go round as often as ports suffice: parallel links.
enum class Arrangement : std::uint8_t { absolute, relative, palmtree, circulant, helix, nautilus };

/// Where a global port of a group leads.
struct GlobalEnd {
    std::uint32_t group = 0, port = 0;
};

/// The other end of global port `port` < groups - 1 of `group`, for the arrangements that need no table.
GlobalEnd far_end(Arrangement arrangement, std::uint32_t groups, std::uint32_t group, std::uint32_t port);

/// The global links of a network whose groups have `switches` switches of `ports_each` global ports.
class GlobalLinks {
public:
    /// @throws InputError in the words of `arguments` when groups do not suit the arrangement.
    GlobalLinks(base::Arguments const& arguments, Arrangement arrangement, std::uint32_t groups, std::uint32_t switches,
                std::uint32_t ports_each);

    std::uint32_t groups() const { return groups_; }
    /// Links between each two groups.
    std::uint32_t rounds() const { return rounds_; }
    std::uint32_t ports_in_use() const { return rounds_ * (groups_ - 1); }
    GlobalEnd far(std::uint32_t group, std::uint32_t port) const {
        return far_[std::size_t(group) * ports_in_use() + port];
    }
    /// The port of `from` for the c-th link to group `to`, c < rounds().
    std::uint32_t port_to(std::uint32_t from, std::uint32_t to, std::uint32_t c) const {
        return port_to_[(std::size_t(from) * groups_ + to) * rounds_ + c];
    }

private:
    std::uint32_t groups_, rounds_;
    std::vector<GlobalEnd> far_;
    std::vector<std::uint32_t> port_to_;
};

/// `arrangement` and `groups`, as parameters of a family.
std::vector<base::Parameter> global_parameters();
Arrangement arrangement_of(base::Arguments const& arguments);
/// --groups, or as many as there are with one link between each two. @throws InputError for more than that or fewer
/// than 2.
std::uint32_t groups_of(base::Arguments const& arguments, std::uint64_t global_ports);

}  // namespace tailback::topologies
