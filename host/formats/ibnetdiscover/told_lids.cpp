#include "host/formats/ibnetdiscover/told_lids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace tailback::formats::discover {
namespace {

struct ToldLid {
    Neighbour const* first;
    model::Lid own;
    std::size_t times;
};

class LidComparison {
public:
    LidComparison(model::NetworkBuilder& builder, std::span<Identity const> identities, std::string const& file,
                  model::Disagreements& disagreements)
        : builder_(builder), identities_(identities), file_(file), disagreements_(disagreements) {}

    void run(std::span<Neighbour const> neighbours, std::map<std::uint64_t, OddLid>& odd_lids) {
        std::unordered_map<std::uint64_t, model::Host> host_at;
        for (std::size_t h = 0; h < builder_.hosts().size(); ++h)
            host_at.emplace(key(builder_.hosts()[model::Host{h}].node, builder_.hosts()[model::Host{h}].port),
                            model::Host{h});
        std::map<std::uint64_t, ToldLid> told;
        for (Neighbour const& seen : neighbours) {
            Identity const& identity = identities_[seen.identity];
            std::uint64_t const port = key(identity.node, seen.port);
            auto const host = host_at.find(port);
            if (!seen.told || identity.record_line == 0 || (seen.port != 0 && host == host_at.end())) continue;
            if (auto const odd = odd_lids.find(port); odd != odd_lids.end()) {
                if (seen.lid != 0) odd->second.told.push_back(seen.lid);
                continue;
            }
            model::Lid const own =
                seen.port == 0 ? builder_.nodes()[identity.node].lid : builder_.hosts()[host->second].lid;
            unsigned const lmc = seen.port == 0 || own == 0 ? 0 : builder_.hosts()[host->second].lmc;
            if (seen.odd.empty() && seen.lid >= own && seen.lid < own + (1u << lmc)) {
                if (seen.port != 0) compare_port_guid(seen, builder_.hosts()[host->second]);
                continue;
            }
            ToldLid& one = told.emplace(port, ToldLid{&seen, own, 0}).first->second;
            ++one.times;
        }
        for (auto const& [port, one] : told) note_told(one);
        for (auto& [port, odd] : odd_lids) {
            model::Node const node{port >> 8};
            model::Lid& lid = (port & 255) == 0 ? builder_.nodes()[node].lid : builder_.hosts()[host_at.at(port)].lid;
            std::sort(odd.told.begin(), odd.told.end());
            bool const agree = !odd.told.empty() && odd.told.front() == odd.told.back();
            if (agree) lid = odd.told.front();
            model::FabricPlace where = builder_.place_of(node, static_cast<model::Port>(port & 255));
            disagreements_.note(diagnosis::Code::odd_lid, {file_, odd.line},
                                (odd.word == "\"\"" ? std::string("its LID is left out")
                                                    : "its LID is " + odd.word + ", which is none") +
                                    (agree ? "; LID " + std::to_string(lid) + " is taken, as its neighbours have it"
                                           : "; it counts as none"),
                                1, where);
        }
    }

private:
    void compare_port_guid(Neighbour const& seen, model::HostRecord const& own) {
        if (seen.port_guid == 0 || own.port_guid == 0 || seen.port_guid == own.port_guid) return;
        model::FabricPlace where = builder_.place_of(own.node, own.port);
        where.lids = {own.lid};  // tables that tell the LID's owner name one of the two
        disagreements_.note(diagnosis::Code::port_guid_told_twice, {file_, seen.line},
                            fmt::format("its own record says port GUID {:#018x}, its neighbour's {:#018x}; its own "
                                        "counts",
                                        own.port_guid, seen.port_guid),
                            1, where);
    }

    void note_told(ToldLid const& one) {
        auto const text = [](model::Lid lid) {
            return lid == 0 ? std::string("no LID") : "LID " + std::to_string(lid);
        };
        Neighbour const& seen = *one.first;
        model::FabricPlace where = builder_.place_of(identities_[seen.identity].node, seen.port);
        for (model::Lid const lid : {std::min(one.own, seen.lid), std::max(one.own, seen.lid)})
            if (lid != 0) where.lids.push_back(lid);
        if (one.own == 0) where.nodes = {where.node};
        disagreements_.note(diagnosis::Code::lid_told_twice, {file_, seen.line},
                            "its own record says " + text(one.own) + ", " +
                                (one.times == 1 ? "its neighbour's" : std::to_string(one.times) + " neighbours' say") +
                                " " +
                                (seen.odd.empty()     ? text(seen.lid)
                                 : seen.odd == "\"\"" ? std::string("leaves it out")
                                                      : "LID " + seen.odd) +
                                "; its own counts",
                            1, where);
    }

    model::NetworkBuilder& builder_;
    std::span<Identity const> identities_;
    std::string const& file_;
    model::Disagreements& disagreements_;
};

}  // namespace

void compare_lids(model::NetworkBuilder& builder, std::span<Identity const> identities,
                  std::span<Neighbour const> neighbours, std::map<std::uint64_t, OddLid>& odd, std::string const& file,
                  model::Disagreements& disagreements) {
    LidComparison(builder, identities, file, disagreements).run(neighbours, odd);
}

}  // namespace tailback::formats::discover
