#!/usr/bin/env python3
"""Runs the commands of the manual, docs/manual/*.md, page by page and in order, in a folder of their own.

    scripts/test-manual.py [--program SINEW] [PAGE ...]

Commands are the indented lines that begin with `sinew` or `cp`, but `sinew studio`, which waits for a browser. A block of
JSON is first written to the file that is named last in backticks before it. Takes some minutes. Exit code 1 where a
command fails.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]


def steps(text):
    """What the page does, in order: ("run", command) and ("write", file, content)."""
    named, block = None, None
    for line in text.splitlines():
        if line.startswith("```"):
            if block is not None and named:
                yield "write", named, "\n".join(block)
            block = [] if line == "```json" else None
        elif block is not None:
            block.append(line)
        elif re.match(r"    (cp|sinew) ", line) and not line.startswith("    sinew studio"):
            yield "run", line.strip()
        else:
            files = re.findall(r"`([\w.-]+\.json)`", line)
            named = files[-1] if files else named


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/sinew"))
    parser.add_argument("pages", nargs="*")
    arguments = parser.parse_args()
    pages = [pathlib.Path(page).resolve() for page in arguments.pages] or sorted((ROOT / "docs/manual").glob("*.md"))
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        bin_folder = os.path.join(folder, "bin")
        os.mkdir(bin_folder)
        os.symlink(os.path.realpath(arguments.program), os.path.join(bin_folder, "sinew"))
        os.symlink(ROOT / "samples", os.path.join(folder, "samples"))
        environment = {**os.environ, "PATH": bin_folder + os.pathsep + os.environ["PATH"]}
        for page in pages:
            print(page.name)
            for step in steps(page.read_text()):
                if step[0] == "write":
                    pathlib.Path(folder, step[1]).write_text(step[2])
                    continue
                begin = time.monotonic()
                result = subprocess.run(step[1], shell=True, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                count += 1
                print(f"{time.monotonic() - begin:6.1f} s  {step[1]}", flush=True)
                if result.returncode:
                    failed += 1
                    print(result.stdout + f"failed with exit code {result.returncode}", flush=True)
    print(f"{count} commands of the manual, {failed} failed.")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
