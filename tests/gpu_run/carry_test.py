#!/usr/bin/env python3
"""What scripts/gpu-carry refuses, each planted in a folder of small programs: code without optimisation, kernels that
may call the host's functions, another shared library, too large a folder, a program that does not start.

  carry_test.py      exit 77 where there is no C compiler"""
import json, lzma, os, pathlib, shutil, subprocess, sys, tempfile, unittest

root = pathlib.Path(__file__).resolve().parent.parent.parent
compiler = shutil.which("cc") or shutil.which("gcc")
PROGRAMS = ("tailback", "cuda_bench", "gpu_tests")
WELL = '#include <stdio.h>\nint main(int n, char** words) { return n == 2 && puts(words[1]) < 0; }\n'


class CarryTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tailback-carry-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.programs, self.build = self.folder / "programs", self.folder / "build"
        self.programs.mkdir()
        self.build.mkdir()
        self.compile("tailback", WELL)
        for name in PROGRAMS[1:]:
            shutil.copy(self.programs / "tailback", self.programs / name)
        self.commands("nvcc -O3 -Xptxas=-v -c warp.cu")

    def compile(self, name, text, *more):
        words = [compiler, "-x", "c", "-", "-o", self.programs / name, "-x", "none", *more]
        subprocess.run(words, input=text, text=True, check=True)

    def commands(self, command):
        (self.build / "compile_commands.json").write_text(
            json.dumps([{"directory": "/", "file": "/src/warp.cu", "command": command}]))

    def check(self, code, words):
        command = [sys.executable, root / "scripts/gpu-carry", "--check", self.programs, "--build", self.build]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertRegex(done.stdout + done.stderr, words)
        if code:
            self.assertEqual(done.stderr.count("refused: "), 1, done.stderr)

    def test_nothing_is_wrong(self):
        self.check(0, "may be carried")

    def test_packed(self):
        for name in PROGRAMS:
            (self.programs / f"{name}.xz").write_bytes(lzma.compress((self.programs / name).read_bytes()))
            (self.programs / name).unlink()
        self.check(0, "may be carried")

    def test_code_without_optimisation(self):
        self.commands("nvcc -O3 -Ofc=max -c warp.cu")
        self.check(1, r"warp\.cu was compiled without optimisation \(-Ofc")

    def test_kernels_that_may_call_functions_of_the_host(self):
        self.commands("nvcc -O3 --expt-relaxed-constexpr -c warp.cu")
        self.check(1, r"warp\.cu was compiled with --expt-relaxed-constexpr .*\(std::bit_width did\)")

    def test_no_commands(self):
        (self.build / "compile_commands.json").unlink()
        self.check(1, "how it was compiled cannot be checked")

    def test_another_library(self):
        library = self.folder / "libother.so"
        subprocess.run([compiler, "-shared", "-x", "c", "-", "-o", library, "-Wl,-soname,libother.so.3"],
                       input="int other(void) { return 0; }\n", text=True, check=True)
        os.symlink(library, self.folder / "libother.so.3")
        self.compile("cuda_bench", "int other(void);\nint main(void) { return other(); }\n", f"-L{self.folder}",
                     "-lother", f"-Wl,-rpath,{self.folder}")
        self.check(1, r"cuda_bench needs libother\.so\.3 \(a bare machine does not have it\)")

    def test_a_later_c_library(self):
        # A symbol of a version that no C library here has yet, from a library that calls itself libc.
        script = self.folder / "versions"
        script.write_text("GLIBC_2.99 { global: later; };\n")
        library = self.folder / "libm.so.6"
        subprocess.run([compiler, "-shared", "-x", "c", "-", "-o", library, "-Wl,-soname,libm.so.6",
                        f"-Wl,--version-script={script}"], input="int later(void) { return 0; }\n", text=True,
                       check=True)
        self.compile("gpu_tests", "int later(void);\nint main(void) { return later(); }\n", str(library),
                     f"-Wl,-rpath,{self.folder}")
        self.check(1, r"gpu_tests needs later \(GLIBC_2\.99\), of a C library later than 2\.35")

    def test_too_large(self):
        with open(self.programs / "tables", "wb") as file:
            file.truncate(46_000_000)
        self.check(1, r"has 46\.\d MB \(at most 45 are carried\)")

    def test_a_program_that_does_not_start(self):
        self.compile("tailback", "int main(void) { return 3; }\n")
        self.check(1, r"tailback does not start here \(tailback --version: exit code 3")

    def test_no_program(self):
        (self.programs / "gpu_tests").write_text("no program")
        self.check(1, "gpu_tests is not a program for Linux")
        (self.programs / "gpu_tests").unlink()
        self.check(1, "gpu_tests is not in")
        (self.programs / "gpu_tests.xz").write_text("no archive")
        self.check(1, r"gpu_tests\.xz cannot be unpacked")


if __name__ == "__main__":
    if not compiler or not shutil.which("readelf"):
        print("skipped: no C compiler or readelf here")
        sys.exit(77)
    unittest.main()
