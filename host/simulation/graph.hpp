// A graph of dependencies: flows and computations, and which of them starts when others have started or ended. Made of
// the levels of a pattern or of the operations of a GOAL schedule; the same for all mappings of a study.
#pragma once

#include "host/study/plan/study_plan.hpp"

#include <cstdint>
#include <vector>

namespace tailback::simulation {

/// Times are whole units: SharingView::time_unit of them is what a link of the base rate takes for weight 1.
using Ticks = std::uint64_t;

inline constexpr std::uint32_t none = 0xFFFFFFFFu;

/// Whose flows take the same route. Of a drawn flow first + pi(source - first), where pi is the problem's drawn
/// permutation of that number, is the destination.
struct Pair {
    std::uint32_t source, destination;
    std::uint32_t drawn = none, first = 0;
    std::uint32_t ends = none;  ///< of a drawn flow: where Graph::drawn_ends of rank `first` is
};

/// A flow from one rank to another, or a computation of one rank, which may take no time: then it stands for a receive,
/// or for the end of a level.
struct Task {
    std::uint32_t subject;    ///< of a flow its pair; of a computation the core that it keeps busy, or `none`
    std::uint32_t waits = 0;  ///< edges that lead here
    std::uint64_t amount;     ///< weight of a flow; ticks of a computation
    std::uint32_t rank : 31;  ///< the sender, or who computes; all bits set: nobody's own
    std::uint32_t is_flow : 1;
    std::uint32_t label;  ///< of a pattern the level; of a schedule the line of the file
};
inline constexpr std::uint32_t nobody = 0x7FFFFFFFu;

/// How links treat flows: those of a lower rank are served before; of one rank in proportion to their weights.
struct FlowClass {
    std::uint32_t rank = 0;
    std::uint64_t weight = 1;
};

/// What a task has to have done before another one starts. A computation is sent and arrived when it has ended. A flow
/// is sent when its last byte has left the sender's link, and arrived when that is at the receiver.
enum class Done : std::uint8_t { started, sent, arrived };

struct Graph {
    /// Task of the edge's end, and what it waits for in the two highest bits.
    using Edge = std::uint32_t;
    static constexpr std::uint32_t most_tasks = (1u << 30) - 1;
    static std::uint32_t target(Edge edge) { return edge & most_tasks; }
    static Done waits_for(Edge edge) { return static_cast<Done>(edge >> 30); }

    std::vector<Task> tasks;
    std::vector<std::uint64_t> first_edge;  ///< by task, and the end
    std::vector<Edge> edges;
    std::vector<Pair> pairs;
    std::vector<std::uint8_t> classes;        ///< by task, of flows; empty: all have the first
    std::vector<FlowClass> treatment;         ///< by class
    std::vector<std::uint32_t> first_of_job;  ///< by job its first task
    std::vector<std::uint32_t> drawn_ends;    ///< what waits for the drawn flow to a rank to arrive; or none
    std::uint32_t cores = 0;                  ///< that computations keep busy
    std::uint64_t flows = 0;
    bool by_levels = true;  ///< false: labels are lines of a file
};

/// The graph of a plan: of its schedule, or of its levels.
/// @throws InputError for operations of a schedule that wait for each other, a send without a receive and the other way
/// round (with the line), priorities of classes that no flow has,
/// more than 2^30 tasks.
Graph make_graph(study::StudyPlan const& plan);

/// So many ticks of the plan, which has checked the unit.
Ticks ticks_of(study::StudyPlan const& plan, study::Duration const& duration);

/// Collects edges in any order.
class GraphBuilder {
public:
    std::uint32_t add_flow(std::uint32_t pair, std::uint32_t rank, std::uint64_t weight, std::uint32_t label);
    void set_class(std::uint8_t number, std::uint32_t flow);
    std::uint32_t add_computation(Ticks ticks, std::uint32_t rank, std::uint32_t core, std::uint32_t label);
    /// `later` starts when `earlier` is so far.
    void add_edge(std::uint32_t earlier, Done done, std::uint32_t later) { edges_.push_back({earlier, later, done}); }
    /// The number of the pair, which is new or was there.
    std::uint32_t pair(std::uint32_t source, std::uint32_t destination);
    std::uint32_t drawn_pair(Pair const& pair);
    void reserve(std::size_t tasks, std::size_t edges);
    Graph take();

    Graph graph;

private:
    struct NewEdge {
        std::uint32_t earlier, later;
        Done done;
    };
    std::uint32_t add(Task const& task);
    std::vector<NewEdge> edges_;
    std::vector<std::uint64_t> known_;  ///< a hash table: source, destination -> pair
    std::vector<std::uint32_t> number_;
    std::size_t known_count_ = 0;
    void grow();
};

/// Of make_graph.
Graph graph_of_levels(study::StudyPlan const& plan);
Graph graph_of_schedule(study::StudyPlan const& plan);

}  // namespace tailback::simulation
