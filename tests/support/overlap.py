"""Two threads whose calls overlap without nesting, whatever the machine does meanwhile.

SPDX-License-Identifier: MIT
"""
import threading
import time

PATIENCE = 300  # seconds


def overlap(region, seconds=0.0):
    """"b" is entered inside "a" and left after it, on another thread; each lasts `seconds` at
    least. `region(name)`: the scope."""
    a_entered, b_entered, a_left = (threading.Event() for _ in range(3))

    def first():
        with region("a"):
            a_entered.set()
            time.sleep(seconds)
            b_entered.wait(PATIENCE)
        a_left.set()

    def second():
        a_entered.wait(PATIENCE)
        with region("b"):
            b_entered.set()
            time.sleep(seconds)
            a_left.wait(PATIENCE)

    threads = [threading.Thread(target=target) for target in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * PATIENCE)
