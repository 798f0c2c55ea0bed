"""The rules of the Trace Event Format, as far as we write it, and of Perfetto for flows.

SPDX-License-Identifier: MIT
"""
import math
from bisect import bisect_right

KINDS = {"M": {"args"}, "X": {"cat", "ts", "dur", "args"}, "C": {"ts", "args"}, "i": {"cat", "ts", "s"},
         "s": {"cat", "id", "ts"}, "f": {"cat", "id", "ts", "bp"}}


def ns(event, key="ts"):
    return round(event[key] * 1000)


def check_flows(events):
    """Pairs with one id, forwards in time, each end inside a call of its thread. Returns (send, receive) pairs."""
    calls, ends = {}, {"s": {}, "f": {}}
    for event in events:
        if event["ph"] == "X":
            calls.setdefault((event["pid"], event["tid"]), []).append((ns(event), ns(event) + ns(event, "dur")))
        elif event["ph"] in ends:
            assert type(event["id"]) is int and ends[event["ph"]].setdefault(event["id"], event) is event
            assert event["name"] == "message" and event["cat"] == "MPI" and event.get("bp", "e") == "e"
    assert ends["s"].keys() == ends["f"].keys()
    for track in calls.values():
        track.sort()
    for event in [*ends["s"].values(), *ends["f"].values()]:
        track, at = calls[event["pid"], event["tid"]], ns(event)
        begun = bisect_right(track, (at, math.inf))
        assert any(start <= at and (at < end or start == end == at) for start, end in reversed(track[:begun]))
    for number, send in ends["s"].items():
        assert ns(send) <= ns(ends["f"][number])
    return [(send, ends["f"][number]) for number, send in ends["s"].items()]


def check(document):
    """The document, if it is right."""
    assert document["displayTimeUnit"] in ("ms", "ns")
    for event in document["traceEvents"]:
        assert set(event) - {"name", "ph", "pid", "tid"} in (KINDS[event["ph"]], KINDS[event["ph"]] | {"cat"})
        assert isinstance(event["name"], str)
        assert type(event["pid"]) is int and type(event["tid"]) is int and event["tid"] >= 0
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name") and isinstance(event["args"]["name"], str)
        else:
            assert math.isfinite(event["ts"])
        if event["ph"] == "X":
            assert event["dur"] >= 0 and isinstance(event["cat"], str)
        if event["ph"] == "C":
            assert all(isinstance(value, (int, float)) for value in event["args"].values())
        if event["ph"] == "i":
            assert event["s"] in ("g", "p", "t")
    threads = {(e["pid"], e["tid"]) for e in document["traceEvents"] if e["name"] == "thread_name"}
    assert all((e["pid"], e["tid"]) in threads for e in document["traceEvents"] if e["ph"] in "Xi")
    check_flows(document["traceEvents"])
    return document
