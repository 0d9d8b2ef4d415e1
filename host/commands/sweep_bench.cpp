// A network is read or made once, routed once for each routing, and its routes are packed once for the same hosts.
#include "host/commands/sweep_bench.hpp"

#include "host/commands/study_files.hpp"
#include "host/error.hpp"

#include <nlohmann/json.hpp>

#include <sstream>

namespace tailback {
namespace {

void no_note(std::string const&) {}  // the row says it

}  // namespace

void SweepBench::tell_network_warnings() const {
    for (std::string const& warning : network_warnings_) tell("warning", warning);
}

void SweepBench::turn_to(CheckedPoint const& point, bool keep_network) {
    if (fabric_number_ == point.fabric) {
        tell_network_warnings();
        if (broken_fabric_ == point.fabric) throw InputError({}, why_broken_, "", "");
        return;
    }
    plan_.reset();
    facts_ = {};
    fabric_.reset();
    regular_.reset();
    fabric_number_ = point.fabric;
    if (network_number_ != point.network) {
        network_.reset();
        network_warnings_.clear();
    }
    network_number_ = point.network;
    EvaluateOptions const& options = point.options;
    bool const named_hosts = !options.mapping_file.empty() || !options.subset_file.empty();
    try {
        if (broken_network_ == point.network) throw InputError({}, why_broken_, "", "");
        regular_ = obtain_regular(options.input, options.routes, named_hosts, no_note);
        if (regular_) return;
        if (!network_) {
            broken_network_ = point.network;
            network_ = obtain_network(options.input, [&](std::string const& warning) { network_warnings_.push_back(warning); });
            broken_network_.reset();
        }
        tell_network_warnings();
        if (keep_network) {
            fabric_ = route_network(*network_, options.input, true, options.routes, no_note);
        } else {
            NetworkInput last = std::move(*network_);
            network_.reset();
            fabric_ = route_network(std::move(last), options.input, true, options.routes, no_note);
        }
    } catch (InputError const& error) {
        broken_fabric_ = point.fabric;
        why_broken_ = error.what();
        throw;
    }
}

StudyPlan SweepBench::plan_of(CheckedPoint const& point) const {
    Study const study = complete_study(point.options, fabric_ ? fabric_->network : Network{});
    StudyPlan plan = regular_ ? make_plan(*regular_, study)
                              : make_plan(*fabric_, study, std::size_t{4} << 30, plan_ ? &*plan_ : nullptr);
    settle_mappings(plan, point.options);
    return plan;
}

std::string SweepBench::report_of(CheckedPoint const& point, ExecutionOptions const& execution, bool keep_network) {
    turn_to(point, keep_network);
    StudyPlan plan = plan_of(point);
    bool const same_hosts = plan_ && plan_->seats == plan.seats;
    plan_ = std::move(plan);
    if (!same_hosts) {
        facts_.failed = failed_pairs(*plan_, named_pairs);
        if (facts_.digest.empty()) facts_.digest = regular_ ? digest(*regular_) : digest(*fabric_);
    }
    Evaluation result = evaluate(*plan_, execution);
    if (result.interrupted) return "";
    result.links.clear();  // a table of points holds no table of links
    std::ostringstream json;
    write_json_report(json, make_report(*plan_, result, facts_));
    return nlohmann::ordered_json::parse(json.str()).dump();
}

}  // namespace tailback
