// The parts of the table of options, and what completion knows of their values.
#pragma once

#include "host/options/option.hpp"

namespace tailback::options {

std::span<Option const> network_rows();
std::span<Option const> study_rows();
std::span<Option const> audit_rows();
std::span<Option const> improve_rows();
std::span<Option const> output_rows();

/// Of rows whose effect depends on values of others (Option::idle).
std::string routing_seed_idle(ValueOf const& value_of);
std::string fail_seed_idle(ValueOf const& value_of);
std::string mappings_idle(ValueOf const& value_of);
std::string seed_idle(ValueOf const& value_of);
std::string optimal_mappings_idle(ValueOf const& value_of);
std::string worst_case_idle(ValueOf const& value_of);
std::string beside_jobs_idle(ValueOf const& value_of);
std::string shifts_idle(ValueOf const& value_of);
std::string shift_order_idle(ValueOf const& value_of);

std::vector<std::string> topology_names();
std::vector<std::string> routing_names();
std::vector<std::string> pattern_names();
std::vector<std::string> metric_names();
std::vector<std::string> subset_kinds();
std::vector<std::string> mapping_kinds();
std::vector<std::string> adapter_rules();
std::vector<std::string> rail_rules();
std::vector<std::string> spread_kinds();
std::vector<std::string> hash_kinds();
std::vector<std::string> finding_names();
std::vector<std::string> write_formats();

}  // namespace tailback::options
