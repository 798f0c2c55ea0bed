"""Job programs under valgrind's memcheck: no error, nothing lost that is ours.

SPDX-License-Identifier: MIT
"""
import shutil
from pathlib import Path

import pytest

from support.profile import Profile

SUPPRESSIONS = Path(__file__).resolve().parents[1] / "support" / "valgrind.supp"
LONG = [pytest.param(command, marks=pytest.mark.long) for command in (
    "sessions.c pause", "fork.c nested", "fork.c thread", "fork.c vfork", "fork.c exec", "sessions.c explicit one.h5 two.h5",
    "sessions.c again one.h5 two.h5", "short_threads.c 100", "life.c finalize", "soak.c 1000 2", "after_end.c 20")]


@pytest.mark.parametrize("command", ["many_threads.c 4", "fork.c fork", *LONG])
def test_memcheck_has_nothing_to_say(build, place, command):
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind")
    source, *words = command.split()
    result = place.run(
        ["valgrind", "--quiet", "--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite",
         "--trace-children=yes", "--trace-children-skip=*/sh,*/true", "--fair-sched=yes", "--num-callers=30",
         f"--suppressions={SUPPRESSIONS}", f"--log-file={place.folder}/report.%p", build(source), *words],
        timeout=900, HWLOC_COMPONENTS="-x86", FLUSHED=place.output, SCOPE_MAX_BYTES="4M")
    reports = "".join(path.read_text(errors="replace") for path in sorted(place.folder.glob("report.*")))
    assert reports == "" and result.returncode == 0, reports[:6000]
    if source not in ("sessions.c", "soak.c"):
        profile = Profile(place.output).check()
        assert profile.duration.max() > 0, "the clock goes on there"
