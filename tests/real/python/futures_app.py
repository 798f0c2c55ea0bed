"""Threads of concurrent.futures, and tasks that hand work to them.

SPDX-License-Identifier: MIT
"""
import asyncio
import concurrent.futures
import sys

from scope_profiler import ProfileManager


@ProfileManager.profile("square")
def square(number):
    with ProfileManager.region("inner"):
        return number * number


async def main():
    loop = asyncio.get_running_loop()
    with ProfileManager.region("offload"):
        return sum(await asyncio.gather(*(loop.run_in_executor(None, square, n) for n in range(20))))


with ProfileManager.session(output=sys.argv[1], track_async=True, verbose=False):
    with concurrent.futures.ThreadPoolExecutor(4, thread_name_prefix="worker") as pool:
        print(sum(pool.map(square, range(100))))
    print(asyncio.run(main()))
