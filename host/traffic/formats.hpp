// Forms of traffic that are read or written, one function each; and the one that tells them apart. Extensions read
// others (registry.hpp).
#pragma once

#include "host/io/line_reader.hpp"
#include "host/traffic/goal.hpp"
#include "host/traffic/traffic_matrix.hpp"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback::traffic {

/// Reads a file of any form, which is recognised by its content; `-` = standard input, .xz and .gz are unpacked.
/// @param tell gets the number of bytes of the file that were read so far.
/// @throws InputError with file and line for everything that is not sound.
TrafficMatrix read_traffic(std::string const& path, std::function<void(std::uint64_t)> const& tell = {});
/// The same for bytes that are there already. @param name what messages call them.
TrafficMatrix read_traffic(std::unique_ptr<io::ByteSource> source, std::string const& name);

/// A matrix, or of a GOAL file the schedule itself: then the matrix is empty.
struct Traffic {
    TrafficMatrix matrix;
    std::optional<GoalSchedule> schedule;
};
Traffic read_traffic_or_schedule(std::string const& path);

/// `source destination bytes [messages]`, divided by blanks, commas or semicolons; `ranks N` or `# ranks N` in front
/// says how many ranks there are; a line of names in front says the order of the columns.
TrafficMatrix read_edge_list(io::LineReader& lines);
/// One row a rank, as many columns as rows; with or without labels.
TrafficMatrix read_dense(io::LineReader& lines);
/// MatrixMarket: coordinate or array; real, integer or pattern; general or symmetric.
TrafficMatrix read_matrix_market(io::LineReader& lines);
/// The operations of a GOAL file; what its sends come to.
GoalSchedule read_goal(io::LineReader& lines);
TrafficMatrix matrix_of(GoalSchedule const& schedule, std::string const& file);

/// An edge list that read_edge_list reads.
void write_edges(std::ostream& out, TrafficMatrix const& matrix);
/// A dense matrix, divided by commas. @throws InputError for more than most_dense_ranks.
void write_dense(std::ostream& out, TrafficMatrix const& matrix);
void write_matrix_market(std::ostream& out, TrafficMatrix const& matrix);

inline constexpr std::uint32_t most_dense_ranks = 16384;

}  // namespace tailback::traffic
