"""A pool of greenlets (gevent).

SPDX-License-Identifier: MIT
"""
import sys

import gevent
from gevent.pool import Pool

from scope_profiler import ProfileManager


def work(number):
    with ProfileManager.region("work"):
        gevent.sleep(0.001 * (number % 3))
        with ProfileManager.region("compute"):
            return number * number


with ProfileManager.session(output=sys.argv[1], track_async=True, verbose=False):
    print(sum(Pool(10).map(work, range(60))))
