// Studies and what they come to, as Python holds them.
#pragma once

#include "host/api/study.hpp"
#include "host/python/fabric.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailback::python {

/// What a study came to. Arrays are views of it.
struct Evaluation {
    std::shared_ptr<api::PreparedStudy const> study;
    evaluation::Evaluation result;
    /// Of a study that keeps them: by metric, a number a mapping; NaN where no flow is delivered.
    std::map<study::Metric, std::vector<double>> per_mapping;

    report::Report report() const { return api::make_report(*study, result); }
};

using Mappings = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

/// A study of given mappings in place of its own. @throws InputError
void give_mappings(api::StudyRequest& request, model::Fabric const& fabric, Mappings const& mappings);

/// Mappings that a caller thinks of, evaluated a few at a time with as little around it as can be.
class Scorer : public std::enable_shared_from_this<Scorer> {
public:
    /// @param study its own mappings do not matter. @param threads 0 = all cores
    Scorer(api::PreparedStudy const& study, unsigned threads);
    /// @param mappings [mapping][rank] -> host, by its number in the fabric. @return a number a mapping
    py::array score(Mappings const& mappings, study::Metric metric);

private:
    void take(std::int64_t const* hosts, std::size_t mappings);
    std::vector<double> numbers_of(std::span<std::int64_t const> hosts, study::Metric metric);

    study::StudyPlan plan_;
    kernels::Problem problem_;
    std::vector<std::uint32_t> listed_;         ///< [mapping][rank] -> host index: what the executor reads
    std::vector<std::uint32_t> index_of_host_;  ///< none: not a host of the study
    std::vector<std::uint64_t> seen_;           ///< by host index: the last mapping that has it
    std::uint64_t now_ = 0;
    std::vector<kernels::MappingTally> tallies_;
    std::mutex mutex_;  ///< of all that a score changes
    std::unique_ptr<kernels::Executor> executor_;
    std::unique_ptr<kernels::Executor> alone_;  ///< for one mapping: a team of threads takes longer to call together
};

class Study {
public:
    /// @param words as `tailback evaluate` takes them, but for the network. @param mappings [mapping][rank] -> host:
    /// these alone. @throws InputError
    Study(std::shared_ptr<Fabric> fabric, std::vector<std::string> words, std::optional<Mappings> const& mappings);

    study::StudyPlan const& plan() const { return prepared_->plan(); }
    /// @param progress null, or called with the mappings done. @param keep numbers of every mapping.
    /// @return the evaluation, and the exception that interrupted it (None: none)
    py::tuple evaluate(py::object progress, bool keep);
    py::array score(Mappings const& mappings, std::string const& metric);

private:
    std::shared_ptr<api::PreparedStudy const> prepared_;
    evaluation::DeviceChoice device_;
    unsigned threads_;
    std::shared_ptr<Scorer> scorer_;
};

void declare_study(py::module_& module);

}  // namespace tailback::python
