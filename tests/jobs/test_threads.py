"""Thread lanes: counts, names, lifetimes, CPU time, memory.

SPDX-License-Identifier: MIT
"""
from collections import Counter

import pytest

from support.profile import Profile, ours


def test_64_threads_count_exactly(build, place):
    result = place.run([build("many_threads.c"), 64])
    assert result.stderr == ""
    profile = place.profile()
    assert profile.counts()["shared"] == 100 * 64 * 65 // 2
    by_name = {t["name"]: t for t in profile.threads}
    for i in range(64):
        rows = profile.select(f"of thread {i}")
        assert len(rows) == 100 * (i + 1)
        assert set(profile.thread[rows].tolist()) == {by_name[f"worker-{i}"]["index"]}
    assert len(profile.threads) == 65


def test_64_threads_with_a_small_budget(build, place):
    """Folding while 64 threads record keeps every sum exact."""
    result = place.run([build("many_threads.c"), 64], SCOPE_MAX_BYTES="6M")
    profile = place.profile()
    assert profile.all_counts()["shared"] + profile.lost() // 2 >= 100 * 64 * 65 // 2
    if profile.lost() == 0:
        assert profile.all_counts()["shared"] == 100 * 64 * 65 // 2
    assert len(ours(result.stderr)) <= 1


@pytest.mark.parametrize("count", [20_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_short_threads_cost_what_lives_at_once_costs(build, place, count):
    result = place.run([build("short_threads.c"), count], timeout=300)
    said = {k: int(v) for k, v in (line.split() for line in result.stdout.splitlines())}
    assert ours(result.stderr) == []
    assert said["peak_kb"] < 60_000 + count // 2, "a fresh buffer per thread would be gigabytes"
    assert said["spool_bytes"] < (16 << 20) + 512 * count
    profile = place.profile()
    assert len(profile.threads) == count + 1
    assert profile.counts() == Counter(short=count)
    workers = [t for t in profile.threads if t["index"] != 0]
    assert sorted(t["index"] for t in profile.threads) == list(range(count + 1))
    for thread in workers:
        assert thread["end_ns"] >= thread["start_ns"] >= 0
        assert 0 <= thread["cpu_ns"] <= thread["end_ns"] - thread["start_ns"]
    assert set(profile.thread.tolist()) == {t["index"] for t in workers}, "one call in each"
    starts = {t["index"]: t for t in workers}
    for row in range(0, count, 997):
        thread = starts[int(profile.thread[row])]
        origin = profile.start_time_ns
        assert thread["start_ns"] <= profile.start[row] - origin
        assert profile.end[row] - origin <= thread["end_ns"]


def test_100_000_threads(build, place):
    """The same in short, at full size: rows, bounds, counts."""
    result = place.run([build("short_threads.c"), 100_000], timeout=300)
    said = {k: int(v) for k, v in (line.split() for line in result.stdout.splitlines())}
    assert said["peak_kb"] < 120_000 and said["spool_bytes"] < 64 << 20
    profile = Profile(place.output)
    assert len(profile.threads) == 100_001 and profile.counts() == Counter(short=100_000)
    assert all(0 <= t["cpu_ns"] <= t["end_ns"] - t["start_ns"] for t in profile.threads if t["index"])


def test_cpu_time_of_threads(build, place):
    result = place.run([build("busy_thread.c")])
    profile = place.profile()
    used = {line.split()[0]: (int(line.split()[1]), int(line.split()[2]))
            for line in result.stdout.splitlines()}
    rows = {t["name"]: t for t in profile.threads}
    for name, (cpu_ns, native_id) in used.items():
        row = rows[name]
        assert row["native_id"] == native_id
        assert row["cpu_ns"] >= cpu_ns, f"{name}: its own getrusage said more before its end"
        if name != "busy-alive":
            assert row["cpu_ns"] <= row["end_ns"] - row["start_ns"]
    assert rows["sleepy"]["cpu_ns"] < 40_000_000
    assert rows["busy-alive"]["end_ns"] == -1, "alive when the run ended"


def test_threads_that_end_after_their_keys_destructors(build, place, tmp_path):
    """Other pthread destructors run after ours and may record: nothing is lost."""
    source = tmp_path / "keys.c"
    source.write_text(r'''
#include <pthread.h>
#include <scope/scope.h>
static pthread_key_t keys[4];
static void late(void *value)
{
    SCOPE_REGION("in key destructor");
    const long left = (long)value;
    if (left > 1)
        for (int i = 0; i < 4; i++)
            pthread_setspecific(keys[i], (void *)(left - 1));
}
static void *worker(void *unused)
{
    for (int i = 0; i < 4; i++)
        pthread_setspecific(keys[i], (void *)3L);
    SCOPE_REGION("work");
    return unused;
}
int main(void)
{
    pthread_key_create(&keys[0], late);
    pthread_key_create(&keys[1], late);
    scope_init(NULL);
    pthread_key_create(&keys[2], late);
    pthread_key_create(&keys[3], late);
    for (int i = 0; i < 200; i++) {
        pthread_t id;
        pthread_create(&id, NULL, worker, NULL);
        pthread_join(id, NULL);
    }
    return scope_finalize();
}
''')
    program = place.install.compile(source, tmp_path / "keys", ["-pthread"])
    place.run([program])
    profile = place.profile()
    counts = profile.counts()
    assert counts["work"] == 200
    assert len(profile.threads) == 201, "a late event makes no second lane"
    assert counts["in key destructor"] >= 200 * 4


def test_k15_preloaded_into_a_thread_program_that_knows_nothing(build, place, install):
    program = build("tiny_threads.c", libs=())
    bare = place.run([program])
    profiled = place.run([install.scope, "run", program])
    assert profiled.stdout == bare.stdout and profiled.returncode == 0
    under_asan = build("tiny_threads.c", ["-fsanitize=address"], libs=())
    result = place.run([install.scope, "run", under_asan], ASAN_OPTIONS="detect_leaks=0")
    assert result.stdout == bare.stdout


def test_k15_a_static_program_is_refused_in_a_sentence(build, place, install):
    program = build("tiny_threads.c", ["-static-pie"], libs=())
    result = place.run([install.scope, "run", program], check=False)
    assert result.returncode == 125 and "static" in result.stderr and "-lscope" in result.stderr
    assert result.stdout == "", "refused before it began, with what to do instead"


def test_threads_of_a_preloaded_program_are_lanes(build, place, install, tmp_path):
    """Linked programs' threads get exact starts; events decide whether a file is written."""
    source = tmp_path / "one.c"
    source.write_text(r'''
#include <scope/scope.h>
#include <threads.h>
static int worker(void *unused) { (void)unused; SCOPE_REGION("worker"); return 0; }
int main(void)
{
    scope_init(NULL);
    for (int i = 0; i < 3; i++) {
        thrd_t id;
        if (thrd_create(&id, worker, NULL) != thrd_success)
            return 2;
        thrd_join(id, NULL);
    }
    return scope_finalize();
}
''')
    place.run([place.install.compile(source, tmp_path / "one", ["-pthread"])])
    profile = place.profile()
    assert len(profile.threads) == 4
    flags = profile.scope["lanes/flags"].tolist()
    assert sum(1 for f in flags if f & 2) == 1, "one main thread"
    assert sum(1 for f in flags if f & 1) >= 3, "C11 threads are seen starting"


@pytest.mark.mpi
def test_threads_that_go_on_during_mpi_finalize(mpi, build, place):
    program = build("finalize_threads.c", ["-pthread"], mpi=mpi)
    result = place.mpirun(mpi, 2, [program])
    assert len(ours(result.stderr)) <= 1, "at most that calls were open"
    profile = Profile(place.output)
    lines = [tuple(map(int, line.split())) for line in result.stdout.splitlines()]
    assert len(lines) == 4
    for rank, thread, low, high in lines:
        count = profile.all_counts(rank)[f"thread {thread}"]
        assert low <= count <= high, f"rank {rank} thread {thread}: {low} <= {count} <= {high}"


def test_a_program_built_for_thread_sanitizer(build, place):
    """Its own checks go on, and the writer is opened in the way that it allows."""
    program = build("many_threads.c", ["-fsanitize=thread"])
    result = place.run(["setarch", "-R", program, 8])
    assert result.stderr == ""
    profile = place.profile()
    assert profile.counts()["shared"] == 100 * 8 * 9 // 2 and len(profile.threads) >= 9
