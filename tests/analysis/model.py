"""What a recording of some operations must replay to, found the slow and plain way.

An operation is (thread, name, number), in an order that the driver `operations`
keeps between threads where it matters. The model knows no times, only order; each
time of the replay must lie between the two clock readings around its operation.

SPDX-License-Identifier: MIT
"""
import random
from dataclasses import dataclass, field

IMPLIED, CROSSED, OPEN = 1, 2, 4


@dataclass
class Call:
    region: int
    thread: int
    task: int
    begin: int          # operation that began it
    end: int = None     # operation that ended it; None: still open
    flags: int = 0
    pauses: list = field(default_factory=list)  # (suspend, resume) operations inside


@dataclass
class Lane:
    open: list = field(default_factory=list)
    pending: list = field(default_factory=list)


@dataclass
class Task:
    thread: int
    new: int
    done: int = None
    steps: list = field(default_factory=list)  # (resume, suspend)


class Model:
    def __init__(self, operations):
        self.calls, self.orphans, self.marks = [], {}, []
        self.tasks, self.lanes, self.running = {}, {}, {}
        self.order = []  # tasks in order of creation
        for place, operation in enumerate(operations):
            self.take(place, *operation)
        for lane in self.lanes.values():
            for call in lane.open:
                call.flags |= OPEN

    def lane(self, thread):
        stack = self.running.setdefault(thread, [])
        return ("task", stack[-1]) if stack else ("thread", thread)

    def take(self, place, thread, name, number):
        key = self.lane(thread)
        lane = self.lanes.setdefault(key, Lane())
        if name == "begin":
            lane.pending = [call for call in lane.pending if call.region != number]
            call = Call(number, thread, key[1] if key[0] == "task" else -1, place)
            lane.open.append(call)
            self.calls.append(call)
        elif name == "end":
            self.end(lane, number, place)
        elif name == "mark":
            self.marks.append((number, thread, key))
        elif name == "new":
            self.tasks[number] = Task(thread, place)
            self.order.append(number)
        elif name == "resume":
            self.running[thread].append(number)
            self.tasks[number].steps.append([place, None])
        elif name == "suspend":
            self.running[thread].remove(number)
            self.tasks[number].steps[-1][1] = place
        elif name == "done":
            self.tasks[number].done = place

    def end(self, lane, region, place):
        for group in (lane.open, lane.pending):
            matching = [call for call in group if call.region == region]
            if not matching:
                continue
            call = max(matching, key=lambda c: c.begin)
            if group is lane.open:
                inside = lane.open[lane.open.index(call) + 1:]
                for inner in inside:
                    inner.end, inner.flags = place, IMPLIED
                del lane.open[lane.open.index(call):]
                lane.pending += inside
                call.end = place
            else:
                lane.pending.remove(call)
                call.end, call.flags = place, CROSSED
            return
        self.orphans[region] = self.orphans.get(region, 0) + 1

    def awaits(self, call):
        """(suspend, resume) operations of its task inside the call."""
        if call.task < 0:
            return []
        steps = self.tasks[call.task].steps
        gaps = [(steps[i][1], steps[i + 1][0]) for i in range(len(steps) - 1)]
        end = call.end if call.end is not None else float("inf")
        return [gap for gap in gaps if call.begin < gap[0] and gap[1] < end]


def generate(seed, threads=4, length=4000, tasks=6, regions=8, begins=0.42,
             pinned=False):
    """Random operations, with posts and waits where a task moves between threads
    (pinned: none does)."""
    rng = random.Random(seed)
    operations, running = [], {thread: [] for thread in range(threads)}
    created, done, at, last_thread = [], set(), {}, {}
    events = 0

    def switch(thread, task):
        nonlocal events
        if last_thread[task] != thread:  # its last operation there comes first
            operations.append((last_thread[task], "post", events))
            operations.append((thread, "wait", events))
            events += 1
        last_thread[task] = thread

    for _ in range(length):
        thread = rng.randrange(threads)
        choice = rng.random()
        idle = [task for task in created if task not in done and at[task] is None and
                (not pinned or last_thread[task] == thread)]
        if choice < begins:
            operations.append((thread, "begin", rng.randrange(regions)))
        elif choice < 0.80:
            operations.append((thread, "end", rng.randrange(regions)))
        elif choice < 0.83:
            operations.append((thread, "mark", rng.randrange(regions)))
        elif choice < 0.91 and idle and len(running[thread]) < 3:
            task = rng.choice(idle)
            switch(thread, task)
            operations.append((thread, "resume", task))
            running[thread].append(task)
            at[task] = thread
        elif choice < 0.99 and running[thread]:
            task = running[thread].pop()
            operations.append((thread, "suspend", task))
            at[task] = None
            if rng.random() < 0.03:
                operations.append((thread, "done", task))
                done.add(task)
        elif len(created) - len(done) < tasks:
            task = len(created)
            operations.append((thread, "new", task))
            created.append(task)
            at[task], last_thread[task] = None, thread
    return operations
