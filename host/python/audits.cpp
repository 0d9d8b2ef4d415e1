#include "host/python/audits.hpp"

#include "host/api/audit.hpp"
#include "host/api/diff.hpp"
#include "host/base/error.hpp"
#include "host/commands/options/audit_options.hpp"
#include "host/commands/options/evaluate_options.hpp"
#include "host/commands/options/schedule_options.hpp"
#include "host/python/arrays.hpp"
#include "host/python/listeners.hpp"
#include "host/report/audit_report.hpp"
#include "host/report/diff/diff_report.hpp"
#include "host/sweep/evaluate_points.hpp"
#include "host/sweep/journal.hpp"
#include "host/sweep/sweep_table.hpp"

#include <pybind11/stl.h>

#include <sstream>

namespace tailback::python {
namespace {

struct AuditResult {
    commands::AuditOptions options;
    std::unique_ptr<api::FabricAudit> audit;

    report::AuditReport report() const {
        return report::make_audit_report(audit->found(), options.fail_on, options.top);
    }
};

/// @param words as `tailback audit` takes them, the network among them. @throws InputError
std::shared_ptr<AuditResult> audit(std::vector<std::string> const& words, bool name_permutation) {
    auto const result = std::make_shared<AuditResult>();
    api::AuditListener telling;
    static_cast<api::Listener&>(telling) = listener();
    py::gil_scoped_release const free;
    result->options = commands::parse_audit_options(words);
    result->options.choice.worst_case.name_permutation = name_permutation;
    result->audit = std::make_unique<api::FabricAudit>(result->options.choice, telling);
    return result;
}

std::string audit_in(AuditResult const& self, std::string const& format) {
    std::ostringstream out;
    py::gil_scoped_release const free;
    if (format == "json") report::write_audit_json(out, self.report());
    else if (format == "csv") report::write_audit_csv(out, self.report());
    else if (format == "dot") report::write_audit_dot(out, self.report());
    else if (format == "svg") report::write_audit_svg(out, self.report());
    else report::write_audit_text(out, self.report());
    return out.str();
}

/// Sources and destinations of the permutation that puts most flows on a link.
py::tuple worst_permutation(AuditResult const& self) {
    std::vector<std::uint32_t> sources, destinations;
    for (audit::HostPair const& pair : self.audit->found().worst_case.permutation) {
        sources.push_back(pair.source.value);
        destinations.push_back(pair.destination.value);
    }
    return py::make_tuple(array_of(std::move(sources)), array_of(std::move(destinations)));
}

/// By link: pairs of hosts whose route takes it.
py::array pairs_by_link(std::shared_ptr<AuditResult> const& self) {
    auto const& load = self->audit->found().all_pairs.load;
    return view_of(self, load.data(), load.size());
}

struct Comparison {
    api::FabricComparison found;
    model::NamedFiles files;
};

std::shared_ptr<Comparison> compare(std::string const& old_network, std::optional<std::string> const& old_tables,
                                    std::string const& new_network, std::optional<std::string> const& new_tables,
                                    bool aggregation_nodes_are_hosts, unsigned threads) {
    py::gil_scoped_release const free;
    audit::DiffRequest request;
    request.aggregation_nodes_are_hosts = aggregation_nodes_are_hosts;
    request.threads = threads;
    return std::shared_ptr<Comparison>(new Comparison{
        api::FabricComparison({old_network, old_tables}, {new_network, new_tables}, request, false, listener()),
        api::with_named({}, {{"old_network", old_network},
                             {"old_tables", old_tables.value_or("")},
                             {"new_network", new_network},
                             {"new_tables", new_tables.value_or("")}})});
}

std::string compared_in(Comparison const& self, std::string const& format) {
    std::ostringstream out;
    py::gil_scoped_release const free;
    report::DiffReport report{self.found.before().network, self.found.after().network, self.found.diff(), self.files};
    report.comparison = self.found.comparison();
    if (format == "json") report::write_diff_json(out, report);
    else report::write_diff_text(out, report);
    return out.str();
}

/// Runs the points of a sweep that `journal` does not know yet. @param text a map of options, as YAML or JSON
/// @return CSV and JSON of the table.
py::tuple sweep(std::string const& text, std::string const& journal_path, unsigned threads, py::object progress) {
    std::vector<sweep::SweepPoint> const points = sweep::read_sweep(text, "");
    sweep::CheckedSweep const checked = sweep::check_points(
        points, "",
        [](std::vector<std::string> const& words) { return commands::parse_evaluate_options(words).request; },
        [](std::vector<std::string> const& words) { return commands::parse_schedule_options(words).request; });
    Interruption interruption;
    std::ostringstream csv, json;
    bool whole = true;
    {
        py::gil_scoped_release const free;
        sweep::SweepJournal journal(journal_path, false);
        std::vector<sweep::SweepRow> rows = sweep::known_rows(checked, journal);
        std::vector<std::size_t> const order = sweep::open_points(checked, rows);
        evaluation::ExecutionOptions execution{.threads = threads};
        execution.stop = [&] { return interruption.met(); };
        sweep::SweepListener hears{.warn = listener().warn};
        if (!progress.is_none())
            hears.progress = [&](std::uint64_t done) {
                py::gil_scoped_acquire const gil;
                progress(done);
            };
        whole = sweep::evaluate_points(checked, order, journal, execution, hears, rows);
        sweep::write_sweep_csv(csv, rows);
        sweep::write_sweep_json(json, rows);
    }
    if (!whole) interruption.raise();
    return py::make_tuple(csv.str(), json.str());
}

}  // namespace

void declare_audits(py::module_& module) {
    py::class_<AuditResult, std::shared_ptr<AuditResult>>(module, "Audit")
        .def(py::init(&audit))
        .def("written", &audit_in)
        .def("pairs_by_link", &pairs_by_link)
        .def("worst_permutation", &worst_permutation)
        .def_property_readonly("fails", [](AuditResult const& self) { return self.report().fails(); });
    py::class_<Comparison, std::shared_ptr<Comparison>>(module, "Comparison")
        .def(py::init(&compare))
        .def("written", &compared_in)
        .def_property_readonly("equal", [](Comparison const& self) { return self.found.diff().equal(); });
    module.def("sweep", &sweep);
}

}  // namespace tailback::python
