#!/usr/bin/env python3
"""Finds statements of the documentation that the repository contradicts.

    tests/docs/check_pages.py [ROOT]

Reads every Markdown page of the project (README, CONTRIBUTING, docs/) and checks that
- relative links lead to a file that is there, and to a heading of it;
- source files named in backticks are there: `sinew/rig/wire_deformer.cpp`, `tests/rounding.h`, or just `wire_deformer.h`;
- modules named in the table of docs/architecture.md are folders of sinew/;
- docs/contract.md counts its clauses right, and the test files that hold them are there;
- docs/manual/ has ten pages of 300 to 600 words, each beginning with what the reader can do after it, with an example, and
  ending with where to go on; the options that they name are in docs/command_line.md or docs/settings.md, which the tests of
  the program hold equal to it;
- docs/README.md lists every page of docs/; the pages of algorithms have equations and the limits before their first heading;
- all pages of docs/ together have at most 60,000 words.

Each finding is a line "page:line: sentence". Exit code 1 where there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
if ROOT.is_file():
    ROOT = ROOT.parents[2]

# Folders that a source file's path in the documentation may start from.
BASES = ["", "sinew", "sinew/deform", "sinew/mesh", "sinew/linalg", "studio", "studio/server", "studio/page/src", "studio/page",
         "tests", "tests/studio", "runtime", "studies", "bench", "docs", "samples", "scripts", "fuzz"]
SOURCE_ENDINGS = ("h", "hpp", "cpp", "c", "py", "sh", "mjs", "ts", "comp", "cmake")
MOST_WORDS = 60_000
MANUAL_PAGES, MANUAL_WORDS = 10, range(300, 601)
NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def pages():
    found = sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/**/*.md")) + sorted(ROOT.glob("runtime/**/*.md"))
    return [page for page in found if "node_modules" not in page.parts]


def anchors_of(page):
    """GitHub's anchors of the page's headings."""
    anchors, fenced = set(), False
    for line in page.read_text().splitlines():
        fenced ^= line.startswith("```")
        heading = re.match(r"#+ +(.*)", line)
        if fenced or not heading:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        while anchor in anchors:  # repeated headings are numbered
            anchor += "-1"
        anchors.add(anchor)
    return anchors | set(re.findall(r'<a (?:id|name)="([^"]+)"', page.read_text()))


def check_links(page, number, line, complain):
    for target in re.findall(r"\]\(([^)\s]+)\)", line):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            complain(page, number, f"the link {target} leads nowhere.")
        elif anchor and file.suffix == ".md" and anchor not in anchors_of(file):
            complain(page, number, f"the link {target} names a heading that is not on that page.")


def check_files(page, number, line, names, complain):
    for path in re.findall(r"`([\w./-]+\.(?:%s))`" % "|".join(SOURCE_ENDINGS), line):
        placeholder = any(re.fullmatch("[A-Z]{2,}", word) for word in re.split(r"[/_.]", path))
        if path.startswith(("../", "/")) or "build/" in path or placeholder:
            continue
        there = path in names if "/" not in path else any((ROOT / base / path).exists() for base in BASES)
        # A path may begin anywhere below those folders: `lattice/patch_kernel.cpp`.
        if not there and "/" in path:
            there = any(file.endswith("/" + path) for file in names.values() for file in file)
        if not there:
            complain(page, number, f"there is no file `{path}`.")


def check_modules(complain):
    page = ROOT / "docs/architecture.md"
    for number, line in enumerate(page.read_text().splitlines(), 1):
        module = re.match(r"\| *`([a-z_/]+)/?` *\|", line)
        if module and not any((ROOT / base / module[1]).exists() for base in BASES):
            complain(page, number, f"there is no module `{module[1]}`.")


def check_contract(complain):
    page = ROOT / "docs/contract.md"
    text = page.read_text()
    rows = re.findall(r"^\| (\d+) \|", text, re.MULTILINE)
    if rows != [str(k + 1) for k in range(len(rows))]:
        complain(page, 1, "the clauses are not numbered one after the other.")
    said = re.search(r"\b(%s) clauses\b" % "|".join(NUMBERS), text, re.IGNORECASE)
    if said and NUMBERS.index(said[1].lower()) != len(rows):
        complain(page, 1, f"'{said[0]}', but there are {len(rows)}.")


def check_manual(complain):
    options = set()
    for reference in ("command_line", "settings"):
        options.update(re.findall(r"--[a-z][a-z-]*", (ROOT / f"docs/{reference}.md").read_text()))
    manual = sorted((ROOT / "docs/manual").glob("*.md"))
    for place, page in enumerate(manual, 1):
        text = page.read_text()
        words = len(text.split())
        if not page.name.startswith(f"{place:02d}_") or not text.startswith(f"# {place}. "):
            complain(page, 1, f"page {place} of the manual is not numbered so.")
        if words not in MANUAL_WORDS:
            complain(page, 1, f"{words} words; a page of the manual has 300 to 600.")
        if not re.match(r"# .*\n\nAfter this page you [^#]*?\n\n    \S", text):
            complain(page, 1, "does not begin with what the reader can do after it, and an example.")
        if "\n## Next\n" not in text:
            complain(page, len(text.splitlines()), "does not end with where to go on.")
        for number, line in enumerate(text.splitlines(), 1):
            code = [line] if line.startswith("    sinew ") else re.findall(r"`([^`]+)`", line)
            for option in re.findall(r"--[a-z][a-z-]*", " ".join(c for c in code if re.match(r" *(sinew |--)", c))):
                if option not in options:
                    complain(page, number, f"there is no option {option}.")
    if len(manual) != MANUAL_PAGES:
        complain(ROOT / "docs/README.md", 1, f"the manual has {len(manual)} pages instead of {MANUAL_PAGES}.")


def check_lists(complain):
    text = (ROOT / "docs/README.md").read_text()
    for page in sorted(ROOT.glob("docs/**/*.md")):
        name = page.relative_to(ROOT / "docs").as_posix()
        if name != "README.md" and f"]({name})" not in text:
            complain(ROOT / "docs/README.md", 1, f"does not list {name}.")
    listed = text.partition("\n## Algorithms\n")[2]
    pages_listed = [ROOT / "docs" / name for name in re.findall(r"\]\(([a-z_]+\.md)\)", listed)]
    if len(pages_listed) < 20:
        complain(ROOT / "docs/README.md", 1, f"only {len(pages_listed)} pages of algorithms were found.")
    for page in pages_listed:
        opening = page.read_text().partition("\n## ")[0] if page.exists() else "**Limits $"
        # Pages that compare methods measure, and have neither.
        if not page.name.endswith(("_comparisons.md", "truth.md")) and not ("**Limits" in opening and "$" in opening):
            complain(page, 1, "does not open with the equations in force and the limits.")


def check_length(complain):
    count = sum(len(page.read_text().split()) for page in ROOT.glob("docs/**/*.md"))
    if count > MOST_WORDS:
        complain(ROOT / "docs/README.md", 1, f"the pages of docs/ have {count} words together; at most {MOST_WORDS} are agreed.")
    return count


def main():
    findings = []

    def complain(page, number, sentence):
        findings.append(f"{page.relative_to(ROOT)}:{number}: {sentence}")

    names = {}
    for file in ROOT.rglob("*.*"):
        parts = file.relative_to(ROOT).parts
        if parts[0] not in ("build", ".git") and "node_modules" not in parts:
            names.setdefault(file.name, []).append("/" + "/".join(parts))
    count = 0
    for page in pages():
        fenced = False
        for number, line in enumerate(page.read_text().splitlines(), 1):
            fenced ^= line.startswith("```")
            if fenced:
                continue
            count += 1
            check_links(page, number, line, complain)
            check_files(page, number, line, names, complain)
    check_modules(complain)
    check_contract(complain)
    check_manual(complain)
    check_lists(complain)
    words = check_length(complain)
    print("\n".join(findings + [f"{len(findings)} findings in {count} lines; {words} words in docs/."]))
    return 1 if findings or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
