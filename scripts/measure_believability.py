#!/usr/bin/env python3
"""What the eye would object to in real characters, as numbers: the `quality` of Sinew's own reports, in a table.

    scripts/measure_believability.py [SINEW] [--characters FOLDER] [--numbers] [--markdown FILE] [-- OPTIONS of animate]

Bakes the first clip of every skinned character of a folder (more/*.glb, and the first file of each folder in gltf/), and
every clip of ten of them, which lie evenly among those that have several. FOLDER is $SINEW_CHARACTERS, or
../shared/characters. What each figure is: docs/baking.md, Quality.

--numbers    bakes all first clips again with every name of a node and a material replaced by a number, and tells how many
             fewer are within the limits: nothing may hang on names
--markdown   writes the page docs/believability.md, and beside it the figures of every character, docs/believability.csv

Exit code 1 where with numbers more than one in twenty fewer are within the limits.
"""
import argparse
import csv
import glob
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

# What is to be kept. `seen` and `loop` in per cent of the size, `rigid` of the piece.
LIMITS = {
    "seen": (0.5, 5.0),
    "stretch": (None, 1.35),
    "worst": (None, 2.0),
    "flips": (None, 0),
    "rigid": (None, 0.5),
    "sunk": (None, 0.3),
    "loop": (None, 0.5),
}
COLUMNS = ["seen", "largest", "stretch", "worst", "flips", "rigid", "sunk", "pop", "loop", "volume"]
OF_ALL_CLIPS = 10
FEWER_WITH_NUMBERS = 0.05


def characters_of(folder):
    files = sorted(glob.glob(os.path.join(folder, "more", "*.glb")))
    for place in sorted(glob.glob(os.path.join(folder, "gltf", "*"))):
        found = sorted(glob.glob(os.path.join(place, "*.glb"))) or sorted(glob.glob(os.path.join(place, "*.gltf")))
        files += found[:1]
    return files


def name_of(path):
    stem = os.path.splitext(os.path.basename(path))[0]
    place = os.path.basename(os.path.dirname(path))
    return stem if place == "more" else f"{place}/{stem}"


def quantile(values, share):
    values = sorted(values)
    place = share * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


def bake(sinew, path, options, folder):
    """The report, or None where the file has no skin; other refusals end the run."""
    report, output = os.path.join(folder, "report.json"), os.path.join(folder, "flesh.glb")
    done = subprocess.run([sinew, "animate", path, "-o", output, "--quiet", "--report", report] + options,
                          capture_output=True, text=True)
    if done.returncode == 3 and ("no skinned triangles" in done.stderr or "no skin weights" in done.stderr):
        return None
    if done.returncode != 0:
        sys.exit(f"{name_of(path)}: {done.stderr.strip()}")
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def beyond_limits(quality):
    beyond = []
    for name, (least, most) in LIMITS.items():
        value = quality[name]
        if value is not None and ((least is not None and value < least) or value > most + 1e-9):
            beyond.append(name)
    return beyond


def is_still(clip):
    """Whether the program says of the clip that its flesh cannot be seen to move, and why."""
    return "still" in clip


def well(clip):
    return not is_still(clip) and not beyond_limits(clip["quality"])


def with_numbers(path, folder):
    """A copy of the file in `folder` whose nodes, joints and materials are called by numbers."""
    shutil.copytree(os.path.dirname(path), folder, dirs_exist_ok=True)
    target = os.path.join(folder, os.path.basename(path))
    with open(path, "rb") as file:
        data = file.read()
    binary = data[:4] == b"glTF"
    length = struct.unpack("<I", data[12:16])[0] if binary else len(data)
    document = json.loads(data[20:20 + length] if binary else data)
    for kind in ("nodes", "materials"):
        for number, entry in enumerate(document.get(kind, [])):
            entry["name"] = str(number)
    text = json.dumps(document).encode()
    if binary:
        text += b" " * (-len(text) % 4)
        rest = data[20 + length:]
        text = struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON") + text + rest
    with open(target, "wb") as file:
        file.write(text)
    return target


def cell(name, quality):
    value = quality[name]
    if value is None:
        return "–"
    if name == "volume":
        return f"{value[0]:.2f} to {value[1]:.2f}"
    return f"{value}" if name == "flips" else f"{value:.2f}"


def csv_cells(quality):
    """A row's figures; empty where there is nothing to measure."""
    cells = ["" if quality[name] is None else cell(name, quality) for name in COLUMNS if name != "volume"]
    return cells + [f"{value:.2f}" for value in quality["volume"]]


def limit_words(name):
    least, most = LIMITS[name]
    return f"at most {most}" if least is None else f"{least} to {most}"


def summary(rows):
    """Lines of the table of limits, over clips that are not still."""
    lines = ["| | limit | within it | median | worst tenth |", "|---|---|---|---|---|"]
    for name in LIMITS:
        values = [q[name] for q in rows if q[name] is not None]
        within = sum(name not in beyond_limits(q) for q in rows if q[name] is not None)
        worst = f"{quantile(values, 0.9):.2f}"
        if LIMITS[name][0] is not None:
            worst = f"{quantile(values, 0.1):.2f}, {worst}"
        lines.append(f"| `{name}` | {limit_words(name)} | {within} of {len(values)} | {quantile(values, 0.5):.2f} | {worst} |")
    whole = sum(not beyond_limits(q) for q in rows)
    lines.append(f"| all | | {whole} of {len(rows)} ({100 * whole / len(rows):.0f} %) | | |")
    return lines


def held(clip):
    resorts = clip["last_resorts"]
    return [f"{100 * resorts[name]['mean_share']:.1f}" for name in ("strain_bound", "limit")]


def page(first, whole, left_out, numbers):
    moving = [clip["quality"] for _, clip in first if not is_still(clip)]
    still = sum(is_still(clip) for _, clip in first)
    lines = ["# Believability", "",
             "`scripts/measure_believability.py` measures what the eye would object to in characters of other people with default",
             "settings: the `quality` of reports ([what each figure is](baking.md#quality)).", "",
             "## Limits", "",
             f"Of {len(first)} skinned characters {still} have a first clip whose flesh is not seen to move; the program says why. Of the",
             "others:", ""]
    lines += summary(moving)
    lines += ["", "The worst tenth is what nine of ten are better than; of what is seen both ends are given.", ""]
    if numbers is not None:
        _, after, changed = numbers
        lines += [f"With numbers for all names {after} pass" + (f"; changed: {', '.join(changed)}." if changed else ", the same ones."), ""]
    lines += ["## Every character", "",
              "[believability.csv](believability.csv) has a row for the first clip of each, and for ten of them over all clips the worst of",
              "each figure (of `seen` the median). `within` counts clips within all limits, `bound` and `limit` are the per cent of",
              "vertices on which the [safety clamps](flesh.md#what-is-displayed) acted, in the mean over the frames, and `beyond` names",
              "figures beyond their limits, or why nothing is seen to move."]
    clips = [c for _, report in whole for c in report["clips"]]
    every = [c["quality"] for c in clips if not is_still(c)]
    lines += ["", f"All clips of {len(whole)} characters, {len(every)} and {len(clips) - len(every)} that are still:", ""] + summary(every)
    if left_out:
        lines += ["", f"{left_out} files of the folder have no skin and were left out."]
    return "\n".join(lines) + "\n"


def write_table(path, first, whole):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        figures = [name for name in COLUMNS if name != "volume"] + ["volume_least", "volume_most"]
        table.writerow(["character", "clips", "within"] + figures + ["bound", "limit", "beyond"])
        for name, clip in first:
            quality = clip["quality"]
            if not is_still(clip):
                beyond = beyond_limits(quality)
                table.writerow([name, "first", int(not beyond)] + csv_cells(quality) + held(clip) + [" ".join(beyond)])
        for name, clip in first:
            if is_still(clip):
                table.writerow([name, "first", ""] + [""] * len(figures) + ["", "", clip["still"]])
        for name, report in whole:
            clips = [c["quality"] for c in report["clips"] if not is_still(c)]
            worst = {**report["quality"], "seen": quantile([q["seen"] for q in clips], 0.5)}
            within = sum(not beyond_limits(q) for q in clips)
            table.writerow([name, len(clips), within] + csv_cells(worst) + ["", "", ""])


def main():
    own, options = sys.argv[1:], []
    if "--" in own:
        own, options = own[:own.index("--")], own[own.index("--") + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("sinew", nargs="?", default=os.path.join(here, "build", "release", "bin", "sinew"))
    parser.add_argument("--characters", default=os.environ.get("SINEW_CHARACTERS", os.path.join(here, "..", "shared", "characters")))
    parser.add_argument("--numbers", action="store_true")
    parser.add_argument("--markdown")
    arguments = parser.parse_args(own)
    files = characters_of(arguments.characters)
    if not files:
        sys.exit(f"{arguments.characters}: has no characters; name a folder with --characters.")
    first, several, left_out = [], [], 0
    numbered = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            report = bake(arguments.sinew, path, options, folder)
            if report is None:
                left_out += 1
                continue
            clip = report["clips"][0]
            first.append((name_of(path), clip))
            print(f"{name_of(path):44.44s} " + "  ".join(f"{c} {cell(c, clip['quality'])}" for c in COLUMNS), flush=True)
            info = subprocess.run([arguments.sinew, "info", path, "--json"], capture_output=True, text=True, check=True)
            if len(json.loads(info.stdout)["clips"]) > 1:
                several.append(path)
            if arguments.numbers:
                with tempfile.TemporaryDirectory() as renamed:
                    numbered[name_of(path)] = bake(arguments.sinew, with_numbers(path, renamed), options, folder)["clips"][0]
        count = min(OF_ALL_CLIPS, len(several))
        chosen = [several[k * len(several) // count] for k in range(count)]
        whole = []
        for path in chosen:
            report = bake(arguments.sinew, path, ["--clip", "all"] + options, folder)
            whole.append((name_of(path), report))
            moving = [c for c in report["clips"] if not is_still(c)]
            print(f"{name_of(path):44.44s} {sum(map(well, moving))} of {len(moving)} clips within all limits", flush=True)
    within = {name for name, clip in first if well(clip)}
    numbers = None
    if arguments.numbers:
        renamed_within = {name for name, clip in numbered.items() if well(clip)}
        numbers = (len(within), len(renamed_within), sorted(within ^ renamed_within))
        print(f"within all limits: {len(within)} with names, {len(renamed_within)} with numbers")
    text = page(first, whole, left_out, numbers)
    if arguments.markdown:
        with open(arguments.markdown, "w", encoding="utf-8") as file:
            file.write(text)
        write_table(os.path.splitext(arguments.markdown)[0] + ".csv", first, whole)
    else:
        print(text)
    if numbers and numbers[1] < (1 - FEWER_WITH_NUMBERS) * numbers[0]:
        sys.exit(1)


if __name__ == "__main__":
    main()
