#!/usr/bin/env python3
"""Draws docs/images/capell_bodies.png from the JSON that `sinew-study capell CHARACTER... --only bodies -o FOLDER` writes:

    scripts/plot_bodies.py TIMES/capell.json docs/images/capell_bodies.png FOLDER/capell.json...

Errors are medians over the characters of all FOLDERs; times are those of the first character in TIMES.
"""
import json
import statistics
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["bodies"]["rows"]


def kind(row):
    # Bodies of tetrahedra are aimed at these counts.
    aims = (1000, 2500, 8000, 20000)
    if row["body"] != "tetrahedra":
        return row["body"]
    return next((f"{aim} tetrahedra" for aim in aims if abs(row["cells or tetrahedra"] / aim - 1) < 0.2), None)


def main(times, target, *files):
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True)
    for axis, reference in zip(axes, ("rig", "elastic")):
        milliseconds, errors = {}, {}
        for row in rows_of(times):
            if row["reference"] == reference:
                milliseconds.setdefault(kind(row), row["ms a step"])
        for path in files:
            for row in rows_of(path):
                if row["reference"] == reference:
                    errors.setdefault(kind(row), []).append(row["error of motion, %"])
        points = {k: (milliseconds[k], statistics.median(e)) for k, e in errors.items() if k in milliseconds and k}
        tetrahedra = sorted(p for k, p in points.items() if k.endswith("tetrahedra"))
        axis.plot(*zip(*tetrahedra), "o-", label="tetrahedra, 1,000 to 20,000")
        for name, marker in (("lattice, one level", "s"), ("lattice, two levels", "D"), ("lattice, two levels, adaptive", "^")):
            axis.plot(*points[name], marker, label=name)
        axis.set_xscale("log")
        axis.set_xlabel("ms a step")
        axis.set_title(f"{reference} reference")
        axis.set_ylim(bottom=0)
    axes[0].set_ylabel("error of motion, %, median")
    axes[0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(target, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
