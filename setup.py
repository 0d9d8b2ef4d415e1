"""Builds the module with CMake, as -DTAILBACK_MODULE=ON does, and packs it. TAILBACK_CUDA=ON in the environment builds
it with CUDA."""
import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(tailback VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class CMakeModule(build_ext):
    def build_extension(self, extension):
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        build = ROOT / "build" / f"pip-{sys.implementation.cache_tag}"
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DTAILBACK_MODULE=ON", "-DTAILBACK_TESTS=OFF", "-DTAILBACK_BENCH=OFF",
                   "-DTAILBACK_MPI=OFF", f"-DTAILBACK_CUDA={os.environ.get('TAILBACK_CUDA', 'OFF')}",
                   f"-DPython_EXECUTABLE={sys.executable}"]
        try:
            import pybind11
            options.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
        except ImportError:
            pass  # then CMake looks for it
        generator = ["-G", "Ninja"] if subprocess.run(["ninja", "--version"], capture_output=True).returncode == 0 else []
        subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), *generator, *options], check=True)
        subprocess.run(["cmake", "--build", str(build), "--target", "tailback_package", "--parallel"], check=True)
        made, = (build / "python" / "tailback").glob("_native*.so")
        target.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(made), str(target))


setup(version=VERSION, package_dir={"": "host/python"}, packages=["tailback"],
      package_data={"tailback": ["*.pyi", "py.typed"]}, ext_modules=[Extension("tailback._native", [])],
      cmdclass={"build_ext": CMakeModule})
