// Specs: what they may be, and that a wrong one is told the place and the nearest right name.
#include "host/base/spec.hpp"

#include "host/base/error.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

namespace tailback::spec_test {
namespace {

std::string problem_of(std::string const& spec) {
    try {
        make_topology(spec);
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

void expect_problem(std::string const& spec, std::vector<std::string> const& parts) {
    std::string const problem = problem_of(spec);
    for (std::string const& part : parts) EXPECT_NE(problem.find(part), std::string::npos) << spec << ": " << problem;
}

TEST(Spec, WrongOnesAreToldWhereAndWhat) {
    expect_problem("tours:8x8", {"unknown topology \"tours\"", "the nearest is \"torus\"", "tailback list topologies"});
    expect_problem("torus", {"\"sizes\" is missing", "character 6", "torus:8x8x8,hosts=2"});
    expect_problem("torus:", {"nothing follows the colon", "; write as in torus:8x8x8,hosts=2"});
    expect_problem("torus:8x8,", {"nothing follows the last comma", "character 11", "leave it out"});
    expect_problem("torus:8x8,,2", {"nothing stands before a comma", "character 11"});
    expect_problem("torus:,2", {"nothing stands before a comma", "character 7"});
    expect_problem("xgft:m=18x36,w=1x18,p=1",
                   {"2 numbers of children (m), 2 of parents (w), 1 of cables (p)", "as many as the tree has levels"});
    expect_problem("xgft:m=18x36,w=1",
                   {"2 numbers of children (m), 1 of parents (w))", "as many as the tree has levels"});
    expect_problem("xgft:m=4x3,w=1x4,hosts=13", {"13 hosts wanted of 12", "ask for that many at most"});
    expect_problem("xgft:m=60000x60000,w=1x1", {"more than 2^24 nodes", "give smaller numbers"});
    // What is offered can be made.
    expect_problem("slimfly:q=6", {"the nearest that can be made are 5 and 7"});
    expect_problem("slimfly:q=2047,hosts=1",
                   {"2047 is not a power of a prime", "the nearest that can be made are 2039 and 2048"});
    // 2*211^2 switches with (317+1)/2 hosts each are 14.2 million nodes; of 223 there would be 16.8 million, more than
    // 2^24.
    expect_problem("slimfly:q=2047", {"2047 is not a power of a prime", "the nearest that can be made is 211"});
    expect_problem("polarfly:q=6", {"the nearest that can be made are 5 and 7"});
    EXPECT_EQ(problem_of("slimfly:q=2047").find("2048"), std::string::npos);
    // Nothing is called near that is not.
    EXPECT_EQ(problem_of("zzz:4x4").find("nearest"), std::string::npos);
    expect_problem("torus:8x8y8", {"\"8y8\" is not a number", "at character 10 of \"torus:8x8y8\""});
    expect_problem("torus:8x", {"\"\" is not a number", "character 9"});
    expect_problem("torus:8xx8", {"character 9"});
    expect_problem("torus:0x8", {"sizes 0 is out of range", "character 7"});
    expect_problem("torus:8x8,host=2",
                   {"\"host\" is not a parameter of torus", "character 11", "the nearest is \"hosts\""});
    expect_problem("torus:8x8,hosts=", {"\"hosts\" has no value"});
    expect_problem("torus:8x8,hosts=2,hosts=3", {"\"hosts\" is given twice", "character 19"});
    expect_problem("torus:8x8,hosts=99999999999999999999", {"out of range"});
    expect_problem("torus:8x8,hosts=-1", {"is not a number"});
    expect_problem("torus:sizes=8x8,3", {"\"3\" has no name", "character 17"});
    expect_problem("torus:8x8,2,both,9", {"one value too many"});
    expect_problem("torus:8x8,links=on", {"\"on\" is not a value of links", "the nearest is \"one\"", "both, one"});
    expect_problem("xgft:3;18,18,36;1,18,a", {"character 22", "xgft:3;18,18,36;1,18,18"});
}

TEST(Spec, SizesBeyondAllBoundsAreRefused) {
    for (std::string const spec :
         {"torus:16777216x16777216x16777216", "torus:4096x4096,hosts=65000", "torus:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1",
          "hypercube:24", "kary-ntree:k=30000,n=20", "mport-ntree:m=65534,n=24", "thintree:k=2,up=30000,n=20",
          "hyperx:65000x65000x65000", "fully-connected:n=65000", "clos:radix=65534,levels=24",
          "rail:gpus=60000,nodes=30000,groups=60000", "xgft:m=65000x65000,w=1x65000",
          "fully-connected:n=65000,hosts=1,cables=65000"})
        EXPECT_NE(problem_of(spec), "") << spec;
}

TEST(Spec, TheTextNamesEveryValueGiven) {
    std::vector<Parameter> const parameters = {{.name = "a"}, {.name = "b", .fallback = "7", .aliases = {"bee"}}};
    Arguments const given = parse_arguments("x:5,bee=6", parameters, "x:1");
    EXPECT_EQ(given.text(), "x:a=5,b=6");
    EXPECT_EQ(given.number("a"), 5u);
    EXPECT_EQ(parse_arguments("x:5", parameters, "x:1").number("b"), 7u);
}

TEST(Spec, WhatIsReadIsKnown) {
    using Files = std::vector<std::string>;
    EXPECT_EQ(TopologySpec("torus:4x4").files(), Files());
    EXPECT_EQ(TopologySpec("edge-list:a.txt,hosts=2").files(), Files({"a.txt"}));
    EXPECT_EQ(TopologySpec("edge-list:hosts=2,file=a.txt").files(), Files({"a.txt"}));
    EXPECT_EQ(TopologySpec("aries:inter=a,intra=b").files(), Files({"a", "b"}));
    EXPECT_EQ(RoutingSpec("greedy-max:file=c,per=destination").files(), Files({"c"}));
    EXPECT_EQ(RoutingSpec("updn").files(), Files());
    EXPECT_EQ(RoutingSpec("updn:roots=S0+S1").files(), Files());
    EXPECT_EQ(RoutingSpec("updn:roots=file:r").files(), Files({"r"}));
    EXPECT_EQ(RoutingSpec("updn:file:r").files(), Files({"r"}));
    EXPECT_EQ(RoutingSpec("valiant:by=updn:roots=file:r").files(), Files({"r"}));
    EXPECT_EQ(RoutingSpec("valiant:by=dor").files(), Files());
    // Every parameter that speaks of a file is one by which the file is found.
    auto const check = [](std::string const& owner, std::vector<Parameter> const& parameters) {
        for (Parameter const& parameter : parameters) {
            if (parameter.summary.find("file") == std::string::npos) continue;
            EXPECT_TRUE(
                parameter.kind == ParameterKind::file ||
                (parameter.kind == ParameterKind::text && parameter.summary.find("file:PATH") != std::string::npos))
                << owner << " " << parameter.name;
        }
    };
    for (Family const& family : all_families()) check(family.name, family.parameters);
    for (RoutingAlgorithm const& routing : all_routings()) check(routing.name, routing.parameters);
}

TEST(Spec, RoutingsSayWhatTheyAreFor) {
    Topology const torus = make_topology("torus:3x3");
    auto const problem = [&](std::string const& routing) -> std::string {
        try {
            make_tables(torus, {routing, 1});
        } catch (InputError const& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(problem("minhopp").find("the nearest is \"minhop\""), std::string::npos);
    EXPECT_NE(problem("dmodk").find(
                  "this network has no routing \"dmodk\" (that is for trees); choose one of dor, romm, rlb, bfs"),
              std::string::npos);
    EXPECT_NE(problem("dor:ties=plsu").find("the nearest is \"plus\""), std::string::npos);
    EXPECT_NE(problem("dor:tie=plus").find("\"tie\" is not a parameter of dor"), std::string::npos);
    EXPECT_NE(problem("updn:roots=S0_0+S0_9").find("root \"S0_9\" is not a switch"), std::string::npos);
    EXPECT_EQ(problem("updn:roots=S0_0+S1_0"), "");
}

}  // namespace
}  // namespace tailback::spec_test
