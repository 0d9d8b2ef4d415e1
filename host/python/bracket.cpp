#include "host/python/bracket.hpp"

#include "host/commands/options/evaluate_options.hpp"
#include "host/python/apart.hpp"
#include "host/python/study.hpp"
#include "host/python/written.hpp"
#include "host/report/adaptive/bracket_report.hpp"
#include "host/study/fabric_digest.hpp"

#include <pybind11/stl.h>

namespace tailback::python {
namespace {

struct BracketResult {
    std::unique_ptr<api::PreparedStudy const> study;
    evaluation::Bracket bracket;
    std::string digest;

    report::BracketReport report() const { return {study->plan(), bracket, digest}; }
};

/// @param words as `tailback bracket` takes them, but for the network. @param mappings as of a Study
/// @param progress null, or called with the mappings done. @throws InputError
std::shared_ptr<BracketResult> evaluate(Fabric const& fabric, std::vector<std::string> words,
                                        std::optional<Mappings> const& mappings, py::object const& progress) {
    words.insert(words.begin(), fabric.words().begin(), fabric.words().end());
    commands::EvaluateOptions options = commands::parse_study_options(options::bracket, words);
    if (mappings) give_mappings(options.request, *fabric.studied(), *mappings);
    evaluation::ExecutionOptions execution{.device = options.device, .threads = options.threads};
    auto const result = std::make_shared<BracketResult>();
    apart([result, request = options.request] {
        // Routed anew: by static entries, where an evaluation may take the routes of a hash.
        result->study = std::make_unique<api::PreparedStudy const>(request, listener());
        result->digest = study::digest(*result->study->plan().fabric);
    });
    Interruption interruption;
    apart(
        [result, execution, bracket = *options.request.bracket, tell = teller(progress)]() mutable {
            execution.stop = [desk = Desk::here()] { return desk->stop_asked(); };
            execution.progress = tell;
            result->bracket = evaluation::evaluate_bracket(result->study->plan(), bracket, execution);
        },
        AfterInterrupt::gives_result, &interruption);
    if (interruption.met()) interruption.raise();
    return result;
}

std::string written(std::shared_ptr<BracketResult const> const& self, std::string const& format) {
    return apart([self, format] { return text_in(self->report(), format); });
}

}  // namespace

void declare_brackets(py::module_& module) {
    py::class_<BracketResult, std::shared_ptr<BracketResult>> made(module, "Bracket");
    refuse_new(made);
    module.def("bracket", &evaluate);
    made.def("written", &written).def_property_readonly("verdict", [](BracketResult const& self) {
        return self.report().verdict();
    });
}

}  // namespace tailback::python
