#include "host/formats/frr/documents.hpp"

#include "host/base/error.hpp"
#include "host/formats/frr/odd_values.hpp"

#include <set>
#include <string_view>
#include <utility>

namespace tailback::formats {
namespace {

constexpr std::size_t largest_answer = std::size_t{256} << 20;
constexpr std::size_t most_documents = 4096;

/// The first object or array of a text, as far as its brackets tell; empty where none begins or ends.
std::string_view first_document(std::string_view text) {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            else in_string = c != '"';
            continue;
        }
        if (c == '{' || c == '[') ++depth;
        else if (depth == 0) return {};
        else if (c == '"') in_string = true;
        else if ((c == '}' || c == ']') && --depth == 0) return text.substr(0, i + 1);
    }
    return {};
}

std::string_view without_blanks(std::string_view text) {
    std::size_t const first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// Several, if the text is nothing but documents; else nothing.
std::vector<Json> several_documents(std::string_view text) {
    std::vector<Json> found;
    for (text = without_blanks(text); !text.empty(); text = without_blanks(text)) {
        std::string_view const one = first_document(text);
        if (one.empty() || found.size() == most_documents) return {};
        found.push_back(Json::parse(one, nullptr, false));
        if (found.back().is_discarded()) return {};
        text.remove_prefix(one.size());
    }
    return found;
}

/// The names of members in a text that is JSON: each is followed by a colon, and no other colon is outside of strings.
std::size_t count_colons(std::string_view text) {
    std::size_t count = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (c == '"') in_string = !in_string;
        else if (in_string) i += c == '\\';
        else count += c == ':';
    }
    return count;
}

std::size_t count_members(std::vector<Json> const& documents) {
    std::size_t count = 0;
    std::vector<Json const*> open;
    for (Json const& document : documents) open.push_back(&document);
    while (!open.empty()) {
        Json const& one = *open.back();
        open.pop_back();
        if (one.is_object()) count += one.size();
        if (one.is_structured())
            for (Json const& inner : one)
                if (inner.is_structured()) open.push_back(&inner);
    }
    return count;
}

void note_double_names(std::string_view text, io::LineReader const& lines, model::Disagreements& disagreements) {
    OddValues twice;
    std::vector<std::set<std::string>> names;  // of the objects that are open
    auto const look = [&](int, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) names.emplace_back();
        else if (event == Json::parse_event_t::object_end) names.pop_back();
        else if (event == Json::parse_event_t::key)
            if (auto const& name = parsed.get_ref<std::string const&>(); !names.back().insert(name).second)
                twice.count("\"" + base::printable(name.substr(0, 40)) + "\"");
        return true;
    };
    for (text = without_blanks(text); !text.empty(); text = without_blanks(text)) {
        std::string_view const one = first_document(text);
        if (one.empty()) break;
        [[maybe_unused]] Json const looked_at = Json::parse(one, look, false);
        text.remove_prefix(one.size());
    }
    twice.note(disagreements, lines, diagnosis::Code::file_damaged,
               {"name stands twice in an object", "names stand twice in an object", "the last value counts"});
}

/// The first element, or what is no array.
Json const& first_of(Json const& object, char const* key) {
    static Json const none;
    std::vector<Json const*> const all = list_of(object, key);
    return all.empty() ? none : *all.front();
}

/// `{"name": [{"value": "spine01"}], "id": [..], ..}` -> `{"spine01": {"id": {..}, ..}}`
Json plain_chassis(Json const& told) {
    Json about = Json::object();
    if (Json const& id = first_of(told, "id"); id.is_object()) about["id"] = id;
    Json addresses = Json::array();
    for (Json const* one : list_of(told, "mgmt-ip"))
        if (one->is_object()) addresses.push_back(text_of(*one, "value"));
    if (!addresses.empty()) about["mgmt-ip"] = std::move(addresses);
    if (told.contains("capability")) about["capability"] = told.at("capability");
    std::string const name = text_of(first_of(told, "name"), "value");
    return name.empty() ? about : Json{{name, about}};
}
Json plain_port(Json const& told) {
    Json port = Json::object();
    if (Json const& id = first_of(told, "id"); id.is_object()) port["id"] = id;
    if (std::string const text = text_of(first_of(told, "descr"), "value"); !text.empty()) port["descr"] = text;
    return port;
}

}  // namespace

std::string text_of(Json const& object, char const* key) {
    if (!object.is_object()) return {};
    auto const at = object.find(key);
    return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

bool flag_of(Json const& object, char const* key) {
    auto const at = object.find(key);
    return at != object.end() && at->is_boolean() && at->get<bool>();
}

Json const& object_of(Json const& object, char const* key) {
    static Json const none;
    auto const at = object.find(key);
    return at != object.end() && at->is_object() ? *at : none;
}

std::uint64_t number_of(Json const& object, char const* key, std::uint64_t otherwise) {
    auto const at = object.find(key);
    return at != object.end() && at->is_number_unsigned() ? at->get<std::uint64_t>() : otherwise;
}

std::vector<Json const*> list_of(Json const& object, char const* key) {
    std::vector<Json const*> found;
    auto const at = object.find(key);
    if (at == object.end()) return found;
    if (!at->is_array()) return {&*at};
    for (Json const& one : *at) found.push_back(&one);
    return found;
}

std::vector<Json> read_documents(io::LineReader& lines, model::Disagreements& disagreements) {
    std::string const text = lines.rest(largest_answer);
    std::vector<Json> found;
    try {
        found.push_back(Json::parse(text));
    } catch (Json::exception const& error) {
        found = several_documents(text);
        if (found.empty())
            throw base::InputError({lines.name(), 0}, "the file is not JSON", error.what(),
                                   "write it anew: `vtysh -c 'show ip route json'`, `ip -j route`, `lldpctl -f json`");
    }
    if (count_colons(text) != count_members(found)) note_double_names(text, lines, disagreements);
    return found;
}

Json as_lldp_json(Json document) {
    if (!document.is_object()) return document;
    auto const lldp = document.find("lldp");
    if (lldp == document.end() || !lldp->is_array()) return document;
    Json interfaces = Json::array();
    for (Json const& part : *lldp) {
        if (!part.is_object()) continue;
        for (Json const* one : list_of(part, "interface")) {
            if (!one->is_object()) continue;
            std::string const name = text_of(*one, "name");
            if (name.empty()) {  // of the other form
                interfaces.push_back(*one);
                continue;
            }
            Json told = Json::object();
            if (Json const& chassis = first_of(*one, "chassis"); chassis.is_object())
                told["chassis"] = plain_chassis(chassis);
            if (Json const& port = first_of(*one, "port"); port.is_object()) told["port"] = plain_port(port);
            interfaces.push_back(Json{{name, std::move(told)}});
        }
    }
    return Json{{"lldp", {{"interface", std::move(interfaces)}}}};
}

}  // namespace tailback::formats
