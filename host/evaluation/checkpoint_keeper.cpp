#include "host/evaluation/checkpoint_keeper.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"

#include <utility>

namespace tailback::evaluation {

CheckpointKeeper::CheckpointKeeper(Tell warn, Tell note) : warn_(std::move(warn)), note_(std::move(note)) {}

void CheckpointKeeper::save(std::function<void()> const& write) {
    try {
        write();
    } catch (base::InputError const& error) {  // the work goes on: an older checkpoint is still there
        if (failed_++ == 0) warn_(error.what());
        return;
    }
    if (failed_ > 0) note_("the checkpoint is written again, after " + failures());
    failed_ = 0;
}

void CheckpointKeeper::tell_at_end() const {
    if (failed_ > 1) warn_("the checkpoint is not up to date, after " + failures());
}

std::string CheckpointKeeper::failures() const {
    return base::counted(failed_, "failure", "failures") + " to write it";
}

}  // namespace tailback::evaluation
