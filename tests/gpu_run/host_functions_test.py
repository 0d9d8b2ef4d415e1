#!/usr/bin/env python3
"""A kernel that calls a function of the host's must not compile with this build's flags: nvcc would make rubbish of some
of them. The same kernel with Tailback's own function does.

  host_functions_test.py BUILD      a build with CUDA; no GPU is needed"""
import json, pathlib, shlex, subprocess, sys, tempfile

KERNEL = """#include "kernels/common/portable.hpp"
__global__ void count(std::uint64_t x, std::uint32_t* out) {{ *out = {}(x); }}
"""
entries = json.loads((pathlib.Path(sys.argv[1]) / "compile_commands.json").read_text())
entry = next(entry for entry in entries if entry["file"].endswith(".cu") and
             "tailback_kernels" in entry["command"])
words = shlex.split(entry["command"])
while not words[0].endswith("nvcc"):  # ccache, or another launcher
    del words[0]
flags = words[:words.index("-c")] if "-c" in words else words
for option in ("-o", "-MF", "-MT", "-x"):
    if option in flags:
        at = flags.index(option)
        del flags[at:at + 2]
flags = [word for word in flags if word not in ("-MD", entry["file"])]


def compiled(function):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "kernel.cu"
        source.write_text(KERNEL.format(function))
        done = subprocess.run([*flags, "-c", str(source), "-o", f"{folder}/kernel.o"], cwd=entry["directory"],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


code, said = compiled("tailback::kernels::bit_width")
assert code == 0, said
code, said = compiled("std::bit_width")
assert code != 0 and "calling a constexpr __host__ function" in said, said
