"""Add up JUnit files of all suites: prints what failed, then "N passed, N failed, N skipped".

SPDX-License-Identifier: MIT
"""
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

MOST_NAMED = 50
WIDTH = 200


def what_failed(suite, case, why):
    """One line: the suite, as its file is called, the test, and how its message begins."""
    name, group = case.get("name", ""), case.get("classname", "")
    words = " ".join((why.get("message") or why.text or "").split())
    return f"FAILED {suite}: {name if group in ('', name) else f'{group}::{name}'}: {words}"[:WIDTH]


def main(paths):
    passed = skipped = 0
    failed = []
    for path in paths:
        for case in ElementTree.parse(path).iter("testcase"):
            why = [case.find("failure"), case.find("error")]
            why = [one for one in why if one is not None]
            if why:
                failed.append(what_failed(Path(path).stem, case, why[0]))
            elif case.find("skipped") is not None:
                skipped += 1
            else:
                passed += 1
    for line in failed[:MOST_NAMED]:
        print(line)
    if len(failed) > MOST_NAMED:
        print(f"FAILED and {len(failed) - MOST_NAMED} more")
    print(f"{passed} passed, {len(failed)} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
