"""`scope recover` on the spool of a killed host that had written a file before.

SPDX-License-Identifier: MIT
"""
from pathlib import Path

import h5py
import pytest

from support.jobs import run

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def host_spool(tmp_path_factory):
    program = tmp_path_factory.mktemp("host") / "host_spool"
    run(["cc", "-O1", "-std=c11", "-D_GNU_SOURCE", f"-I{ROOT}/runtime/include",
         f"-I{ROOT}/tests/support", ROOT / "tests/tools/host_spool.c",
         ROOT / "tests/support/recording_writer.c", "-o", program], timeout=300)
    return program


def recover(install, *words, check=True):
    return run([install.prefix / "bin" / "scope", "recover", *words], check=check, timeout=300)


def test_only_what_came_after_the_last_file_is_made_again(install, host_spool, tmp_path):
    part, made = tmp_path / "part.h5", tmp_path / "rest.h5"
    part.touch()
    run([host_spool, tmp_path / "run.spool", part, "3"])
    said = recover(install, tmp_path / "run.spool", "-o", made)
    assert "3 calls" in said.stdout and f"after those that are in {part}" in said.stdout
    with h5py.File(made) as file:
        assert list(file["events/call_ids"]) == [5, 6, 7]


def test_nothing_after_the_last_file_is_nothing_to_do(install, host_spool, tmp_path):
    part, made = tmp_path / "part.h5", tmp_path / "rest.h5"
    part.touch()
    run([host_spool, tmp_path / "run.spool", part, "0"])
    said = recover(install, tmp_path / "run.spool", "-o", made)
    assert f"nothing to do: all of it is in {part}" in said.stdout
    assert not made.exists()


def test_a_file_that_is_gone_is_not_believed(install, host_spool, tmp_path):
    made = tmp_path / "rest.h5"
    run([host_spool, tmp_path / "run.spool", tmp_path / "gone.h5", "0"])
    said = recover(install, tmp_path / "run.spool", "-o", made)
    assert "nothing to do" not in said.stdout
