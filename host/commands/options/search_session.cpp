// The words of the file: stage by stage, how many steps were made, how many parts there are, and of each part how many
// words, and these.
#include "host/commands/options/search_session.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/together.hpp"
#include "host/io/output_file.hpp"

#include <algorithm>

namespace tailback::commands {
namespace {

/// What one of several processes throws when another has told why all of them end.
struct EndOfAll {
    int code;
};

}  // namespace

SearchKeeping search_keeping(options::ParsedOptions const& options) {
    SearchKeeping keeping;
    keeping.every_s = double(options.number("checkpoint-every"));
    if (!options.given("checkpoint")) return keeping;
    keeping.file = *options.text("checkpoint");
    if (keeping.file.empty() || keeping.file == "-")
        throw base::InputError({}, "--checkpoint needs a file of its own", "it is rewritten during the run",
                               "name a file", "checkpoint");
    return keeping;
}

std::uint64_t seconds_of(std::string text) {
    std::string const whole = text.substr(0, 40);
    std::uint64_t unit = 1;
    if (!text.empty() && (text.back() == 's' || text.back() == 'm' || text.back() == 'h')) {
        unit = text.back() == 's' ? 1 : text.back() == 'm' ? 60 : 3600;
        text.pop_back();
    }
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos)
        throw base::InputError({}, "--time \"" + whole + "\" is not a time",
                               "whole seconds, minutes or hours are meant", "write 60s, 5m or 1h", "time");
    return options::whole_number("--time", text, 1, 1'000'000) * unit;
}

std::vector<std::string> SearchKeeping::files() const {
    if (file.empty()) return {};
    std::vector<std::string> const files = {file, io::behind_links(file) + ".part"};
    for (std::string const& one : files) io::check_writable(one, "the checkpoint");
    return files;
}

SearchSession::SearchSession(evaluation::Processes const& processes, SearchKeeping keeping)
    : processes_(processes),
      keeping_(std::move(keeping)),
      is_kept_(!keeping_.file.empty()),
      keeper_(tell_warning, tell_note) {}

void SearchSession::begin(Identity const& identity) {
    if (has_begun_) return;
    has_begun_ = true;
    std::vector<std::uint64_t> kept;
    auto const prepare = [&] {
        if (is_kept_ && processes_.leads()) {
            file_.emplace(keeping_.file, identity, "search");
            if (auto words = file_->load()) kept = std::move(*words);
            take_up(kept);
            if (before_.empty()) file_->save(kept);  // it is this run's from now on
            else tell("note", "continuing from " + keeping_.file);
        }
        base::Digest sum;
        for (auto const& [name, value] : identity) sum.add(value);
        return sum.value();
    };
    if (int const code = prepare_together(processes_, prepare); code != success) throw EndOfAll{code};
    if (!is_kept_ || !processes_.shared()) return;
    processes_.spread(kept);
    if (!processes_.leads()) take_up(kept);
}

void SearchSession::exchange(std::vector<search::StateWords>& parts) const {
    std::vector<std::uint64_t> mine;
    for (std::size_t k = processes_.rank(); k < parts.size(); k += processes_.count()) {
        mine.push_back(parts[k].size());
        mine.insert(mine.end(), parts[k].begin(), parts[k].end());
    }
    std::vector<std::vector<std::uint64_t>> const all = processes_.gather(mine);
    std::vector<std::uint64_t> flat;
    std::vector<std::size_t> at(all.size());
    for (std::size_t k = 0; k < parts.size() && !all.empty(); ++k) {
        std::vector<std::uint64_t> const& from = all[k % all.size()];
        std::size_t& next = at[k % all.size()];
        std::size_t const words = 1 + static_cast<std::size_t>(from[next]);
        flat.insert(flat.end(), from.begin() + std::ptrdiff_t(next), from.begin() + std::ptrdiff_t(next + words));
        next += words;
    }
    processes_.spread(flat);
    search::WordReader reader(flat);
    for (search::StateWords& part : parts) {
        auto const words = reader.next_words(reader.next());
        part.assign(words.begin(), words.end());
    }
}

search::SharedSearch::Stage const* SearchSession::kept(std::size_t stage) const {
    return stage < before_.size() && !before_[stage].parts.empty() ? &before_[stage] : nullptr;
}

bool SearchSession::is_due() const {
    return is_kept_ && !is_frozen_ && processes_.leads() &&
           std::chrono::steady_clock::now() - saved_ >= std::chrono::duration<double>(keeping_.every_s);
}

void SearchSession::keep(std::size_t stage, Stage&& state, bool ends) {
    if (!file_ || is_frozen_) return;
    if (stages_.size() <= stage) stages_.resize(stage + 1);
    stages_[stage] = std::move(state);
    if (ends || is_due()) {
        keeper_.save([&] { file_->save(words()); });
        saved_ = std::chrono::steady_clock::now();
    }
    is_frozen_ = ends;  // what comes now is of a search that was ended
}

void SearchSession::tell_damaged(std::string const& why) const {
    throw base::InputError({keeping_.file, 0}, "the checkpoint is damaged", why,
                           evaluation::CheckpointFile::start_anew);
}

void SearchSession::refuse(std::string const& why) const {
    try {
        tell_damaged(why);
    } catch (base::InputError const&) {
        if (!processes_.shared()) throw;
        if (processes_.leads()) tell_failure(std::current_exception());
    }
    throw EndOfAll{bad_input};  // all of them read the same
}

unsigned SearchSession::threads(unsigned asked) const {
    return asked != 0 || !processes_.shared() ? asked : evaluation::threads_of_process(processes_.local_count());
}

std::vector<std::uint64_t> SearchSession::words() const {
    std::vector<std::uint64_t> words;
    for (Stage const& stage : stages_) {
        words.insert(words.end(), {stage.steps, stage.parts.size()});
        for (search::StateWords const& part : stage.parts) {
            words.push_back(part.size());
            words.insert(words.end(), part.begin(), part.end());
        }
    }
    return words;
}

void SearchSession::take_up(std::vector<std::uint64_t> const& words) {
    constexpr std::uint64_t most = 1 << 20;  // of parts, and of stages
    search::WordReader reader(words);
    try {
        while (!reader.is_empty()) {
            if (before_.size() == most) throw search::UnfitWords("it has too many searches");
            Stage& stage = before_.emplace_back();
            stage.steps = reader.next();
            for (std::uint64_t left = reader.next_to(most); left > 0; --left) {
                auto const part = reader.next_words(reader.next());
                stage.parts.emplace_back(part.begin(), part.end());
            }
        }
    } catch (search::UnfitWords const& unfit) {
        tell_damaged(unfit.what());
    }
    stages_ = before_;
}

void SearchSession::end(bool is_done) {
    if (!file_) return;
    if (is_done) file_->remove();
    else keeper_.tell_at_end();
}

void require_files(evaluation::Processes const& processes, std::vector<std::string> const& inputs) {
    if (processes.shared() && std::find(inputs.begin(), inputs.end(), "-") != inputs.end())
        throw base::InputError({}, "several processes cannot share standard input", "", "name a file");
}

int run_session(std::function<int(evaluation::Processes const&, std::optional<SearchSession>&)> const& run) {
    evaluation::Processes const processes;
    std::optional<SearchSession> session;
    if (!processes.leads()) tell_no_more();
    try {
        int const code = run(processes, session);
        return static_cast<int>(processes.largest(processes.leads() ? static_cast<std::uint64_t>(code) : 0));
    } catch (EndOfAll const& end) {
        return end.code;
    } catch (...) {
        if (!processes.shared()) throw;
        if (session && session->has_begun())  // the others would wait for this one for ever
            processes.abort(tell_failure(std::current_exception()));
        std::exception_ptr const failure = std::current_exception();
        return prepare_together(processes, [&]() -> std::uint64_t { std::rethrow_exception(failure); });
    }
}

}  // namespace tailback::commands
