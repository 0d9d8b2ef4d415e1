// LIDs collected in ascending order, as ranges; of very many only the first ranges and the count.
#pragma once

#include "host/model/tables.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tailback::audit {

class LidList {
public:
    static constexpr std::size_t ranges_kept = 8;

    /// `lid` is not less than any before; the same one again changes nothing.
    void add(model::Lid lid);
    std::uint64_t count() const { return count_; }
    model::Lid first() const { return ranges_.empty() ? 0 : ranges_.front().first; }
    /// First and last of each range, at most `ranges_kept`.
    std::vector<std::pair<model::Lid, model::Lid>> const& ranges() const { return ranges_; }
    /// Does it list all that the other lists, which are all of it?
    bool holds(LidList const& other) const;
    /// `LID 21`, `LIDs 8, 12-15`, `LIDs 1-3, 5, 7 and 40 more`.
    std::string text() const;
    /// In an IP fabric addresses of hosts: `10.0.1.2`, `10.0.1.2, 10.0.2.2 and 38 more`; elsewhere LIDs.
    std::string text(model::Fabric const& fabric) const;

private:
    std::vector<std::pair<model::Lid, model::Lid>> ranges_;
    std::uint64_t count_ = 0;
    model::Lid last_ = 0;
};

}  // namespace tailback::audit
