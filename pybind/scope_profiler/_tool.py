"""`scope` of a wheel: the C command line, which lies inside the package there."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Become it; the arguments, output and exit code are its own."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "scope")
    os.execv(program, [program, *sys.argv[1:]])
