// Traffic of storage hosts, which are the last ranks: reads and writes of all others (storage), and an application that
// computes, communicates and uses storage in states that are drawn (markov; INRFlow's application of that name, JPDC
// 130, 2019, whose program draws every state alike, whatever came before).
#include "host/base/spec.hpp"
#include "patterns/arguments.hpp"
#include "patterns/families.hpp"

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

}  // namespace

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

}  // namespace tailback::patterns
