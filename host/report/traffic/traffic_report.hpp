// What is in a file of traffic, for people and for programs.
#pragma once

#include "host/report/forms.hpp"
#include "host/traffic/traffic_matrix.hpp"

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace tailback::report {

struct TrafficReport {
    std::string const& file;
    traffic::TrafficMatrix const& matrix;
    std::size_t top = 10;  ///< how many of the heaviest pairs are told
};

/// Ranks, totals, sums of rows and columns, heaviest pairs, ranks that send nothing.
Document document_of(TrafficReport const& report);
/// The same, with every row and column.
Json value_of(TrafficReport const& report);
/// A picture of the matrix: a square a pair of ranks (or of groups of neighbouring ranks), the darker the more bytes.
void write_traffic_svg(std::ostream& out, TrafficReport const& report);

/// The ranks without a sum, as ranges from first to last.
std::vector<std::pair<std::uint32_t, std::uint32_t>> ranks_without(std::vector<traffic::RankSum> const& sums,
                                                                   std::uint32_t ranks);

}  // namespace tailback::report
