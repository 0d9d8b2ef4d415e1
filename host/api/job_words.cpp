// One job in words, or in the keys of a file.
#include "host/api/jobs.hpp"
#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/base/scanner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace tailback::api {
namespace {

std::uint32_t whole(std::string const& key, std::string const& value, std::uint32_t most) {
    base::Scanner scan(value);
    std::uint64_t number = 0;
    if (!scan.decimal(number) || !scan.at_end() || number == 0 || number > most)
        throw base::InputError({}, key + "=" + value.substr(0, 40) + " of a job is not a number", "",
                               fmt::format("give one from 1 to {}", most));
    return static_cast<std::uint32_t>(number);
}

/// A key of a job, and what its value sets.
struct JobKey {
    char const* name;
    void (*set)(JobRequest& job, std::string const& value);
};
constexpr JobKey job_keys[] = {
    {"traffic", [](JobRequest& job, std::string const& value) { job.traffic = value; }},
    {"pattern", [](JobRequest& job, std::string const& value) { job.pattern = value; }},
    {"ranks", [](JobRequest& job, std::string const& value) { job.ranks = whole("ranks", value, 1u << 24); }},
    {"nodes", [](JobRequest& job, std::string const& value) { job.placement.nodes = value; }},
    {"mapping",
     [](JobRequest& job, std::string const& value) {
         if (value.starts_with("file:")) job.placement.mapping_file = value.substr(5);
         else job.placement.order = study::read_rank_order(value);
     }},
    {"ranks-per-node",
     [](JobRequest& job, std::string const& value) {
         job.placement.ranks_per_node = whole("ranks-per-node", value, UINT16_MAX);
     }},
    {"rail", [](JobRequest& job, std::string const& value) { job.placement.rail = study::read_rail_rule(value); }},
    {"with", [](JobRequest& job, std::string const& value) { job.with = value; }},
    {"class", [](JobRequest& job, std::string const& value) { job.class_name = value; }},
    {"priority", [](JobRequest& job, std::string const& value) { job.priority = study::read_priority(value); }},
};

/// @throws InputError for a key that is unknown
JobKey const& find_key(std::string const& key) {
    std::vector<std::string> names;
    for (JobKey const& known : job_keys) {
        if (key == known.name) return known;
        names.emplace_back(known.name);
    }
    throw base::InputError({}, "\"" + key.substr(0, 40) + "\" is not a key of a job", base::nearest_hint(key, names),
                           fmt::format("the keys are {}", fmt::join(names, ", ")));
}

/// Where the next `,KEY=` begins, from `from` on; the end where there is none.
std::size_t next_key(std::string const& words, std::size_t from) {
    std::size_t at = words.size();
    for (JobKey const& key : job_keys) at = std::min(at, words.find(fmt::format(",{}=", key.name), from));
    return at;
}

}  // namespace

std::string of_job(JobRequest const& job) { return "job \"" + job.name.substr(0, 80) + "\""; }

void set_job_key(JobRequest& job, std::string const& key, std::string const& value) {
    if (value.empty())
        throw base::InputError({}, key + " of " + of_job(job) + " is empty", "", "give it a value or leave it out");
    find_key(key).set(job, value);
}

namespace {

/// Refuses `,WORD=` in a value that has no options of its own (`NAME:option=..`): it is meant as a key.
void check_no_key(std::string const& key, std::string const& value) {
    bool const is_a_file = key == "traffic" || value.starts_with("file:");
    std::size_t const equal = value.find('='), comma = value.substr(0, equal).rfind(',');
    bool const has_options = key != "priority" && value.find(':') < comma;
    if (is_a_file || has_options || equal == value.npos || comma == value.npos) return;
    find_key(value.substr(comma + 1, equal - comma - 1));
}

JobRequest read_words(std::string const& words) {
    std::size_t const colon = words.find(':');
    JobRequest job;
    job.name = words.substr(0, colon);
    if (colon == words.npos || job.name.empty())
        throw base::InputError({}, "\"" + words.substr(0, 80) + "\" is not a job", "it has no name or no traffic",
                               "write NAME:traffic=FILE,ranks=100,nodes=any:100");
    std::string const rest = "," + words.substr(colon + 1);
    std::set<std::string> given;
    for (std::size_t at = 0; at < rest.size();) {
        std::size_t const equal = rest.find('=', at);
        std::size_t end = next_key(rest, at + 1);
        std::string const key = rest.substr(at + 1, std::min(equal, end) - at - 1);
        if (key.starts_with("ranks")) end = std::min(end, rest.find(',', at + 1));  // no commas in a number
        if (equal == rest.npos || equal > end)
            throw base::InputError({}, "\"" + key.substr(0, 80) + "\" of " + of_job(job) + " has no value", "",
                                   "write KEY=VALUE");
        if (!given.insert(key).second)
            throw base::InputError({}, key + " of " + of_job(job) + " is given twice", "", "leave one out");
        std::string const value = rest.substr(equal + 1, end - equal - 1);
        find_key(key);
        check_no_key(key, value);
        set_job_key(job, key, value);
        at = end;
    }
    return job;
}

}  // namespace

JobRequest read_job(std::string const& words) {
    try {
        return read_words(words);
    } catch (base::InputError const& error) {
        throw base::InputError(error.place(), fmt::format("--job {}: {}", words.substr(0, 80), error.what()), "", "",
                               "job");
    }
}

}  // namespace tailback::api
