#include "host/traffic/traces/nccl_processes.hpp"

#include "host/base/scanner.hpp"
#include "host/traffic/traffic_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tailback::traffic {
namespace {

/// Takes `:123` off the end.
bool drop_number(std::string_view& text) {
    std::size_t const digits = text.find_last_not_of("0123456789");
    if (digits == std::string_view::npos || digits + 1 == text.size() || text[digits] != ':') return false;
    text = text.substr(0, digits);
    return true;
}

}  // namespace

NcclWriter nccl_writer(std::string_view line) {
    NcclWriter writer;
    std::string_view front = base::trimmed(line.substr(0, line.find("NCCL INFO ")));
    if (std::size_t const bracket = front.rfind('['); front.ends_with(']') && bracket != std::string_view::npos) {
        base::Scanner scan(front.substr(bracket + 1));
        if (scan.decimal(writer.device) && scan.rest() == "]") front = base::trimmed(front.substr(0, bracket));
        else writer.device = ~std::uint64_t{0};
    }
    std::size_t const end = front.size();
    if (!drop_number(front)) return writer;
    std::size_t process = front.size();
    if (!drop_number(front)) process = end;  // HOST:PID alone
    std::string_view const whole = line.substr(std::size_t(front.data() - line.data()));
    std::size_t const before = front.find_last_of(" \t:<>[](){}|,;=\"'@");
    std::size_t const at = before == std::string_view::npos ? 0 : before + 1;
    writer.host = front.substr(at);
    if (!writer.host.empty()) writer.process = whole.substr(at, process - at);
    return writer;
}

std::uint32_t NcclProcesses::process(std::string const& name) {
    auto const [at, is_new] = process_numbers_.try_emplace(name, static_cast<std::uint32_t>(processes_.size()));
    if (is_new) processes_.emplace_back();
    return at->second;
}

std::uint32_t NcclProcesses::connects(std::string const& name, std::uint64_t line) {
    std::uint32_t const number = process(name);
    if (processes_[number].first_connection == 0) processes_[number].first_connection = line;
    return number;
}

void NcclProcesses::add(NcclMember const& member, std::uint64_t line) {
    std::uint32_t const number = process(member.writer.process);
    Process& of = processes_[number];
    bool const starts = member.phase == NcclMember::Phase::start;
    of.has_start = of.has_start || starts;
    if (of.first_member == 0) of.first_member = line;
    auto const [at, is_new] = of.latest.try_emplace(member.pointer, static_cast<std::uint32_t>(instances_.size()));
    bool fresh = is_new;
    if (!fresh) {
        Instance const& known = instances_[at->second];
        fresh = known.member.rank != member.rank || known.member.ranks != member.ranks || known.ended ||
                (known.member.id && member.id && known.member.id != member.id) || (starts && known.start != 0);
    }
    if (fresh) {
        at->second = static_cast<std::uint32_t>(instances_.size());
        instances_.push_back({.member = member, .process = number, .first = line});
        by_rank_[{number, static_cast<std::uint32_t>(member.rank)}].push_back(at->second);
    }
    Instance& instance = instances_[at->second];
    if (!instance.member.id) instance.member.id = member.id;
    if (starts) instance.start = line;
    else if (member.phase == NcclMember::Phase::end) instance.ended = true;
    if (!starts && instance.complete == 0) instance.complete = line;
}

/// A process of the operating system may drive several devices, and is several processes of the job then.
std::string NcclProcesses::identity(Instance const& instance) const {
    NcclMember const& member = instance.member;
    if (!member.device && member.bus.empty()) return {};
    return fmt::format("{} {} {}", instance.process, member.device.value_or(~std::uint64_t{0}), member.bus);
}

void NcclProcesses::group() {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> of_id;  // (commId, size)
    std::map<std::uint64_t, std::vector<std::uint32_t>> without;           // by size
    for (std::uint32_t i = 0; i < instances_.size(); ++i) {
        NcclMember const& member = instances_[i].member;
        if (!member.id) {
            without[member.ranks].push_back(i);
            continue;
        }
        auto const [at, is_new] = of_id.try_emplace({*member.id, member.ranks}, communicators_.size());
        if (is_new) communicators_.push_back({.ranks = member.ranks, .first = instances_[i].first});
        auto const [rank, first] =
            communicators_[at->second].members.try_emplace(static_cast<std::uint32_t>(member.rank), i);
        doubled_ += !first && identity(instances_[rank->second]) != identity(instances_[i]);
        instances_[i].communicator = static_cast<std::uint32_t>(at->second);
    }
    for (auto const& [size, instances] : without) group_without_ids(instances);
}

/// Communicators of one size without an id. Where every rank is one process, they are all alike. Otherwise the lines of
/// one must end before those of the next begin.
void NcclProcesses::group_without_ids(std::vector<std::uint32_t> const& instances) {
    std::uint64_t const size = instances_[instances.front()].member.ranks;
    auto const rank = [&](std::uint32_t i) { return static_cast<std::uint32_t>(instances_[i].member.rank); };
    std::map<std::uint32_t, std::set<std::string>> who;
    for (std::uint32_t const i : instances) {
        std::string const name = identity(instances_[i]);
        who[rank(i)].insert(name.empty() ? fmt::format("{}", instances_[i].process) : name);
    }
    bool const alike = std::ranges::all_of(who, [](auto const& one) { return one.second.size() == 1; });
    by_order_ = by_order_ || !alike;
    std::size_t const first = communicators_.size();
    std::vector<std::size_t> open;
    bool mixed = false;
    for (std::uint32_t const i : instances) {
        bool const again = open.empty() || (!alike && communicators_[open.back()].members.contains(rank(i)));
        if (again) {
            open.push_back(communicators_.size());
            communicators_.push_back({.ranks = size, .first = instances_[i].first});
        }
        mixed = mixed || open.size() > 1;
        Communicator& joined = communicators_[open.back()];
        joined.members.try_emplace(rank(i), i);
        instances_[i].communicator = static_cast<std::uint32_t>(open.back());
        if (!alike && joined.members.size() == size) open.pop_back();
    }
    for (std::size_t c = first; c < communicators_.size(); ++c) communicators_[c].mixed = mixed;
}

void NcclProcesses::number(base::SourceLocation const& place) {
    place_ = place;
    group();
    std::vector<std::uint32_t> order(communicators_.size()), place_of(communicators_.size());
    for (std::uint32_t c = 0; c < order.size(); ++c) order[c] = c;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        Communicator const &x = communicators_[a], &y = communicators_[b];
        return x.ranks != y.ranks ? x.ranks > y.ranks : x.first < y.first;
    });
    std::vector<Communicator> sorted;
    for (std::uint32_t const c : order) {
        place_of[c] = static_cast<std::uint32_t>(sorted.size());
        sorted.push_back(std::move(communicators_[c]));
    }
    communicators_ = std::move(sorted);
    for (Instance& instance : instances_) instance.communicator = place_of[instance.communicator];

    std::unordered_map<std::string, std::vector<std::uint64_t>> known;  // identity -> ranks of the job
    std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> of_process;
    for (Communicator& communicator : communicators_) {
        bool const largest = &communicator == &communicators_.front();
        if (largest && communicator.mixed) refuse_mixed(communicator.ranks);
        bool apart = true;  // none of its processes is known
        std::set<std::uint32_t> fresh;
        for (auto const& [rank, i] : communicator.members) {
            std::string const name = identity(instances_[i]);
            auto const at = known.find(name);
            std::vector<std::uint64_t> const* found = at != known.end() ? &at->second : nullptr;
            if (name.empty())
                if (auto const any = of_process.find(instances_[i].process); any != of_process.end())
                    found = &any->second;
            if (found == nullptr) {
                fresh.insert(rank);
                continue;
            }
            apart = false;
            if (found->size() == 1) communicator.ranks_of_job[rank] = found->front();
        }
        std::uint64_t const begin = ranks_;
        if (apart) {  // its ranks without a line count as well
            for (std::uint32_t const rank : fresh) communicator.ranks_of_job[rank] = begin + rank;
            ranks_ += communicator.ranks;
        } else {
            for (std::uint32_t const rank : fresh) communicator.ranks_of_job[rank] = ranks_++;
        }
        for (std::uint32_t const rank : fresh) {
            Instance const& instance = instances_[communicator.members.at(rank)];
            std::uint64_t const of_job = communicator.ranks_of_job.at(rank);
            if (std::string const name = identity(instance); !name.empty()) known[name].push_back(of_job);
            of_process[instance.process].push_back(of_job);
            hosts_[of_job] = instance.member.writer.host;
        }
    }
}

std::vector<std::string> NcclProcesses::hosts() const {
    std::vector<std::string> hosts;
    if (hosts_.size() != ranks_) return hosts;
    for (auto const& [rank, host] : hosts_) {
        if (host.empty()) return {};
        hosts.push_back(host);
    }
    return hosts;
}

std::optional<std::uint64_t> NcclProcesses::rank_of_job(Communicator const& communicator, std::uint32_t rank) const {
    if (&communicator == &communicators_.front()) return rank;
    auto const at = communicator.ranks_of_job.find(rank);
    if (at == communicator.ranks_of_job.end()) return std::nullopt;
    return at->second;
}

std::optional<NcclProcesses::Ends> NcclProcesses::find(NcclConnection const& connection) const {
    if (communicators_.size() == 1) return Ends{connection.own, connection.other};
    auto const at = by_rank_.find({connection.process, connection.own});
    if (at == by_rank_.end()) return std::nullopt;
    std::vector<std::uint32_t> found;
    for (std::uint32_t const i : at->second)
        if (connection.other < instances_[i].member.ranks) found.push_back(i);
    auto const keep = [&](auto const& wanted) {  // where any is left
        if (std::ranges::any_of(found, wanted)) std::erase_if(found, [&](std::uint32_t i) { return !wanted(i); });
    };
    auto const ends = [&](std::uint32_t i) -> std::optional<Ends> {
        Communicator const& of = communicators_[instances_[i].communicator];
        std::optional<std::uint64_t> const own = rank_of_job(of, connection.own),
                                           other = rank_of_job(of, connection.other);
        if (!own || !other) return std::nullopt;
        return Ends{*own, *other};
    };
    keep([&](std::uint32_t i) { return instances_[i].member.device == connection.device; });
    if (connection.pointer != 0)
        keep([&](std::uint32_t i) { return instances_[i].member.pointer == connection.pointer; });
    keep([&](std::uint32_t i) {  // NET is between nodes
        std::optional<Ends> const pair = ends(i);
        if (!pair) return true;
        auto const own = hosts_.find(pair->own), other = hosts_.find(pair->other);
        return own == hosts_.end() || other == hosts_.end() || own->second != other->second;
    });
    if (found.empty()) return std::nullopt;
    std::uint64_t const line = connection.line;
    auto const is_open = [&](std::uint32_t i) {
        Instance const& one = instances_[i];
        return one.start != 0 && one.start < line && (one.complete == 0 || one.complete > line);
    };
    keep(is_open);
    bool const alike = std::ranges::all_of(found, [&](std::uint32_t i) { return ends(i) == ends(found.front()); });
    std::uint32_t taken = found.front();
    if (!alike) {
        Process const& of = processes_[connection.process];
        bool const before = !of.has_start && of.first_connection < of.first_member;
        for (std::uint32_t const i : found) {  // by their first lines
            std::uint64_t const first = instances_[i].first;
            if (before && first > line) {
                taken = i;
                break;
            }
            if (first < line || (before && instances_[taken].first < line)) taken = i;
        }
    }
    Communicator const& of = communicators_[instances_[taken].communicator];
    if (of.mixed) refuse_mixed(of.ranks);
    std::optional<Ends> result = ends(taken);
    if (result) result->guessed = !alike && !is_open(taken);
    return result;
}

void NcclProcesses::refuse_mixed(std::uint64_t ranks) const {
    throw base::InputError(place_, "the communicators of the log cannot be told apart",
                           fmt::format("several have {} ranks, no commId, and lines that are mixed", ranks),
                           "give the log of one of them, or of NCCL 2.18 or later, which names them (commId)");
}

}  // namespace tailback::traffic
