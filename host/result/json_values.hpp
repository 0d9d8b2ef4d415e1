// Values that reports write as JSON.
#pragma once

#include "host/model/network.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tailback::result {

using Json = nlohmann::ordered_json;

/// As a report has it: every string and key is printable (base/numbers.hpp), and numbers have 12 digits, or
/// the fewest that tell them from others of 12. @param indent of each level, a line for each value; -1 = all in one
/// line.
std::string json_text(Json const& json, int indent = -1);
/// A list of a report that is too long to be held: its items are made one after the other.
struct LongList {
    std::string name;
    std::size_t size;
    std::function<Json(std::size_t)> item;

    Json whole() const;
};
/// A report: a line for each value, then one for each item of the long lists.
void write_json(std::ostream& out, Json const& json, std::vector<LongList> const& lists = {});

/// JSON knows no NaN: what has no meaning is null.
Json real(double value);
/// Null where it is not known.
inline Json real(std::optional<double> const& value) { return value ? real(*value) : Json(nullptr); }
template <class Value>
Json or_null(std::optional<Value> const& value) {
    return value ? Json(*value) : Json(nullptr);
}
template <class Value>
Json or_null(bool known, Value&& value) {
    return known ? Json(std::forward<Value>(value)) : Json(nullptr);
}
/// A number of pairs, bytes, ..: without a point where it is whole.
Json amount_json(double amount);
/// `"0x.."`, of 16 digits; null for 0.
Json guid_json(std::uint64_t guid);
/// Its name and GUID.
Json node_json(model::Network const& network, model::Node node);
/// Adds `port`, and `port_name` where ports go by names. @param node none: of a node that the topology does not have
void add_port(Json& json, model::Network const& network, model::Node node, model::Port port);
/// Both ends of a link, by name and port; the port's name beside it where ports go by names.
Json ends_json(model::LinkEnds const& ends);
/// The same; null where there is no link.
Json ends_json(model::Network const& network, model::Link link);
/// The same with GUIDs.
Json link_json(model::Network const& network, model::Link link);

}  // namespace tailback::result
