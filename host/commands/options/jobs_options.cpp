#include "host/commands/options/jobs_options.hpp"

#include "host/base/error.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/timing_options.hpp"
#include "host/commands/registry.hpp"
#include "host/commands/report_file.hpp"
#include "host/io/yaml_tree.hpp"
#include "host/study/placement/placer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tailback::commands {
/// The value of a key of a job in a file: names of files are those beside it, where they are there.
std::string beside(std::string const& path, std::string const& key, std::string const& value) {
    std::size_t const of = value.find(" of ");
    if (value.starts_with("file:")) return "file:" + io::file_beside(path, value.substr(5));
    if (key == "nodes" && of != value.npos)
        return (value.starts_with("any:") ? value.substr(0, of) : io::file_beside(path, value.substr(0, of))) + " of " +
               io::file_beside(path, value.substr(of + 4));
    return key == "nodes" || key == "traffic" ? io::file_beside(path, value) : value;
}

std::vector<api::JobRequest> read_jobs_file(std::string const& path) {
    constexpr std::size_t most_bytes = std::size_t{16} << 20;
    io::LineReader lines(io::open_source(path), path);
    io::YamlNode const tree = io::read_yaml(lines.rest(most_bytes), path);
    std::string const what_to_do =
        "write `jobs:` and below it a list of maps: name, traffic or pattern, ranks, nodes, ..";
    auto const refuse = [&](io::YamlNode const& node, std::string const& problem) {
        throw base::InputError({path, node.line}, problem, "", what_to_do);
    };
    using Kind = io::YamlNode::Kind;
    io::YamlNode const& list = io::only_list(tree, "jobs", path, "list of jobs", what_to_do);
    if (list.items.size() > study::Placer::most_jobs)
        throw base::InputError({path, 0}, fmt::format("the file lists {} jobs", list.items.size()),
                               fmt::format("at most {}", study::Placer::most_jobs), "leave some out");
    std::vector<api::JobRequest> jobs;
    for (io::YamlNode const& item : list.items) {
        if (item.kind != Kind::map) refuse(item, "a job is not a map");
        api::JobRequest job;
        job.place = {path, item.line};
        for (std::size_t k = 0; k < item.keys.size(); ++k) {
            io::YamlNode const& value = item.items[k];
            if (value.kind != Kind::scalar) refuse(value, "\"" + item.keys[k] + "\" of a job is not a single value");
            if (item.keys[k] == "name") job.name = value.text;
        }
        if (job.name.empty()) refuse(item, "a job has no name");
        for (std::size_t k = 0; k < item.keys.size(); ++k) {
            if (item.keys[k] == "name") continue;
            base::at_place({path, item.items[k].line}, [&] {
                api::set_job_key(job, item.keys[k], beside(path, item.keys[k], item.items[k].text));
            });
        }
        jobs.push_back(std::move(job));
    }
    return jobs;
}

RequestedJobs requested_jobs(options::ParsedOptions const& options, std::optional<std::string> const& ranks_per_node) {
    RequestedJobs all;
    if (options.given("jobs")) {
        all.inputs.push_back(*options.text("jobs"));
        all.jobs = read_jobs_file(all.inputs.back());
    }
    for (JobList const& list : job_lists()) {
        if (!options.given(list.option)) continue;
        all.inputs.push_back(*options.text(list.option));
        for (api::JobRequest& job : list.read(options, ranks_per_node, all.taken)) all.jobs.push_back(std::move(job));
    }
    for (std::string const& job : options.list("job")) all.jobs.push_back(api::read_job(job));
    return all;
}

namespace {

/// `place` of a job beside all others. None where a file has some of them: it has this one, too.
std::vector<std::vector<std::string>> places_beside(options::ParsedOptions const& options,
                                                    std::vector<api::JobRequest> const& jobs) {
    std::vector<std::vector<std::string>> found(jobs.size());
    std::vector<std::string> const given = options.list("job");
    auto const is_tied = [](api::JobRequest const& job) { return !job.with.empty() || job.priority; };
    std::vector<std::string> const words = other_commands(options, options::jobs, options::place).with("place", {});
    if (words.empty() || given.size() != jobs.size() || std::any_of(jobs.begin(), jobs.end(), is_tied)) return found;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        auto const own = std::find(words.begin(), words.end(), given[j]);
        if (own == words.end()) continue;
        std::vector<std::string>& line = found[j];
        line.assign(words.begin(), own - 1);  // `--job` stands before it
        line.insert(line.end(), own + 1, words.end());
        auto const add = [&](char const* option, std::string const& value) {
            if (!value.empty()) line.insert(line.end(), {option, value});
        };
        api::JobRequest const& job = jobs[j];
        add("--pattern", job.pattern);
        add("--traffic", job.traffic);
        add("--ranks-per-node", job.placement.ranks_per_node != 0 ? std::to_string(job.placement.ranks_per_node) : "");
        if (std::optional<study::RailRule> const& rail = job.placement.rail)
            add("--rail", rail->file.empty() ? rail->words : "file:" + rail->file);
    }
    return found;
}

}  // namespace

JobsOptions parse_jobs_options(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::jobs, arguments);
    JobsOptions parsed;
    api::JobsRequest& request = parsed.request;
    request.network = network_choice(options, "it says which network the jobs run on");
    std::optional<std::string> ranks_per_node;
    if (options.has("ranks-per-node")) ranks_per_node = options.text("ranks-per-node");
    RequestedJobs requested = requested_jobs(options, ranks_per_node);
    request.jobs = std::move(requested.jobs);
    if (request.jobs.empty()) {
        std::string others = "--jobs FILE";
        for (JobList const& list : job_lists()) others += fmt::format(" or --{} FILE", list.option);
        throw base::InputError({}, "there is no job", "",
                               fmt::format("add --job NAME:traffic=FILE,ranks=100, {}", others));
    }
    request.adapters = api::read_node_grouping(options.text("adapters").value_or(""));
    request.rail_aligned = options.given("rail-aligned");
    request.group_by = group_by_of(options);
    request.mappings_given = options.given("mappings");
    request.mappings = options.number("mappings");
    request.first_mapping = options.number("first-mapping");
    request.seed = options.number("seed");
    request.capacities = capacities_of(options);
    request.aggregation_nodes_are_hosts = options.choice("aggregation-nodes") == 1;
    if (options.given("spread")) {
        std::vector<evaluation::LidSpread> const spreads = read_spreads(options.list("spread"));
        if (spreads.size() != 1)
            throw base::InputError({}, "--spread has several words", "jobs are evaluated in one way", "give one",
                                   "spread");
        parsed.spread = spreads.front();
        request.network.form = api::RoutesForm::tables;  // LIDs are those of tables
    }
    parsed.elsewhere = places_beside(options, request.jobs);
    parsed.job_words = options.list("job");
    request.timed = asks_for_times(options);
    read_timing(options, request.timing);
    for (api::JobRequest const& job : request.jobs) request.timed |= job.priority.has_value();
    for (api::JobRequest const& job : request.jobs)
        if (!request.timed && !job.class_name.empty())
            throw base::InputError({}, fmt::format("class={} of job \"{}\" has no effect", job.class_name, job.name),
                                   "loads know of no classes", "add --time, or leave it out", "job");
    if (request.timed && options.given("spread"))
        throw base::InputError({}, "--spread does not go with simulated times of jobs", "a flow has one route there",
                               "leave it out, or --time and priorities");
    parsed.format = format_of(options);
    parsed.output = *options.text("output");
    parsed.threads = options.threads();
    std::vector<std::string> inputs = api::paths_of(request.named_files());
    inputs.insert(inputs.end(), requested.inputs.begin(), requested.inputs.end());
    check_files(inputs, {parsed.output});
    return parsed;
}

}  // namespace tailback::commands
