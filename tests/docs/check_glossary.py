#!/usr/bin/env python3
"""Holds docs/glossary.md and the public headers against each other.

    tests/docs/check_glossary.py [ROOT]

Checks that
- terms of the glossary stand in alphabetical order, each once;
- code that it names in backticks is there: a word of a header (`Session`), or a word that users type, which a source of
  sinew/ has as a string (`rigspace`, `--look`);
- every class and struct of the facade headers, which are those below and those of sinew/sinew.h, is explained by a
  comment above it or by name in the glossary.

Each finding is a line "file:line: sentence". Exit code 1 where there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
if ROOT.is_file():
    ROOT = ROOT.parents[2]

FACADE = ["sinew/jobs/*.h", "sinew/session/*.h"] + [
    f"sinew/deform/{name}.h" for name in ("method", "scene", "deformer", "environment", "setting")]


def words_of_code():
    """Words of the headers' code, and what stands in quotes in headers and sources of the library."""
    words, strings = set(), set()
    for file in (ROOT / "sinew").rglob("*"):
        if file.suffix not in (".h", ".cpp"):
            continue
        code = re.sub(r"//.*", "", file.read_text())
        strings.update(re.findall(r'"([^"\\\n]+)"', code))
        if file.suffix == ".h":
            words.update(re.findall(r"\w+", code))
    return words, strings


def letters(term):
    return term.lower().replace("-", " ")


def check_terms(page, complain):
    """Returns the names of code in the page, with the line of each."""
    terms, named = [], {}
    for number, line in enumerate(page.read_text().splitlines(), 1):
        term = re.match(r"- \*\*([^*]+)\*\*", line)
        if term:
            if terms and letters(term[1]) <= letters(terms[-1]):
                complain(page, number, f"'{term[1]}' comes after '{terms[-1]}'.")
            terms.append(term[1])
        for name in re.findall(r"`([^`]+)`", line):
            named.setdefault(name, number)
    if len(terms) < 20:
        complain(page, 1, f"only {len(terms)} terms were found.")
    return named


def check_code(page, named, complain):
    words, strings = words_of_code()
    for name, number in named.items():
        if name.endswith("/"):
            there = (ROOT / name).is_dir()
        else:
            option = name.lstrip("-").replace("-", "_")
            there = all(word in words for word in re.split(r"::|\.", name)) or name in strings or option in strings
        if not there:
            complain(page, number, f"the library has no `{name}`.")


def check_header(header, named, complain):
    """Returns the number of classes and structs at the level of the namespace."""
    lines = header.read_text().splitlines()
    count = 0
    for k, line in enumerate(lines):
        # Definitions: what is nested is indented, and a declaration ends with a semicolon.
        found = re.match(r"(?:class|struct) (\w+)\b(?!.*;\s*$)|(?:class|struct) (\w+).*\{.*\};", line)
        if not found:
            continue
        name = found[1] or found[2]
        count += 1
        above = k - 1
        while above >= 0 and lines[above].startswith(("template", "requires")):
            above -= 1
        if name not in named and not lines[above].startswith("//"):
            complain(header, k + 1, f"`{name}` has no comment above it, and is not in the glossary.")
    return count


def main():
    findings = []

    def complain(file, number, sentence):
        findings.append(f"{file.relative_to(ROOT)}:{number}: {sentence}")

    page = ROOT / "docs/glossary.md"
    named = check_terms(page, complain)
    check_code(page, named, complain)
    facade = FACADE + re.findall(r'#include "([^"]+)"', (ROOT / "sinew/sinew.h").read_text())
    headers = sorted({header for pattern in facade for header in ROOT.glob(pattern)})
    count = sum(check_header(header, named, complain) for header in headers)
    print("\n".join(findings + [f"{len(findings)} findings in {len(named)} names and {count} classes of {len(headers)} headers."]))
    return 1 if findings or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
