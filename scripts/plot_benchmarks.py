#!/usr/bin/python3
"""Plots and tables of build/bench/NAME.json, as scripts/bench.sh writes them.

plot_benchmarks.py            writes docs/images/bench_scaling.png, bench_stages.png, bench_solve.png, bench_mixed.png
plot_benchmarks.py --tables   prints all tables as Markdown
plot_benchmarks.py --write    puts the tables that docs/benchmarks.md and docs/mixed_fem_comparisons.md show between their markers
"""
import argparse
import json
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
names = ("pipeline", "step", "scaling", "linalg", "skinning", "volume", "elements", "mixed")
limbs = ("arm11k", "arm21k", "arm100k")
sizes = (1000, 3000, 10000, 30000, 100000, 300000, 1000000)
scaling_stages = ("volume", "bind", "assemble", "order", "factor", "substitute", "rig_step")
mixed_names = {"arap": "ARAP", "corotated": "co-rotated"}
begin_mark, end_mark = "<!-- begin tables -->", "<!-- end tables -->"


def is_argument_of_library(word):
    return word in ("real_time", "manual_time") or word.split(":")[0] in ("iterations", "repeats", "min_time")


def read(folder):
    """Per file its head, and per benchmark ("pipeline:load") its entry, without the library's own suffixes."""
    heads, entries = {}, {}
    for name in names:
        path = folder / f"{name}.json"
        if not path.exists():
            continue
        content = json.loads(path.read_text())
        heads[name] = {key: value for key, value in content.items() if key != "benchmarks"}
        for entry in content.get("benchmarks", []):
            words = [word for word in entry["name"].split("/") if not is_argument_of_library(word)]
            entries[f"{name}:{'/'.join(words)}"] = entry
    return heads, entries


class Results:
    def __init__(self, folder):
        self.heads, self.entries = read(folder)

    def ms(self, name, which="min_ms"):
        return self.entries.get(name, {}).get(which)

    def counter(self, name, key):
        return self.entries.get(name, {}).get("counters", {}).get(key)

    def skipped(self, name):
        return self.entries.get(name, {}).get("skipped")


def number(value, digits=3):
    if value is None:
        return "-"
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    return f"{value:,.0f}" if "e" in text or abs(value) >= 10 ** digits else text


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|"]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def ratio(a, b):
    return a / b if a is not None and b else None


def verdict(value, bound, at_most):
    if value is None:
        return "not measured"
    return "yes" if (value <= bound if at_most else value >= bound) else "no"


def machine(results):
    lines = []
    for name, head in results.heads.items():
        line = (f"`{head.get('commit', '?')}`, {head.get('date', '?')}, {head.get('cpu', '?')}, {head.get('cores', '?')} cores, "
                f"{head.get('compiler', '?')}")
        lines.append((name, line))
    if not lines:
        return "No results; run scripts/bench.sh."
    if len({line for _, line in lines}) == 1:
        return lines[0][1] + "."
    return "\n".join(f"- {name}: {line}" for name, line in lines)


def asked_row(what, bound, unit, value, at_most):
    sign = "at most" if at_most else "at least"
    return (what, f"{sign} {bound:g} {unit}".strip(), f"{number(value)} {unit}".strip() if value is not None else "-",
            verdict(value, bound, at_most))


def asked_mixed(results):
    rows = []

    def row(what, bound, name):
        frame = results.ms(name, "median_ms")
        rows.append(asked_row(f"mixed elements, {what}", bound, "frames/s", frame and 1e3 / frame, False))

    for model, arap, corotated in (("flour_sack", 1000, 150), ("human", 500, 50), ("turtle", 650, 70)):
        for material, bound in (("arap", arap), ("corotated", corotated)):
            row(f"{model.replace('_', ' ')}, {mixed_names[material]}", bound, f"mixed:{material}/{model}/threads:2")
    row("100,000 tetrahedra, ARAP", 50, "mixed:arap/100000/threads:2")
    return rows


def steps_of(results, name):
    """The step that a simulation took, `, 1/240 s`; empty if it is not known."""
    rate = results.counter(name, "steps_per_second")
    return f", 1/{rate:.0f} s" if rate else ""


def asked(results, mixed_too=True):
    rows = []

    def row(*arguments):
        rows.append(asked_row(*arguments))

    for reference, bound in (("rig", 8), ("elastic", 3)):
        name = f"pipeline:simulate/{reference}"
        row(f"simulation of `sumo`, 8,000 tetrahedra{steps_of(results, name)}, {reference}", bound, "x real time",
            results.counter(name, "times_real_time"), False)
    rest = results.counter("pipeline:animate/rig", "rest_ms")
    row("everything else of that `animate` (load to write)", 3, "s", rest and rest / 1e3, True)
    start = results.ms("pipeline:start_up", "median_ms")
    row("start-up to the first frame, 100,000 vertices and more", 5, "s", start and start / 1e3, True)
    for index, limb in enumerate(limbs):
        at = f"patch/limb:{index}/threads:2"
        row(f"{limb}: `rig` step over a bare substitution", 1.5, "x",
            ratio(results.ms(f"step:rig_step/{at}"), results.ms(f"step:substitution/{at}")), True)
    for index, limb in enumerate(limbs):
        at = f"patch/limb:{index}/threads:2"
        row(f"{limb}: assembling and refactoring over an `elastic` step", 3, "x",
            ratio(results.ms(f"step:assemble_and_refactor/{at}"), results.ms(f"step:elastic_step/{at}")), False)
    skin = results.ms("skinning:skin_vertices/positions/1000000")
    row("linear blend skinning, one million vertices, one thread", 2, "ns per vertex", skin, True)
    million = results.ms("scaling:volume/1000000")
    row("volume meshing, 1,000,000 tetrahedra", 60, "s", million and million / 1e3, True)
    peak = results.counter("scaling:volume/1000000", "peak_bytes")
    row("memory of that", 4, "GB", peak and peak / 1e9, True)
    if mixed_too:
        rows += asked_mixed(results)
    return table(("what", "asked", "measured", "reached"), rows)


def stages(results):
    rows = []
    for name, entry in results.entries.items():
        if not name.startswith("pipeline:"):
            continue
        counters = entry.get("counters", {})
        bytes_ = counters.get("bytes")
        rows.append((name.split(":", 1)[1], number(entry.get("min_ms")), number(entry.get("median_ms")),
                     number(100 * entry["spread"], 2) + " %" if "spread" in entry else "-",
                     number(bytes_ and bytes_ / 1e6), number(counters.get("copy_ms")), entry.get("result_hash", "")[:8]))
    return table(("stage", "least, ms", "median, ms", "spread", "MB", "copy of them, ms", "hash"), rows)


def scaling(results):
    rows, notes = [], []
    for size in sizes:
        tetrahedra = results.counter(f"scaling:volume/{size}", "tetrahedra")
        row = [number(tetrahedra, 7), number(results.counter(f"scaling:assemble/{size}", "unknowns"), 7)]
        for stage in scaling_stages:
            why = results.skipped(f"scaling:{stage}/{size}")
            if why:
                notes.append(f"{stage} at {size:,}: {why}.")
            row.append("left out" if why else number(results.ms(f"scaling:{stage}/{size}")))
        factor = results.counter(f"scaling:order/{size}", "factor_bytes")
        peak = [results.counter(f"scaling:{stage}/{size}", "peak_bytes") for stage in ("volume", "bind", "assemble", "order", "factor")]
        row += [number(factor and factor / 1e6), number(max((p for p in peak if p), default=0) / 1e6)]
        rows.append(row)
    head = ("tetrahedra", "unknowns", *(stage.replace("_", " ") for stage in scaling_stages), "factor, MB", "most memory, MB")
    return "\n\n".join([table(head, rows)] + (["\n".join("- " + note for note in notes)] if notes else []))


def steps(results):
    rows = []
    for index, limb in enumerate(limbs):
        for threads in (1, 2):
            def ms(what):
                return results.ms(f"step:{what}/patch/limb:{index}/threads:{threads}")
            copy = results.ms(f"linalg:read_factor/{index}") if threads == 1 else None
            rows.append((limb, threads, number(copy), number(ms("substitution")), number(ms("rig_step")),
                         number(ratio(ms("rig_step"), ms("substitution"))), number(ms("elastic_step")),
                         number(results.counter(f"step:elastic_step/patch/limb:{index}/threads:{threads}", "iterations")),
                         number(ms("assemble_and_refactor")), number(ratio(ms("assemble_and_refactor"), ms("elastic_step")))))
    return table(("limb", "threads", "reading the factor of linear elements", "substitution", "rig step", "ratio", "elastic step", "iterations",
                  "assemble and refactor", "ratio"), rows)


def solvers(results):
    rows = []
    for index, limb in enumerate(limbs):
        rows.append((limb, number(results.ms(f"linalg:analyze/{index}")), number(results.ms(f"linalg:factor/{index}/1")),
                     number(results.ms(f"linalg:factor/{index}/2")), number(results.ms(f"linalg:mumps_factor/{index}")),
                     number(results.ms(f"linalg:read_factor/{index}")), number(results.ms(f"linalg:solve/double/{index}/1")),
                     number(results.ms(f"linalg:solve/double/{index}/2")), number(results.ms(f"linalg:solve/single/{index}/1")),
                     number(results.ms(f"linalg:mumps_solve/{index}"))))
    return table(("limb", "order", "factor, 1 thread", "2 threads", "MUMPS, 1 thread", "reading the factor", "solve, 1 thread",
                  "2 threads", "single precision, 1 thread", "MUMPS, 1 thread"), rows)


def skinning(results):
    rows = []
    for count in (25000, 100000, 1000000):
        def ns(what):
            ms = results.ms(f"skinning:{what}/{count}")
            return number(ms and ms * 1e6 / count)
        rows.append((f"{count:,}", ns("skin_vertices/positions"), ns("copy_same_bytes/positions"),
                     ns("skin_vertices/positions_and_normals"), ns("copy_same_bytes/positions_and_normals"), ns("skin_plain_loop")))
    return table(("vertices", "positions", "copy of the same bytes", "and normals", "copy of the same bytes", "plain loop, positions"), rows)


def mixed(results):
    rows = []
    for model, paper in (("flour_sack", 1.713), ("human", 1.078), ("turtle", 1.295), *((str(size), None) for size in sizes)):
        def ms(what, threads=2, which="median_ms"):
            return number(results.ms(f"mixed:{what}/{model}/threads:{threads}", which))
        def counter(material, key):
            return results.counter(f"mixed:{material}/{model}/threads:2", key)
        if counter("arap", "tetrahedra") is None:
            continue
        name = model.replace("_", " ") if paper else "sack"
        made = counter("arap", "solver_made_ms")
        rows.append((name, f"{counter('arap', 'tetrahedra'):,.0f}", f"{counter('arap', 'vertices'):,.0f}", ms("arap", 1), ms("arap"),
                     "/".join(number(counter("arap", f"{part}_ms"), 2) for part in ("blend", "solve", "embed")), ms("arap_refactored"),
                     ms("corotated", 1), ms("corotated"), number(counter("corotated", "cg_iterations")), ms("corotated_refactored"),
                     number(1e3 / paper) if paper else "-", number(made)))
    return table(("model", "tetrahedra", "vertices", "ARAP, 1 thread", "ARAP, 2", "of which blend/solve/embed", "ARAP, refactored",
                  "co-rotated, 1 thread", "co-rotated, 2", "iterations", "co-rotated, refactored", "paper", "making the ARAP solver"), rows)


def tables(results):
    return "\n\n".join([
        machine(results), "### Asked and measured", asked(results),
        "### The main job, stage by stage", stages(results),
        "### Growth with the number of tetrahedra, least times in ms", scaling(results),
        "### One implicit step on the limbs, least times in ms", steps(results),
        "### The direct solver, least times in ms", solvers(results),
        "### Linear blend skinning, ns per vertex, one thread", skinning(results),
        "### Mixed elements, one frame, median times in ms", mixed(results)])


def page_tables(results):
    """The part of the tables that docs/benchmarks.md shows; `--tables` prints all of them."""
    only = Results.__new__(Results)
    only.heads = {name: head for name, head in results.heads.items() if name in ("pipeline", "step", "scaling", "skinning")}
    only.entries = results.entries
    return "\n\n".join([machine(only), "### Asked and measured", asked(results, mixed_too=False)])


def write_between_marks(name, text):
    page = root / "docs" / name
    old = page.read_text()
    if old.count(begin_mark) != 1 or old.count(end_mark) != 1:
        sys.exit(f"plot_benchmarks: {page} must contain {begin_mark} and {end_mark} once each.")
    before, rest = old.split(begin_mark)
    page.write_text(f"{before}{begin_mark}\n{text}\n{end_mark}{rest.split(end_mark)[1]}")


def write_pages(results):
    if any(name != "mixed" for name in results.heads):
        write_between_marks("benchmarks.md", page_tables(results))
    if "mixed" in results.heads:
        only = Results.__new__(Results)
        only.heads, only.entries = {"mixed": results.heads["mixed"]}, results.entries
        write_between_marks("mixed_fem_comparisons.md",
                            "\n\n".join([machine(only), table(("what", "asked", "measured", "reached"), asked_mixed(results))]))


def pyplot():
    try:
        import matplotlib
    except ImportError:
        sys.exit("plot_benchmarks: needs matplotlib (Debian package python3-matplotlib).")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"font.size": 9, "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False,
                         "axes.spines.right": False, "savefig.dpi": 130, "figure.constrained_layout.use": True})
    return plt


def plot_scaling(results, plt, folder):
    labels = {"volume": "volume meshing", "bind": "binding", "assemble": "assembly", "order": "ordering",
              "factor": "factorisation", "substitute": "bare substitution", "rig_step": "rig step"}
    figure, axes = plt.subplots(figsize=(7, 5))
    ends = []
    for stage in scaling_stages:
        points = [(results.counter(f"scaling:{stage}/{s}", "tetrahedra"), results.ms(f"scaling:{stage}/{s}")) for s in sizes]
        points = [(n, t) for n, t in points if n and t]
        if points:
            axes.loglog(*zip(*points), "o-", markersize=3.5, linewidth=1.4, label=labels[stage])
            ends += [t for _, t in points]
    if ends:
        axes.set_ylim(min(ends) / 2, max(max(ends), 6e4) * 2.5)
        low = min(ends)
        for power, text in ((1, "n"), (2, "n²")):
            x = [1e3, 1e6]
            axes.loglog(x, [low * 0.7 * (n / 1e3) ** power for n in x], "--", color="0.75", linewidth=0.9, zorder=0)
            at = 6e5 if power == 1 else 3e4
            axes.text(at, low * 0.7 * (at / 1e3) ** power * 1.2, text, color="0.5", ha="right")
    axes.plot([1e6], [6e4], marker="v", color="black", markersize=7)
    axes.annotate("asked of volume meshing:\n1M in 60 s", (1e6, 6e4), xytext=(-8, 4), textcoords="offset points", ha="right")
    axes.set(xlabel="tetrahedra", ylabel="least time, ms", title="Growth with the number of tetrahedra (samples/sumo)")
    axes.legend(frameon=False, ncols=2, loc="upper left")
    figure.savefig(folder / "bench_scaling.png")
    plt.close(figure)


def plot_stages(results, plt, folder):
    order = ("read", "surface", "volume", "bind", "assemble", "cook", "simulate", "write", "preview", "first_frame")
    titles = {"read": "load", "simulate": "simulate", "write": "fit and write", "first_frame": "first frame"}
    bars = (("pipeline:animate/rig", "animate,\nrig reference"), ("pipeline:animate/elastic", "animate,\nelastic reference"),
            ("pipeline:start_up", "start-up,\n100,000 vertices"))
    bars = [(name, label + steps_of(results, name)) for name, label in bars if name in results.entries]
    figure, axes = plt.subplots(figsize=(7.5, 2.8))
    colors = plt.get_cmap("tab10").colors
    left = [0.0] * len(bars)
    for color, stage in zip(colors, order):
        widths = [(results.counter(name, f"{stage}_ms") or 0) / 1e3 for name, _ in bars]
        if not any(widths):
            continue
        axes.barh([label for _, label in bars], widths, left=left, color=color, height=0.6, label=titles.get(stage, stage))
        left = [a + b for a, b in zip(left, widths)]
    for index, total in enumerate(left):
        axes.text(total, index, f" {total:.2f} s", va="center")
    axes.set(xlabel="seconds", title="Where the time goes (samples/sumo, 8,000 tetrahedra)")
    axes.set_xlim(0, max(left, default=1) * 1.12)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.legend(frameon=False, ncols=5, loc="upper center", bbox_to_anchor=(0.45, -0.2))
    figure.savefig(folder / "bench_stages.png")
    plt.close(figure)


def plot_solve(results, plt, folder):
    unknowns = (6570, 12411, 53811)
    curves = (("linalg:read_factor/{0}", "reading the factor of linear elements, 1 thread", "0.6", ":"),
              ("step:substitution/patch/limb:{0}/threads:2", "bare substitution", "tab:blue", "--"),
              ("step:rig_step/patch/limb:{0}/threads:2", "rig step", "tab:blue", "-"),
              ("step:elastic_step/patch/limb:{0}/threads:2", "elastic step, elbow at 90°", "tab:orange", "-"),
              ("step:assemble_and_refactor/patch/limb:{0}/threads:2", "assembling and refactoring", "tab:red", "-"),
              ("linalg:mumps_factor/{0}", "MUMPS, factor of linear elements, 1 thread", "tab:purple", "--"))
    figure, axes = plt.subplots(figsize=(6.5, 4.5))
    for pattern, label, color, style in curves:
        points = [(n, results.ms(pattern.format(index))) for index, n in enumerate(unknowns)]
        points = [(n, t) for n, t in points if t]
        if points:
            axes.loglog(*zip(*points), style, marker="o", markersize=4, color=color, label=label)
    axes.set_xticks(unknowns, [f"{limb}\n{n:,}" for limb, n in zip(limbs, unknowns)])
    axes.minorticks_off()
    axes.set(xlabel="limb, unknowns", ylabel="least time, ms", title="One implicit step, h = 1/100 s, two threads")
    axes.set_ylim(top=axes.get_ylim()[1] * 20)
    axes.legend(frameon=False, loc="upper left")
    figure.savefig(folder / "bench_solve.png")
    plt.close(figure)


def plot_mixed(results, plt, folder):
    curves = (("arap", "ARAP", "tab:blue", "-"), ("corotated", "co-rotated, to 1e-4", "tab:orange", "-"),
              ("corotated_refactored", "co-rotated, refactored", "tab:red", "--"))
    figure, axes = plt.subplots(figsize=(6.5, 4.5))
    for what, label, color, style in curves:
        points = [(results.counter(f"mixed:{what}/{s}/threads:2", "tetrahedra"), results.ms(f"mixed:{what}/{s}/threads:2")) for s in sizes]
        points = [(n, t) for n, t in points if n and t]
        if points:
            axes.loglog(*zip(*points), style, marker="o", markersize=3.5, linewidth=1.4, color=color, label=label)
        models = [(results.counter(f"mixed:{what}/{m}/threads:2", "tetrahedra"), results.ms(f"mixed:{what}/{m}/threads:2"))
                  for m in ("flour_sack", "human", "turtle")]
        models = [(n, t) for n, t in models if n and t]
        if models:
            axes.loglog(*zip(*models), "x", markersize=5, color=color)
    axes.loglog([], [], "x", markersize=5, color="0.4", label="the paper's models, built anew")
    paper = ((11193, 1e3 / 1.713), (21155, 1e3 / 1.078), (16728, 1e3 / 1.295))
    axes.loglog(*zip(*paper), "s", markersize=4.5, color="black", label="Song et al. 2024, in Python on 8 cores")
    axes.axhline(1e3 / 60, color="0.75", linewidth=0.9, linestyle="--", zorder=0)
    axes.text(1.1e3, 1e3 / 60 * 1.1, "60 frames/s", color="0.5")
    axes.set(xlabel="tetrahedra", ylabel="ms a frame", title="Mixed elements: rotations, solve, embedding; two threads")
    axes.legend(frameon=False, loc="lower right")
    figure.savefig(folder / "bench_mixed.png")
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", action="store_true", help="print Markdown tables instead of plotting")
    parser.add_argument("--write", action="store_true", help="write the tables into the pages of docs/ that show them")
    parser.add_argument("--results", type=pathlib.Path, default=root / "build" / "bench", help="folder of the JSON files")
    arguments = parser.parse_args()
    results = Results(arguments.results)
    if not results.entries:
        sys.exit(f"plot_benchmarks: no results in {arguments.results}; run scripts/bench.sh first.")
    if arguments.tables:
        print(tables(results))
    if arguments.write:
        write_pages(results)
    if arguments.tables or arguments.write:
        return
    plt = pyplot()
    folder = root / "docs" / "images"
    folder.mkdir(parents=True, exist_ok=True)
    for plot in (plot_scaling, plot_stages, plot_solve, plot_mixed):
        plot(results, plt, folder)


if __name__ == "__main__":
    main()
