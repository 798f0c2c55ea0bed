"""_read, while other threads use it, or what it was given changes: each in a process of its
own, which may crash.

SPDX-License-Identifier: MIT
"""

import subprocess
import sys
import textwrap

import pytest

HEAD = """
import numpy as np
from scope_profiler import _read

def parts(**changes):
    return {"rank_count": 1, "regions": ["a"], "pairs": [{"rank": 0, "region": 0, "count": 2}],
            "columns": {"start_ns": np.arange(2), "duration_ns": np.zeros(2, np.int64)}, **changes}
"""

CASES = {
    "a list of tables that another thread empties during the merge": """
        import threading
        def table(rank, count=50_000):
            return _read.Table(parts(
                pairs=[{"rank": rank, "region": 0, "count": count}], rank_count=rank + 1,
                columns={"start_ns": np.arange(count), "duration_ns": np.zeros(count, np.int64)}))
        for _ in range(30):
            tables = [table(rank) for rank in range(8)]
            start = threading.Event()
            thread = threading.Thread(target=lambda: (start.wait(), tables.clear()))
            thread.start()
            start.set()
            assert len(_read.merge(tables)) in (0, 8 * 50_000)
            thread.join()
    """,
    "a histogram that one of its counts empties": """
        class Sly:
            def __index__(self):
                counts.clear()
                return 1
        counts = [Sly(), *range(1000, 1063)]
        sums = [{"rank": 0, "region": 0, "count": 1, "histogram": counts}]
        table = _read.Table(parts(sums=sums))
        assert table.part("sums")[0]["histogram"] == [1, *range(1000, 1063)]
    """,
    "statistics that one of their numbers frees": """
        class Sly:
            def __index__(self):
                pair.clear()
                return 5
        pair = {"rank": 0, "region": 0, "count": 2}
        pair["statistics"] = tuple([Sly(), 1, 2, 3, 4, 5, 6, 7.0, 8.0])
        table = _read.Table(parts(pairs=[pair]))
        assert table.part("pairs")[0]["statistics"] == (5, 1, 2, 3, 4, 5, 6, 7.0, 8.0)
    """,
    "columns that one of them empties": """
        import sys
        class Sly:
            def __buffer__(self, flags):
                columns.clear()
                return memoryview(np.arange(2))
        columns = {"start_ns": np.arange(2), "duration_ns": np.zeros(2, np.int64),
                   "call_ids": Sly(), "parent_ids": np.full(2, -1)}
        try:
            table = _read.Table(parts(columns=columns))
        except TypeError:
            assert sys.version_info < (3, 12)  # no __buffer__ there
        else:
            assert list(np.asarray(table.column("parent_ids"))) == [-1, -1]
    """,
    "a cursor that several threads use at a time": """
        import threading
        from scope_profiler import _record
        session = _record.Session(memory_only=True)
        region = session.add_region("a")
        cursor = _read.Cursor(session.pointer)
        ticks = np.full(5000, _record.ticks(), np.int64)
        failed, stop = [], threading.Event()
        def work(use):
            try:
                while not stop.is_set():
                    use()
            except BaseException as error:
                failed.append(error)
        def record():
            for _ in range(100):
                with region:
                    pass
            cursor.advance()
        uses = [record, cursor.cut, cursor.lanes, lambda: cursor.times(ticks),
                lambda: cursor.region(region.id), cursor.table, cursor.open_count]
        threads = [threading.Thread(target=work, args=(use,)) for use in uses]
        for thread in threads:
            thread.start()
        stop.wait(1.5)
        stop.set()
        for thread in threads:
            thread.join()
        session.close()
        assert not failed, failed
    """,
    "HDF5, which two threads use at a time, one of them with all ranks": """
        import ctypes, os, tempfile, threading
        library = next(line.split()[-1] for line in open("/proc/self/maps") if "/libscope.so" in line)
        world = ctypes.CDLL(library).scope_world_serial
        world.restype = ctypes.c_void_p
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        serial = new(world(), b"scope_profiler.world", None)
        table, failed = _read.Table(parts()), []
        def work(name, write):
            try:
                for _ in range(40):
                    write(name)
                    assert len(_read.open_file(name)) == 2
            except BaseException as error:
                failed.append(error)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            threads = [
                threading.Thread(target=work, args=("a.h5", lambda name: _read.write_file(name, table))),
                *(threading.Thread(target=work, args=(
                    name, lambda name: _read.write_collective(serial, name, table)))
                  for name in ("b.h5", "c.h5"))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            os.chdir("/")
        assert not failed, failed
    """,
}


@pytest.mark.parametrize("case", CASES)
def test_nothing_breaks_under(case):
    code = HEAD + textwrap.dedent(CASES[case])
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", code], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-3000:])
