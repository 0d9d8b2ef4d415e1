#include "host/python/bracket.hpp"

#include "host/commands/options/evaluate_options.hpp"
#include "host/python/listeners.hpp"
#include "host/python/study.hpp"
#include "host/report/adaptive/bracket_report.hpp"
#include "host/study/fabric_digest.hpp"

#include <pybind11/stl.h>

#include <sstream>

namespace tailback::python {
namespace {

struct BracketResult {
    std::unique_ptr<api::PreparedStudy const> study;
    evaluation::Bracket bracket;
    std::string digest;

    report::BracketReport report() const { return {study->plan(), bracket, digest}; }
};

/// @param words as `tailback evaluate` takes them, but for the network and --bracket. @param mappings as of a Study
/// @param progress null, or called with the mappings done. @throws InputError
std::shared_ptr<BracketResult> evaluate(Fabric const& fabric, std::vector<std::string> words,
                                        std::optional<Mappings> const& mappings, py::object const& progress) {
    words.insert(words.begin(), fabric.words().begin(), fabric.words().end());
    words.emplace_back("--bracket");
    commands::EvaluateOptions options = commands::parse_evaluate_options(words);
    if (mappings) give_mappings(options.request, *fabric.studied(), *mappings);
    evaluation::BracketOptions execution = *options.request.bracket;
    Interruption interruption;
    execution.stop = [&] { return interruption.met(); };
    if (!progress.is_none())
        execution.progress = [&](std::uint64_t done) {
            py::gil_scoped_acquire const gil;
            try {
                progress(done);
            } catch (py::error_already_set& error) {
                if (!error.matches(PyExc_KeyboardInterrupt)) throw;
                interruption.take(error);
            }
        };
    auto const result = std::make_shared<BracketResult>();
    {
        py::gil_scoped_release const free;
        // Routed anew: by static entries, where an evaluation may take the routes of a hash.
        result->study = std::make_unique<api::PreparedStudy const>(std::move(options.request), listener());
        result->digest = study::digest(*result->study->plan().fabric);
        result->bracket = evaluation::evaluate_bracket(result->study->plan(), execution);
    }
    if (interruption.met()) interruption.raise();
    return result;
}

std::string written(BracketResult const& self, std::string const& format) {
    std::ostringstream out;
    py::gil_scoped_release const free;
    if (format == "json") report::write_json_report(out, self.report());
    else if (format == "csv") report::write_csv_report(out, self.report());
    else report::write_text_report(out, self.report());
    return out.str();
}

}  // namespace

void declare_brackets(py::module_& module) {
    py::class_<BracketResult, std::shared_ptr<BracketResult>>(module, "Bracket")
        .def(py::init(&evaluate))
        .def("written", &written)
        .def_property_readonly("verdict", [](BracketResult const& self) { return self.report().verdict(); });
}

}  // namespace tailback::python
