"""Small programs and files that the tests of the command line use.

SPDX-License-Identifier: MIT
"""
import json

import h5py
import numpy as np

REGIONS = r"""
#include <scope/scope.h>
#include <stdlib.h>
#include <time.h>
static void pause_ms(long ms) { struct timespec t = {0, ms * 1000000}; nanosleep(&t, NULL); }
int main(int argc, char **argv)
{
    scope_init(NULL);
    for (int i = 0; i < 3; i++) {
        SCOPE_REGION("outer");
        for (int k = 0; k < 5; k++) {
            SCOPE_REGION("inner");
            pause_ms(1);
        }
    }
    scope_region_begin_name("odd \n name \xc3\xa4 \xff");
    scope_region_end_name("odd \n name \xc3\xa4 \xff");
    scope_finalize();
    return argc > 1 ? atoi(argv[1]) : 0;
}
"""

PLAIN = r"""
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    printf("hello %s\n", argc > 2 ? argv[2] : "");
    fflush(stdout);
    if (argc > 1 && atoi(argv[1]) < 0)
        raise(-atoi(argv[1]));
    return argc > 1 ? atoi(argv[1]) : 0;
}
"""

# Keeps its own list of ended calls in a mapped file: what a recovery must hold.
LISTED = r"""
#include <scope/scope.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    (void)argc;
    const int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, 4096))
        return 1;
    volatile uint64_t *ended = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    scope_region regions[4];
    scope_init(NULL);
    for (int i = 0; i < 4; i++) {
        char name[8] = {'r', (char)('0' + i), 0};
        scope_region_register(name, &regions[i]);
    }
    for (uint64_t i = 0;; i++) {
        scope_region_begin(regions[i % 4]);
        scope_region_end(regions[i % 4]);
        ended[i % 4]++;
    }
}
"""

# Three sessions: an explicit one that is closed and written, the process's and a second
# explicit one that both still record when the program kills itself.
SESSIONS = r"""
#include <scope/scope.h>
#include <signal.h>
#include <stdlib.h>
static void some(scope_session *session, scope_region region, int count)
{
    for (int i = 0; i < count; i++) {
        scope_session_begin(session, region);
        scope_session_end(session, region);
    }
}
int main(int argc, char **argv)
{
    scope_options options = SCOPE_OPTIONS_INIT;
    scope_session *closed, *open;
    scope_region region;
    scope_region_register("step", &region);
    options.output = "closed.h5";
    if (scope_session_create(&options, &closed))
        return 1;
    options.output = "open-%x.h5";
    if (argc > 1 && scope_session_create(&options, &open))
        return 1;
    scope_init(NULL);
    some(closed, region, 3);
    for (int i = 0; i < 7; i++) {
        scope_region_begin(region);
        scope_region_end(region);
    }
    if (argc > 1)
        some(open, region, 11);
    scope_session_close(closed);
    raise(argc > 1 ? atoi(argv[1]) : SIGKILL);
    return 0;
}
"""

# Three more threads, none with a name of its own, one after the other; ends by _exit.
THREADS = r"""
#include <scope/scope.h>
#include <pthread.h>
#include <unistd.h>
static void *work(void *unused)
{
    SCOPE_REGION("work");
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t threads[3];
    (void)argv;
    scope_init(NULL);
    work(NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    if (argc > 1)
        _exit(3);
    return 0;
}
"""


def build(install, folder, name, source, **kwargs):
    """Compile one of the programs above."""
    path = folder / f"{name}.c"
    path.write_text(source)
    return install.compile(path, folder / name, **kwargs)


def write_profile(path, ranks=2, names=("solve", "other"), calls=4, seed=1, first_rank=0,
                  size=None, label=None):
    """A schema 3 file as another writer makes it: disjoint calls, columns only."""
    random = np.random.default_rng(seed)
    pairs, deltas, durations = [], [], []
    at = 1_000_000_000
    for rank in range(first_rank, first_rank + ranks):
        for region in range(len(names)):
            starts = []
            for _ in range(calls + region):
                at += int(random.integers(1000, 2000))
                duration = int(random.integers(10, 900))
                starts.append(at)
                durations.append(duration)
                at += duration
            deltas += [starts[0]] + list(np.diff(starts))
            pairs.append((region, rank, len(durations) - len(starts), len(starts)))
    text = h5py.string_dtype()
    with h5py.File(path, "w") as file:
        file.attrs["scope_profiler_schema"] = np.int64(3)
        file.attrs["storage_layout"] = "columnar"
        metadata = file.create_group("metadata")
        metadata.attrs["mpi_size"] = np.int64(size or first_rank + ranks)
        if label:
            metadata.attrs["label"] = label
        file.create_dataset("region_table/names", data=np.array(names, dtype=object), dtype=text)
        index = file.create_group("rank_region_index")
        columns = list(zip(*pairs))
        index["region_ids"] = np.array(columns[0], np.uint32)
        index["ranks"] = np.array(columns[1], np.uint32)
        index["event_offsets"] = np.array(columns[2], np.uint64)
        index["event_counts"] = np.array(columns[3], np.uint64)
        index["source_lines"] = np.full(len(pairs), -1, np.int64)
        for name, value in (("source_files", ""), ("source_texts", ""), ("tags", "[]")):
            index.create_dataset(name, data=np.array([value] * len(pairs), dtype=object), dtype=text)
        file["events/start_deltas"] = np.array(deltas, np.int64)
        file["events/durations"] = np.array(durations, np.int64)
    return path


def read_rows(path):
    """(rank, name) -> durations in ns, straight from the columns."""
    with h5py.File(path) as file:
        names = [n.decode("utf-8", "surrogateescape") if isinstance(n, bytes) else n
                 for n in file["region_table/names"][()]]
        index = file["rank_region_index"]
        durations = file["events/durations"][()]
        rows = {}
        for region, rank, offset, count in zip(index["region_ids"][()], index["ranks"][()],
                                               index["event_offsets"][()],
                                               index["event_counts"][()]):
            rows[int(rank), names[region]] = durations[int(offset):int(offset) + int(count)]
    return rows


def inspect_json(install, run, path, *options):
    """`scope inspect --json` as Python objects."""
    return json.loads(run([install.scope, "inspect", "--json", *options, path]).stdout)
