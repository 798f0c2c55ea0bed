"""Tables in frames, for terminals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# Control characters, which would break the frame, as Python writes them.
_ESCAPED = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160))}
_PLAIN = str.maketrans(
    {
        "╭": "+",
        "╮": "+",
        "╰": "+",
        "╯": "+",
        "├": "+",
        "┤": "+",
        "─": "-",
        "│": "|",
        "└": "`",
        "↻": "@",
    }
)


def print_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    align: Sequence[str],
    stream: Any,
    notes: Sequence[str] = (),
) -> None:
    """Print a table and notes below it; in ASCII where the stream takes no other."""
    rows = [[cell.translate(_ESCAPED) for cell in row] for row in rows]
    widths = [
        max([_width(heading), *(_width(row[column]) for row in rows)])
        for column, heading in enumerate(headings)
    ]

    def line(cells: Sequence[str]) -> str:
        placed = []
        for cell, width, side in zip(cells, widths, align):
            space = " " * (width - _width(cell))
            placed.append(cell + space if side == "left" else space + cell)
        return "│ " + "   ".join(placed) + " │"

    rule = "─" * (sum(widths) + 3 * (len(widths) - 1) + 2)
    lines = [f"╭{rule}╮", line(headings), f"├{rule}┤", *map(line, rows), f"╰{rule}╯"]
    text = "\n".join(["  " + part for part in (*lines, *notes)]) + "\n"
    print(encodable(text, stream), file=stream)


def _width(text: str) -> int:
    """Columns of a terminal."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(2 if east_asian_width(c) in "WF" else not combining(c) for c in text)


def encodable(text: str, stream: Any) -> str:
    """`text` in characters that the stream's encoding has."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
        return text
    except (UnicodeError, LookupError):
        return text.translate(_PLAIN).encode("ascii", "backslashreplace").decode("ascii")
