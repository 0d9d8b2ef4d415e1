#include "host/search/shared_search.hpp"

#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>

namespace tailback::search {
namespace {

void step_all(std::vector<SearchPart*> const& parts, unsigned threads) {
    if (parts.size() == 1) return parts.front()->step();
    kernels::FirstFailure failed;
    auto const several = static_cast<int>(std::min<std::size_t>(kernels::threads_to_use(threads), parts.size()));
#pragma omp parallel for schedule(dynamic, 1) num_threads(several)
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(parts.size()); ++i)
        failed.hold([&] { parts[static_cast<std::size_t>(i)]->step(); });
    failed.rethrow();
}

void read_all(std::span<SearchPart* const> parts, std::vector<StateWords> const& words) {
    if (words.size() != parts.size()) throw UnfitWords("it has another number of searches");
    for (std::size_t k = 0; k < parts.size(); ++k) {
        WordReader reader(words[k]);
        parts[k]->read(reader);
        reader.end();
    }
}

std::vector<StateWords> words_of(std::span<SearchPart* const> parts, SharedSearch const& shared) {
    std::vector<StateWords> words(parts.size());
    for (std::size_t k = shared.process(); k < parts.size(); k += shared.processes()) parts[k]->write(words[k]);
    if (shared.processes() > 1) shared.exchange(words);
    return words;
}

}  // namespace

std::vector<std::uint32_t> WordReader::next_distinct(std::size_t count, std::uint32_t limit) {
    std::vector<bool> seen(limit);
    std::vector<std::uint32_t> numbers;
    for (std::uint64_t const word : next_words(count)) {
        if (word >= limit || seen[word]) throw UnfitWords("an order in it is none");
        seen[word] = true;
        numbers.push_back(static_cast<std::uint32_t>(word));
    }
    return numbers;
}

bool is_asked_anywhere(SharedSearch const* shared, bool is_asked_here) {
    std::uint64_t word = is_asked_here;
    if (shared != nullptr) shared->largest({&word, 1});
    return word != 0;
}

PartsReport run_parts(std::span<SearchPart* const> parts, SharedSearch* shared, unsigned threads, std::size_t at_once,
                      std::function<void(PartsReport const&)> const& stepped) {
    auto const stop = kernels::StopWish::now();
    std::size_t const of = shared != nullptr ? shared->processes() : 1,
                      mine = shared != nullptr ? shared->process() : 0,
                      stage = shared != nullptr ? shared->next_stage() : 0;
    PartsReport report;
    bool has_words = false;
    if (shared != nullptr)
        if (SharedSearch::Stage const* const before = shared->kept(stage)) {
            try {
                read_all(parts, before->parts);
            } catch (UnfitWords const& unfit) {
                shared->refuse(unfit.what());
            }
            report.steps = before->steps;
            has_words = true;
        }
    for (std::vector<SearchPart*> now;; now.clear()) {
        for (std::size_t k = mine; k < parts.size() && now.size() < at_once; k += of)
            if (!parts[k]->is_over()) now.push_back(parts[k]);
        std::uint64_t words[] = {!now.empty(), stop.asked(), shared != nullptr && shared->is_due()};
        if (shared != nullptr) shared->largest(words);
        bool const goes_on = words[0] != 0;
        report.stopped = goes_on && words[1] != 0;
        bool const is_end = !goes_on || report.stopped;
        if (shared != nullptr && has_words && (is_end || words[2] != 0) && (of > 1 || shared->keeps())) {
            std::vector<StateWords> all = words_of(parts, *shared);
            if (is_end && of > 1) read_all(parts, all);
            shared->keep(stage, {report.steps, std::move(all)}, report.stopped);
        }
        if (is_end) return report;
        if (!now.empty()) step_all(now, threads);
        ++report.steps;
        has_words = true;
        if (stepped) stepped(report);
    }
}

}  // namespace tailback::search
