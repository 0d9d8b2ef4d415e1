// tailback improve: better forwarding tables for a fabric as it is.
#include "host/api/improve/improve.hpp"
#include "host/api/write_formats.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/jobs_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/search_session.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/evaluation/interruption.hpp"
#include "host/io/disk_room.hpp"
#include "host/io/progress.hpp"
#include "host/options/parsed_options.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

namespace tailback::commands {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char const* improve_text = R"(
Tables are searched for with as few collisions as may be: pairs of flows of a random permutation
that meet on a link. That decides bandwidth; the largest load is trimmed at the end where it costs
little. The search begins with the input and with what routings make of the network, and gives
nothing worse than the input. Entries of switches, of aggregation nodes, and those that no pair uses
stay.

What is written is free of deadlock on the --lanes that are there, by the audit. One lane is all that
OpenSM's file engine gives: `opensm -R file,no_fallback -U FILE` loads what --output writes. Where
routes of fewest links do not fit on one lane they go up and then down by an order of the switches,
which is searched as well.

Budgets are steps: the same ones give the same tables with any number of threads. --time and a signal
end the search at a whole step, with the best so far, and tell which budgets repeat it.

Exit code: 0 the tables are better, or the input is best already; 1 neither the input nor what was found
is free of deadlock on so many lanes, and no tables are written; 2 bad input or usage; 130 ended by a
signal, the best so far is written.

Examples:
  tailback improve --network ibnetdiscover.out --tables opensm-lfts.dump -o better.lfts
  tailback improve --network ibnetdiscover.out --tables opensm-lfts.dump --changes 3000 -o better.lfts
  tailback improve torus:4x4x4,hosts=2 --time 60s --format json
)";

/// Sets a wish to stop when a signal came, or the time is over.
class SearchEnd {
public:
    /// @param is_shared mpirun ends its processes with SIGTERM when one of them has died
    SearchEnd(std::optional<std::uint64_t> seconds, bool is_shared) {
        if (is_shared) interruption_.emplace({SIGINT, SIGHUP, SIGUSR1, SIGXCPU});
        else interruption_.emplace({SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU});
        thread_ = std::thread([this, seconds] { watch(seconds); });
    }
    ~SearchEnd() {
        over_ = true;
        thread_.join();
    }
    SearchEnd(SearchEnd const&) = delete;
    SearchEnd& operator=(SearchEnd const&) = delete;
    std::atomic<bool> const& wish() const { return wish_; }
    /// Half of the time is over, or somebody wishes so.
    std::atomic<bool> const& half_over() const { return half_over_; }
    bool by_signal() const { return interruption_->signal() != 0; }

private:
    void watch(std::optional<std::uint64_t> seconds) {
        auto const started = Clock::now();
        while (!over_ && !wish_) {
            auto const past = Clock::now() - started;
            if (by_signal() || (seconds && past >= std::chrono::seconds(*seconds))) wish_ = true;
            if (wish_ || (seconds && past >= std::chrono::milliseconds(500 * *seconds))) half_over_ = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
    std::atomic<bool> wish_ = false, half_over_ = false, over_ = false;
    std::optional<evaluation::Interruption> interruption_;
    std::thread thread_;
};

api::ImproveRequest improve_request(options::ParsedOptions const& options) {
    api::ImproveRequest request;
    request.network = network_choice(options, "it says whose tables to improve");
    request.hosts = options.not_empty("hosts", "give a pattern of names");
    request.capacities = capacities_of(options);
    request.objective = api::ImproveObjective(options.choice("objective"));
    if (options.given("jobs")) request.jobs = read_jobs_file(*options.text("jobs"));
    for (std::string const& job : options.list("job")) request.jobs.push_back(api::read_job(job));
    request.adapters = api::read_node_grouping(options.text("adapters").value_or(""));
    request.rail_aligned = options.given("rail-aligned");
    if (request.objective == api::ImproveObjective::jobs && request.jobs.empty())
        throw base::InputError({}, "there is no job", "--objective jobs counts what jobs send",
                               "add --job NAME:traffic=FILE,nodes=.., or --jobs FILE", "objective");
    request.slack = small_number(options, "slack");
    request.lanes = small_number(options, "lanes");
    auto const number = [&](char const* name) {
        return options.given(name) ? std::optional<std::uint64_t>(options.number(name)) : std::nullopt;
    };
    request.changes = number("changes");
    request.rounds = number("rounds");
    request.moves = number("moves");
    request.trials = number("orders");
    request.restarts = number("restarts");
    request.seed = options.number("seed");
    request.threads = options.threads();
    return request;
}

void tell_repeat(report::ImproveReport const& report) {
    if (report.search.stopped_before) {
        tell("note", "the search was ended, in each of its parts: no budgets repeat that");
        return;
    }
    std::string words = fmt::format("--rounds {} --moves {}", report.search.rounds, report.search.moves);
    if (report.by_order) words += fmt::format(" --orders {}", report.trials);
    tell("note", "the search was ended; " + words + " repeats it");
}

}  // namespace

std::string improve_notes() { return improve_text; }

namespace {

int improve_in_session(std::vector<std::string> const& arguments, evaluation::Processes const& processes,
                       std::optional<SearchSession>& session) {
    options::ParsedOptions const options(options::improve, arguments);
    api::ImproveRequest request = improve_request(options);
    api::WriteFormat const& format = api::find_write_format(*options.text("to"), "--to");
    if (!format.wants_tables || format.wants_lanes)
        throw base::InputError({}, "--to " + std::string(format.name) + " holds no tables",
                               "tables are what is improved", "choose lft-dump, fdbs or orcs-dot", "to");
    std::optional<std::uint64_t> const time =
        options.given("time") ? std::optional(seconds_of(*options.text("time"))) : std::nullopt;
    std::vector<std::string> places = {*options.text("report")};
    std::string const tables = options.given("output") ? options.not_empty("output", "name a file") : "";
    std::string const levels =
        options.given("service-levels") ? options.not_empty("service-levels", "name a file") : "";
    for (std::string const& place : {tables, levels})
        if (!place.empty()) places.push_back(place);
    std::vector<std::string> inputs = api::paths_of(request.named_files());
    if (options.given("jobs")) inputs.push_back(*options.text("jobs"));
    SearchKeeping keeping = search_keeping(options);
    std::vector<std::string> outputs = places;
    for (std::string& file : keeping.files()) outputs.push_back(std::move(file));
    check_files(inputs, outputs);
    require_files(processes, inputs);
    session.emplace(processes, std::move(keeping));
    request.shared = session->wanted();
    request.threads = session->threads(request.threads);

    Threads const threads(request.threads);
    auto const started = Clock::now();
    SearchEnd const end(time, processes.shared());
    request.stop = &end.wish();
    request.half_over = &end.half_over();
    api::Improvement const found(request, listener());
    if (!processes.leads()) return success;
    report::ImproveReport report = found.report();
    report.tables = tables;
    OutputFiles files;
    write_report(files.add(places[0]), report, format_of(options));
    if (io::OutputFile* const file = report.may_be_loaded ? files.asked(tables) : nullptr) {
        if (format.least_bytes != nullptr) io::require_room(tables, format.least_bytes(found.fabric()));
        io::Progress const progress(std::string("writing ") + format.name);
        format.write(file->stream(), found.fabric());
        std::array<api::WriteFormat const*, 1> const formats = {&format};
        if (format.holds.network)
            for (std::string const& lost : api::lost_parts(formats, found.fabric())) tell("note", lost);
    }
    if (!levels.empty() && found.fabric().find_lanes)
        api::find_write_format("path-sl", "--service-levels").write(files.add(levels).stream(), found.fabric());
    else if (!tables.empty() && found.fabric().find_lanes)
        tell_warning(
            fmt::format("the tables are free of deadlock on {} lanes alone, with the service levels of paths: "
                        "--service-levels FILE writes them",
                        report.is.lanes));
    else if (!levels.empty() && report.may_be_loaded)
        tell("note", "no service levels are written: the tables are free on one lane");
    files.commit();
    if (!report.may_be_loaded)
        tell_warning(fmt::format("no tables are written: the input's are not free of deadlock on {}",
                                 base::counted(report.asked_lanes, "lane", "lanes")));
    else if (tables.empty()) tell("note", "no tables were written: --output FILE writes them");
    bool const was_stopped = report.search.stopped || report.search.stopped_before;
    session->end(!was_stopped);
    if (was_stopped) tell_repeat(report);
    tell("done", fmt::format("{} changed in {}", base::counted(report.entries, "entry", "entries"),
                             io::duration_text(std::chrono::duration<double>(Clock::now() - started).count())));
    if (end.by_signal()) return interrupted;
    return report.may_be_loaded ? success : faults_found;
}

}  // namespace

int run_improve(std::vector<std::string> const& arguments) {
    return run_session([&](evaluation::Processes const& processes, std::optional<SearchSession>& session) {
        return improve_in_session(arguments, processes, session);
    });
}

}  // namespace tailback::commands
