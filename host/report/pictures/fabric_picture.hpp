// A network with the loads of its links: of an audit, or of a study.
#pragma once

#include "host/audit/loads/levels.hpp"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tailback::report {

/// What is drawn. The network must outlive it.
struct FabricPicture {
    model::Network const& network;
    audit::Levels levels;
    std::vector<model::Host> hosts;               ///< that take part
    std::vector<std::uint64_t> load;              ///< by link
    std::uint64_t parts = 1;                      ///< of a unit, that loads and ideals are counted in
    std::vector<double> ideal;                    ///< by link: an even share of its stage; 0 = it is on none
    std::map<model::Node, std::uint64_t> faults;  ///< findings at a node, which gets a red frame
    std::string unit;                             ///< of loads: pairs, flows, bytes
    std::string sentence;                         ///< below the title
    std::string digest;                           ///< of the network
};

/// Drawn by levels (or in a ring, where most cables join switches of one level), coloured by load.
void write_fabric_svg(std::ostream& out, FabricPicture const& picture);
/// In Graphviz's language: an edge a link, coloured by load.
void write_fabric_dot(std::ostream& out, FabricPicture const& picture);

enum class LinkPictureForm : std::uint8_t { svg, dot, csv };
/// By the end of a file's name; svg where it has none.
LinkPictureForm link_picture_form(std::string const& file);
/// The network of a report with the loads of its links, drawn or as a table.
template <class Report>
void write_link_picture(std::ostream& out, Report const& report, LinkPictureForm form) {
    switch (form) {
        case LinkPictureForm::svg: return write_fabric_svg(out, picture_of(report));
        case LinkPictureForm::dot: return write_fabric_dot(out, picture_of(report));
        case LinkPictureForm::csv: return write_links_csv(out, report);
    }
}

/// Links from one level to another: `hosts -> level 1`, `level 2 -> level 1`.
std::string stage_name(std::uint32_t from, std::uint32_t to);

/// Load of a link over the ideal of its stage, as a colour: grey = unused, pale blue = below, blue = ideal, orange, red
/// = twice, dark red = four times.
std::string load_colour(std::uint64_t load, double ideal);

}  // namespace tailback::report
