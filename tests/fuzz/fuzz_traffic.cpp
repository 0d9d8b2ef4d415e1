// Fuzz target: traffic of any form. Whatever comes out is sorted, within its ranks, and adds up; what is written of it
// is read again as the same.
#include "host/traffic/formats.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

#include <sstream>

namespace {

using namespace tailback;

void check(traffic::TrafficMatrix const& matrix) {
    must(matrix.ranks > 0 && matrix.ranks <= traffic::most_ranks);
    std::uint64_t bytes = 0, messages = 0;
    for (std::size_t e = 0; e < matrix.entries.size(); ++e) {
        traffic::Entry const& entry = matrix.entries[e];
        must(entry.source < matrix.ranks && entry.destination < matrix.ranks);
        must(entry.bytes > 0 || entry.messages > 0);
        must(e == 0 || std::pair(matrix.entries[e - 1].source, matrix.entries[e - 1].destination) <
                           std::pair(entry.source, entry.destination));
        must(bytes + entry.bytes >= bytes && messages + entry.messages >= messages);
        bytes += entry.bytes;
        messages += entry.messages;
    }
    must(bytes == matrix.bytes && messages == matrix.messages);
    must(matrix.hosts.empty() || matrix.hosts.size() == matrix.ranks);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    answer([&] {
        traffic::TrafficMatrix const matrix =
            traffic::read_traffic(source_of(std::string(reinterpret_cast<char const*>(data), size)), "fuzz");
        check(matrix);
        traffic::row_sums(matrix);
        traffic::column_sums(matrix);
        traffic::heaviest(matrix, 3);
        std::ostringstream text;
        traffic::write_edges(text, matrix);
        traffic::TrafficMatrix const again = traffic::read_traffic(source_of(text.str()), "written");
        must(again.ranks == matrix.ranks && again.bytes == matrix.bytes);
        must(!matrix.messages_known || again.entries == matrix.entries);
    });
    return 0;
}
