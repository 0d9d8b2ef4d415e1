// The answers of a device as JSON: one a file, or several, one after the other.
#pragma once

#include "host/io/line_reader.hpp"
#include "host/model/tables.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace tailback::formats {

using Json = nlohmann::json;

/// The documents of a file, in its order: at least one. Of a name that stands twice in an object the last value counts,
/// which is a finding.
/// @throws InputError for what is no JSON.
std::vector<Json> read_documents(io::LineReader& lines, model::Disagreements& disagreements);

/// Of an object; empty, false or null where it has no such thing.
std::string text_of(Json const& object, char const* key);
bool flag_of(Json const& object, char const* key);
Json const& object_of(Json const& object, char const* key);
std::uint64_t number_of(Json const& object, char const* key, std::uint64_t otherwise);
/// An array as it is, an object as an array of one.
std::vector<Json const*> list_of(Json const& object, char const* key);

/// `lldpctl -f json0` (arrays everywhere, names as values) in the form of `lldpctl -f json`; that as it is.
Json as_lldp_json(Json document);

}  // namespace tailback::formats
