"""A Python program that is killed: scope recover makes its file, threads, tasks and all.

SPDX-License-Identifier: MIT
"""
import signal
import sys
from collections import Counter

import pytest

import scope_profiler as sp
from support.jobs import environment, run
from support.profile import OPEN, Profile

PROGRAM = """
import asyncio, os, signal, sys, threading
import scope_profiler as sp

def end():
    how = sys.argv[1]
    if how == "_exit":
        os._exit(3)
    os.kill(os.getpid(), getattr(signal, how))

def work():
    for _ in range(50):
        with sp.region("in thread"):
            pass

async def child(count):
    for _ in range(count):
        with sp.region("in task"):
            await asyncio.sleep(0)

async def stuck(ready):
    with sp.region("stuck"):
        ready.set()
        await asyncio.sleep(1000)

async def main():
    await asyncio.gather(*(asyncio.create_task(child(10 + i), name=f"child {i}") for i in range(3)))
    ready = asyncio.Event()
    task = asyncio.create_task(stuck(ready), name="stuck task")
    await ready.wait()
    with sp.region("outer"):
        end()

sp.setup(output="run.h5", track_threads=True, track_async=True, label="my run")
with sp.metadata(step=1), sp.region("first"):
    pass
threads = [threading.Thread(target=work, name=f"worker {i}") for i in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
asyncio.run(main())
"""
CALLS = Counter({"first": 1, "in thread": 150, "in task": 33, "stuck": 1, "outer": 1})


def recovered(install, folder):
    """run.h5 of what lies in the folder; what was said."""
    said = run([install.scope, "recover", folder], cwd=folder, env=environment()).stdout
    return Profile(folder / "run.h5").check(), said


@pytest.mark.parametrize("how, code, end", [
    ("SIGKILL", -signal.SIGKILL, "killed"), ("SIGTERM", -signal.SIGTERM, "killed"),
    ("SIGSEGV", -signal.SIGSEGV, "killed"), ("_exit", 3, "killed")])
def test_threads_and_tasks_of_a_killed_program(install, tmp_path, how, code, end):
    """os._exit does not pass through us where libscope is neither linked nor preloaded."""
    (tmp_path / "program.py").write_text(PROGRAM)
    result = run([sys.executable, "program.py", how], check=False, cwd=tmp_path,
                 env=environment(SCOPE_SPOOL_DIR=tmp_path))
    assert result.returncode == code and result.stderr == "" and not (tmp_path / "run.h5").exists()
    profile, said = recovered(install, tmp_path)
    assert profile.counts() == CALLS and f"rank 0: {end}" in said
    opened = {profile.names[r] for r in profile.region[(profile.flags & OPEN) != 0]}
    assert opened == {"outer", "stuck"} and "stuck" in said and "outer" in said
    assert {t["name"] for t in profile.threads} == {"MainThread", "worker 0", "worker 1", "worker 2"}
    tasks = {t["name"] for t in profile.tasks}
    assert tasks >= {"child 0", "child 1", "child 2", "stuck task"} and len(tasks) == 5
    results = sp.load(tmp_path / "run.h5")
    assert Counter({name: results[name].num_calls for name in results.region_names}) == CALLS
    assert results.label == "my run" and {t.name for t in results.threads[0]} >= {"worker 2"}


def test_what_a_checkpoint_wrote_and_what_came_after_it(install, tmp_path):
    """finalize is a cut: the file has what was before it, recover makes one of the rest."""
    (tmp_path / "program.py").write_text("""
import os, signal
import scope_profiler as sp
sp.setup(output="run.h5")
for _ in range(10):
    with sp.region("before"):
        pass
sp.finalize(verbose=False)
for _ in range(20):
    with sp.region("after"):
        pass
os.kill(os.getpid(), signal.SIGKILL)
""")
    run([sys.executable, "program.py"], check=False, cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    assert Profile(tmp_path / "run.h5").counts() == Counter(before=10)
    run([install.scope, "recover", tmp_path, "-o", "rest.h5"], cwd=tmp_path, env=environment())
    assert Profile(tmp_path / "rest.h5").counts() == Counter(after=20)
    assert Profile(tmp_path / "run.h5").counts() == Counter(before=10)
