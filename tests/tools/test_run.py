"""scope run: programs that nobody prepared keep their codes, signals and output.

SPDX-License-Identifier: MIT
"""
import os
import signal
import sys

import h5py
import pytest

from support.jobs import environment, run
from tools.programs import PLAIN, REGIONS, build

MPI = """
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


@pytest.fixture(scope="module")
def plain(install, tmp_path_factory):
    return build(install, tmp_path_factory.mktemp("plain"), "plain", PLAIN, libs=())


def scope_run(install, folder, *words, check=True, **extra):
    return run([install.scope, "run", *words], check=check, cwd=folder, env=environment(**extra))


def printed(install, folder, *words, **extra):
    """The variables that `scope run --print` shows."""
    done = scope_run(install, folder, "--print", *words, **extra)
    return dict(line.split("=", 1) for line in done.stdout.splitlines())


@pytest.mark.parametrize("code", [0, 1, 42, 125, 255])
def test_exit_codes_are_the_programs(install, tmp_path, plain, code):
    done = scope_run(install, tmp_path, plain, code, "you", check=False)
    assert (done.returncode, done.stdout) == (code, "hello you\n")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_signals_are_the_programs(install, tmp_path, plain, number):
    done = scope_run(install, tmp_path, plain, -int(number), check=False)
    assert done.returncode == -number


def test_arguments_arrive_untouched(install, tmp_path):
    words = ["-o", "--help", "", "a b", "%r", "\n"]
    code = "import sys; print(sys.argv[1:])"
    done = scope_run(install, tmp_path, sys.executable, "-c", code, *words)
    assert done.stdout == f"{words}\n"
    done = scope_run(install, tmp_path, "--", "sh", "-c", "echo $0", "-v")
    assert done.stdout == "-v\n"


def test_a_program_with_regions_is_recorded(install, tmp_path):
    program = build(install, tmp_path, "regions", REGIONS)
    done = scope_run(install, tmp_path, "-o", "here.h5", program, 9, check=False)
    assert (done.returncode, done.stdout) == (9, "")
    with h5py.File(tmp_path / "here.h5") as file:
        names = file["region_table/names"].asstr()[()]
        assert {"outer", "inner"} <= set(names)


def test_label_and_filter_reach_the_program(install, tmp_path):
    program = build(install, tmp_path, "regions", REGIONS)
    scope_run(install, tmp_path, "-o", "x.h5", "--label=my label", "--filter", "-inner", program)
    with h5py.File(tmp_path / "x.h5") as file:
        assert file["metadata"].attrs["label"] == "my label"
        assert "inner" not in file["region_table/names"].asstr()[()]


def test_shell_scripts_and_python_run(install, tmp_path):
    script = tmp_path / "job.sh"
    script.write_text("#!/bin/sh\necho from $1\nuname >/dev/null\nexit 3\n")
    script.chmod(0o755)
    done = scope_run(install, tmp_path, "./job.sh", "here", check=False)
    assert (done.returncode, done.stdout) == (3, "from here\n")
    headless = tmp_path / "headless"
    headless.write_text("echo no interpreter line\n")
    headless.chmod(0o755)
    assert scope_run(install, tmp_path, "./headless").stdout == "no interpreter line\n"
    done = scope_run(install, tmp_path, sys.executable, "-c", "import h5py, sys; sys.exit(4)", check=False)
    assert done.returncode == 4


def test_what_cannot_run_is_126_or_127(install, tmp_path):
    (tmp_path / "data").write_text("x")
    (tmp_path / "sub").mkdir()
    for words, code, text in ((["no-such-command"], 127, "not found"), (["./no"], 127, "no such file"),
                              (["./data"], 126, "ermission"), (["./sub"], 126, "directory"),
                              ([""], 127, "not found")):
        done = scope_run(install, tmp_path, *words, check=False)
        assert done.returncode == code, words
        assert text in done.stderr and len(done.stderr.splitlines()) == 1


def test_static_programs_are_refused_with_the_way_out(install, tmp_path):
    program = build(install, tmp_path, "static", PLAIN, flags=("-static",), libs=())
    done = scope_run(install, tmp_path, program, check=False)
    assert done.returncode == 125 and done.stdout == ""
    assert "static" in done.stderr and "-lscope_mpi" in done.stderr


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to make a setuid program of another user")
def test_setuid_programs_are_refused(install, tmp_path, plain):
    program = tmp_path / "setuid"
    program.write_bytes(plain.read_bytes())
    os.chown(program, 65534, 65534)
    program.chmod(0o4755)
    done = scope_run(install, tmp_path, program, check=False)
    assert done.returncode == 125 and "setuid" in done.stderr


def test_a_missing_output_folder_is_refused_before_the_program_starts(install, tmp_path, plain):
    for words, extra in ((["-o", "none/x.h5"], {}), ([], {"SCOPE_OUTPUT": "none/x.h5"})):
        done = scope_run(install, tmp_path, *words, plain, check=False, **extra)
        assert done.returncode == 125 and done.stdout == ""
        assert "No such file" in done.stderr and str(tmp_path / "none") in done.stderr
    (tmp_path / "plain").mkdir()
    scope_run(install, tmp_path, "-o", "%x/x.h5", plain)
    done = scope_run(install, tmp_path, "-o", "none/x.h5", plain, SCOPE_ENABLE="0")
    assert done.stdout == "hello \n"


def test_one_rank_speaks_for_all(install, tmp_path, plain):
    for rank, lines in (("0", 1), ("1", 0)):
        done = scope_run(install, tmp_path, "-o", "none/x.h5", plain, check=False,
                         OMPI_COMM_WORLD_RANK=rank, OMPI_COMM_WORLD_SIZE="2")
        assert done.returncode == 125 and len(done.stderr.splitlines()) == lines


def test_what_a_variable_cannot_mean_is_said_once(install, tmp_path):
    program = build(install, tmp_path, "regions", REGIONS)
    done = scope_run(install, tmp_path, program, check=False, SCOPE_MAX_BYTES="lots")
    assert done.stderr.count("lots is not usable") == 1 and "scope run:" not in done.stderr
    done = scope_run(install, tmp_path, "-o", ".", program, check=False)
    assert done.stderr.count("SCOPE_OUTPUT=. is not usable") == 1


@pytest.mark.parametrize("words", [[], ["--frob", "true"], ["-o"], ["--mpi=intel", "true"], ["--mpi="]])
def test_wrong_options_are_125(install, tmp_path, words):
    done = scope_run(install, tmp_path, *words, check=False)
    assert done.returncode == 125
    assert "scope run --help" in done.stderr


def test_only_the_programs_family_is_loaded(install, mpi, tmp_path):
    (tmp_path / "m.c").write_text(MPI)
    program = mpi.compile(tmp_path / "m.c", tmp_path / "m", libs=())
    preload = printed(install, tmp_path, program)["LD_PRELOAD"].split(":")
    assert [p.split("/")[-1] for p in preload] == [f"libscope_mpi_{mpi.family}.so.0", "libscope.so.0"]


def test_the_family_is_found_through_another_library(install, mpi, tmp_path):
    folder = tmp_path / "deep" / "lib"
    folder.mkdir(parents=True)
    (tmp_path / "solver.c").write_text("#include <mpi.h>\nint solve(void) { return MPI_Barrier(MPI_COMM_WORLD); }\n")
    (tmp_path / "main.c").write_text("int solve(void);\nint main(void) { return solve(); }\n")
    run([f"mpicc.{mpi.suffix}", "-shared", "-fPIC", tmp_path / "solver.c", "-o", folder / "libsolver.so"])
    run(["gcc", tmp_path / "main.c", "-o", tmp_path / "main", f"-L{folder}", "-lsolver",
         "-Wl,-rpath,$ORIGIN/deep/lib", "-Wl,--allow-shlib-undefined"])
    assert f"scope_mpi_{mpi.family}" in printed(install, tmp_path, "./main")["LD_PRELOAD"]
    run(["gcc", tmp_path / "main.c", "-o", tmp_path / "bare", f"-L{folder}", "-lsolver",
         "-Wl,--allow-shlib-undefined"])
    extra = {"LD_LIBRARY_PATH": f"/nowhere:{folder}"}
    assert f"scope_mpi_{mpi.family}" in printed(install, tmp_path, "./bare", **extra)["LD_PRELOAD"]
    preload = printed(install, tmp_path, "./bare")["LD_PRELOAD"]
    assert "scope_mpi_ompi" in preload and "scope_mpi_mpich" in preload


def test_mpi_option_overrules(install, tmp_path):
    assert "mpi" not in printed(install, tmp_path, "--mpi=none", "true")["LD_PRELOAD"].replace(str(install.prefix), "")
    preload = printed(install, tmp_path, "--mpi=ompi", "true")["LD_PRELOAD"]
    assert "scope_mpi_ompi" in preload and "mpich" not in preload
    preload = printed(install, tmp_path, "true", SCOPE_MPI_FAMILY="mpich")["LD_PRELOAD"]
    assert "scope_mpi_mpich" in preload and "ompi" not in preload


def test_the_users_preload_and_run_id_are_kept(install, tmp_path):
    run_id = "0123456789abcdef0123456789abcdef"
    values = printed(install, tmp_path, "true", LD_PRELOAD="/lib/x86_64-linux-gnu/libm.so.6", SCOPE_RUN_ID=run_id)
    assert values["LD_PRELOAD"].endswith(":/lib/x86_64-linux-gnu/libm.so.6")
    assert values["SCOPE_RUN_ID"] == run_id
    assert values["SCOPE_ROOT"] == str(install.prefix.resolve())
    once = values["LD_PRELOAD"]
    assert printed(install, tmp_path, "true", LD_PRELOAD=once)["LD_PRELOAD"] == once


def test_variables_of_the_run(install, tmp_path):
    code = "import os; print(os.getpid(), os.environ['SCOPE_RUN_PID'], len(os.environ['SCOPE_RUN_ID']))"
    pid, marked, length = scope_run(install, tmp_path, sys.executable, "-c", code).stdout.split()
    assert pid == marked and length == "32"


def test_ranks_of_a_job_share_the_run_id(install, mpi, tmp_path):
    done = mpi.mpirun(2, [install.scope, "run", "sh", "-c", "echo $SCOPE_RUN_ID"], cwd=tmp_path)
    ids = done.stdout.split()
    assert len(ids) == 2 and ids[0] == ids[1]
    again = mpi.mpirun(2, [install.scope, "run", "sh", "-c", "echo $SCOPE_RUN_ID"], cwd=tmp_path)
    assert again.stdout.split()[0] != ids[0]


@pytest.mark.parametrize("outside", [False, True])
def test_below_and_above_mpirun(install, mpi, tmp_path, outside):
    (tmp_path / "m.c").write_text(MPI)
    program = mpi.compile(tmp_path / "m.c", tmp_path / "m", libs=())
    if outside:
        run([install.scope, "run", f"mpirun.{mpi.suffix}", "-n", 2, program], cwd=tmp_path)
    else:
        mpi.mpirun(2, [install.scope, "run", program], cwd=tmp_path)
    with h5py.File(tmp_path / "profiling_data.h5") as file:
        assert set(file["rank_region_index/ranks"][()]) == {0, 1}
        assert "MPI_Barrier" in file["region_table/names"].asstr()[()]


def test_options_of_open_mpis_mpirun_do_not_clash_with_ours(install, openmpi, tmp_path):
    (tmp_path / "m.c").write_text(MPI)
    program = openmpi.compile(tmp_path / "m.c", tmp_path / "m", libs=())
    for words in (["-x", "FOO=1"], ["--mca", "mca_base_env_list", "FOO=1"], []):
        done = run([install.scope, "run", "-o", "x.h5", "mpirun.openmpi", *words, "-n", 2, program], cwd=tmp_path)
        assert done.stderr == ""
        assert (tmp_path / "x.h5").exists()
        (tmp_path / "x.h5").unlink()


def test_a_sanitized_program_runs(install, tmp_path):
    program = build(install, tmp_path, "asan", PLAIN, flags=("-fsanitize=address",), libs=())
    done = scope_run(install, tmp_path, program, 5, "x", check=False)
    assert (done.returncode, done.stdout) == (5, "hello x\n"), done.stderr
