#include "host/model/routes/candidate_sets.hpp"

#include "host/model/routes/lags.hpp"
#include "host/model/tables.hpp"

#include "host/base/error.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tailback::model {
namespace {

std::uint64_t hash_of(std::span<Port const> ports) {
    std::uint64_t sum = ports.size();
    for (Port const port : ports) sum = (sum ^ port) * 0x9E3779B97F4A7C15u, sum ^= sum >> 29;
    return sum;
}

struct Share {
    Port port;
    std::uint64_t places;
};

/// The members of LAGs in a set that keep their cables take what the others had: all places are multiplied until each
/// of them has a whole number more.
void give_to_members(Network const& network, Lags const& lags, Node node, std::vector<Share>& shares) {
    auto const is_cabled = [&](Port port) { return network.link_at(node, port).exists(); };
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (is_cabled(shares[i].port) || shares[i].places == 0) continue;
        std::span<Port const> const lag = lags.of(node, shares[i].port);
        auto const takes = [&](Share const& one) {
            return is_cabled(one.port) && std::ranges::find(lag, one.port) != lag.end();
        };
        auto const takers = static_cast<std::uint64_t>(std::ranges::count_if(shares, takes));
        if (takers == 0) continue;
        std::uint64_t const lost = std::exchange(shares[i].places, 0);
        for (Share& one : shares) one.places = one.places * takers + (takes(one) ? lost : 0);
    }
}

/// The places of a set that are left where some of its ports have lost their cables.
std::vector<Port> cabled_places(Network const& network, Lags const* lags, Node node, std::span<Port const> ports) {
    std::vector<Share> shares;
    for (Port const port : ports) {
        auto const at = std::ranges::find(shares, port, &Share::port);
        if (at == shares.end()) shares.push_back({port, 1});
        else ++at->places;
    }
    if (lags != nullptr) give_to_members(network, *lags, node, shares);
    std::erase_if(shares, [&](Share const& one) { return !network.link_at(node, one.port).exists(); });
    std::uint64_t divisor = 0, places = 0;
    for (Share const& one : shares) divisor = std::gcd(divisor, one.places), places += one.places;
    if (places > CandidateSets::most_places * std::max<std::uint64_t>(divisor, 1))
        throw base::InputError({}, "the weights of a route are too different", "without the cables that fail",
                               "a route may have 65,536 parts of equal weight; let others fail");
    std::vector<Port> left;
    for (Share const& one : shares) left.insert(left.end(), one.places / divisor, one.port);
    return left;
}

}  // namespace

CandidateSets::CandidateSets(std::size_t nodes, std::size_t lids, std::string words, ChosenBy by)
    : words_(std::move(words)), by_(by), lids_(lids), row_(nodes, no_row) {}

void CandidateSets::add_row(Node node) {
    if (has_row(node)) return;
    row_[node.value] = static_cast<std::uint32_t>(rows_.size());
    rows_.emplace_back();
    entries_.resize(entries_.size() + lids_, no_group);
}

CandidateSets::Group CandidateSets::group_of(Node node, std::span<Port const> ports) {
    Row const& row = rows_[row_[node.value]];
    auto const [begin, end] = row.by_hash.equal_range(hash_of(ports));
    for (auto it = begin; it != end; ++it)
        if (std::ranges::equal(this->ports(node, it->second), ports)) return it->second;
    return add_group(node, ports, static_cast<std::uint32_t>(row.number.size()) + 1);
}

CandidateSets::Group CandidateSets::add_group(Node node, std::span<Port const> ports, std::uint32_t number) {
    Row& row = rows_[row_[node.value]];
    if (row.number.size() == most_groups)
        throw base::InputError({}, "a switch has more than 32,766 groups of ports", "", "no switch has so many");
    auto const group = static_cast<Group>(row.number.size());
    row.ports.insert(row.ports.end(), ports.begin(), ports.end());
    row.first.push_back(static_cast<std::uint32_t>(row.ports.size()));
    row.number.push_back(number);
    row.by_hash.emplace(hash_of(this->ports(node, group)), group);
    return group;
}

std::span<Port const> CandidateSets::ports(Node node, Group group) const {
    Row const& row = rows_[row_[node.value]];
    return {row.ports.data() + row.first[group], row.ports.data() + row.first[group + 1]};
}

void CandidateSets::set(Node node, Lid lid, LidState state, Group group) {
    std::uint16_t word = state == LidState::fixed ? no_group : group;
    if (state == LidState::hashed) word |= hashed_bit;
    entries_[std::size_t{row_[node.value]} * lids_ + lid] = word;
}

void keep_cabled_ports(Network const& network, Lags const* lags, ForwardingTables& tables,
                       std::shared_ptr<CandidateSets const>& sets) {
    if (sets == nullptr) return;
    auto kept = std::make_shared<CandidateSets>(*sets);
    for (std::uint32_t n = 0; n < network.nodes().size(); ++n)
        for (Lid lid = 0; lid < sets->lids(); ++lid) {
            Node const node{n};
            CandidateSets::Group const group = sets->group(node, lid);
            if (group == CandidateSets::no_group) continue;
            std::span<Port const> const all = sets->ports(node, group);
            if (std::ranges::all_of(all, [&](Port port) { return network.link_at(node, port).exists(); })) continue;
            std::vector<Port> const ports = cabled_places(network, lags, node, all);
            if (ports.empty()) continue;
            kept->set(node, lid, sets->state(node, lid), kept->group_of(node, ports));
            if (sets->chosen_by() == ChosenBy::hash && !network.link_at(node, tables.port(node, lid)).exists())
                tables.set(node, lid, ports.front());
        }
    sets = std::move(kept);
}

}  // namespace tailback::model
