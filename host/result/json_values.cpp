#include "host/result/json_values.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <ostream>

namespace tailback::result {
namespace {

/// Printable, so that no report has to see to it.
std::string string_text(std::string const& text) { return Json(base::printable(text)).dump(); }

std::string scalar_text(Json const& json) {
    return json.is_string() ? string_text(json.get_ref<std::string const&>()) : json.dump();
}

/// Of the 12 digits that are known. The library's own text is not always the shortest: 1.1529215046099999e+18 for
/// 1.15292150461e+18.
std::string number_text(double exact) {
    double const value = base::rounded(exact);
    if (value == 0 || !std::isfinite(value)) return scalar_text(value);
    double const size = std::abs(value);
    bool const with_exponent = size < 1e-4 || size >= 1e15;
    std::array<char, 64> text{};
    char* const end = std::to_chars(text.data(), text.data() + text.size(), value,
                                    with_exponent ? std::chars_format::scientific : std::chars_format::fixed)
                          .ptr;
    std::string const digits(text.data(), end);
    return with_exponent || digits.find('.') != std::string::npos ? digits : digits + ".0";
}

void new_line(std::string& out, int indent, int depth) {
    if (indent < 0) return;
    out += '\n';
    out.append(static_cast<std::size_t>(indent * depth), ' ');
}

void add_text(std::string& out, Json const& json, int indent, int depth) {
    if (json.is_number_float()) {
        out += number_text(json.get<double>());
    } else if (!json.is_structured() || json.empty()) {
        out += scalar_text(json);
    } else {
        bool const is_object = json.is_object();
        char before = is_object ? '{' : '[';
        for (auto const& [key, value] : json.items()) {
            out += before;
            new_line(out, indent, depth + 1);
            if (is_object) out += string_text(key) + (indent < 0 ? ":" : ": ");
            add_text(out, value, indent, depth + 1);
            before = ',';
        }
        new_line(out, indent, depth);
        out += is_object ? '}' : ']';
    }
}

}  // namespace

std::string json_text(Json const& json, int indent) {
    std::string text;
    add_text(text, json, indent, 0);
    return text;
}

Json LongList::whole() const {
    Json all = Json::array();
    for (std::size_t i = 0; i < size; ++i) all.push_back(item(i));
    return all;
}

void write_json(std::ostream& out, Json const& json, std::vector<LongList> const& lists) {
    std::string const head = json_text(json, 2);
    if (lists.empty()) {
        out << head << '\n';
        return;
    }
    out << head.substr(0, head.size() - 2);  // without the brace, and the line that it ends
    for (LongList const& list : lists) {
        out << ",\n  " << string_text(list.name) << ": [";
        for (std::size_t i = 0; i < list.size && out; ++i)  // whoever commits the file says why it failed
            out << (i == 0 ? "\n    " : ",\n    ") << json_text(list.item(i));
        out << (list.size == 0 ? "]" : "\n  ]");
    }
    out << "\n}\n";
}

Json amount_json(double amount) {
    bool const whole = amount == std::floor(amount) && amount >= 0 && amount < 0x1p63;
    return whole ? Json(static_cast<std::uint64_t>(amount)) : real(amount);
}
Json real(double value) { return std::isfinite(value) ? Json(base::rounded(value)) : Json(nullptr); }

Json guid_json(std::uint64_t guid) { return guid == 0 ? Json(nullptr) : Json(fmt::format("{:#018x}", guid)); }

Json node_json(model::Network const& network, model::Node node) {
    return {{"name", network[node].name}, {"guid", guid_json(network[node].guid)}};
}

namespace {

/// `key`, and `key_name` where it has one.
void add_port(Json& json, char const* key, model::Port port, std::string const& name) {
    json[key] = port;
    if (!name.empty()) json[key + std::string("_name")] = name;
}

}  // namespace

void add_port(Json& json, model::Network const& network, model::Node node, model::Port port) {
    add_port(json, "port", port, node.exists() ? network.given_port_name(node, port) : "");
}

Json ends_json(model::LinkEnds const& ends) {
    Json json = {{"from", ends.from}};
    add_port(json, "from_port", ends.from_port, ends.from_port_name);
    json["to"] = ends.to;
    add_port(json, "to_port", ends.to_port, ends.to_port_name);
    return json;
}

Json ends_json(model::Network const& network, model::Link link) {
    return link.exists() ? ends_json(network.ends(link)) : Json(nullptr);
}

Json link_json(model::Network const& network, model::Link link) {
    if (!link.exists()) return nullptr;
    model::LinkEnds const ends = network.ends(link);
    Json json = {{"from", ends.from}, {"from_guid", guid_json(network[network[link].from].guid)}};
    add_port(json, "from_port", ends.from_port, ends.from_port_name);
    json["to"] = ends.to;
    json["to_guid"] = guid_json(network[network[link].to].guid);
    add_port(json, "to_port", ends.to_port, ends.to_port_name);
    return json;
}

}  // namespace tailback::result
