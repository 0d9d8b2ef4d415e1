// How fast the text of topologies and forwarding tables is read: bytes a second, beside splitting it into lines alone
// and beside memchr alone, which no reader can outrun. What is read is checked before it is timed.
#include "bench/rooms.hpp"
#include "host/formats/formats.hpp"
#include "host/traffic/formats.hpp"
#include "topologies/families/xgft.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace tailback {
namespace {

/// Reads from a text that stays where it is.
class ViewSource final : public ByteSource {
public:
    explicit ViewSource(std::string const& text) : text_(text) {}
    std::size_t read(char* to, std::size_t size) override {
        std::size_t const n = std::min(size, text_.size() - at_);
        std::memcpy(to, text_.data() + at_, n);
        at_ += n;
        return n;
    }

private:
    std::string const& text_;
    std::size_t at_ = 0;
};

/// The form of opensm.fdbs.
std::string fdbs_of(Network const& network, ForwardingTables const& tables) {
    std::string text;
    for (std::size_t n = 0; n < network.nodes().size(); ++n) {
        if (!tables.has_table(Node{n})) continue;
        fmt::format_to(std::back_inserter(text),
                       "dump_ucast_routes: Switch 0x{:016x}\nLID    : Port : Hops : Optimal\n", network[Node{n}].guid);
        for (Lid lid = 1; lid < tables.lids(); ++lid)
            if (Port const port = tables.port(Node{n}, lid); port == ForwardingTables::no_entry)
                fmt::format_to(std::back_inserter(text), "0x{:04X} : UNREACHABLE\n", lid);
            else fmt::format_to(std::back_inserter(text), "0x{:04X} : {:03}  : 04   : yes\n", lid, port);
    }
    return text;
}

/// A three-level tree of 36-port switches with 2,592 hosts, in every form that is read.
struct Texts {
    std::string topology, lft_dump, fdbs;
    Network network;
    ForwardingTables tables;

    Texts() {
        Fabric const tree = make_xgft({.children = {18, 18, 8}, .parents = {1, 18, 18}});
        std::ostringstream net, dump;
        write_ibnetdiscover(net, tree.network);
        write_lft_dump(dump, tree);
        topology = net.str();
        lft_dump = dump.str();
        Disagreements strict(true);
        LineReader lines(std::make_unique<ViewSource>(topology), "topology");
        network = read_ibnetdiscover(lines, strict);
        LineReader table_lines(std::make_unique<ViewSource>(lft_dump), "tables");
        tables = read_lft_dump(table_lines, network, strict);
        fdbs = fdbs_of(network, tables);
    }
};

Texts const& texts() {
    static Texts const all;
    return all;
}

void expect_same(ForwardingTables const& a, ForwardingTables const& b, Network const& network) {
    for (std::size_t n = 0; n < network.nodes().size(); ++n)
        for (Lid lid = 0; lid < std::max(a.lids(), b.lids()); ++lid)
            if (a.has_table(Node{n}) != b.has_table(Node{n}) || a.port(Node{n}, lid) != b.port(Node{n}, lid))
                throw std::runtime_error("the reader is wrong; its speed is of no interest");
}

template <class Read>
void time_reader(benchmark::State& state, std::string const& text, Read read) {
    for (auto _ : state) {
        LineReader lines(std::make_unique<ViewSource>(text), "text");
        Disagreements disagreements;
        benchmark::DoNotOptimize(read(lines, disagreements));
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void memchr_alone(benchmark::State& state) {
    std::string const& text = texts().lft_dump;
    for (auto _ : state) {
        std::size_t lines = 0;
        for (char const *at = text.data(), *end = at + text.size();
             (at = static_cast<char const*>(std::memchr(at, '\n', std::size_t(end - at)))); ++at)
            ++lines;
        benchmark::DoNotOptimize(lines);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(memchr_alone)->Unit(benchmark::kMillisecond);

void lines_alone(benchmark::State& state) {
    time_reader(state, texts().lft_dump, [](LineReader& lines, Disagreements&) {
        std::string_view line;
        while (lines.next(line)) benchmark::DoNotOptimize(line.data());
        return lines.bytes();
    });
}
BENCHMARK(lines_alone)->Unit(benchmark::kMillisecond);

void lft_dump(benchmark::State& state) {
    Network const& network = texts().network;
    time_reader(state, texts().lft_dump,
                [&](LineReader& lines, Disagreements& d) { return read_lft_dump(lines, network, d).tables(); });
}
BENCHMARK(lft_dump)->Unit(benchmark::kMillisecond);

void fdbs(benchmark::State& state) {
    Network const& network = texts().network;
    Disagreements disagreements;
    LineReader once(std::make_unique<ViewSource>(texts().fdbs), "fdbs");
    expect_same(read_fdbs(once, network, disagreements), texts().tables, network);
    time_reader(state, texts().fdbs,
                [&](LineReader& lines, Disagreements& d) { return read_fdbs(lines, network, d).tables(); });
}
BENCHMARK(fdbs)->Unit(benchmark::kMillisecond);

void ibnetdiscover(benchmark::State& state) {
    time_reader(state, texts().topology,
                [](LineReader& lines, Disagreements& d) { return read_ibnetdiscover(lines, d).links().size(); });
}
BENCHMARK(ibnetdiscover)->Unit(benchmark::kMillisecond);

/// An edge list of 4 MB: 225,000 pairs of 1,000 ranks, in no order.
void edge_list(benchmark::State& state) {
    std::string text = "source destination bytes\n";
    std::uint64_t bytes = 0;
    for (std::uint64_t e = 0; e < 225'000; ++e) {
        std::uint64_t const amount = e * e % 100'003 * 97;
        fmt::format_to(std::back_inserter(text), "{} {} {}.0\n", e * 617 % 1000, e * e % 997, amount);
        bytes += amount;
    }
    for (auto _ : state) {
        traffic::TrafficMatrix const matrix = traffic::read_traffic(std::make_unique<ViewSource>(text), "text");
        if (matrix.bytes != bytes) throw std::runtime_error("the reader is wrong; its speed is of no interest");
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(edge_list)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tailback

BENCHMARK_MAIN();
