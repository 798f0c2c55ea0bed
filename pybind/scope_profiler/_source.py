"""Where code is: the caller of a region, the first line of a function, and their text."""

from __future__ import annotations

import os
import sys

from .metadata import recorded_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any

    from .profile_config import ProfilingConfig

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_LONGEST = 20_000  # characters of source kept for one region

Source = tuple[str, int, str]  # file, line, text; ("", -1, "") unknown
UNKNOWN: Source = ("", -1, "")


def of_call_site(config: ProfilingConfig) -> Source:
    """The innermost caller outside this package."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    if frame is None:
        return UNKNOWN
    name, line = frame.f_code.co_filename, frame.f_lineno
    text = _block(name, line, frame.f_globals) if config.capture_region_source else ""
    return recorded_path(name, config.metadata_detail), line, text


def of_code(code: CodeType | None, config: ProfilingConfig) -> Source:
    """The function that `code` belongs to, decorators included."""
    if code is None:
        return UNKNOWN
    name, line = code.co_filename, code.co_firstlineno
    text = _block(name, line, {}) if config.capture_region_source else ""
    return recorded_path(name, config.metadata_detail), line, text


def code_of(function: Any) -> CodeType | None:
    """The code of a function, through the wrappers around it; None: it has none."""
    for _ in range(100):  # a chain of __wrapped__ may be a ring
        code: CodeType | None = getattr(function, "__code__", None)
        if code is not None:
            return code
        inner = getattr(function, "__wrapped__", None) or getattr(function, "__func__", None)
        if inner is None:
            return None
        function = inner
    return None


def _block(filename: str, line: int, names: dict[str, Any]) -> str:
    """The innermost statement that has `line`, as it is written; "" unknown."""
    import ast
    import linecache
    import textwrap

    lines = linecache.getlines(filename, names)
    if not 0 < line <= len(lines):
        return ""
    first = last = line
    try:
        tree: Any = ast.parse("".join(lines))
    except (SyntaxError, ValueError):  # not whole Python, as with a notebook's magic
        tree = None
    while tree is not None:
        inner = None
        for node in ast.iter_child_nodes(tree):
            begin = min([d.lineno for d in getattr(node, "decorator_list", ())]
                        or [getattr(node, "lineno", line)])  # fmt: skip
            if begin <= line <= getattr(node, "end_lineno", 0):
                inner = node
                if isinstance(node, ast.stmt):
                    first, last = begin, node.end_lineno or line
        tree = inner
    return textwrap.dedent("".join(lines[first - 1 : last]))[:_LONGEST]
