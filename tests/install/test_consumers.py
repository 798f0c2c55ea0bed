"""Programs of others, built against the install by CMake and by pkg-config, then run.

SPDX-License-Identifier: MIT
"""

import gzip
import os
import re
import shutil
from pathlib import Path

import pytest

from support.jobs import Install, Mpi, environment, run
from support.profile import Profile

CONSUMER = Path(__file__).parent / "consumer"
FAMILIES = ("ompi", "mpich")


def pkg_config_env(install, **extra):
    return environment(PKG_CONFIG_PATH=install.lib / "pkgconfig", **extra)


def cmake(install, build, parts, *options):
    """Configure and build the consumer project; returns its build folder."""
    run(
        [
            "cmake",
            "-S",
            CONSUMER,
            "-B",
            build,
            "-G",
            "Ninja",
            f"-DCMAKE_PREFIX_PATH={install.prefix}",
            f"-DPARTS={';'.join(parts)}",
            *options,
        ],
        timeout=300,
    )
    run(["cmake", "--build", build, "-j", "2"], timeout=300)
    return Path(build)


def make(install, build, *targets, **variables):
    """Build the consumer's programs by its Makefile; returns the folder."""
    shutil.copytree(CONSUMER, build, dirs_exist_ok=True)
    words = [f"{name}={value}" for name, value in variables.items()]
    run(["make", "-C", build, *words, *targets], timeout=300, env=pkg_config_env(install))
    return Path(build)


def check_serial(program, tmp_path):
    output = tmp_path / f"{program.name}.h5"
    result = run([program], env=environment(SCOPE_OUTPUT=output))
    assert result.stdout == "success\n" and result.stderr == ""
    assert Profile(output).check().counts() == {"work": 3}
    return output


def check_mpi(family, install, program, tmp_path):
    output = tmp_path / f"{program.name}_{family}.h5"
    result = Mpi(family, install).mpirun(2, [program], env=environment(SCOPE_OUTPUT=output))
    assert result.stdout.replace("\n", "") == "success" * 2, "the launcher may mix the ends of lines"
    assert result.stderr == ""
    profile = Profile(output).check()
    assert profile.mpi_size == 2
    for rank in range(2):
        assert profile.own_counts(rank) == {"work": 3}
        assert profile.mpi_counts(rank)["MPI_Barrier"] == 3
    return output


@pytest.fixture(scope="module")
def cmake_serial(install, tmp_path_factory):
    return cmake(
        install, tmp_path_factory.mktemp("cmake") / "build", ["runtime", "fortran", "hdf5"]
    )


@pytest.fixture(scope="module")
def make_serial(install, tmp_path_factory):
    return make(
        install,
        tmp_path_factory.mktemp("make") / "build",
        "app_c",
        "app_cpp",
        "app_fortran",
        "app_file",
        CC="gcc",
        CXX="g++",
        FC="gfortran",
    )


@pytest.mark.parametrize("program", ["app_c", "app_cpp", "app_fortran"])
@pytest.mark.parametrize("system", ["cmake", "make"])
def test_a_program_without_mpi_is_recorded(system, program, request, tmp_path):
    check_serial(request.getfixturevalue(f"{system}_serial") / program, tmp_path)


@pytest.mark.parametrize("system", ["cmake", "make"])
def test_a_program_that_reads_a_file(system, request, tmp_path):
    folder = request.getfixturevalue(f"{system}_serial")
    output = check_serial(folder / "app_c", tmp_path)
    assert run([folder / "app_file", output]).stdout == "work 3\n"
    missing = run([folder / "app_file", tmp_path / "missing.h5"], check=False)
    assert missing.returncode == 1 and "missing.h5" in missing.stderr


@pytest.mark.mpi
@pytest.mark.parametrize("system", ["cmake", "make"])
def test_mpi_programs_in_c_and_fortran_are_recorded(system, mpi, install, tmp_path):
    """Also with --as-needed, which drops a library whose symbols nobody names."""
    if system == "cmake":
        build = cmake(
            install,
            tmp_path / "build",
            ["mpi", "fortran"],
            f"-DFAMILY={mpi.family}",
            f"-DMPI_C_COMPILER=mpicc.{mpi.suffix}",
            f"-DMPI_Fortran_COMPILER=mpifort.{mpi.suffix}",
            "-DCMAKE_EXE_LINKER_FLAGS=-Wl,--as-needed",
        )
    else:
        build = make(
            install,
            tmp_path / "build",
            "app_mpi_c",
            "app_mpi_fortran",
            CC=f"mpicc.{mpi.suffix}",
            FC=f"mpifort.{mpi.suffix}",
            SCOPE=f"scope-mpi-{mpi.family}",
            LDFLAGS="-Wl,--as-needed",
        )
    for program in ("app_mpi_c", "app_mpi_fortran"):
        check_mpi(mpi.family, install, build / program, tmp_path)


@pytest.mark.mpi
def test_the_default_family_is_the_one_of_mpicc(install, tmp_path):
    if not shutil.which("mpicc"):
        pytest.skip("no mpicc")
    real = os.path.realpath((install.lib / "libscope_mpi.so"))
    family = next(f for f in FAMILIES if f"libscope_mpi_{f}.so" in real)
    build = make(install, tmp_path / "build", "app_mpi_c", CC="mpicc")
    check_mpi(family, install, build / "app_mpi_c", tmp_path)
    build = cmake(install, tmp_path / "cmake", ["mpi", "fortran"])
    check_mpi(family, install, build / "app_mpi_c", tmp_path)


def test_a_moved_prefix_still_works(install, tmp_path):
    moved = Install(tmp_path / "else where" / "prefix")
    shutil.copytree(install.prefix, moved.prefix, symlinks=True)
    build = cmake(moved, tmp_path / "build", ["runtime", "fortran", "hdf5"])
    output = check_serial(build / "app_fortran", tmp_path)
    assert run([build / "app_file", output]).stdout == "work 3\n"
    needed = run(["ldd", build / "app_fortran"]).stdout
    assert str(moved.prefix) in needed and str(install.prefix) not in needed
    plain = Install(tmp_path / "moved")  # words of a Makefile are cut at blanks
    moved.prefix.rename(plain.prefix)
    build = make(plain, tmp_path / "make", "app_c", CC="gcc")
    check_serial(build / "app_c", tmp_path)
    run([plain.scope, "--version"])


def test_pkg_config_names_no_absolute_path(install):
    for package in (install.lib / "pkgconfig").glob("scope*.pc"):
        assert str(install.prefix) not in package.read_text(), package
    for package in (install.lib / "cmake/scope").glob("*.cmake"):
        assert str(install.prefix) not in package.read_text(), package


def test_pkg_config_knows_every_package_and_version(install):
    env = pkg_config_env(install)
    packages = ["scope", "scope-mpi", "scope-fortran", "scope-hdf5"]
    packages += [
        f"scope-mpi-{f}" for f in FAMILIES if (install.lib / f"libscope_mpi_{f}.so").exists()
    ]
    for package in packages:
        assert run(["pkg-config", "--modversion", package], env=env).stdout == "0.8.0\n"
        run(["pkg-config", "--validate", package], env=env)


def test_k37_another_fortran_compiler_uses_the_installed_source(install, tmp_path):
    build = cmake(install, tmp_path / "build", ["fortran"], "-Dscope_FORTRAN_FROM_SOURCE=ON")
    assert "libscope_fortran" not in run(["readelf", "-d", build / "app_fortran"]).stdout
    check_serial(build / "app_fortran", tmp_path)


@pytest.mark.parametrize("compiler", ["gfortran", "gfortran-11"])
def test_k37_a_module_file_that_this_gfortran_refuses(compiler, install, tmp_path):
    """As after a change of its format: an install by another version, found by itself."""
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    other = Install(tmp_path / "prefix")
    for folder in ("lib", "include", "share"):
        shutil.copytree(install.prefix / folder, other.prefix / folder, symlinks=True,
                        ignore=shutil.ignore_patterns("python*"))
    module = other.include / "scope.mod"
    text = gzip.decompress(module.read_bytes())
    module.write_bytes(gzip.compress(re.sub(rb"version '\d+'", b"version '99'", text, count=1)))
    config = other.lib / "cmake/scope/scope-config.cmake"
    config.write_text(re.sub(r'"GNU \d+"', '"GNU 99"', config.read_text()))
    refused = run([compiler, "-c", f"-I{other.include}", CONSUMER / "app.f90", "-o", tmp_path / "app.o"],
                  check=False, cwd=tmp_path)
    assert refused.returncode and "different version" in refused.stderr
    build = cmake(other, tmp_path / "build", ["fortran"], f"-DCMAKE_Fortran_COMPILER={compiler}")
    assert "libscope_fortran" not in run(["readelf", "-d", build / "app_fortran"]).stdout
    check_serial(build / "app_fortran", tmp_path)


@pytest.mark.parametrize(
    "flags",
    [
        "-std=f2008",
        "-std=f2018",
        "-fdefault-integer-8",
        "-fdefault-real-8",
        "-fno-automatic",
        "-fcheck=all",
        "-flto",
    ],
)
def test_the_installed_source_compiles_with_any_flags(flags, install, tmp_path):
    source = run(
        ["pkg-config", "--variable=fortran_source", "scope-fortran"], env=pkg_config_env(install)
    ).stdout.strip()
    run(
        [
            "gfortran",
            flags,
            "-pedantic",
            "-Wall",
            "-Wextra",
            "-Wconversion",
            "-Werror",
            "-c",
            source,
            "-o",
            tmp_path / "scope.o",
            "-J",
            tmp_path,
        ]
    )
    run(
        [
            "gfortran",
            flags,
            f"-I{tmp_path}",
            CONSUMER / "app.f90",
            tmp_path / "scope.o",
            "-o",
            tmp_path / "app",
            f"-L{install.lib}",
            f"-Wl,-rpath,{install.lib}",
            "-lscope",
        ]
    )
    check_serial(tmp_path / "app", tmp_path)


def test_what_is_not_in_the_install_is_said(install, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(consumer C)\n"
        "find_package(scope ${VERSION} REQUIRED COMPONENTS ${PARTS})\n"
    )

    def configure(parts, version):
        return run(
            [
                "cmake",
                "-S",
                tmp_path,
                "-B",
                tmp_path / f"{parts}-{version}",
                f"-DCMAKE_PREFIX_PATH={install.prefix}",
                f"-DPARTS={parts}",
                f"-DVERSION={version}",
            ],
            check=False,
            timeout=300,
        )

    assert configure("runtime", "0.8").returncode == 0
    refused = configure("gpu", "0.8")
    assert refused.returncode != 0 and "component gpu is not in this install" in refused.stderr
    assert configure("runtime", "0.9").returncode != 0
