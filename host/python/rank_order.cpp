#include "host/python/rank_order.hpp"

#include "host/api/outcomes/outcomes.hpp"
#include "host/api/outcomes/schedule_outcome.hpp"
#include "host/base/error.hpp"
#include "host/commands/options/estimate_options.hpp"
#include "host/commands/options/jobs_options.hpp"
#include "host/commands/options/place_options.hpp"
#include "host/commands/options/schedule_options.hpp"
#include "host/io/output_file.hpp"
#include "host/python/apart.hpp"
#include "host/python/arrays.hpp"
#include "host/python/written.hpp"
#include "host/report/queueing/latency_report.hpp"
#include "host/study/fabric_digest.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <pybind11/stl.h>

namespace tailback::python {
namespace {

using RankOrder = report::OrdersReport;

/// @param words as `tailback place` takes them, the network among them. @param progress None, or called with the moves
/// done; where it returns False, the search ends with what it has.
/// @return what was found, and the exception that interrupted it (None: none). @throws InputError
py::tuple place(std::vector<std::string> const& words, py::object const& progress) {
    auto const result = std::make_shared<RankOrder>();
    Interruption interruption;
    apart(
        [words, result, called = py::handle(progress)] {
            commands::PlaceOptions options = commands::parse_place_options(words);
            kernels::StopWish::Scope const wish(Desk::here()->wish());
            options.choice.search.progress = stopping_teller(called);
            *result = api::find_rank_order(options.choice, listener());
        },
        AfterInterrupt::gives_result, &interruption);
    return py::make_tuple(result, interruption.exception());
}

/// Numbers of hosts by rank, of the order found, or of the one that the search began at.
py::array hosts_by_rank(RankOrder const& self, bool found) {
    std::vector<std::uint32_t> hosts;
    std::uint64_t const mapping = found ? self.orders.size() - 1 : 0;
    for (model::Host const host : self.plan->hosts_of_mapping(mapping)) hosts.push_back(host.value);
    return array_of(std::move(hosts));
}

std::string estimate_value(std::vector<std::string> const& words, py::handle called) {
    commands::EstimateOptions options = commands::parse_estimate_options(words);
    options.question.progress = stopping_teller(called);
    api::PreparedStudy const study(options.request, listener());
    queueing::LatencyEstimate const estimate = queueing::estimate_latency(study.plan(), options.question);
    return text_in(report::LatencyReport{study.plan(), options.question, estimate, options.pattern,
                                         study::digest(*study.plan().fabric)},
                   "json");
}

std::string jobs_value(std::vector<std::string> const& words, py::handle called) {
    commands::JobsOptions const options = commands::parse_jobs_options(words);
    api::PreparedJobs const jobs(options.request, listener());
    evaluation::JobsResult const result =
        evaluation::evaluate_jobs(jobs.plan(), jobs.jobs(),
                                  {.threads = options.threads,
                                   .spread = options.spread,
                                   .every_link = jobs.groups() != nullptr,
                                   .progress = stopping_teller(called),
                                   .stop = [desk = Desk::here()] { return desk->stop_asked(); },
                                   .wish = &Desk::here()->wish()});
    if (result.mappings == 0) throw kernels::Stopped();
    if (std::string const text = api::unlike_times(jobs.jobs(), result); !text.empty()) listener().warn(text);
    return text_in(api::make_report(jobs, result, options.spread), "json");
}

std::string schedule_value(std::vector<std::string> const& words, py::handle called) {
    commands::ScheduleOptions const options = commands::parse_schedule_options(words);
    api::PreparedSchedule const prepared(options.request, listener());
    api::ScheduleResult const result = api::run_schedule(
        prepared, options.threads, [desk = Desk::here()] { return desk->stop_asked(); }, stopping_teller(called));
    if (result.seeds.empty()) throw kernels::Stopped();
    return text_in(api::make_report(prepared, result, options.queue, options.select), "json");
}

/// The JSON that a command writes. A Ctrl-C ends it without. @param words as the command takes them. @param progress
/// None, or called with what is done: where it returns False, the JSON is of what is done by then. @throws InputError
std::string value(std::string const& command, std::vector<std::string> const& words, py::object const& progress) {
    auto* const of = command == "estimate" ? &estimate_value : command == "jobs" ? &jobs_value : &schedule_value;
    try {
        return apart([of, words, called = py::handle(progress)] { return of(words, called); });
    } catch (kernels::Stopped const&) {
        throw base::InputError({}, "progress ended the work", "nothing was done by then",
                               "let it return something else than False for longer");
    }
}

}  // namespace

void save_mapping(std::shared_ptr<void const> const& owner, study::StudyPlan const& plan, std::uint64_t mapping,
                  std::string const& words) {
    study::PlacementFile const file = study::read_placement_file("form", words);
    apart([owner, &plan, mapping, file] {
        study::check_placement_names(plan, file.form);
        io::OutputFile out(file.path);
        api::write_mapping(out.stream(), file, plan, mapping, listener().warn);
        out.commit();
    });
}

void declare_rank_orders(py::module_& module) {
    py::class_<RankOrder, std::shared_ptr<RankOrder>> made(module, "RankOrder");
    refuse_new(made);
    module.def("place", &place);
    module.def("value", &value);
    made.def("written",
             [](std::shared_ptr<RankOrder const> const& self, std::string const& format) {
                 return apart([self, format] { return text_in(*self, format); });
             })
        .def("hosts", &hosts_by_rank)
        .def("save", [](std::shared_ptr<RankOrder const> const& self,
                        std::string const& words) { save_mapping(self, *self->plan, self->orders.size() - 1, words); })
        .def_property_readonly("stopped", &RankOrder::was_stopped);
}

}  // namespace tailback::python
