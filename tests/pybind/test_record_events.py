"""What regions count is what a cursor reads, with the times at which it happened.

SPDX-License-Identifier: MIT
"""

import random
import threading

import numpy
import pytest

from scope_profiler import _read, _record


@pytest.fixture(params=[False, True], ids=["own", "process"])
def session(request):
    made = _record.Session(process=request.param, memory_only=True)
    yield made
    made.close()


def read(cursor, region):
    """Starts and ends in order of entry; 0: open."""
    cursor.advance()
    starts, ends = (numpy.asarray(column).tolist() for column in cursor.region(region.id))
    assert len(starts) == len(ends) == region.num_calls
    assert sum(1 for end in ends if end) == region.num_exits
    return starts, ends


def test_a_call_lies_between_the_clock_readings_around_it(session):
    region = session.add_region("a")
    cursor = _read.Cursor(session.pointer, untracked=True)
    moments = [_record.now_ns()]
    for _ in range(100):
        with region:
            moments.append(_record.now_ns())
        moments.append(_record.now_ns())
    starts, ends = read(cursor, region)
    for i in range(100):
        before, inside, after = moments[2 * i : 2 * i + 3]
        assert before <= starts[i] <= inside <= ends[i] <= after


def test_an_open_call_has_a_start_alone(session):
    region = session.add_region("a")
    cursor = _read.Cursor(session.pointer, untracked=True)
    with region:
        with region:
            starts, ends = read(cursor, region)
            assert ends == [0, 0] and starts[0] <= starts[1]
        ends = read(cursor, region)[1]
        assert ends[0] == 0 and ends[1] > 0
    assert 0 not in read(cursor, region)[1]


def test_times_of_its_own_are_kept_to_the_nanosecond(session):
    region = session.add_region("a")
    cursor = _read.Cursor(session.pointer, untracked=True)
    given = [(1, 2), (5, 5), (3, 2**55 + 1)]
    for start, end in given:
        region.call(start, end)
    assert sorted(zip(*read(cursor, region))) == sorted(given)


def test_what_fell_into_a_pause_is_not_there(session):
    region, other = session.add_region("a"), session.add_region("b")
    cursor = _read.Cursor(session.pointer, untracked=True)
    region.begin()
    session.pause()
    region.begin()
    other.begin()
    session.resume()
    with other:
        pass
    other.end()
    region.end()
    region.end()
    assert 0 not in read(cursor, region)[1] + read(cursor, other)[1]
    assert region.num_calls == other.num_calls == 1
    assert cursor.open_count() == 0


def test_sessions_do_not_see_each_other(session):
    other = _record.Session(memory_only=True)
    cursors = [_read.Cursor(each.pointer, untracked=True) for each in (session, other)]
    regions = [each.add_region("same") for each in (session, other)]
    for times in range(3):
        with regions[0], regions[1], regions[0]:
            pass
    assert [len(read(*each)[0]) for each in zip(cursors, regions)] == [6, 3]
    other.close()
    assert len(read(cursors[0], regions[0])[0]) == 6


def test_a_call_that_ends_in_another_thread_ends(session):
    region = session.add_region("a")
    cursor = _read.Cursor(session.pointer, untracked=True)
    region.begin()
    thread = threading.Thread(target=region.end)
    thread.start()
    thread.join()
    assert 0 not in read(cursor, region)[1]


@pytest.mark.parametrize("seed", range(8))
def test_random_calls_are_read_as_counted(session, seed):
    choose = random.Random(seed)
    regions = [session.add_region(f"region {i}") for i in range(5)]
    handle = _record.Handle("region 0", lambda: regions[0])
    wrapped = _record.Profiled(lambda: None, lambda: regions[1])
    cursor = _read.Cursor(session.pointer, untracked=True)
    entered = []
    _record.rebind()
    for _ in range(3000):
        step = choose.random()
        if step < 0.33:
            entered.append(choose.choice([*regions, handle]))
            entered[-1].__enter__()
        elif step < 0.7 and entered:
            entered.pop().__exit__(None, None, None)
        elif step < 0.85:
            wrapped()
        elif step < 0.9:
            choose.choice(regions).call(10, 20)
        elif step < 0.93 and (session.paused or not entered):  # as a manager does
            choose.choice([session.pause, session.resume])()
        elif step < 0.95:
            for region in regions:
                read(cursor, region)
    session.resume()
    while entered:
        entered.pop().__exit__(None, None, None)
    for region in regions:
        assert 0 not in read(cursor, region)[1]
    assert cursor.open_count() == 0


def test_threads_of_an_untracked_session_are_all_there(session):
    region = session.add_region("a")
    cursor = _read.Cursor(session.pointer, untracked=True)

    def work():
        for _ in range(2000):
            with region, region:
                pass

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        cursor.advance()
    for thread in threads:
        thread.join()
    starts, ends = read(cursor, region)
    assert len(starts) == 24_000
    assert all(start <= end for start, end in zip(starts, ends))
