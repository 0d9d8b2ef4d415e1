// Traffic of storage hosts, which are the last ranks: reads and writes of all others (storage), and an application that
// computes, communicates and uses storage in states that are drawn (markov; INRFlow's application of that name, JPDC
// 130, 2019, whose program draws every state alike, whatever came before).
#include "host/base/extensions.hpp"
#include "host/base/spec.hpp"
#include "patterns/arguments.hpp"
#include "patterns/registry.hpp"
#include "patterns/row_parameters.hpp"

#include <algorithm>
#include <cmath>

namespace tailback::patterns {
namespace {

/// Writes flows between clients and storage hosts.
class StorageWriter {
public:
    StorageWriter(FlowListWriter& out, base::Arguments const& arguments)
        : out_(out), hosts_(std::min(arguments.number("hosts"), out.ranks())), clients_(out.ranks() - hosts_) {
        if (out.ranks() > 0 && clients_ == 0)
            arguments.refuse("there are no clients", "all ranks are storage hosts", "give fewer hosts or more ranks");
    }
    std::uint32_t clients() const { return clients_; }
    std::uint32_t hosts() const { return hosts_; }
    void read(std::uint32_t client, std::uint32_t host, std::uint64_t bytes) {
        if (bytes > 0) out_.flow(clients_ + host, client, bytes);
    }
    void write(std::uint32_t client, std::uint32_t host, std::uint64_t bytes) {
        if (bytes > 0) out_.flow(client, clients_ + host, bytes);
    }

private:
    FlowListWriter& out_;
    std::uint32_t const hosts_, clients_;
};

/// The states of the application; of each its weight.
enum class State : std::uint8_t { compute, communicate, read, write, end };

State draw_state(Draws& draws, base::Arguments const& arguments) {
    constexpr char const* weights[] = {"compute", "communicate", "reading", "writing"};
    std::uint32_t all = arguments.number("end");
    for (char const* const weight : weights) all += arguments.number(weight);
    std::uint32_t drawn = draws.next(all);
    for (std::size_t s = 0; s < std::size(weights); ++s) {
        std::uint32_t const weight = arguments.number(weights[s]);
        if (drawn < weight) return State(s);
        drawn -= weight;
    }
    return State::end;
}

/// Exponential with mean 1, in steps of 2^-31.
double draw_exponential(Draws& draws) { return -std::log((draws.next(1u << 31) + 1.0) / double(1u << 31)); }

void write_storage(FlowListWriter& out, base::Arguments const& arguments) {
    out.begin_level();
    out.set_class(storage_class);
    StorageWriter storage(out, arguments);
    if (out.ranks() == 0) return;
    std::uint32_t const stripes = arguments.number("stripes"), share = arguments.number("read");
    if (stripes > storage.hosts())
        arguments.refuse("more stripes than storage hosts", "a client's bytes are divided among different ones",
                         "give more hosts or fewer stripes");
    std::uint64_t const size = arguments.bytes("size");
    bool const random = arguments.word("access") == "random", drawn = arguments.word("mix") == "drawn";
    Draws draws(arguments.long_number("seed"));
    for (std::uint32_t c = 0; c < storage.clients(); ++c) {
        std::uint64_t const first = random ? draws.next(storage.hosts()) : std::uint64_t{c} * stripes % storage.hosts();
        std::uint64_t const reads = !drawn ? parts_of(size, 0, share, 100) : draws.next(100) < share ? size : 0;
        for (std::uint32_t k = 0; k < stripes; ++k) {
            auto const host = static_cast<std::uint32_t>((first + k) % storage.hosts());
            storage.read(c, host, part_of(reads, k, stripes));
            storage.write(c, host, part_of(size - reads, k, stripes));
        }
    }
}

void write_markov(FlowListWriter& out, base::Arguments const& arguments) {
    constexpr std::uint32_t most_states = 100'000;
    StorageWriter storage(out, arguments);
    if (out.ranks() == 0) return;
    std::uint32_t const clients = storage.clients();
    std::uint32_t const flows = arguments.given("flows") ? arguments.number("flows") : clients;
    Draws draws(arguments.long_number("seed"));
    State state = State::read;
    for (std::uint32_t count = 0; state != State::end && count < most_states; ++count) {
        if (state == State::compute) {
            out.set_computing(out.computing() + draw_exponential(draws));
        } else {
            out.begin_level();
            out.set_computing(0);
        }
        out.set_class(state == State::communicate ? application_class : storage_class);
        for (std::uint32_t f = 0; state == State::communicate && clients > 1 && f < flows; ++f) {
            std::uint32_t const from = draws.next(clients), to = draws.next(clients - 1);
            out.flow(from, to + (to >= from ? 1 : 0), arguments.bytes("size"));
        }
        for (std::uint32_t c = 0; c < clients; ++c) {
            if (state == State::read) storage.read(c, c % storage.hosts(), arguments.bytes("read-size"));
            if (state == State::write) storage.write(c, c % storage.hosts(), arguments.bytes("write-size"));
        }
        state = draw_state(draws, arguments);
    }
}

Rows storage_rows() {
    Parameter const hosts = number("hosts", "storage hosts: so many of the last ranks", "1", 1, UINT32_MAX);
    Rows rows = {
        {{"storage",
          "every client reads from storage hosts, which are the last ranks, and writes to them",
          "hosts=2,size=2: 2->0 0->2 3->1 1->3",
          2,
          "2 (n - hosts) stripes flows, (n - hosts) size bytes",
          {hosts, number("read", "percent of its bytes that a client reads; it writes the others", "50", 0, 100),
           number("stripes", "storage hosts that a client's bytes are divided among", "1", 1, UINT32_MAX),
           choice("access", "which: one after the other, or drawn", {"round-robin", "random"}),
           choice("mix", "a client reads some and writes some; or does one, drawn", {"divided", "drawn"}), seed(),
           bytes("size", "bytes that each client reads and writes", "1MiB")}},
         write_storage,
         "storage:hosts=8,read=70,size=64MiB"},
        {{"markov",
          "an application that computes, communicates, reads and writes, in states drawn until the end; reads first",
          "hosts=1: 3->0 3->1 3->2 | 0->1 2->0 1->0 | 0->3 1->3 2->3",
          3,
          "as many levels as states with flows",
          {hosts,
           number("compute", "weight of the state in which ranks compute, exponentially long, --compute on average",
                  "40", 0, 1000),
           number("communicate", "weight of the state in which they send each other random flows", "30", 0, 1000),
           number("reading", "weight of the state in which they read", "15", 0, 1000),
           number("writing", "weight of the state in which they write", "10", 0, 1000),
           number("end", "weight of the end", "5", 1, 1000),
           {.name = "flows",
            .summary = "of a state; one for each client unless given",
            .least = 1,
            .most = 1u << 24,
            .optional = true},
           bytes("read-size", "bytes that each client reads", "1MiB"),
           bytes("write-size", "bytes that each client writes", "1MiB"),
           seed(),
           bytes("size", "bytes of each flow between clients", "64KiB")}},
         write_markov,
         "markov:hosts=4,end=2"},
    };
    for (PatternRow& row : rows) row.each_has_size = false;
    return rows;
}

}  // namespace

void register_storage(Registry& registry) {
    for (PatternRow const& row : storage_rows()) base::insert_before(registry.rows, "shift", row);
}

}  // namespace tailback::patterns
