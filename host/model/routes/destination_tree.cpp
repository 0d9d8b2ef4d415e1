#include "host/model/routes/destination_tree.hpp"

#include "kernels/cpu/fast/team.hpp"

namespace tailback::model {

DestinationTree::DestinationTree(Forwarding const& forwarding, Senders const& senders, TreeRows tells_of)
    : forwarding_(forwarding),
      senders_(senders),
      starts_(tells_of == TreeRows::all ? senders.all_rows() : senders.rows()),
      window_(forwarding) {
    memory_.resize((scratch_.lay_out(forwarding.rows(), nullptr) + 7) / 8);
    scratch_.lay_out(forwarding.rows(), reinterpret_cast<std::byte*>(memory_.data()));
}

template <class NextOf>
void DestinationTree::grow_with(std::uint32_t own_row, NextOf const& next_of) {
    kernels::CpuTeam team;
    kernels::grow_tree(
        team, starts_, own_row, next_of, [](std::uint32_t) { return std::uint8_t{0}; }, scratch_);
}

void DestinationTree::grow(Destination destination) {
    destination_ = destination;
    column_ = window_.column(destination.lid);
    kernels::ForwardingView const& view = forwarding_.view();
    std::uint32_t const arrival = forwarding_.arrival_of(destination.host);
    grow_with(senders_.row_of(destination.host),
              [&](std::uint32_t row) { return kernels::next_row(view, row, column_[row], arrival); });
}

void DestinationTree::grow_towards_row(Lid lid, std::uint32_t row) {
    destination_ = {lid, Host{}};
    column_ = window_.column(lid);
    kernels::ForwardingView const& view = forwarding_.view();
    grow_with(row, [&](std::uint32_t from) {
        return from == row ? kernels::ends_delivered
                           : kernels::next_row(view, from, column_[from], kernels::no_endpoint);
    });
}

}  // namespace tailback::model
