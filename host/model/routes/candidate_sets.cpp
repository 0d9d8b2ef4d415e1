#include "host/model/routes/candidate_sets.hpp"

#include "host/model/tables.hpp"

#include "host/base/error.hpp"

#include <algorithm>

namespace tailback::model {
namespace {

std::uint64_t hash_of(std::span<Port const> ports) {
    std::uint64_t sum = ports.size();
    for (Port const port : ports) sum = (sum ^ port) * 0x9E3779B97F4A7C15u, sum ^= sum >> 29;
    return sum;
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

void keep_cabled_ports(Network const& network, ForwardingTables& tables, std::shared_ptr<CandidateSets const>& sets) {
    if (sets == nullptr) return;
    auto kept = std::make_shared<CandidateSets>(*sets);
    for (std::uint32_t n = 0; n < network.nodes().size(); ++n)
        for (Lid lid = 0; lid < sets->lids(); ++lid) {
            Node const node{n};
            CandidateSets::Group const group = sets->group(node, lid);
            if (group == CandidateSets::no_group) continue;
            std::vector<Port> ports(sets->ports(node, group).begin(), sets->ports(node, group).end());
            bool const lost =
                std::erase_if(ports, [&](Port port) { return !network.link_at(node, port).exists(); }) > 0;
            if (!lost || ports.empty()) continue;
            kept->set(node, lid, sets->state(node, lid), kept->group_of(node, ports));
            if (sets->chosen_by() == ChosenBy::hash && !network.link_at(node, tables.port(node, lid)).exists())
                tables.set(node, lid, ports.front());
        }
    sets = std::move(kept);
}

}  // namespace tailback::model
