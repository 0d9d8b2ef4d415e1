#include "host/model/routes/destination_tree.hpp"

#include "kernels/cpu/team.hpp"

namespace tailback {

DestinationTree::DestinationTree(Forwarding const& forwarding, std::vector<std::uint32_t> sources)
    : forwarding_(forwarding),
      starts_(forwarding, std::move(sources), true),
      ports_(forwarding.rows()),
      column_(forwarding.rows()) {
    memory_.resize((scratch_.lay_out(forwarding.rows(), nullptr) + 7) / 8);
    scratch_.lay_out(forwarding.rows(), reinterpret_cast<std::byte*>(memory_.data()));
}

void DestinationTree::grow(Destination destination, bool counts_itself) {
    for (std::uint32_t row = 0; row < rows(); ++row) {
        Port const port = forwarding_.port(row, destination.lid);
        column_[row] = port == ForwardingTables::no_entry ? std::uint16_t{0xFFFF} : static_cast<std::uint16_t>(port);
    }
    grow_from(column_.data(), destination, counts_itself);
}

template <class PortEntry>
void DestinationTree::grow_from(PortEntry const* column, Destination destination, bool counts_itself) {
    constexpr PortEntry none = PortEntry(~PortEntry{0});
    destination_ = destination;
    for (std::uint32_t row = 0; row < rows(); ++row)
        ports_[row] = column[row] == none ? ForwardingTables::no_entry : column[row];
    CpuTeam team;
    std::uint32_t const own = counts_itself ? forwarding_.entry_of(destination.host).row : no_row;
    grow_tree(team, forwarding_.view(), column, starts_.view(), own, forwarding_.arrival_of(destination.host), nullptr,
              scratch_);
}
template void DestinationTree::grow_from(std::uint8_t const*, Destination, bool);
template void DestinationTree::grow_from(std::uint16_t const*, Destination, bool);

}  // namespace tailback
