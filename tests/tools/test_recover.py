"""scope recover: a killed run loses no call that had ended.

SPDX-License-Identifier: MIT
"""
import os
import signal
import struct
import subprocess
import time

import h5py
import pytest

from support.jobs import environment, run
from tools.programs import LISTED, REGIONS, SESSIONS, build, inspect_json


@pytest.fixture(scope="module")
def listed(install, tmp_path_factory):
    return build(install, tmp_path_factory.mktemp("listed"), "listed", LISTED)


def kill_one(listed, folder, number=signal.SIGKILL, after=0.2, **extra):
    """Run the program that keeps its own list, kill it, return the list."""
    ended = folder / f"ended{time.monotonic_ns()}"
    process = subprocess.Popen([listed, ended], cwd=folder, env=environment(SCOPE_SPOOL_DIR=folder, **extra))
    for _ in range(6000):
        time.sleep(0.05)
        if ended.exists() and ended.stat().st_size and any(ended.read_bytes()):
            break
    time.sleep(after)
    process.send_signal(number)
    process.wait(300)
    return struct.unpack("4Q", ended.read_bytes()[:32])


def recover(install, *words, check=True, cwd=None, **extra):
    return run([install.scope, "recover", *words], check=check, cwd=cwd, env=environment(**extra))


def counts(install, path):
    return {r["name"]: r["num_calls"] for r in inspect_json(install, run, path)["regions"]}


def spools(folder):
    return sorted(folder.glob("**/*.spool"))


@pytest.mark.parametrize("policy", ["fold", "stop"])
def test_every_ended_call_of_a_killed_program_is_there(install, listed, tmp_path, policy):
    for turn in range(3):
        folder = tmp_path / f"{policy}{turn}"
        folder.mkdir()
        expected = kill_one(listed, folder, after=0.05 * turn, SCOPE_POLICY=policy, SCOPE_MAX_BYTES="0")
        done = recover(install, folder, "-o", folder / "out.h5")
        assert "killed" in done.stdout
        found = counts(install, folder / "out.h5")
        for i in range(4):
            assert expected[i] <= found[f"r{i}"] <= expected[i] + 1, (expected, found)
        assert len(spools(folder)) == 1  # removes nothing unless asked to


def test_a_spool_is_inspected_without_recovering(install, listed, tmp_path):
    expected = kill_one(listed, tmp_path)
    path = spools(tmp_path)[0]
    assert sum(counts(install, path).values()) >= sum(expected)
    assert "killed" in run([install.scope, "inspect", path]).stdout


def test_the_default_output_is_the_runs_own(install, listed, tmp_path):
    kill_one(listed, tmp_path, SCOPE_OUTPUT="own-%x.h5")
    done = recover(install, tmp_path)
    assert f"wrote {tmp_path}/own-listed.h5" in done.stdout
    again = recover(install, tmp_path, check=False)
    assert again.returncode == 1 and "exists" in again.stderr


def test_remove_takes_the_spool_away_once_the_file_is_there(install, listed, tmp_path):
    kill_one(listed, tmp_path)
    done = recover(install, "--remove", tmp_path, "-o", tmp_path / "no" / "x.h5", check=False)
    assert done.returncode == 1 and len(spools(tmp_path)) == 1
    recover(install, "--remove", tmp_path, "-o", tmp_path / "x.h5")
    assert spools(tmp_path) == []


def test_a_running_program_is_taken_as_it_is(install, listed, tmp_path):
    process = subprocess.Popen([listed, tmp_path / "ended"], cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    try:
        for _ in range(6000):
            time.sleep(0.05)
            if spools(tmp_path) and (tmp_path / "ended").exists():
                break
        time.sleep(0.2)
        assert "running" in recover(install, "--list", tmp_path).stdout
        assert "still running" in run([install.scope, "inspect", spools(tmp_path)[0]]).stdout
        done = recover(install, "--remove", tmp_path, "-o", tmp_path / "x.h5")
        assert "running" in done.stdout
        assert len(spools(tmp_path)) == 1
    finally:
        process.kill()
        process.wait(300)
    assert set(counts(install, tmp_path / "x.h5")) == {"r0", "r1", "r2", "r3"}


def test_signal_and_runs_are_listed(install, listed, tmp_path):
    kill_one(listed, tmp_path, SCOPE_RUN_ID="aa" * 16)
    kill_one(listed, tmp_path, SCOPE_RUN_ID="bb" * 16)
    text = recover(install, "--list", tmp_path).stdout
    assert "aaaaaaaa" in text and "bbbbbbbb" in text and "listed" in text
    done = recover(install, tmp_path, "-o", tmp_path / "last.h5")
    assert "run bbbbbbbb" in done.stdout and "2 runs" in done.stderr
    done = recover(install, "--run=aaaa", tmp_path, "-o", tmp_path / "first.h5")
    assert "run aaaaaaaa" in done.stdout
    done = recover(install, "--run=cc", tmp_path, "-o", tmp_path / "x.h5", check=False)
    assert done.returncode == 1 and "cc" in done.stderr


def test_ranks_of_one_run_are_joined(install, listed, tmp_path):
    every = [kill_one(listed, tmp_path, SCOPE_RUN_ID="cd" * 16, PMI_RANK=rank, PMI_SIZE=3) for rank in (0, 2)]
    done = recover(install, tmp_path, "-o", tmp_path / "x.h5")
    assert "2 of 3 ranks" in done.stdout and "rank 1: left nothing" in done.stdout
    shown = inspect_json(install, run, tmp_path / "x.h5")
    assert shown["num_ranks"] == 3 and shown["warnings"]["recovered"]
    calls = {r["rank"]: r["num_calls"] for r in shown["ranks"]}
    assert calls[0] >= sum(every[0]) and calls[2] >= sum(every[1]) and calls[1] == 0


def test_a_finished_ranks_file_joins(install, listed, tmp_path):
    program = build(install, tmp_path, "regions", REGIONS)
    job = dict(SCOPE_RUN_ID="ef" * 16, SCOPE_OUTPUT="job.h5", PMI_SIZE=2)
    run([program], cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path, PMI_RANK=0, **job))
    assert (tmp_path / "job.rank0.h5").exists()
    kill_one(listed, tmp_path, PMI_RANK=1, **job)
    done = recover(install, tmp_path, "-o", tmp_path / "x.h5")
    assert "2 of 2 ranks" in done.stdout and "from its own file" in done.stdout
    shown = inspect_json(install, run, tmp_path / "x.h5")
    assert {r["name"] for r in shown["ranks"][0]["regions"]} >= {"outer", "inner"}
    assert {r["name"] for r in shown["ranks"][1]["regions"]} == {"r0", "r1", "r2", "r3"}


def test_a_killed_rank_of_an_mpi_job(install, mpi, tmp_path):
    (tmp_path / "m.c").write_text("""
        #include <mpi.h>
        #include <signal.h>
        #include <scope/scope.h>
        int main(int argc, char **argv)
        {
            int rank;
            MPI_Init(&argc, &argv);
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
            for (int i = 0; i < 10; i++) {
                SCOPE_REGION("step");
                MPI_Barrier(MPI_COMM_WORLD);
            }
            if (rank == 1)
                raise(SIGKILL);
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Finalize();
            return 0;
        }""")
    program = mpi.compile(tmp_path / "m.c", tmp_path / "m")
    env = environment(SCOPE_SPOOL_DIR=tmp_path, SCOPE_GATHER_TIMEOUT="5")
    done = mpi.mpirun(2, [program], check=False, cwd=tmp_path, env=env)
    assert done.returncode != 0
    recover(install, tmp_path, "-o", tmp_path / "x.h5")
    for rank in inspect_json(install, run, tmp_path / "x.h5")["ranks"]:
        calls = {r["name"]: r["num_calls"] for r in rank["regions"]}
        assert calls["step"] == 10 and calls["MPI_Barrier"] >= 10, rank


def test_what_is_no_spool(install, listed, tmp_path):
    kill_one(listed, tmp_path)
    good = spools(tmp_path)[0]
    bad = tmp_path / "bad.spool"
    bad.write_bytes(b"x" * 10000)
    for words, text in (([tmp_path / "none"], "No such"), ([bad], "not a spool"), (["/dev/null"], "regular"),
                        ([os.path.dirname(install.scope)], "no spool")):
        done = recover(install, *words, "-o", tmp_path / "x.h5", check=False)
        assert done.returncode == 1 and text in done.stderr, done.stderr
        assert not (tmp_path / "x.h5").exists()
    empty = tmp_path / "empty.spool"
    empty.write_bytes(b"")
    assert recover(install, empty, check=False).returncode == 1
    done = recover(install, good, bad, "-o", tmp_path / "x.h5", check=False)
    assert done.returncode == 1 and (tmp_path / "x.h5").exists()  # what could be had, and a code that says so


def test_truncated_and_flipped_spools_never_crash(install, listed, tmp_path):
    kill_one(listed, tmp_path, SCOPE_MAX_BYTES="1M")
    whole = spools(tmp_path)[0].read_bytes()
    place = tmp_path / "broken.spool"
    for cut in (1, 100, 4095, 4096, 5000, 20480, 40000, len(whole) // 2):
        place.write_bytes(whole[:cut])
        done = recover(install, place, "-o", tmp_path / "x.h5", check=False)
        assert done.returncode in (0, 1), (cut, done.stderr)
    for at in range(4096, 60000, 3001):
        broken = bytearray(whole)
        broken[at] ^= 0x5A
        place.write_bytes(broken)
        done = recover(install, place, "-o", tmp_path / "x.h5", check=False)
        assert done.returncode in (0, 1), (at, done.stderr)


def test_nothing_to_recover(install, tmp_path):
    done = recover(install, check=False, TMPDIR=tmp_path, SCOPE_SPOOL_DIR=tmp_path)
    assert done.returncode in (0, 1)  # /tmp may hold other runs' spools
    done = recover(install, "--list", tmp_path, check=False)
    assert done.returncode == 1 and "no spool" in done.stderr


def test_collect_copies_what_is_dead(install, listed, tmp_path):
    expected = kill_one(listed, tmp_path)
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    assert "1 recording copied" in recover(install, "--collect", meeting, tmp_path).stdout
    assert "0 recordings copied" in recover(install, "--collect", meeting, tmp_path).stdout
    original = spools(tmp_path / f"scope-{os.getuid()}")[0]
    copied = spools(meeting)
    assert len(copied) == 1 and copied[0].read_bytes() == original.read_bytes()
    recover(install, meeting, "-o", tmp_path / "x.h5")
    assert sum(counts(install, tmp_path / "x.h5").values()) >= sum(expected)
    done = recover(install, "--collect", tmp_path / "x.h5" / "no", tmp_path, check=False)  # x.h5 is no folder
    assert done.returncode == 1 and "x.h5/no" in done.stderr
    done = recover(install, tmp_path, "-o", tmp_path / "both.h5")  # a copy is the same recording
    assert "1 of 1 rank" in done.stdout


def test_a_run_that_wrote_its_file_needs_nothing(install, listed, tmp_path):
    program = build(install, tmp_path, "regions", REGIONS)
    kill_one(listed, tmp_path, SCOPE_RUN_ID="12" * 16)
    spool = spools(tmp_path)[0]
    run([program], cwd=tmp_path, env=environment(SCOPE_RUN_ID="12" * 16, SCOPE_SPOOL_DIR=tmp_path))
    done = recover(install, tmp_path, check=False)
    assert done.returncode == 1 and "exists already" in done.stderr  # that file is another process's
    # make it look as if that process had been killed between its rename and the end
    header = bytearray(spool.read_bytes())
    with_pid = inspect_json(install, run, tmp_path / "profiling_data.h5")["ranks"][0]["pid"]
    assert struct.unpack_from("<Q", header, 32)[0] > 0
    struct.pack_into("<Q", header, 32, with_pid)
    spool.write_bytes(header)
    done = recover(install, tmp_path, check=False)
    assert done.returncode == 1 and "exists already" in done.stderr  # of the same process, before an exec
    began = struct.unpack_from("<q", header, 88)[0]
    with h5py.File(tmp_path / "profiling_data.h5") as file:
        wanted = int(file["scope/clock/realtime_ns"][0])
    assert header.count(struct.pack("<q", began)) >= 2, "in the header, and where the session begins"
    spool.write_bytes(header.replace(struct.pack("<q", began), struct.pack("<q", wanted)))
    before = (tmp_path / "profiling_data.h5").read_bytes()
    done = recover(install, tmp_path)
    assert "nothing to do" in done.stdout
    assert (tmp_path / "profiling_data.h5").read_bytes() == before
    recover(install, "--force", tmp_path, "-o", tmp_path / "again.h5")
    assert set(counts(install, tmp_path / "again.h5")) == {"r0", "r1", "r2", "r3"}


def test_one_id_and_several_starts(install, listed, tmp_path):
    """A script started its program twice, and a child of it recorded something too."""
    job = dict(SCOPE_RUN_ID="34" * 16)
    for _ in range(2):
        for rank in (0, 1):
            kill_one(listed, tmp_path, after=0, PMI_RANK=rank, PMI_SIZE=2, **job)
    kill_one(listed, tmp_path, after=0, **job)
    text = recover(install, "--list", tmp_path).stdout
    assert text.count("run 34343434") == 3
    done = recover(install, tmp_path, "-o", tmp_path / "x.h5")
    assert "2 of 2 ranks" in done.stdout
    pids = {r["pid"] for r in inspect_json(install, run, tmp_path / "x.h5")["ranks"]}
    last = sorted(int(p.name.split("-")[3]) for p in spools(tmp_path))
    assert pids == set(last[2:4])


@pytest.fixture(scope="module")
def sessions(install, tmp_path_factory):
    return build(install, tmp_path_factory.mktemp("sessions"), "sessions", SESSIONS)


def kill_sessions(sessions, folder, *words, **extra):
    run([sessions, *words], check=False, cwd=folder, env=environment(SCOPE_SPOOL_DIR=folder, **extra))
    assert len(spools(folder)) == 1
    return spools(folder)[0]


def test_a_written_session_says_nothing_of_the_process_session(install, sessions, tmp_path):
    """The checkpoint in the spool is the explicit session's: the process's calls are nowhere else."""
    kill_sessions(sessions, tmp_path)
    assert counts(install, tmp_path / "closed.h5") == {"step": 3}
    assert "killed" in recover(install, "--list", tmp_path).stdout
    done = recover(install, "--remove", tmp_path)
    assert f"wrote {tmp_path}/profiling_data.h5" in done.stdout
    assert counts(install, tmp_path / "profiling_data.h5") == {"step": 7}
    assert counts(install, tmp_path / "closed.h5") == {"step": 3}
    assert not list(tmp_path.glob("*session*")) and spools(tmp_path) == []


def test_open_sessions_become_files_of_their_own(install, sessions, tmp_path):
    spool = kill_sessions(sessions, tmp_path, "9")
    assert "killed, 1 more session" in recover(install, "--list", tmp_path).stdout
    recover(install, tmp_path)
    assert counts(install, tmp_path / "profiling_data.h5") == {"step": 7}
    assert counts(install, tmp_path / "open-sessions.h5") == {"step": 11}
    assert spool.exists()
    done = recover(install, "--remove", spool, "-o", tmp_path / "x.h5")
    assert done.stdout.count("wrote") == 2 and not spool.exists()
    assert counts(install, tmp_path / "x.h5") == {"step": 7}
    number, = (p.name for p in tmp_path.glob("x.session*.h5"))
    assert counts(install, tmp_path / number) == {"step": 11}


def test_a_session_that_cannot_be_written_keeps_its_spool(install, sessions, tmp_path):
    spool = kill_sessions(sessions, tmp_path, "9")
    for number in range(1, 5):
        (tmp_path / f"x.session{number}.h5").write_text("somebody's")
    done = recover(install, "--remove", tmp_path, "-o", tmp_path / "x.h5", check=False)
    assert done.returncode == 1 and "exists already" in done.stderr and spool.exists()
    assert counts(install, tmp_path / "x.h5") == {"step": 7}
    assert all(p.read_text() == "somebody's" for p in tmp_path.glob("x.session*.h5"))
    done = recover(install, "--remove", "--force", tmp_path, "-o", tmp_path / "x.h5")
    assert done.stdout.count("wrote") == 2 and not spool.exists()


def test_a_process_session_without_a_file_is_not_lost_with_the_others(install, sessions, tmp_path):
    spool = kill_sessions(sessions, tmp_path, "9", SCOPE_OUTPUT="")
    done = recover(install, "--remove", tmp_path)
    assert "no file" in done.stdout and spool.exists()
    assert counts(install, tmp_path / "open-sessions.h5") == {"step": 11}
    recover(install, tmp_path, "--force", "-o", tmp_path / "x.h5")
    assert counts(install, tmp_path / "x.h5") == {"step": 7}


def test_sessions_of_ranks_are_named_by_rank(install, sessions, tmp_path):
    for rank in (0, 1):
        run([sessions, "9"], check=False, cwd=tmp_path,
            env=environment(SCOPE_SPOOL_DIR=tmp_path, SCOPE_RUN_ID="56" * 16, PMI_RANK=rank, PMI_SIZE=2))
    recover(install, "--remove", tmp_path)
    for rank in (0, 1):
        assert counts(install, tmp_path / f"open-sessions.rank{rank}.h5") == {"step": 11}
        assert counts(install, tmp_path / f"closed.rank{rank}.h5") == {"step": 3}
    assert counts(install, tmp_path / "profiling_data.h5") == {"step": 14}
    assert spools(tmp_path) == []


def test_the_letters_of_the_name_are_those_of_the_run(install, listed, tmp_path):
    kill_one(listed, tmp_path, SCOPE_OUTPUT="%x-%j-%4r-%n.h5", SLURM_JOB_ID="12")
    recover(install, tmp_path, SLURM_JOB_ID="99")
    assert (tmp_path / "listed-12-0000-1.h5").exists()


def test_a_spool_is_never_the_output(install, tmp_path):
    spool = tmp_path / "kept.spool"
    spool.write_bytes(b"anything")
    result = run([install.scope, "recover", spool, "-o", spool], check=False)
    assert result.returncode == 2 and "cannot be the output too" in result.stderr
    assert spool.read_bytes() == b"anything"
