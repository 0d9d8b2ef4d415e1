// The words of the file: column by column, how many words its sums are, and these.
#include "host/evaluation/checkpoint.hpp"

#include "host/base/error.hpp"
#include "host/evaluation/study_identity.hpp"

namespace tailback::evaluation {

Checkpoint::Checkpoint(std::string path, std::vector<Column> columns)
    : columns_(std::move(columns)), file_(std::move(path), identity_of(columns_), "study") {}

std::vector<RunSums> Checkpoint::nothing() const {
    std::vector<RunSums> sums;
    for (Column const& column : columns_) sums.emplace_back(*column.plan);
    return sums;
}

std::vector<RunSums> Checkpoint::load() {
    std::optional<std::vector<std::uint64_t>> const words = file_.load();
    if (!words) return {};
    std::vector<RunSums> sums = nothing();
    std::span<std::uint64_t const> left = *words;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (left.empty() || left.front() > left.size() - 1) file_.refuse_damaged("its parts have wrong sizes");
        study::StudyPlan const& plan = *columns_[c].plan;
        std::string const wrong = sums[c].assign(plan, left.subspan(1, left.front()), true);
        if (!wrong.empty()) file_.refuse_damaged(wrong);
        left = left.subspan(1 + left.front());
        if (sums[c].mappings > plan.study.sample.mappings && c == 0)
            throw base::InputError({file_.path(), 0},
                                   "the checkpoint is beyond --mappings " + std::to_string(plan.study.sample.mappings),
                                   std::to_string(sums[c].mappings) + " mappings are done",
                                   "ask for that many or more, or " + std::string(CheckpointFile::start_anew));
        if (sums[c].mappings != std::min(sums.front().mappings * plan.repeats, plan.study.sample.mappings))
            file_.refuse_damaged("its columns have different mappings");
    }
    if (!left.empty()) file_.refuse_damaged("its parts have wrong sizes");
    return sums;
}

void Checkpoint::save(std::span<RunSums const> sums) {
    std::vector<std::uint64_t> words;
    for (RunSums const& column : sums) {
        std::vector<std::uint64_t> const mine = column.words(true);
        words.push_back(mine.size());
        words.insert(words.end(), mine.begin(), mine.end());
    }
    file_.save(words);
}

}  // namespace tailback::evaluation
