"""Add up JUnit files of all suites: prints "N passed, N failed, N skipped".

SPDX-License-Identifier: MIT
"""
import sys
import xml.etree.ElementTree as ElementTree


def main(paths):
    passed = failed = skipped = 0
    for path in paths:
        for case in ElementTree.parse(path).iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
            elif case.find("skipped") is not None:
                skipped += 1
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
