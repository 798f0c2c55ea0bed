"""Everything at once for a while: counts stay exact and nothing grows.

20 s by default, ten minutes with --long. The clock only ends the loop: what is checked is
counted, and what the process holds is compared between its rounds.

SPDX-License-Identifier: MIT
"""
import fcntl
import os
import signal
import subprocess
import threading
from collections import Counter

import pytest

from support.profile import Profile, ours

NAMES_OF_FILES = 128  # bytes that a process keeps of each file it wrote: a later one takes no such name


class Soak:
    """soak.c while it runs: every file is compared with what the program says, then removed."""

    def __init__(self, folder, said):
        self.folder, self.samples, self.files, self.waiting = folder, [], 0, []
        for text in said:
            word, *rest = text.split()
            if word == "sample":
                self.samples.append(dict(zip(("round", "rss_kb", "descriptors", "maps", "threads", "spools"),
                                             map(int, rest))))
                for pid, counts in self.waiting:  # their parent has seen them end
                    (path,) = folder.glob(f"*.child-{pid}")
                    self.compare(path, counts)
                self.waiting = []
            else:
                counts = Counter({name: int(count) for name, count in (pair.split("=") for pair in rest[1:])})
                if word == "child":
                    self.waiting.append((rest[0], counts))
                else:
                    self.compare(folder / rest[0], counts)

    def compare(self, path, said):
        points = said.pop("marks", 0) + said.pop("counters", 0)
        profile = Profile(path)
        assert profile.all_counts() == said, path.name
        kept = sum(len(profile.scope.get(f"{kind}/names", ())) for kind in ("marks", "counters"))
        assert kept + profile.lost() == points, path.name
        path.unlink()
        self.files += 1


def hold(samples, key, slack):
    """What was held in the last third is no more than in the second, but for the slack."""
    third = len(samples) // 3
    values = [sample[key] for sample in samples]
    warm, last = values[third:2 * third], values[2 * third:]
    assert max(last) <= max(warm) + slack, f"{key} grew: {max(warm)} to {max(last)}, {values[::max(1, third // 8)]}"


@pytest.mark.parametrize("seconds", [20, pytest.param(600, marks=pytest.mark.long)])
def test_nothing_grows_and_every_count_is_exact(build, place, seconds):
    program = build("soak.c")
    environment = place.environment(SCOPE_MAX_BYTES="3M", SCOPE_MAX_LANES=64)
    process = subprocess.Popen([program, str(seconds)], cwd=place.folder, env=environment, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
    fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)  # it waits for what is compared here
    guard = threading.Timer(seconds * 4 + 120, os.killpg, [process.pid, signal.SIGKILL])
    errors = []
    reader = threading.Thread(target=lambda: errors.append(process.stderr.read()))
    guard.start(), reader.start()
    try:
        soak = Soak(place.folder, process.stdout)
    finally:
        if process.poll() is None and process.stdout.read():
            os.killpg(process.pid, signal.SIGKILL)  # a comparison failed
        process.wait()
        guard.cancel(), reader.join()
    assert process.returncode == 0, errors
    rounds = len(soak.samples)
    assert rounds >= 36 and rounds % 12 == 0 and soak.waiting == []
    assert soak.files == 2 * rounds // 12 + 1 + 5 * rounds, "recordings, lasting sessions, workers' and children's"
    assert place.files() == [] and place.spools() == []
    for line in errors[0].splitlines():
        assert line in ours(errors[0]) and "folded into sums" in line
    assert {sample["threads"] for sample in soak.samples} == {5}
    assert {sample["descriptors"] for sample in soak.samples[12:]} == {soak.samples[12]["descriptors"]}
    assert {sample["spools"] for sample in soak.samples} == {1}
    hold(soak.samples, "maps", 12)  # malloc and the threads' stacks come and go
    hold(soak.samples, "rss_kb", 1024 + soak.files * NAMES_OF_FILES // 1024)


def test_many_recordings_beside_living_threads_leave_no_memory_mapped(build, place, tmp_path):
    """A thread may still be inside a recording that closed; what is kept for it goes later."""
    source = tmp_path / "recordings.c"
    source.write_text(r'''
#include <pthread.h>
#include <scope/scope.h>
#include <stdio.h>
static pthread_barrier_t together;
static int over;
static void *worker(void *unused)
{
    for (;;) {
        pthread_barrier_wait(&together);
        if (over)
            return unused;
        for (int i = 0; i < 2000; i++) {
            SCOPE_REGION("work");
        }
        pthread_barrier_wait(&together);
    }
}
int main(void)
{
    pthread_t id[8];
    scope_options options = SCOPE_OPTIONS_INIT;
    options.no_output = 1;
    pthread_barrier_init(&together, NULL, 9);
    for (int i = 0; i < 8; i++)
        pthread_create(&id[i], NULL, worker, NULL);
    for (int run = 0; run < 300; run++) {
        if (scope_init(&options))
            return 1;
        pthread_barrier_wait(&together);
        pthread_barrier_wait(&together);
        if (scope_finalize())
            return 2;
        FILE *statm = fopen("/proc/self/statm", "r");
        long pages = 0;
        if (fscanf(statm, "%ld", &pages) != 1)
            return 3;
        fclose(statm);
        printf("%ld\n", pages);
    }
    over = 1;
    pthread_barrier_wait(&together);
    for (int i = 0; i < 8; i++)
        pthread_join(id[i], NULL);
    return 0;
}
''')
    program = place.install.compile(source, tmp_path / "recordings", ["-pthread"])
    pages = [int(line) for line in place.run([program]).stdout.split()]
    assert max(pages[200:]) <= max(pages[20:100]) + 1024, pages[::20]
    assert place.spools() == []
