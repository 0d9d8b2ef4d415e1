// What finders of rows look things up in.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace tailback::stages {

/// Holds the tables that finders were given. Finders have pointers alone: every loop of every mapping has a copy of its
/// own, and copies that share what they own count their owners, on a line that all threads write to.
class FinderTables {
public:
    /// @return where it stays while this or a copy of this exists
    template <class Entry>
    Entry const* keep(std::vector<Entry> table) {
        auto const kept = std::make_shared<std::vector<Entry> const>(std::move(table));
        kept_.push_back(kept);
        return kept->data();
    }

private:
    std::vector<std::shared_ptr<void const>> kept_;
};

}  // namespace tailback::stages
