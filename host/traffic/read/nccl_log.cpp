// NCCL's log: every `[send] via NET` is a connection between nodes. It has no bytes.
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/traffic/formats.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace tailback::traffic {
namespace {

/// `7[7]` or `7`.
bool read_rank(base::Scanner& scan, std::uint64_t& rank) {
    std::string_view device;
    if (!scan.blanks().decimal(rank)) return false;
    return !scan.accept('[') || scan.until(']', device);
}

class NcclReader {
public:
    explicit NcclReader(io::LineReader& lines)
        : lines_(lines), sends_([this] { return lines_.place(); }), receives_([this] { return lines_.place(); }) {}

    TrafficMatrix read() {
        for (std::string_view line; lines_.next(line);) {
            base::Scanner scan(line);
            if (!scan.behind("NCCL INFO ")) continue;
            if (scan.accept("Channel ") || scan.accept("Ring ")) read_connection(scan);
            else read_communicator(scan, line);
        }
        if (connections_ == 0)
            throw base::InputError(
                {lines_.name(), 0}, "there is no connection between nodes in the log",
                inside_ > 0 ? base::counted(inside_, "connection stays", "connections stay") + " inside a node"
                            : "no line has `[send] via NET`",
                "give the log of all ranks, made with NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,GRAPH");
        return take();
    }

private:
    /// `06/0 : 7[7] -> 14[6] [send] via NET/IB/6/GDRDMA`
    void read_connection(base::Scanner& scan) {
        std::uint64_t channel = 0, source = 0, destination = 0;
        if (!scan.decimal(channel) || !scan.behind(" : ")) return;
        if (!read_rank(scan, source) || !scan.blanks().accept("->") || !read_rank(scan, destination)) return;
        bool const receives = scan.blanks().accept("[receive]");
        if (!receives) scan.accept("[send]");
        if (!scan.blanks().accept("via ")) return;
        if (!scan.accept("NET")) {
            ++inside_;
            return;
        }
        MatrixBuilder& side = receives ? receives_ : sends_;
        side.add({side.rank(source), side.rank(destination), 1, 1});
        connections_ += !receives;
    }
    /// `comm 0x.. rank 3 nranks 16 .. commId 0x..`
    void read_communicator(base::Scanner scan, std::string_view line) {
        base::Scanner id = scan;
        std::uint64_t rank = 0, ranks = 0, number = 0;
        if (!scan.behind(" rank ") || !scan.decimal(rank) || !scan.behind("nranks ") || !scan.decimal(ranks)) return;
        if (id.behind("commId 0x") && id.hex(number)) communicators_.insert(number);
        sizes_.insert(ranks);
        if (rank < ranks && ranks <= most_ranks) hosts_[std::uint32_t(rank)] = host_of(line);
    }
    /// `HOST:PID:TID [device] NCCL INFO ..`, with anything in front.
    static std::string host_of(std::string_view line) {
        std::string_view front = line.substr(0, line.find(" NCCL INFO "));
        front = front.substr(0, front.find(" ["));
        front.remove_prefix(std::min(front.find_last_of(" \t") + 1, front.size()));
        return std::string(front.substr(0, front.find(':')));
    }
    TrafficMatrix take() {
        std::uint64_t const ranks = sizes_.empty() ? sends_.ranks() : *sizes_.rbegin();
        TrafficMatrix const received = receives_.ranks() > 0 ? receives_.take("") : TrafficMatrix{};
        if (!sizes_.empty()) sends_.declare_ranks(ranks);
        TrafficMatrix matrix = sends_.take("a log of NCCL");
        matrix.unit = Unit::connections;
        matrix.notes.push_back("the log has no bytes: every connection between nodes (`[send] via NET`) counts as one");
        if (inside_ > 0)
            matrix.notes.push_back(base::counted(inside_, "connection", "connections") +
                                   " inside nodes (P2P, SHM) are left out");
        if (sizes_.size() > 1 || communicators_.size() > 1)
            matrix.warnings.push_back(
                fmt::format("the log is of {} communicators, and each has ranks of its own: they were taken for the "
                            "same",
                            std::max(sizes_.size(), communicators_.size())));
        if (received.entries == matrix.entries) ++matrix.sums_checked;
        else
            matrix.warnings.push_back(
                "sends and receives of the log do not fit each other: the lines of some ranks "
                "are missing");
        if (hosts_.size() == matrix.ranks)
            for (auto const& [rank, host] : hosts_) matrix.hosts.push_back(host);
        return matrix;
    }

    io::LineReader& lines_;
    MatrixBuilder sends_, receives_;
    std::uint64_t connections_ = 0, inside_ = 0;
    std::set<std::uint64_t> sizes_, communicators_;
    std::map<std::uint32_t, std::string> hosts_;
};

}  // namespace

TrafficMatrix read_nccl_log(io::LineReader& lines) { return NcclReader(lines).read(); }

}  // namespace tailback::traffic
