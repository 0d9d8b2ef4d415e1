// Which nodes a new job may have beside those that run, and what they leave it of the links.
#pragma once

#include "host/api/ranks/rank_orders.hpp"

#include <memory>
#include <vector>

namespace tailback::api {

class Surroundings {
public:
    /// @throws InputError for nodes, jobs and files of free nodes that are not understood
    Surroundings(RankOrderChoice const& choice, std::shared_ptr<model::Fabric const> const& fabric,
                 Listener const& listener);

    study::ComputeNodes const& nodes() const { return nodes_; }
    std::vector<char> const& is_free() const { return is_free_; }
    std::uint32_t taken() const;
    /// By number, ascending.
    std::vector<std::uint32_t> free() const;
    BusyLinks& links() { return links_; }
    /// How many run.
    std::uint32_t jobs() const { return jobs_; }

private:
    void find_allowed(Listener const& listener);
    void take_lists();
    void add_jobs(Listener const& listener);
    void leave_out_taken(Listener const& listener);

    RankOrderChoice const& choice_;
    std::shared_ptr<model::Fabric const> fabric_;
    study::ComputeNodes nodes_;
    std::vector<char> is_free_, is_taken_;  ///< by node
    BusyLinks links_;
    std::uint32_t jobs_ = 0;
};

}  // namespace tailback::api
