// The command line of `tailback place`, as values.
#pragma once

#include "host/api/ranks/rank_orders.hpp"
#include "host/commands/options/search_session.hpp"
#include "host/report/forms.hpp"
#include "host/study/plan/write_placement.hpp"

#include <string>
#include <vector>

namespace tailback::commands {

struct PlaceOptions {
    api::RankOrderChoice choice;
    report::Form format = report::Form::text;
    std::string output;
    std::vector<study::PlacementFile> write;  ///< the order found, for launchers
    SearchKeeping keeping;
    std::vector<std::string> inputs;
};

/// Where the order of one of several jobs goes: FILE.NAME.
std::string file_of_job(std::string const& path, std::string const& job);

/// @throws InputError for anything that is not right in itself. Reads files of running jobs.
PlaceOptions parse_place_options(std::vector<std::string> const& arguments);

}  // namespace tailback::commands
