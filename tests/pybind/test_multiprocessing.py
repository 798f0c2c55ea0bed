"""Each process profiles itself, whatever way it was started.

SPDX-License-Identifier: MIT
"""
import multiprocessing
import subprocess
import sys

import pytest

from support.lanes import python

SCRIPT = """
import multiprocessing, os, sys, threading, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # 3.12: fork with threads
from scope_profiler import ProfileManager, read_h5

def worker(index):
    manager = ProfileManager()
    with manager.session(file_path=f"worker_{index}.h5", track_threads=True, verbose=False):
        with manager.region("work"):
            thread = threading.Thread(target=sum, args=(range(1000),), name=f"of-{index}")
            thread.start()
            thread.join()
    return index

def main(method, outer):
    context = multiprocessing.get_context(method)
    def jobs():
        with context.Pool(2) as pool:
            assert pool.map(worker, range(4), chunksize=1) == [0, 1, 2, 3]
            pool.close()
            pool.join()
    if outer:
        with ProfileManager.session(track_async=True, verbose=False, file_path="outer.h5"):
            with ProfileManager.region("pool"):
                jobs()
        outer = read_h5("outer.h5")
        print([(region.name, region.num_calls) for region in outer])
    else:
        jobs()
    for index in range(4):
        results = read_h5(f"worker_{index}.h5")
        names = [thread.name for thread in results.threads[0]]
        assert names[-1] == f"of-{index}" and len(names) == 2, names
        assert [(region.name, region.num_calls) for region in results] == [
            ("scope_profiler.session", 1), ("work", 1)]
    print(sorted(os.listdir()))

if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] == "outer")
"""


@pytest.mark.parametrize("outer", ["outer", "alone"])
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_pools_under_every_start_method(method, outer, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run([sys.executable, "script.py", method, outer], cwd=tmp_path,
                          capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    files = [f"worker_{index}.h5" for index in range(4)] + ["script.py"]
    lines = done.stdout.splitlines()
    if outer == "outer":
        assert lines.pop(0) == "[('scope_profiler.session', 1), ('pool', 1)]"
        files.append("outer.h5")
    assert lines == [str(sorted(files))]


def test_processes_made_by_hand_and_their_queues():
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("no fork here")
    assert python("""
        import multiprocessing, warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        from scope_profiler import ProfileManager
        context = multiprocessing.get_context("fork")
        def work(queue):
            with ProfileManager.region("child"):
                queue.put(len(ProfileManager.get_config().tracker.threads))
        with ProfileManager.session(track_threads=True, verbose=False, return_results=True,
                                    deactivate_file_output=True) as run:
            queue = context.Queue()
            process = context.Process(target=work, args=(queue,))
            process.start()
            print(queue.get(timeout=300))
            process.join()
            print(process.exitcode)
        print([r.name for r in run.results])
    """) == "0\n0\n['scope_profiler.session']\n"


def test_a_subprocess_is_another_program(tmp_path):
    assert python("""
        import subprocess, sys
        from scope_profiler import ProfileManager
        with ProfileManager.session(track_threads=True, verbose=False, return_results=True,
                                    deactivate_file_output=True) as run:
            with ProfileManager.region("call"):
                print(subprocess.run([sys.executable, "-c", "print(7)"], capture_output=True,
                                     text=True, check=True).stdout.strip())
                subprocess.run("exit 0", shell=True, check=True, preexec_fn=lambda: None)
        print(run.results["call"][0].num_calls)
    """, cwd=tmp_path) == "7\n1\n"
    assert list(tmp_path.iterdir()) == []


def test_results_travel_between_processes():
    assert python("""
        import concurrent.futures, multiprocessing, warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        from scope_profiler import ProfileManager
        def work(number):
            manager = ProfileManager()
            with manager.session(track_threads=True, verbose=False, return_results=True,
                                 deactivate_file_output=True) as run:
                with manager.region("work"):
                    pass
            return run.results
        context = multiprocessing.get_context("fork")
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
            for results in pool.map(work, range(2)):
                print(results["work"][0].num_calls, results.threads[0][0].name)
    """) == "1 MainThread\n1 MainThread\n"


FORKED = """
import multiprocessing, os, sys, warnings
warnings.simplefilter("ignore", DeprecationWarning)
from scope_profiler import ProfileManager, read_h5

def record(name):
    manager = ProfileManager()
    with manager.session(file_path=f"{name}.h5", track_threads=True, verbose=False):
        with manager.region(name):
            pass

def main(method):
    context = multiprocessing.get_context(method)
    with ProfileManager.session(file_path="parent.h5", track_threads=True, verbose=False):
        with ProfileManager.region("parent"):
            pid = os.fork()
            if pid == 0:
                code = 1
                try:
                    record("forked")
                    process = CLASSES[method]()
                    process.start()
                    process.join(300)
                    code = process.exitcode
                finally:
                    os._exit(code)
            assert os.waitpid(pid, 0)[1] == 0
    for name in ("parent", "forked", "process"):
        results = read_h5(f"{name}.h5")
        assert {r.name: r.num_calls for r in results} == {"scope_profiler.session": 1, name: 1}, name
        assert [t.index for t in results.threads[0]] == [0], name
    print(sorted(name for name in os.listdir() if name.endswith(".h5")))

CLASSES = {}
for _method in ("fork", "spawn", "forkserver"):
    class Own(multiprocessing.get_context(_method).Process):
        def run(self):
            record("process")
    Own.__name__ = Own.__qualname__ = f"Own_{_method}"
    globals()[Own.__name__] = CLASSES[_method] = Own

if __name__ == "__main__":
    main(sys.argv[1])
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_k18_a_process_of_ones_own_class_inside_a_fork_by_hand(method, tmp_path):
    """One file for each of the three processes, each with its own calls and lanes."""
    (tmp_path / "script.py").write_text(FORKED)
    done = subprocess.run([sys.executable, "script.py", method], cwd=tmp_path, capture_output=True,
                          text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "['forked.h5', 'parent.h5', 'process.h5']\n"
