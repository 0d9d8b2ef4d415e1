// The loads of a study's links together: how evenly they are spread, stage by stage, and what that leaves of the links'
// rates.
#pragma once

#include "host/report/evaluate/evaluate_report.hpp"
#include "host/report/pictures/fabric_picture.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace tailback::report {

/// Numbers of some links, each the mean over the mappings. The standard deviation is that from one link to another, as
/// of a sample (n - 1).
struct Spread {
    double mean = 0, deviation = 0, largest = 0;
};
struct LinkGroup {
    std::string name;  ///< all, between switches, a stage (`level 1 -> level 2`), or a group of nodes
    std::uint64_t links = 0, used = 0;
    Spread load;   ///< bytes, or flows where they have none, of all levels together
    Spread flows;  ///< the same without bytes
    /// Mean load/capacity, as a fraction of the largest of any link: how busy these links are while the most loaded one
    /// is.
    double utilisation = 0;
};

struct LinkLoads {
    LinkGroup all, between_switches;
    std::vector<LinkGroup> stages;  ///< by level, upwards before downwards; empty where the network is a formula
    std::vector<LinkGroup> groups;  ///< links that leave a group's nodes, in the order of Report::groups
    /// Bytes of a mapping's delivered flows / mean load/capacity of all links, in links: the throughput if all links
    /// were as loaded as the mean (INRFlow's aggregate throughput that is not restricted by the bottleneck). None where
    /// the bytes that were delivered are not known.
    std::optional<double> unrestricted_throughput;
};
/// Needs a metric that sums up links.
LinkLoads link_loads(Report const& report);
/// Its sums of links: how many are used, stage by stage and group by group, and the busiest.
void add_links(Document& document, Report const& report, bool are_loads);

/// Links with their loads over all mappings, coloured against an even share of their stage.
/// @throws InputError where the network is a formula.
FabricPicture picture_of(Report const& report);
/// @throws InputError as picture_of does, but for CSV.
void check_link_picture(study::StudyPlan const& plan, LinkPictureForm form);

/// One row a link: from, from_port, to, to_port, stage, load, flows (means over the mappings), share of the largest.
void write_links_csv(std::ostream& out, Report const& report);

}  // namespace tailback::report
