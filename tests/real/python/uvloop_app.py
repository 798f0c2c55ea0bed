"""Tasks, timeouts and a failure on uvloop's event loop.

SPDX-License-Identifier: MIT
"""
import asyncio
import sys

import uvloop

from scope_profiler import ProfileManager


async def work(number):
    with ProfileManager.region("work"):
        await asyncio.sleep(0.001 * (number % 3))
        with ProfileManager.region("compute"):
            if number == 7:
                raise ValueError("seven")
            return number


async def slow():
    with ProfileManager.region("slow"):
        await asyncio.sleep(10)


async def main():
    tracker = ProfileManager.get_config().tracker
    tracker.instrument_loop(asyncio.get_running_loop())
    done = await asyncio.gather(*(asyncio.ensure_future(work(n)) for n in range(50)), return_exceptions=True)
    try:
        await asyncio.wait_for(slow(), 0.01)
    except asyncio.TimeoutError:
        pass
    return sum(one for one in done if isinstance(one, int)), sum(isinstance(one, ValueError) for one in done)


with ProfileManager.session(output=sys.argv[1], track_async=True, verbose=False):
    loop = uvloop.new_event_loop()
    print(loop.run_until_complete(main()))
    loop.close()
