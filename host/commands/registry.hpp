// What extensions add to the tables of this room.
#pragma once

#include "host/commands/command.hpp"

namespace tailback::io {
class OutputFile;
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

struct Registry {
    std::vector<Command> commands;  ///< base::insert_before: in the order of the help
    std::vector<StudyOutput> study_outputs = {};
};

std::span<StudyOutput const> study_outputs();

/// Calls every extension's register_NAME(Registry&) (generated from extensions.cmake).
void register_extensions(Registry& registry);

}  // namespace tailback::commands
