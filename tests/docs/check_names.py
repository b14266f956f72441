#!/usr/bin/env python3
"""Checks that no two types of one namespace have the same name.

    check_names.py ROOT

The linker keeps one of two functions of a template that was made for both, such as the growing of a vector: the other type's
objects are then written over each other's, in whichever program contains both.
"""
import collections
import pathlib
import re
import sys

FOLDERS = ("sinew", "studio/server", "studies", "samples", "bench")
NAMESPACE = re.compile(r"(?:inline )?namespace ([\w:]*) ?\{")
END = re.compile(r"\}  // namespace")
# `struct A::B {` completes a type that was declared inside of A.
TYPE = re.compile(r"(?:template <[^>]*> )?(?:struct|class|enum class|enum) (\w+)(?: final)?\s*(?::(?!:)[^;{]*)?\{")


def types_of(text):
    """Types of a source, with their namespaces, but for unnamed ones and nested types."""
    inside = []
    for line in text.splitlines():
        if begin := NAMESPACE.match(line):
            inside.append(begin.group(1))
        elif END.match(line):
            inside.pop()
        elif "" not in inside and (found := TYPE.match(line)):
            yield "::".join([*inside, found.group(1)])


def main():
    root = pathlib.Path(sys.argv[1])
    places = collections.defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                for name in types_of(path.read_text()):
                    places[name].append(path.relative_to(root))
    twice = {name: paths for name, paths in places.items() if len(paths) > 1}
    for name, paths in sorted(twice.items()):
        print(f"{name} is defined in {' and in '.join(map(str, paths))}: give one of them another name.")
    print(f"{len(twice)} names twice, of {len(places)}.")
    return 1 if twice or len(places) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
