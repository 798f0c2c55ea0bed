"""crash_c.c in Python: the same calls, in one session that all ranks finalize.

SPDX-License-Identifier: MIT
"""
import ctypes
import os
import sys

from mpi4py import MPI

import scope_profiler as sp

folder, victim, calls, loosely, points, rounds = sys.argv[1].encode(), *map(int, sys.argv[2:7])
comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
crash = ctypes.PyDLL(None)
crash.crash_open.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_long, ctypes.c_int, ctypes.c_long]
crash.crash_open(folder, rank, calls if rank == victim else 0, loosely, points if rank == victim else 0)
ended = crash.crash_ended
sp.setup(output=os.environ["SCOPE_OUTPUT"])
a, b, exchange = sp.region("a"), sp.region("b"), sp.region("MPI_Sendrecv")
for i in range(rounds):
    with a:
        for _ in range(20):
            with b:
                pass
            ended(98)
        if i % 16 == 0:
            with exchange:
                comm.sendrecv(rank, (rank + 1) % size, source=(rank - 1) % size)
            ended(115)
    ended(97)
crash.crash_arm()
sp.finalize(verbose=False)
