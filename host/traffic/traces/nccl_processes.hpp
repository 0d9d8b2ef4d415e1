// Who is who in a log of NCCL: ranks there are those of a communicator; processes are ranks of the whole job.
#pragma once

#include "host/base/error.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tailback::traffic {

/// Who wrote a line: `HOST:PID:TID [DEVICE] NCCL INFO ..`, whatever stands in front of it.
struct NcclWriter {
    std::string host, process;  ///< `HOST`, `HOST:PID`; empty: the line does not say
    std::uint64_t device = ~std::uint64_t{0};
};
NcclWriter nccl_writer(std::string_view line);

/// A process of the job in a communicator: `comm 0x.. rank 3 nranks 16 cudaDev 3 busId 1b000 commId 0x.. - Init START`.
struct NcclMember {
    enum class Phase : std::uint8_t { start, complete, end };
    NcclWriter writer;
    std::uint64_t rank = 0, ranks = 0, pointer = 0;
    std::optional<std::uint64_t> device, id;
    std::string bus;
    Phase phase = Phase::complete;
};

/// A connection as one of its ends tells it; ranks are those of a communicator.
struct NcclConnection {
    std::uint32_t process = 0;  ///< see NcclProcesses::process
    std::uint32_t own = 0, other = 0;
    std::uint64_t line = 0, device = 0, pointer = 0;
};

class NcclProcesses {
public:
    void add(NcclMember const& member, std::uint64_t line);
    /// The number of a process of the operating system; tells that it wrote a connection in that line.
    std::uint32_t connects(std::string const& process, std::uint64_t line);

    /// Numbers the processes of the job; nothing is added from now on. @throws InputError where communicators cannot be
    /// told apart.
    void number(base::SourceLocation const& place);
    bool any() const { return !communicators_.empty(); }
    std::size_t communicators() const { return communicators_.size(); }
    /// How many ranks the job has, and how many of them are not in the largest communicator.
    std::uint64_t ranks() const { return ranks_; }
    std::uint64_t further() const { return ranks_ - (any() ? communicators_.front().ranks : 0); }
    bool by_order() const { return by_order_; }
    /// Lines that give a rank of a communicator to another process than those before.
    std::uint64_t doubled() const { return doubled_; }
    /// Of every rank; empty unless all are known.
    std::vector<std::string> hosts() const;

    struct Ends {
        std::uint64_t own, other;
        bool guessed = false;  ///< the communicator is the one that its process had named last
        bool operator==(Ends const&) const = default;
    };
    /// The ranks of the job at the ends of a connection; none: the log does not tell.
    /// @throws InputError where it is of a communicator that cannot be told from another.
    std::optional<Ends> find(NcclConnection const& connection) const;

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;
    struct Instance {
        NcclMember member;
        std::uint32_t process, communicator = none;
        std::uint64_t first = 0, start = 0, complete = 0;  ///< lines; 0: there is none
        bool ended = false;
    };
    struct Communicator {
        std::uint64_t ranks = 0, first = 0;
        std::map<std::uint32_t, std::uint32_t> members;       ///< rank -> instance
        std::map<std::uint32_t, std::uint64_t> ranks_of_job;  ///< rank -> rank of the job
        bool mixed = false;                                   ///< with others of as many ranks
    };
    struct Process {
        std::uint64_t first_connection = 0, first_member = 0;
        bool has_start = false;
        std::unordered_map<std::uint64_t, std::uint32_t> latest;  ///< pointer -> instance
    };
    std::uint32_t process(std::string const& name);
    std::string identity(Instance const& instance) const;
    void group();
    void group_without_ids(std::vector<std::uint32_t> const& instances);
    std::optional<std::uint64_t> rank_of_job(Communicator const& communicator, std::uint32_t rank) const;
    [[noreturn]] void refuse_mixed(std::uint64_t ranks) const;

    std::unordered_map<std::string, std::uint32_t> process_numbers_;
    std::vector<Process> processes_;
    std::vector<Instance> instances_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> by_rank_;  ///< (process, rank)
    std::vector<Communicator> communicators_;                                                ///< the largest first
    std::map<std::uint64_t, std::string> hosts_;
    std::uint64_t ranks_ = 0, doubled_ = 0;
    bool by_order_ = false;
    base::SourceLocation place_;
};

}  // namespace tailback::traffic
