// The operations of a GOAL schedule (Hoefler, Siebert, Lumsdaine: Group Operation Assembly Language, ICPP 2009) as a
// graph. The n-th send of a rank to another with some tag is received by the n-th receive there from it with that tag.
// A message leaves when its send is released, whether it is waited for or not; a receive has begun when what it
// requires has ended, that is when it is posted, and ends when the message is there, too. Computations on the same core
// of a rank run one after the other, first come, first served, of those that come together the one that stands first in
// the file.
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/simulation/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

namespace tailback::simulation {
namespace {

using traffic::GoalOperation;
using Kind = GoalOperation::Kind;

class ScheduleGraph {
public:
    explicit ScheduleGraph(study::StudyPlan const& plan)
        : plan_(plan), schedule_(*plan.study.measures.timing.schedule) {}

    Graph build() {
        builder_.reserve(schedule_.operations.size(), schedule_.dependencies.size() + schedule_.operations.size() / 2);
        builder_.graph.by_levels = false;
        for (GoalOperation const& operation : schedule_.operations) add(operation);
        join_messages();
        for (traffic::GoalDependency const& dependency : schedule_.dependencies)
            if (dependency.start_is_enough) post(static_cast<std::uint32_t>(dependency.needs));
        for (traffic::GoalDependency const& dependency : schedule_.dependencies) add_edge(dependency);
        Graph graph = builder_.take();
        check_order(graph);
        return graph;
    }

private:
    base::SourceLocation place(std::size_t operation) const {
        return {plan_.study.measures.timing.schedule_file, schedule_.operations[operation].line};
    }
    /// Tasks are the operations, and behind them the posting of receives.
    std::size_t operation_of(std::size_t task) const {
        return task < schedule_.operations.size() ? task : posted_[task - schedule_.operations.size()];
    }

    /// A receive that others wait to begin has a task of its own for that: what it waits for but the message.
    void post(std::uint32_t operation) {
        GoalOperation const& receive = schedule_.operations[operation];
        if (receive.kind != Kind::receive || posting_of_.contains(operation)) return;
        std::uint32_t const posting = builder_.add_computation(0, receive.rank, none, receive.line);
        posting_of_.emplace(operation, posting);
        posted_.push_back(operation);
        builder_.add_edge(posting, Done::sent, operation);
    }
    void add_edge(traffic::GoalDependency const& dependency) {
        auto const posting = [&](std::size_t operation) {
            auto const at = posting_of_.find(static_cast<std::uint32_t>(operation));
            return at == posting_of_.end() ? static_cast<std::uint32_t>(operation) : at->second;
        };
        std::uint32_t const later = posting(dependency.operation);
        if (dependency.start_is_enough) builder_.add_edge(posting(dependency.needs), Done::started, later);
        else builder_.add_edge(static_cast<std::uint32_t>(dependency.needs), Done::sent, later);
    }

    void add(GoalOperation const& operation) {
        if (operation.kind == Kind::send && operation.peer != operation.rank) {
            builder_.add_flow(builder_.pair(operation.rank, operation.peer), operation.rank,
                              operation.amount / plan_.common_weight, operation.line);
            return;
        }
        bool const computes = operation.kind == Kind::calculation && operation.amount > 0;
        builder_.add_computation(computes ? duration(operation) : 0, operation.rank, computes ? core(operation) : none,
                                 operation.line);
    }
    /// Nanoseconds; without rates, units of a link of the base rate.
    Ticks duration(GoalOperation const& operation) const {
        double const each = (plan_.in_seconds() ? 1e-9 : 1.0) / plan_.congestion_unit();
        return static_cast<Ticks>(
            std::llround(double(operation.amount) * each * double(plan_.problem.measures.sharing.time_unit)));
    }
    std::uint32_t core(GoalOperation const& operation) {
        std::uint64_t const key = std::uint64_t{operation.rank} << 32 | operation.cpu;
        auto const [at, is_new] = cores_.try_emplace(key, builder_.graph.cores);
        builder_.graph.cores += is_new;
        return at->second;
    }

    /// Sends and receives by (source, destination, tag), each in the order of the file.
    void join_messages() {
        struct Message {
            std::uint32_t source, destination, tag, operation;
            auto key() const { return std::tie(source, destination, tag); }
            bool operator<(Message const& other) const {
                return std::tie(source, destination, tag, operation) <
                       std::tie(other.source, other.destination, other.tag, other.operation);
            }
        };
        std::vector<Message> sends, receives;
        for (std::uint32_t o = 0; o < schedule_.operations.size(); ++o) {
            GoalOperation const& operation = schedule_.operations[o];
            if (operation.kind == Kind::send) sends.push_back({operation.rank, operation.peer, operation.tag, o});
            if (operation.kind == Kind::receive) receives.push_back({operation.peer, operation.rank, operation.tag, o});
        }
        std::sort(sends.begin(), sends.end());
        std::sort(receives.begin(), receives.end());
        for (std::size_t i = 0; i < std::max(sends.size(), receives.size()); ++i) {
            bool const lacks_receive = i >= receives.size() || (i < sends.size() && sends[i].key() < receives[i].key());
            if (lacks_receive || i >= sends.size() || receives[i].key() < sends[i].key())
                refuse_lonely(lacks_receive ? sends[i].operation : receives[i].operation);
            join(sends[i].operation, receives[i].operation);
        }
    }
    [[noreturn]] void refuse_lonely(std::uint32_t number) const {
        GoalOperation const& operation = schedule_.operations[number];
        bool const sends = operation.kind == Kind::send;
        throw base::InputError(
            place(number),
            fmt::format("the {} of rank {} {} rank {} with tag {} has no {}", sends ? "send" : "receive",
                        operation.rank, sends ? "to" : "from", operation.peer, operation.tag,
                        sends ? "receive" : "send"),
            sends ? "the other rank receives fewer messages of that tag" : "the other rank sends fewer of that tag",
            "complete the schedule");
    }
    void join(std::uint32_t send, std::uint32_t receive) {
        std::uint64_t const sent = schedule_.operations[send].amount, taken = schedule_.operations[receive].amount;
        if (sent != taken)
            throw base::InputError(
                place(receive),
                fmt::format("a receive of {} gets a message of {}", base::counted(taken, "byte", "bytes"),
                            base::counted(sent, "byte", "bytes")),
                fmt::format("the send is in line {}", schedule_.operations[send].line), "make both the same");
        builder_.add_edge(send, Done::arrived, receive);
    }

    /// Takes away what can run, again and again: what is left waits for itself.
    void check_order(Graph const& graph) const {
        std::vector<std::uint32_t> waits, ready;
        waits.reserve(graph.tasks.size());
        for (std::uint32_t n = 0; n < graph.tasks.size(); ++n) {
            waits.push_back(graph.tasks[n].waits);
            if (waits[n] == 0) ready.push_back(n);
        }
        std::size_t left = schedule_.operations.size();
        while (!ready.empty()) {
            std::uint32_t const task = ready.back();
            ready.pop_back();
            left -= task < schedule_.operations.size();
            for (std::uint64_t e = graph.first_edge[task]; e < graph.first_edge[task + 1]; ++e)
                if (std::uint32_t const next = Graph::target(graph.edges[e]); --waits[next] == 0) ready.push_back(next);
        }
        if (left == 0) return;
        std::size_t const stuck = operation_of(one_of_a_cycle(graph, waits));
        throw base::InputError(
            place(stuck), "the schedule can never end",
            fmt::format("this operation of rank {} waits for itself by way of others; {} never run",
                        schedule_.operations[stuck].rank, base::counted(left, "operation", "operations")),
            "remove one of the dependencies between them");
    }
    /// From what cannot run back to what it waits for, until one is met again.
    std::size_t one_of_a_cycle(Graph const& graph, std::vector<std::uint32_t> const& waits) const {
        std::vector<std::uint32_t> waits_for(graph.tasks.size(), none);
        for (std::uint32_t n = 0; n < graph.tasks.size(); ++n)
            for (std::uint64_t e = graph.first_edge[n]; waits[n] > 0 && e < graph.first_edge[n + 1]; ++e)
                waits_for[Graph::target(graph.edges[e])] = n;
        std::vector<bool> met(graph.tasks.size());
        std::size_t at = 0;
        while (waits[at] == 0) ++at;
        while (!met[at]) met[at] = true, at = waits_for[at];
        return at;
    }

    study::StudyPlan const& plan_;
    traffic::GoalSchedule const& schedule_;
    GraphBuilder builder_;
    std::unordered_map<std::uint64_t, std::uint32_t> cores_;       ///< rank and cpu -> core
    std::unordered_map<std::uint32_t, std::uint32_t> posting_of_;  ///< receive -> the task of its posting
    std::vector<std::uint32_t> posted_;                            ///< receives, in the order of these tasks
};

}  // namespace

Graph graph_of_schedule(study::StudyPlan const& plan) { return ScheduleGraph(plan).build(); }

}  // namespace tailback::simulation
