// Traffic of storage hosts. storage: the last H ranks are storage hosts; each other rank, a client, reads `read`
// percent of its bytes (rounded down) and writes the others, divided among `stripes` storage hosts; with mix=drawn it
// does one or the other. All flows are of class storage. markov: levels of reads, writes and flows between clients, the
// first of reads; states in which ranks compute belong to the level before.
#include "host/base/error.hpp"
#include "patterns/pattern.hpp"

#include <gtest/gtest.h>

#include <map>

namespace tailback::patterns {
namespace {

struct Bytes {
    std::uint64_t read = 0, written = 0;
    std::map<std::uint32_t, std::uint64_t> by_host;
};

std::map<std::uint32_t, Bytes> by_client(FlowList const& list, std::uint32_t clients) {
    std::map<std::uint32_t, Bytes> bytes;
    for (std::size_t f = 0; f < list.flows.size(); ++f) {
        auto const [source, destination] = list.flows[f];
        std::uint64_t const size = list.weights.empty() ? 1 : list.weights[f];
        EXPECT_NE(source < clients, destination < clients);
        EXPECT_EQ(list.class_names.at(list.classes.at(f)), storage_class);
        if (source < clients) bytes[source].written += size, bytes[source].by_host[destination] += size;
        else bytes[destination].read += size, bytes[destination].by_host[source] += size;
    }
    return bytes;
}

TEST(Storage, DividesReadsAndWrites) {
    for (std::uint32_t n : {2u, 5u, 12u, 40u})
        for (std::uint32_t hosts : {1u, 3u})
            for (std::uint32_t read : {0u, 33u, 70u, 100u}) {
                if (hosts >= n) continue;
                std::uint32_t const stripes = hosts == 3 ? 2 : 1;
                FlowList const list =
                    make_pattern("storage:hosts=" + std::to_string(hosts) + ",read=" + std::to_string(read) +
                                     ",stripes=" + std::to_string(stripes) + ",size=1001",
                                 n);
                ASSERT_EQ(list.levels.size(), 1u);
                std::map<std::uint32_t, Bytes> const bytes = by_client(list, n - hosts);
                ASSERT_EQ(bytes.size(), n - hosts);
                for (auto const& [client, of] : bytes) {
                    EXPECT_EQ(of.read, 1001 * read / 100);
                    EXPECT_EQ(of.written, 1001 - 1001 * read / 100);
                    EXPECT_EQ(of.by_host.size(), stripes);
                    for (std::uint32_t k = 0; k < stripes; ++k)
                        EXPECT_TRUE(of.by_host.contains(n - hosts + (client * stripes + k) % hosts));
                }
            }
}

TEST(Storage, DrawsWhoReads) {
    FlowList const list = make_pattern("storage:hosts=4,read=70,mix=drawn,access=random,size=8", 1004);
    std::map<std::uint32_t, Bytes> const bytes = by_client(list, 1000);
    std::uint32_t readers = 0;
    std::map<std::uint32_t, int> of_host;
    for (auto const& [client, of] : bytes) {
        EXPECT_EQ(of.read + of.written, 8u);
        EXPECT_TRUE(of.read == 0 || of.written == 0);
        readers += of.written == 0;
        ++of_host[of.by_host.begin()->first];
    }
    EXPECT_NEAR(readers, 700, 4 * 14.5);  // four standard deviations
    EXPECT_EQ(of_host.size(), 4u);
    for (auto const& [host, clients] : of_host) EXPECT_NEAR(clients, 250, 4 * 13.7);
    EXPECT_EQ(make_pattern("storage:hosts=4,read=70,mix=drawn,access=random,size=8", 1004).flows, list.flows);
    EXPECT_NE(make_pattern("storage:hosts=4,read=70,mix=drawn,access=random,size=8,seed=2", 1004).flows, list.flows);
}

TEST(Storage, MarkovsStates) {
    double computing = 0;
    std::map<std::string, int> kinds;
    int studies = 2000;
    for (int seed = 1; seed <= studies; ++seed) {
        FlowList const list = make_pattern("markov:hosts=2,seed=" + std::to_string(seed), 8);
        ASSERT_FALSE(list.levels.empty());
        for (std::size_t l = 0; l < list.levels.size(); ++l) {
            Level const& level = list.levels[l];
            ASSERT_EQ(level.flow_count, 6u);  // a flow for each client, in all states
            Flow const first = list.flows[level.first_flow];
            bool const to_storage = first.destination >= 6, from_storage = first.source >= 6;
            for (std::size_t f = level.first_flow; f < level.first_flow + 6; ++f) {
                EXPECT_EQ(list.flows[f].destination >= 6, to_storage);
                EXPECT_EQ(list.flows[f].source >= 6, from_storage);
                EXPECT_EQ(list.class_names.at(list.classes.at(f)),
                          to_storage || from_storage ? storage_class : application_class);
                EXPECT_EQ(list.weights.at(f), to_storage || from_storage ? 1u << 20 : 64u << 10);
            }
            if (l == 0) EXPECT_TRUE(from_storage);
            else ++kinds[to_storage ? "write" : from_storage ? "read" : "communicate"];
            computing += level.computing;
        }
    }
    // A state is the end with 1/20, so that 19 of another kind come before on average: 40 : 30 : 15 : 10 of 95.
    EXPECT_NEAR(kinds["communicate"] / double(studies), 6, 0.6);
    EXPECT_NEAR(kinds["read"] / double(studies), 3, 0.35);
    EXPECT_NEAR(kinds["write"] / double(studies), 2, 0.3);
    EXPECT_NEAR(computing / studies, 8, 0.8);
}

TEST(Storage, RefusesWhatHasNoClients) {
    EXPECT_THROW(make_pattern("storage:hosts=4", 4), base::InputError);
    EXPECT_THROW(make_pattern("storage:hosts=2,stripes=3", 9), base::InputError);
    EXPECT_THROW(make_pattern("markov:hosts=9", 9), base::InputError);
}

}  // namespace
}  // namespace tailback::patterns
