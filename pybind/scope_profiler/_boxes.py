"""Tables in frames, for terminals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_PLAIN = str.maketrans({
    "╭": "+", "╮": "+", "╰": "+", "╯": "+", "├": "+", "┤": "+", "─": "-", "│": "|",
    "└": "`", "↻": "@",
})


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]], align: Sequence[str],
                stream: Any, notes: Sequence[str] = ()) -> None:
    """Print a table and notes below it; in ASCII where the stream takes no other."""
    widths = [
        max([len(heading), *(len(row[column]) for row in rows)])
        for column, heading in enumerate(headings)
    ]

    def line(cells: Sequence[str]) -> str:
        placed = [
            cell.ljust(width) if side == "left" else cell.rjust(width)
            for cell, width, side in zip(cells, widths, align)
        ]
        return "│ " + "   ".join(placed) + " │"

    rule = "─" * (sum(widths) + 3 * (len(widths) - 1) + 2)
    lines = [f"╭{rule}╮", line(headings), f"├{rule}┤", *map(line, rows), f"╰{rule}╯"]
    text = "\n".join(["  " + part for part in (*lines, *notes)]) + "\n"
    print(encodable(text, stream), file=stream)


def encodable(text: str, stream: Any) -> str:
    """`text` in characters that the stream's encoding has."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
        return text
    except (UnicodeError, LookupError):
        return text.translate(_PLAIN).encode("ascii", "backslashreplace").decode("ascii")
