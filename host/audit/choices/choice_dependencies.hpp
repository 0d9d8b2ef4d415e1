// Who waits for whom where switches choose: every link by which packets for a destination may come waits for every link
// by which they may go on.
#pragma once

#include "host/audit/deadlock/channel_dependencies.hpp"
#include "host/model/routes/choice_graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::audit {

/// One thread's work, on one lane. Both must outlive it.
class ChoiceDependencies {
public:
    ChoiceDependencies(model::ChoiceGraph const& graph, ChannelDependencies& dependencies)
        : graph_(graph), dependencies_(dependencies), into_(graph.rows()) {}

    /// Of a class of destinations, from where a walk started. @param column of the class
    void add(model::ChoiceWalk const& walk, std::span<std::uint32_t const> column) {
        for (std::uint32_t const row : walk.order()) {
            if (model::ChoiceGraph::is_mark(column[row])) continue;
            for (model::ChoiceGraph::Option const& option : graph_.options(column[row]))
                if (option.target < kernels::arrival_bit) into_[option.target].push_back(option.link);
        }
        for (std::uint32_t const row : walk.order()) {
            if (!model::ChoiceGraph::is_mark(column[row]))
                for (model::ChoiceGraph::Option const& option : graph_.options(column[row]))
                    if (option.target < kernels::arrival_bit)
                        for (model::Link const in : into_[row]) dependencies_.add(in, 0, row, option.port, 0);
            into_[row].clear();
        }
    }

private:
    model::ChoiceGraph const& graph_;
    ChannelDependencies& dependencies_;
    std::vector<std::vector<model::Link>> into_;  // by row
};

}  // namespace tailback::audit
