#!/usr/bin/env python3
"""Checks that sinew/sinew.h, the header of hosts and bindings, is what docs/library.md says, and documented.

    tests/docs/check_library.py [ROOT]

- it includes ten headers and nothing else, and the table of docs/library.md has a row for each of them;
- each of them begins with a comment, and every class, struct and function that it declares has a comment above it, or
  shares one with the declaration above.

Each finding is a line "file:line: sentence". Exit code 1 where there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
if ROOT.is_file():
    ROOT = ROOT.parents[2]
UMBRELLA = "sinew/sinew.h"
COUNT = 10

DECLARATION = re.compile(r"^(template|class|struct|enum|inline|[A-Za-z_][\w:<>*&, ]* \**&*[a-z_]\w*\()")
FORWARD = re.compile(r"^(class|struct) \w+;")


def undocumented(lines):
    """Numbers of lines at namespace scope that declare something without a comment."""
    above = False
    for number, line in enumerate(lines, 1):
        if line.startswith("//"):
            above = True
        elif not line.strip() or line.startswith("namespace"):
            above = False
        elif DECLARATION.match(line) and not FORWARD.match(line):
            if not above:
                yield number
            above = True  # overloads below it share the comment


def main():
    findings = []
    included = re.findall(r'^#include "([^"]+)"', (ROOT / UMBRELLA).read_text(), re.M)
    rows = re.findall(r"^\| `([^`]+)` \|", (ROOT / "docs/library.md").read_text(), re.M)
    if len(included) != COUNT:
        findings.append(f"{UMBRELLA}:1: includes {len(included)} headers instead of {COUNT}.")
    for header in sorted(set(included) ^ set(rows)):
        findings.append(f"docs/library.md:1: {header} is {'missing' if header in included else 'no header of ' + UMBRELLA}.")
    for header in included:
        lines = (ROOT / header).read_text().splitlines()
        if not lines[0].startswith("//"):
            findings.append(f"{header}:1: does not say what it is for.")
        findings += [f"{header}:{number}: {lines[number - 1].strip()} has no comment." for number in undocumented(lines)]
    print("\n".join(findings) if findings else f"{len(included)} headers are documented.")
    return 1 if findings else 0


sys.exit(main())
