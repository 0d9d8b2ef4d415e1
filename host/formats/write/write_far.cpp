// The form of ibdiagnet2.far: groups of every switch, and its entries with their states and groups.
#include "host/base/error.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/write/identity.hpp"
#include "host/model/routes/candidate_sets.hpp"

#include <fmt/format.h>

#include <ostream>

namespace tailback::formats {

void write_far(std::ostream& out, model::Fabric const& fabric) {
    if (fabric.candidates == nullptr)
        throw base::InputError({}, "there are no candidate sets to write", "the routing leaves switches no choice",
                               "choose ar:minimal, ar:updn or ar:ftree");
    model::Network const& net = fabric.network;
    model::CandidateSets const& sets = *fabric.candidates;
    FabricIdentity const identity(net);
    check_fits_infiniband(net, identity);
    check_only_switches_choose(fabric.tables, net);
    model::Lid const top = std::min(net.max_lid(), model::max_unicast_lid);
    out << "File version: 1\n\n";
    std::string text;
    for (std::size_t i = 0; i < net.nodes().size(); ++i) {
        model::Node const n{i};
        if (!net.is_switch(n) || !sets.has_row(n)) continue;
        text = fmt::format("Switch {:#018x} LID {} \"{}\"\n", identity.guid[n], identity.switch_lid[n], net[n].name);
        text += "Groups Definition:\nGroup  Sub Group  WHBF  Ports\n----------------------------\n";
        for (std::size_t g = 0; g < sets.groups(n); ++g) {
            auto const group = static_cast<model::CandidateSets::Group>(g);
            text += fmt::format("{:<5}  {:<9}  {:<4}  ", sets.number(n, group), 0, 0);
            for (model::Port const port : sets.ports(n, group)) text += fmt::format("{},", port);
            text += '\n';
        }
        model::Lid last = top;
        while (last > 1 && fabric.tables.port(n, last) == model::ForwardingTables::no_entry) --last;
        text += fmt::format("\nLFT Definition:\nPLFT_NUM: 0, top: {:#06x}\n", last);
        text += "LID     Static Port  Lid State  Group\n-------------------------------------\n";
        for (model::Lid lid = 1; lid <= last; ++lid) {
            model::Port const port = fabric.tables.port(n, lid);
            if (port == model::ForwardingTables::no_entry) continue;
            model::LidState const state = sets.state(n, lid);
            char const* const word = state == model::LidState::fixed  ? "Static"
                                     : state == model::LidState::free ? "Free"
                                                                      : "HBF";
            text += fmt::format("{:#06x}  {:<11}  ", lid, port);
            if (state == model::LidState::fixed) text += word;
            else text += fmt::format("{:<9}  {}", word, sets.number(n, sets.group(n, lid)));
            text += '\n';
        }
        out << text << '\n';
    }
}

}  // namespace tailback::formats
