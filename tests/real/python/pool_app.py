"""A multiprocessing.Pool whose parent and workers are profiled, each into its own file.

SPDX-License-Identifier: MIT
"""
import multiprocessing
import os
import sys

from scope_profiler import ProfileManager


def work(arguments):
    output, number = arguments
    manager = ProfileManager()
    with manager.session(file_path=f"{output}.{number}.h5", track_threads=True, verbose=False):
        with manager.region("work"):
            return sum(range(number * 1000))


def main():
    output, method = sys.argv[1:3]
    context = multiprocessing.get_context(method)
    with ProfileManager.session(output=output, track_threads=True, verbose=False):
        with ProfileManager.region("parent"):
            with context.Pool(2) as pool:
                print(sum(pool.map(work, [(output, n) for n in range(6)])))
    print(sorted(os.path.basename(name) for name in os.listdir(os.path.dirname(output))))


if __name__ == "__main__":
    main()
