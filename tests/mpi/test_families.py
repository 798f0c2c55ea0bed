"""One install for every MPI: the wrong family's library stands aside, and none needs libmpi.

SPDX-License-Identifier: MIT
"""
import re
import shutil
import sys
from pathlib import Path

import pytest

from support.jobs import FAMILIES, Mpi, environment, run
from support.profile import Profile, ours

PROGRAMS = Path(__file__).resolve().parent / "programs"


@pytest.fixture(scope="module")
def bare(mpi, tmp_path_factory):
    """A program of one family without the profiler."""
    output = tmp_path_factory.mktemp(f"bare-{mpi.family}") / "bare"
    return mpi.compile(PROGRAMS / "job.c", output, ("-DWITHOUT_SCOPE",), ())


def other(mpi):
    name, = set(FAMILIES) - {mpi.family}
    family = Mpi(name, mpi.install)
    if not family.library.exists():
        pytest.skip(f"no {family.library.name}")
    return family


@pytest.mark.parametrize("command, rc", [
    (["/bin/true"], 0), (["/bin/false"], 1), (["sh", "-c", "uname; exit 3"], 3),
    ([sys.executable, "-c", "import subprocess, sys; subprocess.run(['true']); sys.exit(4)"], 4),
], ids=["true", "false", "sh", "python"])
def test_k22_programs_without_mpi_do_not_notice(mpi, tmp_path, command, rc):
    plain = run(command, check=False, cwd=tmp_path)
    env = environment(LD_PRELOAD=mpi.library, SCOPE_SPOOL_DIR=tmp_path)
    result = run(command, check=False, cwd=tmp_path, env=env)
    assert (result.returncode, result.stdout, result.stderr) == (rc, plain.stdout, plain.stderr)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.mpi
def test_the_wrong_family_says_one_line_and_stands_aside(mpi, bare, tmp_path):
    wrong = other(mpi)
    result = mpi.mpirun(3, ["env", f"LD_PRELOAD={wrong.library}", bare], cwd=tmp_path)
    assert sorted(result.stdout.split("\n")) == ["", "done 0", "done 1", "done 2"]
    line, = result.stderr.splitlines()
    assert line.startswith("scope: ") and line.endswith(
        f": MPI is not recorded, and no recording is started; use libscope_mpi_{mpi.family}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.mpi
def test_the_program_keeps_its_exit_code_with_the_wrong_family(mpi, bare, tmp_path):
    wrong = other(mpi)
    result = mpi.mpirun(2, ["env", f"LD_PRELOAD={wrong.library}", bare, "abort"], cwd=tmp_path,
                        check=False)
    assert result.returncode == 5


@pytest.mark.mpi
def test_the_wrong_family_linked_says_so_and_regions_are_kept(mpi, tmp_path):
    wrong = other(mpi)
    program = mpi.compile(PROGRAMS / "job.c", tmp_path / "job", (),
                          ("-Wl,--no-as-needed", f"-lscope_mpi_{wrong.family}", "-lscope"))
    work = tmp_path / "work"
    work.mkdir()
    result = mpi.mpirun(2, [program, "init-first"], cwd=work,
                        env=environment(SCOPE_SPOOL_DIR=tmp_path))
    assert sorted(result.stdout.split()) == sorted("done 0 done 1".split())
    assert any(line.endswith(f": MPI is not recorded; use libscope_mpi_{mpi.family}") for line in ours(result.stderr))
    counts = [Profile(path).check().counts() for path in sorted(work.glob("*.rank*.h5"))]
    assert [c["before MPI"] for c in counts] == [1, 1] and counts[0]["common"] == 1


@pytest.mark.mpi
@pytest.mark.parametrize("family", ["right", "wrong"])
def test_a_library_after_libmpi_says_so_though_no_region_is_called(mpi, tmp_path, family):
    library = mpi if family == "right" else other(mpi)
    own = {"ompi": "-lmpi", "mpich": "-lmpich"}[mpi.family]
    program = mpi.compile(PROGRAMS / "job.c", tmp_path / "job", ("-DWITHOUT_SCOPE",),
                          ("-Wl,--no-as-needed", own, f"-lscope_mpi_{library.family}"))
    result = mpi.mpirun(2, [program], cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    line, = result.stderr.splitlines()
    assert line.startswith("scope: ")
    assert ("-lscope_mpi" if family == "right" else f"libscope_mpi_{mpi.family}") in line
    assert [path.name for path in tmp_path.iterdir()] == ["job"]


@pytest.mark.mpi
@pytest.mark.parametrize("first", FAMILIES)
def test_k22_with_all_families_preloaded_the_right_one_acts(mpi, bare, tmp_path, first):
    others = [other(mpi), mpi] if first != mpi.family else [mpi, other(mpi)]
    preload = ":".join(str(family.library) for family in others)
    result = mpi.mpirun(3, ["env", f"LD_PRELOAD={preload}", bare], cwd=tmp_path,
                        env=environment(SCOPE_SPOOL_DIR=tmp_path))
    assert result.stderr == ""
    profile = Profile(tmp_path / "profiling_data.h5").check()
    for rank in range(3):
        assert profile.counts(rank) == {"MPI_Init": 1, "MPI_Barrier": 1, "MPI_Finalize": 1}


@pytest.mark.mpi
def test_the_standard_abi_is_a_family(install, tmp_path):
    """Runs where an MPI with the standard ABI is: its mpicc_abi and mpiexec beside it."""
    compiler = shutil.which("mpicc_abi")
    if not compiler or not (install.lib / "libscope_mpi_abi.so").exists():
        pytest.skip("no MPI with the standard ABI")
    program = install.compile(PROGRAMS / "job.c", tmp_path / "job", (),
                              ("-lscope_mpi_abi", "-lscope"), compiler)
    run([Path(compiler).with_name("mpiexec"), "-n", 3, program, "all"], cwd=tmp_path,
        env=environment(SCOPE_SPOOL_DIR=tmp_path))
    profile = Profile(tmp_path / "profiling_data.h5").check()
    assert profile.ranks() == [0, 1, 2]
    for rank in range(3):
        assert profile.mpi_counts(rank) == {"MPI_Init": 1, "MPI_Barrier": 1, "MPI_Finalize": 1}


# ---- what the libraries are made of

@pytest.fixture(params=[*FAMILIES, "abi"])
def library(request, install):
    path = install.lib / f"libscope_mpi_{request.param}.so"
    if not path.exists():
        pytest.skip(f"no {path.name}")
    return path


def test_it_needs_libscope_and_libc_only(library):
    needed = re.findall(r"NEEDED.*\[(.*)\]", run(["readelf", "-d", library]).stdout)
    assert sorted(needed) == ["libc.so.6", "libscope.so.0"]


def test_k22_it_leaves_no_symbol_of_mpi_to_be_found(library):
    names = [line.split()[-1] for line in run(["nm", "-D", "--undefined-only", library])
             .stdout.splitlines()]
    assert [name for name in names if re.match(r"p?mpi_|ompi_|mpir_", name, re.IGNORECASE)] == []


def test_it_exports_wrappers_and_the_host_s_functions_only(library):
    names = [line.split()[-1].split("@")[0] for line in
             run(["nm", "-D", "--defined-only", library]).stdout.splitlines()]
    assert {"MPI_Init", "MPI_Finalize", "mpi_init_", "mpi_finalize_f08_"} <= set(names)
    allowed = r"((MPI|mpi)_[A-Za-z0-9_]+|scope_mpi_host_(fits|open|measure|close))$"
    assert [name for name in names if not re.match(allowed, name)] == []
    private = ("mpi_prepare", "mpi_symbol", "mpi_next", "mpi_gather", "mpi_unify", "mpi_relay")
    assert not set(private) & set(names)


def test_the_plain_name_is_the_default_family(install):
    link = install.lib / "libscope_mpi.so"
    assert link.is_symlink() and re.fullmatch(r"libscope_mpi_(ompi|mpich|abi)\.so",
                                              str(link.readlink()))
    assert link.exists()


@pytest.mark.mpi
def test_a_program_with_a_static_mpi_is_recorded(mpi, install, tmp_path):
    """The program needs no libmpi and no libscope_mpi: both are in it."""
    archive = install.lib / f"libscope_mpi_{mpi.family}.a"
    static = run([f"mpicc.{mpi.suffix}", "-print-file-name=libmpich.a"]).stdout.strip()
    if mpi.family != "mpich" or not archive.exists() or not Path(static).exists():
        pytest.skip("no static MPI")
    source = tmp_path / "job.o"
    run([f"mpicc.{mpi.suffix}", "-c", f"-I{install.include}", PROGRAMS / "job.c", "-o", source])
    program = tmp_path / "job"
    command = ["gcc", source, "-o", program, archive, static, "-lucp", "-lucs", "-lhwloc", "-lm",
               f"-L{install.lib}", f"-Wl,-rpath,{install.lib}", "-lscope", "-pthread"]
    if run(command, check=False).returncode:
        pytest.skip("what this static MPI needs is not here")
    needed = run(["readelf", "-d", program]).stdout
    assert "libscope.so" in needed and "mpi" not in needed
    result = mpi.mpirun(2, [program, "all"], cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    assert result.stderr == "" and sorted(result.stdout.split()) == ["0", "1", "done", "done"]
    profile = Profile(tmp_path / "profiling_data.h5").check()
    for rank in range(2):
        assert profile.own_counts(rank)["common"] == rank + 1
        assert profile.mpi_counts(rank) == {"MPI_Init": 1, "MPI_Barrier": 1, "MPI_Finalize": 1}
