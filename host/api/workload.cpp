// Workloads from files: YAML with a list of jobs, or the Standard Workload Format.
#include "host/api/schedule.hpp"
#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/io/yaml_tree.hpp"
#include "host/schedule/swf.hpp"
#include "host/study/flow_file.hpp"
#include "host/study/traffic_flows.hpp"
#include "host/traffic/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace tailback::api {
namespace {

using Kind = io::YamlNode::Kind;
constexpr std::size_t most_jobs = std::size_t{1} << 24, most_bytes = std::size_t{64} << 20;

std::vector<std::string> const& keys() {
    static std::vector<std::string> const all = {"name", "submit",    "every",   "count",   "nodes",         "duration",
                                                 "work", "requested", "pattern", "traffic", "communication", "mapping"};
    return all;
}

class WorkloadReader {
public:
    explicit WorkloadReader(std::string path) : path_(std::move(path)) {}

    WorkloadFile read(io::YamlNode const& tree) {
        std::string const what_to_do =
            "write `jobs:` and below it a list of maps, or give a file in the Standard Workload Format";
        io::YamlNode const& jobs = io::only_list(tree, "jobs", path_, "workload", what_to_do);
        if (jobs.items.empty()) refuse(tree.line, "the file is not a workload", "", what_to_do);
        for (io::YamlNode const& item : jobs.items) add(item);
        note_flows_without_bytes();
        return std::move(file_);
    }

private:
    [[noreturn]] void refuse(std::size_t line, std::string const& problem, std::string const& why,
                             std::string const& what_to_do) const {
        throw base::InputError({path_, line}, problem, why, what_to_do);
    }
    template <class Work>
    auto at_line(std::size_t line, Work&& work) const {
        return base::at_place({path_, line}, work);
    }

    /// The values of a key; empty where it is not given.
    struct Values {
        std::vector<std::string> texts;
        std::size_t line = 0;
    };
    std::map<std::string, Values> values_of(io::YamlNode const& item) const {
        if (item.kind != Kind::map) refuse(item.line, "a job is not a map", "", "write `- {name: a, nodes: 4, ...}`");
        std::map<std::string, Values> values;
        for (std::size_t k = 0; k < item.keys.size(); ++k) {
            std::string const& key = item.keys[k];
            io::YamlNode const& value = item.items[k];
            if (std::find(keys().begin(), keys().end(), key) == keys().end()) {
                std::string all;
                for (std::string const& known : keys()) all += (all.empty() ? "" : ", ") + known;
                refuse(value.line, "\"" + key.substr(0, 40) + "\" is not a key of a job",
                       base::nearest_hint(key, keys()), "the keys are " + all);
            }
            Values& of_key = values[key];
            of_key.line = value.line;
            if (value.kind == Kind::scalar) of_key.texts.push_back(value.text);
            if (value.kind == Kind::list)
                for (io::YamlNode const& one : value.items) {
                    if (one.kind != Kind::scalar)
                        refuse(one.line, "an entry of \"" + key + "\" is not a value", "", "");
                    of_key.texts.push_back(one.text);
                }
            if (of_key.texts.empty() || value.kind == Kind::map)
                refuse(value.line, "\"" + key + "\" has no value", "", "give it one, or leave it out");
        }
        return values;
    }
    schedule::DrawnValue drawn(Values const& values) const {
        return at_line(values.line, [&] { return schedule::DrawnValue(values.texts); });
    }

    void add(io::YamlNode const& item) {
        std::map<std::string, Values> const values = values_of(item);
        auto const find = [&](char const* key) -> Values const* {
            auto const at = values.find(key);
            return at == values.end() ? nullptr : &at->second;
        };
        Values const *const duration = find("duration"), *const work = find("work"), *const nodes = find("nodes");
        if (nodes == nullptr) refuse(item.line, "a job does not say how many nodes it wants", "", "add nodes: 16");
        if ((duration == nullptr) == (work == nullptr))
            refuse(item.line, duration == nullptr ? "a job does not say how long it runs" : "a job has two lengths",
                   "duration is a time that congestion does not change, work the time alone on the fabric",
                   "give it one of the two, in seconds");
        Values const *const submit = find("submit"), *const every = find("every"), *const count = find("count");
        if (submit != nullptr && every != nullptr)
            refuse(every->line, "a job has both submit and every", "every is the time from a job to the next",
                   "leave one out");
        for (char const* const key : {"name", "count", "mapping"})
            if (Values const* const single = find(key); single != nullptr && single->texts.size() > 1)
                refuse(single->line, std::string(key) + " of a job is a list", "it is one value", "give it one");
        if (find("pattern") != nullptr && find("traffic") != nullptr)
            refuse(find("traffic")->line, "a job has both pattern and traffic", "", "leave one out");
        if (Values const* const share = find("communication"); share != nullptr) {
            if (work == nullptr)
                refuse(share->line, "communication has no effect", "congestion does not change a duration",
                       "give the job work in its place");
            for (std::string const& text : share->texts)
                if (double value = 0; is_number(text, value) && value > 1)
                    refuse(share->line, "communication is " + text.substr(0, 40), "it is a share of work",
                           "give one from 0 to 1");
        }
        for (char const* const key : {"communication", "mapping"})
            if (Values const* const idle = find(key); idle != nullptr && !find("pattern") && !find("traffic"))
                refuse(idle->line, std::string(key) + " has no effect", "the job sends nothing",
                       "give it a pattern, or traffic");
        for (std::string const& text : nodes->texts)
            if (double value = 0; is_number(text, value) && (value < 1 || value != std::floor(value)))
                refuse(nodes->line, "a job wants " + text.substr(0, 40) + " nodes", "", "give a whole number from 1");
        schedule::DrawnValue const at_once({"0"});
        WorkloadEntry entry{.name = {},
                            .submit = every != nullptr    ? drawn(*every)
                                      : submit != nullptr ? drawn(*submit)
                                                          : at_once,
                            .nodes = drawn(*nodes),
                            .seconds = drawn(duration != nullptr ? *duration : *work),
                            .requested = {},
                            .communication = {}};
        entry.repeats = every != nullptr;
        entry.stretches = work != nullptr;
        entry.line = item.line;
        if (Values const* name = find("name")) entry.name = name->texts.front();
        else entry.name = fmt::format("job{}", file_.entries.size() + 1);
        if (count != nullptr) entry.count = at_line(count->line, [&] { return whole(count->texts.front()); });
        if (Values const* requested = find("requested")) entry.requested = drawn(*requested);
        if (Values const* communication = find("communication")) entry.communication = drawn(*communication);
        if (Values const* mapping = find("mapping"))
            entry.order = at_line(mapping->line, [&] { return study::read_rank_order(mapping->texts.front()); });
        if (entry.order.kind == study::RankOrderKind::given)
            refuse(find("mapping")->line, "the order of ranks cannot come from a file", "", "choose block, cyclic, ..");
        for (char const* const key : {"pattern", "traffic"})
            if (Values const* traffic = find(key))
                for (std::string const& words : traffic->texts)
                    entry.traffic.push_back(at_line(traffic->line, [&] { return traffic_of(key, words); }));
        file_.entries.push_back(std::move(entry));
    }
    /// Where others have them.
    void note_flows_without_bytes() {
        if (!file_.has_bytes()) return;
        std::vector<std::string> names;
        for (WorkloadEntry const& entry : file_.entries)
            for (auto const& traffic : entry.traffic) {
                patterns::FlowList const flows = traffic->flows(std::max(2u, traffic->least_ranks()));
                bool const is_drawn = std::ranges::any_of(
                    flows.levels, [](patterns::Level const& level) { return !level.random.empty(); });
                if (flows.has_bytes() || (flows.flows.empty() && !is_drawn)) continue;
                names.push_back(entry.name);
                break;
            }
        if (names.empty()) return;
        std::string const more = names.size() == 1 ? "" : fmt::format(" and of {} more", names.size() - 1);
        file_.notes.push_back(
            fmt::format("the flows of {}{} have no bytes and count as 1 byte each beside others that "
                        "have: give them sizes (size=1MiB)",
                        names.front(), more));
    }
    static bool is_number(std::string const& text, double& value) {
        auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && end == text.data() + text.size();
    }
    static std::uint32_t whole(std::string const& text) {
        base::Scanner scan(text);
        std::uint64_t value = 0;
        if (!scan.decimal(value) || !scan.at_end() || value == 0 || value > most_jobs)
            throw base::InputError({}, "\"" + text.substr(0, 40) + "\" is not a number of jobs", "",
                                   fmt::format("give one from 1 to {}", most_jobs));
        return static_cast<std::uint32_t>(value);
    }
    /// The same for all jobs that name it. A pattern is tried with two ranks, so that a wrong name is told here.
    std::shared_ptr<schedule::JobTraffic const> traffic_of(std::string const& key, std::string const& words) {
        auto& known = traffic_[key + ":" + words];
        if (known) return known;
        bool const listed = key == "pattern" && words.starts_with("file:");
        if (key == "pattern" && !listed) {
            patterns::make_pattern_part(words, 0);
            return known = std::make_shared<schedule::JobTraffic const>(words);
        }
        std::string const file = io::file_beside(path_, listed ? words.substr(5) : words);
        file_.files.push_back(file);
        if (listed) {
            io::LineReader lines(io::open_source(file), file);
            return known = std::make_shared<schedule::JobTraffic const>(words, study::read_flows(lines));
        }
        traffic::TrafficMatrix const matrix = traffic::read_traffic(file);
        std::vector<std::string> notes = matrix.notes;
        patterns::FlowList flows = study::flows_of(matrix, file, notes);
        for (std::string const& note : notes) file_.notes.push_back(file + ": " + note);
        return known = std::make_shared<schedule::JobTraffic const>(words, std::move(flows));
    }

    std::string path_;
    WorkloadFile file_;
    std::map<std::string, std::shared_ptr<schedule::JobTraffic const>> traffic_;
};

WorkloadFile from_swf(io::LineReader& lines, std::uint32_t ranks_per_node, std::string const& pattern) {
    schedule::SwfFile const swf = schedule::read_swf(lines);
    std::shared_ptr<schedule::JobTraffic const> traffic;
    if (!pattern.empty()) {
        patterns::make_pattern_part(pattern, 0);
        traffic = std::make_shared<schedule::JobTraffic const>(pattern);
    }
    WorkloadFile file;
    file.is_log = true;
    auto const given = [](double value) { return schedule::DrawnValue({fmt::format("{}", value)}); };
    for (schedule::SwfJob const& job : swf.jobs) {
        std::uint32_t const nodes = (job.processors - 1) / ranks_per_node + 1;
        file.entries.push_back({.name = job.name,
                                .submit = given(job.submit),
                                .nodes = given(nodes),
                                .seconds = given(job.seconds),
                                .requested = given(job.requested),
                                .communication = {}});
        if (traffic) file.entries.back().traffic.push_back(traffic);
        file.entries.back().line = job.line;
    }
    if (swf.names > 0)
        file.notes.push_back(
            fmt::format("line {} names the columns; they are taken as the Standard Workload Format has "
                        "them",
                        swf.names));
    if (!swf.misplaced.empty())
        file.notes.push_back(fmt::format(
            "line {} calls column {} \"{}\", which the Standard Workload Format has in column {}: the order of "
            "the format counts, and what it says of jobs may be wrong",
            swf.names, swf.misplaced_at, swf.misplaced.substr(0, 40), swf.its_place));
    if (swf.others_got > 0)
        file.notes.push_back(fmt::format(
            "{} another number of processors than asked for (the first: line {}, {} for {}); those asked for are taken "
            "(field 8), as the schedule is made anew",
            base::counted(swf.others_got, "job got", "jobs got"), swf.first_other.line, swf.first_other.got,
            swf.first_other.asked));
    if (swf.longer > 0)
        file.notes.push_back(fmt::format("{} more than 18 columns; those behind the 18th are left out",
                                         base::counted(swf.longer, "line has", "lines have")));
    if (swf.left_out > 0)
        file.notes.push_back(base::counted(swf.left_out, "job that never ran is", "jobs that never ran are") +
                             " left out");
    if (swf.parts > 0)
        file.notes.push_back(base::counted(swf.parts, "line of a part of a job", "lines of parts of jobs") +
                             fmt::format(" (status 2 to 4) {} left out", swf.parts == 1 ? "is" : "are"));
    return file;
}

}  // namespace

bool WorkloadFile::has_bytes() const {
    for (WorkloadEntry const& entry : entries)
        for (auto const& traffic : entry.traffic)
            if (traffic->flows(std::max(2u, traffic->least_ranks())).has_bytes()) return true;
    return false;
}

std::uint64_t WorkloadFile::jobs() const {
    std::uint64_t sum = 0;
    for (WorkloadEntry const& entry : entries) sum += entry.count;
    return sum;
}

bool WorkloadFile::draws() const {
    return std::any_of(entries.begin(), entries.end(), [](WorkloadEntry const& entry) {
        return entry.submit.is_drawn() || entry.nodes.is_drawn() || entry.seconds.is_drawn() ||
               (entry.requested && entry.requested->is_drawn()) ||
               (entry.communication && entry.communication->is_drawn()) || entry.traffic.size() > 1;
    });
}

WorkloadFile read_workload(std::string const& path, std::uint32_t ranks_per_node, std::string const& pattern) {
    io::LineReader lines(io::open_source(path), path);
    if (schedule::begins_as_swf(lines.peek())) return from_swf(lines, ranks_per_node, pattern);
    if (!pattern.empty())
        throw base::InputError({}, "--pattern goes with a file of the Standard Workload Format",
                               path +
                                   " does not begin as one (with a number or ;), and jobs of other files say "
                                   "themselves what they send",
                               "write `pattern:` into the jobs");
    return WorkloadReader(path).read(io::read_yaml(lines.rest(most_bytes), path));
}

schedule::Workload draw_workload(WorkloadFile const& file, std::uint64_t seed) {
    schedule::Workload jobs;
    std::uint32_t number = 0;
    for (WorkloadEntry const& entry : file.entries) {
        double clock = 0;
        for (std::uint32_t k = 0; k < entry.count; ++k, ++number) {
            if (number == most_jobs)
                throw base::InputError({}, "the workload has more than 2^24 jobs", "", "divide it");
            schedule::WorkloadJob job;
            job.name = entry.count == 1 ? entry.name : fmt::format("{}.{}", entry.name, k + 1);
            double const submit = entry.submit.of(seed, number, 0);
            clock += submit;
            job.submit = entry.repeats ? clock : submit;
            job.nodes = static_cast<std::uint32_t>(std::clamp(std::round(entry.nodes.of(seed, number, 1)), 1.0, 4e9));
            job.seconds = entry.seconds.of(seed, number, 2);
            job.stretches = entry.stretches;
            if (entry.communication) job.communication = std::min(1.0, entry.communication->of(seed, number, 3));
            job.requested = entry.requested ? std::max(job.seconds, entry.requested->of(seed, number, 4)) : job.seconds;
            if (!entry.traffic.empty())
                job.traffic = entry.traffic[schedule::draw_below(static_cast<std::uint32_t>(entry.traffic.size()), seed,
                                                                 number, 5)];
            job.order = entry.order;
            jobs.push_back(std::move(job));
        }
    }
    std::stable_sort(jobs.begin(), jobs.end(), [](auto const& a, auto const& b) { return a.submit < b.submit; });
    return jobs;
}

}  // namespace tailback::api
