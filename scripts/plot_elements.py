#!/usr/bin/env python3
"""Draws docs/images/element_convergence.png from the JSON that bench_elements writes:

    scripts/plot_elements.py build/bench/elements.json docs/images/element_convergence.png
"""
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

PANELS = [
    ("beam/lattice", "Beam of nu = 0.45, bodies' lattice:\ntip deflection"),
    ("beam/cuboids", "Same beam, six tetrahedra per cuboid:\ntip deflection"),
    ("capsule/", "Free capsule, meshed as characters are:\nfirst bending frequency"),
    ("limb/", "Benchmark limb under its weight:\nsag, co-rotated"),
]
ELEMENTS = [("linear", "linear tetrahedra", "#b0413e", "s"), ("patch", "patches of six", "#2d6a8f", "o")]


def points(benchmarks, panel, element):
    chosen = [b["counters"] for b in benchmarks if b["name"].startswith(panel) and element in b["name"].split("/")[1]]
    return sorted((c["tetrahedra"], 100 * c["error"]) for c in chosen if "error" in c)


def main(source, target):
    with open(source, encoding="utf-8") as file:
        benchmarks = json.load(file)["benchmarks"]
    figure, axes = plt.subplots(1, len(PANELS), figsize=(15, 3.8))
    for axis, (panel, title) in zip(axes, PANELS):
        for element, label, color, marker in ELEMENTS:
            series = points(benchmarks, panel, element)
            axis.plot([n for n, _ in series], [e for _, e in series], marker=marker, color=color, label=label)
        axis.axhline(0, color="black", linewidth=0.8)
        axis.set_xscale("log")
        axis.set_xlim(300, 200000)
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("tetrahedra")
        axis.grid(True, linewidth=0.3)
    axes[0].set_ylabel("error, %")
    axes[0].legend(fontsize=9)
    figure.tight_layout()
    figure.savefig(target, dpi=110)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
