#include "host/python/study.hpp"

#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/options/evaluate_options.hpp"
#include "host/python/apart.hpp"
#include "host/python/rank_order.hpp"
#include "host/python/written.hpp"
#include "host/simulation/executor.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <sstream>

namespace tailback::python {
namespace {

constexpr std::size_t scored_at_once = 256;  // mappings

/// The hosts of mappings. @throws InputError for one that is none, and for one that stands twice in a mapping
std::vector<model::Host> hosts_of(Mappings const& mappings, std::size_t ranks, std::uint64_t hosts) {
    std::vector<model::Host> list;
    list.reserve(std::size_t(mappings.size()));
    std::vector<std::size_t> seen(std::size_t(hosts), 0);  // the last mapping that has the host, from 1
    for (py::ssize_t i = 0; i < mappings.size(); ++i) {
        std::int64_t const host = mappings.data()[i];
        if (host < 0 || std::uint64_t(host) >= hosts)
            throw base::InputError({}, "a mapping has no host " + std::to_string(host),
                                   "the fabric has " + std::to_string(hosts) + ", counted from 0", "");
        std::size_t const mapping = std::size_t(i) / ranks + 1;
        if (seen[std::size_t(host)] == mapping)
            throw base::InputError({}, "a mapping has host " + std::to_string(host) + " twice", "",
                                   "a host takes one rank");
        seen[std::size_t(host)] = mapping;
        list.push_back(model::Host{std::size_t(host)});
    }
    return list;
}

/// The two sizes of mappings; one mapping may come without the first. @throws InputError
std::pair<std::size_t, std::size_t> shape_of(Mappings const& mappings) {
    if (mappings.ndim() == 1 && mappings.size() > 0) return {1, std::size_t(mappings.shape(0))};
    if (mappings.ndim() != 2 || mappings.size() == 0)
        throw base::InputError({}, "mappings have the wrong shape", "an array [mapping][rank] of hosts is meant", "");
    return {std::size_t(mappings.shape(0)), std::size_t(mappings.shape(1))};
}

/// Refuses what does not fit into memory. @throws InputError
void require_numbers(std::uint64_t mappings, std::size_t metrics) {
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(mappings, metrics * sizeof(double), &bytes)) bytes = UINT64_MAX;
    base::require_memory("the numbers of " + base::counted(mappings, "mapping", "mappings"), bytes,
                         "evaluate fewer, or without per_mapping=True, which keeps a histogram");
}

using KeptEvaluation = std::shared_ptr<Evaluation const>;

std::string evaluated_in(KeptEvaluation const& evaluation, std::string const& format) {
    return apart([evaluation, format] { return text_in(evaluation->report(), format); });
}

std::string picture_of(KeptEvaluation const& evaluation, std::optional<std::string> const& name) {
    std::optional<study::Metric> const metric =
        name ? study::metric_named(*name) : evaluation->study->plan().study.first_number();
    if (!metric || !evaluation->result.numbers.contains(*metric))
        throw base::InputError({}, "there is nothing to draw", "no metric of the study has one number a mapping",
                               "ask for hist_acc_band");
    return apart([evaluation, metric = *metric] {
        std::ostringstream out;
        report::write_svg_histogram(out, evaluation->report(), metric);
        return out.str();
    });
}

/// By link: the sum of all mappings' loads.
py::array link_sums(std::shared_ptr<Evaluation> const& self) {
    std::vector<evaluation::LinkSum> const& links = self->result.links;
    if (links.empty())
        throw base::InputError({}, "the study has no sums over links", "its metrics do not ask for them",
                               "add get_cable_cong to metrics");
    return view_of(self, &links.front().sum, links.size(), sizeof(evaluation::LinkSum));
}

py::array numbers_by_mapping(std::shared_ptr<Evaluation> const& self, std::string const& metric) {
    auto const at = self->per_mapping.find(study::metric_named(metric));
    if (at == self->per_mapping.end())
        throw base::InputError({}, "the numbers of every mapping were not kept", "",
                               "evaluate with per_mapping=True and a metric that has one number a mapping");
    return view_of(self, at->second.data(), at->second.size());
}

/// Distinct numbers of a metric, and mappings, or flows, that have them.
py::tuple histogram_of(Evaluation const& self, std::string const& name) {
    study::Metric const metric = study::metric_named(name);
    std::vector<double> values;
    std::vector<std::uint64_t> counts;
    std::vector<std::pair<double, std::uint64_t>> pairs;
    if (auto const at = self.result.numbers.find(metric); at != self.result.numbers.end()) pairs = at->second.values();
    else if (auto const of = self.result.flows.find(metric); of != self.result.flows.end()) pairs = of->second.counts;
    else
        throw base::InputError({}, "the study has no histogram of " + name, "it was not asked for",
                               "add it to metrics");
    for (auto const& [value, count] : pairs) values.push_back(value), counts.push_back(count);
    return py::make_tuple(array_of(std::move(values)), array_of(std::move(counts)));
}

py::array hosts_of_mapping(Evaluation const& self, std::uint64_t mapping) {
    study::Study const& study = self.study->plan().study;
    if (study.placement.mapping == study::MappingKind::listed &&
        mapping >= study.placement.mapping_hosts.size() / study.placement.ranks)
        throw base::InputError(
            {}, "there is no mapping " + std::to_string(mapping),
            std::to_string(study.placement.mapping_hosts.size() / study.placement.ranks) + " were given", "");
    std::vector<std::uint32_t> hosts;
    for (model::Host const host : self.study->plan().hosts_of_mapping(mapping)) hosts.push_back(host.value);
    return array_of(std::move(hosts));
}

/// The mapping with the best, or the worst, of the numbers that a report begins with.
std::uint64_t extreme_of(Evaluation const& self, bool best) {
    std::optional<study::Metric> const first = self.study->plan().study.first_number();
    auto const at = first ? self.result.numbers.find(*first) : self.result.numbers.end();
    if (at == self.result.numbers.end())
        throw base::InputError({}, "the study has no number of each mapping", "", "add hist_acc_band to metrics");
    if (auto const found = best ? at->second.best_mapping() : at->second.worst_mapping()) return *found;
    throw base::InputError({}, "no mapping has a number", "no flow is delivered over the network in any", "");
}

}  // namespace

void give_mappings(api::StudyRequest& request, model::Fabric const& fabric, Mappings const& mappings) {
    auto const [count, ranks] = shape_of(mappings);
    if (!request.mapping_file.empty())
        throw base::InputError({}, "mapping is given twice", "as a file and as an array", "give only one of them");
    if (request.study.placement.ranks != 0 && request.study.placement.ranks != ranks)
        throw base::InputError({},
                               "ranks=" + std::to_string(request.study.placement.ranks) + " does not fit the mappings",
                               "they have " + std::to_string(ranks), "leave out ranks");
    request.study.placement.ranks = static_cast<std::uint32_t>(ranks);
    request.study.placement.mapping = study::MappingKind::listed;
    request.study.placement.mapping_hosts = hosts_of(mappings, ranks, fabric.endpoints());
    request.study.sample.mappings = count;
    request.mappings_given = true;
}

Scorer::Scorer(api::PreparedStudy const& study, unsigned threads) : tallies_(scored_at_once) {
    study::StudyPlan const& asked = study.plan();
    model::Fabric const& fabric = *asked.fabric;
    std::uint32_t const ranks = asked.study.placement.ranks;
    // Every host that may be asked for is in some mapping, so that routes to all of them are there.
    std::vector<model::Host> const hosts =
        asked.study.placement.subset == study::SubsetKind::listed
            ? asked.study.placement.subset_hosts
            : model::usable_hosts(fabric, asked.study.placement.aggregation_nodes_are_hosts);
    study::Study listed = asked.study;
    listed.placement.mapping = study::MappingKind::listed;
    listed.placement.mapping_hosts = hosts;
    while (listed.placement.mapping_hosts.size() % ranks != 0)
        listed.placement.mapping_hosts.push_back(hosts[listed.placement.mapping_hosts.size() - hosts.size()]);
    // On compute nodes ranks may share a host: there is a mapping that does.
    if (listed.placement.nodes)
        listed.placement.mapping_hosts.insert(listed.placement.mapping_hosts.end(), ranks, hosts.front());
    listed.sample.first_mapping = 0;
    listed.sample.mappings = listed.placement.mapping_hosts.size() / ranks;
    listed.sample.until.reset();
    listed.traffic.may_leave_flows_unlisted = false;  // several ranks may run on a host
    plan_ = study::make_plan(fabric, listed);
    index_of_host_.assign(std::size_t(fabric.endpoints()), model::Host::none_value);
    for (std::size_t i = 0; i < plan_.study_hosts.size(); ++i)
        index_of_host_[plan_.study_hosts[i].value] = static_cast<std::uint32_t>(i);
    seen_.assign(plan_.study_hosts.size(), 0);
    listed_.assign(scored_at_once * ranks, 0);
    problem_ = plan_.problem;
    problem_.placement.listed = listed_.data();
    problem_.placement.listed_mappings = scored_at_once;
    auto const make = [&](unsigned count) {
        return plan_.study.measures.timing.is_simulated() ? simulation::make_executor(plan_, problem_, count)
                                                          : kernels::make_cpu_executor(problem_, count);
    };
    executor_ = make(threads);
    if (threads != 1) alone_ = make(1);
}

void Scorer::take(std::int64_t const* hosts, std::size_t mappings) {
    std::size_t const ranks = plan_.study.placement.ranks;
    for (std::size_t m = 0; m < mappings; ++m) {
        ++now_;
        for (std::size_t r = 0; r < ranks; ++r) {
            std::int64_t const host = hosts[m * ranks + r];
            std::uint32_t const index = host < 0 || std::uint64_t(host) >= index_of_host_.size()
                                            ? model::Host::none_value
                                            : index_of_host_[std::size_t(host)];
            if (index == model::Host::none_value)
                throw base::InputError({}, "a mapping has host " + std::to_string(host),
                                       "the study has " + std::to_string(plan_.study_hosts.size()) + " hosts, not this",
                                       "give numbers of Fabric.hosts, or a study of more hosts");
            if (seen_[index] == now_ && !plan_.study.placement.nodes)
                throw base::InputError({}, "a mapping has host " + std::to_string(host) + " twice",
                                       "a host takes one rank, unless the study runs on compute nodes",
                                       "give nodes or ranks_per_node to the study");
            seen_[index] = now_;
            listed_[m * ranks + r] = index;
        }
    }
}

py::array Scorer::score(Mappings const& mappings, study::Metric metric) {
    auto const [count, ranks] = shape_of(mappings);
    if (ranks != plan_.study.placement.ranks)
        throw base::InputError({}, "mappings have " + std::to_string(ranks) + " ranks",
                               "the study has " + std::to_string(plan_.study.placement.ranks), "");
    if (!plan_.study.wants(metric) || !study::info_of(metric).number)
        throw base::InputError({}, "the study does not ask for this metric as a number of each mapping",
                               study::info_of(metric).name, "add it to metrics");
    if (count <= scored_at_once && !is_forked()) {
        std::vector<double> numbers;
        without_gil([&] { numbers = numbers_of({mappings.data(), std::size_t(mappings.size())}, metric); });
        return array_of(std::move(numbers));
    }
    std::vector<std::int64_t> copy(mappings.data(), mappings.data() + mappings.size());
    return array_of(apart(
        [self = shared_from_this(), hosts = std::move(copy), metric] { return self->numbers_of(hosts, metric); }));
}

std::vector<double> Scorer::numbers_of(std::span<std::int64_t const> hosts, study::Metric metric) {
    std::lock_guard const lock(mutex_);
    std::size_t const ranks = plan_.study.placement.ranks, count = hosts.size() / ranks;
    std::vector<double> numbers(count);
    auto const stop = kernels::StopWish::now();
    for (std::size_t done = 0; done < count; done += scored_at_once) {
        stop.heed();
        std::size_t const now = std::min(scored_at_once, count - done);
        take(hosts.data() + done * ranks, now);
        (now == 1 && alone_ ? alone_ : executor_)->evaluate(0, std::span(tallies_).first(now));
        for (std::size_t m = 0; m < now; ++m) numbers[done + m] = evaluation::number_of(plan_, metric, tallies_[m]);
    }
    return numbers;
}

Study::Study(std::shared_ptr<Fabric> fabric, std::vector<std::string> words, std::optional<Mappings> const& mappings) {
    words.insert(words.begin(), fabric->words().begin(), fabric->words().end());
    commands::EvaluateOptions options = commands::parse_study_options(options::evaluate, words);
    options.request.study.traffic.may_leave_flows_unlisted = true;
    device_ = options.device;
    threads_ = options.threads;
    if (mappings) give_mappings(options.request, *fabric->studied(), *mappings);
    prepared_ = apart([request = std::move(options.request), fabric = fabric->studied(), device = device_] {
        evaluation::check_device(device);
        return std::make_shared<api::PreparedStudy const>(request, fabric, listener(), device);
    });
}

py::tuple Study::evaluate(py::object progress, bool keep) {
    auto const found = std::make_shared<Evaluation>();
    found->study = prepared_;
    if (keep) {
        for (study::MetricInfo const& info : study::all_metrics())
            if (info.number && plan().study.wants(info.metric)) found->per_mapping[info.metric];
        std::uint64_t const mappings = plan().study.sample.until ? 0 : plan().study.sample.mappings;
        require_numbers(mappings, found->per_mapping.size());
        for (auto& [metric, numbers] : found->per_mapping) numbers.reserve(std::size_t(mappings));
    }
    Interruption interruption;
    apart(
        [found, keep, device = device_, threads = threads_, tell = teller(progress)] {
            study::StudyPlan const& plan = found->study->plan();
            evaluation::ExecutionOptions execution{.device = device, .threads = threads};
            execution.stop = [desk = Desk::here()] { return desk->stop_asked(); };
            execution.progress = tell;
            if (keep)
                execution.per_mapping = [&](std::uint64_t, std::span<kernels::MappingTally const> row) {
                    kernels::MappingTally const& tally = row.front();

                    for (auto& [metric, numbers] : found->per_mapping) {
                        if (numbers.size() == numbers.capacity())  // it is not known how many come
                            require_numbers(2 * numbers.size(), found->per_mapping.size());
                        numbers.push_back(evaluation::number_of(plan, metric, tally));
                    }
                };
            found->result = api::evaluate(*found->study, execution);
        },
        AfterInterrupt::gives_result, &interruption);
    if (found->result.interrupted && found->result.mappings == 0 && interruption.met()) interruption.raise();
    return py::make_tuple(found, interruption.exception());
}

py::array Study::score(Mappings const& mappings, std::string const& metric) {
    if (!scorer_) {
        auto const made =
            apart([study = prepared_, threads = threads_] { return std::make_shared<Scorer>(*study, threads); });
        if (!scorer_) scorer_ = made;
    }
    if (!metric.empty()) return scorer_->score(mappings, study::metric_named(metric));
    std::optional<study::Metric> const first = plan().study.first_number();
    if (!first)
        throw base::InputError({}, "the study has no number of each mapping", "", "add hist_acc_band to metrics");
    return scorer_->score(mappings, *first);
}

void declare_study(py::module_& module) {
    py::class_<Study, std::shared_ptr<Study>> made(module, "Study");
    refuse_new(made);
    module.def("study", [](std::shared_ptr<Fabric> fabric, std::vector<std::string> words,
                           std::optional<Mappings> const& mappings) {
        return std::make_shared<Study>(std::move(fabric), std::move(words), mappings);
    });
    made.def("evaluate", &Study::evaluate)
        .def("score", &Study::score)
        .def_property_readonly("ranks", [](Study const& s) { return s.plan().study.placement.ranks; })
        .def_property_readonly("mappings", [](Study const& s) { return s.plan().study.sample.mappings; });
    py::class_<Evaluation, std::shared_ptr<Evaluation>> evaluated(module, "Evaluation");
    refuse_new(evaluated);
    evaluated.def("written", &evaluated_in)
        .def("picture", &picture_of)
        .def("link_sums", &link_sums)
        .def("numbers_by_mapping", &numbers_by_mapping)
        .def("histogram", &histogram_of)
        .def("hosts_of_mapping", &hosts_of_mapping)
        .def("extreme", &extreme_of)
        .def("save_mapping", [](KeptEvaluation const& self, std::uint64_t mapping,
                                std::string const& words) { save_mapping(self, self->study->plan(), mapping, words); })
        .def_property_readonly("metrics",
                               [](Evaluation const& e) {
                                   std::vector<std::string> names;
                                   for (study::Metric const metric : e.study->plan().study.measures.metrics)
                                       names.push_back(study::info_of(metric).name);
                                   return names;
                               })
        .def_property_readonly("mappings", [](Evaluation const& e) { return e.result.mappings; })
        .def_property_readonly("seconds", [](Evaluation const& e) { return e.result.evaluate_s; });
}

}  // namespace tailback::python
