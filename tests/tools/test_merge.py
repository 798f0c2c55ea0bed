"""scope merge: files of single ranks become one.

SPDX-License-Identifier: MIT
"""
import os
from pathlib import Path
from random import Random

import numpy as np
import pytest

from support.jobs import environment, read_075, run
from tools.programs import REGIONS, build, inspect_json, read_rows, write_profile


def merge(install, *words, check=True, cwd=None):
    return run([install.scope, "merge", *words], check=check, cwd=cwd)


def parts(folder, count=3):
    return [write_profile(folder / f"out.rank{r}.h5", ranks=1, first_rank=r, size=count, seed=r,
                          names=("solve", "other") if r != 1 else ("only on 1", "solve"))
            for r in range(count)]


def test_all_rows_of_all_ranks_are_there(install, tmp_path):
    files = parts(tmp_path)
    merge(install, *files, "-o", tmp_path / "all.h5")
    expected = {}
    for file in files:
        expected.update(read_rows(file))
    merged = read_rows(tmp_path / "all.h5")
    assert merged.keys() == expected.keys()
    for key, durations in expected.items():
        assert np.array_equal(merged[key], durations)
    assert inspect_json(install, run, tmp_path / "all.h5")["num_ranks"] == 3


def test_0_7_5_reads_the_result(install, tmp_path):
    merge(install, *parts(tmp_path), "-o", tmp_path / "all.h5")
    done = read_075(f"import scope_profiler as sp\n"
                    f"print(sorted(r['num_ranks'] for r in sp.read_h5({str(tmp_path / 'all.h5')!r}).summary()))")
    if done is None:
        pytest.skip("scope-profiler 0.7.5 is not here")
    assert done.stdout.strip() == "[1, 2, 3]"


def test_equal_ranks_are_refused_or_renumbered(install, tmp_path):
    first = write_profile(tmp_path / "a.h5", ranks=2)
    second = write_profile(tmp_path / "b.h5", ranks=2, seed=2)
    done = merge(install, first, second, "-o", tmp_path / "all.h5", check=False)
    assert done.returncode == 1
    assert "rank 0" in done.stderr and "a.h5" in done.stderr and "--renumber" in done.stderr
    assert not (tmp_path / "all.h5").exists()
    merge(install, "--renumber", first, second, "-o", tmp_path / "all.h5")
    merged = read_rows(tmp_path / "all.h5")
    assert {rank for rank, _ in merged} == {0, 1, 2, 3}
    assert np.array_equal(merged[2, "solve"], read_rows(second)[0, "solve"])


def test_the_output_may_be_an_input_and_an_old_file_survives_a_failure(install, tmp_path):
    files = parts(tmp_path)
    merge(install, *files[:2], "-o", files[0])
    assert {rank for rank, _ in read_rows(files[0])} == {0, 1}
    before = files[0].read_bytes()
    done = merge(install, files[0], files[1], "-o", files[0], check=False)
    assert done.returncode == 1 and files[0].read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(f.name for f in files)


def test_compressed(install, tmp_path):
    files = [write_profile(tmp_path / f"{r}.h5", ranks=1, first_rank=r, calls=5000, seed=r) for r in range(2)]
    merge(install, *files, "-o", tmp_path / "plain.h5")
    merge(install, "--compress", *files, "-o", tmp_path / "small.h5")
    assert (tmp_path / "small.h5").stat().st_size < (tmp_path / "plain.h5").stat().st_size
    for key, durations in read_rows(tmp_path / "plain.h5").items():
        assert np.array_equal(read_rows(tmp_path / "small.h5")[key], durations)


def test_files_of_the_runtime_keep_their_timeline(install, tmp_path):
    program = build(install, tmp_path, "regions", REGIONS)
    for rank in range(2):
        run([program], cwd=tmp_path, env=environment(SCOPE_OUTPUT=f"r{rank}.h5", PMI_RANK=rank, PMI_SIZE=2,
                                                         SCOPE_RUN_ID=f"{rank + 1}" + 31 * "0"))
    files = sorted(p for p in tmp_path.glob("r*.h5"))
    assert len(files) == 2
    done = merge(install, *files, "-o", "all.h5", cwd=tmp_path)
    assert "are of different runs (100000000000, 200000000000)" in done.stderr
    assert not merge(install, *files, "-q", "-o", "all.h5", cwd=tmp_path).stderr
    shown = inspect_json(install, run, tmp_path / "all.h5")
    assert [len(r["regions"]) for r in shown["ranks"]] == [3, 3]
    assert shown["duration"] > 0.03  # one after the other, so longer than each


def test_what_cannot_be_merged(install, tmp_path):
    good = write_profile(tmp_path / "a.h5")
    for words, text in (((good, tmp_path / "none.h5"), "No such file"), ((good, tmp_path), "directory")):
        done = merge(install, *words, "-o", tmp_path / "all.h5", check=False)
        assert done.returncode == 1 and text in done.stderr and not (tmp_path / "all.h5").exists()
    done = merge(install, good, "-o", tmp_path / "no" / "all.h5", check=False)
    assert done.returncode == 1 and "no" in done.stderr and len(done.stderr.splitlines()) == 1


def scopes(install):
    """The command under test, and the one built with the address sanitizer where there is one."""
    root = Path(os.environ.get("SCOPE_TEST_SANITIZED") or install.prefix.parent)
    return [tool for tool in (install.scope, root / "address/install/bin/scope") if tool.exists()]


def damaged(whole, random):
    """Bytes of a file as a crash, a full disk or a bad memory leaves them."""
    yield "empty", b""
    yield "zeros", bytes(len(whole))
    yield "noise", random.randbytes(len(whole))
    for _ in range(12):
        at = random.randrange(len(whole))
        yield f"cut at {at}", whole[:at]
        yield f"a hole at {at}", whole[:at] + bytes(min(512, len(whole) - at)) + whole[at + 512:]
    for bits in (1, 8, 64):
        for _ in range(8):
            broken = bytearray(whole)
            for _ in range(bits):
                broken[random.randrange(len(whole))] ^= 1 << random.randrange(8)
            yield f"{bits} bits", bytes(broken)


@pytest.mark.parametrize("format", ["h5", "json"])
def test_k31_damaged_files_of_ranks(install, tmp_path, format):
    """Joined with a good one: refused in a line that names it, or its calls are there; never a crash."""
    program = build(install, tmp_path, "regions", REGIONS)
    for rank in range(2):
        run([program], cwd=tmp_path, env=environment(SCOPE_OUTPUT=f"r{rank}.h5", PMI_RANK=rank, PMI_SIZE=2,
                                                         SCOPE_RUN_ID=f"{rank + 1}" + 31 * "0"))
    good, bad = tmp_path / "good.h5", tmp_path / f"bad.{format}"
    rank_0, rank_1 = sorted(tmp_path.glob("r?.*h5"))
    rank_0.rename(good)
    if format == "json":
        run([install.scope, "export", "json", rank_1, "-o", bad])
    else:
        rank_1.rename(bad)
    whole, output, random = bad.read_bytes(), tmp_path / "all.h5", Random(31)
    log = tmp_path / "report"
    env = environment(ASAN_OPTIONS=f"log_path={log}:exitcode=99", UBSAN_OPTIONS=f"log_path={log}:exitcode=99")
    refused = 0
    for what, content in damaged(whole, random):
        bad.write_bytes(content)
        for scope in scopes(install):
            output.unlink(missing_ok=True)
            done = run([scope, "merge", good, bad, "-o", output], check=False, env=env, timeout=300)
            assert done.returncode in (0, 1) and not list(tmp_path.glob("report*")), (what, done.stderr)
            if done.returncode:
                refused += 1
                assert len(done.stderr.splitlines()) == 1 and bad.name in done.stderr, (what, done.stderr)
                assert not output.exists()
            else:
                run([install.scope, "inspect", output])
    assert refused > 10
