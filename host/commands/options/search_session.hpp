// A search of a command that processes share (mpirun), or that a checkpoint keeps.
#pragma once

#include "host/evaluation/checkpoint_keeper.hpp"
#include "host/evaluation/checkpoints/checkpoint_file.hpp"
#include "host/evaluation/processes/processes.hpp"
#include "host/options/parsed_options.hpp"
#include "host/search/shared_search.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tailback::commands {

/// Where a search is kept: `--checkpoint`, `--checkpoint-every`.
struct SearchKeeping {
    std::string file;  ///< empty: nowhere
    double every_s = 30;

    /// What is written, for check_files; none without a file. @throws InputError where it cannot be
    std::vector<std::string> files() const;
};
SearchKeeping search_keeping(options::ParsedOptions const& options);

/// Of --time: `60`, `60s`, `5m`, `1h`. @throws InputError
std::uint64_t seconds_of(std::string text);

class SearchSession final : public search::SharedSearch {
public:
    SearchSession(evaluation::Processes const& processes, SearchKeeping keeping);

    void begin(Identity const& identity) override;
    unsigned process() const override { return processes_.rank(); }
    unsigned processes() const override { return processes_.count(); }
    void largest(std::span<std::uint64_t> words) const override { processes_.largest(words); }
    void exchange(std::vector<search::StateWords>& parts) const override;
    Stage const* kept(std::size_t stage) const override;
    bool is_due() const override;
    void keep(std::size_t stage, Stage&& state, bool ends) override;
    bool keeps() const override { return is_kept_; }
    [[noreturn]] void refuse(std::string const& why) const override;

    /// Null where nobody shares or keeps it: such a search needs none of this.
    search::SharedSearch* wanted() { return processes_.shared() || is_kept_ ? this : nullptr; }
    bool has_begun() const { return has_begun_; }
    /// That suit this process where none are asked for.
    unsigned threads(unsigned asked) const;
    /// The outputs are on disk; the checkpoint is removed, or stays where the search was ended before its end.
    void end(bool is_done);

private:
    std::vector<std::uint64_t> words() const;
    [[noreturn]] void tell_damaged(std::string const& why) const;
    void take_up(std::vector<std::uint64_t> const& words);

    evaluation::Processes const& processes_;
    SearchKeeping keeping_;
    bool is_kept_, has_begun_ = false, is_frozen_ = false;
    std::optional<evaluation::CheckpointFile> file_;  ///< process 0
    evaluation::CheckpointKeeper keeper_;
    std::vector<Stage> stages_, before_;
    std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
};

/// @throws InputError where several processes would read one input from standard input
void require_files(evaluation::Processes const& processes, std::vector<std::string> const& inputs);

/// Runs a command of which processes share the search. @param run its work, with a session; what it returns in process
/// 0 is the exit code of all. What one of them cannot do ends all, with one message.
int run_session(std::function<int(evaluation::Processes const&, std::optional<SearchSession>&)> const& run);

}  // namespace tailback::commands
