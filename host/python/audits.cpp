#include "host/python/audits.hpp"

#include "host/api/audit.hpp"
#include "host/api/diff.hpp"
#include "host/base/error.hpp"
#include "host/commands/options/audit_options.hpp"
#include "host/commands/options/evaluate_options.hpp"
#include "host/commands/options/point_options.hpp"
#include "host/python/apart.hpp"
#include "host/python/arrays.hpp"
#include "host/python/written.hpp"
#include "host/report/audit/audit_report.hpp"
#include "host/report/diff/diff_report.hpp"
#include "host/sweep/evaluate_points.hpp"
#include "host/sweep/journal.hpp"
#include "host/sweep/sweep_table.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <pybind11/stl.h>

#include <sstream>

namespace tailback::python {
namespace {

struct AuditResult {
    commands::AuditOptions options;
    std::unique_ptr<api::FabricAudit> audit;

    report::AuditReport report() const {
        report::AuditReport made =
            report::make_audit_report(audit->found(), options.fail_on, options.top, options.fail_on_codes);
        made.others = options.others;
        return made;
    }
};

/// @param words as `tailback audit` takes them, the network among them. @throws InputError
std::shared_ptr<AuditResult> audit(std::vector<std::string> const& words, bool name_permutation) {
    return apart([words, name_permutation] {
        auto const result = std::make_shared<AuditResult>();
        api::AuditListener telling;
        static_cast<api::Listener&>(telling) = listener();
        result->options = commands::parse_audit_options(words);
        result->options.choice.worst_case.name_permutation = name_permutation;
        result->audit = std::make_unique<api::FabricAudit>(result->options.choice, telling);
        return result;
    });
}

std::string audit_in(std::shared_ptr<AuditResult const> const& self, std::string const& format) {
    return apart([self, format] {
        if (format != "links") return text_in(self->report(), format);
        std::ostringstream out;
        report::write_links_csv(out, self->report());
        return out.str();
    });
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
    audit::Audit const& found = self->audit->found();
    std::vector<std::uint64_t> const& load = found.load();
    if (found.balance.unit == 1) return view_of(self, load.data(), load.size());
    std::vector<double> pairs;  // of flows that divide
    for (std::size_t l = 0; l < load.size(); ++l) pairs.push_back(found.pairs_over(model::Link{l}));
    return array_of(std::move(pairs));
}

struct Comparison {
    api::FabricComparison found;
    model::NamedFiles files;
};

std::shared_ptr<Comparison> compare(std::string const& old_network, std::optional<std::string> const& old_tables,
                                    std::string const& new_network, std::optional<std::string> const& new_tables,
                                    bool aggregation_nodes_are_hosts, unsigned threads) {
    audit::DiffRequest request;
    request.aggregation_nodes_are_hosts = aggregation_nodes_are_hosts;
    request.threads = threads;
    return apart([=] {
        return std::shared_ptr<Comparison>(new Comparison{
            api::FabricComparison({old_network, old_tables}, {new_network, new_tables}, request, false, listener()),
            api::with_named({}, {{"old_network", old_network},
                                 {"old_tables", old_tables.value_or("")},
                                 {"new_network", new_network},
                                 {"new_tables", new_tables.value_or("")}})});
    });
}

std::string compared_in(std::shared_ptr<Comparison const> const& self, std::string const& format) {
    return apart([self, format] {
        report::DiffReport report{self->found.before(), self->found.after(), self->found.diff(), self->files};
        report.comparison = self->found.comparison();
        return text_in(report, format);
    });
}

/// Runs the points of a sweep that `journal` does not know yet. @param text a map of options, as YAML or JSON
/// @return CSV and JSON of the table.
py::tuple sweep(std::string const& text, std::string const& journal_path, unsigned threads,
                py::object const& progress) {
    auto const [csv, json] = apart([=, tell = teller(progress)] {
        std::vector<sweep::SweepPoint> const points = sweep::read_sweep(text, "");
        sweep::CheckedSweep const checked = sweep::check_points(points, "", commands::parse_point);
        sweep::SweepJournal journal(journal_path, false);
        std::vector<sweep::SweepRow> rows = sweep::known_rows(checked, journal);
        std::vector<std::size_t> const order = sweep::open_points(checked, rows);
        evaluation::ExecutionOptions execution{.threads = threads};
        execution.stop = [desk = Desk::here()] { return desk->stop_asked(); };
        sweep::SweepListener hears{.warn = listener().warn};
        if (tell) hears.progress = tell;
        if (!sweep::evaluate_points(checked, order, journal, execution, hears, rows)) throw kernels::Stopped();
        std::ostringstream as_csv, as_json;
        sweep::write_sweep_csv(as_csv, rows);
        sweep::write_sweep_json(as_json, rows);
        return std::pair(as_csv.str(), as_json.str());
    });
    return py::make_tuple(csv, json);
}

}  // namespace

void declare_audits(py::module_& module) {
    py::class_<AuditResult, std::shared_ptr<AuditResult>> audited(module, "Audit");
    refuse_new(audited);
    module.def("audit", &audit);
    audited.def("written", &audit_in)
        .def("pairs_by_link", &pairs_by_link)
        .def("worst_permutation", &worst_permutation)
        .def_property_readonly("fails", [](AuditResult const& self) { return self.report().fails(); });
    py::class_<Comparison, std::shared_ptr<Comparison>> compared(module, "Comparison");
    refuse_new(compared);
    module.def("comparison", &compare);
    compared.def("written", &compared_in).def_property_readonly("equal", [](Comparison const& self) {
        return self.found.diff().equal();
    });
    module.def("sweep", &sweep);
}

}  // namespace tailback::python
