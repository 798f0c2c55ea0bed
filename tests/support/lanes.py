"""Runs with lanes, and what must hold in each of them.

SPDX-License-Identifier: MIT
"""
import os
import subprocess
import sys
import textwrap
from contextlib import contextmanager

from scope_profiler import ProfileManager, build_call_arrays


class Run:
    """`results` once the block is over."""

    results = None

    def calls(self, name):
        """The calls of a region in rank 0: (thread, task, duration_ns, await_ns) each."""
        region = self.results[name][0]
        tasks = region.task_ids
        tasks = [-1] * region.num_calls if tasks is None else tasks.tolist()
        waits = region.await_times_ns
        waits = [0] * region.num_calls if waits is None else waits.tolist()
        return list(zip(region.thread_ids.tolist(), tasks, region.durations_ns.tolist(), waits,
                        strict=True))

    def threads(self):
        return {thread.name: thread for thread in self.results.threads[0]}

    def tasks(self, coro_name=None):
        return [task for task in self.results.tasks.get(0, [])
                if coro_name is None or task.coro_name == coro_name]


@contextmanager
def recorded(**options):
    """A session of an own manager: `with recorded(track_async=True) as (manager, run)`."""
    manager = ProfileManager()
    run = Run()
    options.setdefault("track_threads", True)
    try:
        with manager.session(verbose=False, return_results=True, deactivate_file_output=True,
                             **options) as session:
            yield manager, run
        run.results = session.results
        check(run.results)
    finally:
        manager.reset()


def tracked(**options):
    """recorded(), with tasks."""
    return recorded(track_async=True, **options)


def check(results):
    """Lanes nest, waits fit their calls, tables are dense."""
    build_call_arrays(results.get_regions(), rank=0)
    for number, thread in enumerate(results.threads[0]):
        assert thread.index == number
        assert thread.cpu_time >= 0
        assert thread.end_time is None or thread.end_time >= thread.start_time
    tasks = results.tasks.get(0, [])
    for number, task in enumerate(tasks):
        assert task.index == number and 0 <= task.thread_index < len(results.threads[0])
        assert task.running_time >= 0 and task.awaiting_time >= 0
        if task.done and task.steps:
            assert task.running_time + task.awaiting_time <= task.wall_time + 1e-6
    for entry in results:
        region = entry[0]
        if region.await_times_ns is None:
            continue
        assert (region.await_times_ns >= 0).all()
        assert (region.await_times_ns <= region.durations_ns).all()
        if region.task_ids is not None:
            assert (region.await_times_ns[region.task_ids < 0] == 0).all()


def python(code, *arguments, timeout=300, cwd=None, python=sys.executable, **environment):
    """Run a script; its standard output. It must end well and say nothing on stderr."""
    done = subprocess.run(
        [python, "-c", textwrap.dedent(code), *arguments], capture_output=True, text=True,
        timeout=timeout, cwd=cwd, env={**os.environ, **environment}, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", done.stderr
    return done.stdout
