#include "host/formats/read/told_values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::formats {
namespace {

std::string text_of(ToldValue what, std::uint64_t value) {
    return what == ToldValue::lid ? fmt::format("LID {}", value) : fmt::format("port GUID {:#018x}", value);
}

std::uint64_t key(model::Node node, model::Port port) { return std::uint64_t{node.value} << 8 | port; }

void set(ToldValue what, std::uint64_t value, model::NodeRecord& node) {
    if (what == ToldValue::lid) node.lid = static_cast<model::Lid>(value);
    else node.port_guid = value;
}
void set(ToldValue what, std::uint64_t value, model::HostRecord& host) {
    if (what == ToldValue::lid) host.lid = static_cast<model::Lid>(value);
    else host.port_guid = value;
}

/// A host's port has one cable, and a switch's LID is mistyped in one line: more are two nodes of one GUID.
bool are_two_nodes(ToldValues::Told const& told) { return told.port != 0 || told.values[1].times > 1; }

void note_two_nodes(ToldValues::Told const& told, std::string const& file, model::NetworkBuilder const& builder,
                    model::Disagreements& disagreements) {
    ToldValues::Value const &first = told.values[0], &second = told.values[1];
    model::FabricPlace where = builder.place_of(told.node, told.port);
    where.lids = {static_cast<model::Lid>(first.value), static_cast<model::Lid>(second.value)};
    disagreements.note(
        diagnosis::Code::two_nodes_one_guid, {file, second.line},
        fmt::format("it has LID {} here and LID {} in line {}: two nodes have its GUID, and are taken as "
                    "one, with LID {}",
                    second.value, first.value, first.line, first.value),
        1, where);
}

}  // namespace

void ToldValues::add(model::Node node, model::Port port, std::uint64_t value, std::size_t line) {
    if (value == 0) return;
    auto const [at, is_new] = at_.try_emplace(key(node, port), told_.size());
    if (is_new) told_.push_back({node, port, {}});
    std::vector<Value>& values = told_[at->second].values;
    auto const same = std::ranges::find(values, value, &Value::value);
    if (same != values.end()) ++same->times;
    else values.push_back({value, line, 1});
}

std::vector<ToldValues::Told> ToldValues::contradicted() const {
    std::vector<Told> found;
    for (Told const& told : told_) {
        if (told.values.size() < 2) continue;
        found.push_back(told);
        std::ranges::stable_sort(found.back().values, std::ranges::greater{}, &Value::times);
    }
    return found;
}

void take_most_told(ToldValues const& values, ToldValue what, std::string const& file, model::NetworkBuilder& builder,
                    model::Disagreements& disagreements) {
    std::vector<ToldValues::Told> const all = values.contradicted();
    std::unordered_map<std::uint64_t, model::HostRecord*> host_at;
    if (!all.empty())
        for (model::HostRecord& host : builder.hosts()) host_at.emplace(key(host.node, host.port), &host);
    for (ToldValues::Told const& told : all) {
        ToldValues::Value const& most = told.values.front();
        if (told.port == 0) set(what, most.value, builder.nodes()[told.node]);
        else if (auto const host = host_at.find(key(told.node, told.port)); host != host_at.end())
            set(what, most.value, *host->second);
        if (what == ToldValue::lid && are_two_nodes(told)) {
            note_two_nodes(told, file, builder, disagreements);
            continue;
        }
        for (std::size_t i = 1; i < told.values.size(); ++i)
            disagreements.note(
                what == ToldValue::lid ? diagnosis::Code::lid_told_twice : diagnosis::Code::port_guid_told_twice,
                {file, told.values[i].line},
                fmt::format("it has {} in this line, and {} in {}", text_of(what, told.values[i].value),
                            text_of(what, most.value),
                            most.times == 1 ? fmt::format("line {}, which counts", most.line)
                                            : fmt::format("{} others, which count", most.times)),
                1, builder.place_of(told.node, told.port));
    }
}

}  // namespace tailback::formats
