"""_read.Cursor: what a session has recorded so far.

SPDX-License-Identifier: MIT
"""
import gc
import os
import signal
import threading

import numpy as np
import pytest

from scope_profiler import _read, _record


@pytest.fixture
def session():
    made = _record.Session(memory_only=True)
    yield made
    made.close()


def calls(table):
    names = table.part("regions")
    return {names[pair["region"]]: pair["count"] for pair in table.part("pairs")}


def test_a_cursor_sees_only_what_is_new(session):
    a, b = session.add_region("a"), session.add_region("b")
    cursor = _read.Cursor(session.pointer, untracked=True)
    assert len(cursor.table()) == 0
    with a, b:
        pass
    assert len(cursor.table()) == 0
    cursor.advance()
    assert calls(cursor.table()) == {"a": 1, "b": 1}
    for _ in range(100):
        with b:
            pass
    cursor.advance()
    table = cursor.table()
    assert calls(table) == {"a": 1, "b": 101} and table.nests


def test_order_and_first_id_are_the_callers(session):
    a, b = session.add_region("a"), session.add_region("b")
    with a, b:
        pass
    cursor = _read.Cursor(session.pointer, untracked=True)
    cursor.advance()
    table = cursor.table([b.id, a.id], 7)
    assert [p["region"] for p in table.part("pairs")] and calls(table) == {"b": 1, "a": 1}
    assert list(calls(table)) == ["b", "a"]
    assert sorted(np.asarray(table.column("call_ids"))) == [7, 8]


def test_open_calls_are_counted_and_left_out(session):
    a, b = session.add_region("a"), session.add_region("b")
    cursor = _read.Cursor(session.pointer, untracked=True)
    with a:
        with b:
            pass
        with b:
            cursor.advance()
            assert cursor.open_count() == 2 and cursor.open_count(a.id) == 1
            assert calls(cursor.table()) == {"b": 1}
            starts, ends = map(np.asarray, cursor.region(b.id))
            assert starts.size == 2 and ends[0] >= starts[0] > 0 and ends[1] == 0
    cursor.advance()
    assert cursor.open_count() == 0 and calls(cursor.table()) == {"a": 1, "b": 2}
    assert [c.size for c in map(np.asarray, cursor.region(10**6))] == [0, 0]


def test_a_cut_reports_each_call_once(session):
    a, b = session.add_region("a"), session.add_region("b")
    cursor = _read.Cursor(session.pointer, untracked=True)
    with a:
        with b:
            pass
        cursor.advance()
        assert calls(cursor.table()) == {"b": 1}
        cursor.cut()
        assert len(cursor.table()) == 0
    cursor.advance()
    assert calls(cursor.table()) == {"a": 1}


def test_a_checkpoint_is_a_cut(session, tmp_path):
    a = session.add_region("a")
    cursor = _read.Cursor(session.pointer, untracked=True)
    for turn in range(5):
        for _ in range(turn):
            with a:
                pass
        cursor.advance()
        assert len(cursor.table()) == turn
        cursor.checkpoint(str(tmp_path / "out.h5"), turn)
    with pytest.raises((TypeError, ValueError)):
        cursor.checkpoint(None, 0)


def test_a_cursor_without_a_recording_is_empty(session):
    cursor = _read.Cursor(session.pointer)
    cursor.advance()
    cursor.cut()
    cursor.checkpoint("/nowhere", 0)
    assert cursor.open_count() == 0 and len(cursor.lanes()) == 0
    assert [len(c) for c in cursor.region(0)] == [0, 0]


def test_a_cursor_outlives_its_session():
    session = _record.Session(memory_only=True)
    a = session.add_region("a")
    cursor = _read.Cursor(session.pointer, untracked=True)
    with a:
        pass
    cursor.advance()
    session.close()
    cursor.advance()
    cursor.cut()
    cursor.checkpoint("/nowhere", 0)
    del session, a
    gc.collect()
    cursor.advance()
    assert len(cursor.table()) == 0
    other = _record.Session(memory_only=True)
    with other.add_region("b"):
        pass
    cursor.advance()
    assert calls(cursor.table()) == {}
    other.close()


def test_only_a_sessions_pointer_will_do(session):
    for wrong in (None, 5, "x", session):
        with pytest.raises((TypeError, ValueError)):
            _read.Cursor(wrong)
    with pytest.raises(TypeError):
        _read.Cursor()
    cursor = _read.Cursor(session.pointer)
    for order in ([-1], ["x"], [2**40], 5):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            cursor.table(order)


def test_threads_are_lanes_of_a_tracked_session():
    session = _record.Session(memory_only=True, lanes=_record.THREADS)
    try:
        a = session.add_region("a")
        _record.install_threads()
        try:
            def work():
                with a:
                    pass

            workers = [threading.Thread(target=work, name=f"w{n}") for n in range(3)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        finally:
            _record.uninstall_threads()
        cursor = _read.Cursor(session.pointer)
        cursor.advance()
        table = cursor.table()
        assert {row["name"] for row in table.part("threads")} >= {"w0", "w1", "w2"}
        assert len(set(np.asarray(table.column("thread_ids")))) == 3
        assert cursor.lanes().part("threads") == table.part("threads")
    finally:
        session.close()


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""),
                    reason="asan's own locks are lost in a fork beside threads")
def test_a_forked_child_does_not_wait_for_its_parents_threads(session):
    a = session.add_region("a")
    with a:
        pass
    cursor = _read.Cursor(session.pointer, untracked=True)
    cursor.advance()
    stop = threading.Event()

    def read():
        while not stop.is_set():
            cursor.table()

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for _ in range(20):
            child = os.fork()
            if child == 0:
                signal.alarm(300)
                cursor.open_count()
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for reader in readers:
            reader.join()


def test_one_cursor_serves_many_threads_while_it_is_recorded_into(session):
    a = session.add_region("a")
    cursor = _read.Cursor(session.pointer, untracked=True)
    failed, stop = [], threading.Event()

    def read():
        try:
            while not stop.is_set():
                cursor.advance()
                cursor.table().parts()
                cursor.region(a.id)
                cursor.open_count()
                cursor.lanes()
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for _ in range(20000):
        with a:
            pass
    stop.set()
    for reader in readers:
        reader.join()
    cursor.advance()
    assert not failed and len(cursor.table()) == 20000
