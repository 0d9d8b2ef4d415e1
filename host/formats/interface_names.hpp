// Names of interfaces as vendors write them: whether they are of a router, and which spellings mean one port.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tailback::formats {

/// Of ports in plans of cables that go by numbers.
inline constexpr std::uint64_t greatest_port = 9999;

/// Of a switch or router by its form, in small letters: `swp49`, `sw1p1s0`, `ethernet0`, `ethernet1/1`, `eth1/1`,
/// `et49/1`, `et-0/0/0:1`, `ethernet-1/1`, `hundredgige0/0/0/1`, `te1/0/1`, `400ge1/0/1`, `1/1/c1/1`. False for
/// adapters of hosts (`eth0`, `ens1f0np0`, `ib0`, `mlx5_0`, `hca-1/1`), and for names of no known form.
bool is_router_interface(std::string_view small);

/// Of the network that manages devices, in small letters: `mgmt0`, `management1`, `ma1`, `fxp0`, `em0`, `me0`, `eth0`.
bool is_management_interface(std::string_view small);

/// Equal for spellings of one port: small letters, and short words written out (`Eth1/1`, `Et1/1`: `ethernet1/1`).
std::string folded_interface(std::string_view name);

/// The numbers behind a name's letters: `49` of `swp49`, `1/1` of `Ethernet1/1`; empty where it has no letters, or
/// something else behind its numbers.
std::string_view interface_number(std::string_view name);

}  // namespace tailback::formats
