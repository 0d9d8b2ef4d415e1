// One mapping in the forms that launchers read.
#pragma once

#include "host/study/plan/study_plan.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>

namespace tailback::study {

enum class PlacementForm : std::uint8_t {
    mapping,   ///< a line that --mapping file:PATH reads
    hostfile,  ///< `NAME slots=K`, in the order of ranks; where ranks of a node do not follow each other, a host a line
    rankfile,  ///< `rank 3=NAME slot=2` (Open MPI)
    slurm      ///< a host a line, in the order of ranks: SLURM_HOSTFILE with `srun --distribution=arbitrary`
};

char const* name_of(PlacementForm form);

/// `FORM:PATH`, understood.
struct PlacementFile {
    PlacementForm form = PlacementForm::mapping;
    std::string path;
};
/// @param option for messages. @throws InputError
PlacementFile read_placement_file(std::string const& option, std::string const& words);

/// Can every mapping of the study be written so that the file is read back as it? Names of nodes in files of launchers
/// have no characters that mean something there, and each is that of one node.
/// @throws InputError that names the node.
void check_placement_names(StudyPlan const& plan, PlacementForm form);

/// Where the ranks of mapping m run. Slots of a node are counted in the order of its ranks; in rankfiles so that the
/// study's rail rule gives each rank its adapter, where slots can say that.
void write_placement(std::ostream& out, PlacementForm form, StudyPlan const& plan, std::uint64_t m);

/// Ranks whose adapter is not the one that the study's rail rule gives to their slot in a file of this form: where it
/// is not 0, only PlacementForm::mapping says the whole mapping.
std::uint32_t ranks_on_other_adapters(StudyPlan const& plan, PlacementForm form, std::uint64_t m);

}  // namespace tailback::study
