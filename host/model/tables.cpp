#include "host/model/tables.hpp"

#include "host/base/memory.hpp"
#include "kernels/common/huge_buffer.hpp"

#include <algorithm>
#include <cstring>

namespace tailback::model {

ForwardingTables::ForwardingTables(Network const& network, std::size_t tables)
    : row_(network.nodes().size(), no_row), reserved_(tables), lids_(std::size_t(network.max_lid()) + 1) {
    bool const wide = std::any_of(network.nodes().begin(), network.nodes().end(),
                                  [](NodeRecord const& node) { return node.ports > most_ports; });
    // Wide entries are narrow ones first.
    base::require_memory("forwarding tables", std::uint64_t{reserved_} * lids_ * (wide ? 3 : 1),
                         "choose a smaller network; `tailback evaluate` also works without tables (--routes trees)");
    narrow_.reserve(reserved_ * lids_);
    kernels::wish_for_huge_pages(narrow_.data(), narrow_.capacity());  // routes are looked up all over
}

LinkEnds Fabric::ends(Link link, std::span<Host const> hosts) const {
    if (!formula) return network.ends(link);
    if (link.value < formula->inner) return formula->ends(link.value);
    if (link.value < formula->inner + 4) return {};  // padding and codes
    std::size_t const host_index = link.value - formula->inner - 4;
    return host_index < hosts.size() ? formula->up_link(hosts[host_index].value)
                                     : formula->down_link(hosts[host_index - hosts.size()].value);
}

bool Fabric::between_switches(Link link) const {
    if (formula) return link.value < formula->inner;
    LinkRecord const& record = network[link];
    return network.is_switch(record.from) && network.is_switch(record.to);
}

void ForwardingTables::add_table(Node node) {
    if (row_[node.value] != no_row) return;
    row_[node.value] = static_cast<std::uint32_t>(tables_++);
    if (wide_.empty()) narrow_.resize(tables_ * lids_, 0xFF);
    else wide_.resize(tables_ * lids_, 0xFFFF);
}

void ForwardingTables::set(Node node, Lid lid, Port port) {
    if (lid >= lids_) grow(lid);
    if (wide_.empty() && port != no_entry && port >= 0xFF) widen();
    std::size_t const at = std::size_t(row_[node.value]) * lids_ + lid;
    if (wide_.empty()) narrow_[at] = port == no_entry ? 0xFF : static_cast<std::uint8_t>(port);
    else wide_[at] = port == no_entry ? 0xFFFF : static_cast<std::uint16_t>(port);
}

namespace {

template <class Entry>
void restride(std::vector<Entry>& entries, std::size_t rows, std::size_t reserved_rows, std::size_t old_width,
              std::size_t new_width) {
    entries.reserve(std::max(rows, reserved_rows) * new_width);
    entries.resize(rows * new_width, Entry(~Entry{0}));
    for (std::size_t row = rows;
         row-- > 0;) {  // from the last row down, so that nothing is overwritten before it moved
        Entry* const to = entries.data() + row * new_width;
        std::memmove(to, entries.data() + row * old_width, old_width * sizeof(Entry));
        std::fill(to + old_width, to + new_width, Entry(~Entry{0}));
    }
}

}  // namespace

void ForwardingTables::grow(Lid max_lid) {
    std::size_t const wanted = std::size_t(max_lid) + 1;
    if (wanted <= lids_) return;
    if (wide_.empty()) restride(narrow_, tables_, reserved_, lids_, wanted);
    else restride(wide_, tables_, reserved_, lids_, wanted);
    lids_ = wanted;
}

void ForwardingTables::widen() {
    wide_.reserve(std::max(tables_, reserved_) * lids_);
    kernels::wish_for_huge_pages(wide_.data(), wide_.capacity() * 2);
    wide_.resize(narrow_.size());
    std::transform(narrow_.begin(), narrow_.end(), wide_.begin(),
                   [](std::uint8_t p) { return p == 0xFF ? std::uint16_t{0xFFFF} : std::uint16_t{p}; });
    narrow_ = {};
}

}  // namespace tailback::model
