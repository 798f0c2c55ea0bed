"""Tests that may crash the process they run in.

SPDX-License-Identifier: MIT
"""
import faulthandler
import functools
import os
import traceback

import pytest


def in_a_child(test):
    """Run the test in a forked child: a crash fails this test alone, and its `tmp_path` has the
    input that it was reading."""
    @functools.wraps(test)
    def in_parent(**fixtures):
        pid = os.fork()
        if not pid:
            faulthandler.enable()
            try:
                test(**fixtures)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if code:
            how = f"died of signal {-code}" if code < 0 else "failed"
            pytest.fail(f"the child {how}; what it read last is in {fixtures.get('tmp_path')}")

    return in_parent
