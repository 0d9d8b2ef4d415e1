// What every JSON report begins with: its layout, the program, what was read, the network.
#pragma once

#include "host/model/tables.hpp"
#include "host/result/document.hpp"
#include "host/result/json_values.hpp"

#include <string>

namespace tailback::result {

/// `schema`, `version`, `commit`, `files`, `network`.
/// @param network of network_json; null where a report is of none
Json head(char const* schema, model::NamedFiles const& files, Json network);

/// Hosts that a study may use, all endpoints, switches, links, base rate, digest, and where the network comes from.
/// Null for what is not known. @param digest of the fabric (host/study/fabric_digest.hpp)
Json network_json(model::Fabric const& fabric, std::string const& digest, bool aggregation_nodes_are_hosts = false);

/// For people: `network of 16 hosts, 6 switches, 48 links, digest ..`, and where it comes from.
void add_network(Document& document, model::Fabric const& fabric, std::string const& digest,
                 bool aggregation_nodes_are_hosts = false);

/// What a link of the base rate carries, in GB/s (1e9 bytes); 0 where no rate is known.
double base_gigabytes_per_s(model::Fabric const& fabric);

/// `{"network": PATH, ...}`.
Json files_json(model::NamedFiles const& files);

}  // namespace tailback::result
