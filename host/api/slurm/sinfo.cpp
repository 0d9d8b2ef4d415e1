// Which nodes are free, as sinfo and scontrol tell.
#include "host/api/slurm/slurm.hpp"
#include "host/base/error.hpp"
#include "host/base/scanner.hpp"
#include "host/study/placement/hostlist.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace tailback::api {
namespace {

constexpr char const* how_to_make = "make the file with sinfo -N, or with scontrol show nodes";

enum class NodeState : std::uint8_t { free, idle_but_kept, busy };

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    for (std::size_t at = 0;;) {
        at = line.find_first_not_of(" \t\r", at);
        if (at == std::string_view::npos) return words;
        std::size_t const end = std::min(line.find_first_of(" \t\r", at), line.size());
        words.emplace_back(line.substr(at, end - at));
        at = end;
    }
}

/// `idle`, `idle~`, `IDLE+CLOUD+POWERED_DOWN`, `mixed-`, ..
NodeState state_of(std::string words) {
    std::transform(words.begin(), words.end(), words.begin(), [](unsigned char c) { return std::tolower(c); });
    if (!words.starts_with("idle")) return NodeState::busy;
    std::string_view rest = std::string_view(words).substr(4);
    while (!rest.empty()) {
        if (rest.front() != '+') {  // ~ power is off, # powering up, - planned for a job that waits
            if (rest.find_first_not_of("~#-") != std::string_view::npos) return NodeState::idle_but_kept;
            return NodeState::free;
        }
        std::size_t const end = std::min(rest.find('+', 1), rest.size());
        std::string_view const mark = rest.substr(1, end - 1);
        if (mark != "cloud" && mark != "dynamic_norm" && mark != "dynamic_future" && mark != "powered_down" &&
            mark != "powering_up" && mark != "planned")
            return NodeState::idle_but_kept;
        rest.remove_prefix(end);
    }
    return NodeState::free;
}

class SinfoReader {
public:
    explicit SinfoReader(io::LineReader& lines) : lines_(lines) {}

    IdleNodes read() {
        std::string_view line;
        while (lines_.next(line)) {
            std::vector<std::string> const words = words_of(line);
            if (words.empty()) continue;
            if (std::find(words.begin(), words.end(), "NODELIST") != words.end()) read_heads(words);
            else if (line.find("NodeName=") != std::string_view::npos || !node_.empty()) read_scontrol(words);
            else if (heads_ > 0) read_row(words);
            else if (!is_date(words)) read_lists(words);
        }
        IdleNodes found;
        for (auto const& name : order_) {
            Node const& node = nodes_.at(name);
            if (node.state == NodeState::busy) ++found.busy;
            else (node.state == NodeState::free && node.takes_jobs ? found.names : found.other_idle).push_back(name);
        }
        if (order_.empty()) throw base::InputError({lines_.name(), 0}, "the file has no node", "", how_to_make);
        return found;
    }

private:
    /// What `sinfo -l` begins with: `Fri Nov 27 19:21:57 2026`.
    static bool is_date(std::vector<std::string> const& words) {
        return words.size() == 5 && words[3].find(':') != std::string::npos && words[4].size() == 4;
    }
    [[noreturn]] void refuse(std::string const& problem, std::string const& why) const {
        throw base::InputError(lines_.place(), problem, why, how_to_make);
    }
    void read_heads(std::vector<std::string> const& words) {
        auto const place = [&](char const* head) {
            return static_cast<std::size_t>(std::find(words.begin(), words.end(), head) - words.begin());
        };
        list_at_ = place("NODELIST"), state_at_ = place("STATE"), avail_at_ = place("AVAIL"), heads_ = words.size();
        if (state_at_ == words.size()) refuse("there is no column STATE", "free nodes are those that are idle");
        // A column with blanks, as REASON has them, is the last.
    }
    void read_row(std::vector<std::string> const& words) {
        if (words.size() + 1 == heads_ && words.back() == "n/a") return;  // no node of that partition
        if (words.size() <= std::max(list_at_, state_at_))
            refuse("this is not a row of the columns above", "it has fewer words than they have heads");
        NodeState const state = state_of(words[state_at_]);
        bool const takes_jobs = avail_at_ == heads_ || words[avail_at_] == "up";  // else down, drain, inact
        add(words[list_at_], state, takes_jobs || state == NodeState::busy);
    }
    void read_scontrol(std::vector<std::string> const& words) {
        for (std::string const& word : words) {
            if (word.starts_with("NodeName=")) node_ = word.substr(9);
            if (word.starts_with("State=") && !node_.empty()) add(node_, state_of(word.substr(6)));
        }
    }
    /// `sinfo -h`: a list a line, or several; or a list and its state.
    void read_lists(std::vector<std::string> const& words) {
        if (words.size() > 2) refuse("this is neither a list of nodes nor a list and its state", "");
        add(words.front(), words.size() == 2 ? state_of(words[1]) : NodeState::free);
    }
    struct Node {
        NodeState state;
        bool takes_jobs;
    };
    /// A node may come again, in another partition: who is kept once is kept, and one partition that takes jobs is
    /// enough.
    void add(std::string const& list, NodeState state, bool takes_jobs = true) {
        base::at_place(lines_.place(), [&] {
            for (std::string const& name : study::expand_hostlist(list, left_)) {
                auto const [at, is_new] = nodes_.try_emplace(name, Node{state, takes_jobs});
                if (is_new) order_.push_back(name);
                Node& node = at->second;
                node = {std::max(node.state, state), node.takes_jobs || takes_jobs};
            }
        });
    }

    io::LineReader& lines_;
    std::size_t list_at_ = 0, state_at_ = 0, avail_at_ = 0, heads_ = 0;
    std::string node_;  ///< the last that scontrol named
    std::map<std::string, Node> nodes_;
    std::vector<std::string> order_;
    std::size_t left_ = study::most_names;
};

}  // namespace

IdleNodes read_sinfo(io::LineReader& lines) { return SinfoReader(lines).read(); }

}  // namespace tailback::api
