// The program itself, linked with the emulated device: its reports are those of the CPU, to the byte.
#include "host/evaluation/device/device_rates.hpp"
#include "tests/support/programs/checkpoint_file.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/running.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace tailback::program_test {
namespace {

Finished run_on_gpu(Words const& words) {
    return run_program(emulated_gpu_program(), joined(words, {"--device", "cuda"}));
}

/// @return what the device's program said
Finished expect_same_report(Words const& words, int code = 0) {
    std::string line;
    for (std::string const& word : words) line += word + " ";
    Finished const cpu = run_tailback(joined(words, {"--device", "cpu"})), gpu = run_on_gpu(words);
    EXPECT_EQ(cpu.code, code) << line << cpu.err;
    EXPECT_EQ(gpu.code, code) << line << gpu.err;
    EXPECT_FALSE(cpu.out.empty()) << line;
    EXPECT_EQ(cpu.out, gpu.out) << line;
    return gpu;
}

TEST(ProgramOnEmulatedGpu, ListsTheDevice) {
    EXPECT_NE(run_program(emulated_gpu_program(), {"list", "devices"}).out.find("emulated GPU"), std::string::npos);
}

TEST(ProgramOnEmulatedGpu, EvaluatesAsTheCpuDoes) {
    for (char const* const pattern : {"bisect", "rand", "bruck", "recdbl", "gather", "2neighbor"})
        for (char const* const metric : {"hist_acc_band", "all"})
            expect_same_report(
                on_tree16({"--pattern", pattern, "--metric", metric, "--mappings", "3000", "--format", "json"}));
    expect_same_report(
        on_tree16({"--metric", "all", "--subset", "rand", "--ranks", "9", "--mappings", "700", "--format", "csv"},
                  "file-broken"));
    for (Words const& network :
         {Words{"xgft:m=8x8,w=1x8"}, Words{"torus:4x4x3,hosts=2", "--routing", "valiant"},
          Words{"dragonfly:a=4,p=2,h=2"}, Words{"kary-ntree:k=4,n=3", "--routing", "dmodk", "--routes", "tables"},
          Words{"hypercube:n=5", "--routing", "minhop"}})
        expect_same_report(joined(joined({"evaluate", "--network"}, network),
                                  {"--pattern", "rand", "--metric", "all", "--mappings", "500", "--format", "json"}));
}

/// Equal division, hashes and static entries on the device, what is left on the CPU: told, and the same report.
TEST(ProgramOnEmulatedGpu, DividesFlowsAsTheCpuDoes) {
    for (Words const& network : {Words{"xgft:m=4x4,w=1x2", "--routing", "ar:minimal"},
                                 Words{"dragonfly:a=4,p=2,h=2", "--routing", "ar:updn"}}) {
        Words const study = joined(network, {"--mappings", "40", "--format", "json"});
        EXPECT_NE(expect_same_report(joined({"bracket", "--one-hash", "--network"}, study))
                      .err.find("no GPU has a kernel for the columns optimal"),
                  std::string::npos);
        // A hash of each mapping's own stays on the CPU.
        EXPECT_NE(expect_same_report(joined({"bracket", "--network"}, study))
                      .err.find("no GPU has a kernel for the columns hash, optimal"),
                  std::string::npos);
        expect_same_report(joined({"multipath", "--queue-pairs", "1,2", "--network"}, study));
        expect_same_report(joined({"multipath", "--queue-pairs", "1,2", "--one-hash", "--network"}, study));
    }
}

/// Under `auto`; a goal of a study that may take long, and soon reached.
TEST(ProgramOnEmulatedGpu, TellsWhyTheCpuIsTaken) {
    if (advise(rate_of(WorkKind::completion_times), 100, 1).cuda) GTEST_SKIP() << "measured: a device is taken";
    Words const study = {
        "evaluate", "--network", "xgft:m=16x16x24,w=1x16x16", "--routing",  "dmodk",   "--pattern", "rand", "--metric",
        "makespan", "--until",   "makespan:relative=50%",     "--mappings", "1000000", "--threads", "1",    "--format",
        "json"};
    Finished const on_gpu = run_program(emulated_gpu_program(), joined(study, {"--device", "auto"})),
                   on_cpu = run_tailback(joined(study, {"--device", "cpu"}));
    EXPECT_EQ(on_cpu.code, 0) << on_cpu.err;
    EXPECT_EQ(on_gpu.out, on_cpu.out);
    std::size_t const note = on_gpu.err.find("note: on the CPU: ");
    ASSERT_NE(note, std::string::npos) << on_gpu.err;
    EXPECT_NE(on_gpu.err.find("completion times ", note), std::string::npos) << on_gpu.err;
}

TEST(ProgramOnEmulatedGpu, StopsWhereTheCpuStops) {
    expect_same_report(on_tree16({"--until", "ci=0.002", "--format", "json"}));
    expect_same_report(
        on_tree16({"--metric", "all", "--pattern", "rand", "--until", "sum_max_cong:relative=1%", "--format", "json"}));
}

/// What one device has begun, the other ends.
TEST(ProgramOnEmulatedGpu, CheckpointsGoFromDeviceToDevice) {
    Words const study = on_tree16(
        {"--metric", "all", "--pattern", "rand", "--mappings", "40000", "--batch", "500", "--format", "json"});
    std::string const whole = run_tailback(study).out;
    TemporaryFolder const folder;
    Words const kept = joined(study, {"--checkpoint", folder / "kept", "--checkpoint-every", "0"});
    for (bool const first_on_gpu : {true, false}) {
        Words const begin = joined(kept, {"--device", first_on_gpu ? "cuda" : "cpu"});
        Running run(joined({first_on_gpu ? emulated_gpu_program() : tailback_program()}, begin));
        ASSERT_TRUE(run.wait_for([&] { return mappings_in(folder / "kept") > 0; }));
        run.signal(SIGKILL);
        run.wait();
        Finished const end = first_on_gpu ? run_tailback(kept) : run_on_gpu(kept);
        EXPECT_EQ(end.out, whole) << end.err;
        EXPECT_NE(end.err.find("continuing from"), std::string::npos) << end.err;
    }
}

TEST(ProgramOnEmulatedGpu, AuditsAsTheCpuDoes) {
    for (char const* const run : {"minhop", "file-broken"}) {
        Words words = on_tree16({"--format", "json", "--fail-on", "none"}, run);
        words.front() = "audit";
        expect_same_report(words);
    }
    expect_same_report(
        {"audit", "--network", "torus:4x4,hosts=2", "--routing", "minhop", "--format", "json", "--fail-on", "none"});
}

TEST(ProgramOnEmulatedGpu, SweepsAsTheCpuDoes) {
    TemporaryFolder const folder;
    std::string const file = folder.write("sweep.yaml", R"(
network: ["xgft:m=4x6,w=1x4", "torus:4x4,hosts=2"]
pattern: [bisect, rand]
ranks: [0, 7]
seed: [1, 2]
mappings: 200
metric: all
)");
    Finished const cpu = run_tailback({"sweep", file, "--output", folder / "cpu", "--device", "cpu"});
    Finished const gpu = run_on_gpu({"sweep", file, "--output", folder / "gpu"});
    EXPECT_EQ(cpu.code, 0) << cpu.err;
    EXPECT_EQ(gpu.code, 0) << gpu.err;
    EXPECT_FALSE(read_whole(folder / "cpu/sweep.csv").empty());
    EXPECT_EQ(read_whole(folder / "cpu/sweep.csv"), read_whole(folder / "gpu/sweep.csv"));
}

}  // namespace
}  // namespace tailback::program_test
