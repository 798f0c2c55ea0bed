# package.py - the Spack recipe of scope-profiler: one variant per CMake option.
# SPDX-License-Identifier: MIT
from pathlib import Path

from spack.package import *

try:  # Spack 1.0 and later keep build systems in a repository of their own
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:  # Spack 0.23: already in spack.package
    pass


class ScopeProfiler(CMakePackage):
    """A profiling runtime for HPC programs: regions, threads, tasks and MPI calls of all
    ranks in one HDF5 file, from C, C++, Fortran and Python."""

    # The checkout that this recipe lies in.
    git = "file://" + str(Path(__file__).resolve().parents[5])

    license("MIT", checked_by="scope-profiler")

    version("main", branch="main")

    variant("mpi", default=True, description="Record MPI calls and gather all ranks in one file")
    variant("hdf5", default=True, description="Write and read HDF5 files, and the scope command")
    variant("fortran", default=True, description="The Fortran module scope")
    variant("python", default=False, description="The Python package scope_profiler")
    variant("hwloc", default=True, description="Topology and binding of ranks and threads")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type=("build", "run"))

    depends_on("mpi", when="+mpi")
    # Only the files are written with it, by one process: the serial library.
    depends_on("hdf5@1.10: ~mpi", when="+hdf5")
    depends_on("zlib-api", when="+hdf5")
    depends_on("hwloc@2:", when="+hwloc")
    depends_on("python@3.10:", type=("build", "link", "run"), when="+python")
    depends_on("py-numpy", type=("build", "run"), when="+python")
    conflicts("+python", when="~hdf5", msg="the Python package reads and writes HDF5 files")

    def cmake_args(self):
        args = [
            self.define_from_variant("SCOPE_MPI", "mpi"),
            self.define_from_variant("SCOPE_HDF5", "hdf5"),
            self.define_from_variant("SCOPE_FORTRAN", "fortran"),
            self.define_from_variant("SCOPE_PYTHON", "python"),
            self.define_from_variant("SCOPE_HWLOC", "hwloc"),
            self.define("CMAKE_INSTALL_LIBDIR", "lib"),
            self.define("SCOPE_HDF5_PARALLEL", False),  # a package has one HDF5
            self.define("SCOPE_TESTS", False),
            self.define("SCOPE_BENCHMARKS", False),
        ]
        if self.spec.satisfies("+mpi"):
            # Open MPI has a binary interface of its own; all others share MPICH's.
            family = "ompi" if self.spec["mpi"].name == "openmpi" else "mpich"
            args += [
                self.define("SCOPE_MPI_FAMILIES", family),
                self.define(
                    f"SCOPE_MPI_{family.upper()}_INCLUDES", self.spec["mpi"].headers.directories
                ),
            ]
        if self.spec.satisfies("+python"):
            args.append(self.define("Python_EXECUTABLE", self.spec["python"].command.path))
        return args

    def setup_run_environment(self, env):
        env.set("SCOPE_ROOT", self.prefix)
        if self.spec.satisfies("+python"):
            version = self.spec["python"].version.up_to(2)
            env.prepend_path("PYTHONPATH", self.prefix.lib.join(f"python{version}/site-packages"))

    def test_record(self):
        """a C program is compiled, recorded, and its file is read"""
        with working_dir("record", create=True):
            Path("record.c").write_text(
                "#include <scope/scope.h>\n"
                "int main(void)\n"
                "{\n"
                "    scope_init(NULL);\n"
                '    { SCOPE_REGION("smoke"); }\n'
                "    return scope_finalize();\n"
                "}\n"
            )
            libraries = join_path(self.prefix, "lib")
            cc = which(self.compiler.cc)
            cc(
                "record.c",
                "-o",
                "record",
                f"-I{self.prefix.include}",
                f"-L{libraries}",
                f"-Wl,-rpath,{libraries}",
                "-lscope",
            )
            which("./record")()
            if self.spec.satisfies("+hdf5"):
                scope = which(self.prefix.bin.scope)
                assert "smoke" in scope("inspect", "profiling_data.h5", output=str)
