#!/usr/bin/env python3
"""Draws docs/images/capell_limb.png from the JSON that `sinew-study capell LIMB.tet... -o FOLDER` writes:

    scripts/plot_limb_lattices.py FOLDER/capell.json docs/images/capell_limb.png
"""
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def main(source, target):
    with open(source, encoding="utf-8") as file:
        rows = json.load(file)["limb"]["rows"]
    figure, axes = plt.subplots(1, 2, figsize=(10, 5), sharey=True)
    for row in rows:
        if row["levels"] == 3:
            row["basis"] += ", three levels"
    for name in dict.fromkeys(row["basis"] for row in rows):
        series = [row for row in rows if row["basis"] == name]
        for axis, column in zip(axes, ("unknowns", "ms a step")):
            points = sorted((row[column], abs(row["error of sag, %"])) for row in series)
            axis.plot([x for x, _ in points], [y for _, y in points], "o-" if "tetrahedra" in name else "s--", label=name)
    for axis, title in zip(axes, ("unknowns", "ms a step")):
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.axhline(5, color="black", linewidth=0.8)
        axis.set_xlabel(title)
    axes[0].set_ylabel("error of the tip's sag, %")
    figure.legend(*axes[0].get_legend_handles_labels(), fontsize=8, loc="lower center", ncol=3)
    figure.tight_layout(rect=(0, 0.12, 1, 1))
    figure.savefig(target, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
