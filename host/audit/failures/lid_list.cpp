#include "host/audit/failures/lid_list.hpp"

#include "host/model/routes/fabric_words.hpp"

#include <algorithm>

namespace tailback::audit {

void LidList::add(model::Lid lid) {
    if (count_ > 0 && lid == last_) return;
    bool const next = count_ > 0 && lid == last_ + 1;
    last_ = lid;
    ++count_;
    if (next && ranges_.back().second + 1 == lid) ranges_.back().second = lid;
    else if (ranges_.size() < ranges_kept) ranges_.emplace_back(lid, lid);
}

bool LidList::holds(LidList const& other) const {
    std::uint64_t listed = 0;
    for (auto const& [low, high] : other.ranges_) {
        listed += high - low + 1;
        if (std::ranges::none_of(ranges_, [&, first = low, last = high](auto const& one) {
                return one.first <= first && last <= one.second;
            }))
            return false;
    }
    return listed == other.count_;
}

std::string LidList::text() const {
    std::string text = count_ == 1 ? "LID " : "LIDs ";
    std::uint64_t shown = 0;
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
        auto const& [low, high] = ranges_[i];
        shown += high - low + 1;
        if (i > 0) text += ", ";
        text += std::to_string(low);
        if (high > low) text += (high == low + 1 ? ", " : "-") + std::to_string(high);
    }
    if (count_ > shown) text += " and " + std::to_string(count_ - shown) + " more";
    return text;
}

std::string LidList::text(model::Fabric const& fabric) const {
    if (fabric.ip == nullptr) return text();
    constexpr std::uint64_t most_named = 4;
    std::string text, last;
    std::uint64_t addresses = 0, lids = 0;
    for (auto const& [low, high] : ranges_)
        for (model::Lid lid = low; lid <= high; ++lid, ++lids) {
            std::string const address = model::destination_text(fabric, lid);
            if (address == last) continue;  // another cable of the same host
            if (addresses++ < most_named) text += (addresses > 1 ? ", " : "") + address;
            last = address;
        }
    std::uint64_t const more = addresses - std::min(addresses, most_named) + (count_ - lids);
    return more > 0 ? text + " and " + std::to_string(more) + " more" : text;
}

}  // namespace tailback::audit
