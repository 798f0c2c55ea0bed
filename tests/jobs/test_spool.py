"""What a killed run leaves: all of it is read back, and damage is survived.

SPDX-License-Identifier: MIT
"""
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from support.jobs import environment, run
from support.profile import OPEN, Profile

ROOT = Path(__file__).resolve().parents[2]
CALLS = 20000


@pytest.mark.parametrize("how, code", [("_exit", 7), ("_Exit", 7), ("quick_exit", 7), ("abort", -6), ("kill", -9),
                                       ("segv", -11), ("term", -15)])
def test_k06_every_call_survives_a_sudden_end(build, place, how, code):
    result = place.run([build("exits.c"), how, 3], check=False)
    assert result.returncode == code
    assert result.stderr == "" and result.stdout == ""
    assert len(place.spools()) == 1
    profile = place.recover()
    assert profile.counts() == Counter({"work": 4 * CALLS, "inner": 4 * CALLS, "main loop": 4})
    assert set(profile.flags[profile.select("main loop")].tolist()) == {OPEN}
    assert len(profile.threads) == 4


@pytest.mark.parametrize("how, code", [("exit", 7), ("return", 0)])
def test_k06_an_orderly_end_writes_the_file_itself(build, place, how, code):
    result = place.run([build("exits.c"), how, 3], check=False)
    assert result.returncode == code and place.spools() == []
    assert place.profile().counts() == Counter({"work": 4 * CALLS, "inner": 4 * CALLS, "main loop": 4})


def test_recover_by_folder_list_and_run_id(build, place, install):
    for how in ("kill", "_exit"):
        place.run([build("exits.c"), how], check=False, SCOPE_RUN_ID=how.encode().hex().ljust(32, "0"))
    listed = place.run([install.scope, "recover", "--list", place.spool])
    assert len([line for line in listed.stdout.splitlines() if ".spool" in line or "exits" in line]) >= 2
    assert len(place.spools()) == 2, "listing changes nothing"
    one = place.recover(place.spools()[0], output="one.h5")
    assert one.counts()["work"] == CALLS


def test_recover_twice_and_spool_without_end(build, place):
    place.run([build("exits.c"), "kill"], check=False)
    spool = place.spools()[0]
    copy = place.folder / "copy.spool"
    shutil.copy(spool, copy)
    first = place.recover(copy, output="first.h5").counts()
    if not copy.exists():
        shutil.copy(spool, copy)
    assert place.recover(copy, output="second.h5").counts() == first


@pytest.fixture(scope="module")
def spool(build, tmp_path_factory):
    """The spool of a small killed run, with a clock that needs no calibration."""
    folder = tmp_path_factory.mktemp("spool")
    run([build("spool_writer.c"), 15], check=False, cwd=folder,
        env=environment(SCOPE_SPOOL_DIR=folder, SCOPE_CLOCK="monotonic", SCOPE_OUTPUT=folder / "x.h5"))
    return next(folder.rglob("*.spool"))


@pytest.fixture(scope="module")
def replayer(tmp_path_factory):
    """truncate.c with the sources of the replay, under the sanitizers."""
    folder = tmp_path_factory.mktemp("replayer")
    shared = [ROOT / "runtime/src" / name for name in ("lane.c", "decode.c", "proc.c")] # runtime and replay have them
    sources = [*sorted((ROOT / "analysis/src").glob("*.c")), *(path for path in shared if path.exists())]
    run(["gcc", "-std=gnu11", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
         "-D_GNU_SOURCE", f"-I{ROOT}/analysis/include", f"-I{ROOT}/analysis/src", f"-I{ROOT}/runtime/include",
         f"-I{ROOT}/runtime/src", ROOT / "tests/jobs/truncate.c", *sources, "-o", folder / "truncate", "-lm", "-lz"],
        timeout=300)
    return folder / "truncate"


def test_spool_cut_at_every_8th_byte_gives_prefixes(spool, replayer, tmp_path):
    """Every lane of the result is a prefix of what was recorded, and a longer file never has less."""
    result = run([replayer, spool, tmp_path / "cut", 8], timeout=300)
    said = {k: int(v) for k, v in (line.split() for line in result.stdout.splitlines())}
    assert said["calls"] > 300 and said["tried"] > 1000


def test_recover_takes_a_cut_spool(spool, install, tmp_path):
    """The tool itself, on cuts at random 8th bytes: a file, or a sentence that says why not."""
    original, source = spool.read_bytes().rstrip(b"\0"), random.Random(13)
    best = 0
    for length in [0, 8, 4096, 4104, len(original), *(source.randrange(len(original)) // 8 * 8 for _ in range(20))]:
        victim, output = tmp_path / "cut.spool", tmp_path / "out.h5"
        victim.write_bytes(original[:length])
        output.unlink(missing_ok=True)
        result = run([install.scope, "recover", victim, "-o", output], timeout=300, check=False,
                     env=environment(SCOPE_SPOOL_DIR=tmp_path))
        assert result.returncode in (0, 1), f"{length} bytes: rc {result.returncode} {result.stderr[-300:]}"
        assert output.exists() == (result.returncode == 0)
        if result.returncode:
            assert "cut.spool" in result.stderr
        else:
            best = max(best, Profile(output).check().counts().total())
    assert best > 300


def damaged(original, seed):
    """A copy with flipped bits, most of them where something lies."""
    source, data = random.Random(seed), bytearray(original)
    used = [i for i, byte in enumerate(original) if byte]
    for _ in range(source.choice([1, 2, 8, 64, 1000])):
        at = source.choice(used) if source.random() < 0.8 else source.randrange(len(data))
        if source.random() < 0.2:
            at = source.randrange(min(len(data), 4096 + 64 + 256))
        data[at] ^= 1 << source.randrange(8)
    return data


def test_flipped_bits_never_crash_recover(spool, install, request, tmp_path):
    original = spool.read_bytes()
    good = 0
    for seed in range(1000 if request.config.getoption("--long") else 60):
        victim = tmp_path / "flipped.spool"
        victim.write_bytes(damaged(original, seed))
        output = tmp_path / "out.h5"
        output.unlink(missing_ok=True)
        result = run([install.scope, "recover", victim, "-o", output], timeout=300, check=False,
                     env=environment(SCOPE_SPOOL_DIR=tmp_path))
        assert result.returncode in (0, 1), f"seed {seed}: rc {result.returncode} {result.stderr[-300:]}"
        if result.returncode:
            assert result.stderr.strip(), f"seed {seed}: failed without a word"
        else:
            good += 1
            Profile(output)
    assert good > 0, "damage in one place does not lose the rest"


def test_flipped_bits_under_sanitizers(spool, replayer, request, tmp_path):
    original = spool.read_bytes()
    for seed in range(2000 if request.config.getoption("--long") else 150):
        victim = tmp_path / "flipped.spool"
        victim.write_bytes(damaged(original, seed))
        result = run([replayer, victim, tmp_path / "cut", 1 << 30], timeout=300, check=False)
        assert result.returncode in (0, 3, 5), f"seed {seed}: rc {result.returncode} {result.stderr[-2000:]}"


@pytest.mark.parametrize("content", [b"", b"x", b"\0" * 4096, b"SOPEREC1", bytes(range(256)) * 64])
def test_what_is_no_spool_is_refused_in_a_sentence(install, tmp_path, content):
    victim = tmp_path / "no.spool"
    victim.write_bytes(content)
    result = run([install.scope, "recover", victim, "-o", tmp_path / "out.h5"], check=False)
    assert result.returncode != 0 and result.returncode > 0
    assert "no.spool" in result.stderr
    assert not (tmp_path / "out.h5").exists()
