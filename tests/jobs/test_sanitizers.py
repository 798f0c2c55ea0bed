"""The job programs once more, with every part of the runtime under the sanitizers.

`./run test` installs such builds beside its own, in build/address/install and build/thread/install;
SCOPE_TEST_SANITIZED names another folder with `address` and `thread` in it. A leak is an error too.
Only MPI libraries and libhdf5 have suppressions: what they leak is theirs.

SPDX-License-Identifier: MIT
"""
import os
from pathlib import Path

import pytest

from support.jobs import FAMILIES, Install, Mpi
from support.profile import Profile

HERE = Path(__file__).resolve().parent
SUPPORT = HERE.parent / "support"
FLAGS = {"address": "-fsanitize=address,undefined", "thread": "-fsanitize=thread"}

PROGRAMS = [
    "many_threads.c 16", "short_threads.c 300", "storm.c 0.3 3", "soak.c 60 4", "names.c", "many_regions.c 3000",
    "fork.c fork", "fork.c nested", "fork.c _exit", "fork.c silent", "fork.c thread", "fork.c vfork",
    "fork.c spawn", "fork.c exec", "sessions.c pause", "sessions.c flush", "sessions.c explicit one.h5 two.h5",
    "sessions.c again one.h5 two.h5", "life.c finalize", "life.c exit", "times.c", "after_end.c 100",
    "exits.c return 3", "exits.c exit 3", "exits.c _exit 3", "exits.c quick_exit 3",
]


class Sanitized:
    def __init__(self, name, folder):
        self.name, self.install = name, Install(folder)
        self.flags = ["-pthread", FLAGS[name], "-fno-omit-frame-pointer"]

    def environment(self, place, **extra):
        common = f"log_path={place.folder}/report:exitcode=0"  # the report tells, not the exit code
        return {
            "ASAN_OPTIONS": f"{common}:detect_leaks=1:detect_stack_use_after_return=0",
            "LSAN_OPTIONS": f"{common}:suppressions={SUPPORT / 'leaks.supp'}:print_suppressions=0",
            "UBSAN_OPTIONS": f"{common}:print_stacktrace=1",
            "TSAN_OPTIONS": f"{common}:die_after_fork=0:atexit_sleep_ms=0",
            "FLUSHED": place.output, **extra}

    def run(self, place, command, leaks=True):
        words = ["setarch", "-R", *command] if self.name == "thread" else command
        environment = self.environment(place)
        if not leaks:
            environment["ASAN_OPTIONS"] += ":detect_leaks=0"
        return place.run(words, timeout=300, check=False, **environment)

    @staticmethod
    def clean(place, result, codes=(0,)):
        reports = [path.read_text(errors="replace") for path in sorted(place.folder.glob("report.*"))]
        # A child of a process with threads: what only they pointed at is no leak.
        reports = "\n".join(r for r in reports if "False leaks are possible" not in r or "ERROR: AddressSanitizer" in r)
        assert not reports, reports[:6000]
        assert result.returncode in codes, (result.returncode, result.stdout[-1000:], result.stderr[-3000:])


@pytest.fixture(scope="session", params=FLAGS)
def sanitized(request, install):
    root = Path(os.environ.get("SCOPE_TEST_SANITIZED") or install.prefix.parent)
    folder = root / request.param / "install"
    if not (folder / "lib" / "libscope.so").exists():
        pytest.skip(f"no build under the {request.param} sanitizer in {folder}: ./run test makes one")
    return Sanitized(request.param, folder)


@pytest.fixture(scope="session")
def programs(sanitized, tmp_path_factory):
    folder, built = tmp_path_factory.mktemp(sanitized.name), {}

    def make(source):
        if source not in built:
            built[source] = sanitized.install.compile(HERE / source, folder / Path(source).stem, sanitized.flags)
        return built[source]

    return make


@pytest.mark.parametrize("command", PROGRAMS)
def test_a_job_is_clean(sanitized, programs, place, command):
    source, *words = command.split()
    # Only the children of a process with threads end there, seconds each, and their leaks are false.
    result = sanitized.run(place, [programs(source), *words], leaks=command != "fork.c thread")
    sanitized.clean(place, result, {"exits.c": (0, 7)}.get(source, (0,)))


def test_what_is_wrong_is_reported(sanitized, place, tmp_path):
    """Else the tests above would say nothing."""
    source = tmp_path / "wrong.c"
    source.write_text(r'''
#include <pthread.h>
#include <scope/scope.h>
#include <stdlib.h>
static char *volatile lost;
static int shared;
static void *worker(void *unused) { shared++; return unused; }
int main(void)
{
    pthread_t id[2];
    scope_init(NULL);
    SCOPE_REGION("main");
    lost = malloc(100);
    lost = NULL;
    for (int i = 0; i < 2; i++)
        pthread_create(&id[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(id[i], NULL);
    return 0;
}
''')
    program = sanitized.install.compile(source, tmp_path / "wrong", sanitized.flags)
    result = sanitized.run(place, [program])
    with pytest.raises(AssertionError, match="LeakSanitizer|data race"):
        sanitized.clean(place, result)


@pytest.mark.mpi
@pytest.mark.parametrize("family", FAMILIES)
def test_an_mpi_job_has_no_error_and_no_leak(sanitized, tmp_path_factory, place, family):
    """The wrappers, the gather and the writer; the libraries' own leaks are theirs."""
    if sanitized.name == "thread":
        pytest.skip("the MPI libraries are not built for it: their locks and their crashes are all that it tells")
    mpi = Mpi(family, sanitized.install)
    if not mpi.available():
        pytest.skip(f"{family}: no mpicc.{mpi.suffix}")
    if not mpi.library.exists():
        pytest.skip(f"no {mpi.library.name} in the build under the {sanitized.name} sanitizer")
    program = mpi.compile(HERE / "ranks.c", tmp_path_factory.mktemp("mpi") / "program", sanitized.flags)
    environment = sanitized.environment(place)
    environment["ASAN_OPTIONS"] += ":fast_unwind_on_malloc=0"  # whose leak it is takes whole stacks
    result = place.mpirun(mpi, 2, [program], timeout=300, check=False, **environment)
    sanitized.clean(place, result)
    assert Profile(place.output).mpi_size == 2
