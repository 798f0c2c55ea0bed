"""The papers say what is so: options, links, messages.

SPDX-License-Identifier: MIT
"""
import re
import subprocess
from pathlib import Path

import pytest

from support.jobs import run

ROOT = Path(__file__).resolve().parents[2]


def papers():
    """Every Markdown file of the repository."""
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True)
    found = [ROOT / name for name in listed.stdout.split("\n") if name]
    if not found: # an unpacked release
        skip = re.compile(r"/(build|\.)")
        found = [p for p in ROOT.rglob("*.md") if not skip.search(f"/{p.relative_to(ROOT)}")]
    return [path for path in found if path.exists()]


def test_the_readme_has_the_table_of_options(install):
    table = run([install.scope, "info", "--table"]).stdout.strip()
    assert table.count("\n") > 10
    assert table in (ROOT / "README.md").read_text(), "README.md: paste the output of scope info --table"


@pytest.mark.parametrize("paper", papers(), ids=lambda p: str(p.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(paper):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", paper.read_text(), flags=re.S)
    for target in re.findall(r"\]\(<?([^)>\s]+)", text):
        if re.match(r"[a-z][a-z+.-]*:|#", target):
            continue
        assert (paper.parent / target.split("#")[0]).exists(), f"{paper.name} links to {target}"


# ---- messages ----

STRING = r'"((?:[^"\\]|\\.)*)"'
CALLS = {"runtime/src": ["scope_runtime_say", "complain"], "mpi/src": ["scope_runtime_say"]}


def calls(text, name):
    """The argument lists of the calls of a function."""
    for start in re.finditer(rf"\b{name}\(", text):
        depth, at, quoted = 1, start.end(), False
        while depth:
            if text[at] == '"' and text[at - 1] != "\\":
                quoted = not quoted
            depth += 0 if quoted else (text[at] == "(") - (text[at] == ")")
            at += 1
        yield text[start.end():at - 1]


def literals(arguments):
    """String constants, neighbours joined."""
    joined = re.sub(r'"\s+"', "", arguments)
    return [s.replace('\\"', '"') for s in re.findall(STRING, joined)]


def formats():
    """Where it is said, and with which words."""
    for folder, names in CALLS.items():
        for source in sorted((ROOT / folder).glob("*.c")):
            text = source.read_text()
            for name in names:
                for arguments in calls(text, name):
                    if name == "scope_runtime_say" and not arguments.startswith("const "):
                        arguments = arguments.split(",", 1)[1]
                    for words in literals(arguments):
                        yield source.name, words
            if "scope_runtime_say(" in text or source.name == "config.c": # lines put together
                for arguments in calls(text, "snprintf"):
                    for words in literals(arguments):
                        yield source.name, words
                counted = re.search(r"parts\[\] = \{\n(.*?)\n    \};", text, re.S)
                for words in literals(counted.group(1)) if counted and "folded into" in text else []:
                    yield source.name, words
    for source in ("run.c", "recover.c", "spools.c", "collect.c", "others.c"):
        text = (ROOT / "tools" / source).read_text()
        for name in ("command_say", "command_usage"):
            for arguments in calls(text, name):
                for words in literals(arguments.split(",", 1)[1]):
                    yield source, words


def test_every_message_is_explained():
    """docs/messages.md has the fixed words of all that can be printed."""
    explained = re.sub(r"[`]", "", (ROOT / "docs/messages.md").read_text())
    seen = 0
    for source, words in formats():
        for part in re.split(r"%[-+ #0-9.*]*(?:hh|h|ll|l|z)?[a-zA-Z]", words.replace("`", "")):
            part = part.strip(" ()")
            if len(part) > 3 and " " in part:
                seen += 1
                assert part in explained, f"{source} can say {words!r}, which docs/messages.md does not explain"
    assert seen > 40, "the sources are read another way than they are written"
