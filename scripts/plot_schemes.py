#!/usr/bin/env python3
"""Draws docs/images/surface_schemes.png, error over iterations, from the JSON that `sinew-study shi -o FOLDER` writes:

    scripts/plot_schemes.py FOLDER/shi.json docs/images/surface_schemes.png

Schemes whose iterations are not recorded are lines at where they end.
"""
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def main(source, target):
    with open(source, encoding="utf-8") as file:
        tables = json.load(file)
    curves = {}
    for row in tables["schemes_iterations"]["rows"]:
        curves.setdefault(row["scheme"], []).append((row["iteration"], row["error, %"]))
    figure, axis = plt.subplots(figsize=(7.5, 4.2))
    for name, points in curves.items():
        axis.plot(*zip(*points), label=name)
    dashes = iter(("--", ":", "-."))
    for row in tables["schemes"]["rows"]:
        if row["scheme"] not in curves:
            axis.axhline(row["best"], color="black", linewidth=1, linestyle=next(dashes), label=row["scheme"] + " (its end)")
    axis.axhline(100, color="0.75", linewidth=1)
    axis.text(axis.get_xlim()[1], 103, "the rig alone", ha="right", fontsize=8, color="0.4")
    axis.set_yscale("log")
    ticks = (20, 30, 40, 50, 70, 100, 200, 400)
    axis.set_yticks(ticks)
    axis.set_yticklabels([str(t) for t in ticks])
    axis.minorticks_off()
    axis.set_xlabel("iterations")
    axis.set_ylabel("RMS error left, % of the rig's")
    axis.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(target, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
