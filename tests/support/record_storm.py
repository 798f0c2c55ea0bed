"""Everything that _record offers, in random order: python record_storm.py SECONDS [SEED].

Looks at counts all along; a sanitizer, -X dev and the operating system look at the rest.

SPDX-License-Identifier: MIT
"""

import contextlib
import gc
import pickle
import random
import sys
import threading
import time
import weakref

import scope_profiler._record as record


class Plain(record.Region):
    pass


class Loud(record.Region):
    def __enter__(self):
        return super().__enter__()

    def __exit__(self, kind, value, traceback):
        if random.random() < 0.1:
            raise LookupError("from __exit__")
        return super().__exit__(kind, value, traceback)


CLASSES = [record.Region, Plain, Loud, None]
NAMES = [f"region {i}" for i in range(20)] + ["", "nul\0", "\ud800", "ü", "x" * 300]
WRONG = [None, 3, 2**70, "x", b"x", [], object(), int, ()]


class Storm:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.sessions, self.regions, self.handles, self.wrapped = [], [], [], []
        self.open, self.generators, self.watched = [], [], []
        self.steps = 0

    def pick(self, things):
        return self.random.choice(things) if things else None

    def resolve(self):
        return self.random.choice([self.pick(self.regions), self.pick(self.regions), None])

    def miss(self, name, functions, tags):
        session = self.pick(self.sessions)
        if session is None or self.random.random() < 0.1:
            raise LookupError(name)
        return session.add_region(name, tags=tags or ())

    # ---- operations: each takes what it needs, or does nothing ----

    def new_session(self):
        session = record.Session(
            process=self.random.random() < 0.2,
            memory_only=True,
            lanes=self.random.choice([0, 0, 0, 1, 2]),
            label="storm",
            closed=self.random.random() < 0.1,
        )
        session.on_miss = self.random.choice([None, self.miss])
        session.owner = self.random.choice([None, self, session])
        self.watched.append(weakref.ref(session))
        self.sessions.append(session)

    def drop_session(self):
        if len(self.sessions) > 4:
            session = self.sessions.pop(self.random.randrange(len(self.sessions)))
            if self.random.random() < 0.5:
                session.close()

    def change_session(self):
        session = self.pick(self.sessions)
        if session:
            self.random.choice(
                [
                    session.pause,
                    session.resume,
                    session.resume,
                    session.bound,
                    lambda: session.metadata("k", "v" * 100),
                    lambda: session.live and session.pointer,
                    lambda: (session.live, session.adopted, session.paused),
                ]
            )()

    def new_region(self):
        session = self.pick(self.sessions)
        if session:
            self.regions.append(
                session.add_region(
                    self.pick(NAMES),
                    tags=["a", "b"][: self.random.randrange(3)],
                    source_file=self.random.choice(["", __file__]),
                    source_line=3,
                    enabled=self.random.random() < 0.9,
                    cls=self.random.choice(CLASSES),
                )
            )
            del self.regions[:-30]

    def find_region(self):
        session = self.pick(self.sessions)
        find = self.random.choice([record.region, session.region if session else record.region])
        arguments = [self.pick(NAMES)] + self.random.choice([[], [], [None], [print, ("a",)]])
        with contextlib.suppress(LookupError, RuntimeError):
            with find(*arguments):
                pass

    def set_default(self):
        record.set_default(
            self.random.choice([self.pick(self.sessions), None]),
            self.random.choice([self.miss, None]),
        )

    def enter(self):
        region = self.pick(self.regions)
        if region is not None:
            before = region.num_calls
            with contextlib.suppress(LookupError, KeyError):
                with region:
                    assert before <= region.num_calls  # other threads enter it, too
                    if self.random.random() < 0.2:
                        self.step()
                    if self.random.random() < 0.2:
                        raise KeyError

    def begin(self):
        region = self.pick(self.regions + self.handles)
        if region is not None:
            with contextlib.suppress(RuntimeError, LookupError):
                region.__enter__()
                self.open.append(region)

    def end(self):
        if self.open:
            region = self.open.pop(self.random.randrange(len(self.open)))
            with contextlib.suppress(LookupError):
                region.__exit__(None, None, None)

    def stray(self):
        region = self.pick(self.regions)
        if region is not None:
            self.random.choice(
                [
                    region.end,
                    region.begin,
                    lambda: region.call(5, 9),
                    lambda: repr(region),
                    lambda: (region.tags, region.source_lineno, region.session),
                ]
            )()
            assert 0 <= region.num_exits <= region.num_calls

    def generator(self):
        def steps(region):
            with region:
                yield

        region = self.pick(self.regions + self.handles)
        if region is not None:
            with contextlib.suppress(RuntimeError, LookupError):
                made = steps(region)
                next(made)
                self.generators.append(made)
        if len(self.generators) > 5:
            with contextlib.suppress(LookupError):
                self.generators.pop(0).close()

    def new_handle(self):
        self.handles.append(record.Handle(self.pick(NAMES), self.resolve))
        del self.handles[:-8]

    def new_wrapped(self):
        def function(value=0, *rest, key=1):
            if value == 3:
                raise KeyError(value)
            if value == 4:
                self.step()
            return value

        made = record.Profiled(function, self.resolve)
        made.function = self.random.choice([made, None])
        self.wrapped.append(made)
        del self.wrapped[:-8]

    def call(self):
        made = self.pick(self.wrapped)
        if made is not None:
            with contextlib.suppress(KeyError, LookupError):
                self.random.choice(
                    [
                        lambda: made(self.random.randrange(6)),
                        lambda: made(1, 2, key=3),
                        lambda: made.__get__(5)(),
                        lambda: made(*range(9)),
                        lambda: made.__name__,
                        lambda: vars(made),
                    ]
                )()

    def misuse(self):
        value, other = self.pick(WRONG), self.pick(WRONG)
        region, session = self.pick(self.regions), self.pick(self.sessions)
        for attempt in [
            lambda: record.Session(lanes=value),
            lambda: record.Session(value),
            lambda: record.Session(output=value, memory_only=True).close(),
            lambda: record.Handle(value, other).__enter__(),
            lambda: record.Profiled(value, other)(),
            lambda: record.region(value, other),
            lambda: record.Region(value),
            lambda: record.set_default(value, other) if value is not None else None,
            lambda: region.call(value, other),
            lambda: pickle.dumps(region),
            lambda: session.add_region(value, tags=other),
            lambda: session.metadata(value, other),
            lambda: session.region(value, tags=other),
            lambda: type(region).__enter__(value),
        ]:
            with contextlib.suppress(
                TypeError,
                ValueError,
                AttributeError,
                RuntimeError,
                LookupError,
                OverflowError,
                pickle.PicklingError,
            ):
                attempt()

    def clean(self):
        gc.collect()
        self.watched = [reference for reference in self.watched if reference() is not None]

    def step(self):
        self.steps += 1
        self.random.choices(
            [
                self.new_session,
                self.drop_session,
                self.change_session,
                self.new_region,
                self.find_region,
                self.set_default,
                self.enter,
                self.begin,
                self.end,
                self.stray,
                self.generator,
                self.new_handle,
                self.new_wrapped,
                self.call,
                record.rebind,
                self.misuse,
                self.clean,
            ],
            [2, 2, 6, 6, 20, 2, 40, 20, 20, 10, 6, 3, 3, 20, 2, 2, 0.2],
        )[0]()


def run(seed, until):
    storm = Storm(seed)
    while time.monotonic() < until:
        storm.step()
    for generator in storm.generators:
        with contextlib.suppress(LookupError):
            generator.close()
    for session in storm.sessions:
        session.close()
    return storm.steps


def main(seconds, seed):
    print("seed", seed, flush=True)
    until = time.monotonic() + seconds
    steps = []
    threads = [
        threading.Thread(target=lambda i=i: steps.append(run(seed + i, until))) for i in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    record.set_default(None, None)
    gc.collect()
    if len(steps) != 3:
        sys.exit("a thread failed")
    print("steps", sum(steps))


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() % 1_000_000)
