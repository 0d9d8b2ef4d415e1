// NCCL's log: every `[send] via NET` is a connection between nodes. It has no bytes.
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/traffic/traces/nccl_processes.hpp"
#include "host/traffic/traces/traces.hpp"

#include <fmt/format.h>

#include <vector>

namespace tailback::traffic {
namespace {

/// `7[7]` or `7`.
bool read_rank(base::Scanner& scan, std::uint64_t& rank) {
    std::string_view device;
    if (!scan.blanks().decimal(rank)) return false;
    return !scan.accept('[') || scan.until(']', device);
}

/// What stands behind `key`, in hexadecimal digits, with or without `0x`.
bool read_hex(std::string_view text, std::string_view key, std::uint64_t& value) {
    base::Scanner scan(text);
    if (!scan.behind(key)) return false;
    scan.accept("0x");
    return scan.hex(value);
}

class NcclReader {
public:
    explicit NcclReader(io::LineReader& lines)
        : lines_(lines), sends_([this] { return lines_.place(); }), receives_([this] { return lines_.place(); }) {}

    TrafficMatrix read() {
        for (std::string_view line; lines_.next(line);) {
            base::Scanner scan(line);
            if (!scan.behind("NCCL INFO ")) continue;
            if (scan.accept("Channel ") || scan.accept("Ring ")) read_connection(scan, line);
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
    void read_connection(base::Scanner& scan, std::string_view line) {
        std::uint64_t channel = 0, source = 0, destination = 0;
        if (!scan.decimal(channel) || !scan.behind(" : ")) return;
        if (!read_rank(scan, source)) return;
        if (!scan.blanks().accept("->") && !scan.accept("-\\u003e")) return;  // a container's log, in JSON
        if (!read_rank(scan, destination)) return;
        bool const receives = scan.blanks().accept("[receive]");
        if (!receives) scan.accept("[send]");
        if (!scan.blanks().accept("via ")) return;
        if (!scan.accept("NET")) {
            ++inside_;
            return;
        }
        std::uint32_t const from = sends_.rank(source), to = sends_.rank(destination);
        NcclWriter const writer = nccl_writer(line);
        std::uint64_t const number = lines_.place().line;
        NcclConnection seen{processes_.connects(writer.process, number),
                            receives ? to : from,
                            receives ? from : to,
                            number,
                            writer.device,
                            0};
        read_hex(scan.rest(), " comm ", seen.pointer);
        (receives ? received_ : sent_).push_back(seen);
        connections_ += !receives;
    }
    /// `comm 0x.. rank 3 nranks 16 cudaDev 3 busId 1b000 commId 0x.. - Init START`
    void read_communicator(base::Scanner scan, std::string_view line) {
        NcclMember member;
        std::string_view const text = scan.rest();
        if (!scan.behind(" rank ") || !scan.decimal(member.rank) || !scan.behind("nranks ") ||
            !scan.decimal(member.ranks))
            return;
        if (member.ranks == 0 || member.ranks > most_ranks) sends_.declare_ranks(member.ranks);  // refuses
        if (member.rank >= member.ranks) return;
        std::uint64_t value = 0;
        read_hex(text, "comm ", member.pointer);
        if (read_hex(text, " commId ", value)) member.id = value;
        if (base::Scanner device(text); device.behind(" cudaDev ") && device.decimal(value)) member.device = value;
        if (read_hex(text, " busId ", value)) member.bus = fmt::format("{:x}", value);
        if (text.find("START") != std::string_view::npos) member.phase = NcclMember::Phase::start;
        else if (text.find(" - Destroy") != std::string_view::npos || text.find(" - Abort") != std::string_view::npos)
            member.phase = NcclMember::Phase::end;
        member.writer = nccl_writer(line);
        processes_.add(member, lines_.place().line);
    }
    void add_all(std::vector<NcclConnection> const& seen, MatrixBuilder& side, bool receives) {
        for (NcclConnection const& one : seen) {
            NcclProcesses::Ends ends{one.own, one.other};
            if (processes_.any()) {
                auto const found = processes_.find(one);
                if (!found) {
                    left_out_ += !receives;
                    continue;
                }
                ends = *found;
                guessed_ += ends.guessed && !receives;
            }
            std::uint32_t const own = side.rank(ends.own), other = side.rank(ends.other);
            side.add({receives ? other : own, receives ? own : other, 1, 1});
        }
    }
    TrafficMatrix take() {
        processes_.number({lines_.name(), 0});
        if (processes_.any())
            for (MatrixBuilder* side : {&sends_, &receives_}) side->declare_ranks(processes_.ranks());
        add_all(sent_, sends_, false);
        add_all(received_, receives_, true);
        TrafficMatrix const received = receives_.ranks() > 0 ? receives_.take("") : TrafficMatrix{};
        TrafficMatrix matrix = sends_.take("a log of NCCL");
        matrix.unit = Unit::connections;
        matrix.notes.push_back("the log has no bytes: every connection between nodes (`[send] via NET`) counts as one");
        if (inside_ > 0)
            matrix.notes.push_back(base::counted(inside_, "connection", "connections") +
                                   " inside nodes (P2P, SHM) are left out");
        tell_communicators(matrix);
        if (received.entries == matrix.entries) ++matrix.sums_checked;
        else
            matrix.warnings.push_back(
                "sends and receives of the log do not fit each other: the lines of some ranks "
                "are missing");
        if (processes_.any()) matrix.hosts = processes_.hosts();
        return matrix;
    }
    void tell_communicators(TrafficMatrix& matrix) const {
        if (processes_.doubled() > 0)
            matrix.warnings.push_back(base::counted(processes_.doubled(), "rank is", "ranks are") +
                                      " given to two processes of one communicator: the first was taken");
        if (processes_.communicators() < 2) return;
        std::string note = fmt::format(
            "the log is of {} communicators, each with ranks of its own: ranks here are processes, as the "
            "largest one numbers them",
            processes_.communicators());
        if (processes_.further() > 0)
            note += fmt::format("; the {} that are not in it come behind", base::grouped(processes_.further()));
        if (processes_.by_order())
            note += "; those of one size without commId are told apart by the order of their lines";
        matrix.notes.push_back(note);
        if (guessed_ > 0)
            matrix.warnings.push_back(base::counted(guessed_, "connection fits", "connections fit") +
                                      " several communicators: that which the process named last was taken");
        if (left_out_ > 0)
            matrix.warnings.push_back(base::counted(left_out_, "connection is", "connections are") +
                                      " left out: the log does not tell the communicator, or the process at an end");
    }

    io::LineReader& lines_;
    MatrixBuilder sends_, receives_;
    NcclProcesses processes_;
    std::vector<NcclConnection> sent_, received_;
    std::uint64_t connections_ = 0, inside_ = 0, left_out_ = 0, guessed_ = 0;
};

}  // namespace

TrafficMatrix read_nccl_log(io::LineReader& lines) { return NcclReader(lines).read(); }

}  // namespace tailback::traffic
