// What extensions add to the tables of this room.
#pragma once

#include "host/commands/command.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tailback::api {
struct IdleNodes;
struct JobRequest;
}  // namespace tailback::api
namespace tailback::io {
class LineReader;
class OutputFile;
}  // namespace tailback::io
namespace tailback::options {
class ParsedOptions;
}
namespace tailback::study {
struct StudyPlan;
}
namespace tailback::commands {

struct EvaluateOptions;

/// A file that `evaluate` writes beside its report where an option of this name asks for it.
struct StudyOutput {
    char const* option;
    bool of_times;                                  ///< it makes the study one of times, and needs whole routes
    void (*check)(EvaluateOptions const& options);  ///< throws InputError where there is nothing to write
    void (*write)(io::OutputFile& file, std::string const& name, study::StudyPlan const& plan);
};

/// An option of `jobs` and `place` with a file of jobs that run, as a scheduler lists them.
struct JobList {
    char const* option;
    /// @param taken lists of nodes that these jobs have, of those as well that send nothing over the network, are added
    std::vector<api::JobRequest> (*read)(options::ParsedOptions const& options,
                                         std::optional<std::string> const& ranks_per_node,
                                         std::vector<std::string>& taken);
};

/// An option of `place` with a file of nodes that are free, as a scheduler tells them.
struct NodeList {
    char const* option;
    api::IdleNodes (*read)(io::LineReader& lines);
};

struct Registry {
    std::vector<Command> commands;  ///< base::insert_before: in the order of the help
    std::vector<StudyOutput> study_outputs = {};
    std::vector<JobList> job_lists = {};
    std::vector<NodeList> node_lists = {};
};

std::span<StudyOutput const> study_outputs();
std::span<JobList const> job_lists();
std::span<NodeList const> node_lists();

/// Calls every extension's register_NAME(Registry&) (generated from extensions.cmake).
void register_extensions(Registry& registry);

}  // namespace tailback::commands
