"""`scope recover` says of each rank how it ended, what was open and what could not be read.

SPDX-License-Identifier: MIT
"""
import re
import signal
import struct
import subprocess

import h5py
import pytest

from support.jobs import environment, run
from tools.programs import build, inspect_json

NESTED = r"""
#include <scope/scope.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    scope_init(NULL);
    for (int i = 0; i < 100; i++) {
        SCOPE_REGION("done");
    }
    scope_region_begin_name("outer");
    scope_region_begin_name("in the middle");
    scope_region_begin_name("outer");
    if (argc > 1 && !strcmp(argv[1], "_exit"))
        _exit(9);
    if (argc > 1 && !strcmp(argv[1], "wait")) {
        if (write(1, "x", 1) < 0)
            return 2;
        pause();
    }
    return raise(SIGKILL);
}
"""
KILLED, RUNNING = 6, 7  # scope_end_kind of files


@pytest.fixture(scope="module")
def nested(install, tmp_path_factory):
    return build(install, tmp_path_factory.mktemp("nested"), "nested", NESTED)


def leave(program, folder, *words, **extra):
    """Run it to its end; the spool it left."""
    before = set(folder.rglob("*.spool"))
    run([program, *words], check=False, cwd=folder, env=environment(SCOPE_SPOOL_DIR=folder, **extra))
    spool, = set(folder.rglob("*.spool")) - before
    return spool


def recover(install, *words, check=True, cwd=None):
    return run([install.scope, "recover", *words], check=check, cwd=cwd, env=environment())


def ranks(path):
    with h5py.File(path) as file:
        columns = {name: file[f"scope/ranks/{name}"][()].tolist()
                   for name in ("end_kinds", "end_values", "last_event_ns", "holes")}
        return [dict(zip(columns, row)) for row in zip(*columns.values())], file["metadata"].attrs["recovery"]


@pytest.mark.parametrize("how, end, kind, value", [("kill", "killed", KILLED, 0), ("_exit", r"_exit\(9\)", 2, 9)])
def test_end_last_event_and_open_regions(install, nested, tmp_path, how, end, kind, value):
    spool = leave(nested, tmp_path, how)
    said = recover(install, spool, "-o", tmp_path / "x.h5").stdout
    assert re.search(rf"^rank -?\d+: {end}, 103 calls \(", said, re.M), said
    assert re.search(r"^ +last event \d+\.\d{6} s after its start; open: outer \(2 calls\) > in the middle$", said,
                     re.M)
    (row,), recovery = ranks(tmp_path / "x.h5")
    assert (row["end_kinds"], row["end_values"], row["holes"]) == (kind, value, 0) and row["last_event_ns"] > 0
    assert "in the middle" in recovery
    with h5py.File(tmp_path / "x.h5") as file:
        names = [n.decode() for n in file["region_table/names"][()]]
        assert sorted(names[i] for i in file["scope/open_calls/region_ids"][()]) == ["in the middle", "outer", "outer"]
    shown = inspect_json(install, run, tmp_path / "x.h5")
    assert re.fullmatch(end, shown["ranks"][0]["end"]) and shown["ranks"][0]["last_event_time"] > 0
    assert shown["warnings"]["open_calls"] == 3 and shown["warnings"]["holes"] == 0
    assert shown["warnings"]["unfinished_ranks"] == (how == "kill")


def test_a_program_that_still_runs_is_not_called_killed(install, nested, tmp_path):
    with subprocess.Popen([nested, "wait"], cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path),
                          stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout.read(1) == b"x"
            assert ": running, 103 calls" in recover(install, tmp_path, "-o", tmp_path / "x.h5").stdout
        finally:
            process.send_signal(signal.SIGKILL)
    (row,), _ = ranks(tmp_path / "x.h5")
    assert row["end_kinds"] == RUNNING
    assert inspect_json(install, run, tmp_path / "x.h5")["ranks"][0]["end"] == "running"
    assert ": killed, 103 calls" in recover(install, tmp_path, "-o", tmp_path / "y.h5").stdout


def test_an_event_that_was_being_written_is_counted_and_costs_no_other(install, nested, tmp_path):
    """Behind the last event: a head that is not there yet, and one payload word of it."""
    spool = leave(nested, tmp_path)
    data = bytearray(spool.read_bytes())
    unit, magic, used = 16384, 0x4348554E4B303130, None
    for chunk in range(4096 + unit, len(data), unit):
        if struct.unpack_from("<Q", data, chunk)[0] == magic and struct.unpack_from("<H", data, chunk + 12)[0] == 1:
            words = struct.unpack_from(f"<{(unit - 64) // 8}Q", data, chunk + 64)
            used = chunk + 64 + 8 * max(i + 1 for i, word in enumerate(words) if word)
            break
    struct.pack_into("<QQ", data, used, 0, 7 << 4 | 15)
    torn = tmp_path / "torn.spool"
    torn.write_bytes(data)
    said = recover(install, torn, "-o", tmp_path / "x.h5").stdout
    assert "103 calls" in said and "1 event could not be read" in said
    (row,), recovery = ranks(tmp_path / "x.h5")
    assert row["holes"] == 1 and "1 event could not be read" in recovery
    assert inspect_json(install, run, tmp_path / "x.h5")["warnings"]["holes"] == 1
    assert "1 event could not be read" in run([install.scope, "inspect", tmp_path / "x.h5"]).stdout


def test_recordings_of_one_host(install, nested, tmp_path):
    """Spools of two nodes in one folder: --host takes those of one."""
    here = leave(nested, tmp_path, SCOPE_RUN_ID="ab" * 16, PMI_RANK=0, PMI_SIZE=2)
    there = leave(nested, tmp_path, SCOPE_RUN_ID="ab" * 16, PMI_RANK=1, PMI_SIZE=2)
    data = bytearray(there.read_bytes())
    at = data.index(open("/proc/sys/kernel/random/boot_id", "rb").read().strip()) + 40
    data[at:at + 72] = b"node7.cluster".ljust(72, b"\0")
    there.write_bytes(data)
    listed = recover(install, "--list", tmp_path).stdout
    assert "node7.cluster" in listed and here.name in listed
    for words in (["--host=node7"], ["--host", "NODE7.cluster"]):
        listed = recover(install, "--list", *words, tmp_path).stdout
        assert "node7.cluster" in listed and here.name not in listed
    said = recover(install, "--host=node7", tmp_path, "-o", tmp_path / "x.h5").stdout
    assert "rank 1: killed" in said and "rank 0: left nothing here" in said
    (tmp_path / "meet").mkdir()
    assert "1 recording copied" in recover(install, "--host=node7", "--collect", tmp_path / "meet", tmp_path).stdout
    missing = recover(install, "--host=node", tmp_path, "-o", tmp_path / "y.h5", check=False)
    assert missing.returncode == 1 and "host node" in missing.stderr
    said = recover(install, tmp_path, "-o", tmp_path / "both.h5").stdout
    assert "2 of 2 ranks" in said and "node7.cluster" in said
