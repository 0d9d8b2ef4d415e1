// Traffic as a value: every row and column.
#include "host/report/traffic/traffic_report.hpp"

namespace tailback::report {
namespace {

using traffic::RankSum;

Json sums_of(std::vector<RankSum> const& sums, bool messages_known) {
    Json list = Json::array();
    for (RankSum const& sum : sums)
        list.push_back({{"rank", sum.rank},
                        {"partners", sum.partners},
                        {"bytes", sum.bytes},
                        {"messages", or_null(messages_known, sum.messages)}});
    return list;
}

Json ranges_of(std::vector<RankSum> const& sums, std::uint32_t ranks) {
    Json list = Json::array();
    for (auto const& [first, last] : ranks_without(sums, ranks)) list.push_back({{"first", first}, {"last", last}});
    return list;
}

}  // namespace

Json value_of(TrafficReport const& report) {
    traffic::TrafficMatrix const& matrix = report.matrix;
    bool const known = matrix.messages_known;
    auto const messages = [&](std::uint64_t count) { return known ? Json(count) : Json(nullptr); };
    RankSum const own = traffic::to_themselves(matrix);
    std::vector<RankSum> const rows = traffic::row_sums(matrix), columns = traffic::column_sums(matrix);
    Json json = head("tailback-traffic-1", {{"traffic", report.file}}, nullptr);
    json.update(
        {{"format", matrix.format},
         {"unit", traffic::name_of(matrix.unit)},
         {"ranks", matrix.ranks},
         {"pairs", matrix.entries.size() - own.partners},
         {"bytes", matrix.bytes},
         {"messages", messages(matrix.messages)},
         {"to_themselves", {{"ranks", own.partners}, {"bytes", own.bytes}, {"messages", messages(own.messages)}}},
         {"symmetric", traffic::is_symmetric(matrix)},
         {"sums_checked", matrix.sums_checked},
         {"notes", Json(matrix.notes)},
         {"warnings", Json(matrix.warnings)},
         {"hosts", Json(matrix.hosts)}});
    Json heaviest = Json::array();
    for (traffic::Entry const& pair : traffic::heaviest(matrix, report.top))
        heaviest.push_back({{"source", pair.source},
                            {"destination", pair.destination},
                            {"bytes", pair.bytes},
                            {"messages", messages(pair.messages)}});
    json["heaviest"] = std::move(heaviest);
    json["send_nothing"] = ranges_of(rows, matrix.ranks);
    json["receive_nothing"] = ranges_of(columns, matrix.ranks);
    json["rows"] = sums_of(rows, known);
    json["columns"] = sums_of(columns, known);
    return json;
}

}  // namespace tailback::report
