// Every distinct value is looked at once; a complaint about a point is traced to the value that causes it.
#include "host/sweep/points.hpp"

#include "host/base/error.hpp"
#include "host/study/flow_file.hpp"
#include "host/sweep/journal.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace tailback::sweep {
namespace {

class PointChecker {
public:
    PointChecker(std::string const& name, ParseWords const& parse) : name_(name), parse_(parse) {}

    CheckedPoint check(SweepPoint const& point) {
        CheckedPoint checked = parse(point);
        checked.point = &point;
        api::StudyRequest const& request = checked.request;
        std::set<std::string> files;
        auto const add_file = [&](std::string const& file, char const* option) {
            if (file.empty()) return;
            digest(file, *find_setting(point, option));
            files.insert(file);
        };
        SweepSetting const* const tables = find_setting(point, "tables");
        if (tables != nullptr && request.network.spec)
            throw base::InputError({name_, tables->line},
                                   "tables do not go with the spec \"" + request.network.network + "\"",
                                   "tables refer to the nodes of a file; a generated network is routed by name",
                                   "put them into an entry of \"network\" with their network");
        if (request.network.spec) {
            for (std::string const& file : request.network.spec->files()) add_file(file, "network");
        } else {
            SweepSetting const& network = *find_setting(point, "network");
            for (std::string const& file : api::paths_of({{"network", request.network.network}})) {
                look_for_network(file, network);
                add_file(file, "network");
            }
        }
        add_file(request.network.tables.value_or(""), "tables");
        if (request.network.routing)
            for (std::string const& file : request.network.routing->files()) add_file(file, "routing");
        add_file(request.pattern_file, "pattern");
        add_file(request.traffic_file, "traffic");
        add_file(request.subset_file, "subset");
        add_file(request.mapping_file, "mapping");
        for (auto const& [option, file] : request.placement.named_files()) add_file(file, option.c_str());
        for (char const* const option : {"pattern", "first", "second"})
            if (SweepSetting const* const pattern = find_setting(point, option))
                look_at_pattern(*pattern, request.pattern_file);
        if (checked.other != nullptr) add_files(*checked.other, word_of(point), files);
        checked.meaning = meaning_of(point, files);
        checked.network = number_of("network " + key_of(point, {options::Stage::network}));
        checked.fabric = number_of("fabric " + key_of(point, {options::Stage::network, options::Stage::routes}) +
                                   request_of(checked).purpose());
        checked.hosts = number_of("hosts " + std::to_string(checked.fabric) + key_of(point, {options::Stage::hosts}));
        return checked;
    }

    std::vector<std::string> files() const {
        std::vector<std::string> all;
        for (auto const& [file, ignored] : digests_) all.push_back(file);
        return all;
    }

private:
    template <class Work>
    auto at_line(std::size_t line, Work&& work) const {
        try {
            return work();
        } catch (base::InputError const& error) {
            throw base::InputError({name_, line}, error.what(), "", "");
        }
    }

    CheckedPoint parse(SweepPoint const& point, options::Commands command) const {
        CheckedPoint checked{parse_(command, words_of(point))};
        if (checked.other != nullptr) checked.request.network = checked.other->network();
        else checked.request.study.traffic.may_leave_flows_unlisted = true;  // a row tells none
        return checked;
    }
    CheckedPoint parse(SweepPoint const& point) const {
        try {
            return parse(point, command_of(point));
        } catch (base::InputError const& error) {
            throw base::InputError({name_, culprit(point, error).line}, error.what(), "", "");
        }
    }
    /// The setting that the complaint is about; where it does not say, the first without which there is none. The
    /// network's when that is none either.
    SweepSetting const& culprit(SweepPoint const& point, base::InputError const& complaint) const {
        if (SweepSetting const* const named = find_setting(point, complaint.option())) return *named;
        for (std::size_t i = 1; i < point.size(); ++i) {
            SweepPoint fewer = point;
            fewer.erase(fewer.begin() + std::ptrdiff_t(i));
            try {
                parse(fewer, command_of(point));
                return point[i];
            } catch (base::InputError const&) {
            }
        }
        return point.front();
    }

    /// True the first time that this value of this option is met.
    bool is_new(SweepSetting const& setting) {
        return met_.insert(std::to_string(setting.option) + " " + setting.value).second;
    }

    void look_for_network(std::string const& file, SweepSetting const& network) const {
        std::error_code ignored;
        if (file == "-")
            throw base::InputError({name_, network.line}, "a network cannot come from standard input",
                                   "it may be read several times", "name a file");
        if (!std::filesystem::exists(file, ignored))
            throw base::InputError(
                {name_, network.line}, "\"" + network.value + "\" is neither a file nor the spec of a network",
                "names of files are relative to the sweep's file",
                "check the name, see `tailback list topologies`, and put quotes around a spec with commas inside [ ]");
    }
    /// The key that says which command the point is of, with its file.
    static SweepSetting const& word_of(SweepPoint const& point) {
        return *std::find_if(point.begin(), point.end(), is_word);
    }
    /// The file of the setting is read; it may name more.
    void add_files(OtherPoint const& other, SweepSetting const& setting, std::set<std::string>& files) {
        digest(setting.value, setting);
        files.insert(setting.value);
        auto const [at, is_new] = files_of_inputs_.try_emplace(other.inputs());
        if (is_new) at->second = at_line(setting.line, [&] { return other.files(); });
        for (std::string const& file : at->second) {
            digest(file, setting);
            files.insert(file);
        }
    }
    void look_at_pattern(SweepSetting const& pattern, std::string const& file) {
        if (!is_new(pattern) || pattern.value == "ptrnvsptrn") return;
        at_line(pattern.line, [&] {
            if (std::string(pattern.name()) != "pattern" || file.empty())
                return patterns::make_pattern_part(pattern.value, 0);
            io::LineReader lines(io::open_source(file), file);
            return study::read_flows(lines);
        });
    }

    std::string const& digest(std::string const& file, SweepSetting const& setting) {
        auto const [at, added] = digests_.try_emplace(file);
        if (added) at->second = at_line(setting.line, [&] { return digest_of_file(file); });
        return at->second;
    }
    std::string meaning_of(SweepPoint const& point, std::set<std::string> const& files) const {
        using Json = nlohmann::ordered_json;
        Json meaning = {{"options", Json::object()}};
        for (SweepSetting const& setting : point) meaning["options"][setting.name()] = setting.value;
        if (!files.empty()) meaning["files"] = Json::object();
        for (std::string const& file : files) meaning["files"][file] = digests_.at(file);
        return meaning.dump(-1, ' ', true, Json::error_handler_t::replace);
    }

    static std::string key_of(SweepPoint const& point, std::initializer_list<options::Stage> stages) {
        std::string key;
        for (SweepSetting const& setting : point)
            if (std::find(stages.begin(), stages.end(), setting.row().stage) != stages.end())
                key += std::string(setting.name()) + "=" + setting.value + "\n";
        return key;
    }
    /// Numbers in the order in which keys are met.
    std::size_t number_of(std::string const& key) { return numbers_.try_emplace(key, numbers_.size()).first->second; }

    std::string const& name_;
    ParseWords const& parse_;
    std::set<std::string> met_;
    std::map<std::string, std::string> digests_;
    std::map<std::string, std::size_t> numbers_;
    std::map<std::string, std::vector<std::string>> files_of_inputs_;
};

}  // namespace

api::FabricRequest request_of(CheckedPoint const& point) {
    return point.other != nullptr ? point.other->fabric_request()
                                  : api::fabric_request(point.request, [](std::string const&) {});
}

CheckedSweep check_points(std::vector<SweepPoint> const& points, std::string const& name, ParseWords const& parse) {
    PointChecker checker(name, parse);
    CheckedSweep sweep;
    for (SweepPoint const& point : points) sweep.points.push_back(checker.check(point));
    sweep.files = checker.files();
    return sweep;
}

}  // namespace tailback::sweep
